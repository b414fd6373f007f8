package sim

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Request is a send or receive that was started, or that [Rank.Start] starts. It
// belongs to its rank, whatever the group.
type Request struct {
	rank, name int32
	group      *group
	persistent *persistent
}

// persistent is a send or receive that can be started again and again.
type persistent struct {
	op   workloads.Op
	name int32 // of the request while it is active, or 0
}

// maxRequest is the largest name of a request: names from workloads.CollectiveTag on
// belong to collective operations.
const maxRequest = workloads.CollectiveTag - 1

// newName returns a name that no open request has: names are used again only after a
// billion others.
func (p *process) newName() int32 {
	p.requests = p.requests%maxRequest + 1
	return p.requests
}

// Isend starts a send.
func (r *Rank) Isend(to, tag int, size units.Bytes) Request {
	return r.begin(r.sendOp("isend", to, tag, size))
}

// Irecv starts a receive.
func (r *Rank) Irecv(from, tag int) Request {
	return r.begin(r.recvOp("irecv", from, tag))
}

func (r *Rank) sendOp(call string, to, tag int, size units.Bytes) workloads.Op {
	return workloads.Op{Kind: workloads.Isend, Peer: r.peer(call, to), Tag: r.tag(call, tag), Size: size}
}

func (r *Rank) recvOp(call string, from, tag int) workloads.Op {
	return workloads.Op{Kind: workloads.Irecv, Peer: r.source(call, from), Tag: r.anyTag(call, tag)}
}

func (r *Rank) begin(op workloads.Op) Request {
	op.Request = r.newName()
	r.do(op)
	return Request{rank: r.number, name: op.Request, group: r.group}
}

// SendInit describes a send without starting it. Start and Wait it as often as needed:
// each time it costs what an Isend costs.
func (r *Rank) SendInit(to, tag int, size units.Bytes) Request {
	return r.describe(r.sendOp("sendinit", to, tag, size))
}

// RecvInit describes a receive without starting it, as SendInit.
func (r *Rank) RecvInit(from, tag int) Request {
	return r.describe(r.recvOp("recvinit", from, tag))
}

func (r *Rank) describe(op workloads.Op) Request {
	x := &persistent{op: op}
	rare := r.seldom()
	rare.persistent = append(rare.persistent, x)
	return Request{rank: r.number, group: r.group, persistent: x}
}

// Start starts requests of [Rank.SendInit] and [Rank.RecvInit] in the given order. None
// of them may be active, that is, started and not waited for since.
func (r *Rank) Start(requests ...Request) {
	for _, q := range requests {
		r.own("start", q)
		x := q.persistent
		switch {
		case x == nil:
			fail("start", "a request of Isend or Irecv; expected one of SendInit or RecvInit")
		case x.name != 0:
			fail("start", "a request that is active; expected one that was waited for since its last start")
		}
		op := x.op
		op.Request = r.newName()
		x.name = op.Request
		r.do(op)
	}
}

// Wait waits for the end of a request that has not been waited for. The status is that
// of the message received; it is zero for a send. It returns a zero status at once for
// a request of SendInit or RecvInit that is not active.
func (r *Rank) Wait(q Request) Status {
	r.own("wait", q)
	if x := q.persistent; x != nil {
		q.name, x.name = x.name, 0
		if q.name == 0 {
			return Status{}
		}
	}
	r.last = Status{}
	r.do(workloads.Op{Kind: workloads.Wait, Request: q.name})
	return q.group.status(r.last)
}

// own checks that a request is one of this rank.
func (r *Rank) own(call string, q Request) {
	switch {
	case q.rank != r.number:
		fail(call, "a request of rank %d; expected one of rank %d", q.rank, r.number)
	case q.name == 0 && q.persistent == nil:
		fail(call, "no request; expected what Isend, Irecv, SendInit, RecvInit or Beside returned")
	}
}

// awaited is a request in the list of a Waitall.
type awaited struct{ name, place int32 }

// Waitall waits for the given requests, none of which may have been waited for, and
// returns the status of each, as [Rank.Wait] would. Unlike waiting for one after the
// other, it spends receive overheads in the order of arrival. Without arguments it
// waits for all open requests of the rank, whatever their groups, and returns nil.
func (r *Rank) Waitall(requests ...Request) []Status {
	if len(requests) == 0 {
		r.do(workloads.Op{Kind: workloads.Waitall})
		if r.rare != nil {
			for _, x := range r.rare.persistent {
				x.name = 0
			}
		}
		return nil
	}
	rare := r.seldom()
	rare.awaited, rare.open = rare.awaited[:0], 0
	for i, q := range requests {
		r.own("waitall", q)
		if x := q.persistent; x != nil {
			if q.name, x.name = x.name, 0; q.name == 0 {
				continue
			}
		}
		rare.awaited = append(rare.awaited, awaited{q.name, int32(i)})
	}
	slices.SortFunc(rare.awaited, func(a, b awaited) int { return cmp.Compare(a.name, b.name) })
	for i := 1; i < len(rare.awaited); i++ {
		if rare.awaited[i].name == rare.awaited[i-1].name {
			fail("waitall", "request %d is in the list twice; expected each once", rare.awaited[i].place)
		}
	}
	rare.statuses = make([]Status, len(requests))
	if len(rare.awaited) > 0 {
		r.do(workloads.Op{Kind: workloads.Waitall})
	}
	statuses, listed := rare.statuses, len(rare.awaited)
	rare.statuses, rare.awaited = nil, rare.awaited[:0]
	if rare.open < listed {
		fail("waitall", "%d of %d requests are not open; expected none that was waited for before",
			listed-rare.open, listed)
	}
	for i, q := range requests {
		statuses[i] = q.group.status(statuses[i])
	}
	return statuses
}

// chooser is a program whose Waitalls may name some of the open requests only.
type chooser interface {
	// awaits reports whether the Waitall that a rank is about to enter waits for the
	// open request with this name. It is called once for each open request.
	awaits(rank, name int32) bool
	// ended is called when a receive has been waited for, after Received.
	ended(rank, name int32)
}

func (p *Program) awaits(rank, name int32) bool {
	rare := p.ranks[rank].rare
	if rare == nil || rare.statuses == nil {
		return true
	}
	_, listed := rare.place(name)
	if listed {
		rare.open++
	}
	return listed
}

func (p *Program) ended(rank, name int32) {
	r := &p.ranks[rank]
	if r.rare == nil || r.rare.statuses == nil {
		return
	}
	if place, listed := r.rare.place(name); listed {
		r.rare.statuses[place] = r.last
	}
}

// place returns the place of a request in the list of the Waitall.
func (x *rare) place(name int32) (int32, bool) {
	i, found := slices.BinarySearchFunc(x.awaited, name,
		func(a awaited, name int32) int { return cmp.Compare(a.name, name) })
	if !found {
		return 0, false
	}
	return x.awaited[i].place, true
}

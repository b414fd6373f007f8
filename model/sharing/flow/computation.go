package flow

import (
	"math"

	"github.com/isoscale/isoscale/model/internal/sharing"
	"github.com/isoscale/isoscale/model/units"
)

// Computations on a node.
//
// The operating system gives every process of a node the same time on its cores,
// at most one core each: with n computations on c cores of speed s, each may run
// at b = s min(1, c/n). A computation of W flop that moves Q bytes to and from
// memory runs at v <= b and takes v Q/W of the memory bandwidth B; where that is
// short, computations share it in equal parts of bytes. Alone it takes
//
//	max(W/s, Q/B)
//
// which is the roofline of [Williams2009]. A core that waits for memory stays
// occupied.

// node is what happens on a host.
type node struct {
	running int32 // computations that share something
	first   sharing.Flow
	changed bool // in Model.changed
	stopped bool
}

// seat is a computation's place in the list of its node.
type seat struct {
	host       int32 // nobody: not a computation
	next, prev sharing.Flow
	limited    bool // by the core, not only by memory
}

const nobody = -1

// Compute starts work of a rank that moves that much memory, which Advance will
// name when it is done. It is false, and nothing starts, if nobody shares
// anything with the rank: the work then takes W/s.
func (f *Model) Compute(now units.Seconds, rank int32, work units.Flops, traffic units.Bytes, name int32) bool {
	if traffic == 0 && !f.crowded[rank] {
		return false // at the cost of one byte of a rank
	}
	id := f.machine.Place[rank]
	h, n := &f.machine.Hosts[id], &f.nodes[id]
	// Less traffic than that is none, and keeps penalties in their range.
	inMemory := h.Memory >= 0 && float64(traffic) > smallest*float64(work)
	if !inMemory && !f.crowded[rank] {
		return false
	}
	d := sharing.Demand{Amount: float64(work), Penalty: 1, Bound: float64(h.Speed)}
	limited := true
	if inMemory {
		perUnit := float64(traffic) / float64(work)
		if limited = perUnit < largest; !limited {
			// Bytes alone, which no core slows down.
			perUnit, d.Amount, d.Bound = 1, float64(traffic), math.Inf(1)
		}
		d.Penalty = perUnit
		f.uses = append(f.uses[:0], sharing.Use{Resource: sharing.Resource(h.Memory), Weight: perUnit})
		d.Uses = f.uses
	}
	x := f.start(now, d, name)
	f.on[x] = seat{host: id, next: n.first, prev: nobody, limited: limited}
	if n.first != nobody {
		f.on[n.first].prev = x
	}
	n.first = x
	n.running++
	if int(n.running) > h.Cores {
		f.shareCores(now, id)
	}
	return true
}

// leave takes what ended off its node, if it is a computation.
func (f *Model) leave(x sharing.Flow) {
	s := f.on[x]
	if s.host == nobody {
		return
	}
	f.on[x].host = nobody
	n := &f.nodes[s.host]
	if s.prev == nobody {
		n.first = s.next
	} else {
		f.on[s.prev].next = s.next
	}
	if s.next != nobody {
		f.on[s.next].prev = s.prev
	}
	n.running--
	if int(n.running) >= f.machine.Hosts[s.host].Cores && !n.changed {
		n.changed = true
		f.changed = append(f.changed, s.host)
	}
}

// shareCores sets how fast the computations of a host may run.
func (f *Model) shareCores(now units.Seconds, host int32) {
	h, n := &f.machine.Hosts[host], &f.nodes[host]
	bound := float64(h.Speed) * min(1, float64(h.Cores)/float64(n.running))
	for x := n.first; x != nobody; x = f.on[x].next {
		switch {
		case f.on[x].limited:
			f.shared.SetBound(now, x, bound)
		case n.stopped:
			f.shared.SetBound(now, x, 0)
		case f.changes:
			f.shared.SetBound(now, x, math.Inf(1)) // it may have been stopped
		}
	}
}

package titrace

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// perform carries an action out and reports whether it stored an operation. If
// the action is not possible nothing has happened: a rank does not exist, the
// size of what is counted is not known, too many requests are open, or none to
// wait for.
func (p *Program) perform(r *rank, me int32, a *action, op *workloads.Op) (done, possible bool) {
	switch a.kind {
	case workloads.Compute:
		op.Kind, op.Work = workloads.Compute, units.Flops(a.amount)
		return true, true
	case workloads.Delay:
		op.Kind, op.Time = workloads.Delay, units.Seconds(a.amount)
		return true, true
	case workloads.Waitall:
		if r.requests.open == 0 {
			return false, true
		}
		r.requests.reset()
		op.Kind = workloads.Waitall
		return true, true
	case workloads.Wait, workloads.Test:
		return p.request(r, a, op)
	}
	return p.message(r, me, a, op)
}

// message is perform for a Send, Isend, Recv or Irecv. With nobody it takes no
// time.
func (p *Program) message(r *rank, me int32, a *action, op *workloads.Op) (done, possible bool) {
	var element float64
	if a.datatype == noDatatype {
		element = float64(p.defaultSize.Load())
		if element == 0 {
			return false, false
		}
	} else {
		element = float64(datatypeSizes[a.datatype])
	}
	switch {
	case a.peer == nobody:
		return false, true
	case int(a.peer) >= len(p.ranks):
		return false, false
	}
	request := int32(0)
	possible = true
	switch a.kind {
	case workloads.Isend:
		request, possible = r.requests.add(key{me, a.peer, a.tag})
	case workloads.Irecv:
		request, possible = r.requests.add(key{a.peer, me, a.tag})
	}
	if !possible {
		return false, false
	}
	op.Kind, op.Peer, op.Tag, op.Request, op.Size = a.kind, a.peer, a.tag, request, units.Bytes(a.amount*element)
	return true, true
}

// request is perform for a Wait or Test. That there is no such request is
// allowed, as in SimGrid, where a test may have found it done; but not to wait
// if there is none at all. No request is known by a key with nobody.
//
// A request that is tested goes behind the others of its key, whether or not it
// is done: SimGrid takes it out and puts it back.
func (p *Program) request(r *rank, a *action, op *workloads.Op) (done, possible bool) {
	switch {
	case a.peer == nobody || a.dst == nobody:
		return false, true
	case int(a.peer) >= len(p.ranks) || int(a.dst) >= len(p.ranks):
		return false, false
	}
	k := key{a.peer, a.dst, a.tag}
	var name int32
	if a.kind == workloads.Test {
		name, done = r.requests.rotate(k)
	} else {
		if r.requests.open == 0 {
			return false, false
		}
		name, done = r.requests.close(k)
	}
	if done {
		op.Kind, op.Request = a.kind, name
	}
	return done, true
}

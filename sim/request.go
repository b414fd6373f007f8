package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// pending is a request of a rank: a send or receive that was started and not
// yet waited for.
type pending struct {
	peer, tag int32         // send: destination and tag; receive: what it accepts, then what it got
	name      int32         // the program's name for it; blocking calls have none
	next      int32         // posted queue: successor; pool: next free
	nextOpen  int32         // the rank's list of open requests: successor
	size      units.Bytes   // send: payload; matched receive: payload
	at        units.Seconds // done: when; a send's may lie ahead of the clock
	state     pendingState
	send      bool
}

type pendingState uint8

const (
	posted  pendingState = iota // a receive without a message, a send without clearance
	matched                     // a rendezvous receive whose data are on their way
	done
)

// pendings is the pool of requests.
type pendings struct {
	rec  []pending
	free int32
}

func (p *pendings) get() int32 {
	if p.free != none {
		i := p.free
		p.free = p.rec[i].next
		return i
	}
	p.rec = append(p.rec, pending{})
	return int32(len(p.rec) - 1)
}

func (p *pendings) put(i int32) {
	p.rec[i].next = p.free
	p.free = i
}

// launches holds the sends whose overhead was not over when the rank had to
// stop: few at any time, so they are kept apart from the ranks.
type launches struct {
	ops  []workloads.Op
	free []int32
}

func (l *launches) put(op workloads.Op) int32 {
	if n := len(l.free); n > 0 {
		i := l.free[n-1]
		l.free = l.free[:n-1]
		l.ops[i] = op
		return i
	}
	l.ops = append(l.ops, op)
	return int32(len(l.ops) - 1)
}

func (l *launches) take(i int32) workloads.Op {
	l.free = append(l.free, i)
	return l.ops[i]
}

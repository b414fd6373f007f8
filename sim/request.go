package sim

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/internal/matching"
)

// pending is a request of a rank: a send or receive that was started and has not been
// waited for.
type pending struct {
	peer, tag int32 // send: destination and tag; receive: what it accepts, then what it got
	name      int32 // the program's number for it; blocking calls have none
	nextOpen  int32 // the rank's list of open requests: the previous one
	prevOpen  int32 // and the one opened next
	flags     requestFlags
	place     place         // receive: where the operation is written
	size      units.Bytes   // send: payload; receive: room, 0 for any, then payload
	at        units.Seconds // when it was done; for a send, this may lie ahead of the clock
}

// requestFlags say what a request is; one that is not done waits for a message or for clearance.
type requestFlags uint8

const (
	requestSend requestFlags = 1 << iota // else a receive
	requestDone
	requestFound   // a test has found it done
	requestAwaited // the Waitall that its rank is in waits for it
	requestStream  // neither send nor receive: a piece of work of the stream with the number peer
)

func (p *pending) is(f requestFlags) bool { return p.flags&f != 0 }

// openName is a request as a program names it.
type openName struct{ rank, name int32 }

// openRequest adds a zero request, which the program can wait for under name.
func (s *shard) openRequest(id int32, r *rank, name int32) (int32, *pending) {
	q := s.reqs.get()
	p := &s.reqs.rec[q]
	*p = pending{name: name, nextOpen: r.open, prevOpen: none}
	if r.open != none {
		s.reqs.rec[r.open].prevOpen = q
	}
	r.open = q
	if r.is(flagManyOpen) {
		s.nameRequest(id, q)
	}
	return q, p
}

// closeRequest removes a request that has been waited for.
func (s *shard) closeRequest(id int32, r *rank, q int32) {
	p := &s.reqs.rec[q]
	if p.prevOpen == none {
		r.open = p.nextOpen
	} else {
		s.reqs.rec[p.prevOpen].nextOpen = p.nextOpen
	}
	if p.nextOpen != none {
		s.reqs.rec[p.nextOpen].prevOpen = p.prevOpen
	}
	if r.is(flagManyOpen) {
		s.forgetName(id, q)
		r.set(flagManyOpen, r.open != none)
	}
	s.reqs.put(q)
}

// named returns the open request that the operation names, the latest if there
// are several. It fails if there is none.
func (s *shard) named(id int32, r *rank) int32 {
	q := none
	if r.is(flagManyOpen) {
		if same := s.names[openName{id, s.op.Request}]; len(same) > 0 {
			q = same[len(same)-1]
		}
	} else {
		visited := 0
		for q = r.open; q != none && s.reqs.rec[q].name != s.op.Request; q = s.reqs.rec[q].nextOpen {
			visited++
		}
		if visited > matching.Long {
			s.nameRequests(id, r)
		}
	}
	if q == none {
		s.fail(id, "request %d is not open; expected one that Isend or Irecv started", s.op.Request)
	}
	return q
}

// nameRequests enters all open requests of a rank into the index by name, after a long
// walk over them.
func (s *shard) nameRequests(id int32, r *rank) {
	if s.names == nil {
		s.names = map[openName][]int32{}
	}
	first := r.open
	for s.reqs.rec[first].nextOpen != none {
		first = s.reqs.rec[first].nextOpen
	}
	for q := first; q != none; q = s.reqs.rec[q].prevOpen {
		s.nameRequest(id, q)
	}
	r.set(flagManyOpen, true)
}

func (s *shard) nameRequest(id, q int32) {
	key := openName{id, s.reqs.rec[q].name}
	s.names[key] = append(s.names[key], q)
}

func (s *shard) forgetName(id, q int32) {
	key := openName{id, s.reqs.rec[q].name}
	same := s.names[key]
	if i := slices.Index(same, q); len(same) > 1 {
		s.names[key] = slices.Delete(same, i, i+1)
		return
	}
	delete(s.names, key)
}

package sim

import (
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads"
)

// links chains the records of a pool: links[i] is the successor of record i in its
// queue. A queue is a ring. A rank knows its last record, whose successor is the first,
// or none if the queue is empty. A rank has two queues: posted receives and unexpected
// messages.
//
// After a walk over more than matching.Long records, the queue moves to a
// matching.Queue, and until that is empty again its rank has the number of the queue in
// place of a record: see long.
//
// The methods are small enough for the compiler to inline them, and to inline match into take.
type links []int32

// push adds record i to a queue.
func (l links) push(last *int32, i int32) {
	first := i
	if *last != none {
		first, l[*last] = l[*last], i
	}
	l[i], *last = first, i
}

// find returns the first matching record of a queue, or none. The queue must not be
// empty.
func (l links) find(last int32, match func(i int32) bool) int32 {
	for i := l[last]; ; i = l[i] {
		if match(i) {
			return i
		}
		if i == last {
			return none
		}
	}
}

// take removes the first matching record from a queue, which must not be empty. It
// returns the record, or none, and how many records it has visited.
func (l links) take(last *int32, match func(i int32) bool) (i int32, visited int) {
	end := *last
	for before := end; ; {
		i := l[before]
		visited++
		if match(i) {
			l[before] = l[i]
			if i == before {
				*last = none
			} else if i == end {
				*last = before
			}
			return i, visited
		}
		if i == end {
			return none, visited
		}
		before = i
	}
}

// isLong reports whether a rank has a long queue in place of a last record: a number
// below none.
func isLong(last int32) bool { return last < none }

// long returns the long queue that a rank has in place of a last record. Number -2 is
// queue 0, and so on.
func (s *shard) long(last int32) *matching.Queue { return s.longQueues.At(-2 - last) }

// lengthen moves a queue to a matching.Queue, if it is not empty.
func (s *shard) lengthen(l links, last *int32, envelope func(i int32) matching.Envelope) {
	if *last == none {
		return
	}
	number := s.longQueues.Open()
	q := s.longQueues.At(number)
	for i, end := l[*last], *last; ; i = l[i] {
		q.Add(i, envelope(i))
		if i == end {
			break
		}
	}
	*last = -2 - number
}

// takeLong takes the oldest match from a long queue.
func (s *shard) takeLong(last *int32, e matching.Envelope) int32 {
	q := s.long(*last)
	i, ok := q.Take(e)
	if !ok {
		return none
	}
	if q.Len() == 0 {
		s.longQueues.Close(-2 - *last)
		*last = none
	}
	return i
}

// addPosted adds a receive to those that wait for a message.
func (s *shard) addPosted(r *rank, q int32) {
	if isLong(r.posted) {
		s.long(r.posted).Add(q, s.accepted(q))
		return
	}
	s.reqs.link.push(&r.posted, q)
}

// addUnexpected adds a message to those that wait for a receive.
func (s *shard) addUnexpected(r *rank, m int32) {
	if isLong(r.unexpected) {
		s.long(r.unexpected).Add(m, s.sentAs(m))
		return
	}
	s.msgs.link.push(&r.unexpected, m)
}

// accepted returns what a posted receive accepts.
func (s *shard) accepted(q int32) matching.Envelope {
	p := &s.reqs.rec[q]
	return matching.Envelope{Source: p.peer, Tag: p.tag}
}

// sentAs returns the source and tag of a message.
func (s *shard) sentAs(m int32) matching.Envelope {
	rec := &s.msgs.rec[m]
	return matching.Envelope{Source: rec.src, Tag: rec.tag}
}

// takePosted removes the oldest posted receive that accepts a message from src
// with tag.
func (s *shard) takePosted(r *rank, src, tag int32) int32 {
	if r.posted == none {
		return none
	}
	if isLong(r.posted) {
		return s.takeLong(&r.posted, matching.Envelope{Source: src, Tag: tag})
	}
	q, visited := s.reqs.link.take(&r.posted, func(i int32) bool {
		p := &s.reqs.rec[i]
		return accepts(p.peer, p.tag, src, tag)
	})
	if visited > matching.Long {
		s.lengthen(s.reqs.link, &r.posted, s.accepted)
	}
	return q
}

// takeUnexpected removes the unexpected message that arrived first among those that a
// receive from src with tag accepts.
func (s *shard) takeUnexpected(r *rank, src, tag int32) int32 {
	if r.unexpected == none {
		return none
	}
	if isLong(r.unexpected) {
		return s.takeLong(&r.unexpected, matching.Envelope{Source: src, Tag: tag})
	}
	m, visited := s.msgs.link.take(&r.unexpected, func(i int32) bool {
		m := &s.msgs.rec[i]
		return accepts(src, tag, m.src, m.tag)
	})
	if visited > matching.Long {
		s.lengthen(s.msgs.link, &r.unexpected, s.sentAs)
	}
	return m
}

// findUnexpected returns the message that takeUnexpected would take, or none.
func (s *shard) findUnexpected(r *rank, src, tag int32) int32 {
	switch {
	case r.unexpected == none:
		return none
	case isLong(r.unexpected):
		if m, ok := s.long(r.unexpected).Find(matching.Envelope{Source: src, Tag: tag}); ok {
			return m
		}
		return none
	}
	return s.msgs.link.find(r.unexpected, func(i int32) bool {
		m := &s.msgs.rec[i]
		return accepts(src, tag, m.src, m.tag)
	})
}

// accepts reports whether a receive from wantSrc with wantTag, wildcards
// allowed, takes a message from src with tag. AnyTag does not take the messages
// of collective operations and groups.
func accepts(wantSrc, wantTag, src, tag int32) bool {
	return (wantSrc == src || wantSrc == workloads.AnySource) &&
		(wantTag == tag || wantTag == workloads.AnyTag && tag < workloads.CollectiveTag ||
			matching.IsAnyFor(wantTag, tag))
}

// unreceived counts the messages in the rank's inbox and the unexpected ones, which no
// receive took. It empties the inbox.
func (s *shard) unreceived(r *rank) int {
	n := 0
	if last := r.unexpected; isLong(last) {
		n = s.long(last).Len()
	} else if last != none {
		n = 1
		for m := s.msgs.link[last]; m != last; m = s.msgs.link[m] {
			n++
		}
	}
	for r.inbox != none {
		n++
		r.inbox = s.msgs.take(r.inbox)
	}
	return n
}

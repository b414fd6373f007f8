package sim

import "github.com/isoscale/isoscale/workloads"

// The queues of a rank, posted receives and unexpected messages, are rings of
// records linked by next: the rank knows the last, whose successor is the first.

func (s *shard) appendPosted(r *rank, q int32) {
	if last := r.posted; last == none {
		s.reqs.rec[q].next = q
	} else {
		s.reqs.rec[q].next = s.reqs.rec[last].next
		s.reqs.rec[last].next = q
	}
	r.posted = q
}

// takePosted removes the oldest posted receive that accepts a message from src
// with tag.
func (s *shard) takePosted(r *rank, src, tag int32) int32 {
	last := r.posted
	if last == none {
		return none
	}
	for before := last; ; {
		q := s.reqs.rec[before].next
		p := &s.reqs.rec[q]
		if accepts(p.peer, p.tag, src, tag) {
			s.reqs.rec[before].next = p.next
			switch {
			case q == before:
				r.posted = none
			case q == last:
				r.posted = before
			}
			return q
		}
		if q == last {
			return none
		}
		before = q
	}
}

func (s *shard) appendUnexpected(r *rank, m int32) {
	if last := r.unexpected; last == none {
		s.msgs.rec[m].next = m
	} else {
		s.msgs.rec[m].next = s.msgs.rec[last].next
		s.msgs.rec[last].next = m
	}
	r.unexpected = m
}

// takeUnexpected removes the message that arrived first among those that a
// receive from src with tag accepts.
func (s *shard) takeUnexpected(r *rank, src, tag int32) int32 {
	last := r.unexpected
	if last == none {
		return none
	}
	for before := last; ; {
		m := s.msgs.rec[before].next
		rec := &s.msgs.rec[m]
		if accepts(src, tag, rec.src, rec.tag) {
			s.msgs.rec[before].next = rec.next
			switch {
			case m == before:
				r.unexpected = none
			case m == last:
				r.unexpected = before
			}
			return m
		}
		if m == last {
			return none
		}
		before = m
	}
}

// accepts reports whether a receive from wantSrc with wantTag, wildcards
// allowed, takes a message from src with tag. AnyTag does not take the messages
// of collective operations.
func accepts(wantSrc, wantTag, src, tag int32) bool {
	return (wantSrc == src || wantSrc == workloads.AnySource) &&
		(wantTag == tag || wantTag == workloads.AnyTag && tag < workloads.CollectiveTag)
}

// unreceived counts the messages that reached the rank, or are on their way to
// it, and that no receive asked for. It empties the inbox.
func (s *shard) unreceived(r *rank) int {
	n := 0
	if last := r.unexpected; last != none {
		n = 1
		for m := s.msgs.rec[last].next; m != last; m = s.msgs.rec[m].next {
			n++
		}
	}
	for r.inbox != none {
		n++
		r.inbox = s.msgs.take(r.inbox)
	}
	return n
}

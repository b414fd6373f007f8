package sim

import "github.com/isoscale/isoscale/workloads"

// links chains the records of a pool: links[i] is the record behind record i in
// the queue that it is in. A queue is a ring, of which a rank knows the last
// record, whose successor is the first; none stands for an empty one. A rank has
// two: posted receives and unexpected messages.
//
// The methods are so small that the compiler inlines them, and match with take.
type links []int32

// push adds record i to a queue.
func (l links) push(last *int32, i int32) {
	first := i
	if *last != none {
		first, l[*last] = l[*last], i
	}
	l[i], *last = first, i
}

// take removes the first record that matches from a queue, which must not be
// empty, and returns it, or none.
func (l links) take(last *int32, match func(i int32) bool) int32 {
	end := *last
	for before := end; ; {
		i := l[before]
		if match(i) {
			l[before] = l[i]
			if i == before {
				*last = none
			} else if i == end {
				*last = before
			}
			return i
		}
		if i == end {
			return none
		}
		before = i
	}
}

// takePosted removes the oldest posted receive that accepts a message from src
// with tag.
func (s *shard) takePosted(r *rank, src, tag int32) int32 {
	if r.posted == none {
		return none
	}
	return s.reqs.link.take(&r.posted, func(i int32) bool {
		p := &s.reqs.rec[i]
		return accepts(p.peer, p.tag, src, tag)
	})
}

// takeUnexpected removes the message that arrived first among those that a
// receive from src with tag accepts.
func (s *shard) takeUnexpected(r *rank, src, tag int32) int32 {
	if r.unexpected == none {
		return none
	}
	return s.msgs.link.take(&r.unexpected, func(i int32) bool {
		m := &s.msgs.rec[i]
		return accepts(src, tag, m.src, m.tag)
	})
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

package sim

import "github.com/isoscale/isoscale/model/units"

// Spans that processes may still change.
//
// When a rank begins a computation, its end is known and the rank's clock moves there
// at once. But a process that has a turn before then may change the speed of the node,
// or stop it. So a span that ends after the next turn of a process is held back,
// together with what is needed to change it, until no process has a turn before its
// end. Without processes, no span is held back.

// aheadSpan is a span of a rank's time that is not over.
type aheadSpan struct {
	part     Part
	from, to units.Seconds
	// Of a computation: its work and traffic, and the fraction left of it at time since.
	work    units.Flops
	traffic units.Bytes
	since   units.Seconds
	left    float64
}

// setHorizon lets things happen before h.
func (s *shard) setHorizon(h units.Seconds) {
	s.horizon = h
	s.setBookLimit()
}

// setBookLimit sets the earliest end of a span that holdBack has to look at, and the
// earliest that concerns anybody.
func (s *shard) setBookLimit() {
	switch {
	case s.ahead == nil:
		s.bookLimit = never
	case s.holding > 0:
		s.bookLimit = 0
	default:
		s.bookLimit = s.horizon
	}
	s.bookFrom = s.bookLimit
	if s.parts != nil || s.observer != nil {
		s.bookFrom = 0
	}
}

// holdBack keeps a span that a process may still change, or that follows such a span, and returns true if
// it does.
func (s *shard) holdBack(id int32, p Part, from, to units.Seconds) bool {
	s.bookPast(id)
	a := &s.ahead[id-s.first]
	if len(*a) == 0 && to < s.horizon {
		return false
	}
	if to <= from {
		return true
	}
	x := aheadSpan{part: p, from: from, to: to, since: from, left: 1}
	if p == PartCompute {
		x.work, x.traffic = s.op.Work, s.op.Size
	}
	s.hold(id, x)
	return true
}

// bookPast books the held-back spans of a rank if no process has a turn before they
// end.
func (s *shard) bookPast(id int32) {
	if a := s.ahead[id-s.first]; len(a) > 0 && a[len(a)-1].to < s.horizon {
		s.bookHeld(id)
	}
}

// bookHeld books the held-back spans of a rank.
func (s *shard) bookHeld(id int32) {
	a := &s.ahead[id-s.first]
	if len(*a) == 0 {
		return
	}
	present := s.about
	s.about = about{} // of a later moment: no longer known for these spans
	for _, x := range *a {
		s.bookNow(id, x.part, x.from, x.to)
	}
	s.about = present
	*a = (*a)[:0]
	s.holding--
	s.setBookLimit()
}

// respeed moves the end of a rank's current computation after a change of speed: the
// fraction that is left takes that fraction of the time of the whole computation at the
// new speed.
func (s *shard) respeed(id int32, now units.Seconds) {
	a := s.ahead[id-s.first]
	if len(a) == 0 {
		return
	}
	x := &a[len(a)-1] // the last: a rank does not run ahead of the end of its computation
	if x.part != PartCompute || x.to <= now {
		return
	}
	begin := max(now, x.since)
	x.left *= float64((x.to - begin) / (x.to - x.since))
	x.since = begin
	x.to = begin + units.Seconds(units.Seconds(x.left)*s.computing(id, x.work, x.traffic))
	s.reschedule(id, x.to)
}

// cut ends the spans of the rank at now and returns the rest of them.
func (s *shard) cut(id int32, now units.Seconds) (rest []aheadSpan) {
	a := &s.ahead[id-s.first]
	kept := (*a)[:0]
	for _, x := range *a {
		if x.to <= now {
			kept = append(kept, x)
			continue
		}
		y := x
		if x.from < now {
			x.to = now
			kept = append(kept, x)
			if x.part == PartCompute {
				y.left *= float64((y.to - now) / (y.to - y.since))
			}
			y.from, y.since = now, now
		}
		rest = append(rest, y)
	}
	if len(*a) > 0 && len(kept) == 0 {
		s.holding--
	}
	*a = kept
	s.setBookLimit()
	return rest
}

// resume appends what was cut off to the spans of a rank that goes on at now, and returns when
// they end. The network has not stood still: a wait for a send ends when it would have ended.
func (s *shard) resume(id int32, rest []aheadSpan, now units.Seconds) units.Seconds {
	at := now
	for _, x := range rest {
		switch x.part {
		case PartCompute:
			// The speed may have changed.
			x.to = at + units.Seconds(units.Seconds(x.left)*s.computing(id, x.work, x.traffic))
		case PartWaitSend:
			x.to = max(at, x.to)
		default:
			x.to = at + (x.to - x.from)
		}
		if x.to > at {
			x.from, x.since = at, at
			s.hold(id, x)
			at = x.to
		}
	}
	return at
}

// hold holds a span back.
func (s *shard) hold(id int32, x aheadSpan) {
	a := &s.ahead[id-s.first]
	if len(*a) == 0 {
		s.holding++
		s.setBookLimit()
	}
	*a = append(*a, x)
}

// reschedule moves the clock of a rank whose turn at its old clock has not come yet.
func (s *shard) reschedule(id int32, clock units.Seconds) {
	r := s.rank(id)
	r.clock = clock
	if r.state == running {
		// Its turn finds out what is next.
		s.schedule(id, s.now)
	}
}

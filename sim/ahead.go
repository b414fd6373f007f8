package sim

import "github.com/isoscale/isoscale/model/units"

// Spans that processes may still change.
//
// A rank that begins a computation knows when it will end, and its clock is moved
// there at once. A process may have a turn before: it changes the speed of the node,
// or stops it. So spans that end after the next turn of a process are held back, with
// what it takes to change them, until no process has a turn before their end. Without
// processes none is held back.

// aheadSpan is a span of a rank's time that is not over.
type aheadSpan struct {
	part     Part
	from, to units.Seconds
	// Of a computation: what it is, and that the part left of it was not done at since.
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

// setBookLimit sets from which end on spans are looked at by holdBack, and from which
// on by anybody.
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

// holdBack keeps a span that a process may still change, or that comes after one.
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

// bookPast books the spans of a rank that were held back, if no process has a turn
// before they are over.
func (s *shard) bookPast(id int32) {
	if a := s.ahead[id-s.first]; len(a) > 0 && a[len(a)-1].to < s.horizon {
		s.bookHeld(id)
	}
}

// bookHeld books the spans of a rank that were held back.
func (s *shard) bookHeld(id int32) {
	a := &s.ahead[id-s.first]
	if len(*a) == 0 {
		return
	}
	present := s.about
	s.about = about{} // not known any more
	for _, x := range *a {
		s.bookNow(id, x.part, x.from, x.to)
	}
	s.about = present
	*a = (*a)[:0]
	s.holding--
	s.setBookLimit()
}

// respeed changes when the computation of a rank ends that is under way at now, after
// a change of speed: what is left of it takes that part of the time in which the whole
// would be done now.
func (s *shard) respeed(id int32, now units.Seconds) {
	a := s.ahead[id-s.first]
	if len(a) == 0 {
		return
	}
	x := &a[len(a)-1] // a rank does nothing ahead of the end of a computation
	if x.part != PartCompute || x.to <= now {
		return
	}
	begin := max(now, x.since)
	x.left *= float64((x.to - begin) / (x.to - x.since))
	x.since = begin
	x.to = begin + units.Seconds(units.Seconds(x.left)*s.computing(id, x.work, x.traffic))
	s.reschedule(id, x.to)
}

// cut ends what the rank is doing at now and returns what is left of it.
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

// resume appends what was cut off to the spans of a rank that goes on at now, and
// returns when it is over. What the network does has gone on meanwhile.
func (s *shard) resume(id int32, rest []aheadSpan, now units.Seconds) units.Seconds {
	at := now
	for _, x := range rest {
		switch x.part {
		case PartCompute:
			// The speed may be another one.
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

// reschedule moves the clock of a rank that has not got there yet.
func (s *shard) reschedule(id int32, clock units.Seconds) {
	r := s.rank(id)
	r.clock = clock
	if r.state == running {
		// Its turn finds out what is next.
		s.schedule(id, s.now)
	}
}

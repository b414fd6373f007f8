package sharing

import "math"

// state of a resource; see System.
type state uint8

const (
	slack state = iota // no bottleneck, and cannot become one unnoticed
	loose              // its level is being sought; only between a change and the solution
	firm               // full, the bottleneck of its members
)

// almost is the part of a capacity within which a resource without members
// counts as not more than full: rounding errors of sums.
const almost = 0x1p-40

// give adds to rest, and asks for a refresh where the addend is so large that
// rounding it is seen in the capacity.
func (r *resource) give(back float64) {
	r.rest += float64(back)
	r.changes++
	if math.Abs(back)*0x1p-10 > r.capacity {
		r.changes = math.MaxInt32 / 2
	}
}

// solve fills the loose resources. See System for why this is right.
func (s *System) solve() {
	s.admit()
	for len(s.queue) > 0 {
		j := s.queue[0].ref
		r := &s.resources[j]
		if r.stale {
			r.candidate, r.stale = s.candidate(j), false
		}
		key := r.candidate
		if len(r.limits) > 0 {
			key = min(key, r.limits[0].key)
		}
		if r.fat {
			// First among equals: with unequal shares it makes a
			// difference who still rises when a fat pipe gets full.
			key *= 1 - ulps
		}
		key = max(key, s.water)
		if key > s.queue[0].key {
			s.rekey(s.queue, queue, 0, key)
			continue // another may be first now
		}
		switch {
		case math.IsInf(key, 1):
			s.relax(j)
		case len(r.limits) > 0 && r.limits[0].key < r.candidate:
			s.water = key
			s.reach(j)
		default:
			s.water = max(r.candidate, s.water)
			s.commit(j)
		}
	}
	s.water = 0
}

// candidate returns the level at which a loose resource would be full if all
// flows that still rise rose on together; flows that do not rise but have a
// higher level would come down to it. +Inf if it does not become full.
func (s *System) candidate(j int32) float64 {
	r := &s.resources[j]
	if r.fat {
		return s.candidateFat(r)
	}
	if int(r.changes) > len(r.waiting)+len(r.feeders)+64 || r.changes > 0 && r.rest < r.capacity*cancelled {
		s.refresh(j)
	}
	slope := 0.0
	if len(r.members) > 0 {
		slope = r.own.value
	}
	if len(r.waiting) > 0 {
		if r.rising.doubtful() {
			r.rising = sum{}
			for _, e := range r.waiting {
				r.rising = r.rising.plus(s.edges[e].weight.value)
			}
		}
		slope += r.rising.value
	}
	var m float64
	switch {
	case slope > 0:
		m = r.rest / slope
	case r.rest >= -almost*r.capacity:
		return math.Inf(1)
	}
	// Newton's method on the load as a function of the level, which is
	// concave and piecewise linear: from the left, hence monotone, and
	// exact once the same feeders are above twice.
	m = max(m, 0)
	for seen := 0; ; {
		w, load, n := s.above(r.feeders, 0, m)
		if n == seen {
			break
		}
		seen = n
		rest := r.rest + load
		if load*0x1p-10 > r.capacity {
			rest = s.restBelow(r, m) // the difference would have lost digits
		}
		m = max(m, rest/(slope+w))
	}
	return m
}

// above sums up the feeders whose level is above m, from position i of the
// heap: their weights, their loads and their number.
func (s *System) above(h []entry, i int, m float64) (weight, load float64, n int) {
	if i >= len(h) || -h[i].key <= m {
		return 0, 0, 0
	}
	weight = s.edges[h[i].ref].weight.value
	load = float64(weight * -h[i].key)
	w1, l1, n1 := s.above(h, 2*i+1, m)
	w2, l2, n2 := s.above(h, 2*i+2, m)
	return weight + w1 + w2, load + l1 + l2, 1 + n1 + n2
}

// restBelow returns what remains of the capacity when the feeders up to level m
// have their load.
func (s *System) restBelow(r *resource, m float64) float64 {
	rest := r.capacity
	for _, in := range r.feeders {
		if -in.key <= m {
			rest += float64(s.edges[in.ref].weight.value * in.key)
		}
	}
	return rest
}

func (s *System) candidateFat(r *resource) float64 {
	m := math.Inf(1)
	if len(r.members) > 0 {
		m = r.capacity / r.own.value
	}
	for _, e := range r.waiting {
		m = min(m, r.capacity/s.edges[e].weight.value)
	}
	for _, in := range r.feeders {
		if full := r.capacity / s.edges[in.ref].weight.value; -in.key > full {
			m = min(m, full)
		}
	}
	return m
}

// reach handles the first limit of a loose resource, which the water has come
// to: a flow is at its bound, or what was set aside for the members on a slack
// resource is used up.
func (s *System) reach(j int32) {
	r := &s.resources[j]
	e := r.limits[0].ref
	if e < 0 {
		s.attach(^e, -1, s.detach(^e))
		return
	}
	d := &s.edges[e]
	k := &s.resources[d.target]
	need := d.weight.value * (r.candidate - d.limit)
	if k.fat || !(k.rest >= need) {
		s.activate(d.target)
		return
	}
	// Of the remainder, some more than needed, so that this does not happen
	// at each small rise; all if nobody else can want it.
	k.changes++
	k.rest -= float64(need)
	extra := k.rest
	if k.sources > 1 {
		extra /= 2 * float64(k.sources)
	}
	k.rest -= extra
	d.limit = r.candidate + extra/d.weight.value
	s.rekey(r.limits, limits, d.outPos, d.limit)
}

// commit makes a loose resource firm at the level of the water. All flows there
// that still rise or have a higher level become its members.
func (s *System) commit(j int32) {
	r := &s.resources[j]
	for len(r.feeders) > 0 && -r.feeders[0].key > s.water {
		if source := s.edges[r.feeders[0].ref].source; source >= 0 {
			s.loosen(source)
		} else {
			s.attach(^source, j, s.detach(^source))
		}
	}
	for len(r.waiting) > 0 {
		e := r.waiting[len(r.waiting)-1]
		f := s.uses[s.edges[e].first].flow
		s.attach(f, j, s.detach(f))
	}
	if len(r.members) == 0 {
		s.relax(j) // it was over its capacity by a rounding error
		return
	}
	s.remove(&s.queue, queue, r.queuePos)
	r.state, r.level, r.at = firm, s.water, s.now
	if s.coarse(r) {
		s.resetClock(r)
	}
	for _, e := range r.out {
		d := &s.edges[e]
		k := &s.resources[d.target]
		if !k.fat {
			k.give(-d.weight.value * r.level)
			k.rising = k.rising.plus(-d.weight.value)
		}
		k.stale = true
		s.dropWaiting(e)
		if len(k.waiting) == 0 {
			k.rising = sum{}
		}
		s.push(&k.feeders, feeders, -r.level, e)
	}
	s.push(&s.ends, ends, r.end(), j)
}

// loosen makes a firm resource loose, and with it those that its members feed:
// their level depends on its level.
func (s *System) loosen(j int32) {
	first := len(s.stack)
	s.stack = append(s.stack, j)
	for len(s.stack) > first {
		j = s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		r := &s.resources[j]
		if r.state != firm {
			continue // met twice
		}
		s.advanceClock(r)
		s.removeEnd(j)
		r.state, r.stale = loose, true
		s.push(&s.queue, queue, s.water, j)
		for _, e := range r.out {
			d := &s.edges[e]
			k := &s.resources[d.target]
			s.remove(&k.feeders, feeders, d.inPos)
			s.addWaiting(e)
			if !k.fat {
				k.give(d.weight.value * r.level)
				k.rising = k.rising.plus(d.weight.value)
				if len(k.feeders) == 0 {
					k.rest = k.capacity
				}
			}
			if k.state == loose {
				s.revisit(k)
			} else {
				s.stack = append(s.stack, d.target)
			}
		}
	}
}

// revisit notes that more flows rise on a loose resource than before, so that it
// may be full at a lower level than the queue says.
func (s *System) revisit(r *resource) {
	r.stale = true
	if s.queue[r.queuePos].key > s.water {
		s.rekey(s.queue, queue, r.queuePos, s.water)
	}
}

// activate makes a slack resource loose: it may become full.
func (s *System) activate(k int32) {
	r := &s.resources[k]
	r.state, r.stale, r.changes = loose, true, 0
	r.rest, r.rising = r.capacity, sum{}
	waiting := r.waiting
	r.waiting = r.waiting[:0]
	for _, e := range waiting {
		d := &s.edges[e]
		if d.source >= 0 {
			s.remove(&s.resources[d.source].limits, limits, d.outPos)
			s.addOut(e)
		}
		if s.rising(d.source) {
			s.addWaiting(e) // at or before its old position
			r.rising = r.rising.plus(d.weight.value)
		} else {
			level := s.levelOf(d.source)
			s.push(&r.feeders, feeders, -level, e)
			r.give(-d.weight.value * level)
		}
	}
	s.push(&s.queue, queue, s.water, k)
}

// relax makes a loose resource slack that has no members and that no flow that
// still rises uses. What is left of its capacity is set aside for its feeders,
// but half of it kept if there are several, for those that need more.
func (s *System) relax(k int32) {
	r := &s.resources[k]
	s.remove(&s.queue, queue, r.queuePos)
	r.state = slack
	r.level, r.changes = 0, 0
	total := 0.0
	for _, in := range r.feeders {
		if d := &s.edges[in.ref]; d.source >= 0 {
			total += d.weight.value
		}
	}
	r.rest = r.capacity
	for _, in := range r.feeders {
		r.rest += float64(s.edges[in.ref].weight.value * in.key)
	}
	raise := 0.0
	if total > 0 && !r.fat {
		r.rest = max(r.rest, 0)
		given := r.rest
		if r.sources > 1 {
			given /= 2
		}
		raise = given / total
		r.rest -= given
	}
	for _, in := range r.feeders {
		d := &s.edges[in.ref]
		s.addWaiting(in.ref)
		if d.source < 0 {
			continue
		}
		s.dropOut(in.ref)
		d.limit = -in.key + raise
		if r.fat {
			d.limit = max(-in.key, r.capacity/d.weight.value)
		}
		s.push(&s.resources[d.source].limits, limits, d.limit, in.ref)
	}
	r.feeders = r.feeders[:0]
}

package sharing

import "math"

// state of a resource; see System.
type state uint8

const (
	slack state = iota // not a bottleneck, and cannot become one unnoticed
	loose              // its level is being sought: only between a change and its solution
	firm               // full, the bottleneck of its members
)

// almost is the fraction of its capacity by which a resource without members may be
// over full: rounding errors of sums.
const almost = 0x1p-40

// give adds to rest, and requests a refresh if the addend is so large that its rounding
// is visible in the capacity.
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
			// First among equals: with unequal shares it matters who still rises when a
			// fat pipe gets full.
			key *= 1 - ulps
		}
		key = max(key, s.water)
		if key > s.queue[0].key {
			s.rekey(s.queue, queue, 0, key)
			continue // another one may be first now
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

// candidate returns the level at which a loose resource would be full if all flows that
// still rise went on rising together, and flows that no longer rise but are above that
// level came down to it. It is +Inf if the resource does not become full.
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
	// Newton's method on the load, which is a concave and piecewise linear function of
	// the level. It starts from the left, so it is monotone, and it is exact once the
	// same feeders are above the level twice in a row.
	m = max(m, 0)
	for seen := 0; ; {
		w, load, n := s.above(r.feeders, 0, m)
		if n == seen {
			break
		}
		seen = n
		rest := r.rest + load
		if load*0x1p-10 > r.capacity {
			rest = s.restBelow(r, m) // a difference of large numbers would lose digits
		}
		m = max(m, rest/(slope+w))
	}
	return m
}

// above adds up the weights, loads and number of the feeders whose level is above m,
// from position i of the heap on.
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

// restBelow returns what the feeders up to level m leave of the capacity.
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

// reach handles the first limit of a loose resource when the water reaches it: a flow
// is at its bound, or what a slack resource had set aside for the members is used up.
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
	// Take more of the remainder than needed, so that this does not happen at each
	// small rise; take all if nobody else can want it.
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
		s.relax(j) // it was over its capacity by a rounding error only
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

// loosen makes a firm resource loose, and with it the resources that its members feed,
// because their levels depend on its level.
func (s *System) loosen(j int32) {
	first := len(s.stack)
	s.stack = append(s.stack, j)
	for len(s.stack) > first {
		j = s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		r := &s.resources[j]
		if r.state != firm {
			continue // already loose
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

// revisit notes that more flows rise on a loose resource than before, so it may be full
// at a lower level than the queue says.
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

// relax makes a loose resource slack. The resource has no members, and no flow that
// still rises uses it. What is left of its capacity is set aside for its feeders; if
// there are several, half of it is kept for those that will need more.
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

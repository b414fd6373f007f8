package sharing

// edge holds the flows of one source that use another resource, the target. The source
// is the bottleneck of these flows, or ^flow for a flow at its bound.
type edge struct {
	source, target int32
	count          int32   // number of flows
	first          int32   // the first of their uses of the target
	weight         sum     // sum of their shares of the target; on a fat pipe the largest
	limit          float64 // while the target is slack: the level of the source that its capacity allows for
	outPos         int32   // position in limits (slack target) or in out of the source
	inPos          int32   // position in feeders or in waiting of the target
	changes        int32   // of weight since it was last summed up
}

// edgeTable finds edges by their ends: open addressing with linear probing, at
// most half full. Removal closes the gap, so that there are no tombstones.
type edgeTable struct {
	slots []int32 // edge + 1; 0 is empty
	used  int
}

func (t *edgeTable) home(source, target int32) int {
	h := (uint64(uint32(source))<<32 | uint64(uint32(target))) * 0x9e3779b97f4a7c15
	return int(h>>32) & (len(t.slots) - 1)
}

func (t *edgeTable) find(edges []edge, source, target int32) int32 {
	if t.used == 0 {
		return -1
	}
	for i := t.home(source, target); t.slots[i] != 0; i = (i + 1) & (len(t.slots) - 1) {
		if e := t.slots[i] - 1; edges[e].source == source && edges[e].target == target {
			return e
		}
	}
	return -1
}

func (t *edgeTable) add(edges []edge, e int32) {
	if 2*(t.used+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]int32, max(16, 2*len(old)))
		for _, slot := range old {
			if slot != 0 {
				t.put(edges, slot)
			}
		}
	}
	t.put(edges, e+1)
	t.used++
}

func (t *edgeTable) put(edges []edge, slot int32) {
	i := t.home(edges[slot-1].source, edges[slot-1].target)
	for t.slots[i] != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = slot
}

func (t *edgeTable) remove(edges []edge, e int32) {
	mask := len(t.slots) - 1
	gap := t.home(edges[e].source, edges[e].target)
	for t.slots[gap] != e+1 {
		gap = (gap + 1) & mask
	}
	for i := (gap + 1) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		// An entry may move into the gap if its home is not after the gap.
		home := t.home(edges[t.slots[i]-1].source, edges[t.slots[i]-1].target)
		if (i-home)&mask >= (i-gap)&mask {
			t.slots[gap] = t.slots[i]
			gap = i
		}
	}
	t.slots[gap] = 0
	t.used--
}

// rising reports whether a source is a loose resource, whose flows rise.
func (s *System) rising(source int32) bool {
	return source >= 0 && s.resources[source].state == loose
}

// levelOf returns the level of a source that is not rising.
func (s *System) levelOf(source int32) float64 {
	if source < 0 {
		return s.flows[^source].boundLevel()
	}
	return s.resources[source].level
}

// link adds a use to the edge from source to its resource.
func (s *System) link(u, source int32) {
	target := s.uses[u].resource
	if s.resources[target].state == firm {
		s.loosen(target)
	}
	e := int32(-1)
	if source >= 0 {
		e = s.table.find(s.edges, source, target)
	}
	if e < 0 {
		e = s.newEdge(source, target)
	}
	d, v := &s.edges[e], &s.uses[u]
	v.edge, v.previous, v.next = e, -1, d.first
	if d.first >= 0 {
		s.uses[d.first].previous = u
	}
	d.first = u
	d.count++
	if s.resources[target].fat {
		s.weigh(e, exactly(max(d.weight.value, v.share)))
	} else {
		s.weigh(e, d.weight.plus(v.share))
	}
}

// unlink takes a use out of its edge.
func (s *System) unlink(u int32) {
	v := &s.uses[u]
	if s.resources[v.resource].state == firm {
		s.loosen(v.resource)
	}
	e := v.edge
	d := &s.edges[e]
	if v.previous >= 0 {
		s.uses[v.previous].next = v.next
	} else {
		d.first = v.next
	}
	if v.next >= 0 {
		s.uses[v.next].previous = v.previous
	}
	v.edge = -1
	d.count--
	d.changes++
	less := d.weight.plus(-v.share)
	switch fat := s.resources[v.resource].fat; {
	case d.count == 0:
		s.weigh(e, sum{})
		s.dropEdge(e)
	case fat && v.share < d.weight.value:
	case fat:
		// The search ends at the first share of this size: after one step if all are
		// equal.
		w := 0.0
		for i := d.first; i >= 0 && w < v.share; i = s.uses[i].next {
			w = max(w, s.uses[i].share)
		}
		s.weigh(e, exactly(w))
	case less.doubtful(), d.changes > d.count+32:
		w := 0.0
		for i := d.first; i >= 0; i = s.uses[i].next {
			w += s.uses[i].share
		}
		d.changes = 0
		s.weigh(e, exactly(w))
	default:
		s.weigh(e, less)
	}
}

// newEdge adds an edge without flows. If its target is slack, weigh will give it a
// limit.
func (s *System) newEdge(source, target int32) int32 {
	var e int32
	if n := len(s.freeEdges); n > 0 {
		e = s.freeEdges[n-1]
		s.freeEdges = s.freeEdges[:n-1]
	} else {
		e = int32(len(s.edges))
		s.edges = append(s.edges, edge{})
	}
	s.edges[e] = edge{source: source, target: target, first: -1, limit: s.water, outPos: -1}
	r := &s.resources[target]
	if source >= 0 {
		s.table.add(s.edges, e)
		r.sources++
		if r.state != slack {
			s.addOut(e)
		}
	}
	if r.state == slack || s.rising(source) {
		s.addWaiting(e)
	} else {
		s.push(&r.feeders, feeders, -s.levelOf(source), e)
	}
	return e
}

func (s *System) dropEdge(e int32) {
	d := &s.edges[e]
	r := &s.resources[d.target]
	if d.source >= 0 {
		s.table.remove(s.edges, e)
		r.sources--
		if r.state == slack {
			s.remove(&s.resources[d.source].limits, limits, d.outPos)
		} else {
			s.dropOut(e)
		}
	}
	if r.state == slack || s.rising(d.source) {
		s.dropWaiting(e)
	} else {
		s.remove(&r.feeders, feeders, d.inPos)
	}
	// If no edges are left, drop the rounding errors too.
	if len(r.waiting) == 0 {
		r.rising = sum{}
	}
	if len(r.feeders) == 0 && (r.state != slack || len(r.waiting) == 0) {
		r.rest = r.capacity
	}
	s.freeEdges = append(s.freeEdges, e)
}

func (s *System) addOut(e int32) {
	d := &s.edges[e]
	r := &s.resources[d.source]
	d.outPos = int32(len(r.out))
	r.out = append(r.out, e)
}

func (s *System) dropOut(e int32) {
	d := &s.edges[e]
	if moved := s.resources[d.source].out.take(d.outPos); moved >= 0 {
		s.edges[moved].outPos = d.outPos
	}
}

func (s *System) addWaiting(e int32) {
	d := &s.edges[e]
	r := &s.resources[d.target]
	d.inPos = int32(len(r.waiting))
	r.waiting = append(r.waiting, e)
}

func (s *System) dropWaiting(e int32) {
	d := &s.edges[e]
	if moved := s.resources[d.target].waiting.take(d.inPos); moved >= 0 {
		s.edges[moved].inPos = d.inPos
	}
}

// weigh gives an edge a new weight and updates the sums of its target.
func (s *System) weigh(e int32, weight sum) {
	d := &s.edges[e]
	r := &s.resources[d.target]
	old := d.weight.value
	d.weight = weight
	if r.fat {
		s.weighFat(e)
		return
	}
	delta := weight.value - old
	switch {
	case r.state != slack:
		r.stale = true
		if s.rising(d.source) {
			r.rising = r.rising.plus(delta)
			if delta > 0 {
				s.revisit(r)
			}
		} else {
			r.give(-delta * s.levelOf(d.source))
		}
		return
	case d.source < 0:
		r.give(-delta * s.levelOf(d.source))
	case delta <= 0:
		r.give(-delta * d.limit)
	default:
		r.changes++
		// The capacity set aside for the old weight now serves the new one.
		have := float64(old * d.limit)
		if r.sources == 1 {
			have += r.rest
			r.rest = 0
		}
		d.limit = have / weight.value
		if d.limit < s.water {
			d.limit = s.water
			r.rest -= float64(weight.value*s.water) - have
		}
		s.setLimit(e)
	}
	if int(r.changes) > len(r.waiting)+64 {
		s.refresh(d.target)
	}
	if r.rest < 0 && delta > 0 {
		s.activate(d.target)
	}
}

// setLimit adds an edge to the limits of its source, or moves it to its place there.
func (s *System) setLimit(e int32) {
	d := &s.edges[e]
	r := &s.resources[d.source]
	if d.outPos < 0 {
		s.push(&r.limits, limits, d.limit, e)
		return
	}
	s.rekey(r.limits, limits, d.outPos, d.limit)
}

func (s *System) weighFat(e int32) {
	d := &s.edges[e]
	r := &s.resources[d.target]
	if r.state != slack {
		s.revisit(r)
		return
	}
	if d.weight.value == 0 {
		return // about to be dropped
	}
	full := r.capacity / d.weight.value
	if d.source < 0 {
		if s.levelOf(d.source) > full {
			s.activate(d.target)
		}
		return
	}
	d.limit = max(full, s.water)
	s.setLimit(e)
	if full < s.water {
		s.activate(d.target)
	}
}

// refresh recomputes rest.
func (s *System) refresh(k int32) {
	r := &s.resources[k]
	r.changes = 0
	r.rest = r.capacity
	if r.state == slack {
		for _, e := range r.waiting {
			d := &s.edges[e]
			if d.source < 0 {
				r.rest -= float64(d.weight.value * s.levelOf(d.source))
			} else {
				r.rest -= float64(d.weight.value * d.limit)
			}
		}
		return
	}
	for _, in := range r.feeders {
		r.rest += float64(s.edges[in.ref].weight.value * in.key)
	}
}

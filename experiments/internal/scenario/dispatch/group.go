package dispatch

// group is an IDU with its nodes. It executes one super-program at a time.
type group struct {
	*simulation
	depth  int // its level, from 0
	index  int // among the groups of its level, from 0
	level  *levelInTicks
	nodes  []node
	parent *place // holds the SI that this group executes; nil for the whole program

	number     uint64   // of the super-program among those of its kind
	next       int      // SI to be dispatched, counted within the super-program
	idle       []*place // places that wait for the IDU, in the order in which they became free
	dispatched bool     // the IDU is busy with an SI
	serving    int      // places that hold an SI or may still get one
}

// node is where SIs are executed.
type node struct {
	executor   server
	in, out    link
	group      *group // the group that it consists of, nil if it is atomic
	slowness   exact  // 1 over the speed of an atomic node
	processors exact  // nodes of the last level that it consists of
	places     []place
	still      standstill
}

// levelInTicks is what all groups of a level have in common, with times in ticks.
type levelInTicks struct {
	Level
	count             int // SIs of a super-program
	dispatch, latency exact
	operands, results transferTimes
}

// transferTimes are the times of a transfer without contention, each 0 if it takes no time.
type transferTimes struct {
	alone       exact // over interface and trunk
	byInterface exact // if the trunk were infinite
	byTrunk     exact // if the interface were infinite
}

// newGroup builds a group and the groups that its nodes are, without nodes and places for which there are no SIs. Times
// of SIs are multiplied by the slowness.
func (s *simulation) newGroup(depth, index int, slowness exact) *group {
	l := &s.shared[depth]
	g := &group{simulation: s, depth: depth, index: index, level: l, nodes: make([]node, min(l.nodes(index), l.count))}
	in, out := s.newTrunk(l.operands), s.newTrunk(l.results)
	for i := range g.nodes {
		n := &g.nodes[i]
		n.slowness = slowness
		if l.Speeds != nil {
			n.slowness = slowness.times(exactRat(ratio(1, l.speed(i))))
		}
		n.in = link{alone: l.operands.alone, trunk: in}
		n.out = link{alone: l.results.alone, trunk: out}
		// The i-th node has the places i, i + nodes, ... of all.
		n.places = make([]place, min(l.Outstanding, 1+(l.count-1-i)/len(g.nodes)))
		for k := range n.places {
			n.places[k] = place{group: g, node: n, local: i == 0 && l.IDU == FirstNode}
		}
		inner := l.before(index) + i
		n.processors = exactInt(s.machine[depth+1:].nodesOf(inner))
		if depth+1 < len(s.shared) {
			n.group = s.newGroup(depth+1, inner, n.slowness)
		}
	}
	return g
}

// start begins a super-program: one place of each node in turn waits for the IDU.
func (g *group) start(number uint64, parent *place) {
	g.number, g.next, g.parent = number, 0, parent
	for k := range g.nodes[0].places {
		for i := range g.nodes {
			if k < len(g.nodes[i].places) {
				g.serving++
				p := &g.nodes[i].places[k]
				p.since = g.now
				p.node.still.waiting++
				g.idle = append(g.idle, p)
			}
		}
	}
	for i := range g.nodes {
		g.nodes[i].still.since = g.now
		g.nodes[i].classify()
	}
	g.dispatch()
}

// dispatch lets the IDU serve waiting places until it is busy. When there are no more SIs, the places end, and with the
// last of them the super-program. If the context is cancelled nothing more is dispatched, so that the run ends soon.
func (g *group) dispatch() {
	for !g.dispatched && len(g.idle) > 0 {
		p := g.idle[0]
		g.idle = g.idle[1:]
		if g.next == g.level.count || g.ctx.Err() != nil {
			g.serving--
			if g.serving == 0 && g.parent != nil {
				g.parent.after(exact{})
			}
			continue
		}
		p.si = g.number*uint64(g.level.count) + uint64(g.next)
		g.next++
		p.stage = dispatching
		if !g.level.dispatch.zero() {
			g.dispatched = true
			p.after(g.level.dispatch)
			continue
		}
		p.proceed()
	}
}

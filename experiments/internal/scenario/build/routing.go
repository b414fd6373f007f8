package build

import (
	"math/rand/v2"

	"github.com/isoscale/isoscale/topology"
)

// Routing says which ways messages take, as files name it.
type Routing string

const (
	Minimal Routing = "minimal" // one of the shortest ways, chosen by the two ends: that of [topology.Router]
	Spread  Routing = "spread"  // all shortest ways at once, in equal parts
	Valiant Routing = "valiant" // by way of a random group of a dragonfly
)

// Routings lists all of them.
var Routings = []string{string(Minimal), string(Spread), string(Valiant)}

// RoutingProblem says why messages of a machine cannot take such ways, "" if they can.
func RoutingProblem(t topology.Topology, r Routing) string {
	switch t.(type) {
	case Dragonfly:
		return ""
	case FatTree, LeafSpine, Rails:
		if r != Valiant {
			return ""
		}
	}
	switch r {
	case Spread:
		return "a machine without a fat tree or a dragonfly"
	case Valiant:
		return "a machine without a dragonfly"
	}
	return ""
}

// ways are the links of a message and the fraction of it that each carries.
type ways struct {
	links []int32
	parts []float64
}

func (w *ways) add(link int32, part float64) {
	w.links, w.parts = append(w.links, link), append(w.parts, part)
}

// spreading is a wiring that knows all shortest ways.
type spreading interface {
	spread(w *ways, from, to int32)
}

// Ways returns a function that gives the links which a numbered message takes between two hosts, and the fraction that
// each carries, in the form of [flow.Machine]; nil for minimal routes. Random ways depend on the seed and the number.
// REQUIRES: there is no [RoutingProblem].
func Ways(p *topology.Platform, how Routing, seed int64) func([]int32, []float64, int32, int32, uint64) ([]int32, []float64) {
	r, ok := p.Router.(*router)
	if !ok || how != Spread && how != Valiant {
		return nil
	}
	return func(links []int32, parts []float64, from, to int32, message uint64) ([]int32, []float64) {
		w := ways{links, parts}
		switch {
		case from == to:
			w.links = r.own(w.links, from)
		case how == Spread:
			r.wiring.(spreading).spread(&w, from, to)
		default:
			var draw rand.PCG
			draw.Seed(uint64(seed), message)
			w.links = r.wiring.(*dragonfly).detour(w.links, int(from), int(to), draw.Uint64())
		}
		if from != to && r.card != nil {
			w.links = r.throughCards(w.links, from, to)
		}
		for len(w.parts) < len(w.links) {
			w.parts = append(w.parts, 1)
		}
		return w.links, w.parts
	}
}

// spread goes up to the lowest level at which both hosts are in one subtree, over all cables to all reachable switches
// of each level, and down again likewise.
func (t *fatTree) spread(w *ways, from, to int32) {
	s, d := int(from), int(to)
	for i := range t.height(s, d) {
		l := &t.levels[i]
		part := 1 / float64(l.copies*l.up*l.cables)
		for copy := range l.copies {
			for port := range l.up * l.cables {
				w.add(l.link(t.ways, s, copy, port), part)
				w.add(l.link(t.ways, d, copy, port)+int32(t.ways-1), part)
			}
		}
	}
}

// spread takes the cable between the groups, and within a group both orders of changing chassis and place.
func (d *dragonfly) spread(w *ways, from, to int32) {
	w.add(from*int32(d.ways), 1)
	g, a, h, b := d.ends(int(from), int(to))
	if g != h {
		inGroup := d.chassis * d.routers
		d.spreadWithin(w, g, a, h%inGroup)
		w.add(d.group.link(d.ways, 0, g, h), 1)
		a = g % inGroup
	}
	d.spreadWithin(w, h, a, b)
	w.add(to*int32(d.ways)+int32(d.ways-1), 1)
}

func (d *dragonfly) spreadWithin(w *ways, group, from, to int) {
	c, e := from/d.routers, to/d.routers
	r, s := from%d.routers, to%d.routers
	if r == s || c == e {
		for _, l := range d.within(nil, group, from, to) {
			w.add(l, 1)
		}
		return
	}
	w.add(d.inChassis.link(d.ways, group*d.chassis+c, r, s), 0.5)
	w.add(d.betweenChassis.link(d.ways, group*d.routers+s, c, e), 0.5)
	w.add(d.betweenChassis.link(d.ways, group*d.routers+r, c, e), 0.5)
	w.add(d.inChassis.link(d.ways, group*d.chassis+e, r, s), 0.5)
}

// ends returns the groups of two hosts, and the numbers of their routers within these.
func (d *dragonfly) ends(from, to int) (g, a, h, b int) {
	inGroup := d.chassis * d.routers
	a, b = from/d.nodes, to/d.nodes
	return a / inGroup, a % inGroup, b / inGroup, b % inGroup
}

// detour goes between hosts of two groups by minimal routes to a random third group and from there to the destination:
// VAL of [Kim2008] 4.2.
func (d *dragonfly) detour(buf []int32, from, to int, draw uint64) []int32 {
	g, _, h, _ := d.ends(from, to)
	if g == h || d.groups < 3 {
		return d.through(buf, from, to, nowhere)
	}
	by := int(draw % uint64(d.groups-2))
	for _, end := range []int{min(g, h), max(g, h)} {
		if by >= end {
			by++
		}
	}
	return d.through(buf, from, to, by)
}

package build

import (
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Dragonfly is groups of routers with a cable between each two groups [Kim2008]. The routers of a group are in chassis:
// those in one chassis are connected all to all, and so are those at the same place in their chassis (the form of the
// Cray XC). With one chassis the routers of a group are connected all to all. All counts are at least 1. Hosts fill the
// routers in order.
//
// Routes are minimal: the cable from group g to group h is at router h mod R of group g (R routers per group, chassis
// by chassis), and within a group a message first changes its place in the chassis and then the chassis.
type Dragonfly struct {
	Groups, Chassis, Routers, Nodes int // chassis of a group, routers of a chassis, nodes of a router
	// Parallel cables between two groups, between routers of two chassis and
	// between routers of one chassis, all at least 1; each such bundle is one
	// link each way with the bandwidth of all.
	GlobalCables, ChassisCables, RouterCables int
	// Global is one cable between groups; nil: like the others.
	Global *topology.Connection
}

func (Dragonfly) Kind() string { return "dragonfly" }

func (f Dragonfly) check(c *checker, nodes []Node) {
	c.room(len(nodes), product(f.Groups, f.Chassis, f.Routers, f.Nodes))
	g, ch, r := int64(f.Groups), int64(f.Chassis), int64(f.Routers)
	inGroups := product(g, ch, product(r, r-1)/2) + product(g, r, product(ch, ch-1)/2)
	c.cables(min(tooMany, product(g, g-1)/2+inGroups+int64(len(nodes))))
}

type dragonfly struct {
	hosts, ways                      int
	groups, chassis, routers, nodes  int
	inChassis, betweenChassis, group cliques // after the links of hosts
}

// cliques are sets of routers, or of groups, that are each connected all to all.
type cliques struct {
	sets, size int
	first      int32 // link
}

// each visits the pairs i < j of all sets in the order of their cables.
func (c cliques) each(visit func(set, i, j int)) {
	for set := range c.sets {
		for i := range c.size {
			for j := i + 1; j < c.size; j++ {
				visit(set, i, j)
			}
		}
	}
}

func (c cliques) link(ways, set, i, j int) int32 {
	back := 0
	if i > j {
		i, j, back = j, i, ways-1
	}
	return c.first + int32((set*pairs(c.size)+pair(c.size, i, j))*ways+back)
}

// pairs returns the number of pairs of n things.
func pairs(n int) int { return n * (n - 1) / 2 }

// pair numbers the pairs i < j of n things in order.
func pair(n, i, j int) int { return i*(2*n-i-1)/2 + j - i - 1 }

func (f Dragonfly) wire(w *wires) wiring {
	d := &dragonfly{hosts: len(w.nodes), ways: int(w.ways),
		groups: f.Groups, chassis: f.Chassis, routers: f.Routers, nodes: f.Nodes}
	w.partlyFilled(f.Groups*f.Chassis*f.Routers*f.Nodes, "the routers of the others exist")
	cable := w.half()
	w.grow(len(w.nodes) + pairs(f.Groups) + f.Groups*(f.Chassis*pairs(f.Routers)+f.Routers*pairs(f.Chassis)))
	for i := range w.nodes {
		w.cable(w.toHost(i, 1, cable), w.nodes[i].Name)
	}
	bundles := func(sets, size int, c topology.Connection, cables int, name string, numbers func(set int) []int) cliques {
		all := cliques{sets, size, int32(len(w.links))}
		c.Bandwidth *= units.BytesPerSecond(cables)
		all.each(func(set, i, j int) { w.cable(c, name, append(numbers(set), i, j)...) })
		return all
	}
	d.inChassis = bundles(f.Groups*f.Chassis, f.Routers, cable, f.RouterCables, "chassis",
		func(set int) []int { return []int{set / f.Chassis, set % f.Chassis} })
	d.betweenChassis = bundles(f.Groups*f.Routers, f.Chassis, cable, f.ChassisCables, "group",
		func(set int) []int { return []int{set / f.Routers, set % f.Routers} })
	if f.Global != nil {
		cable = *f.Global
	}
	d.group = bundles(1, f.Groups, cable, f.GlobalCables, "global", func(int) []int { return nil })
	return d
}

func (d *dragonfly) route(buf []int32, from, to int32) ([]int32, bool) {
	return d.through(buf, int(from), int(to), nowhere), true
}

// nowhere is the group by which direct messages go.
const nowhere = -1

// through goes to the group of the destination by another one.
func (d *dragonfly) through(buf []int32, from, to, by int) []int32 {
	buf = append(buf, int32(from*d.ways))
	inGroup := d.chassis * d.routers
	at, router, last, end := d.ends(from, to)
	for _, next := range [...]int{by, last} {
		if next != nowhere && next != at {
			buf = d.within(buf, at, router, next%inGroup)
			buf = append(buf, d.group.link(d.ways, 0, at, next))
			at, router = next, at%inGroup
		}
	}
	buf = d.within(buf, at, router, end)
	return append(buf, int32(to*d.ways+d.ways-1))
}

// within goes from one router of a group to another.
func (d *dragonfly) within(buf []int32, group, from, to int) []int32 {
	c, e := from/d.routers, to/d.routers
	r, s := from%d.routers, to%d.routers
	if r != s {
		buf = append(buf, d.inChassis.link(d.ways, group*d.chassis+c, r, s))
	}
	if c != e {
		buf = append(buf, d.betweenChassis.link(d.ways, group*d.routers+s, c, e))
	}
	return buf
}

// diameter: up to two links within each group, the cable between them and the hosts' cables. In a full machine each
// group has a host at the far corner from the cable. If some positions are empty it is a bound.
func (d *dragonfly) diameter() (int, bool) {
	within := 0
	if d.routers > 1 {
		within++
	}
	if d.chassis > 1 {
		within++
	}
	if d.groups > 1 {
		within = 2*within + 1
	}
	return within + 2, d.hosts == d.groups*d.chassis*d.routers*d.nodes
}

// bisection is an upper bound, the least of three cuts: the cables of the slower half of the hosts; the hosts by
// number, with every router on the side of most of its hosts, which for an even number of full groups is the usual
// figure of (G/2)^2 cables between groups; and the same with routers ordered by their number within their groups, which
// cuts through all groups.
func (d *dragonfly) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	own := each.Of(each.Ascending(d.hosts), func(i int) float64 { return float64(links[i*d.ways].Bandwidth) })
	routers := d.groups * d.chassis * d.routers
	byNumber, across := make([]int, routers), make([]int, routers)
	for i := range routers {
		byNumber[i] = i
		across[i] = i%d.groups*(d.chassis*d.routers) + i/d.groups
	}
	best := min(d.cut(links, own, byNumber), d.cut(links, own, across))
	slices.Sort(own)
	return units.BytesPerSecond(min(best, each.Total(own[:d.hosts/2]))), false
}

// cut puts half of the hosts, router by router in that order, on the near side.
func (d *dragonfly) cut(links []topology.Link, own []float64, order []int) float64 {
	near := make([]bool, len(order))
	left, capacity := d.hosts/2, 0.0
	for _, r := range order {
		first := min(r*d.nodes, d.hosts)
		hosts := min(d.nodes, d.hosts-first)
		with := min(hosts, left)
		left -= with
		near[r] = with > 0 && 2*with >= hosts
		apart := own[first : first+with] // hosts on the other side than their router
		if near[r] {
			apart = own[first+with : first+hosts]
		}
		for _, b := range apart {
			capacity += b
		}
	}
	inGroup := d.chassis * d.routers
	for _, bundles := range []struct {
		cliques
		at func(set, i, j int) int // the router at which the cable from i to j begins
	}{
		{d.inChassis, func(set, i, _ int) int { return set*d.routers + i }},
		{d.betweenChassis, func(set, i, _ int) int {
			return set/d.routers*inGroup + i*d.routers + set%d.routers
		}},
		{d.group, func(_, i, j int) int { return i*inGroup + j%inGroup }},
	} {
		bundles.each(func(set, i, j int) {
			if near[bundles.at(set, i, j)] != near[bundles.at(set, j, i)] {
				capacity += float64(links[bundles.link(d.ways, set, i, j)].Bandwidth)
			}
		})
	}
	return capacity
}

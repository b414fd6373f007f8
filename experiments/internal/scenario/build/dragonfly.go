package build

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Dragonfly is groups of routers with a cable between each two groups
// [Kim2008]. Routers of a group are in chassis: those of one chassis are
// connected all to all, and those of one place in their chassis too (the form
// of the Cray XC). With one chassis the routers of a group are connected all to
// all. All counts are at least 1. Hosts fill the routers in order.
//
// Routes are minimal: the cable of group g to group h is at router h mod R of
// group g (R routers to a group, chassis by chassis), and within a group a
// message first changes its place in the chassis and then the chassis.
type Dragonfly struct {
	Groups, Chassis, Routers, Nodes int // chassis of a group, routers of a chassis, nodes of a router
	// Parallel cables between two groups, between routers of two chassis and
	// between routers of one chassis, all at least 1; each such bundle is one
	// link each way with the bandwidth of all.
	GlobalCables, ChassisCables, RouterCables int
	// Global is one cable between groups; nil: as the others.
	Global *topology.Connection
}

func (Dragonfly) Kind() string { return "dragonfly" }

func (f Dragonfly) check(c *checker, nodes []Node) {
	c.room(len(nodes), product(f.Groups, f.Chassis, f.Routers, f.Nodes))
	g, ch, r := int64(f.Groups), int64(f.Chassis), int64(f.Routers)
	c.cables(min(tooMany, product(g, g-1)/2+product(g, ch, product(r, r-1)/2)+product(g, r, product(ch, ch-1)/2)+int64(len(nodes))))
}

type dragonfly struct {
	hosts, ways                      int
	groups, chassis, routers, nodes  int
	inChassis, betweenChassis, group int32 // first links; those of hosts are the first of all
}

// pairs returns the number of pairs of n things.
func pairs(n int) int { return n * (n - 1) / 2 }

// pair numbers the pairs i < j of n things in order.
func pair(n, i, j int) int { return i*(2*n-i-1)/2 + j - i - 1 }

func (f Dragonfly) wire(w *wires) wiring {
	d := &dragonfly{hosts: len(w.nodes), ways: int(w.ways), groups: f.Groups, chassis: f.Chassis, routers: f.Routers, nodes: f.Nodes}
	w.partlyFilled(f.Groups*f.Chassis*f.Routers*f.Nodes, "the routers of the others are there")
	cable := w.half()
	bundle := func(c topology.Connection, cables int) topology.Connection {
		c.Bandwidth *= units.BytesPerSecond(cables)
		return c
	}
	w.grow(len(w.nodes) + pairs(f.Groups) + f.Groups*(f.Chassis*pairs(f.Routers)+f.Routers*pairs(f.Chassis)))
	for i := range w.nodes {
		w.cable(w.toHost(i, 1, cable), w.nodes[i].Name)
	}
	d.inChassis = int32(len(w.links))
	for c := range f.Groups * f.Chassis {
		for i := range f.Routers {
			for j := i + 1; j < f.Routers; j++ {
				w.cable(bundle(cable, f.RouterCables), "chassis", c/f.Chassis, c%f.Chassis, i, j)
			}
		}
	}
	d.betweenChassis = int32(len(w.links))
	for g := range f.Groups {
		for r := range f.Routers {
			for i := range f.Chassis {
				for j := i + 1; j < f.Chassis; j++ {
					w.cable(bundle(cable, f.ChassisCables), "group", g, r, i, j)
				}
			}
		}
	}
	d.group = int32(len(w.links))
	if f.Global != nil {
		cable = *f.Global
	}
	for i := range f.Groups {
		for j := i + 1; j < f.Groups; j++ {
			w.cable(bundle(cable, f.GlobalCables), "global", i, j)
		}
	}
	return d
}

// between returns the link from i to j of n things that are connected all to
// all by the cables from first on.
func (d *dragonfly) between(first int32, before, n, i, j int) int32 {
	if i < j {
		return first + int32((before+pair(n, i, j))*d.ways)
	}
	return first + int32((before+pair(n, j, i))*d.ways+d.ways-1)
}

func (d *dragonfly) route(buf []int32, from, to int32) ([]int32, bool) {
	buf = append(buf, from*int32(d.ways))
	inGroup := d.chassis * d.routers
	a, b := int(from)/d.nodes, int(to)/d.nodes
	g, h := a/inGroup, b/inGroup
	a, b = a%inGroup, b%inGroup
	if g != h {
		buf = d.within(buf, g, a, h%inGroup)
		buf = append(buf, d.between(d.group, 0, d.groups, g, h))
		a = g % inGroup
	}
	buf = d.within(buf, h, a, b)
	return append(buf, to*int32(d.ways)+int32(d.ways-1)), true
}

// within goes from one router of a group to another.
func (d *dragonfly) within(buf []int32, group, from, to int) []int32 {
	c, e := from/d.routers, to/d.routers
	r, s := from%d.routers, to%d.routers
	if r != s {
		buf = append(buf, d.between(d.inChassis, (group*d.chassis+c)*pairs(d.routers), d.routers, r, s))
	}
	if c != e {
		buf = append(buf, d.between(d.betweenChassis, (group*d.routers+s)*pairs(d.chassis), d.chassis, c, e))
	}
	return buf
}

// diameter: up to two links within each group, the cable between them and those
// of the hosts. In a full machine there is a host at the far corner from the
// cable in each group. If not all positions are filled it is a bound.
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

// bisection is an upper bound, the least of three cuts: the cables of the slower
// half of the hosts; the hosts by number, with every router on the side of most
// of its hosts, which for an even number of full groups is the usual figure
// (G/2)^2 cables between groups; and the same with routers in the order of their
// number within their groups, which cuts through all groups.
func (d *dragonfly) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	own := make([]float64, d.hosts)
	for i := range own {
		own[i] = float64(links[i*d.ways].Bandwidth)
	}
	routers := d.groups * d.chassis * d.routers
	byNumber, across := make([]int, routers), make([]int, routers)
	for i := range routers {
		byNumber[i] = i
		across[i] = i%d.groups*(d.chassis*d.routers) + i/d.groups
	}
	best := min(d.cut(links, own, byNumber), d.cut(links, own, across))
	slices.Sort(own)
	return units.BytesPerSecond(min(best, sum(own[:d.hosts/2]))), false
}

func sum(capacities []float64) float64 {
	total := 0.0
	for _, c := range capacities {
		total += c
	}
	return total
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
		apart := own[first : first+with] // the hosts that are not on the side of their router
		if near[r] {
			apart = own[first+with : first+hosts]
		}
		for _, b := range apart {
			capacity += b
		}
	}
	add := func(a, b int, link int32) {
		if near[a] != near[b] {
			capacity += float64(links[link].Bandwidth)
		}
	}
	inGroup := d.chassis * d.routers
	for g := range d.groups {
		for c := range d.chassis {
			for i := range d.routers {
				for j := i + 1; j < d.routers; j++ {
					at := g*inGroup + c*d.routers
					add(at+i, at+j, d.between(d.inChassis, (g*d.chassis+c)*pairs(d.routers), d.routers, i, j))
				}
			}
		}
		for r := range d.routers {
			for i := range d.chassis {
				for j := i + 1; j < d.chassis; j++ {
					at := g*inGroup + r
					add(at+i*d.routers, at+j*d.routers, d.between(d.betweenChassis, (g*d.routers+r)*pairs(d.chassis), d.chassis, i, j))
				}
			}
		}
		for h := g + 1; h < d.groups; h++ {
			add(g*inGroup+h%inGroup, h*inGroup+g%inGroup, d.between(d.group, 0, d.groups, g, h))
		}
	}
	return capacity
}

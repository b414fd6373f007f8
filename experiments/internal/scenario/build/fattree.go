package build

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// FatTree is a parallel-ports generalised fat tree, PGFT(h; m; w; p) of
// [Zahavi2010] with d-mod-k routing. Level 0 is the hosts, level 1 the leaf
// switches. For i from 1 to h (index i-1 of the lists), a switch of level i has Down[i-1] (m_i) switches or hosts below
// it; each of these has Up[i-1] (w_i) switches above it, with Cables[i-1] (p_i) cables to each. All counts are at least
// 1.
//
// Up[0] above 1 gives hosts several ports; each has the bandwidth of the
// interface.
type FatTree struct {
	Down, Up, Cables []int
	// Bandwidths are those of one cable of each level; nil: the network's.
	Bandwidths []units.BytesPerSecond
}

// maxFatTreeLevels is more than any size below MaxNodes needs.
const maxFatTreeLevels = 32

// LeafSpine is a fat tree of two levels: leaf switches with Hosts hosts each, enough of them for all nodes, each with
// one cable to each spine. Oversubscription is the bandwidth of a full leaf to its hosts relative to that to the
// spines, at the bandwidth of the network: 1 for none, 1e-6 to 1e6. So the cable from leaf to spine has
// Hosts/(Spines*Oversubscription) of the bandwidth of a host's.
type LeafSpine struct {
	Hosts, Spines    int // at least 1
	Oversubscription float64
}

// Kind implements topology.Topology: a leaf-spine network is a fat tree.
func (LeafSpine) Kind() string { return "fat-tree" }

func (l LeafSpine) check(c *checker, nodes []Node) {
	c.cables(min(tooMany, product(l.leaves(len(nodes)), l.Spines)+int64(len(nodes))))
}

func (l LeafSpine) leaves(nodes int) int { return (nodes + l.Hosts - 1) / l.Hosts }

func (l LeafSpine) wire(w *wires) wiring { return l.tree(len(w.nodes), w.network.Bandwidth).wire(w) }

// tree returns the fat tree for that many hosts, with cables of this bandwidth.
func (l LeafSpine) tree(hosts int, b units.BytesPerSecond) FatTree {
	up := b * units.BytesPerSecond(float64(l.Hosts)/(float64(l.Spines)*l.Oversubscription))
	return FatTree{
		Down: []int{l.Hosts, l.leaves(hosts)}, Up: []int{1, l.Spines}, Cables: []int{1, 1},
		Bandwidths: []units.BytesPerSecond{b, up},
	}
}

func (FatTree) Kind() string { return "fat-tree" }

func (f FatTree) check(c *checker, nodes []Node) {
	h := len(f.Down)
	c.count("topology.levels", h, 1, maxFatTreeLevels)
	before := len(c.problems)
	for _, list := range []struct {
		name   string
		levels int
	}{{"up", len(f.Up)}, {"cables", len(f.Cables)}, {"bandwidths", len(f.Bandwidths)}} {
		if list.levels != h && !(list.name == "bandwidths" && f.Bandwidths == nil) {
			c.fail("topology."+list.name, fmt.Sprintf("%d levels", list.levels),
				fmt.Sprintf("%d levels as in topology.down", h))
		}
	}
	if len(c.problems) > before || h < 1 || h > maxFatTreeLevels {
		return
	}
	c.room(len(nodes), product(f.Down...))
	c.cables(min(tooMany, product(len(nodes), f.Up[0], f.Cables[0])+f.cablesAbove()))
}

// cablesAbove returns the number of cables between switches.
func (f FatTree) cablesAbove() int64 {
	cables := int64(0)
	for i := 1; i < len(f.Down); i++ {
		above, subtrees := product(f.Up[:i]...), product(f.Down[i:]...)
		cables = min(tooMany, cables+product(subtrees, above, int64(f.Up[i]), int64(f.Cables[i])))
	}
	return cables
}

// fatTree numbers the switches of a level by two mixed-radix numbers: which subtree (a host's number divided by the
// hosts per subtree of that level) and which of the switches at its top (copy, the up-choices w of all levels below).
type fatTree struct {
	hosts, ways int
	levels      []fatTreeLevel
}

// fatTreeLevel is the wiring between level i-1, the lower one, and level i.
type fatTreeLevel struct {
	first  int32 // link up from port 0 of the first switch or host below
	below  int   // hosts of a subtree of the lower level, m_1...m_{i-1}
	copies int   // switches at the top of such a subtree, w_1...w_{i-1}
	down   int   // m_i
	up     int   // w_i
	cables int   // p_i
}

func (f FatTree) wire(w *wires) wiring {
	w.partlyFilled(f.positions(), "the switches of the others exist")
	return f.wireAbove(w, "level", len(w.nodes), func(host, port, ports int, c topology.Connection) {
		w.cable(w.toHost(host, ports, c), w.nodes[host].Name, port)
	})
}

// positions returns the number of hosts that fit in the tree.
func (f FatTree) positions() int {
	n := 1
	for _, m := range f.Down {
		n *= m
	}
	return n
}

// wireAbove makes the tree above hosts, whose cables attach makes unless hosts is 0; other names begin with prefix.
func (f FatTree) wireAbove(w *wires, prefix string, hosts int, attach func(host, port, ports int, c topology.Connection)) *fatTree {
	t := &fatTree{hosts: hosts, ways: int(w.ways)}
	capacity := f.positions()
	below, copies := 1, 1
	for i := range f.Down {
		l := fatTreeLevel{first: int32(len(w.links)), below: below, copies: copies,
			down: f.Down[i], up: f.Up[i], cables: f.Cables[i]}
		subtrees := capacity / below
		if i == 0 {
			subtrees = hosts // empty positions have no cable
		}
		w.grow(subtrees * copies * l.up * l.cables)
		cable := w.half()
		if f.Bandwidths != nil {
			cable.Bandwidth = f.Bandwidths[i]
		}
		for lower := range subtrees * copies {
			for port := range l.up * l.cables {
				if i == 0 {
					attach(lower, port, l.up*l.cables, cable)
				} else {
					w.cable(cable, prefix, i, lower, port)
				}
			}
		}
		t.levels = append(t.levels, l)
		below *= l.down
		copies *= l.up
	}
	return t
}

// link returns the link up from a port.
func (l *fatTreeLevel) link(ways, host, copy, port int) int32 {
	return l.first + int32(((host/l.below*l.copies+copy)*l.up*l.cables+port)*ways)
}

// route climbs to the lowest level at which both hosts are in one subtree, through the port that the destination
// chooses: at level i (from 0), port (d / w_1...w_i) mod (w_{i+1} p_{i+1}), where port k is cable k / w of switch k mod
// w, so that neighbouring destinations part at once. On the way down the only choice is among parallel cables, which
// the source makes: s mod p.
func (t *fatTree) route(buf []int32, from, to int32) ([]int32, bool) {
	return t.climb(buf, int(from), int(to)), true
}

func (t *fatTree) climb(buf []int32, s, d int) []int32 {
	copy, height := 0, 0
	for height < len(t.levels) && t.apart(s, d, height) {
		l := &t.levels[height]
		port := d / l.copies % (l.up * l.cables)
		buf = append(buf, l.link(t.ways, s, copy, port))
		copy += port % l.up * l.copies
		height++
	}
	for i := height - 1; i >= 0; i-- {
		l := &t.levels[i]
		up := copy / l.copies
		copy %= l.copies
		port := up + s%l.cables*l.up
		buf = append(buf, l.link(t.ways, d, copy, port)+int32(t.ways-1))
	}
	return buf
}

// height returns the lowest level at which two hosts are in one subtree, that of hosts being 0.
func (t *fatTree) height(s, d int) int {
	level := 0
	for level < len(t.levels) && t.apart(s, d, level) {
		level++
	}
	return level
}

// apart reports whether two hosts are in different subtrees at a level.
func (t *fatTree) apart(s, d, level int) bool {
	below := t.levels[level].below
	return s/below != d/below
}

// diameter: hosts 0 and n-1 are the farthest apart.
func (t *fatTree) diameter() (int, bool) { return 2 * t.height(0, t.hosts-1), true }

func (t *fatTree) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	host := &t.levels[0]
	own := each.Of(each.Ascending(t.hosts), func(i int) float64 {
		return float64(links[host.link(t.ways, i, 0, 0)].Bandwidth) * float64(host.up*host.cables)
	})
	return halved(own, each.Of(t.levels[1:], func(l fatTreeLevel) subtree { return l.subtree(links) }))
}

// subtree is a subtree of a level: its hosts, and the capacity of all cables up from it.
type subtree struct {
	hosts    int
	capacity float64
}

// subtree returns a subtree of the lower level.
func (l *fatTreeLevel) subtree(links []topology.Link) subtree {
	return subtree{l.below, float64(links[l.first].Bandwidth) * float64(l.copies*l.up*l.cables)}
}

// halved returns the bisection. Let c_i be the capacity of all cables up from a subtree of level i-1, divided by its
// hosts, and c the smallest of those below the level where all hosts meet. At least floor(N/2)*c gets from any half to
// the other: if every host of one half sends c, spread evenly over all its ways to the top and mirrored on the way
// down, no cable is overloaded. On the other hand, hosts by number can be cut off by their largest whole subtrees (or
// by what is in those, where that is cheaper), and the slowest half of the hosts by their own cables. Where both bounds
// agree, as they do if the narrowest level has an even number of full subtrees, the result is exact: N/2 of a host's
// bandwidth divided by the oversubscription.
func halved(own []float64, above []subtree) (units.BytesPerSecond, bool) {
	half := len(own) / 2
	cut := slices.Max(own[:half]) // cost of cutting a subtree off
	prefix := each.Total(own[:half])
	slices.Sort(own)
	smallest := own[0]
	slowest := each.Total(own[:half])
	// rest is the cost of the hosts that do not fill a subtree of this level.
	best, rest, left, below := min(prefix, slowest), 0.0, half, 1
	for _, x := range above {
		if len(own) <= x.hosts {
			break
		}
		smallest = min(smallest, x.capacity/float64(x.hosts))
		part := x.hosts / below
		rest += float64(float64(left%part) * cut)
		left /= part
		cut, below = min(x.capacity, float64(part)*cut), x.hosts
		best = min(best, rest+float64(float64(left)*cut))
	}
	return units.BytesPerSecond(best), math.Abs(best-float64(float64(half)*smallest)) <= 1e-12*best
}

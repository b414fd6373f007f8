package build

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Torus is hosts on a grid of any dimension, each with a cable to its neighbours
// (both, if a dimension has more than two positions), going round. A Mesh does
// not go round. Host i is at position i, the first dimension fastest.
//
// Routes correct the first dimension first, then the second and so on (dimension order), each the shorter way round,
// upward if both are equally long. SimGrid 3.32 differs in one tie: it goes down from the position k/2 of k to position
// 0.
//
// Hosts whose interfaces are known (Node.NIC; for the others the network's bandwidth) get a cable without latency to
// the grid; if none is known, hosts are directly on the grid. With fewer hosts than positions the last positions are
// empty but still pass messages on.
type Torus struct {
	Dimensions []int // positions of each, at least 1
	Mesh       bool
}

// maxDimensions is more than dimensions of 2 positions each can use.
const maxDimensions = 22

// Kind implements topology.Topology: "torus" or "mesh".
func (t Torus) Kind() string {
	if t.Mesh {
		return "mesh"
	}
	return "torus"
}

func (t Torus) check(c *checker, nodes []Node) {
	c.count("topology.dimensions", len(t.Dimensions), 1, maxDimensions)
	positions := product(t.Dimensions...)
	c.room(len(nodes), positions)
	c.cables(product(positions, int64(len(t.Dimensions))+1))
}

type torus struct {
	hosts, positions int
	ways             int
	inject           int32 // link of host 0 to the grid, or NoLink
	dimensions       []dimension
}

type dimension struct {
	size   int
	stride int   // between positions that differ by one
	cables int   // per line: the number of positions if it goes round, else one less
	first  int32 // link up of the first cable of the first line
}

func (t Torus) wire(w *wires) wiring {
	g := &torus{hosts: len(w.nodes), positions: 1, ways: int(w.ways), inject: topology.NoLink}
	for _, k := range t.Dimensions {
		cables := k - 1
		if k > 2 && !t.Mesh {
			cables = k
		}
		g.dimensions = append(g.dimensions, dimension{size: k, stride: g.positions, cables: cables})
		g.positions *= k
	}
	w.partlyFilled(g.positions, "the others pass messages on")
	if slices.ContainsFunc(w.nodes, func(n Node) bool { return n.NIC > 0 || n.NICs > 1 }) {
		g.inject = int32(len(w.links))
		for i := range w.nodes {
			w.cable(w.toHost(i, 1, topology.Connection{Bandwidth: w.network.Bandwidth}), w.nodes[i].Name)
		}
	}
	cable := topology.Connection{Latency: w.network.Latency, Bandwidth: w.network.Bandwidth}
	for i := range g.dimensions {
		d := &g.dimensions[i]
		d.first = int32(len(w.links))
		lines := g.positions / d.size
		w.grow(lines * d.cables)
		for line := range lines {
			for at := range d.cables {
				w.cable(cable, "dimension", i, line, at)
			}
		}
	}
	return g
}

// link returns the link up from a position to the next in this dimension.
func (d *dimension) link(ways, position int) int32 {
	line := position/(d.stride*d.size)*d.stride + position%d.stride
	return d.first + int32((line*d.cables+position/d.stride%d.size)*ways)
}

func (g *torus) route(buf []int32, from, to int32) ([]int32, bool) {
	down := int32(g.ways - 1)
	if g.inject != topology.NoLink {
		buf = append(buf, g.inject+from*int32(g.ways))
	}
	at := int(from)
	for i := range g.dimensions {
		d := &g.dimensions[i]
		x, target := at/d.stride%d.size, int(to)/d.stride%d.size
		up := target > x
		if d.cables == d.size { // it goes round
			up = 2*((target-x+d.size)%d.size) <= d.size
		}
		for x != target {
			next := x - 1
			if up {
				next = x + 1
			}
			next = (next + d.size) % d.size
			neighbour := at + (next-x)*d.stride
			if up {
				buf = append(buf, d.link(g.ways, at))
			} else {
				buf = append(buf, d.link(g.ways, neighbour)+down)
			}
			x, at = next, neighbour
		}
	}
	if g.inject != topology.NoLink {
		buf = append(buf, g.inject+to*int32(g.ways)+down)
	}
	return buf, true
}

// diameter is the sum over dimensions of k/2 rounded down, or of k-1 if they do not go round. With empty positions it
// is a bound.
func (g *torus) diameter() (int, bool) {
	sum := 0
	for _, d := range g.dimensions {
		if d.cables == d.size {
			sum += d.size / 2
		} else {
			sum += d.size - 1
		}
	}
	if g.inject != topology.NoLink {
		sum += 2
	}
	return sum, g.hosts == g.positions
}

// bisection. Upper bound: the plane that halves the hosts across the longest dimension, if its length k is even, with
// 2N/k cables on a torus and N/k on a mesh (or if k is 2); or the cables of the slower half of the hosts.
//
// Lower bound: let every pair of hosts exchange a flow x on its route, with ties split in half. A cable of a dimension
// of length k carries, one way, (N/k)*floor(k^2/4) flows in the middle of a line, and half of that on a ring, where all
// cables are alike. So x is at least the bandwidth over the largest of these numbers, and floor(N/2)*ceil(N/2) flows
// lead from one half to the other. With n hosts on N positions there are only fewer flows. Both bounds agree for a full
// grid whose longest dimension is even.
func (g *torus) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	half, otherHalf := g.hosts/2, g.hosts-g.hosts/2
	bandwidth, load := math.Inf(1), 0.0
	for _, d := range g.dimensions {
		if d.cables == 0 {
			continue
		}
		bandwidth = float64(links[d.first].Bandwidth)
		l := float64(g.positions/d.size) * float64(d.size*d.size/4)
		if d.cables == d.size {
			l /= 2
		}
		load = max(load, l)
	}
	flow := bandwidth / load
	upper := float64(bandwidth * float64(min(g.planeCut(half), g.planeCut(otherHalf))))
	if g.inject != topology.NoLink {
		own := each.Of(each.Ascending(g.hosts), func(i int) float64 {
			return float64(links[int(g.inject)+i*g.ways].Bandwidth)
		})
		slices.Sort(own)
		flow = min(flow, own[0]/float64(otherHalf))
		upper = min(upper, each.Total(own[:half]))
	}
	lower := float64(flow * float64(half) * float64(otherHalf))
	return units.BytesPerSecond(upper), math.Abs(upper-lower) <= float64(1e-12*upper)
}

// planeCut counts the cables between the first hosts and the others, in the order of their positions with the longest
// dimension slowest.
func (g *torus) planeCut(hosts int) int {
	order := slices.Clone(g.dimensions) // fastest first
	slices.SortStableFunc(order, func(a, b dimension) int { return a.size - b.size })
	near := make([]bool, g.positions)
	for i, left := 0, hosts; left > 0; i++ {
		position, rest := 0, i
		for _, d := range order {
			position += rest % d.size * d.stride
			rest /= d.size
		}
		near[position] = true
		if position < g.hosts {
			left--
		}
	}
	cut := 0
	for p := range near {
		for _, d := range g.dimensions {
			x := p / d.stride % d.size
			if x < d.cables && near[p] != near[p+((x+1)%d.size-x)*d.stride] {
				cut++
			}
		}
	}
	return cut
}

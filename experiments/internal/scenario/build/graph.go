package build

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/isoscale/isoscale/internal/heap"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Graph is hosts and switches connected in any way. Messages pass through hosts
// too, if that is the shortest way.
//
// A route has the least latency; among equals the fewest links; and among these, seen from its end, the lowest numbers
// of cables. Latencies are compared in whole picoseconds, so that rounding does not choose. The routes there and back
// have the same latency and length, but use the same cables only if no other route is as good.
type Graph struct {
	Switches []string // names, all different and no node's
	Links    []Cable
}

// Cable connects two hosts or switches, both ways.
type Cable struct {
	From, To string
	// Connection is that of the cable; nil: half of the network's latency, and the network's bandwidth or that of the
	// slower known interface of the hosts at its ends.
	Connection *topology.Connection
}

// maxGraphEntries bounds the tables of a graph's router. For each place where routes start there is one tree, with an
// entry of 4 bytes per host and switch. Hosts with a single cable start at its other end.
const maxGraphEntries = 1 << 28

func (Graph) Kind() string { return "graph" }

func (g Graph) check(c *checker, nodes []Node) {
	before := len(c.problems)
	number := g.numbers(nodes)
	for i, name := range g.Switches {
		path := fmt.Sprintf("topology.switches[%d]", i)
		switch n, ok := number[name]; {
		case name == "":
			c.fail(path, "empty", "a name")
		case ok && int(n) != len(nodes)+i:
			c.fail(path, fmt.Sprintf("%q a second time", name), "a name of its own")
		}
	}
	for i, l := range g.Links {
		path := fmt.Sprintf("topology.links[%d]", i)
		for _, end := range []struct{ field, name string }{{"from", l.From}, {"to", l.To}} {
			if _, ok := number[end.name]; !ok {
				c.fail(path+"."+end.field, fmt.Sprintf("%q", end.name), "the name of a node or a switch")
			}
		}
		if l.From == l.To {
			c.fail(path, fmt.Sprintf("%q to itself", l.From), "two different ends")
		}
	}
	c.cables(int64(len(g.Links)))
	if len(c.problems) > before {
		return
	}
	vertices := len(nodes) + len(g.Switches)
	cables := make([]int, vertices)
	starts := map[int32]bool{}
	for _, l := range g.Links {
		cables[number[l.From]]++
		cables[number[l.To]]++
	}
	for _, l := range g.Links {
		for _, end := range [][2]int32{{number[l.From], number[l.To]}, {number[l.To], number[l.From]}} {
			switch {
			case int(end[0]) >= len(nodes): // a switch
			case cables[end[0]] == 1:
				starts[end[1]] = true
			default:
				starts[end[0]] = true
			}
		}
	}
	if entries := int64(len(starts)) * int64(vertices); entries > maxGraphEntries {
		c.fail("topology", fmt.Sprintf("routes from %d places to %d hosts and switches, a table of %d entries", len(starts), vertices, entries),
			fmt.Sprintf("at most %d", maxGraphEntries))
	}
}

// numbers assigns numbers to nodes and then switches; of equal names, the first counts.
func (g Graph) numbers(nodes []Node) map[string]int32 {
	number := make(map[string]int32, len(nodes)+len(g.Switches))
	for i := range nodes {
		number[nodes[i].Name] = int32(i)
	}
	for i, name := range g.Switches {
		if _, taken := number[name]; !taken {
			number[name] = int32(len(nodes) + i)
		}
	}
	return number
}

type graph struct {
	hosts  int
	ways   int32
	first  []int32 // the first arc of each vertex, and after the last vertex the number of arcs
	arcs   []arc   // by vertex, then by cable
	ends   []int32 // the vertex that each link leads to, by cable number, up and down
	starts []atomic.Pointer[[]int32]
}

// arc is one direction of a cable, seen from where it starts.
type arc struct {
	to    int32
	cable int32 // twice its number, plus one on the way back
	cost  uint64
}

func (g Graph) wire(w *wires) wiring {
	number := g.numbers(w.nodes)
	vertices := len(w.nodes) + len(g.Switches)
	r := &graph{hosts: len(w.nodes), ways: w.ways, first: make([]int32, vertices+1), arcs: make([]arc, 2*len(g.Links)),
		starts: make([]atomic.Pointer[[]int32], vertices)}
	w.grow(len(g.Links))
	for i, l := range g.Links {
		from, to := number[l.From], number[l.To]
		c := w.half()
		if l.Connection != nil {
			c = *l.Connection
		} else {
			c.Bandwidth = units.BytesPerSecond(math.Inf(1))
			for _, end := range []int32{from, to} {
				if int(end) >= r.hosts {
					continue
				}
				if bandwidth, cards, known := w.card(int(end)); known {
					c.Bandwidth = min(c.Bandwidth, units.BytesPerSecond(cards)*bandwidth)
				}
			}
			if math.IsInf(float64(c.Bandwidth), 1) {
				c.Bandwidth = w.network.Bandwidth
			}
		}
		w.cable(c, l.From+"-"+l.To, i)
		r.ends = append(r.ends, to, from)
		r.first[from+1]++
		r.first[to+1]++
	}
	for v := range vertices {
		r.first[v+1] += r.first[v]
	}
	next := slices.Clone(r.first)
	for i := range g.Links {
		cost := picoseconds(w.links[int32(i)*w.ways].Latency)
		to, from := r.ends[2*i], r.ends[2*i+1]
		r.arcs[next[from]] = arc{to, int32(2 * i), cost}
		r.arcs[next[to]] = arc{from, int32(2*i + 1), cost}
		next[from]++
		next[to]++
	}
	return r
}

// mostPicoseconds is where latencies cease to differ: at 13 hours. Sums of maxCables latencies then fit, except for the
// largest, which saturate.
const mostPicoseconds = uint64(1) << 55

func picoseconds(t units.Seconds) uint64 {
	return uint64(min(math.Round(float64(t)*1e12), float64(mostPicoseconds)))
}

// start returns where routes from a host begin to differ, and the arc that leads there, if it is not the host itself.
func (g *graph) start(host int32) (at int32, lead *arc) {
	if g.first[host+1]-g.first[host] == 1 {
		a := &g.arcs[g.first[host]]
		return a.to, a
	}
	return host, nil
}

func (g *graph) route(buf []int32, from, to int32) ([]int32, bool) {
	at, lead := g.start(from)
	before := len(buf)
	arrival := *g.tree(at)
	if at != to && arrival[to] < 0 {
		return buf, false
	}
	for x := to; x != at; {
		cable := arrival[x]
		buf = append(buf, g.link(cable))
		x = g.ends[cable^1]
	}
	if lead != nil {
		buf = append(buf, g.link(lead.cable))
	}
	slices.Reverse(buf[before:])
	return buf, true
}

// link returns the link of an arc.
func (g *graph) link(cable int32) int32 {
	if g.ways == 1 {
		return cable / 2
	}
	return cable
}

// tree returns, for each vertex, the arc by which the route from the start arrives, or -1. It is computed on demand;
// goroutines that ask at the same time compute the same.
func (g *graph) tree(start int32) *[]int32 {
	if t := g.starts[start].Load(); t != nil {
		return t
	}
	t := g.shortest(start)
	g.starts[start].Store(&t)
	return &t
}

// distance orders ways.
type distance struct {
	latency uint64
	links   int32
}

func (d distance) less(e distance) bool {
	return d.latency < e.latency || d.latency == e.latency && d.links < e.links
}

// shortest is Dijkstra's algorithm on a binary heap. Every arc has at least the length of one link, so all vertices
// before the last arc of a best route are settled earlier, and the lowest cable among equals is found in any order.
func (g *graph) shortest(start int32) []int32 {
	n := len(g.first) - 1
	arrival, best, done := make([]int32, n), make([]distance, n), make([]bool, n)
	for i := range arrival {
		arrival[i], best[i] = -1, distance{math.MaxUint64, 0}
	}
	best[start] = distance{}
	next := heap.By(func(a, b *candidate) bool { return a.less(b.distance) })
	next.Push(candidate{start, distance{}})
	for next.Len() > 0 {
		v := next.Pop()
		if done[v.vertex] {
			continue
		}
		done[v.vertex] = true
		for _, a := range g.arcs[g.first[v.vertex]:g.first[v.vertex+1]] {
			d := distance{min(v.latency+a.cost, 1<<62), v.links + 1}
			switch {
			case done[a.to]:
			case d.less(best[a.to]):
				best[a.to], arrival[a.to] = d, a.cable
				next.Push(candidate{a.to, d})
			case d == best[a.to] && a.cable < arrival[a.to]:
				arrival[a.to] = a.cable
			}
		}
	}
	return arrival
}

// candidate is a vertex that may be reached at that distance.
type candidate struct {
	vertex int32
	distance
}

// graphWork bounds the work of an exact diameter: the number of routes times their largest possible length.
const graphWork = 50_000_000

// diameter examines all routes unless they are too many; then it is bounded by a route that passes every host and
// switch. Hosts that cannot reach each other do not count.
func (g *graph) diameter() (int, bool) {
	vertices := len(g.first) - 1
	if g.hosts*g.hosts > graphWork/vertices {
		return vertices - 1, false
	}
	longest := 0
	var buf []int32
	for from := range int32(g.hosts) {
		for to := range int32(g.hosts) {
			if from != to {
				buf, _ = g.route(buf[:0], from, to)
				longest = max(longest, len(buf))
			}
		}
	}
	return longest, true
}

// bisection is an upper bound: the largest flow from the first half of the
// hosts by number, floor(N/2) of them, to the others.
func (g *graph) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	f := newFlow(len(g.first)-1+2, len(g.arcs)/2+g.hosts)
	source, sink := int32(len(g.first)-1), int32(len(g.first))
	for i := 0; i < len(g.ends); i += 2 {
		f.connect(g.ends[i+1], g.ends[i], float64(links[g.link(int32(i))].Bandwidth), true)
	}
	for h := range int32(g.hosts) {
		if int(h) < g.hosts/2 {
			f.connect(source, h, math.Inf(1), false)
		} else {
			f.connect(h, sink, math.Inf(1), false)
		}
	}
	return units.BytesPerSecond(f.largest(source, sink)), false
}

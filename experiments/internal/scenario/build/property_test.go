package build_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// walks finds out from the routes alone what the links connect: a route leads from its host to its other host along
// links each of which starts where the previous one ends. The places are numbered, those of hosts first; tail and head
// are those of the links. walks fails if that makes two hosts, or both ends of a link, one place. Up and down links of
// a cable are known by name, except where there are backbones: what goes up to one ends before it and what goes down
// starts behind it. If given, ends tells the places of links that no route uses.
func walks(t rapid.TB, p *topology.Platform, ends func(up int) (lower, upper string)) (tail, head []int, places int) {
	n := len(p.Hosts)
	parent := make([]int, n+2*len(p.Links))
	for i := range parent {
		parent[i] = i
	}
	var find func(int) int
	find = func(x int) int {
		if parent[x] != x {
			parent[x] = find(parent[x])
		}
		return parent[x]
	}
	join := func(x, y int) {
		x, y = find(x), find(y)
		parent[max(x, y)] = min(x, y)
	}
	start := func(l int) int { return n + 2*l }
	end := func(l int) int { return n + 2*l + 1 }
	backbones := slices.ContainsFunc(p.Links, func(l topology.Link) bool { return strings.HasSuffix(l.Name, "backbone") })
	known := map[string]int{}
	named := func(place string, x int) {
		if y, ok := known[place]; ok {
			join(x, y)
		}
		known[place] = x
	}
	for l := 1; l < len(p.Links) && !backbones; l++ {
		if ends != nil && strings.HasSuffix(p.Links[l-1].Name, ".up") {
			lower, upper := ends(l - 1)
			named(lower, start(l-1))
			named(upper, end(l-1))
		}
		if strings.HasSuffix(p.Links[l].Name, ".down") {
			join(start(l), end(l-1))
			join(end(l), start(l-1))
		}
	}
	for from := range int32(n) {
		for to := range int32(n) {
			if from == to {
				continue
			}
			route, err := p.Route(nil, from, to)
			expect.Need(t, err == nil && len(route) != 0, "%d to %d: %v, %v", from, to, route, err)
			at := int(from)
			for _, l := range route {
				join(at, start(int(l)))
				at = end(int(l))
			}
			join(at, int(to))
		}
	}
	number := make([]int, len(parent))
	for x := range parent {
		number[x] = -1
		if find(x) == x {
			number[x] = places
			places++
			expect.Need(t, x >= n || number[x] == x, "two hosts are at one place")
		} else if x < n {
			t.Fatalf("hosts %d and %d are at one place", x, find(x))
		}
	}
	for l := range p.Links {
		a, b := number[find(start(l))], number[find(end(l))]
		expect.Need(t, a != b, "link %s starts where it ends", p.Links[l].Name)
		tail, head = append(tail, a), append(head, b)
	}
	return tail, head, places
}

// narrowest is the bisection bandwidth by its definition: the smallest maximum flow over all halves, by augmenting
// along shortest ways in a matrix.
func narrowest(p *topology.Platform, tail, head []int, places int) float64 {
	n := len(p.Hosts)
	best := math.Inf(1)
	for set := range uint(1) << n {
		if k := bits.OnesCount(set); k != n/2 && k != n-n/2 {
			continue
		}
		size := places + 2
		room := make([]float64, size*size)
		for l := range tail {
			if !p.Links[l].FatPipe {
				room[tail[l]*size+head[l]] += float64(p.Links[l].Bandwidth)
			}
		}
		for h := range n {
			if set>>h&1 == 1 {
				room[places*size+h] = math.Inf(1)
			} else {
				room[h*size+places+1] = math.Inf(1)
			}
		}
		total := 0.0
		for {
			from := make([]int, size)
			for i := range from {
				from[i] = -1
			}
			queue := []int{places}
			for len(queue) > 0 && from[places+1] < 0 {
				v := queue[0]
				queue = queue[1:]
				for w := range size {
					if w != places && from[w] < 0 && room[v*size+w] > 1e-9 {
						from[w] = v
						queue = append(queue, w)
					}
				}
			}
			if from[places+1] < 0 {
				break
			}
			flow := math.Inf(1)
			for w := places + 1; w != places; w = from[w] {
				flow = min(flow, room[from[w]*size+w])
			}
			for w := places + 1; w != places; w = from[w] {
				room[from[w]*size+w] -= flow
				room[w*size+from[w]] += flow
			}
			total += flow
		}
		best = min(best, total)
	}
	return best
}

// holds checks what is true of every platform: routes are walks and as long there as back, no route is longer than the
// diameter, no half is cut off by less than the bisection. ends is for walks.
func holds(t rapid.TB, c build.Cluster, ends func(p *topology.Platform, up int) (lower, upper string)) {
	p := expect.Value(c.Platform())(t)
	m, _ := build.Measure(p)
	n := len(p.Hosts)
	var endsOf func(int) (string, string)
	if ends != nil {
		endsOf = func(up int) (string, string) { return ends(p, up) }
	}
	tail, head, places := walks(t, p, endsOf)
	longest := 0
	for from := range int32(n) {
		for to := range int32(n) {
			if from == to {
				continue
			}
			there, _ := p.Route(nil, from, to)
			back, _ := p.Route(nil, to, from)
			expect.That(t, len(there) == len(back) && math.Abs(float64(p.Latency(there)-p.Latency(back))) <= 1e-9,
				"%v there, %v back", there, back)
			longest = max(longest, len(there))
		}
	}
	expect.That(t, m.Diameter >= longest && (!m.DiameterExact || m.Diameter == longest),
		"diameter %d (exact: %v), longest route %d", m.Diameter, m.DiameterExact, longest)
	if n > 8 || n < 2 {
		return
	}
	want := narrowest(p, tail, head, places)
	got := float64(m.Bisection)
	expect.That(t, got >= want-1e-6 && (!m.BisectionExact || got <= want+1e-6),
		"bisection %v (exact: %v), narrowest %v", got, m.BisectionExact, want)
}

func bandwidths() *rapid.Generator[units.BytesPerSecond] {
	return rapid.Map(rapid.IntRange(1, 20), func(n int) units.BytesPerSecond { return units.BytesPerSecond(10 * n) })
}

func connections() *rapid.Generator[topology.Connection] {
	return rapid.Custom(func(t *rapid.T) topology.Connection {
		return topology.Connection{Latency: units.Seconds(rapid.IntRange(0, 4).Draw(t, "latency")), Bandwidth: bandwidths().Draw(t, "bandwidth")}
	})
}

// some draws a number of nodes that may be less than the positions, and interfaces that may be known.
func some(t *rapid.T, positions int, top build.Topology) build.Cluster {
	n := positions
	if rapid.Bool().Draw(t, "holes") {
		n = rapid.IntRange(1, positions).Draw(t, "nodes")
	}
	c := cluster(n, top)
	if rapid.Bool().Draw(t, "interfaces") {
		for i := range c.Nodes {
			c.Nodes[i].NIC = bandwidths().Draw(t, "nic")
		}
	}
	return c
}

func TestFatTreeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f build.FatTree
		positions := 1
		for range rapid.IntRange(1, 3).Draw(t, "levels") {
			f.Down = append(f.Down, rapid.IntRange(1, 3).Draw(t, "down"))
			f.Up = append(f.Up, rapid.IntRange(1, 3).Draw(t, "up"))
			f.Cables = append(f.Cables, rapid.IntRange(1, 2).Draw(t, "cables"))
			f.Bandwidths = append(f.Bandwidths, bandwidths().Draw(t, "bandwidth"))
			positions *= f.Down[len(f.Down)-1]
		}
		// By definition, a subtree of level i has w_1...w_i switches at its top,
		// and cable k of number b of them leads to number b + (k mod w)*w_1...w_i
		// of the subtree above.
		holds(t, some(t, positions, f), func(p *topology.Platform, up int) (string, string) {
			name := strings.Split(strings.TrimPrefix(p.Links[up].Name, "level."), ".")
			var level, lower, port int
			if _, err := fmt.Sscan(strings.TrimPrefix(name[0], "h")+" "+name[1]+" "+name[2], &level, &lower, &port); err != nil {
				lower, port = level, lower // h<lower>.<port>.up
				level = 0
			}
			copies := 1
			for _, w := range f.Up[:level] {
				copies *= w
			}
			return fmt.Sprint(level, lower/copies, lower%copies),
				fmt.Sprint(level+1, lower/copies/f.Down[level], lower%copies+port%f.Up[level]*copies)
		})
	})
}

func TestTorusProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := build.Torus{Mesh: rapid.Bool().Draw(t, "mesh")}
		positions := 1
		for range rapid.IntRange(1, 3).Draw(t, "dimensions") {
			k := rapid.IntRange(1, 5).Draw(t, "size")
			top.Dimensions = append(top.Dimensions, k)
			positions *= k
		}
		holds(t, some(t, positions, top), nil)
	})
}

func TestDragonflyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) int { return rapid.IntRange(1, 3).Draw(t, name) }
		f := build.Dragonfly{Groups: draw("groups"), Chassis: draw("chassis"), Routers: draw("routers"), Nodes: draw("nodes"),
			GlobalCables: draw("global"), ChassisCables: draw("between"), RouterCables: draw("in")}
		if rapid.Bool().Draw(t, "own global") {
			g := connections().Draw(t, "connection")
			f.Global = &g
		}
		holds(t, some(t, f.Groups*f.Chassis*f.Routers*f.Nodes, f), nil)
	})
}

func TestTreeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var subcluster func(depth int) (build.Subcluster, int)
		subcluster = func(depth int) (build.Subcluster, int) {
			s := build.Subcluster{Nodes: rapid.IntRange(0, 3).Draw(t, "nodes"), Uplink: connections().Draw(t, "uplink")}
			if rapid.Bool().Draw(t, "backbone") {
				b := connections().Draw(t, "connection")
				s.Backbone = &b
			}
			if rapid.Bool().Draw(t, "local") {
				l := connections().Draw(t, "connection")
				s.Local = &l
			}
			n := s.Nodes
			if depth < 2 {
				for range rapid.IntRange(0, 2).Draw(t, "subclusters") {
					sub, m := subcluster(depth + 1)
					s.Subclusters = append(s.Subclusters, sub)
					n += m
				}
			}
			return s, n
		}
		top, n := subcluster(0)
		top.Uplink = topology.Connection{}
		if n == 0 {
			top.Nodes, n = 2, 2
		}
		c := cluster(n, build.Tree(top))
		if rapid.Bool().Draw(t, "interfaces") {
			for i := range c.Nodes {
				c.Nodes[i].NIC = bandwidths().Draw(t, "nic")
			}
		}
		holds(t, c, nil)
	})
}

// In a connected graph every vertex but the first has a cable to an earlier one, and there are some more. Routes must
// be the shortest by latency, then by links, which the Floyd-Warshall recurrence finds in another way.
func TestGraphProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "hosts")
		var g build.Graph
		vertices := []string{}
		for i := range rapid.IntRange(1, 4).Draw(t, "switches") {
			g.Switches = append(g.Switches, fmt.Sprint("s", i))
		}
		vertices = append(vertices, g.Switches...)
		for i := range n {
			vertices = append(vertices, fmt.Sprint("h", i))
		}
		connect := func(i, j int) {
			c := connections().Draw(t, "connection")
			g.Links = append(g.Links, build.Cable{From: vertices[i], To: vertices[j], Connection: &c})
		}
		for i := 1; i < len(vertices); i++ {
			connect(i, rapid.IntRange(0, i-1).Draw(t, "to"))
		}
		for range rapid.IntRange(0, 6).Draw(t, "more") {
			if i := rapid.IntRange(1, len(vertices)-1).Draw(t, "from"); i > 0 {
				connect(i, rapid.IntRange(0, i-1).Draw(t, "to"))
			}
		}
		type way struct {
			latency units.Seconds
			links   int
		}
		number := map[string]int{}
		best := make([][]way, len(vertices))
		for i, v := range vertices {
			number[v] = i
			best[i] = make([]way, len(vertices))
			for j := range best[i] {
				if i != j {
					best[i][j] = way{1e9, 0}
				}
			}
		}
		shorten := func(i, j int, w way) {
			if b := &best[i][j]; w.latency < b.latency || w.latency == b.latency && w.links < b.links {
				*b = w
			}
		}
		for _, l := range g.Links {
			i, j := number[l.From], number[l.To]
			shorten(i, j, way{l.Connection.Latency, 1})
			shorten(j, i, way{l.Connection.Latency, 1})
		}
		for k := range vertices {
			for i := range vertices {
				for j := range vertices {
					shorten(i, j, way{best[i][k].latency + best[k][j].latency, best[i][k].links + best[k][j].links})
				}
			}
		}
		c := cluster(n, g)
		holds(t, c, nil)
		p, _ := c.Platform()
		for i := range n {
			for j := range n {
				if i != j {
					route, _ := p.Route(nil, int32(i), int32(j))
					expect.Equal(t, (way{p.Latency(route), len(route)}), best[number[fmt.Sprint("h", i)]][number[fmt.Sprint("h", j)]], "h%d to h%d: shortest", i, j)
				}
			}
		}
	})
}

// Whatever numbers within their ranges are requested, the answer is a platform or a list of problems.
func TestAnyNumbersProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.OneOf(rapid.IntRange(1, 6), rapid.SampledFrom([]int{1 << 20, build.MaxNodes}))
		counts := rapid.SliceOfN(count, 0, 4)
		number := func(name string) int { return count.Draw(t, name) }
		top := rapid.SampledFrom([]build.Topology{
			build.FatTree{Down: counts.Draw(t, "down"), Up: counts.Draw(t, "up"), Cables: counts.Draw(t, "cables")},
			build.LeafSpine{Hosts: number("hosts"), Spines: rapid.IntRange(1, 100).Draw(t, "spines"), Oversubscription: rapid.Float64Range(1e-6, 1e6).Draw(t, "ratio")},
			build.Torus{Dimensions: rapid.SliceOfN(rapid.IntRange(1, 6), 0, 4).Draw(t, "dimensions")},
			build.Dragonfly{Groups: number("groups"), Chassis: number("chassis"), Routers: number("routers"), Nodes: number("nodes"), GlobalCables: 1, ChassisCables: 1, RouterCables: number("bundle")},
			build.Tree{Nodes: number("own")},
		}).Draw(t, "topology")
		c := cluster(rapid.IntRange(0, 5).Draw(t, "n"), top)
		if c.Problems() != nil {
			return
		}
		if p, ok := top.(build.FatTree); ok && len(p.Down) > 1 { // valid, but too large for a quick test
			for _, m := range append(p.Down[1:], append(p.Up, p.Cables...)...) {
				if m > 1<<10 {
					return
				}
			}
		}
		p := expect.Value(c.Platform())(t)
		expect.Value(p.Route(nil, 0, int32(len(c.Nodes)-1)))(t)
	})
}

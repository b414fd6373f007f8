package build_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// nodes returns n equal nodes h0, h1, ...
func nodes(n int) []build.Node {
	all := make([]build.Node, n)
	for i := range all {
		all[i] = build.Node{Name: fmt.Sprint("h", i), Cores: 4, Speed: 1e9}
	}
	return all
}

// cluster has a latency of 2 s and a bandwidth of 100 B/s.
func cluster(n int, t build.Topology) build.Cluster {
	return build.Cluster{Name: "test", Nodes: nodes(n), Network: build.Network{Latency: 2, Bandwidth: 100}, Topology: t}
}

func platform(t testing.TB, c build.Cluster) *topology.Platform {
	t.Helper()
	return expect.Value(c.Platform())(t)
}

func measure(t testing.TB, p *topology.Platform) build.Metrics {
	t.Helper()
	m, ok := build.Measure(p)
	expect.Need(t, ok, "not measured")
	return m
}

// names returns the link names of a route with spaces between them.
func names(t testing.TB, p *topology.Platform, from, to int32) string {
	t.Helper()
	route := expect.Value(p.Route(nil, from, to))(t)
	all := each.Append(nil, route, func(l int32) string { return p.Links[l].Name })
	return strings.Join(all, " ")
}

func Example() {
	var hosts []build.Node
	for i := range 16 {
		hosts = append(hosts, build.Node{Name: fmt.Sprint("node-", i), Cores: 8, Speed: 1e9})
	}
	p, err := build.Cluster{
		Name: "small", Nodes: hosts, Network: build.Network{Latency: 10e-6, Bandwidth: 1e9},
		Topology: build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 2},
	}.Platform()
	if err != nil {
		fmt.Println(err)
		return
	}
	route, err := p.Route(nil, 0, 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range route {
		fmt.Println(p.Links[l].Name, p.Links[l].Bandwidth)
	}
	fmt.Println(p.Latency(route))
	m, _ := build.Measure(p)
	fmt.Println(m.Links, "links, diameter", m.Diameter, "bisection", m.Bisection)
	// Output:
	// node-0.0.up 1 GB/s
	// level.1.0.1.up 1 GB/s
	// level.1.1.1.down 1 GB/s
	// node-5.0.down 1 GB/s
	// 20 us
	// 48 links, diameter 4 bisection 4 GB/s
}

// Expected values are derived by hand for a latency of 2 s and a bandwidth of 100 B/s.
func TestRoutesAndMetrics(t *testing.T) {
	connection := func(l units.Seconds, b units.BytesPerSecond) topology.Connection {
		return topology.Connection{Latency: l, Bandwidth: b}
	}
	backbone := connection(1, 70)
	halfDuplex := cluster(4, build.Star{})
	halfDuplex.Network.HalfDuplex = true
	unequal := cluster(3, build.Star{})
	unequal.Nodes[1].NIC = 10
	injected := cluster(4, build.Torus{Dimensions: []int{4}})
	injected.Nodes[0].NIC = 10
	nested := build.Tree{Nodes: 1, Subclusters: []build.Subcluster{
		{Name: "a", Nodes: 2, Uplink: connection(5, 30)},
		{Name: "b", Uplink: connection(7, 50), Backbone: &backbone, Subclusters: []build.Subcluster{
			{Name: "c", Nodes: 3, Uplink: connection(11, 40), Local: &topology.Connection{Latency: 4, Bandwidth: 25}},
		}},
	}}
	for _, tt := range []struct {
		name          string
		cluster       build.Cluster
		from, to      int32
		route         string
		latency       units.Seconds
		links         int
		diameter      int
		diameterExact bool
		bisection     units.BytesPerSecond
		exact         bool
	}{
		{"star", cluster(5, build.Star{}), 1, 3, "h1.up h3.down", 2, 10, 2, true, 200, true}, // 2 of 5 send at 100
		{"half-duplex star", halfDuplex, 1, 3, "h1 h3", 2, 4, 2, true, 200, true},
		{"unequal star", unequal, 0, 1, "h0.up h1.down", 2, 6, 2, true, 10, true}, // only h1 apart
		{"bus", cluster(5, build.Bus{}), 1, 3, "bus", 2, 1, 1, true, 100, true},
		{"backbone", cluster(5, build.Backbone{Latency: 3, Bandwidth: 150}), 1, 3, "h1.up backbone h3.down", 5, 11, 3, true, 150, true},
		{"wide backbone", cluster(5, build.Backbone{Latency: 3, Bandwidth: 250}), 3, 1, "h3.up backbone h1.down", 5, 11, 3, true, 200, true},
		// Hosts 0 | 1 2 | 3 4 5. From 1 to 4: 1 up (1 s), a up (5), b down (7), backbone (1), c down (11), 4 down (2).
		// Halves 0 1 2 | 3 4 5 cut the link of c (40) or of b (50); splitting c costs at least one of its cables (25):
		// 0 and all of c but one, against 1 2 and one of c, costs a (30) + 25. But {1 2, one of c} can also be cut by a
		// (30) and the one (25). So 40.
		{"tree", cluster(6, nested), 1, 4, "h1.up a.up b.down b.backbone b/c.down h4.down", 27, 19, 6, true, 40, true},
		// Hosts 0 1 | 2 3 | 4 5 || 6 7 | 8 9 | 10 11. From 1 to 10: its cable (1 s), two uplinks (5 and 7) and the same
		// down. 12 + 6 + 2 cables. Halves 0-5 and 6-11 cut one link of 90; other halves split both of these and cut two
		// of 60 or more.
		{"levels", cluster(12, build.Levels{Counts: []int{2, 3, 2}, Uplinks: []topology.Connection{connection(5, 60), connection(7, 90)}}),
			1, 10, "h1.up 0/0.up 0.up 1.down 1/2.down h10.down", 26, 40, 6, true, 90, true},
		{"one level", cluster(5, build.Levels{Counts: []int{5}}), 1, 3, "h1.up h3.down", 2, 10, 2, true, 200, true}, // a star
		// Host 5 chooses port 5 mod 2 = 1, spine 1. Two leaves of 2 hosts are
		// cut off: 4 cables to spines, each 2*100/(2*2) = 50.
		{"leaf and spine", cluster(8, build.LeafSpine{Hosts: 2, Spines: 2, Oversubscription: 2}), 0, 5, "h0.0.up level.1.0.1.up level.1.2.1.down h5.0.down", 4, 32, 4, true, 200, true},
		// Dimension 0 from 0 to 2: both ways are equally long, so up; then 1 down the short way. Two planes of 3 hosts
		// across dimension 0 have 2*3 cables between them.
		{"torus", cluster(12, build.Torus{Dimensions: []int{4, 3}}), 0, 10, "dimension.0.0.0.up dimension.0.0.1.up dimension.1.2.2.down", 6, 48, 3, true, 600, true},
		{"mesh", cluster(12, build.Torus{Dimensions: []int{4, 3}, Mesh: true}), 3, 8, "dimension.0.0.2.down dimension.0.0.1.down dimension.0.0.0.down dimension.1.0.0.up dimension.1.0.1.up", 10, 34, 5, true, 300, true},
		{"mesh with holes", cluster(11, build.Torus{Dimensions: []int{4, 3}, Mesh: true}), 0, 1, "dimension.0.0.0.up", 2, 34, 5, false, 300, false},
		// A ring of 4 and interfaces of 10, 100, 100, 100: one slow host and a fast one.
		{"interfaces on a torus", injected, 0, 1, "h0.up dimension.0.0.0.up h1.down", 2, 16, 4, true, 110, false},
		// Router 1 of group 0 leads to group 1, where it arrives at router 0. Groups 0 and 1 against 2 and 3: 4 cables
		// between groups.
		{"dragonfly", cluster(32, build.Dragonfly{Groups: 4, Chassis: 1, Routers: 4, Nodes: 2, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}),
			0, 14, "h0.up chassis.0.0.0.1.up global.0.1.up chassis.1.0.0.3.up h14.down", 5, 64 + 4*12 + 12, 5, true, 400, false},
		{"dragonfly in chassis", cluster(24, build.Dragonfly{Groups: 2, Chassis: 2, Routers: 3, Nodes: 2, GlobalCables: 3, ChassisCables: 2, RouterCables: 1, Global: &topology.Connection{Latency: 50, Bandwidth: 10}}),
			10, 23, "h10.up chassis.0.1.1.2.down group.0.1.0.1.down global.0.1.up chassis.1.0.0.2.up group.1.2.0.1.up h23.down", 56, 48 + 4*6 + 2*6 + 2, 7, true, 30, false},
		// h0-s-t-h1 has latency 1+1+1; by way of h2 it is 1+0.5+0.5+1 with one link more. From h0 and h1 to h2 and h3:
		// h2 can take 40 and 30, h3 100; 130 of that come through t, of which h1 gives 100 and h0 has 30 through s and
		// t.
		{"graph", cluster(4, build.Graph{Switches: []string{"s", "t"}, Links: []build.Cable{
			{From: "h0", To: "s"}, {From: "h1", To: "t"}, {From: "h2", To: "s", Connection: &topology.Connection{Latency: 0.5, Bandwidth: 40}},
			{From: "h2", To: "t", Connection: &topology.Connection{Latency: 0.5, Bandwidth: 30}}, {From: "s", To: "t"}, {From: "h3", To: "t"},
		}}), 0, 1, "h0-s.0.up s-t.4.up h1-t.1.down", 3, 12, 3, true, 170, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := platform(t, tt.cluster)
			expect.Equal(t, names(t, p, tt.from, tt.to), tt.route, "route")
			route, _ := p.Route(nil, tt.from, tt.to)
			expect.Near(t, p.Latency(route), tt.latency, 1e-12, "latency")
			want := build.Metrics{Hosts: len(p.Hosts), Links: tt.links, Diameter: tt.diameter, DiameterExact: tt.diameterExact, Bisection: tt.bisection, BisectionExact: tt.exact}
			expect.Equal(t, measure(t, p), want, "metrics")
		})
	}
}

func TestOwnRoutes(t *testing.T) {
	c := cluster(2, build.Star{})
	c.Nodes[0].MemoryBandwidth = 500
	c.Network.OnNode.Latency = 3
	for _, tt := range []struct {
		pipe units.BytesPerSecond
		want [2]string
	}{
		{0, [2]string{"h0.memory h0.memory", "loopback"}},
		{50, [2]string{"h0.self h0.memory h0.memory", "h1.self"}},
	} {
		c.Network.OnNode.Bandwidth = tt.pipe
		p := platform(t, c)
		for h := range int32(2) {
			expect.Equal(t, names(t, p, h, h), tt.want[h], "pipe %v: route", tt.pipe)
			route, _ := p.Route(nil, h, h)
			expect.Equal(t, p.Latency(route), 3, "pipe %v: host %d reaches itself in", tt.pipe, h)
		}
		memory := p.Hosts[0].Memory
		expect.That(t, memory != topology.NoLink && p.Links[memory].Bandwidth == 500 && !p.Links[memory].FatPipe &&
			p.Hosts[1].Memory == topology.NoLink,
			"memory links %d and %d", memory, p.Hosts[1].Memory)
		for _, l := range p.Links {
			expect.Equal(t, l.FatPipe, strings.HasSuffix(l.Name, "self") || l.Name == "loopback", "%s: fat pipe", l.Name)
		}
	}
}

// A half-duplex network has the same routes, with one link for both ways of each cable.
func TestHalfDuplex(t *testing.T) {
	for _, top := range []build.Topology{
		build.Star{}, build.FatTree{Down: []int{3, 4}, Up: []int{2, 3}, Cables: []int{1, 2}}, build.Torus{Dimensions: []int{3, 4}},
		build.Dragonfly{Groups: 3, Chassis: 2, Routers: 2, Nodes: 1, GlobalCables: 1, ChassisCables: 1, RouterCables: 1},
	} {
		c := cluster(12, top)
		full := platform(t, c)
		c.Network.HalfDuplex = true
		half := platform(t, c)
		for from := range int32(12) {
			for to := range int32(12) {
				if from == to {
					continue
				}
				want, _ := full.Route(nil, from, to)
				for i := range want {
					want[i] /= 2
				}
				got, _ := half.Route(nil, from, to)
				expect.Need(t, slices.Equal(got, want), "%T: route %v, want %v", top, got, want)
			}
		}
	}
}

func TestGraph(t *testing.T) {
	// Two ways of the same latency and length lead from h0 to h1, by way of s or t; there is also an island.
	g := build.Graph{Switches: []string{"s", "t"}, Links: []build.Cable{
		{From: "t", To: "h0"}, {From: "s", To: "h0"}, {From: "s", To: "h1"}, {From: "t", To: "h1"},
	}}
	p := platform(t, cluster(3, g))
	expect.Equal(t, names(t, p, 0, 1), "s-h0.1.down s-h1.2.up", "the last cable has to be the one of the lower number")
	expect.Equal(t, names(t, p, 1, 0), "t-h1.3.down t-h0.0.up", "way back")
	buf := []int32{7}
	got, err := p.Route(buf, 0, 2)
	var none *topology.NoRouteError
	expect.That(t, errors.As(err, &none) && *none == (topology.NoRouteError{From: "h0", To: "h2"}) &&
		slices.Equal(got, buf),
		"to the island: %v, %v", got, err)
	var wg sync.WaitGroup // whoever comes first makes the trees
	fresh := platform(t, cluster(3, g))
	for range 4 {
		wg.Go(func() {
			r, err := fresh.Route(nil, 0, 1)
			expect.That(t, err == nil && len(r) == 2, "%v, %v", r, err)
		})
	}
	wg.Wait()
}

func TestProblems(t *testing.T) {
	bad := func(t build.Topology) build.Cluster { return cluster(30, t) }
	several := cluster(2, nil)
	several.Nodes[1] = build.Node{Name: "h0", Speed: units.FlopsPerSecond(math.NaN()), NIC: -1}
	several.Network = build.Network{Latency: -1, Bandwidth: units.BytesPerSecond(math.Inf(1))}
	cable := topology.Connection{Bandwidth: 1}
	for _, tt := range []struct {
		name    string
		cluster build.Cluster
		want    []string
	}{
		{"several", several, []string{
			`nodes[1].name: "h0" a second time; expected a name of its own`, `nodes[1].cores: 0; expected 1 to 2147483647`,
			`nodes[1].speed: NaN flop/s; expected above 0 flop/s and finite`, `nodes[1].nic: -1 B/s; expected finite and at least 0 B/s, where 0 means not known`,
			`network.latency: -1 s; expected at least 0 s and finite`, `network.bandwidth: +Inf B/s; expected above 0 B/s and finite`,
			`topology: none; expected one of the topologies`,
		}},
		{"no nodes", cluster(0, build.Star{}), []string{"nodes: 0; expected 1 to 4194304"}},
		{"nothing at all", cluster(0, build.Graph{Links: []build.Cable{{From: "a", To: "b"}}}), []string{"nodes: 0; expected 1 to 4194304",
			`topology.links[0].from: "a"; expected the name of a node or a switch`, `topology.links[0].to: "b"; expected the name of a node or a switch`}},
		{"small torus", bad(build.Torus{Dimensions: []int{4, 4}}), []string{"nodes: 30 nodes; expected at most 16, as many as the topology has positions"}},
		{"huge torus", bad(build.Torus{Dimensions: []int{4194304, 4194304, 4194304}}), []string{"topology: 2147483648 cables; expected at most 16777216"}},
		{"fat tree", bad(build.FatTree{Down: []int{4, 8}, Up: []int{1}, Cables: []int{1, 1}}), []string{
			"topology.up: 1 levels; expected 2 levels as in topology.down"}},
		{"small fat tree", bad(build.FatTree{Down: []int{4}, Up: []int{1}, Cables: []int{1}}), []string{"nodes: 30 nodes; expected at most 4, as many as the topology has positions"}},
		{"dragonfly", bad(build.Dragonfly{Groups: 2, Chassis: 1, Routers: 2, Nodes: 2, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}), []string{"nodes: 30 nodes; expected at most 8, as many as the topology has positions"}},
		{"tree", bad(build.Tree{Nodes: 3, Subclusters: []build.Subcluster{{Nodes: 2}}}), []string{
			"topology: subclusters of 5 nodes in all; expected as many as the cluster has, 30"}},
		{"no levels", bad(build.Levels{}), []string{"topology.levels: 0 levels; expected 1 to 64"}},
		{"levels", bad(build.Levels{Counts: []int{15, 2}, Groups: [][]int{nil, {2, 1}}, Uplinks: []topology.Connection{cable}}), []string{
			"topology.levels[1]: a list at the outermost level, which has one switch; expected a whole number"}},
		{"levels of other nodes", bad(build.Levels{Counts: []int{5, 7}, Uplinks: []topology.Connection{cable}}), []string{
			"topology.levels: levels of 35 nodes in all; expected as many as the machine has, 30"}},
		{"graph", bad(build.Graph{Switches: []string{"h0", "", "s", "s"}, Links: []build.Cable{{From: "h1", To: "h1"}, {From: "h2", To: "x"}}}), []string{
			`topology.switches[0]: "h0" a second time; expected a name of its own`, `topology.switches[1]: empty; expected a name`, `topology.switches[3]: "s" a second time; expected a name of its own`,
			`topology.links[0]: "h1" to itself; expected two different ends`, `topology.links[1].to: "x"; expected the name of a node or a switch`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.cluster.Platform()
			var got []string
			var problems build.Problems
			if errors.As(err, &problems) {
				got = each.Append(got, problems, build.Problem.Error)
			}
			expect.That(t, reflect.DeepEqual(got, tt.want),
				"got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		})
	}
}

func TestMeasureOther(t *testing.T) {
	_, ok := build.Measure(&topology.Platform{})
	expect.That(t, !ok, "a platform of another maker was measured")
	m := measure(t, platform(t, cluster(1, build.Star{})))
	expect.That(t, m.Diameter == 0 && m.Bisection == 0 && m.BisectionExact, "a single host: %+v", m)
}

func TestEmptyPositionsAreNoted(t *testing.T) {
	p := platform(t, cluster(30, build.Torus{Dimensions: []int{4, 4, 2}}))
	expect.List(t, p.Notes, []string{"30 nodes on the first of 32 positions; the others pass messages on"}, "notes")
}

func BenchmarkRoute(b *testing.B) {
	const n = 1 << 16
	for _, top := range []build.Topology{
		build.Star{}, build.FatTree{Down: []int{32, 32, 64}, Up: []int{1, 16, 16}, Cables: []int{1, 1, 1}}, build.Torus{Dimensions: []int{64, 32, 32}},
		build.Dragonfly{Groups: 64, Chassis: 8, Routers: 16, Nodes: 8, GlobalCables: 1, ChassisCables: 1, RouterCables: 1},
	} {
		p := platform(b, cluster(n, top))
		b.Run(fmt.Sprintf("%T", top), func(b *testing.B) {
			b.ReportAllocs()
			buf := make([]int32, 0, 128)
			from, to := uint32(1), uint32(2)
			for b.Loop() {
				from, to = from*1664525+1013904223, to*22695477+1
				if _, err := p.Route(buf, int32(from>>16), int32(to>>16)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Routes need no memory once a graph has its trees.
func TestRouteDoesNotAllocate(t *testing.T) {
	var links []build.Cable
	for i := range 12 {
		links = append(links, build.Cable{From: fmt.Sprint("h", i), To: "s"})
	}
	for _, top := range []build.Topology{
		build.Star{}, build.Bus{}, build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 1}, build.Torus{Dimensions: []int{4, 3}},
		build.Rails{Tree: build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 1}},
		build.Dragonfly{Groups: 3, Chassis: 2, Routers: 2, Nodes: 1, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}, build.Graph{Switches: []string{"s"}, Links: links},
	} {
		p := platform(t, cluster(12, top))
		buf := make([]int32, 0, 32)
		expect.Equal(t, testing.AllocsPerRun(10, func() { buf, _ = p.Route(buf[:0], 0, 11) }), 0, "%T: allocations", top)
	}
}

// A fat tree with a million hosts has proportionally many links.
func BenchmarkMillionHosts(b *testing.B) {
	c := cluster(1<<20, build.FatTree{Down: []int{64, 64, 256}, Up: []int{1, 32, 32}, Cables: []int{1, 1, 1}})
	b.ReportAllocs()
	for b.Loop() {
		p := platform(b, c)
		b.ReportMetric(float64(len(p.Links)), "links")
	}
}

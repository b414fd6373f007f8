package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/topology/build"
)

// wiredMachine reads a machine of 8 nodes, n-1 to n-8, with 4 us and 1 GB/s. more
// is what its network has besides, in the lines from the fifth on.
func wiredMachine(more string) (*topology.Machine, error) {
	text := "node_types: {n: {cores: 2, marked_speed: 1 Gflop/s}}\nnodes: [{type: n, count: 8}]\nnetwork:\n  latency: 4 us\n  bandwidth: 1 GB/s\n" + more + "\n"
	root, err := yamldoc.Parse("m.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	r := &reader{}
	m := r.machineBody(root, "m")
	return m, r.Err()
}

func mustWire(t *testing.T, more string) *topology.Machine {
	t.Helper()
	m, err := wiredMachine(more)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestReadTopology(t *testing.T) {
	network := topology.Connection{Latency: 4e-6, Bandwidth: 1e9}
	wide := topology.Connection{Latency: 4e-6, Bandwidth: 5e9}
	for _, tt := range []struct {
		yaml string
		want build.Topology
	}{
		{"star", build.Star{}},
		{"{name: star}", build.Star{}},
		{"bus", build.Bus{}},
		{"backbone", build.Backbone(network)},
		{"{name: backbone, bandwidth: 5 GB/s}", build.Backbone(wide)},
		{"{name: backbone, latency: 0 s, bandwidth: 5 GB/s}", build.Backbone{Bandwidth: 5e9}},
		{"{name: fat-tree, hosts: 4, spines: 2}", build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 1}},
		{"{name: fat-tree, hosts: 4, spines: 2, oversubscription: 1.5}", build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 1.5}},
		{"{name: fat-tree, down: [4, 2], up: [1, 2]}", build.FatTree{Down: []int{4, 2}, Up: []int{1, 2}, Cables: []int{1, 1}}},
		{"{name: fat-tree, down: [4, 2], up: [1, 2], cables: [1, 3], bandwidths: [1 GB/s, 5 GB/s]}",
			build.FatTree{Down: []int{4, 2}, Up: []int{1, 2}, Cables: []int{1, 3}, Bandwidths: []units.BytesPerSecond{1e9, 5e9}}},
		{"{name: torus, dimensions: [4, 2]}", build.Torus{Dimensions: []int{4, 2}}},
		{"{name: mesh, dimensions: [8]}", build.Torus{Dimensions: []int{8}, Mesh: true}},
		{"{name: dragonfly, groups: 2, routers: 2, nodes: 2}",
			build.Dragonfly{Groups: 2, Chassis: 1, Routers: 2, Nodes: 2, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}},
		// A cable has half of the latency of the network, also where only the
		// bandwidth is given.
		{"{name: dragonfly, groups: 2, chassis: 2, routers: 1, nodes: 2, global_cables: 3, chassis_cables: 4, router_cables: 5, global: {bandwidth: 5 GB/s}}",
			build.Dragonfly{Groups: 2, Chassis: 2, Routers: 1, Nodes: 2, GlobalCables: 3, ChassisCables: 4, RouterCables: 5,
				Global: &topology.Connection{Latency: 2e-6, Bandwidth: 5e9}}},
		{"{name: tree, nodes: 8}", build.Tree{Nodes: 8}},
		{"{name: tree, nodes: 1, local: {latency: 1 us}, backbone: {bandwidth: 5 GB/s}, subclusters: [{name: a, nodes: 3}, {uplink: {bandwidth: 5 GB/s}, subclusters: [{nodes: 4, uplink: {latency: 0 s}}]}]}",
			build.Tree{Nodes: 1, Local: &topology.Connection{Latency: 1e-6, Bandwidth: 1e9}, Backbone: &wide, Subclusters: []build.Subcluster{
				{Name: "a", Nodes: 3, Uplink: network},
				{Uplink: wide, Subclusters: []build.Subcluster{{Nodes: 4, Uplink: topology.Connection{Bandwidth: 1e9}}}},
			}}},
		{"{name: graph, switches: [s, t], links: [{from: n-1, to: s}, {from: s, to: t, bandwidth: 5 GB/s}, {from: t, to: n-2, latency: 0 s}]}",
			build.Graph{Switches: []string{"s", "t"}, Links: []build.Cable{
				{From: "n-1", To: "s"},
				{From: "s", To: "t", Connection: &topology.Connection{Latency: 2e-6, Bandwidth: 5e9}},
				{From: "t", To: "n-2", Connection: &topology.Connection{Bandwidth: 1e9}},
			}}},
		{"{name: graph, links: [{from: n-1, to: n-2}]}", build.Graph{Links: []build.Cable{{From: "n-1", To: "n-2"}}}},
	} {
		t.Run(tt.yaml, func(t *testing.T) {
			m := mustWire(t, "  topology: "+tt.yaml)
			if d := cmp.Diff(topology.Topology(tt.want), m.Network.Topology); d != "" {
				t.Errorf("want -, got +\n%s", d)
			}
			if m.Network.HalfDuplex {
				t.Error("half-duplex")
			}
			p, err := machinePlatform(m)
			if err != nil {
				t.Fatal(err)
			}
			if words := topologyWords(must(machineCluster(m))); len(p.Hosts) != 8 || !strings.HasPrefix(words, strings.ReplaceAll(tt.want.Kind(), "-", " ")) {
				t.Errorf("%d hosts, described as %q", len(p.Hosts), words)
			}
		})
	}
	if m := mustWire(t, "  half_duplex: true"); !m.Network.HalfDuplex || m.Network.Topology != nil {
		t.Errorf("half_duplex: %+v", m.Network)
	}
}

// must is for what another test shows not to fail.
func must(c build.Cluster, _ []string, err error) build.Cluster {
	if err != nil {
		panic(err)
	}
	return c
}

// ^ marks the place that the message must name. The line is the sixth, and 12
// characters of it are in front of what is given here.
func TestReadTopologyErrors(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{
		{"^toros", `network.topology: unknown topology "toros"; expected one of backbone, bus, dragonfly, fat-tree, graph, mesh, star, torus, tree; did you mean "torus"?`},
		{"{name: ^fattree}", `network.topology.name: unknown topology "fattree"; expected one of backbone, bus, dragonfly, fat-tree, graph, mesh, star, torus, tree; did you mean "fat-tree"?`},
		{"^{dimensions: [8]}", `network.topology: missing key "name"; expected the name of a topology`},
		{"^[star]", "network.topology: found a sequence; expected the name of a topology"},
		{"^torus", "network.topology: a torus has parameters; expected a mapping such as {name: torus, dimensions: [4, 4, 2]}"},
		{"{name: star, ^spines: 2}", `network.topology: unknown key "spines"; expected name`},
		{"^{name: torus}", `network.topology: missing key "dimensions"; expected a list of whole numbers, such as [4, 4]`},
		{"{name: torus, dimensions: [4, ^0]}", "network.topology.dimensions[1]: 0 is less than 1; expected a whole number, at least 1"},
		{"{name: torus, dimensions: ^8}", "network.topology.dimensions: found the number 8; expected a sequence of whole numbers, such as [4, 4]"},
		{"{name: torus, dimensions: ^[]}", "network.topology.dimensions: empty; expected a list of whole numbers, such as [4, 4]"},
		{"^{name: torus, dimensions: [7]}", "network.topology: nodes: 8 nodes; expected at most 7, as many as the topology has positions"},
		{"{name: torus, dimensions: [8], ^dimension: [8]}", `network.topology: unknown key "dimension"; expected one of dimensions, name; did you mean "dimensions"?`},
		{"{name: backbone, bandwidth: ^0 B/s}", "network.topology.bandwidth: 0 B/s is zero; expected a bandwidth above 0"},
		{"{name: backbone, latency: ^5}", `network.topology.latency: time "5": the unit is missing`},
		{"^{name: fat-tree, hosts: 4}", `network.topology: missing key "spines"; expected a whole number, at least 1`},
		{"{name: fat-tree, hosts: 4, spines: 2, oversubscription: ^0}", "network.topology.oversubscription: 0 is out of range; expected a factor from 1e-06 to 1e+06; 1 for none"},
		{"{name: fat-tree, hosts: 4, spines: 2, ^down: [4]}", `network.topology: unknown key "down"; expected one of hosts, name, oversubscription, spines`},
		{"^{name: fat-tree, down: [8]}", `network.topology: missing key "up"; expected a list of whole numbers, such as [4, 4]`},
		{"{name: fat-tree, down: [4, 2], up: ^[1]}", "network.topology.up: 1 levels; expected 2 levels as in topology.down"},
		{"{name: fat-tree, down: [8], up: [1], bandwidths: ^[1 GB/s, 1 GB/s]}", "network.topology.bandwidths: 2 levels; expected 1 levels as in topology.down"},
		{"{name: dragonfly, groups: 2, routers: ^-1, nodes: 4}", "network.topology.routers: -1 is less than 1"},
		{"^{name: dragonfly, groups: 2, routers: 2, nodes: 1}", "network.topology: nodes: 8 nodes; expected at most 4"},
		{"^{name: tree, nodes: 7}", "network.topology: subclusters of 7 nodes in all; expected as many as the cluster has, 8"},
		{"{name: tree, ^uplink: {}}", `network.topology: unknown key "uplink"; expected one of backbone, local, name, nodes, subclusters`},
		{"{name: tree, subclusters: [{name: a, nodes: 4}, {name: ^a, nodes: 4}]}", "network.topology.subclusters[1].name: a second a at the same switch; expected a name of its own"},
		{"{name: tree, subclusters: [{nodes: 8, uplink: {^latence: 1 us}}]}", `network.topology.subclusters[0].uplink: unknown key "latence"; expected one of bandwidth, latency; did you mean "latency"?`},
		{"{name: tree, subclusters: [{nodes: 8, subclusters: [{nodes: ^many}]}]}", `network.topology.subclusters[0].subclusters[0].nodes: found the text "many"; expected a whole number, at least 0`},
		{"{name: graph, switches: [sw], links: [{from: n-1, to: ^sv}]}", `network.topology.links[0].to: "sv"; expected the name of a node or a switch; did you mean sw?`},
		{"{name: graph, links: [^{from: n-1, to: n-1}]}", `network.topology.links[0]: "n-1" to itself; expected two different ends`},
		{"{name: graph, switches: [a, ^a], links: []}", `network.topology.switches[1]: "a" a second time; expected a name of its own`},
		{"{name: graph, switches: [^n-3], links: []}", `network.topology.switches[0]: "n-3" a second time; expected a name of its own`},
		{"^{name: graph}", `network.topology: missing key "links"; expected a list of cables`},
		{"{name: graph, links: [^{from: n-1}]}", `network.topology.links[0]: missing key "to"; expected the name of a node or a switch`},
	} {
		t.Run(tt.yaml, func(t *testing.T) {
			_, err := wiredMachine("  topology: " + strings.Replace(tt.yaml, "^", "", 1))
			if err == nil {
				t.Fatal("no error")
			}
			want := fmt.Sprintf("m.yaml:6:%d: ", 13+strings.Index(tt.yaml, "^"))
			if got := err.Error(); !strings.HasPrefix(got, want) || !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
				t.Errorf("got  %s\nwant %s%s", got, want, tt.want)
			}
		})
	}
	if _, err := wiredMachine("  half_duplex: 1"); err == nil || !strings.HasPrefix(err.Error(), "m.yaml:6:16: network.half_duplex: ") {
		t.Errorf("half_duplex: %v", err)
	}
}

// What is wrong with the nodes is reported where they are, once.
func TestNodesOfATopology(t *testing.T) {
	for _, tt := range []struct{ topology, network, want string }{
		{"", "{name: flow}", "test.yaml:2:17: network.name: machine inline: nodes[3].name: \"w-1\" a second time; expected a name of its own"},
		{", topology: bus", "ideal", "test.yaml:1:62: machine.nodes: [3].name: \"w-1\" a second time; expected a name of its own"},
		{"", "hockney", "none"}, // names do not matter
	} {
		_, err := parseScenario([]byte("machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 3}, {type: w, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s" + tt.topology + "}}\n" +
			"network: " + tt.network + "\nworkload: {name: matmul, n: 8}\n"))
		if err == nil {
			err = errors.New("none")
		}
		if d := cmp.Diff(tt.want, err.Error()); d != "" {
			t.Errorf("want -, got +\n%s", d)
		}
	}
}

// carried returns how long a program takes on the links of a machine, one rank on
// each of the first nodes.
func carried(t *testing.T, m *topology.Machine, ranks int, body func(r *sim.Rank)) float64 {
	t.Helper()
	p, err := m.Place(topology.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{}
	root, err := yamldoc.Parse("network", []byte("flow"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCarriage(r.network(root, m), m, p)
	if err != nil {
		t.Fatal(err)
	}
	config := sim.Config{Program: sim.NewProgram(ranks, body), Rates: p.Speeds()[:ranks]}
	if err := c.carry(&config); err != nil {
		t.Fatal(err)
	}
	res, err := sim.Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	return float64(res.Makespan)
}

// Two pairs on 4 us and 1 GB/s, messages of 1 MB: a millisecond if the message
// has the link to itself.
func TestPairsOnABusAndAStar(t *testing.T) {
	oneWay := func(r *sim.Rank) {
		if me := r.Rank(); me%2 == 0 {
			r.Send(me+1, 0, 1e6)
		} else {
			r.Recv(me-1, 0)
		}
	}
	exchange := func(r *sim.Rank) { r.Sendrecv(r.Rank()^1, 1e6, r.Rank()^1, 0) }
	for _, tt := range []struct {
		name, network string
		body          func(r *sim.Rank)
		want          float64
	}{
		{"one way, star", "  topology: star", oneWay, 1.004e-3},
		{"one way, bus", "  topology: bus", oneWay, 2.004e-3},
		{"exchange, star", "", exchange, 1.004e-3},
		{"exchange, half-duplex star", "  half_duplex: true", exchange, 2.004e-3},
		{"exchange, bus", "  topology: bus", exchange, 4.004e-3},
		// 2 us on each of the cables and 4 us on the backbone, which has 4 MB.
		{"exchange, backbone", "  topology: backbone", exchange, 4.008e-3},
		// n-1 and n-2 are neighbours on the grid, and n-3 and n-4.
		{"exchange, mesh", "  topology: {name: mesh, dimensions: [4, 2]}", exchange, 1.004e-3},
	} {
		if got := carried(t, mustWire(t, tt.network), 4, tt.body); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %.9g s, want %.9g s", tt.name, got, tt.want)
		}
	}
}

// Without a topology, groups that are connected otherwise than the nodes in them
// become subclusters. A message on its own takes what between_groups says; two
// share the uplink.
func TestGroupsBecomeSubclusters(t *testing.T) {
	s := mustScenario(t, hierarchical+"network: flow\n")
	send := func(pairs ...[2]int) func(r *sim.Rank) {
		return func(r *sim.Rank) {
			for _, p := range pairs {
				switch r.Rank() {
				case p[0]:
					r.Send(p[1], 0, 1e6)
				case p[1]:
					r.Recv(p[0], 0)
				}
			}
		}
	}
	s.Machine.Groups[1].Count = 2 // one more, so that two can be reached
	s.Machine.Network.SendOverhead = 0
	for _, tt := range []struct {
		name string
		body func(r *sim.Rank)
		want float64
	}{
		{"in a group", send([2]int{0, 1}), 10e-6 + 1e6/1e9},
		{"between groups", send([2]int{0, 2}), 50e-6 + 1e6/100e6},
		{"between groups, two at once", send([2]int{0, 2}, [2]int{1, 3}), 50e-6 + 2e6/100e6},
	} {
		if got := carried(t, s.Machine, 4, tt.body); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %.9g s, want %.9g s", tt.name, got, tt.want)
		}
	}
	p, err := machinePlatform(s.Machine)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"no topology is given: between_groups becomes one uplink of 100 MB/s for each group of nodes, which all messages that leave or enter the group share"}
	if d := cmp.Diff(want, p.Notes); d != "" {
		t.Errorf("want -, got +\n%s", d)
	}
	s.Machine.Network.BetweenGroups.Latency = 1e-6
	if got := carried(t, s.Machine, 4, send([2]int{0, 2})); math.Abs(got-(10e-6+1e6/100e6)) > 1e-12 {
		t.Errorf("the cables alone have 10 us, got %.9g s", got)
	}
	if p, err = machinePlatform(s.Machine); err != nil || len(p.Notes) != 2 || !strings.Contains(p.Notes[1], "between_groups has less latency than the network, 1 us") {
		t.Errorf("%v, %q", err, p.Notes)
	}
	s.Machine.Network.Topology = build.Star{}
	if got := carried(t, s.Machine, 4, send([2]int{0, 2})); math.Abs(got-(10e-6+1e6/1e9)) > 1e-12 {
		t.Errorf("with a topology between_groups is not used, got %.9g s", got)
	}
}

// The files of examples/topologies take the times that their comments derive.
func TestTopologyExamples(t *testing.T) {
	want := map[string]float64{ // s
		"backbone": 24.06e-3, "bus": 0.801, "graph": 2.02e-3 + 7.2e-3, "leaf-spine": 7.68e-3 + 2.4e-6,
		"star": 12.008e-3, "torus": 6 * 201e-6,
		// Messages start after 1 us on the shortest ways and keep the narrowest
		// link busy from then on.
		"fat-tree": 2.48e-3 + 1e-6, "mesh": 3.2e-3 + 1e-6,
	}
	// Here the narrowest link is not busy from the first moment to the last.
	atLeast := map[string]float64{"dragonfly": 6.72e-3, "tree": 25.6e-3}
	files, err := filepath.Glob("../examples/topologies/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(want)+len(atLeast) {
		t.Errorf("%d files, want %d", len(files), len(want)+len(atLeast))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		s, err := ReadScenario(file, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		r, err := Run(context.Background(), s, RunOptions{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if w, ok := want[name]; ok && math.Abs(r.Makespan-w) > 1e-9*w {
			t.Errorf("%s: %.9g s, want %.9g s", file, r.Makespan, w)
		}
		if w, ok := atLeast[name]; ok && (r.Makespan < w || r.Makespan > 1.01*w) {
			t.Errorf("%s: %.9g s, want %.9g s and a little", file, r.Makespan, w)
		}
		if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "# ") || !strings.Contains(string(data), "isoscale run "+strings.TrimPrefix(file, "../")) {
			t.Errorf("%s does not begin with a comment that says how to run it (%v)", file, err)
		}
	}
}

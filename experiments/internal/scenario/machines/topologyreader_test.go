package machines

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// wiredFile is the file of a machine of 8 nodes, n-1 to n-8, with 4 us and 1 GB/s. more is what else its network has,
// from the fifth line on.
func wiredFile(more string) string {
	return "node_types: {n: {cores: 2, marked_speed: 1 Gflop/s}}\nnodes: [{type: n, count: 8}]\nnetwork:\n  latency: 4 us\n  bandwidth: 1 GB/s\n" + more + "\n"
}

// wiredMachine reads that machine.
func wiredMachine(more string) (*topology.Machine, error) {
	root, err := yamldoc.Parse("m.yaml", []byte(wiredFile(more)))
	if err != nil {
		return nil, err
	}
	r := &document.Reader{}
	m := ReadBody(&r.Decoder, root, "m")
	return m, r.Err()
}

func mustWire(t *testing.T, more string) *topology.Machine {
	t.Helper()
	return expect.Value(wiredMachine(more))(t)
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
		{"{name: fat-tree, hosts: 4, spines: 2, cards: rails, between_rails: spine}",
			build.Rails{Tree: build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 1}, BySpines: true}},
		{"{name: fat-tree, down: [4, 2], up: [1, 2], cards: planes}",
			build.Rails{Tree: build.FatTree{Down: []int{4, 2}, Up: []int{1, 2}, Cables: []int{1, 1}}, Planes: true}},
		{"{name: fat-tree, cards: together, down: [4, 2], up: [1, 2]}", build.FatTree{Down: []int{4, 2}, Up: []int{1, 2}, Cables: []int{1, 1}}},
		{"{name: torus, dimensions: [4, 2]}", build.Torus{Dimensions: []int{4, 2}}},
		{"{name: mesh, dimensions: [8]}", build.Torus{Dimensions: []int{8}, Mesh: true}},
		{"{name: dragonfly, groups: 2, routers: 2, nodes: 2}",
			build.Dragonfly{Groups: 2, Chassis: 1, Routers: 2, Nodes: 2, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}},
		// A cable has half of the latency of the network, also where only the bandwidth is given.
		{"{name: dragonfly, groups: 2, chassis: 2, routers: 1, nodes: 2, global_cables: 3, chassis_cables: 4, router_cables: 5, global: {bandwidth: 5 GB/s}}",
			build.Dragonfly{Groups: 2, Chassis: 2, Routers: 1, Nodes: 2, GlobalCables: 3, ChassisCables: 4, RouterCables: 5,
				Global: &topology.Connection{Latency: 2e-6, Bandwidth: 5e9}}},
		{"{name: tree, nodes: 8}", build.Tree{Nodes: 8}},
		{"{name: tree, nodes: 1, local: {latency: 1 us}, backbone: {bandwidth: 5 GB/s}, subclusters: [{name: a, nodes: 3}, {uplink: {bandwidth: 5 GB/s}, subclusters: [{nodes: 4, uplink: {latency: 0 s}}]}]}",
			build.Tree{Nodes: 1, Local: &topology.Connection{Latency: 1e-6, Bandwidth: 1e9}, Backbone: &wide, Subclusters: []build.Subcluster{
				{Name: "a", Nodes: 3, Uplink: network},
				{Uplink: wide, Subclusters: []build.Subcluster{{Nodes: 4, Uplink: topology.Connection{Bandwidth: 1e9}}}},
			}}},
		{"{name: tree, levels: [8]}", build.Levels{Counts: []int{8}}},
		{"{name: tree, levels: [8], uplinks: [{latency: 1 us}]}", build.Levels{Counts: []int{8}}},
		{"{name: tree, levels: [2, 4]}", build.Levels{Counts: []int{2, 4}, Uplinks: []topology.Connection{network}}},
		{"{name: tree, levels: [2, 1, 2, 2], uplinks: [{bandwidth: 5 GB/s}, {latency: 20 us, bandwidth: 1 Gbit/s}]}",
			build.Levels{Counts: []int{2, 1, 2, 2}, Uplinks: []topology.Connection{wide, {Latency: 20e-6, Bandwidth: 125e6}, {Latency: 20e-6, Bandwidth: 125e6}}}},
		{"{name: tree, levels: [[3, 5], 2]}", build.Levels{Counts: []int{5, 2}, Groups: [][]int{{3, 5}}, Uplinks: []topology.Connection{network}}},
		{"{name: tree, levels: [[2, 2], [1, 3], 2]}", build.Levels{Counts: []int{2, 3, 2}, Groups: [][]int{nil, {1, 3}}, Uplinks: []topology.Connection{network, network}}},
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
			expect.Same(t, m.Network.Topology, topology.Topology(tt.want), "what was read")
			expect.That(t, !m.Network.HalfDuplex, "half-duplex")
			p := expect.Value(build.Platform(m))(t)
			expect.That(t, len(p.Hosts) == 8, "%d hosts", len(p.Hosts))
		})
	}
	m := mustWire(t, "  half_duplex: true")
	expect.That(t, m.Network.HalfDuplex && m.Network.Topology == nil, "half_duplex: %+v", m.Network)
}

// ^ marks the place that the message must name. It is on the sixth line, where 12 characters precede the text given
// here.
func TestReadTopologyErrors(t *testing.T) {
	form := schematest.Of(t, Type)
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
		{"{name: fat-tree, hosts: 4, spines: 2, ^down: [4]}", `network.topology: unknown key "down"; expected one of between_rails, cards, hosts, name, oversubscription, spines`},
		{"{name: fat-tree, hosts: 4, spines: 2, cards: ^rail}", `network.topology.cards: unknown place of cards "rail"; expected one of planes, rails, together; did you mean "rails"?`},
		{"{name: fat-tree, hosts: 4, spines: 2, cards: planes, between_rails: ^spine}", "network.topology.between_rails: a way between rails by spines, with cards: planes; expected cards: rails"},
		{"{name: fat-tree, down: ^[8], up: [1], cards: rails}", "network.topology.down: [8]; expected a second level of a multiple of 1 leaf switches, one for each card"},
		{"^{name: fat-tree, down: [8]}", `network.topology: missing key "up"; expected a list of whole numbers, such as [4, 4]`},
		{"{name: fat-tree, down: [4, 2], up: ^[1]}", "network.topology.up: 1 levels; expected 2 levels as in topology.down"},
		{"{name: fat-tree, down: [8], up: [1], bandwidths: ^[1 GB/s, 1 GB/s]}", "network.topology.bandwidths: 2 levels; expected 1 levels as in topology.down"},
		{"{name: fat-tree, down: [8], up: [1], cables: [^0]}", "network.topology.cables[0]: 0 is less than 1; expected a whole number, at least 1"},
		{"{name: dragonfly, groups: 2, routers: ^-1, nodes: 4}", "network.topology.routers: -1 is less than 1"},
		{"^{name: dragonfly, groups: 2, routers: 2, nodes: 1}", "network.topology: nodes: 8 nodes; expected at most 4"},
		{"^{name: tree, nodes: 7}", "network.topology: subclusters of 7 nodes in all; expected as many as the cluster has, 8"},
		{"{name: tree, ^uplink: {}}", `network.topology: unknown key "uplink"; expected one of backbone, local, name, nodes, subclusters`},
		{"{name: tree, subclusters: [{name: a, nodes: 4}, {name: ^a, nodes: 4}]}", "network.topology.subclusters[1].name: a second a at the same switch; expected a name of its own"},
		{"{name: tree, subclusters: [{nodes: 8, uplink: {^latence: 1 us}}]}", `network.topology.subclusters[0].uplink: unknown key "latence"; expected one of bandwidth, latency; did you mean "latency"?`},
		{"{name: tree, subclusters: [{nodes: 8, subclusters: [{nodes: ^many}]}]}", `network.topology.subclusters[0].subclusters[0].nodes: found the text "many"; expected a whole number, at least 0`},
		{"{name: tree, levels: ^[2, 3]}", "network.topology.levels: levels of 6 nodes in all; expected as many as the machine has, 8"},
		{"{name: tree, levels: ^[4000000, 4000000, 4000000]}", "network.topology.levels: levels of 2147483648 nodes or more in all; expected as many as the machine has, 8"},
		{"{name: tree, levels: ^[[2, 3], 2]}", "network.topology.levels: levels of 5 nodes in all; expected as many as the machine has, 8"},
		{"{name: tree, levels: [[2, ^0], 2]}", "network.topology.levels[0][1]: 0 is less than 1; expected a whole number, at least 1"},
		{"{name: tree, levels: [^[], 2]}", "network.topology.levels[0]: empty; expected the numbers of the switches of this level one after another, as in [4, 8]"},
		{"{name: tree, levels: [2, ^0]}", "network.topology.levels[1]: 0 is less than 1; expected a whole number, at least 1"},
		{"{name: tree, levels: ^[]}", "network.topology.levels: empty; expected a list of whole numbers, such as [4, 4]"},
		{"{name: tree, levels: [2, 4], uplinks: ^[{}, {}]}", "network.topology.uplinks: 2 uplinks for 2 levels; expected at most 1, one for each level above the innermost"},
		{"{name: tree, levels: [2, 4], uplinks: ^[]}", "network.topology.uplinks: empty; expected an uplink for each level above the innermost, or for the first of them"},
		{"{name: tree, levels: [2, 4], uplinks: [{bandwidth: ^0 B/s}]}", "network.topology.uplinks[0].bandwidth: 0 B/s is zero; expected a bandwidth above 0"},
		{"^{name: tree, uplinks: [{latency: 1 us}]}", `network.topology: missing key "levels"; expected a list of whole numbers, such as [4, 4]`},
		{"{name: tree, nodes: 8, ^levels: [8]}", `network.topology: unknown key "levels"; expected one of backbone, local, name, nodes, subclusters`},
		{"{name: graph, switches: [sw], links: [{from: n-1, to: ^sv}]}", `network.topology.links[0].to: "sv"; expected the name of a node or a switch; did you mean sw?`},
		{"{name: graph, links: [^{from: n-1, to: n-1}]}", `network.topology.links[0]: "n-1" to itself; expected two different ends`},
		{"{name: graph, switches: [a, ^a], links: []}", `network.topology.switches[1]: "a" a second time; expected a name of its own`},
		{"{name: graph, switches: [^n-3], links: []}", `network.topology.switches[0]: "n-3" a second time; expected a name of its own`},
		{"^{name: graph}", `network.topology: missing key "links"; expected a list of cables`},
		{"{name: graph, links: [^{from: n-1}]}", `network.topology.links[0]: missing key "to"; expected the name of a node or a switch`},
	} {
		t.Run(tt.yaml, func(t *testing.T) {
			more := "  topology: " + strings.Replace(tt.yaml, "^", "", 1)
			_, err := wiredMachine(more)
			expect.Need(t, err != nil, "no error")
			want := fmt.Sprintf("m.yaml:6:%d: ", 13+strings.Index(tt.yaml, "^"))
			got := err.Error()
			expect.That(t, strings.HasPrefix(got, want) && strings.Contains(got, tt.want) && !strings.Contains(got, "\n"),
				"got  %s\nwant %s%s", got, want, tt.want)
			if err := form.AgreeText(wiredFile(more), err); err != nil {
				t.Error(err)
			}
		})
	}
	_, err := wiredMachine("  between_groups: {latency: 1 us, bandwidth: 1 GB/s}\n  topology: {name: tree, levels: [8]}")
	expect.That(t, err != nil && err.Error() == "m.yaml:7:13: network.topology: levels beside between_groups; expected one of them: the uplinks say what is between subclusters",
		"levels and between_groups: %v", err)
	_, err = wiredMachine("  half_duplex: 1")
	expect.That(t, err != nil && strings.HasPrefix(err.Error(), "m.yaml:6:16: network.half_duplex: "), "half_duplex: %v", err)
}

package machines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// wired is the topology of a machine that is being read.
type wired struct {
	network  topology.Connection // of the network, for what the file leaves out
	topology build.Topology
}

// topologyKind is a topology that machine files can name.
type topologyKind struct {
	name string
	form string // an example
	bare bool   // the name alone is enough
	// forms are its mappings. If there are two, the second applies if the file has keys that only it has.
	forms []*schema.Record[wired]
}

func kindOf(name, form string, bare bool, keys ...func(k *schema.Keys, w *wired)) topologyKind {
	t := topologyKind{name: name, form: form, bare: bare}
	for _, read := range keys {
		t.forms = append(t.forms, schema.Declare("a topology", func(k *schema.Keys, w *wired) {
			k.Required("name", schema.Func(schema.OneOf{name}, func(*yamldoc.Node) {}), "")
			read(k, w)
		}))
	}
	return t
}

// topologyKinds are all topologies. init makes them, after the parts of a tree, which contain each other.
var topologyKinds []topologyKind

func init() {
	subclusterRecord = schema.Declare("a subcluster, as in {name: rack-1, nodes: 16, uplink: {latency: 5 us, bandwidth: 40 Gbit/s}}", subclusterKeys).Shared("subcluster")
	torus := func(mesh bool) func(k *schema.Keys, w *wired) {
		return func(k *schema.Keys, w *wired) {
			t := build.Torus{Mesh: mesh}
			k.Required("dimensions", counts(k, &t.Dimensions), "nodes in each dimension")
			w.topology = t
		}
	}
	topologyKinds = []topologyKind{
		kindOf("star", "star", true, func(_ *schema.Keys, w *wired) { w.topology = build.Star{} }),
		kindOf("bus", "bus", true, func(_ *schema.Keys, w *wired) { w.topology = build.Bus{} }),
		kindOf("backbone", "{name: backbone, latency: 5 us, bandwidth: 40 Gbit/s}", true, func(k *schema.Keys, w *wired) {
			c := w.network
			cableKeys(k, &c)
			w.topology = build.Backbone(c)
		}),
		kindOf("tree", "{name: tree, subclusters: [{name: rack-1, nodes: 16}, {name: rack-2, nodes: 16}]} or {name: tree, levels: [16, 2], uplinks: [{latency: 5 us, bandwidth: 40 Gbit/s}]}", false,
			func(k *schema.Keys, w *wired) {
				c := clustering{network: w.network}
				clusterKeys(k, &c)
				w.topology = build.Tree(c.Subcluster)
			}, levels),
		kindOf("fat-tree", "{name: fat-tree, hosts: 16, spines: 4} or {name: fat-tree, down: [4, 4], up: [1, 2]}", false, leafSpine, fatTree),
		kindOf("torus", "{name: torus, dimensions: [4, 4, 2]}", false, torus(false)),
		kindOf("mesh", "{name: mesh, dimensions: [4, 4, 2]}", false, torus(true)),
		kindOf("dragonfly", "{name: dragonfly, groups: 9, routers: 4, nodes: 2}", false, dragonfly),
		kindOf("graph", "{name: graph, switches: [s], links: [{from: node-1, to: s}, {from: node-2, to: s}]}", false, graph),
	}
}

// topologyType is how a file gives a topology.
func topologyType() schema.Type {
	var names schema.OneOf
	forms := schema.AnyOf{nil}
	for _, k := range topologyKinds {
		if k.bare {
			names = append(names, k.name)
		}
		forms = each.Append(forms, k.forms, func(f *schema.Record[wired]) schema.Type { return f.Object })
	}
	forms[0] = names
	return forms
}

// readTopology reads how the nodes of a machine are wired: the name of a topology, or a mapping with its name and
// parameters. nodes is where the file lists the nodes. REQUIRES: everything else about the machine has been read.
func readTopology(d *yamldoc.Decoder, n, nodes *yamldoc.Node, m *topology.Machine) {
	if n == nil {
		return
	}
	names := each.Of(topologyKinds, func(k topologyKind) string { return k.name })
	name, keys := n, (*yamldoc.Node)(nil)
	if n.IsMapping() {
		name, keys = d.Mapping(n, "a topology").Require("name", "the name of a topology"), n
	}
	i := slices.Index(names, d.OneOf(name, names, "topology"))
	if i < 0 {
		return
	}
	kind := &topologyKinds[i]
	if !n.IsMapping() && !kind.bare {
		d.Fail(n, fmt.Sprintf("a %s has parameters", kind.name), "a mapping such as "+kind.form)
		return
	}
	before := d.ProblemCount()
	form := kind.forms[0]
	if len(kind.forms) > 1 {
		other := kind.forms[1]
		if givenOf(keys, other, form) && !givenOf(keys, form, other) {
			form = other
		}
	}
	w := wired{network: topology.Connection{Latency: m.Network.Latency, Bandwidth: m.Network.Bandwidth}}
	if form.Read(d, keys, &w); d.ProblemCount() > before {
		return
	}
	m.Network.Topology = w.topology
	if _, levels := w.topology.(build.Levels); levels && m.Network.BetweenGroups != nil {
		d.Fail(n, "levels beside between_groups", "one of them: the uplinks say what is between subclusters")
		return
	}
	if before > 0 {
		return // the nodes may not be those that the file means
	}
	c, _, err := build.ClusterOf(m)
	if err != nil {
		d.Fail(n, err.Error(), "")
		return
	}
	report(d, n, nodes, c)
}

// givenOf reports whether a mapping has keys of one form that the other form lacks.
func givenOf(n *yamldoc.Node, form, other *schema.Record[wired]) bool {
	return slices.ContainsFunc(form.Fields(), func(f schema.Field) bool {
		return n.Has(f.Key) && !slices.ContainsFunc(other.Fields(), func(o schema.Field) bool { return o.Key == f.Key })
	})
}

const wantCount = "a whole number, at least 1"

// countType is a count of parts of a topology.
var countType = schema.Integer{Min: 1, Max: build.MaxNodes, Want: wantCount}

// counts binds a key to a list of numbers.
func counts(k *schema.Keys, to *[]int) *schema.Function {
	return schema.Func(schema.List{Of: countType, Min: 1}, func(n *yamldoc.Node) { *to = countsIn(k, n, wantCounts) }).Wanted(wantCounts)
}

const wantCounts = "a list of whole numbers, such as [4, 4]"

func countsIn(k *schema.Keys, n *yamldoc.Node, want string) []int {
	read := func(e *yamldoc.Node) int { return countType.Read(k.Decoder, e) }
	return each.Append(nil, elements(k, n, "whole numbers, such as [4, 4]", want), read)
}

// elements returns the elements of a list, which must have at least one.
func elements(k *schema.Keys, n *yamldoc.Node, what, want string) []*yamldoc.Node {
	list := k.Sequence(n, what)
	if n.IsSequence() && len(list) == 0 {
		k.Fail(n, "empty", want)
	}
	return list
}

// cableKeys declares a cable, which already has the defaults.
func cableKeys(k *schema.Keys, c *topology.Connection) {
	k.Optional("latency", schema.Time.To(&c.Latency).Else("network"), "time of an empty message")
	k.Optional("bandwidth", schema.Bandwidth.To(&c.Bandwidth).Else("network"), "capacity")
}

var cableRecord = schema.Declare("a connection, as in {latency: 1 us, bandwidth: 10 GB/s}", cableKeys)

// cable binds a key to a cable. otherwise has the defaults.
func cable(k *schema.Keys, to **topology.Connection, otherwise topology.Connection) *schema.Function {
	return schema.Func(cableRecord.Object, func(n *yamldoc.Node) {
		*to = &otherwise
		cableRecord.Read(k.Decoder, n, &otherwise)
	})
}

// clustering is a part of a tree that is being read.
type clustering struct {
	network topology.Connection
	build.Subcluster
}

// subclusterRecord is a cluster below a switch.
var subclusterRecord *schema.Record[clustering]

func subclusterKeys(k *schema.Keys, c *clustering) {
	k.Optional("name", schema.Name.To(&c.Name), "name of the subcluster")
	uplink := &c.network
	k.Optional("uplink", cable(k, &uplink, c.network).Else("network"), "link to the switch above")
	c.Uplink = *uplink
	clusterKeys(k, c)
}

// clusterKeys declares a cluster without the name and the uplink, which the outermost cluster lacks.
func clusterKeys(k *schema.Keys, c *clustering) {
	k.Optional("nodes", schema.Integer{Max: build.MaxNodes, Want: "a whole number, at least 0"}.To(&c.Nodes).Or(0),
		"nodes at the switch")
	k.Optional("local", cable(k, &c.Local, c.network).Else("network"), "cables of these nodes")
	k.Optional("backbone", cable(k, &c.Backbone, c.network), "a link that all messages through the switch share")
	below := schema.Later(func() schema.Type { return subclusterRecord.Object })
	k.Optional("subclusters", schema.Func(schema.List{Of: below}, func(n *yamldoc.Node) {
		names := map[string]bool{"": true}
		for _, n := range k.Sequence(n, "subclusters, as in {name: rack-1, nodes: 16, uplink: {latency: 5 us, bandwidth: 40 Gbit/s}}") {
			in := clustering{network: c.network}
			if subclusterRecord.Read(k.Decoder, n, &in); in.Name != "" && names[in.Name] {
				k.Fail(n.Value("name"), fmt.Sprintf("a second %s at the same switch", in.Name), "a name of its own")
			}
			names[in.Name] = true
			c.Subclusters = append(c.Subclusters, in.Subcluster)
		}
	}), "clusters below the switch")
}

// levels declares a tree with equal subclusters. The last uplink applies to all levels above it.
func levels(k *schema.Keys, w *wired) {
	var t build.Levels
	form := schema.List{Of: schema.AnyOf{countType, schema.List{Of: countType, Min: 1}}, Min: 1}
	k.Required("levels", schema.Func(form, func(n *yamldoc.Node) {
		for l, e := range elements(k, n, "whole numbers, such as [4, 4]", wantCounts) {
			if !e.IsSequence() {
				t.Counts = append(t.Counts, countType.Read(k.Decoder, e))
				continue
			}
			groups := countsIn(k, e, "the numbers of the switches of this level one after another, as in [4, 8]")
			if groups == nil {
				groups = []int{1}
			}
			t.Counts = append(t.Counts, slices.Max(groups))
			if slices.Min(groups) < slices.Max(groups) {
				t.Groups = append(slices.Grow(t.Groups, l), make([][]int, l-len(t.Groups))...)
				t.Groups = append(t.Groups, groups)
			}
		}
	}).Wanted(wantCounts),
		"nodes at a switch, switches below one of the next level, and so on, innermost level first; a list for switches that differ, as in [[4, 8], 2]")
	above := max(0, len(t.Counts)-1)
	uplinks := []topology.Connection{w.network}
	k.Optional("uplinks", schema.Func(schema.List{Of: cableRecord.Object, Min: 1}, func(n *yamldoc.Node) {
		const want = "an uplink for each level above the innermost, or for the first of them"
		list := elements(k, n, "uplinks, as in [{latency: 20 us, bandwidth: 1 Gbit/s}]", want)
		if most := max(1, above); len(list) > most && len(t.Counts) > 0 { // one serves all levels above, also none
			k.Fail(n, fmt.Sprintf("%d uplinks for %s", len(list), input.Plural(len(t.Counts), "level")), fmt.Sprintf("at most %d, one for each level above the innermost", most))
		}
		for i, n := range list {
			if i > 0 {
				uplinks = append(uplinks, w.network)
			}
			cableRecord.Read(k.Decoder, n, &uplinks[i])
		}
	}).Else("network"),
		"link from a switch of each level to the one above, innermost level first; the last one holds for all levels above")
	for l := range above {
		t.Uplinks = append(t.Uplinks, uplinks[min(l, len(uplinks)-1)])
	}
	w.topology = t
}

func leafSpine(k *schema.Keys, w *wired) {
	var t build.LeafSpine
	k.Required("hosts", countType.To(&t.Hosts), "nodes of each leaf switch")
	k.Required("spines", countType.To(&t.Spines), "spine switches; with fewer of them their cables are faster, as oversubscription says")
	factor := schema.Number{Min: 1e-6, Max: 1e6, Want: "a factor from 1e-06 to 1e+06; 1 for none"}
	k.Optional("oversubscription", factor.To(&t.Oversubscription).Or(1),
		"bandwidth of the nodes of a leaf over that of its uplinks")
	cardsApart(k, w, t)
}

func fatTree(k *schema.Keys, w *wired) {
	var t build.FatTree
	k.Required("down", counts(k, &t.Down), "switches or nodes below a switch, lowest level first")
	k.Required("up", counts(k, &t.Up), "switches above a node or switch, lowest level first")
	t.Cables = slices.Repeat([]int{1}, len(t.Down))
	k.Optional("cables", counts(k, &t.Cables).Else("1 each"), "parallel cables of each level")
	bandwidths := schema.ListOf[units.BytesPerSecond]{Of: &schema.Bandwidth, What: "bandwidths, one for each level"}
	k.Optional("bandwidths", bandwidths.To(&t.Bandwidths).Else("network"), "bandwidth of the cables of each level")
	cardsApart(k, w, t)
}

// Where the cards of a node are, and how messages get from one rail to another.
const (
	cardsTogether = "together"
	cardsRails    = "rails"
	cardsPlanes   = "planes"
	byDomain      = "domain"
	bySpine       = "spine"
)

// cardsApart declares what a fat tree does with the cards of a node.
func cardsApart(k *schema.Keys, w *wired, t build.Topology) {
	cards, way := cardsTogether, byDomain
	k.Optional("cards", schema.Choice(&cards, "place of cards", []string{cardsTogether, cardsRails, cardsPlanes}).Or(cards),
		"of a node: all at one leaf switch, each at one of its own (rails), or each in a tree of its own (planes)")
	k.Optional("between_rails", schema.Choice(&way, "way between rails", []string{byDomain, bySpine}).Or(way),
		"messages between devices on different rails: first by links of their domain, or across the spines")
	if way == bySpine && cards != cardsRails {
		k.Fail(k.Node("between_rails"), fmt.Sprintf("a way between rails by spines, with cards: %s", cards), "cards: rails")
	}
	if w.topology = t; cards != cardsTogether {
		w.topology = build.Rails{Tree: t, Planes: cards == cardsPlanes, BySpines: way == bySpine}
	}
}

func dragonfly(k *schema.Keys, w *wired) {
	var t build.Dragonfly
	k.Required("groups", countType.To(&t.Groups), "groups")
	k.Optional("chassis", countType.To(&t.Chassis).Or(1), "chassis of a group")
	k.Required("routers", countType.To(&t.Routers), "routers of a chassis")
	k.Required("nodes", countType.To(&t.Nodes), "nodes of a router")
	k.Optional("global_cables", countType.To(&t.GlobalCables).Or(1), "parallel cables between groups")
	k.Optional("chassis_cables", countType.To(&t.ChassisCables).Or(1), "parallel cables between chassis")
	k.Optional("router_cables", countType.To(&t.RouterCables).Or(1), "parallel cables between routers")
	k.Optional("global", cable(k, &t.Global, half(w.network)).Else("network"), "cables between groups")
	w.topology = t
}

// half is the default cable where hosts meet at switches.
func half(network topology.Connection) topology.Connection {
	return topology.Connection{Latency: network.Latency / 2, Bandwidth: network.Bandwidth}
}

// linking is a cable of a graph that is being read.
type linking struct {
	build.Cable
	connection topology.Connection
}

const wantEnd = "the name of a node or a switch"

var linkRecord = schema.Declare("a cable, as in {from: node-1, to: switch-1}", func(k *schema.Keys, l *linking) {
	k.Required("from", schema.Text.To(&l.From), wantEnd)
	k.Required("to", schema.Text.To(&l.To), wantEnd)
	cableKeys(k, &l.connection)
	if k.Self().Has("latency") || k.Self().Has("bandwidth") {
		l.Connection = &l.connection
	}
})

func graph(k *schema.Keys, w *wired) {
	var t build.Graph
	k.Optional("switches", schema.ListOf[string]{Of: schema.Name, What: "names of switches"}.To(&t.Switches),
		"names of the switches")
	const form = "cables, as in {from: node-1, to: switch-1}"
	k.Required("links", schema.Func(schema.List{Of: linkRecord.Object}, func(n *yamldoc.Node) {
		for _, n := range k.Sequence(n, form) {
			l := linking{connection: half(w.network)}
			linkRecord.Read(k.Decoder, n, &l)
			t.Links = append(t.Links, l.Cable)
		}
	}).Wanted("a list of cables, as in [{from: node-1, to: switch-1}]"), "cables between nodes and switches")
	w.topology = t
}

// mostProblems bounds how many problems of one topology are reported.
const mostProblems = 10

// report reports what package build finds wrong, each problem at its place in
// the file or that of what contains it.
func report(d *yamldoc.Decoder, n, nodes *yamldoc.Node, c build.Cluster) {
	problems := c.Problems()
	seen := false // those of nodes are all alike
	for _, p := range problems[:min(len(problems), mostProblems)] {
		place, rest := n, p.Path
		switch {
		case strings.HasPrefix(p.Path, "nodes["):
			if seen {
				continue
			}
			seen, place, rest = true, nodes, p.Path[len("nodes"):]
		case strings.HasPrefix(p.Path, "topology"):
			place, rest = deepest(n, p.Path[len("topology"):])
		}
		msg, want := p.Value, p.Want
		if rest = strings.TrimPrefix(rest, "."); rest != "" {
			msg = rest + ": " + msg
		}
		if strings.HasSuffix(p.Path, ".from") || strings.HasSuffix(p.Path, ".to") {
			want += didYouMean(place.Text(), c)
		}
		d.Fail(place, msg, want)
	}
}

// deepest follows a path as far as the file has it, and returns what is left.
func deepest(n *yamldoc.Node, path string) (*yamldoc.Node, string) {
	for path != "" {
		end := 1 + strings.IndexAny(path[1:]+".", ".[")
		next := n.Value(path[1:end])
		if path[0] == '[' {
			i, _ := strconv.Atoi(path[1 : end-1])
			next = n.Item(i)
		}
		if next == nil {
			break
		}
		n, path = next, path[end:]
	}
	return n, path
}

// didYouMean suggests nodes and switches.
func didYouMean(name string, c build.Cluster) string {
	var known []string
	if g, ok := c.Topology.(build.Graph); ok {
		known = slices.Clone(g.Switches)
	}
	return input.Suggestion(name, each.Append(known, c.Nodes, func(n build.Node) string { return n.Name }))
}

// CheckLinks reports at n why messages cannot share the links of a machine.
func CheckLinks(d *yamldoc.Decoder, n *yamldoc.Node, m *topology.Machine) {
	if d.ProblemCount() > 0 {
		return
	}
	c, _, err := build.ClusterOf(m)
	if err == nil {
		if problems := c.Problems(); problems != nil {
			err = fmt.Errorf("machine %s: %w", m.Name, problems[0]) // the others are probably similar
		}
	}
	if err != nil {
		d.Fail(n, err.Error(), "")
	}
}

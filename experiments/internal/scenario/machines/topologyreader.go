package machines

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/topology"
)

// topologyKind is a topology that machine files can name.
type topologyKind struct {
	name string
	form string // an example
	bare bool   // the name alone says enough
	// fields are its parameters. A topology with two sets of them is read by the
	// others if the file has keys of those alone.
	fields, others []schema.Field
	read           func(s *topologySection) build.Topology
}

// topologyKinds are all topologies.
var topologyKinds = []topologyKind{
	{name: "star", form: "star", bare: true, read: func(*topologySection) build.Topology { return build.Star{} }},
	{name: "bus", form: "bus", bare: true, read: func(*topologySection) build.Topology { return build.Bus{} }},
	{name: "backbone", form: "{name: backbone, latency: 5 us, bandwidth: 40 Gbit/s}", bare: true, fields: cableFields, read: (*topologySection).backbone},
	{name: "tree", form: "{name: tree, subclusters: [{name: rack-1, nodes: 16}, {name: rack-2, nodes: 16}]} or {name: tree, levels: [16, 2], uplinks: [{latency: 5 us, bandwidth: 40 Gbit/s}]}", read: (*topologySection).tree, others: []schema.Field{
		{Key: "levels", Type: schema.List{Of: schema.AnyOf{countType, countsType}, Min: 1}, Required: true, Meaning: "nodes at a switch, switches below one of the next level, and so on, innermost level first; a list for switches that differ, as in [[4, 8], 2]"},
		{Key: "uplinks", Type: schema.List{Of: cableObject, Min: 1}, Default: "network", Meaning: "link from a switch of each level to the one above, innermost level first; the last one holds for all levels above"},
	}},
	{name: "fat-tree", form: "{name: fat-tree, hosts: 16, spines: 4} or {name: fat-tree, down: [4, 4], up: [1, 2]}", fields: []schema.Field{
		{Key: "hosts", Type: countType, Required: true, Meaning: "nodes of each leaf switch"},
		{Key: "spines", Type: countType, Required: true, Meaning: "spine switches"},
		{Key: "oversubscription", Type: oversubscription, Default: "1", Meaning: "bandwidth of the nodes of a leaf over that of its uplinks"},
	}, others: []schema.Field{
		{Key: "down", Type: countsType, Required: true, Meaning: "switches or nodes below a switch, lowest level first"},
		{Key: "up", Type: countsType, Required: true, Meaning: "switches above a node or switch, lowest level first"},
		{Key: "cables", Type: countsType, Default: "1 each", Meaning: "parallel cables of each level"},
		{Key: "bandwidths", Type: schema.List{Of: schema.Bandwidth}, Default: "network", Meaning: "bandwidth of the cables of each level"},
	}, read: (*topologySection).fatTree},
	{name: "torus", form: "{name: torus, dimensions: [4, 4, 2]}", fields: dimensionFields, read: func(s *topologySection) build.Topology {
		return build.Torus{Dimensions: s.counts("dimensions", true)}
	}},
	{name: "mesh", form: "{name: mesh, dimensions: [4, 4, 2]}", fields: dimensionFields, read: func(s *topologySection) build.Topology {
		return build.Torus{Dimensions: s.counts("dimensions", true), Mesh: true}
	}},
	{name: "dragonfly", form: "{name: dragonfly, groups: 9, routers: 4, nodes: 2}", fields: []schema.Field{
		{Key: "groups", Type: countType, Required: true, Meaning: "groups"},
		{Key: "chassis", Type: countType, Default: "1", Meaning: "chassis of a group"},
		{Key: "routers", Type: countType, Required: true, Meaning: "routers of a chassis"},
		{Key: "nodes", Type: countType, Required: true, Meaning: "nodes of a router"},
		{Key: "global_cables", Type: countType, Default: "1", Meaning: "parallel cables between groups"},
		{Key: "chassis_cables", Type: countType, Default: "1", Meaning: "parallel cables between chassis"},
		{Key: "router_cables", Type: countType, Default: "1", Meaning: "parallel cables between routers"},
		{Key: "global", Type: cableObject, Default: "network", Meaning: "cables between groups"},
	}, read: (*topologySection).dragonfly},
	{name: "graph", form: "{name: graph, switches: [s], links: [{from: node-1, to: s}, {from: node-2, to: s}]}", fields: []schema.Field{
		{Key: "switches", Type: schema.List{Of: schema.Name}, Meaning: "names of the switches"},
		{Key: "links", Type: schema.List{Of: linkObject}, Required: true, Meaning: "cables between nodes and switches"},
	}, read: (*topologySection).graph},
}

// What topologies are made of.
var (
	countType        = schema.Integer{Min: 1, Max: build.MaxNodes}
	countsType       = schema.List{Of: countType, Min: 1}
	oversubscription = schema.Number{Min: 1e-6, Max: 1e6}
	dimensionFields  = []schema.Field{{Key: "dimensions", Type: countsType, Required: true, Meaning: "nodes in each dimension"}}
	cableFields      = []schema.Field{
		{Key: "latency", Type: schema.Time, Default: "network", Meaning: "time of an empty message"},
		{Key: "bandwidth", Type: schema.Bandwidth, Default: "network", Meaning: "capacity"},
	}
	cableObject   = &schema.Object{What: "a connection, as in {latency: 1 us, bandwidth: 10 GB/s}", Fields: cableFields}
	clusterFields = []schema.Field{
		{Key: "nodes", Type: schema.Integer{Min: 0, Max: build.MaxNodes}, Default: "0", Meaning: "nodes at the switch"},
		{Key: "local", Type: cableObject, Default: "network", Meaning: "cables of these nodes"},
		{Key: "backbone", Type: cableObject, Meaning: "a link that all messages through the switch share"},
	}
	linkObject = &schema.Object{What: "a cable, as in {from: node-1, to: switch-1}", Fields: append([]schema.Field{
		{Key: "from", Type: schema.Text, Required: true, Meaning: "the name of a node or a switch"},
		{Key: "to", Type: schema.Text, Required: true, Meaning: "the name of a node or a switch"},
	}, cableFields...)}
)

// subclusterObject is a cluster below a switch. It may have clusters below its
// own, so it is completed by init.
var subclusterObject = &schema.Object{What: "a subcluster, as in {name: rack-1, nodes: 16, uplink: {latency: 5 us, bandwidth: 40 Gbit/s}}", Ref: "subcluster"}

func init() {
	clusterFields = append(clusterFields, schema.Field{Key: "subclusters", Type: schema.List{Of: subclusterObject}, Meaning: "clusters below the switch"})
	subclusterObject.Fields = append([]schema.Field{
		{Key: "name", Type: schema.Name, Meaning: "name of the subcluster"},
		{Key: "uplink", Type: cableObject, Default: "network", Meaning: "link to the switch above"},
	}, clusterFields...)
	for i := range topologyKinds {
		if k := &topologyKinds[i]; k.name == "tree" {
			k.fields = clusterFields
		}
	}
}

// object is a topology with one of its sets of parameters.
func (k *topologyKind) object(fields []schema.Field) *schema.Object {
	return &schema.Object{What: "a topology", Fields: append([]schema.Field{{Key: "name", Type: schema.OneOf{k.name}, Required: true}}, fields...)}
}

// topologyType is how a file gives a topology.
func topologyType() schema.Type {
	var names schema.OneOf
	forms := schema.AnyOf{nil}
	for i := range topologyKinds {
		k := &topologyKinds[i]
		if k.bare {
			names = append(names, k.name)
		}
		forms = append(forms, k.object(k.fields))
		if k.others != nil {
			forms = append(forms, k.object(k.others))
		}
	}
	forms[0] = names
	return forms
}

// anyTopology is a topology whose name is not known.
var anyTopology = &schema.Object{What: "a topology", Fields: []schema.Field{{Key: "name", Type: schema.Text, Required: true}}}

// topology reads how the nodes of a machine are wired: the name of a topology,
// or a mapping with its name and parameters. nodes is where the file lists the
// nodes. REQUIRES: all else of the machine has been read.
func (r reader) topology(n, nodes *yamldoc.Node, m *topology.Machine) {
	if n == nil {
		return
	}
	names := make([]string, len(topologyKinds))
	for i, k := range topologyKinds {
		names[i] = k.name
	}
	nameNode, keys := n, (*yamldoc.Node)(nil)
	if n.IsMapping() {
		nameNode, keys = anyTopology.Open(r.Decoder, n).Require("name", "the name of a topology"), n
	}
	i := slices.Index(names, r.OneOf(nameNode, names, "topology"))
	if i < 0 {
		return
	}
	kind := &topologyKinds[i]
	if !n.IsMapping() && !kind.bare {
		r.Fail(n, fmt.Sprintf("a %s has parameters", kind.name), "a mapping such as "+kind.form)
		return
	}
	before := r.ProblemCount()
	fields, given := kind.fields, func(f schema.Field) bool { return keys.Has(f.Key) }
	byOthers := slices.ContainsFunc(kind.others, given) && !slices.ContainsFunc(fields, given)
	if byOthers {
		fields = kind.others
	}
	doc := kind.object(fields).Open(r.Decoder, keys)
	doc.Take("name")
	s := &topologySection{
		reader: r, keys: doc, byOthers: byOthers, path: "topology", places: map[string]*yamldoc.Node{"topology": n, "nodes": nodes},
		network: topology.Connection{Latency: m.Network.Latency, Bandwidth: m.Network.Bandwidth},
	}
	t := kind.read(s)
	doc.Done()
	if r.ProblemCount() > before {
		return
	}
	m.Network.Topology = t
	if _, levels := t.(build.Levels); levels && m.Network.BetweenGroups != nil {
		r.Fail(n, "levels beside between_groups", "one of them: the uplinks say what is between subclusters")
		return
	}
	if before > 0 {
		return // the nodes may be others than the file means
	}
	c, _, err := build.ClusterOf(m)
	if err != nil {
		r.Fail(n, err.Error(), "")
		return
	}
	s.report(c)
}

// topologySection reads a mapping that describes a topology or a part of one.
type topologySection struct {
	reader
	keys     *schema.Mapping
	byOthers bool                     // by the other set of parameters of the topology
	path     string                   // of the section, as package build calls it
	places   map[string]*yamldoc.Node // of everything, by such a path
	network  topology.Connection      // that of the network, for what the file leaves out
}

func (s *topologySection) take(key string) *yamldoc.Node { return s.at(s.keys.Take(key), "."+key) }

func (s *topologySection) require(key, want string) *yamldoc.Node {
	return s.at(s.keys.Require(key, want), "."+key)
}

// at remembers where a part of the section is.
func (s *topologySection) at(n *yamldoc.Node, part string) *yamldoc.Node {
	if n != nil {
		s.places[s.path+part] = n
	}
	return n
}

// elements returns the elements of a list, and remembers them.
func (s *topologySection) elements(key string, n *yamldoc.Node, what string) []*yamldoc.Node {
	list := s.Sequence(n, what)
	for i, e := range list {
		s.at(e, fmt.Sprintf(".%s[%d]", key, i))
	}
	return list
}

const wantCount = "a whole number, at least 1"

// counts reads a list of numbers; nil if it may be left out and is.
func (s *topologySection) counts(key string, required bool) []int {
	const want = "a list of whole numbers, such as [4, 4]"
	n := s.take(key)
	if n == nil && required {
		n = s.require(key, want)
	}
	var counts []int
	list := s.elements(key, n, "whole numbers, such as [4, 4]")
	if n.IsSequence() && len(list) == 0 {
		s.Fail(n, "empty", want)
	}
	for _, e := range list {
		counts = append(counts, s.Int(e, 1, build.MaxNodes, wantCount))
	}
	return counts
}

// count reads a number that must be there.
func (s *topologySection) count(key string) int {
	return s.Int(s.require(key, wantCount), 1, build.MaxNodes, wantCount)
}

// countOr reads a number that may be left out.
func (s *topologySection) countOr(key string, least, other int) int {
	if n := s.take(key); n != nil {
		return s.Int(n, least, build.MaxNodes, fmt.Sprintf("a whole number, at least %d", least))
	}
	return other
}

// connection completes c by the latency and the bandwidth that d gives.
func (s *topologySection) connection(d *schema.Mapping, c topology.Connection) topology.Connection {
	return topology.Connection{
		Latency:   schema.Time.ReadOr(s.Decoder, d.Take("latency"), c.Latency),
		Bandwidth: schema.Bandwidth.ReadOr(s.Decoder, d.Take("bandwidth"), c.Bandwidth),
	}
}

// optional reads a connection that may be left out: then it is nil.
func (s *topologySection) optional(key string, c topology.Connection) *topology.Connection {
	n := s.take(key)
	if n == nil {
		return nil
	}
	d := cableObject.Open(s.Decoder, n)
	c = s.connection(d, c)
	d.Done()
	return &c
}

func (s *topologySection) backbone() build.Topology {
	return build.Backbone(s.connection(s.keys, s.network))
}

// tree reads either form.
func (s *topologySection) tree() build.Topology {
	if s.byOthers {
		return s.levels()
	}
	return build.Tree(s.subcluster())
}

// levelCounts reads the counts of the levels of a tree.
func (s *topologySection) levelCounts() build.Levels {
	var t build.Levels
	const want = "a list of whole numbers, such as [4, 4]"
	n := s.require("levels", want)
	list := s.elements("levels", n, "whole numbers, such as [4, 4]")
	if n.IsSequence() && len(list) == 0 {
		s.Fail(n, "empty", want)
	}
	for l, e := range list {
		if !e.IsSequence() {
			t.Counts = append(t.Counts, s.Int(e, 1, build.MaxNodes, wantCount))
			continue
		}
		var groups []int
		for _, v := range s.Sequence(e, want) {
			groups = append(groups, s.Int(v, 1, build.MaxNodes, wantCount))
		}
		if len(groups) == 0 {
			s.Fail(e, "empty", "the numbers of the switches of this level one after another, as in [4, 8]")
			groups = []int{1}
		}
		t.Counts = append(t.Counts, slices.Max(groups))
		if slices.Min(groups) < slices.Max(groups) {
			for len(t.Groups) < l {
				t.Groups = append(t.Groups, nil)
			}
			t.Groups = append(t.Groups, groups)
		}
	}
	return t
}

// levels reads a tree whose subclusters are alike. The last uplink holds for all
// levels above it.
func (s *topologySection) levels() build.Topology {
	t := s.levelCounts()
	given := s.take("uplinks")
	var uplinks []topology.Connection
	for _, n := range s.elements("uplinks", given, "uplinks, as in [{latency: 20 us, bandwidth: 1 Gbit/s}]") {
		d := cableObject.Open(s.Decoder, n)
		uplinks = append(uplinks, s.connection(d, s.network))
		d.Done()
	}
	above := max(0, len(t.Counts)-1)
	switch most := max(1, above); { // one holds for all levels above, also for none
	case given.IsSequence() && len(uplinks) == 0:
		s.Fail(given, "empty", "an uplink for each level above the innermost, or for the first of them")
	case len(uplinks) > most && len(t.Counts) > 0:
		s.Fail(given, fmt.Sprintf("%d uplinks for %s", len(uplinks), input.Plural(len(t.Counts), "level")), fmt.Sprintf("at most %d, one for each level above the innermost", most))
	}
	if len(uplinks) == 0 {
		uplinks = []topology.Connection{s.network}
	}
	for l := range above {
		t.Uplinks = append(t.Uplinks, uplinks[min(l, len(uplinks)-1)])
	}
	return t
}

// subcluster reads one without its name and its uplink, which the outermost does
// not have.
func (s *topologySection) subcluster() build.Subcluster {
	c := build.Subcluster{
		Nodes: s.countOr("nodes", 0, 0), Local: s.optional("local", s.network), Backbone: s.optional("backbone", s.network),
	}
	names := map[string]bool{}
	const form = "{name: rack-1, nodes: 16, uplink: {latency: 5 us, bandwidth: 40 Gbit/s}}"
	for i, n := range s.elements("subclusters", s.take("subclusters"), "subclusters, as in "+form) {
		in := *s
		in.keys, in.path = subclusterObject.Open(s.Decoder, n), fmt.Sprintf("%s.subclusters[%d]", s.path, i)
		name := in.take("name")
		sub := in.subcluster()
		if sub.Name = schema.Name.Read(s.Decoder, name); sub.Name != "" && names[sub.Name] {
			s.Fail(name, fmt.Sprintf("a second %s at the same switch", sub.Name), "a name of its own")
		}
		names[sub.Name] = true
		sub.Uplink = s.network
		if c := in.optional("uplink", s.network); c != nil {
			sub.Uplink = *c
		}
		in.keys.Done()
		c.Subclusters = append(c.Subclusters, sub)
	}
	return c
}

// fatTree reads either form.
func (s *topologySection) fatTree() build.Topology {
	if !s.byOthers {
		l := build.LeafSpine{Hosts: s.count("hosts"), Spines: s.count("spines"), Oversubscription: 1}
		if n := s.take("oversubscription"); n != nil {
			l.Oversubscription = s.Float(n, "a factor from 1e-06 to 1e+06; 1 for none", oversubscription.In)
		}
		return l
	}
	f := build.FatTree{Down: s.counts("down", true), Up: s.counts("up", true), Cables: s.counts("cables", false)}
	if _, given := s.places["topology.cables"]; !given {
		f.Cables = slices.Repeat([]int{1}, len(f.Down))
	}
	for _, n := range s.elements("bandwidths", s.take("bandwidths"), "bandwidths, one for each level") {
		f.Bandwidths = append(f.Bandwidths, schema.Bandwidth.Read(s.Decoder, n))
	}
	return f
}

func (s *topologySection) dragonfly() build.Topology {
	between := s.network
	between.Latency /= 2
	return build.Dragonfly{
		Groups: s.count("groups"), Chassis: s.countOr("chassis", 1, 1), Routers: s.count("routers"), Nodes: s.count("nodes"),
		GlobalCables: s.countOr("global_cables", 1, 1), ChassisCables: s.countOr("chassis_cables", 1, 1), RouterCables: s.countOr("router_cables", 1, 1),
		Global: s.optional("global", between),
	}
}

func (s *topologySection) graph() build.Topology {
	var g build.Graph
	for _, n := range s.elements("switches", s.take("switches"), "names of switches") {
		g.Switches = append(g.Switches, schema.Name.Read(s.Decoder, n))
	}
	const form, end = "{from: node-1, to: switch-1}", "the name of a node or a switch"
	links := s.require("links", "a list of cables, as in ["+form+"]")
	for i, n := range s.elements("links", links, "cables, as in "+form) {
		in := *s
		in.keys, in.path = linkObject.Open(s.Decoder, n), fmt.Sprintf("%s.links[%d]", s.path, i)
		l := build.Cable{From: s.String(in.require("from", end), end), To: s.String(in.require("to", end), end)}
		c := s.connection(in.keys, topology.Connection{Latency: s.network.Latency / 2, Bandwidth: s.network.Bandwidth})
		if n.Has("latency") || n.Has("bandwidth") {
			l.Connection = &c
		}
		in.keys.Done()
		g.Links = append(g.Links, l)
	}
	return g
}

// mostProblems is how many problems of one topology are worth reading.
const mostProblems = 10

// report reports what package build finds wrong, each problem at its place in
// the file or that of what contains it.
func (s *topologySection) report(c build.Cluster) {
	var problems build.Problems
	if err := c.Validate(); !errors.As(err, &problems) {
		return // nothing: Validate has no other errors
	}
	nodes := false // those of nodes are all alike
	for _, p := range problems[:min(len(problems), mostProblems)] {
		if strings.HasPrefix(p.Path, "nodes[") {
			if nodes {
				continue
			}
			nodes = true
		}
		part := p.Path
		for s.places[part] == nil && part != "" {
			part = part[:max(0, strings.LastIndexAny(part, ".["))]
		}
		if p.Path == "nodes" {
			part = "" // too many of them for the topology
		}
		place, msg, want := s.places[part], p.Value, p.Want
		if place == nil {
			place = s.places["topology"]
		}
		if rest := strings.TrimPrefix(p.Path[len(part):], "."); rest != "" {
			msg = rest + ": " + msg
		}
		if strings.HasSuffix(p.Path, ".from") || strings.HasSuffix(p.Path, ".to") {
			want += didYouMean(place.Text(), c)
		}
		s.Fail(place, msg, want)
	}
}

// didYouMean suggests nodes and switches.
func didYouMean(name string, c build.Cluster) string {
	var known []string
	if g, ok := c.Topology.(build.Graph); ok {
		known = slices.Clone(g.Switches)
	}
	for i := range c.Nodes {
		known = append(known, c.Nodes[i].Name)
	}
	return input.Suggestion(name, known)
}

// CheckLinks reports at n why messages cannot share the links of a machine.
func CheckLinks(d *yamldoc.Decoder, n *yamldoc.Node, m *topology.Machine) {
	if d.ProblemCount() > 0 {
		return
	}
	c, _, err := build.ClusterOf(m)
	if err == nil {
		if problems, ok := errors.AsType[build.Problems](c.Validate()); ok {
			err = fmt.Errorf("machine %s: %w", m.Name, problems[0]) // the others are likely to be alike
		}
	}
	if err != nil {
		d.Fail(n, err.Error(), "")
	}
}

package explorer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Control is a value of a scenario that the page can change.
type Control struct {
	Path    string `json:"path"` // as for --set
	Label   string `json:"label"`
	Group   string `json:"group"` // machine, network, workload, budget or running
	Kind    string `json:"kind"`  // quantity, number, count, flag or choice
	Meaning string `json:"meaning"`
	Value   string `json:"value"` // as in a file
	// Number is the value of a quantity, a number or a count, in base units. From and To are the ends of its slider;
	// values outside may be typed. Log: the slider is logarithmic; a quantity of 0 is then at its lower end.
	Number float64 `json:"number,omitempty"`
	From   float64 `json:"from"`
	To     float64 `json:"to,omitempty"`
	Log    bool    `json:"log,omitempty"`
	Unit   string  `json:"unit,omitempty"` // the base unit of a quantity
	// Suffix follows the value, for example with its range.
	Suffix string `json:"suffix,omitempty"`
	// Choices are the options of a choice, Texts their texts in a file if these differ.
	Choices []string `json:"choices,omitempty"`
	Texts   []string `json:"texts,omitempty"`
	// Advanced: of interest to few.
	Advanced bool `json:"advanced,omitempty"`
	// Replaces: another choice replaces the whole mapping, including what was set in it.
	Replaces bool `json:"replaces,omitempty"`
}

// described is the answer to "controls".
type described struct {
	Title    string    `json:"title"`
	Controls []Control `json:"controls"`
	// Files are the files that the scenario consists of.
	Files []string `json:"files"`
	// HasLinks: messages share links, so that there is a topology to show.
	HasLinks bool `json:"has_links"`
	// Nodes is the number of nodes of the machine.
	Nodes     int `json:"nodes"`
	Processes int `json:"processes"`
	// Size is the path of the problem size, and Count that of the number of nodes; empty if there is none or several.
	Size  string `json:"size,omitempty"`
	Count string `json:"count,omitempty"`
}

// controls says what can be changed in a scenario, with the current values.
func (b *Bridge) controls(_ context.Context, c *scenario.Case, q *Request) (any, error) {
	root, err := b.documents.Root(q.File, q.Set)
	if err != nil {
		return nil, err
	}
	if c.Super != nil {
		return described{Title: c.Super.Title, Controls: superControls(root), Files: b.files(c.Super.Inputs)}, nil
	}
	s := c.Scenario
	d := described{Title: s.Title, Files: b.files(s.Inputs), HasLinks: s.HasLinks(), Nodes: build.CountNodes(s.Machine)}
	placement, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, err
	}
	d.Processes = placement.Ranks()
	d.machine(s, root)
	d.network(s)
	d.workload(s)
	return d, nil
}

// files returns the names of the documents among inputs.
func (b *Bridge) files(inputs []input.Input) []string {
	names := []string{}
	for _, x := range inputs {
		if _, ok := b.documents[x.File]; ok {
			names = append(names, x.File)
		}
	}
	return names
}

func (d *described) add(c Control) { d.Controls = append(d.Controls, c) }

// ofTheFile is appended to the kind of a topology whose sizes are not among the proposed ones.
const ofTheFile = ", of the file"

// own is the name of the file's own machine among those of the catalogue.
const own = "its own"

// nodesOf returns the label of a number of nodes, which names their type if there are several.
func nodesOf(name string, kinds int) string {
	if kinds == 1 {
		return "nodes"
	}
	return "nodes: " + name
}

func (d *described) machine(s *scenario.Scenario, root *yamldoc.Node) {
	if !root.Has("nodes") && !root.Has("placement") {
		names := topology.CatalogueNames()
		name := s.Machine.Name
		if !slices.Contains(names, name) {
			name, names = own, append([]string{own}, names...)
		}
		d.add(Control{Path: "machine", Label: "machine", Group: "machine", Kind: "choice", Replaces: true,
			Value: name, Choices: names,
			Meaning: "the machine of the file, or one of the catalogue"})
	}
	if root.Has("nodes") {
		for _, t := range s.Machine.Types {
			d.add(count("nodes."+t.Name, nodesOf(t.Name, len(s.Machine.Types)), "machine",
				"how many nodes of this type take part", s.Selection.Nodes[t.Name], 0, s.Machine.Available(t.Name)))
		}
		if len(s.Machine.Types) == 1 {
			d.Count = "nodes." + s.Machine.Types[0].Name
		}
	} else {
		for i, g := range s.Machine.Groups {
			c := count(fmt.Sprintf("machine.nodes[%d].count", i), nodesOf(g.Type, len(s.Machine.Groups)), "machine",
				"nodes of the group", g.Count, 1, max(128, g.Count))
			c.Log = true
			d.add(c)
		}
		if len(s.Machine.Groups) == 1 {
			d.Count = "machine.nodes[0].count"
		}
	}
	for _, t := range s.Machine.Types {
		speed := quantity("machine.node_types."+t.Name+".marked_speed", t.Name+": speed of a core", "machine",
			t.MarkedSpeed, "flop/s", 1e6, 1e13,
			"benchmarked speed of one core")
		speed.Advanced = len(s.Machine.Types) > 2
		d.add(speed)
	}
	d.add(rankOrder(s))
	if s.Network.Flow != nil {
		kind := "star"
		if t := s.Machine.Network.Topology; t != nil {
			kind = t.Kind()
		}
		c := Control{Path: "machine.network.topology", Label: "topology", Group: "machine", Kind: "choice", Value: kind,
			Meaning: "how the nodes are wired; the sizes follow from the number of nodes"}
		for _, t := range topologiesFor(d.Nodes) {
			c.Choices, c.Texts = append(c.Choices, t.Name), append(c.Texts, t.Text)
		}
		if given := textAt(root, "machine.network.topology"); given != "" {
			if i := slices.Index(c.Texts, given); i >= 0 {
				c.Value = c.Choices[i]
			}
		}
		if !slices.Contains(c.Choices, c.Value) {
			c.Value += ofTheFile
			c.Choices, c.Texts = append([]string{c.Value}, c.Choices...), append([]string{""}, c.Texts...)
		}
		d.add(c)
		n := s.Machine.Network
		d.add(quantity("machine.network.latency", "latency", "network", n.Latency, "s", 1e-8, 1e-2,
			"time of an empty message between two nodes of a star"))
		d.add(quantity("machine.network.bandwidth", "bandwidth", "network", n.Bandwidth, "B/s", 1e6, 1e12,
			"capacity of a link"))
	}
}

// rankOrder returns the control for which rank runs where.
func rankOrder(s *scenario.Scenario) Control {
	c := Control{Path: "rank_order", Label: "order of the ranks", Group: "machine", Kind: "choice", Advanced: true,
		Value: cmp.Or(s.RankOrder.Name, scenario.RankOrders[0]), Choices: scenario.RankOrders,
		Meaning: "one node after the other, in turn over nodes or groups of them, or near the ranks that a rank sends most to"}
	if !slices.Contains(c.Choices, c.Value) { // a file of ranks
		c.Choices, c.Texts = append([]string{c.Value}, c.Choices...), append([]string{""}, c.Choices...)
	}
	return c
}

// textAt returns the text of a scalar, or the JSON of anything else, at a path; "" if nothing is there.
func textAt(n *yamldoc.Node, path string) string {
	switch n = n.At(path); {
	case n == nil || n.IsNull():
		return ""
	case n.IsScalar():
		return n.Text()
	}
	return string(n.JSON())
}

// told is a setting in words, and its value.
type told struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// settings describes settings by their paths as controls do, or, without a control, as the workload or the file does.
func (b *Bridge) settings(ctx context.Context, c *scenario.Case, q *Request) (any, error) {
	d, err := b.controls(ctx, c, q)
	if err != nil {
		return nil, err
	}
	read, parameters := b.documents.Root, []input.Parameter(nil)
	if c.Scenario != nil {
		read, parameters = b.documents.WithMachine, c.Scenario.Workload.Parameters
	}
	root, err := read(q.File, q.Set)
	if err != nil {
		return nil, err
	}
	return each.Append(nil, q.Paths, func(path string) told {
		for _, x := range d.(described).Controls {
			if x.Path == path {
				return told{x.Label, strings.TrimSuffix(x.Value, ofTheFile)}
			}
		}
		for _, p := range parameters {
			if "workload."+p.Name == path {
				return told{strings.ReplaceAll(p.Name, "_", " "), p.Value}
			}
		}
		keys := strings.Split(strings.ReplaceAll(path, "_", " "), ".")
		return told{strings.Join(keys[max(0, len(keys)-2):], ": "), textAt(root, path)}
	}), nil
}

func (d *described) network(s *scenario.Scenario) {
	names := slices.DeleteFunc(networks.Names(), func(name string) bool { return name == "" })
	d.add(Control{Path: "network", Label: "model", Group: "network", Kind: "choice", Replaces: true,
		Value: s.Network.Kind.Name, Choices: names, Meaning: s.Network.Kind.Title})
	usual := []string{"latency", "bandwidth", "eager_limit", "eager_threshold", "gap", "overhead"}
	values := map[string]input.Parameter{}
	for _, p := range s.Network.Parameters {
		values[p.Name] = p
	}
	for _, f := range networks.KindOf(s.Network.Kind.Name).Parameters() {
		p, known := values[f.Key]
		if c, ok := controlOf("network", f, p.Value, known); ok {
			c.Advanced = c.Advanced || p.Note != "scenario" &&
				!slices.Contains(usual, f.Key)
			d.add(c)
		}
	}
}

func (d *described) workload(s *scenario.Scenario) {
	w, fields := s.Workload, []schema.Field(nil)
	if slices.Contains(workload.Names(), w.Name) {
		kind := workload.Named(w.Name)
		fields = workload.Parameters(kind)
		d.add(Control{Path: "workload", Label: "workload", Group: "workload", Kind: "choice", Replaces: true,
			Value: w.Name, Choices: workload.Names(), Meaning: kind.Title})
	} else {
		fields = workload.FileParameters(w.Application.Kind())
	}
	values := map[string]input.Parameter{}
	for _, p := range w.Parameters {
		values[p.Name] = p
	}
	common := []string{"sustained", "kernel", "bytes_per_flop", "startup_per_process", "element_size"}
	for _, f := range fields {
		if f.Key == "n" {
			c := count("workload.n", "problem size n", "workload", f.Meaning, w.N, 1, max(4096, w.N))
			c.Log = true
			d.add(c)
			d.Size = c.Path
			continue
		}
		p, known := values[f.Key]
		if c, ok := controlOf("workload", f, p.Value, known); ok {
			c.Advanced = slices.Contains(common, f.Key) && p.Note != "scenario"
			d.add(c)
		}
	}
	if s.Seed >= 0 {
		d.add(count("seed", "seed", "workload", "seed of all random numbers", int(s.Seed), 0, 100))
	}
}

// superControls returns controls for the numbers at the root of a super-program.
func superControls(root *yamldoc.Node) []Control {
	all := []Control{}
	for _, key := range []string{"levels", "log2_levels", "tasks", "imbalance"} {
		if text := textAt(root, key); text != "" {
			all = append(all, Control{Path: key, Label: strings.ReplaceAll(key, "_", " "), Group: "workload", Kind: "text", Value: text,
				Meaning: "as in the file"})
		}
	}
	return all
}

// controlOf returns the control of a field with its value from the notes. It returns false for what no control can
// show, such as a mapping.
func controlOf(group string, f schema.Field, value string, known bool) (Control, bool) {
	c := Control{Path: group + "." + f.Key, Label: strings.ReplaceAll(f.Key, "_", " "), Group: group,
		Meaning: f.Meaning, Value: value, Log: true, Advanced: !known}
	read := func(unit string, from, to float64, number float64, err error) (Control, bool) {
		c.Kind, c.Unit, c.From, c.To, c.Number = "quantity", unit, from, to, number
		if err != nil { // no limit, or not given
			c.Number = math.MaxFloat64
		}
		return c, value != ""
	}
	switch t := f.Type.(type) {
	case schema.Quantity[units.Seconds]:
		x, err := units.Time.Parse(value)
		return read("s", 1e-9, 1, float64(x), err)
	case schema.Quantity[units.Bytes]:
		x, err := units.Size.Parse(value)
		return read("B", 1, 1e9, float64(x), err)
	case schema.Quantity[units.BytesPerSecond]:
		x, err := units.Bandwidth.Parse(value)
		return read("B/s", 1e6, 1e12, float64(x), err)
	case schema.Quantity[units.Flops]:
		x, err := units.Work.Parse(value)
		return read("flop", 1, 1e12, float64(x), err)
	case schema.Integer:
		n, err := strconv.Atoi(value)
		k := count(c.Path, c.Label, group, f.Meaning, n, t.Min, min(t.Max, max(1024, n)))
		k.Value, k.Advanced = value, !known
		return k, err == nil
	case schema.Number:
		x, err := strconv.ParseFloat(value, 64)
		c.Kind, c.Number, c.From, c.To, c.Log = "number", x, t.Min, min(t.Max, decade(x)), false
		if x == math.Trunc(x) && c.To > 1 { // perhaps it has to be whole, as a number of rounds; any other may be typed
			c.Kind = "count"
		}
		return c, err == nil
	case schema.OneOf:
		c.Kind, c.Choices = "choice", t
		return c, known
	case schema.AnyOf:
		if size, ok := t[0].(schema.Quantity[units.Bytes]); ok { // or a word, such as none for the eager limit
			f.Type = size
			return controlOf(group, f, value, known)
		}
		for _, form := range t {
			if names, ok := form.(schema.OneOf); ok {
				c.Kind, c.Choices = "choice", names
				if !slices.Contains(names, value) {
					c.Choices = append([]string{value}, names...)
				}
				return c, known
			}
		}
	}
	if f.Type == schema.Boolean {
		c.Kind = "flag"
		return c, known
	}
	return Control{}, false
}

// decade returns the smallest power of ten, at least 1, not below a number: the end of its slider while it moves.
func decade(x float64) float64 {
	top := 1.0
	for top < x {
		top *= 10
	}
	return top
}

func count(path, label, group, meaning string, n, from, to int) Control {
	return Control{Path: path, Label: label, Group: group, Kind: "count", Meaning: meaning, Value: strconv.Itoa(n),
		Number: float64(n), From: float64(from), To: float64(to), Log: from > 0 && to/max(from, 1) > 100}
}

// quantity returns the control of a quantity, with a logarithmic slider.
func quantity[Q interface {
	~float64
	fmt.Stringer
}](path, label, group string, x Q, unit string, from, to float64, meaning string) Control {
	return Control{Path: path, Label: label, Group: group, Kind: "quantity", Meaning: meaning, Value: x.String(),
		Number: float64(x), From: from, To: to, Log: true, Unit: unit}
}

package experiments

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// CatalogueSection is one kind of thing that scenarios can name.
type CatalogueSection struct {
	Kind    string           `json:"kind"`
	Entries []CatalogueEntry `json:"entries"`
}

// CatalogueEntry is a name with one line about it.
type CatalogueEntry struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Source   string   `json:"source,omitempty"`   // of a metric: keys of docs/references.md
	Commands []string `json:"commands,omitempty"` // of a metric: what computes it
}

// collectiveOperations are the operations that algorithms can be chosen for.
var collectiveOperations = []workloads.Collective{
	workloads.Barrier, workloads.Bcast, workloads.Reduce, workloads.Allreduce, workloads.Gather, workloads.Allgather,
	workloads.Scatter, workloads.ReduceScatter, workloads.Alltoall, workloads.Scan,
}

// List returns everything that scenarios and the command line can name.
func List() ([]CatalogueSection, error) {
	var machines []CatalogueEntry
	for _, name := range topology.CatalogueNames() {
		m, err := catalogueMachine(name)
		if err != nil {
			return nil, err
		}
		machines = append(machines, CatalogueEntry{Name: name, Title: m.Title})
	}
	var works, networks, collectives []CatalogueEntry
	for _, k := range workloadKinds {
		works = append(works, CatalogueEntry{Name: k.name, Title: k.title})
	}
	for _, m := range networkModels {
		networks = append(networks, CatalogueEntry{Name: m.name, Title: m.doc})
	}
	for _, op := range collectiveOperations {
		collectives = append(collectives, CatalogueEntry{Name: op.String(), Title: list(collective.Names(op))})
	}
	return []CatalogueSection{
		{"machines", machines}, {"workloads", works}, {"networks", networks},
		{"collectives", collectives}, {"metrics", metricEntries()},
	}, nil
}

func catalogueMachine(name string) (*topology.Machine, error) {
	r := &reader{}
	data, _ := topology.CatalogueFile(name)
	root, err := yamldoc.Parse("catalogue/"+name+".yaml", data)
	if err != nil {
		return nil, err
	}
	m := r.machineBody(root, name)
	return m, r.Err()
}

// Description is a thing in full, resolved and with units.
type Description struct {
	Kind   string      `json:"kind"`
	Name   string      `json:"name"`
	Title  string      `json:"title,omitempty"`
	Source string      `json:"source,omitempty"`
	Facts  []Parameter `json:"facts,omitempty"`
	Tables []DataTable `json:"tables,omitempty"`
	Notes  []string    `json:"notes,omitempty"`
}

// DataTable is a table of text.
type DataTable struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// DescribeOptions say what of a thing to describe.
type DescribeOptions struct {
	Overrides []Override // of the keys of a file
	From, To  string     // two hosts, to show the route between them; "" for none
}

// Describe describes a catalogue entry, a file, or a platform file of SimGrid.
func Describe(name string, o DescribeOptions) (*Description, error) {
	var (
		d   *Description
		p   *topology.Platform
		err error
	)
	switch {
	case len(o.Overrides) > 0 && isPlatformFile(name):
		return nil, inputErrorf("--set changes scenario, study and machine files, and %q is none", name)
	case len(o.Overrides) > 0 && !looksLikeFile(name):
		return nil, inputErrorf("--set changes files, and %q is a name in the catalogue", name)
	case isPlatformFile(name), slices.Contains(topology.CatalogueNames(), name):
		d, p, err = describePlaces(name, o)
	case looksLikeFile(name):
		var m *topology.Machine
		var wired bool
		if d, m, wired, err = describeFile(name, o.Overrides); err == nil && (wired || o.From != "") {
			p, err = addMachine(d, m, o)
		}
	default:
		if d, err = describeName(name); err == nil && o.From != "" {
			err = inputErrorf("a route needs hosts, and %q has none; expected a machine, a scenario, a study or a platform file", name)
		}
	}
	if err == nil && o.From != "" {
		err = addRoute(d, p, o.From, o.To)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// describePlaces describes a machine of the catalogue or a platform file.
func describePlaces(name string, o DescribeOptions) (*Description, *topology.Platform, error) {
	if isPlatformFile(name) {
		p, err := (&reader{}).platform(name)
		if err != nil {
			return nil, nil, err
		}
		return describePlatform(name, p), p, nil
	}
	m, err := catalogueMachine(name)
	if err != nil {
		return nil, nil, err
	}
	d := describeMachine(m)
	p, err := addMachine(d, m, o)
	return d, p, err
}

// describeName describes what has a name in the catalogue and no hosts.
func describeName(name string) (*Description, error) {
	for _, k := range workloadKinds {
		if k.name == name {
			return describeWorkload(k), nil
		}
	}
	if d := describeNetwork(name); d != nil {
		return d, nil
	}
	for _, op := range collectiveOperations {
		if op.String() == name {
			return describeCollective(op), nil
		}
	}
	if d := describeAlgorithm(name); d != nil {
		return d, nil
	}
	if f, m := findMetric(name); m != nil {
		return describeMetric(f, m), nil
	}
	if form := formOf(name); form != formUnknown {
		return nil, placedErrorf("%s: %s; expected a YAML file; %s", name, form.is(), form.taker(name))
	}
	sections, err := List()
	if err != nil {
		return nil, err
	}
	var known []string
	for _, s := range sections {
		for _, e := range s.Entries {
			known = append(known, e.Name)
		}
	}
	for _, a := range algorithmDocs {
		known = append(known, a.name)
	}
	return nil, inputErrorf("unknown name %q; expected a name that list shows, or a file name ending in .yaml%s", name, suggestion(name, known))
}

// describeFile describes a machine, a scenario or a study. wired says whether the
// links of the machine matter to it.
func describeFile(path string, overrides []Override) (d *Description, m *topology.Machine, wired bool, err error) {
	f, err := readAny(path, overrides)
	if err != nil {
		return nil, nil, false, err
	}
	switch {
	case f.machine != nil:
		return describeMachine(f.machine), f.machine, true, nil
	case f.scenario != nil:
		s := f.scenario
		d := &Description{Kind: "scenario", Name: path, Title: s.Title}
		d.Facts = append(settingFacts(s.Machine, s.Network, s.Workload), Parameter{"n", strconv.Itoa(s.Workload.N), ""})
		t, err := systemTable([]StudySystem{{Name: "-", Selection: s.Selection}}, s.Machine, s.Network, s.Workload)
		d.Tables = []DataTable{t}
		return d, s.Machine, s.Network.flow != nil, err
	case f.super != nil:
		return describeSuperProgram(f.super, path), nil, false, nil
	default:
		s := f.study
		d := &Description{Kind: "study", Name: path, Title: s.Title}
		d.Facts = append([]Parameter{{"target_efficiency", formatFloat(s.Target), ""}}, settingFacts(s.Machine, s.Network, s.Workload)...)
		t, err := systemTable(s.Systems, s.Machine, s.Network, s.Workload)
		d.Tables = []DataTable{t}
		return d, s.Machine, s.Network.flow != nil, err
	}
}

// settingFacts lists the machine, the network and the workload with all their
// parameters.
func settingFacts(m *topology.Machine, n Network, w Workload) []Parameter {
	facts := []Parameter{{"machine", m.Name, ""}, {"network", n.Model, ""}}
	for _, p := range n.Parameters {
		facts = append(facts, Parameter{"network." + p.Name, p.Value, p.Note})
	}
	facts = append(facts, Parameter{"workload", w.Name, ""})
	for _, p := range w.Parameters {
		facts = append(facts, Parameter{"workload." + p.Name, p.Value, p.Note})
	}
	return facts
}

func systemTable(systems []StudySystem, m *topology.Machine, n Network, w Workload) (DataTable, error) {
	t := DataTable{Title: "systems", Columns: []string{"system", "nodes", "processes", "marked speed"}}
	for _, x := range systems {
		sys, err := newSystem(m, x.Selection, n, w, 0)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, []string{x.Name, nodeSummary(sys.placement), strconv.Itoa(len(sys.speeds)), sys.placement.MarkedSpeed().String()})
	}
	return t, nil
}

// nodeSummary says how many nodes of each type take part and how many processes
// run on each if it is more than one, as "1 server x 2, 3 blade".
func nodeSummary(p *topology.Placement) string {
	var parts []string
	for i := 0; i < len(p.Runs); {
		first, nodes := p.Runs[i], 0
		for ; i < len(p.Runs) && p.Runs[i].Type == first.Type; i++ {
			nodes += p.Runs[i].Nodes
		}
		part := fmt.Sprintf("%d %s", nodes, first.Type.Name)
		if first.Processes > 1 {
			part += fmt.Sprintf(" x %d", first.Processes)
		}
		parts = append(parts, part)
	}
	return list(parts)
}

func describeMachine(m *topology.Machine) *Description {
	d := &Description{Kind: "machine", Name: m.Name, Title: m.Title, Source: m.Source, Notes: m.Notes}
	types := DataTable{Title: "node types", Columns: []string{"type", "nodes", "cores", "marked speed per core", "memory"}}
	optional := DataTable{Title: "more about node types", Columns: []string{"type", "memory bandwidth", "NIC", "price", "power"}}
	nodes, cores, known := 0, 0, false
	var total units.FlopsPerSecond
	for _, t := range m.Types {
		n := m.Available(t.Name)
		nodes += n
		cores += n * t.Cores
		total += units.FlopsPerSecond(n*t.Cores) * t.MarkedSpeed
		types.Rows = append(types.Rows, []string{t.Name, strconv.Itoa(n), strconv.Itoa(t.Cores), t.MarkedSpeed.String(), orDash(t.Memory > 0, t.Memory)})
		optional.Rows = append(optional.Rows, []string{t.Name, orDash(t.MemoryBandwidth > 0, t.MemoryBandwidth), orDash(t.NIC > 0, t.NIC),
			orDash(t.Price.Currency != "", t.Price), orDash(t.Power > 0, t.Power)})
		known = known || t.MemoryBandwidth > 0 || t.NIC > 0 || t.Price.Currency != "" || t.Power > 0
	}
	groups := DataTable{Title: "nodes", Columns: []string{"names", "type", "count"}}
	for _, g := range m.Groups {
		names := g.NodeName(0)
		if g.Count > 1 {
			names += " ... " + g.NodeName(g.Count-1)
		}
		groups.Rows = append(groups.Rows, []string{names, g.Type, strconv.Itoa(g.Count)})
	}
	d.Tables = []DataTable{types, groups}
	if known {
		d.Tables = append(d.Tables, optional)
	}
	d.Facts = []Parameter{
		{"nodes", strconv.Itoa(nodes), ""},
		{"cores", strconv.Itoa(cores), ""},
		{"marked speed", total.String(), "all cores"},
		{"network", orDash(m.Network.Title != "", m.Network.Title), ""},
		{"latency", m.Network.Latency.String(), ""},
		{"bandwidth", m.Network.Bandwidth.String(), m.Network.Bandwidth.Bits()},
		{"send overhead", m.Network.SendOverhead.String(), ""},
		{"receive overhead", m.Network.RecvOverhead.String(), ""},
	}
	for _, c := range []struct {
		name string
		*topology.Connection
	}{{"on one node", m.Network.OnNode}, {"between groups", m.Network.BetweenGroups}} {
		if c.Connection != nil {
			d.Facts = append(d.Facts, Parameter{c.name, c.Latency.String() + ", " + c.Bandwidth.String(), c.Bandwidth.Bits()})
		}
	}
	return d
}

func orDash(known bool, v any) string {
	if !known {
		return "-"
	}
	return fmt.Sprint(v)
}

func describeWorkload(k workloadKind) *Description {
	t := parameterDocTable(k.documentation())
	return &Description{Kind: "workload", Name: k.name, Title: k.title, Source: k.source, Tables: []DataTable{t}}
}

func parameterDocTable(parameters []parameterDoc) DataTable {
	t := DataTable{Title: "parameters", Columns: []string{"parameter", "default", "meaning"}}
	for _, p := range parameters {
		t.Rows = append(t.Rows, []string{p.Name, p.Default, p.Meaning})
	}
	return t
}

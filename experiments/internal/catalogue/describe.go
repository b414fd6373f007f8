package catalogue

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Section is one kind of thing that scenarios can name.
type Section struct {
	Kind    string  `json:"kind"`
	Entries []Entry `json:"entries"`
}

// Entry is a name with one line about it.
type Entry struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Source   string   `json:"source,omitempty"`   // of a metric: keys of docs/references.md
	Commands []string `json:"commands,omitempty"` // what computes a metric, or shows a lesson
}

// List returns everything that scenarios and the command line can name.
func List() ([]Section, error) {
	var known []Entry
	for _, name := range topology.CatalogueNames() {
		m, err := machines.Catalogue(name)
		if err != nil {
			return nil, err
		}
		known = append(known, Entry{Name: name, Title: m.Title})
	}
	var works, models, collectives []Entry
	for _, k := range workload.Kinds() {
		works = append(works, Entry{Name: k.Name, Title: k.Title})
	}
	for _, m := range networks.Kinds {
		models = append(models, Entry{Name: m.Name, Title: m.Title})
	}
	for _, op := range collective.Operations() {
		collectives = append(collectives, Entry{Name: op.String(), Title: input.List(collective.Names(op))})
	}
	teaching, err := lessonEntries()
	if err != nil {
		return nil, err
	}
	return []Section{
		{"machines", known}, {"workloads", works}, {"networks", models},
		{"collectives", collectives}, {"metrics", metricEntries()}, {"lessons", teaching},
	}, nil
}

// DescribeOptions are the options of Describe.
type DescribeOptions struct {
	Overrides []input.Override // of the keys of a file
	From, To  string           // two hosts, to show the route between them; "" for none
}

// Describe describes a catalogue entry, a YAML file, a platform file of SimGrid, or a log
// of jobs.
func Describe(name string, o DescribeOptions) (*input.Description, error) {
	var (
		d   *input.Description
		p   *topology.Platform
		err error
	)
	form := input.FormOf(name)
	isLog := form == input.FormBatchLog
	switch {
	case len(o.Overrides) > 0 && form == input.FormHPL:
		return nil, input.Errorf("--set applies to YAML files only; %q is an HPL.dat", name)
	case len(o.Overrides) > 0 && isLog:
		return nil, input.Errorf("--set applies to YAML files only; %q is a log of jobs", name)
	case len(o.Overrides) > 0 && machines.IsPlatformFile(name):
		return nil, input.Errorf("--set applies to YAML files only; %q is a platform file", name)
	case len(o.Overrides) > 0 && !document.LooksLikeFile(name):
		return nil, input.Errorf("--set applies to files only; %q is a name of the catalogue", name)
	case machines.IsPlatformFile(name), slices.Contains(topology.CatalogueNames(), name):
		d, p, err = describePlaces(name, o)
	case form == input.FormHPL:
		if d, err = describeHPL(name); err == nil && o.From != "" {
			err = noHosts(name)
		}
	case isLog:
		if d, err = queue.DescribeLog(name); err == nil && o.From != "" {
			err = noHosts(name)
		}
	case document.LooksLikeFile(name):
		d, p, err = describeFile(name, o)
	default:
		if d, err = describeName(name); err == nil && o.From != "" {
			err = noHosts(name)
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

// describeFile describes a YAML file, with the links of its machine where they
// matter to it.
func describeFile(path string, o DescribeOptions) (*input.Description, *topology.Platform, error) {
	f, k, err := openFile(path, o.Overrides)
	if err != nil {
		return nil, nil, err
	}
	d, err := k.describe(f)
	switch {
	case err != nil:
		return nil, nil, err
	case o.From != "" && f.machine == nil:
		return nil, nil, noHosts(path)
	case f.wired || o.From != "":
		p, err := addMachine(d, f.machine, o)
		return d, p, err
	}
	return d, nil, nil
}

// noHosts is the error for --route without hosts.
func noHosts(name string) error {
	return input.Errorf("a route needs hosts, and %q has none; expected a machine, a scenario, a study or a platform file", name)
}

// describePlaces describes a machine of the catalogue or a platform file.
func describePlaces(name string, o DescribeOptions) (*input.Description, *topology.Platform, error) {
	if machines.IsPlatformFile(name) {
		p, err := machines.ReadPlatform(&document.Reader{}, name)
		if err != nil {
			return nil, nil, err
		}
		return describePlatform(name, p), p, nil
	}
	m, err := machines.Catalogue(name)
	if err != nil {
		return nil, nil, err
	}
	d := describeMachine(m)
	p, err := addMachine(d, m, o)
	return d, p, err
}

// describeName describes what has a name in the catalogue and no hosts.
func describeName(name string) (*input.Description, error) {
	for _, k := range workload.Kinds() {
		if k.Name == name {
			return describeWorkload(k, workload.Parameters(k)), nil
		}
	}
	if d := describeNetwork(name); d != nil {
		return d, nil
	}
	for _, op := range collective.Operations() {
		if op.String() == name {
			return describeCollective(op), nil
		}
	}
	if d := describeAlgorithm(name); d != nil {
		return d, nil
	}
	if f, m := measured.FindMetric(name); m != nil {
		return describeMetric(f, m), nil
	}
	if d, err := describeLesson(name); d != nil || err != nil {
		return d, err
	}
	if form := input.FormOf(name); form != input.FormUnknown {
		return nil, input.PlacedErrorf("%s: %s; expected a YAML file; %s", name, form.Sentence(), form.CommandHint(name))
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
	return nil, input.Errorf("unknown name %q; expected a name that 'isoscale list' shows, or a file name ending in .yaml%s", name, input.Suggestion(name, known))
}

func systemTable(systems []scenario.StudySystem, m *topology.Machine) (input.DataTable, error) {
	t := input.DataTable{Title: "systems", Columns: []string{"system", "nodes", "processes", "marked speed"}}
	cores, devices := []string{}, []string{}
	for _, x := range systems {
		p, err := m.Place(x.Selection)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, []string{x.Name, watch.NodeSummary(p), strconv.Itoa(p.Ranks()), p.MarkedSpeed().String()})
		cores, devices = append(cores, watch.InUse(p.Cores())), append(devices, watch.InUse(p.Devices()))
	}
	addIdle(&t, "cores", cores)
	addIdle(&t, "devices", devices)
	return t, nil
}

// addIdle adds a column that says how many of some parts of the nodes are in use, if
// some are not.
func addIdle(t *input.DataTable, what string, inUse []string) {
	if !slices.ContainsFunc(inUse, func(s string) bool { return s != "" }) {
		return
	}
	t.Columns = append(t.Columns, what)
	for i, s := range inUse {
		t.Rows[i] = append(t.Rows[i], cmp.Or(s, "all in use"))
	}
}

func describeWorkload(k *algorithm.Kind, parameters []schema.Field) *input.Description {
	t := parameterTable(parameters)
	return &input.Description{Kind: "workload", Name: k.Name, Title: k.Title, Source: k.Source, Tables: []input.DataTable{t}}
}

// describeSpeeds adds what an application says about the speed of its computations.
func describeSpeeds(d *input.Description, a *application.Application) {
	if a.OnDevices {
		d.Facts = append(d.Facts, input.Parameter{Name: "on", Value: "devices"})
	}
	if a.Precision != "" {
		d.Facts = append(d.Facts, input.Parameter{Name: "precision", Value: a.Precision})
	}
	if len(a.Loops) == 0 {
		return
	}
	t := input.DataTable{Title: "computations with a speed of their own", Columns: []string{"kernel", "precision", "first at"}}
	for _, l := range a.Loops {
		t.Rows = append(t.Rows, []string{cmp.Or(l.Kernel, "-"), cmp.Or(l.Precision, "-"), l.At})
	}
	d.Tables = append(d.Tables, t)
}

// parameterTable lists parameters with their defaults.
func parameterTable(parameters []schema.Field) input.DataTable {
	t := input.DataTable{Title: "parameters", Columns: []string{"parameter", "default", "meaning"}}
	for _, p := range parameters {
		meaning := p.Meaning
		if names, ok := p.Type.(schema.OneOf); ok {
			meaning += ": " + input.List(names)
		}
		t.Rows = append(t.Rows, []string{p.Key, p.Default, meaning})
	}
	return t
}

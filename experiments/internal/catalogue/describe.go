package catalogue

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/examples/lessons"
	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/answer/replay"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Section is one kind of thing that scenarios can name.
type Section struct {
	Kind    string  `json:"kind"`
	Entries []Entry `json:"entries"`
}

// Entry is a name with a line about it.
type Entry struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Source   string   `json:"source,omitempty"`   // of a metric: keys of docs/references.md
	Commands []string `json:"commands,omitempty"` // what computes a metric, or shows a lesson

	describe func() *input.Description // nil for a machine
}

// List returns everything that scenarios and the command line can name.
func List() ([]Section, error) {
	var all []Section
	add := func(kind string, e Entry, describe func() *input.Description) {
		if n := len(all); n == 0 || all[n-1].Kind != kind {
			all = append(all, Section{Kind: kind})
		}
		e.describe = describe
		s := &all[len(all)-1]
		s.Entries = append(s.Entries, e)
	}
	for _, name := range topology.CatalogueNames() {
		m, err := machines.Open(name)
		if err != nil {
			return nil, err
		}
		add("machines", Entry{Name: name, Title: m.Title}, nil)
	}
	for _, k := range workload.Kinds() {
		add("workloads", Entry{Name: k.Name, Title: k.Title},
			func() *input.Description { return describeWorkload(k, workload.Parameters(k)) })
	}
	for _, k := range networks.Kinds {
		add("networks", Entry{Name: k.Name, Title: k.Title}, func() *input.Description {
			d := &input.Description{Kind: "network", Name: k.Name, Title: k.Title}
			if p := k.Parameters(); len(p) > 0 {
				d.Tables = []input.DataTable{parameterTable(p)}
			}
			return d
		})
	}
	for _, n := range model.CatalogueNodes() {
		add("nodes", Entry{Name: n.Name, Title: n.Title}, func() *input.Description { return describeNode(&n) })
	}
	for _, n := range model.CatalogueNetworks() {
		add("interconnects", Entry{Name: n.Name, Title: n.Title}, func() *input.Description { return describeNetwork(&n) })
	}
	for _, op := range collective.Operations() {
		add("collectives", Entry{Name: op.String(), Title: input.List(collective.Names(op))},
			func() *input.Description { return describeCollective(op) })
	}
	for _, m := range measured.Metrics() {
		add("metrics", Entry{Name: m.Name, Title: m.Meaning, Source: m.Source, Commands: m.Commands},
			func() *input.Description {
				return describeMetric(measured.FindMetric(m.Name))
			})
	}
	lessons, err := Lessons()
	for _, l := range lessons {
		add("lessons", Entry{Name: l.Name, Title: fmt.Sprintf("%s (%s)", l.Title, input.Plural(l.Minutes, "minute")),
			Commands: []string{fmt.Sprintf("lesson %d", l.Number)}},
			func() *input.Description {
				d := l.Describe()
				d.Name = l.Name
				return d
			})
	}
	return all, err
}

// DescribeOptions are the options of Describe.
type DescribeOptions struct {
	Overrides []input.Override // for the keys of a file
	From, To  string           // two hosts, to show the route between them; "" for none
}

// Describe describes a catalogue entry, a YAML file, a platform file of SimGrid, or a job log.
func Describe(name string, o DescribeOptions) (*input.Description, error) {
	form, what := input.FormOf(name), ""
	switch {
	case form == input.FormHPL:
		what = "an HPL.dat"
	case form == input.FormBatchLog:
		what = "a log of jobs"
	case form == input.FormParaver || form == input.FormOTF2:
		what = "a trace"
	case machines.IsPlatformFile(name):
		what = "a platform file"
	}
	if len(o.Overrides) > 0 && what != "" {
		return nil, input.Errorf("--set applies to YAML files only; %q is %s", name, what)
	}
	if len(o.Overrides) > 0 && !document.LooksLikeFile(name) {
		return nil, input.Errorf("--set applies to files only; %q is a name of the catalogue", name)
	}
	var (
		d   *input.Description
		p   *topology.Platform // nil if there are no hosts
		err error
	)
	switch {
	case machines.IsPlatformFile(name):
		d, p, err = describePlaces(name, o)
	case slices.Contains(topology.CatalogueNames(), name):
		d, p, err = describePlaces(name, o)
		if also, _ := describeName(name); err == nil && also != nil { // a node type has that name, too
			also.Tables[0].Title = "figures of a node in plans, " + also.Title
			d.Tables = append(d.Tables, also.Tables...)
		}
	case form == input.FormHPL:
		d, err = describeHPL(name)
	case form == input.FormBatchLog:
		d, err = queue.DescribeLog(name)
	case form == input.FormParaver || form == input.FormOTF2:
		d, err = replay.DescribeRecorded(context.Background(), name)
	case document.LooksLikeFile(name):
		d, p, err = describeFile(name, o)
	default:
		d, err = describeName(name)
	}
	if err == nil && o.From != "" {
		if p == nil {
			return nil, input.Errorf("a route needs hosts, and %q has none; expected a machine, a scenario, a study or a platform file", name)
		}
		err = addRoute(d, p, o.From, o.To)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// describeFile describes a YAML file, with the links of its machine if they matter to it.
func describeFile(path string, o DescribeOptions) (*input.Description, *topology.Platform, error) {
	f, k, err := openFile(path, o.Overrides)
	if err != nil {
		return nil, nil, err
	}
	d, err := k.describe(f)
	if err != nil || f.machine == nil || !f.wired && o.From == "" {
		return d, nil, err
	}
	p, err := addMachine(d, f.machine, o)
	return d, p, err
}

func describePlaces(name string, o DescribeOptions) (*input.Description, *topology.Platform, error) {
	if machines.IsPlatformFile(name) {
		p, err := machines.ReadPlatform(&document.Reader{}, name)
		if err != nil {
			return nil, nil, err
		}
		return describePlatform(name, p), p, nil
	}
	m, err := machines.Open(name)
	if err != nil {
		return nil, nil, err
	}
	d := describeMachine(m)
	p, err := addMachine(d, m, o)
	return d, p, err
}

// describeName describes a catalogue entry that has no hosts.
func describeName(name string) (*input.Description, error) {
	sections, err := List()
	if err != nil {
		return nil, err
	}
	var known []string
	for _, s := range sections {
		for _, e := range s.Entries {
			if e.Name == name && e.describe != nil {
				return e.describe(), nil
			}
			if !slices.Contains(known, e.Name) { // both a machine and a node of plans
				known = append(known, e.Name)
			}
		}
	}
	if d := describeAlgorithm(name); d != nil {
		return d, nil
	}
	if f, m := measured.FindMetric(name); m != nil { // names with hyphens
		return describeMetric(f, m), nil
	}
	if form := input.FormOf(name); form != input.FormUnknown {
		return nil, input.PlacedErrorf("%s: %s; expected a YAML file; %s", name, form.Sentence(),
			form.CommandHint(name))
	}
	known = each.Append(known, algorithmDocs, func(a []string) string { return a[1] })
	return nil, input.Errorf("unknown name %q; expected a name that 'isoscale list' shows, or a file name ending in .yaml%s", name, input.Suggestion(name, known))
}

func systemTable(s *scenario.Study) (input.DataTable, error) {
	t := input.DataTable{Title: "systems", Columns: []string{"system", "nodes", "processes", "marked speed"}}
	cores, devices := []string{}, []string{}
	for i, x := range s.Systems {
		p, err := s.MachineOf(i).Place(x.Selection)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, []string{x.Name, watch.NodeSummary(p), strconv.Itoa(p.Ranks()),
			p.MarkedSpeed().String()})
		cores, devices = append(cores, watch.InUse(p.Cores())), append(devices, watch.InUse(p.Devices()))
	}
	addIdle(&t, "cores", cores)
	addIdle(&t, "devices", devices)
	return t, nil
}

// addIdle adds a column that says how many of some parts of the nodes are in use, unless all are.
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
	return &input.Description{Kind: "workload", Name: k.Name, Title: k.Title, Source: k.Source,
		Tables: []input.DataTable{t}}
}

// describeSpeeds adds what an application says about the speed of its computations.
func describeSpeeds(d *input.Description, a *application.Application) {
	if a.OnDevices {
		d.Facts.Add("on", "devices")
	}
	d.Facts.Add("precision", a.Precision)
	if len(a.Loops) == 0 {
		return
	}
	t := input.DataTable{Title: "computations with a speed of their own",
		Columns: []string{"kernel", "precision", "first at"}}
	for _, l := range a.Loops {
		t.Rows = append(t.Rows, []string{cmp.Or(l.Kernel, "-"), cmp.Or(l.Precision, "-"), l.At})
	}
	d.Tables = append(d.Tables, t)
}

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

func describeMetric(f *measured.Family, m *measured.Metric) *input.Description {
	d := &input.Description{Kind: "metric", Name: m.Name, Title: m.Meaning, Source: m.Source}
	fact := func(name, value string) { d.Facts.Add(name, value) }
	fact("called", m.Label())
	fact("formula", m.Formula)
	fact("where", m.Symbols)
	fact("symbols", f.Symbols)
	fact("answers", m.Question)
	fact("needs", m.Needs)
	fact("needs of measured times", m.InTimes)
	fact("misleads when", m.Misleads)
	computed := "no command; in Go programs, by the functions below"
	if len(m.Commands) > 0 {
		computed = "isoscale " + strings.Join(m.Commands, ", isoscale ")
	}
	fact("computed by", computed)
	fact("in Go", "model/scalability: "+input.List(m.Functions))
	var related []string
	for _, x := range measured.Metrics() {
		if x.Advice == m.Advice && x != m {
			related = append(related, x.Name)
		}
	}
	fact("related", input.List(related))
	return d
}

// lessonFolder is where the source has the built-in lessons.
const lessonFolder = "examples/lessons"

// Lesson is a built-in lesson.
type Lesson struct {
	*lesson.Lesson
	Name   string // of the file without its suffix, as in "1-amdahl"
	File   string // in the source of the program
	Folder string // of that file and the files of its runs
	// Documents are the texts of all files of the folder, by name.
	Documents scenario.Documents
}

// Lessons returns the built-in lessons, sorted by number. They are read once and must not be changed.
var Lessons = sync.OnceValues(readLessons)

func readLessons() ([]Lesson, error) {
	documents := scenario.Documents{}
	names, err := fs.Glob(lessons.Files, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if documents[name], err = lessons.Files.ReadFile(name); err != nil {
			return nil, err
		}
	}
	var all []Lesson
	for _, name := range names {
		file := lessonFolder + "/" + name
		root, err := yamldoc.Parse(file, documents[name])
		if err != nil {
			return nil, err
		}
		if input.KindOf(root) != input.KindLesson {
			continue
		}
		l, err := lesson.ReadRoot(root)
		if err != nil {
			return nil, err
		}
		all = append(all, Lesson{l, strings.TrimSuffix(name, ".yaml"), file, lessonFolder, documents})
	}
	slices.SortFunc(all, func(a, b Lesson) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

package sweep

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Plan is a declared study.
type Plan struct {
	About    About
	Template *scenario.Template
	Design   *design.Design
	Warnings []string // levels that some points cannot be simulated with

	limits  *yamldoc.Node // nil: the plan has none
	given   *yamldoc.Node // what is derived; nil: nothing
	derived derived
	changed *yamldoc.Node // what probes change; nil: there are none
	probes  []Probe
	search  *search.Settings // nil: all points are simulated
	file    string
	root    *yamldoc.Node // of the plan, with the overrides
}

// About is what a study says of itself. It decides no row.
type About struct {
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Objective   Objective `json:"objective"`
	// Labels are what reports call factors and outcomes, by name.
	Labels  map[string]string `json:"labels,omitempty"`
	Compare *Comparison       `json:"compare,omitempty"` // nil: nothing, or what the design suggests
}

// planObject is the file of a plan.
var planObject = &schema.Object{What: "a sweep plan, with scenario and factors", Fields: slices.Concat([]schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the study in a few words"},
	{Key: "description", Type: schema.Text, Meaning: "the study in a few sentences"},
	{Key: "labels", Type: labelsType, Default: "the names in words", Meaning: wantLabels},
	{Key: "scenario", Type: schema.Later(baseType), Required: true,
		Meaning: "the scenario whose fields vary: the name of its file, {name: FILE} with further keys that replace those of the file, or the scenario itself"},
	{Key: "derived", Type: derivedType, Meaning: wantDerived},
	{Key: "probes", Type: probesType, Meaning: wantProbes + ": each point is simulated once more with each of them, to find what limits it"},
	{Key: "search", Type: search.Object, Default: "all points are simulated", Meaning: "simulate some configurations: a start, then those that a prediction from the others chooses by the objective"},
	{Key: "objective", Type: objectiveType, Meaning: "what the study is analysed for"},
	{Key: "compare", Type: compareObject, Default: "two methods or two networks", Meaning: "two levels of a factor whose difference the report maps"},
	{Key: "limits", Type: limitsObject, Default: "{memory: " + defaultMemory + ", time: " + defaultTime + "}", Meaning: "what a point may take"},
}, design.Fields)}

// baseType is how a plan gives its scenario. Factors may set what it leaves out.
func baseType() schema.Type {
	file := schema.Field{Key: "name", Type: schema.Text, Meaning: "a file; the keys beside it replace those of the file"}
	forms := schema.AnyOf{schema.Text}
	for _, t := range (schema.AnyOf{scenario.Type, scenario.SuperProgramType}).Objects() {
		o := schema.Partial(t).(*schema.Object)
		forms = append(forms, o.With(o.What, file))
	}
	return forms
}

// Type is what the file of a plan contains.
var Type schema.Type = planObject

// Read reads a plan file and checks every level of every factor in some of the
// points that have it. Its errors are yamldoc's, with the place of every problem.
func Read(path string, overrides []input.Override) (*Plan, error) {
	root, err := new(document.Reader).Open(path, overrides)
	if err != nil {
		return nil, err
	}
	if err := input.CheckKind(root, input.KindSweep); err != nil {
		return nil, err
	}
	return ReadRoot(root, path)
}

// ReadRoot is Read for the root of a file that has been opened.
func ReadRoot(root *yamldoc.Node, path string) (*Plan, error) {
	var d yamldoc.Decoder
	m := planObject.Open(&d, root)
	p := &Plan{file: path, root: root}
	p.About.Title = d.String(m.Take("title"), "a title")
	p.About.Description = d.String(m.Take("description"), "a description")
	base := m.Require("scenario", "the scenario whose fields vary: a file name or the scenario itself")
	p.Design = design.Read(&d, m)
	objective := m.Take("objective")
	compare := m.Take("compare")
	labels := m.Take("labels")
	p.limits = m.Take("limits")
	p.given = m.Take("derived")
	p.changed = m.Take("probes")
	p.search = search.Read(&d, m.Take("search"), p.Design)
	readLimits(&d, p.limits) // for its problems
	m.Done()
	if err := d.Err(); err != nil {
		return nil, err
	}
	var err error
	if p.Template, err = scenario.OpenTemplate(base, filepath.Dir(path)); err != nil {
		return nil, err
	}
	p.probes = readProbes(&d, p.changed, p.Design, outcomesOf(p.Template, p.Design))
	p.derived = readDerived(&d, p.given, p.Design, p.Template.Root, measured(p.Template, p.Design, p.probes))
	p.About.Objective = readObjective(&d, objective, p.outcomes(), p.Design)
	p.About.Compare = readCompare(&d, compare, p.Design)
	p.About.Labels = readLabels(&d, labels, p.columnNames())
	p.Warnings = append(p.Warnings, p.Design.Warnings...)
	p.checkNames(&d)
	p.checkRows(&d)
	if p.Design.Repetitions > 1 && p.Template.HasSeed() {
		p.Warnings = append(p.Warnings, "the scenario sets a seed, so all repetitions are identical")
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return p, err
	}
	if objective == nil {
		p.perWork()
	}
	if p.search != nil {
		p.search.Response, p.search.Maximize = p.About.Objective.Response, p.About.Objective.Maximize
	}
	return p, nil
}

// outcomes are those of the scenario, then the derived columns.
func (p *Plan) outcomes() []system.Outcome {
	return append(measured(p.Template, p.Design, p.probes), p.derived.outcomes()...)
}

// columnNames are those of the factors and the outcomes.
func (p *Plan) columnNames() []string {
	var names []string
	for i := range p.Design.Factors {
		names = append(names, p.Design.Factors[i].Name)
	}
	return append(names, outcomeNames(p.outcomes())...)
}

// study is one of the plan without a directory.
func (p *Plan) study() *Study {
	return &Study{Template: p.Template, Design: p.Design, derived: p.derived, Probes: p.probes, Search: p.search, outcomes: p.outcomes()}
}

// Files returns the files that the plan was read from.
func (p *Plan) Files() []string { return append(p.Template.Files(), p.file) }

// checkNames reports factors that have the name of an outcome.
func (p *Plan) checkNames(d *yamldoc.Decoder) {
	for i := range p.Design.Factors {
		f := &p.Design.Factors[i]
		if f.Name == "point" {
			d.Fail(f.Node, "point is the column of the number of a point", "another name for the factor, as in my_point: {path: point, ...}")
		}
		if f.Name == candidateColumn && p.search != nil {
			d.Fail(f.Node, candidateColumn+" is the column of the number of a point in the design", "another name for the factor, as in my_candidate: {path: candidate, ...}")
		}
		for _, o := range measured(p.Template, p.Design, p.probes) {
			if f.Name == o.Name {
				d.Fail(f.Node, fmt.Sprintf("%s is an outcome of this scenario", f.Name), fmt.Sprintf("another name for the factor, as in my_%s: {path: %s, ...}", f.Name, f.Paths[0]))
			}
		}
	}
}

// checkRows reports levels so long that a row could not be stored.
func (p *Plan) checkRows(d *yamldoc.Decoder) {
	const number = 32 // bytes of a number in a row, and more
	sum := maxError + number*(len(p.outcomes())+4)
	for i := range p.Design.Factors {
		f := &p.Design.Factors[i]
		longest := 0
		for l := range f.Len() {
			longest = max(longest, len(f.Level(l).Text))
		}
		sum += 2*longest + number // quotes may double in CSV
	}
	if sum > store.MaxRow {
		d.Fail(p.root, fmt.Sprintf("the longest levels of all factors need rows of up to %d bytes", sum), fmt.Sprintf("at most %d, as with shorter labels", store.MaxRow))
	}
}

// spec is what a results directory keeps of a plan: everything that rows depend
// on, and no file.
type spec struct {
	Scenario  json.RawMessage `json:"scenario"`
	Documents []specDocument  `json:"documents,omitempty"` // that the scenario names
	Limits    json.RawMessage `json:"limits,omitempty"`    // that the plan states
	Derived   json.RawMessage `json:"derived,omitempty"`   // that the plan states
	Probes    json.RawMessage `json:"probes,omitempty"`    // that the plan states
	Search    json.RawMessage `json:"search,omitempty"`    // with its defaults and its objective
	Design    json.RawMessage `json:"design"`              // the keys of the plan file that say which points there are
	// Factors in their order, which numbers the points: a comparison of plans
	// does not look at the order of keys.
	Factors []string `json:"factors"`
}

type specDocument struct {
	Name string          `json:"name"`
	Root json.RawMessage `json:"root"`
}

func (p *Plan) spec() (json.RawMessage, error) {
	points := p.root
	for _, key := range []string{"title", "description", "labels", "scenario", "objective", "compare", "limits", "derived", "probes", "search"} {
		points = points.Without(key)
	}
	s := spec{Scenario: p.Template.Root.JSON(), Design: points.JSON()}
	if p.limits != nil {
		s.Limits = p.limits.JSON()
	}
	if p.given != nil {
		s.Derived = p.given.JSON()
	}
	if p.changed != nil {
		s.Probes = p.changed.JSON()
	}
	if p.search != nil {
		var err error
		if s.Search, err = json.Marshal(p.search); err != nil {
			return nil, err
		}
	}
	for _, d := range p.Template.Documents() {
		s.Documents = append(s.Documents, specDocument{d.Name, d.Root.JSON()})
	}
	for _, f := range p.Design.Factors {
		s.Factors = append(s.Factors, f.Name)
	}
	return json.Marshal(s)
}

// Create makes the results directory of the plan, or opens it if it is there
// already. shards is the number of shards of a new directory, 0 for the store's
// choice.
func (p *Plan) Create(dir string, shards int) (*Study, error) {
	text, err := p.spec()
	if err != nil {
		return nil, err
	}
	// The points are those of the spec, as it will be read again: they can differ
	// from the file's where texts that look like numbers are written in another way.
	s, err := readSpec(text)
	if err != nil {
		return nil, err
	}
	points := s.points()
	switch {
	case s.Search != nil && shards > 1:
		return nil, fmt.Errorf("%d shards for a search; expected 1: what is simulated next depends on all rows before", shards)
	case s.Search != nil:
		shards = 1
	case shards == 0:
		shards = store.Shards(points)
	}
	s.Dir, err = store.Create(dir, store.Plan{
		Version: input.Version,
		Points:  points,
		Shards:  min(shards, points),
		Seed:    p.Design.Seed,
		Columns: s.columns(),
		Spec:    text,
	})
	if err != nil {
		return nil, err
	}
	s.About = p.About
	return s, p.About.write(dir)
}

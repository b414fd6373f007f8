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
	"github.com/isoscale/isoscale/internal/each"
)

// Plan is a declared study, which has no directory yet.
type Plan struct {
	*Study
	Warnings []string // levels with which some points cannot be simulated

	file string
	root *yamldoc.Node // of the plan, with the overrides
}

// About is what a study says about itself. It does not affect any row.
type About struct {
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Objective   Objective `json:"objective"`
	// Labels are what reports call factors and outcomes, by name.
	Labels  map[string]string `json:"labels,omitempty"`
	Compare *Comparison       `json:"compare,omitempty"` // nil: nothing, or what the design suggests
}

// later binds a key whose meaning depends on other keys: its value is read from the root afterwards.
func later(of schema.Type) *schema.Function { return schema.Func(of, func(*yamldoc.Node) {}) }

var planFile = schema.Declare("a sweep plan, with scenario and factors", func(k *schema.Keys, p *Plan) {
	if k.Declaring() {
		p.Study = &Study{}
	}
	k.Optional("title", schema.Func(schema.Text, func(n *yamldoc.Node) { p.About.Title = k.String(n, "a title") }), "the study in a few words")
	k.Optional("description", schema.Func(schema.Text, func(n *yamldoc.Node) { p.About.Description = k.String(n, "a description") }),
		"the study in a few sentences")
	k.Optional("labels", later(schema.Map{Of: schema.Text}).Else("the names in words"), wantLabels)
	k.Required("scenario", later(schema.Later(baseType)).Wanted("the scenario whose fields vary: a file name or the scenario itself"),
		"the scenario whose fields vary: the name of its file, {name: FILE} with further keys that replace those of the file, or the scenario itself")
	k.Optional("derived", later(derivedType), wantDerived)
	k.Optional("probes", later(probesType),
		wantProbes+": each point is simulated once more with each of them, to find what limits it")
	k.Optional("perturb", later(perturbKeys.Object),
		"repeat each point with small changes, to tell differences of machines from their effects")
	fit := true
	k.Optional("must_fit", schema.To(schema.Boolean, &fit).Else("true"),
		"a point whose data do not fit into the memory that node types state is infeasible: it is not simulated, and never the best")
	p.Unfit = !fit
	k.Optional("infeasible", later(infeasibleType).Else("none"), wantInfeasible)
	for _, x := range system.Explanations {
		k.Optional(x.Key, schema.Boolean.To(x.Of(&p.Explained)).Else("false"), x.Meaning)
	}
	k.Optional("search", later(search.Object).Else("all points are simulated"),
		"simulate some configurations: a start, then those that a prediction from the others chooses by the objective")
	k.Optional("objective", later(schema.AnyOf{objectiveKeys.Without("maximize"), objectiveKeys.Without("minimize")}),
		"what the study is analysed for")
	k.Optional("compare", later(compareKeys.Object).Else("two methods or two networks"),
		"two levels of a factor whose difference the report maps")
	k.Optional("limits", later(limitsKeys.Object).Else("{memory: "+defaultMemory+", time: "+defaultTime+"}"),
		"limits of memory and time of a point")
	design.Keys(k, &p.Design)
})

// baseType is the scenario as a plan states it. Factors may set what it leaves out.
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
var Type schema.Type = planFile.Object

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
	p := &Plan{Study: new(Study), file: path, root: root}
	planFile.Read(&d, root, p)
	p.Search = search.Read(&d, root.Value("search"), p.Design)
	limitsKeys.Read(&d, root.Value("limits"), &p.limits)
	err := d.Err()
	if err != nil {
		return nil, err
	}
	if p.Template, err = scenario.OpenTemplate(root.Value("scenario"), filepath.Dir(path)); err != nil {
		return nil, err
	}
	for _, x := range system.Explanations {
		if *x.Of(&p.Explained) && input.KindOf(p.Template.Root) == input.KindSuper {
			d.Fail(root.Value(x.Key), "a super-program has no messages on a network", "a plan without "+x.Key)
		}
	}
	p.readPerturbation(&d, root.Value("perturb"), root.Value("repetitions"))
	p.readOutcomes(&d, root.Value("probes"), root.Value("derived"))
	p.readInfeasible(&d, root.Value("infeasible"))
	p.About.Objective = p.readObjective(&d, root.Value("objective"))
	p.About.Compare = readCompare(&d, root.Value("compare"), p.Design)
	p.About.Labels = readLabels(&d, root.Value("labels"), append(factorNames(p.Design, anyFactor), outcomeNames(p.outcomes)...))
	p.Warnings = append(p.Warnings, p.Design.Warnings...)
	p.checkNames(&d)
	p.checkRows(&d)
	if p.Design.Repetitions > 1 && p.Template.HasSeed() && p.Perturb == nil {
		p.Warnings = append(p.Warnings, "the scenario sets a seed, so all repetitions are identical")
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	if n := root.Value("repetitions"); p.Design.More > 0 {
		switch {
		case p.Search != nil:
			d.Fail(n, "more repetitions in a search", "a number")
		case p.Design.Points()+p.Design.More > mostChosen:
			d.Fail(n, fmt.Sprintf("%d points with more repetitions", p.Design.Points()+p.Design.More), fmt.Sprintf("at most %d", mostChosen))
		}
		if err := d.Err(); err != nil {
			return nil, err
		}
	}
	if err := p.repeat(); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return p, err
	}
	o := &p.About.Objective
	if !root.Has("objective") {
		// The work done per time compares times per unit of work.
		u, per := p.UnequalWork(), p.Outcome(o.Response).PerWork
		if per != "" && (u != nil && u.Works || p.SetsProblem()) {
			o.Response, o.Maximize = per, true
		}
	}
	if p.Search != nil {
		p.Search.Response, p.Search.Maximize = o.Response, o.Maximize
	}
	if p.Design.More > 0 {
		p.Repeat = &Objective{Response: o.Response, Maximize: o.Maximize}
	}
	return p, nil
}

// mostChosen bounds a study whose rows decide what is run again, because each decision ranks all of them.
const mostChosen = 100_000

// Enough is how often points with random draws are run if the plan does not say.
const Enough = 5

// repeat repeats the points if a run depends on its seed, unless the plan says how often: without repetitions, noise
// would be taken for effects of the factors. All points of a repetition share a seed, so that their draws contribute
// less to their differences (common random numbers, [Law2015] 11.2).
func (p *Plan) repeat() (err error) {
	if p.Perturb != nil || p.Template.HasSeed() || p.root.Has("repetitions") && p.root.Has("seeds") || !p.Draws() {
		return nil
	}
	if !p.root.Has("repetitions") && p.Design.Repeat(Enough) {
		if p.root, err = p.root.Set("repetitions", fmt.Sprint(Enough)); err != nil {
			return err
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf("runs depend on random numbers: each point is run %d times; state repetitions for another number", Enough))
	}
	if !p.root.Has("seeds") {
		p.Design.SharedSeeds = true
		p.root, err = p.root.Set("seeds", "repetition")
	}
	return err
}

// Files returns the files that the plan was read from.
func (p *Plan) Files() []string { return append(p.Template.Files(), p.file) }

// checkNames reports factors that have the name of another column.
func (p *Plan) checkNames(d *yamldoc.Decoder) {
	for i := range p.Design.Factors {
		f := &p.Design.Factors[i]
		what, path := "", f.Name
		switch {
		case f.Name == "point":
			what = "the column of the number of a point"
		case f.Name == candidateColumn && p.chosen():
			what = "the column of the number of a point in the design"
		case slices.Contains(outcomeNames(p.outcomes), f.Name):
			what, path = "an outcome of this scenario", f.Paths[0]
		default:
			continue
		}
		d.Fail(f.Node, f.Name+" is "+what, fmt.Sprintf("another name for the factor, as in my_%s: {path: %s, ...}", f.Name, path))
	}
}

// checkRows reports levels that are too long for a row.
func (p *Plan) checkRows(d *yamldoc.Decoder) {
	const number = 32 // upper bound of the bytes of a number in a row
	sum := maxError + number*(len(p.outcomes)+4)
	for i := range p.Design.Factors {
		f := &p.Design.Factors[i]
		longest := each.Max(0, levelTexts(f, f.Len()), func(text string) int { return len(text) })
		sum += 2*longest + number // quotes may double in CSV
	}
	if sum > store.MaxRow {
		d.Fail(p.root, fmt.Sprintf("the longest levels of all factors need rows of up to %d bytes", sum), fmt.Sprintf("at most %d, as with shorter labels", store.MaxRow))
	}
}

// spec is what a results directory keeps of a plan: everything that determines the rows, without files.
type spec struct {
	Scenario   json.RawMessage `json:"scenario"`
	Documents  []specDocument  `json:"documents,omitempty"`  // named by the scenario
	Limits     json.RawMessage `json:"limits,omitempty"`     // that the plan states
	Derived    json.RawMessage `json:"derived,omitempty"`    // that the plan states
	Probes     json.RawMessage `json:"probes,omitempty"`     // that the plan states
	Perturb    json.RawMessage `json:"perturb,omitempty"`    // that the plan states
	Infeasible json.RawMessage `json:"infeasible,omitempty"` // that the plan states
	system.Explained
	Unfit  bool            `json:"unfit,omitempty"`
	Search json.RawMessage `json:"search,omitempty"` // including defaults and objective
	Design json.RawMessage `json:"design"`           // the keys of the plan file that determine the points
	Repeat *Objective      `json:"repeat,omitempty"` // decides about more repetitions
	// Factors in the order that numbers the points: a comparison of plans ignores the order of keys.
	Factors []string `json:"factors"`
}

type specDocument struct {
	Name string          `json:"name"`
	Root json.RawMessage `json:"root"`
}

func (p *Plan) spec() (json.RawMessage, error) {
	points := p.root
	for _, f := range planFile.Fields() {
		if !slices.ContainsFunc(design.Record.Fields(), func(of schema.Field) bool { return of.Key == f.Key }) {
			points = points.Without(f.Key)
		}
	}
	stated := func(key string) json.RawMessage {
		if n := p.root.Value(key); n != nil {
			return n.JSON()
		}
		return nil
	}
	s := spec{
		Scenario: p.Template.Root.JSON(), Design: points.JSON(), Factors: factorNames(p.Design, anyFactor), Repeat: p.Repeat,
		Limits: stated("limits"), Derived: stated("derived"), Probes: stated("probes"), Perturb: stated("perturb"),
		Infeasible: stated("infeasible"), Explained: p.Explained, Unfit: p.Unfit,
	}
	if p.Search != nil {
		var err error
		if s.Search, err = json.Marshal(p.Search); err != nil {
			return nil, err
		}
	}
	s.Documents = each.Append(nil, p.Template.Documents(), func(d input.Document) specDocument {
		return specDocument{d.Name, d.Root.JSON()}
	})
	return json.Marshal(s)
}

// Create makes the results directory of the plan, or opens it if it exists. shards is the number of shards of a new
// directory, 0 for the store's choice.
func (p *Plan) Create(dir string, shards int) (*Study, error) {
	text, err := p.spec()
	if err != nil {
		return nil, err
	}
	// The points are those of the spec as it will be read again: they can differ from the file's if texts that look
	// like numbers are written differently.
	s, err := readSpec(text)
	if err != nil {
		return nil, err
	}
	points, least := s.points(), 0
	if s.Design.More > 0 {
		least = s.Design.Points() // the rows decide whether there are more
	}
	switch {
	case s.chosen() && shards > 1:
		return nil, fmt.Errorf("%d shards; expected 1: what is simulated next depends on all rows before", shards)
	case s.chosen():
		shards = 1
	case shards == 0:
		shards = store.Shards(points)
	}
	s.Dir, err = store.Create(dir, store.Plan{
		Version: input.Version,
		Points:  points,
		Least:   least,
		Shards:  min(shards, points),
		Seed:    p.Design.Seed,
		Columns: each.Append(nil, s.columns, func(c column) store.Column { return c.Column }),
		Spec:    text,
	})
	if err != nil {
		return nil, err
	}
	s.About = p.About
	return s, p.About.write(dir)
}

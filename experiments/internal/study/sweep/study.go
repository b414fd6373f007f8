package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/each"
)

// Study is a results directory that can be carried out and read. Its methods may
// be called by several goroutines at once.
type Study struct {
	Dir              *store.Dir
	About            About
	Template         *scenario.Template
	Design           *design.Design
	Probes           []Probe
	Perturb          *Perturbation    // nil: points are not perturbed
	Unfit            bool             // points whose data do not fit into memory are simulated like others
	system.Explained                  // outcomes that say why points take their time
	Search           *search.Settings // nil: all points of the design are simulated
	Repeat           *Objective       // decides about more repetitions; nil: there are none
	Axes             []int            // the factors of the map, if [Study.Over] has chosen them

	outcomes   []system.Outcome // of the scenario, then the derived columns
	columns    []column         // of the rows
	derived    derived
	infeasible []*formula.Expression // conditions of the plan
	more       system.More           // outcomes that not every case has
	limits     limits
	only       []level // what the analysis is limited to
}

// Open opens a results directory. It can be read even if another version of isoscale made it; [store.Dir.Resumable]
// says whether this version may continue it.
func Open(dir string) (*Study, error) {
	d, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	bad := func(err error) error {
		return fmt.Errorf("%s/plan.json: %w; expected a plan written by 'isoscale sweep'", d.Path(), err)
	}
	s, err := readSpec(d.Plan().Spec)
	if err != nil {
		return nil, bad(err)
	}
	if n := s.points(); n != d.Plan().Points {
		return nil, bad(fmt.Errorf("the study has %d points and the directory %d", n, d.Plan().Points))
	}
	if n := len(s.columns); n != len(d.Plan().Columns) {
		return nil, bad(fmt.Errorf("rows have %d cells and the directory has %d columns", n, len(d.Plan().Columns)))
	}
	s.Dir, s.About = d, readAbout(d.Path(), s.outcomes)
	return s, nil
}

// readSpec reads the spec that a directory keeps, and returns a study without a directory.
func readSpec(text json.RawMessage) (*Study, error) {
	var x spec
	if err := json.Unmarshal(text, &x); err != nil {
		return nil, err
	}
	var err error // the first
	read := func(name string, text json.RawMessage) *yamldoc.Node {
		n, failure := yamldoc.ParseJSON(name, text)
		err = cmp.Or(err, failure)
		return n
	}
	stated := func(name string, text json.RawMessage) *yamldoc.Node { // nil: not stated
		if text == nil {
			return nil
		}
		return read(name, text)
	}
	base, root := read("scenario", x.Scenario), read("plan", x.Design)
	probes, derived, limits := stated("probes", x.Probes), stated("derived", x.Derived), stated("limits", x.Limits)
	perturb, infeasible := stated("perturb", x.Perturb), stated("infeasible", x.Infeasible)
	documents := each.Append(nil, x.Documents, func(d specDocument) input.Document {
		return input.Document{Name: d.Name, Root: read(d.Name, d.Root)}
	})
	if err != nil {
		return nil, err
	}
	var decoder yamldoc.Decoder
	s := &Study{Template: scenario.NewTemplate(base, documents), Explained: x.Explained, Unfit: x.Unfit}
	design.Record.Read(&decoder, root, &s.Design)
	if err := decoder.Err(); err != nil {
		return nil, err
	}
	s.readOutcomes(&decoder, probes, derived)
	s.readInfeasible(&decoder, infeasible)
	limitsKeys.Read(&decoder, limits, &s.limits)
	if err := decoder.Err(); err != nil {
		return nil, err
	}
	if s.Search, err = search.ReadStored(x.Search, s.Design); err != nil {
		return nil, err
	}
	if s.readPerturbation(&decoder, perturb, nil); decoder.Err() != nil {
		return nil, decoder.Err()
	}
	if s.Repeat = x.Repeat; (s.Design.More > 0) != (s.Repeat != nil) {
		return nil, errors.New("more repetitions without an objective")
	}
	s.columns = s.findColumns()
	return s, nil
}

// readOutcomes finds what the points of a study yield: the outcomes of the scenario and of the probes, and the derived
// columns.
func (s *Study) readOutcomes(d *yamldoc.Decoder, probes, derived *yamldoc.Node) {
	s.more = system.More{Levels: levelsTold(s.Template, s.Design), Unfit: s.Unfit, Explained: s.Explained}
	const few = 20
	for p := range Sample(s.Design, few) { // levels may change the machine
		if m := s.Template.Machine(p.Settings()...); m != nil {
			s.more.Energy = s.more.Energy || system.StatesPower(m)
			s.more.Memory = s.more.Memory || system.StatesMemory(m)
		}
	}
	s.outcomes = system.Outcomes(s.Template, s.more)
	s.Probes = readProbes(d, probes, s.Design, s.outcomes)
	s.outcomes = each.Append(s.outcomes, s.Probes, func(p Probe) system.Outcome {
		return system.Outcome{Name: p.Column(), Meaning: "share of the time that is saved with " + p.Sets()}
	})
	s.derived = readDerived(d, derived, s.Design, s.Template.Root, s.outcomes)
	s.outcomes = each.Append(s.outcomes, s.derived.columns, func(x derivation) system.Outcome {
		return system.Outcome{Name: x.name, Unit: x.unit, Meaning: x.text}
	})
}

const wantInfeasible = "conditions on outcomes, columns and factors under which a point is infeasible, as in [memory > 3 GB, time > 1 h]"

var infeasibleType = schema.List{Of: schema.Text, Min: 1}

// readInfeasible reads the key infeasible of a plan.
func (s *Study) readInfeasible(d *yamldoc.Decoder, n *yamldoc.Node) {
	if n == nil {
		return
	}
	known := append(s.Design.Variables(), variablesOf(s.outcomes)...)
	for _, c := range d.Sequence(n, wantInfeasible) {
		if !c.IsScalar() {
			d.Fail(c, "found no condition", wantInfeasible)
			continue
		}
		e, err := known.Compile(c.Text(), formula.IsTruth)
		if err != nil {
			d.Fail(c, explained(c.Text(), err).Error(), "")
			continue
		}
		s.infeasible = append(s.infeasible, e)
	}
}

// Conditional reports whether the plan has conditions that make points infeasible.
func (s *Study) Conditional() bool { return s.infeasible != nil }

// evaluate computes the row of a point of the design. An error concerns this computer or an interruption, not the
// point.
func (s *Study) evaluate(ctx context.Context, index int) (cells []string, took time.Duration, err error) {
	start := time.Now()
	p := s.Design.Point(index)
	limited, cancel := context.WithTimeout(ctx, s.limits.duration())
	defer cancel()
	seed, values, failure := s.simulate(limited, p)
	if time.Since(start) > s.limits.duration() { // even if it finished before it noticed
		values, failure = nil, fmt.Errorf("the simulation takes longer than %v, the limit of wall time for a point; expected fewer processes or a smaller problem, or a larger limits.time in the plan",
			s.limits.time) // not how long, which no two computers agree on
	}
	var memory *fault.MemoryError
	switch {
	case ctx.Err() != nil:
		return nil, 0, ctx.Err()
	case errors.As(failure, &memory):
		return nil, 0, &PointError{Point: index, Levels: s.Design.Describe(p.Levels), Err: failure}
	}
	p.Seed = seed
	r := &result{p, values, failure}
	cells = each.Append(cells, s.columns, func(c column) string { return c.cell(r) })
	return cells, time.Since(start), nil
}

// ObjectiveAt simulates a configuration with a numeric factor at a value that need not be one of its levels, and
// returns the value of the objective. It stores no row.
func (s *Study) ObjectiveAt(ctx context.Context, levels []int, factor int, value float64) (float64, error) {
	at := slices.Index(outcomeNames(s.outcomes), s.About.Objective.Response)
	if at < 0 {
		return 0, fmt.Errorf("the objective %s is not an outcome", s.About.Objective.Response)
	}
	limited, cancel := context.WithTimeout(ctx, s.limits.duration())
	defer cancel()
	_, values, err := s.simulate(limited, s.Design.At(levels).Moved(factor, value))
	if err != nil {
		return 0, err
	}
	return values[at], nil
}

// PointError is a point within the limits of the plan that this computer cannot
// simulate, though another one might.
type PointError struct {
	Point  int
	Levels string
	Err    error
}

func (e *PointError) Error() string {
	return fmt.Sprintf("point %d (%s): %v", e.Point, e.Levels, e.Err)
}
func (e *PointError) Unwrap() error { return e.Err }

// simulate carries out a point and returns the seed that it used. A panic is a fault of isoscale, which must not affect
// the other points of a study.
func (s *Study) simulate(ctx context.Context, p design.Point) (seed int64, values []float64, err error) {
	seed = p.Seed
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	c, err := s.Scenario(p)
	if err != nil {
		return seed, nil, err
	}
	values, err = system.RunCaseWithin(ctx, c, s.more, s.limits.memory)
	if err == nil {
		values, err = s.saved(ctx, p, values)
	}
	if err == nil {
		values, err = s.withDerived(p, values)
	}
	if err == nil {
		err = s.judge(p, values)
	}
	return c.Seed(), values, err
}

// judge returns a [system.InfeasibleError] for a point whose values fulfil a condition of the plan. A condition on an
// outcome that the point lacks does not count.
func (s *Study) judge(p design.Point, values []float64) error {
	if s.infeasible == nil {
		return nil
	}
	named := formula.Values{}
	for name, v := range s.variables(p, values) {
		named[name] = v
	}
	x := &system.InfeasibleError{}
	for _, e := range s.infeasible {
		lacks := func(name string) bool {
			v, ok := named[name].(float64)
			return ok && math.IsNaN(v)
		}
		if slices.ContainsFunc(e.Names(), lacks) {
			continue
		}
		switch holds, err := e.Holds(named); {
		case err != nil:
			return explained(e.String(), err)
		case holds:
			x.Problems = append(x.Problems, e.String())
		}
	}
	if x.Problems == nil {
		return nil
	}
	return x
}

// Scenario returns the scenario of a point.
func (s *Study) Scenario(p design.Point) (*scenario.Case, error) {
	all, err := s.changes(p)
	if err != nil {
		return nil, err
	}
	return s.Template.Case(p.Seed, all...)
}

// aboutName is a file beside the plan of a results directory. It may be missing.
const aboutName = "about.json"

// maxAbout is the largest text of a study about itself, in bytes.
const maxAbout = 64 << 20

func (a About) write(dir string) error {
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	name := filepath.Join(dir, aboutName)
	if old, err := store.ReadFile(name, maxAbout); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return store.Replace(name, text)
}

// readAbout returns the content of the file. It affects no row: without it, or if it is damaged, a study just has no
// title.
func readAbout(dir string, outcomes []system.Outcome) About {
	var a About
	text, err := store.ReadFile(filepath.Join(dir, aboutName), maxAbout)
	if err != nil || json.Unmarshal(text, &a) != nil || a.Objective.Response == "" {
		return About{Objective: defaultObjective(outcomes)}
	}
	return a
}

const dispatchMethod = string(scenario.Dispatch)

// levelsTold returns for how many levels points have outcomes: the levels of the super-program if some points are
// dispatched. By formula alone such outcomes would say nothing new.
func levelsTold(t *scenario.Template, d *design.Design) int {
	fields, _ := t.Root.Plain().(map[string]any)
	told := fields["method"] == dispatchMethod
	for i := range d.Factors {
		_, found := dispatched(&d.Factors[i])
		told = told || found
	}
	if !told {
		return 0
	}
	return system.LevelsOf(t)
}

// dispatched returns the last level of a factor that sets the method to dispatch.
func dispatched(f *design.Factor) (level int, found bool) {
	at := slices.Index(f.Paths, "method")
	if at < 0 {
		return 0, false
	}
	for l := range f.Len() {
		if f.Level(l).Settings[at].Value.Text() == dispatchMethod {
			level, found = l, true
		}
	}
	return level, found
}

// Outcomes returns the outcomes of the points, then of the probes, then the derived columns.
func (s *Study) Outcomes() []system.Outcome { return s.outcomes }

// Outcome returns the outcome with a name; for other names, such as expressions, one without traits.
func (s *Study) Outcome(name string) system.Outcome {
	i := slices.IndexFunc(s.outcomes, func(o system.Outcome) bool { return o.Name == name })
	if i < 0 {
		return system.Outcome{Name: name}
	}
	return s.outcomes[i]
}

// AtDispatch returns levels with the method set to dispatch, if a factor sets the method.
func (s *Study) AtDispatch(levels []int) []int {
	levels = slices.Clone(levels)
	for i := range s.Design.Factors {
		if l, found := dispatched(&s.Design.Factors[i]); found {
			levels[i] = l
		}
	}
	return levels
}

// Unequal is a workload whose work depends on the number of processes, so that times of points with different numbers
// are for unequal work.
type Unequal struct {
	Workload string
	Works    bool // it performs work, so that points can be compared by work per time
}

// UnequalWork returns the first such workload among some points, nil if there is none. Invalid points do not count.
func (s *Study) UnequalWork() *Unequal {
	const few = 50
	for p := range Sample(s.Design, few) {
		c, err := s.Scenario(p)
		if err != nil || c.Scenario == nil {
			continue
		}
		if w := c.Scenario.Workload; w.GrowsWithProcesses() {
			return &Unequal{w.Name, w.PerformsWork()}
		}
	}
	return nil
}

// Draws reports whether runs depend on their seed at some of the study's points.
func (s *Study) Draws() bool {
	const few = 20
	for p := range Sample(s.Design, few) {
		if c, err := s.Scenario(p); err == nil && c.Draws() {
			return true
		}
	}
	return false
}

// Super reports whether the points are super-programs.
func (s *Study) Super() bool { return input.KindOf(s.Template.Root) == input.KindSuper }

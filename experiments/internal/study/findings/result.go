package findings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"syscall"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/internal/each"
)

// Result is what a complete study says; its JSON form is a contract
// (docs/formats/json.md).
type Result struct {
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Directory   string             `json:"directory"`
	File        string             `json:"results"` // the merged rows
	Points      int                `json:"points"`
	Failed      int                `json:"failed"`               // points whose row is an error
	Infeasible  int                `json:"infeasible,omitempty"` // points that their machine cannot run
	Objective   sweep.Objective    `json:"objective"`
	Best        *Best              `json:"best,omitempty"`
	Undecided   string             `json:"undecided,omitempty"` // why nothing is concluded
	PureError   *PureError         `json:"pure_error,omitempty"`
	Problems    []Problem          `json:"problems,omitempty"`  // if there are several; then Best is not described
	Crossings   []Crossing         `json:"crossings,omitempty"` // see [Result.FindCrossings]
	Growth      []analysis.Optimum `json:"growth,omitempty"`
	UpTo        []analysis.Optimum `json:"growth_up_to,omitempty"`
	Ascent      *analysis.Ascent   `json:"ascent,omitempty"`
	Spending    *analysis.Spending `json:"spending,omitempty"`
	Limits      []LimitsAt         `json:"limits,omitempty"`
	Effects     *effects.Effects   `json:"effects,omitempty"`
	Unknown     string             `json:"effects_unknown,omitempty"` // why there are no effects
	Difference  *Difference        `json:"difference,omitempty"`
	Losses      []Loss             `json:"losses,omitempty"`
	// Search is set for a plan with a search; such a plan has no analyses of neighbours.
	Search     *Search          `json:"search,omitempty"`
	Findings   []Finding        `json:"findings"` // the most important first
	Scaling    []laws.Model     `json:"scaling,omitempty"`
	Lawless    string           `json:"scaling_unknown,omitempty"` // why there are no laws, if that needs saying
	Warnings   []string         `json:"warnings"`
	Provenance input.Provenance `json:"provenance"`

	Evidence `json:"-"`
}

// Evidence is what the findings rest on, for code that draws it.
type Evidence struct {
	Study    *sweep.Study
	Table    *analysis.Table // the rows that are analysed; nil if they are too many
	Cells    *analysis.Cells // its configurations with the objective
	Response store.Column    // of the objective
	Size     store.Column
	// sizeIsFactor: one factor is the size and the only one to change it.
	sizeIsFactor bool
	Cost         store.Column    // without a name: there is none
	One          *analysis.Cells // configurations of the last problem and condition; all, if there is only one
	// Ranking has all configurations, the best first; among has only those of One.
	Ranking []analysis.Ranked
	among   []analysis.Ranked
	given   string // what Problems differ in: problem or condition
	// Reference is the configuration around which maps and curves are drawn: the best one, even where times of points
	// are not compared.
	Reference *Best
	Path      *analysis.Growth   // the best of each size; nil if there is one size
	Envelope  *analysis.Growth   // the best up to a size; nil unless there are many sizes
	Relation  *analysis.Relation // fulfilled by all points; nil if there is none
	Laws      *laws.Fitted       // of scaling; nil if there are none
	unlike    bool               // processes of the points that laws are fitted to differ in speed
	Unequal   string             // why times of different numbers of processes are not compared
	History   *search.History    // of a search
	Model     *search.Model      // of a search; nil if there is none

	crosser  *crosser // with which crossings were found; nil: none were looked for
	dispatch int      // the column of an outcome that only dispatched points have
	looked   int      // number of points: all, or those of the part under analysis
	runs     int      // of the reference, without failures
	losing   int      // number of dispatched points that lost something
}

// Best is the best configuration.
type Best struct {
	analysis.Configuration
	StdErr   analysis.Number   `json:"standard_error"`    // of the mean; null without repetitions
	Interval analysis.Interval `json:"interval,omitzero"` // of 95 % of the mean
	Tied     int               `json:"tied"`              // other configurations that are as good
	// Set are the others that may be as good, in ranking order.
	Set []analysis.Configuration `json:"may_be_best,omitempty"`
}

// analysed is the largest number of points that are analysed in memory. Beyond it only the best and the failures are
// reported.
const analysed = 200_000

// Of merges a complete study and analyses it. took is how long this call of sweep took for the rows.
func Of(s *sweep.Study, overrides []input.Override, took time.Duration) (*Result, error) {
	plan := s.Dir.Plan()
	stop := input.Stopwatch("sweep", []input.Input{{File: "plan.json", SHA256: plan.Hash}}, overrides, plan.Seed)
	file, err := s.Dir.Merge()
	readOnly := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
	if err != nil && !readOnly {
		return nil, err
	}
	o := s.About.Objective
	r := &Result{
		Title: s.About.Title, Description: s.About.Description, Directory: s.Dir.Path(), File: file,
		Points: plan.Points, Objective: o, Warnings: []string{},
		Evidence: Evidence{Study: s, Response: s.Column(o.Response), Size: s.Column(o.Size)},
	}
	if o.Cost != "" {
		r.Cost = s.Column(o.Cost)
	}
	if readOnly {
		r.File = ""
		r.warn("the table of all rows could not be written: %v", err)
	}
	if plan.Least > 0 { // some points were not needed
		r.Points = 0
		for range s.Dir.Rows() {
			r.Points++
		}
	}
	if plan.Points <= analysed {
		err = r.analyse()
	} else {
		where := ""
		if r.File != "" {
			where = "; all rows are in " + r.File
		}
		r.warn("%d points are too many for an analysis, which takes at most %d%s", plan.Points, analysed, where)
		err = r.scan()
	}
	if err != nil {
		return nil, err
	}
	r.find()
	stop(&r.Provenance)
	r.Provenance.Simulations = r.Points
	r.Provenance.WallSeconds += took.Seconds()
	return r, nil
}

// goalOf returns the goal of an objective.
func goalOf(o sweep.Objective) analysis.Goal {
	if o.Maximize {
		return analysis.Maximize
	}
	return analysis.Minimize
}

// scan looks for failures and the best point without keeping the rows.
func (r *Result) scan() error {
	value := r.Study.ValueOf(r.Response.Name)
	sum, runs := 0.0, 0 // over the repetitions of a configuration, which follow each other
	for row, err := range r.Study.Dir.Rows() {
		if err != nil {
			return err
		}
		p, err := r.Study.PointOf(row)
		if err != nil {
			return err
		}
		if !r.Study.Admits(p.Levels) {
			continue
		}
		v, err := value(row)
		if err != nil {
			return err
		}
		r.looked++
		switch {
		case r.Study.Infeasible(row):
			r.Infeasible++
		case math.IsNaN(v):
			r.Failed++
		default:
			sum, runs = sum+v, runs+1
		}
		if runs == 0 || (row.Point+1)%r.Study.Design.Repetitions != 0 {
			continue
		}
		mean, of := sum/float64(runs), runs
		sum, runs = 0, 0
		if r.Reference == nil || goalOf(r.Objective).Gain(r.Reference.Value, mean) > 0 {
			best := analysis.Configuration{Levels: map[string]string{}, Value: mean, At: p.Levels}
			for i, l := range p.Levels {
				f := &r.Study.Design.Factors[i]
				best.Levels[f.Name] = f.Text(l)
			}
			none := analysis.Number(math.NaN())
			r.Reference = &Best{Configuration: best, StdErr: none, Interval: analysis.Interval{none, none}}
			r.runs = of
		}
	}
	if r.findUndecided(); r.Undecided != "" {
		r.Reference = nil
	}
	r.Best = r.Reference
	r.warnFailed()
	return nil
}

// analyse answers all questions.
func (r *Result) analyse() error {
	t, err := r.Study.Subject()
	if err != nil {
		return err
	}
	r.Table, r.looked = t, len(t.Rows)
	response, err := t.ResponseIndex(r.Response.Name)
	if err != nil {
		return err
	}
	r.Failed = count(t.Rows, func(row analysis.Row) bool { return !row.Infeasible && math.IsNaN(row.Values[response]) })
	r.Infeasible = count(t.Rows, func(row analysis.Row) bool { return row.Infeasible })
	r.warnFailed()
	if r.Failed+r.Infeasible == len(t.Rows) {
		return nil
	}
	if r.findUndecided(); r.Undecided != "" {
		return nil
	}
	if r.Cells, err = t.Gather(r.Response.Name, goalOf(r.Objective)); err != nil {
		return err
	}
	_, r.Cells.Linear = r.linear()
	if r.Study.Design.More > 0 {
		r.Cells.Least = r.Study.Design.Repetitions
	}
	r.Ranking = r.Cells.Rank()
	r.findProblems()
	r.findPureError()
	r.Reference = r.bestOf(r.among)
	r.runs = len(r.among[0].Rows)
	if r.Unequal == "" {
		r.findUnequal()
	}
	if n := len(r.Problems); r.Unequal != "" && n > 0 {
		r.Unequal += " " + r.restInWords()
		r.Problems = nil // each best would be chosen among points that cannot be compared
	}
	if r.Unequal == "" && r.Problems == nil {
		r.Best = r.Reference
	}
	r.warnMachines()
	r.findCautions()
	if r.Study.Search != nil {
		// The points that a search chose say little about effects, and neighbours are missing.
		return r.findPredictions()
	}
	r.findDifference()
	r.findLosses()
	r.Relation = t.Relation()
	r.findLimits()
	r.findEffects()
	switch {
	case r.Study.Design.Kind != design.Factorial:
		// Neighbours were not simulated, so there are no steps.
	case r.Size == r.Response:
		r.findSpending()
		r.warn("%s is both the objective and the size, so there is no growth path", r.Size.Name)
	default:
		r.findGrowth()
		r.findSpending()
		r.findScaling()
	}
	return nil
}

func (r *Result) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

func (r *Result) warnFailed() {
	if r.Failed > 0 {
		r.warn("%d of %d points failed; see the column error of the results", r.Failed, r.looked)
	}
	switch {
	case r.Infeasible > 0 && r.Study.Conditional():
		r.warn("%d of %d points are infeasible, by their memory or the conditions of the plan; see the column error of the results",
			r.Infeasible, r.looked)
	case r.Infeasible > 0:
		r.warn("the data of %d of %d points do not fit into memory, so these were not simulated; see the column error of the results",
			r.Infeasible, r.looked)
	}
}

// linear returns the outcome behind the objective and how its values follow from those of the objective: if the
// objective is the logarithm of another outcome, that outcome.
func (r *Result) linear() (system.Outcome, func(float64) float64) {
	o := r.Study.Outcome(r.Response.Name)
	if o.Log2Of != "" {
		return r.Study.Outcome(o.Log2Of), math.Exp2
	}
	return o, func(x float64) float64 { return x }
}

// Leaders are the first configurations of the ranking, at most twenty.
func (e *Evidence) Leaders() []analysis.Ranked { return e.among[:min(20, len(e.among))] }

// Priced reports whether the study says what a configuration costs.
func (e *Evidence) Priced() bool { return e.Cost.Name != "" }

// workTolerance is how much the work of points of one problem may differ because of rounding.
const workTolerance = 1e-9

// findUnequal says why values of the objective cannot be compared over all points, if so.
func (r *Result) findUnequal() {
	perWork := r.Study.Outcome(r.Response.Name).PerWork
	if perWork == "" {
		return
	}
	all := func(analysis.Row) bool { return true }
	not, compares := "are not compared by "+r.Response.Name, perWork+" compares them per unit of work."
	if r.Study.Super() && r.Problems == nil && r.differs(r.outcome(system.Work), 0, all) {
		r.Unequal = fmt.Sprintf("Points %s: their work differs. %s", not, compares)
	}
	among := func(row analysis.Row) bool { return r.One.Find(row.Levels) >= 0 }
	if r.Study.SetsProblem() && r.worksDiffer(among) {
		r.Unequal = fmt.Sprintf("Points %s: a formula sets their problem, and their work differs. %s", not, compares)
		return
	}
	if !r.differs(r.outcome(system.Processes), 0, all) {
		return // nor do super-programs
	}
	u := r.Study.UnequalWork()
	if u == nil {
		return
	}
	r.Unequal = fmt.Sprintf("Points with different numbers of processes %s: the work of workload %s grows with the number of processes.", not, u.Workload)
	if u.Works {
		r.Unequal += " " + compares
	}
}

// outcome returns the function that reads an outcome from a row, NaN where the study has no such outcome.
func (r *Result) outcome(name string) func(analysis.Row) float64 {
	column, err := r.Table.ResponseIndex(name)
	if err != nil {
		return func(analysis.Row) float64 { return math.NaN() }
	}
	return func(row analysis.Row) float64 { return row.Values[column] }
}

// worksDiffer reports whether some points do different work, apart from what draws add.
func (r *Result) worksDiffer(among func(analysis.Row) bool) bool {
	work := r.outcome(system.Work)
	if !r.Study.Super() && r.Study.Draws() {
		declared := map[string]float64{}
		work = func(row analysis.Row) float64 {
			key := fmt.Sprint(row.Levels)
			if _, known := declared[key]; !known && among(row) {
				declared[key] = r.Study.DeclaredWork(row.Levels)
			}
			return declared[key]
		}
	}
	return r.differs(work, workTolerance, among)
}

// differs reports whether a value differs between some of the rows by more than a relative tolerance. Points without
// the value do not count.
func (r *Result) differs(value func(analysis.Row) float64, tolerance float64, among func(analysis.Row) bool) bool {
	first := math.NaN()
	for _, row := range r.Table.Rows {
		switch n := value(row); {
		case math.IsNaN(n) || !among(row):
		case math.IsNaN(first):
			first = n
		case math.Abs(n-first) > tolerance*math.Abs(first):
			return true
		}
	}
	return false
}

// cautionsAmong is the largest number of points that caution examines.
const cautionsAmong = 1000

// findCautions says how far the work of points deviates from their plan because a simulation takes whole SIs, and where
// the formula cannot be true.
func (r *Result) findCautions() {
	r.caution((*scenario.SuperProgram).Rounding, "the plan asks for parts of SIs",
		"; the outcome work says what was done, and speedup compares it per unit of work")
	r.caution((*scenario.SuperProgram).TooFast, "there are too few SIs for the formula", "")
}

// caution warns if something, of which a method says how far it is off, holds at points of super-programs.
func (r *Result) caution(about func(*scenario.SuperProgram) (float64, string), what, end string) {
	if !r.Study.Super() {
		return
	}
	points, furthest, most := 0, 0.0, ""
	for p := range sweep.Sample(r.Study.Design, cautionsAmong) {
		c, err := r.Study.Scenario(p)
		if err != nil {
			continue
		}
		change, text := about(c.Super)
		if text == "" {
			continue
		}
		points++
		if off := math.Abs(math.Log(change)); off >= furthest {
			furthest, most = off, r.Describe(p.Levels)+", where "+text
		}
	}
	if points == 0 {
		return
	}
	of := input.Plural(points, "point")
	if r.Points > cautionsAmong {
		of = fmt.Sprintf("%d of %d points looked at", points, cautionsAmong)
	}
	r.warn("at %s %s; furthest off is %s%s", of, what, most, end)
}

// findEffects finds what matters, or why that is not known.
func (r *Result) findEffects() {
	d := r.Study.Design
	for k, f := range r.Table.Factors {
		if !slices.Contains(r.varied(), k) {
			r.warn("only one level of %s occurs: its effect is unknown", f.Name)
		}
	}
	sample := d.Kind == design.LatinHypercube
	if sample && len(d.Conditions) > 0 {
		r.Unknown = "the plan excludes a part of the hypercube, so its factors depend on each other, and the samples are too few to separate them"
		return
	}
	if spread := r.spread(); r.PureError == nil && spread > 0 && spread < noDifference {
		r.Unknown = fmt.Sprintf("all values are within %.2g %% of each other, and small changes of the machine may change them as much: see perturb",
			100*spread)
		return
	}
	e, err := effects.Of(r.One, sample, uint64(d.Seed))
	if err != nil {
		r.Unknown = err.Error()
		return
	}
	r.Warnings, r.Effects = append(r.Warnings, e.Warnings...), e
}

// noDifference is the difference of all values, relative to the largest, below which causes are not discussed.
const noDifference = 0.001

// spread returns how far apart the configurations are, relative to the largest value.
func (r *Result) spread() float64 {
	means := each.Of(r.One.List, func(x analysis.Cell) float64 { return x.Mean })
	low, high := slices.Min(means), slices.Max(means)
	return (high - low) / max(math.Abs(low), math.Abs(high))
}

// varied returns the factors with several levels among the configurations, which may be a part of the study.
func (r *Result) varied() (all []int) {
	for k := range r.Table.Factors {
		first := r.Ranking[0].Levels[k]
		if slices.ContainsFunc(r.Ranking, func(x analysis.Ranked) bool { return x.Levels[k] != first }) {
			all = append(all, k)
		}
	}
	return all
}

// maxMapSide is how many levels of a factor a map shows.
const maxMapSide = 200

// Mapped returns the two numeric factors of a map, the strongest that have enough levels for a surface; ok is false if
// there are none.
func (r *Result) Mapped() (x, y int, ok bool) {
	if o := r.Study.Axes; o != nil {
		return o[0], o[1], true
	}
	var able, poor []int // two levels make a poor map
	for _, i := range r.Strongest() {
		switch f := &r.Study.Design.Factors[i]; {
		case !f.Numeric || f.Len() < 2 || f.Len() > maxMapSide:
		case f.Len() == 2:
			poor = append(poor, i)
		default:
			able = append(able, i)
		}
	}
	if able = append(able, poor...); len(able) < 2 {
		return 0, 0, false
	}
	return min(able[0], able[1]), max(able[0], able[1]), true
}

// Strongest returns the factors that were varied, the strongest first, and those without known effects in the order of
// the plan.
func (r *Result) Strongest() []int {
	var all []int
	switch {
	case r.Search != nil && r.Search.Surrogate != nil:
		all = each.Append(all, r.Search.Surrogate.LengthScales, func(x LengthScale) int { return x.index })
	case r.Effects != nil:
		all = each.Append(all, r.Effects.Factors, func(f effects.Factor) int { return f.Index })
		for _, k := range r.varied() { // problems and conditions
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	case r.Search == nil && r.Table != nil:
		return r.varied()
	}
	return all
}

// Headline says in one line what was studied.
func (r *Result) Headline() string {
	return cmp.Or(r.Title, "study in "+r.Directory) + ": " + r.Study.Extent()
}

// Describe returns a configuration in words; factors whose level is -1 are left out.
func (r *Result) Describe(levels []int) string { return r.Study.Design.Describe(levels) }

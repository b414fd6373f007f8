package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/experiments/analysis"
	"github.com/isoscale/isoscale/experiments/design"
	"github.com/isoscale/isoscale/experiments/store"
	"github.com/isoscale/isoscale/model/regression"
)

// Result is what a complete study says; its JSON form is a contract
// (docs/formats/json.md).
type Result struct {
	Title       string                 `json:"title,omitempty"`
	Description string                 `json:"description,omitempty"`
	Directory   string                 `json:"directory"`
	File        string                 `json:"results"` // the merged rows
	Points      int                    `json:"points"`
	Failed      int                    `json:"failed"` // points whose row is an error
	Objective   Objective              `json:"objective"`
	Best        *Best                  `json:"best,omitempty"`
	Growth      []Optimum              `json:"growth,omitempty"`
	Ascent      *Ascent                `json:"ascent,omitempty"`
	Effects     *Effects               `json:"effects,omitempty"`
	Sensitivity []Sensitivity          `json:"sensitivity,omitempty"`
	Scaling     []Model                `json:"scaling,omitempty"`
	Warnings    []string               `json:"warnings"`
	Provenance  experiments.Provenance `json:"provenance"`

	study    *Study
	table    *analysis.Table
	ranked   []analysis.Ranked
	response store.Column
	size     store.Column
	goal     analysis.Goal
	growth   *analysis.Growth
	effects  *analysis.EffectTable
	scaling  *regression.Comparison
	lawless  string // why there is no law of scaling, if that needs saying
}

// Configuration is a point without its repetition.
type Configuration struct {
	Levels map[string]string `json:"levels"` // by factor, with the unit
	Value  float64           `json:"value"`  // of the objective; the mean over repetitions

	levels []int
}

// Best is the best configuration.
type Best struct {
	Configuration
	StdErr *float64 `json:"standard_error"` // of the mean; null without repetitions
	Tied   int      `json:"tied"`           // other configurations that are as good
}

// Optimum is the best configuration of a size.
type Optimum struct {
	Configuration
	Size float64 `json:"size"`
	Of   int     `json:"of"`   // configurations of this size
	Tied int     `json:"tied"` // others that are as good
	Move string  `json:"move"` // first, step or jump from the size before
}

// Ascent is the walk of steepest ascent, and where it is not optimal.
type Ascent struct {
	Steps  []AscentStep `json:"steps"`
	Misses []Miss       `json:"misses"`
}

// AscentStep is a configuration on the walk.
type AscentStep struct {
	Configuration
	Raised string  `json:"raised,omitempty"` // the factor
	Size   float64 `json:"size"`
	Gain   float64 `json:"gain"` // of the objective; negative for a loss
}

// Miss is a size at which the walk is worse than the best configuration.
type Miss struct {
	Size      float64       `json:"size"`
	Walk      Configuration `json:"walk"`
	Best      Configuration `json:"best"`
	Shortfall float64       `json:"shortfall"`
}

// Effects are the main effects and interactions of the factors.
type Effects struct {
	Method       string        `json:"method"`
	Mean         float64       `json:"mean"`
	Main         []Effect      `json:"main"`
	Interactions []Interaction `json:"interactions,omitempty"`
	HigherShare  float64       `json:"higher_share"` // what interactions of more factors, or the model, leave
	ErrorShare   float64       `json:"error_share"`  // variation among repetitions
}

// Effect is what a factor does on average over the others.
type Effect struct {
	Factor string        `json:"factor"`
	Share  float64       `json:"share"` // of the variance
	Range  float64       `json:"range"`
	Levels []LevelEffect `json:"levels"`
}

// LevelEffect is the mean at a level minus the mean of all.
type LevelEffect struct {
	Level  string  `json:"level"`
	Effect float64 `json:"effect"`
}

// Interaction is what two factors do together beyond their sum.
type Interaction struct {
	Factors [2]string `json:"factors"`
	Share   float64   `json:"share"`
}

// Sensitivity is how the objective reacts to a factor. What does not exist is
// null.
type Sensitivity struct {
	Factor     string   `json:"factor"`
	Lowest     float64  `json:"lowest"`
	LowestAt   string   `json:"lowest_at"`
	Highest    float64  `json:"highest"`
	HighestAt  string   `json:"highest_at"`
	Elasticity *float64 `json:"elasticity"`  // per cent of the objective for a per cent of the factor
	Share      float64  `json:"share"`       // of the variance, alone
	LogShare   *float64 `json:"log_share"`   // of the variance of the logarithm, where the objective spans more than a decade
	TotalShare *float64 `json:"total_share"` // with all its interactions
	NoEffect   bool     `json:"no_effect"`
	ByChance   bool     `json:"by_chance"`  // no more than scatter would show
	Confounded bool     `json:"confounded"` // varies together with other factors
}

// Model is a law fitted to the best configurations over their sizes.
type Model struct {
	Model      string  `json:"model"`
	Formula    string  `json:"formula"`
	RMSE       float64 `json:"rmse"`
	CrossSMAPE float64 `json:"cross_validated_smape_percent"`
	From       float64 `json:"from"` // the sizes that it was fitted to; anything else is extrapolation
	To         float64 `json:"to"`
}

// Analysed is the largest number of points that are analysed in memory. Beyond it
// only the best and the failures are told.
const Analysed = 200_000

// Aim changes the objective; empty names leave it as the plan has it.
func (s *Study) Aim(maximize, minimize, size string) error {
	var names []string
	for _, o := range s.outcomes {
		names = append(names, o.Name)
	}
	known := func(name string, names []string) error {
		if name == "" || slices.Contains(names, name) {
			return nil
		}
		return fmt.Errorf("unknown outcome %q; expected one of %s", name, strings.Join(names, ", "))
	}
	sizes := append(slices.Clone(names), numericFactors(s.Design)...)
	if err := errors.Join(known(maximize, names), known(minimize, names), known(size, sizes)); err != nil {
		return err
	}
	o := &s.About.Objective
	switch {
	case maximize != "" && minimize != "":
		return errors.New("the objective is to maximize and to minimize; expected one of them")
	case maximize != "":
		o.Response, o.Maximize = maximize, true
	case minimize != "":
		o.Response, o.Maximize = minimize, false
	}
	if size != "" {
		o.Size = size
	}
	return nil
}

// Only limits the analysis to the points with some levels, each given as
// FACTOR=LEVEL with or without the unit.
func (s *Study) Only(levels []string) error {
	var problems []error
	for _, text := range levels {
		name, want, _ := strings.Cut(text, "=")
		i := slices.IndexFunc(s.Design.Factors, func(f design.Factor) bool { return f.Name == name })
		if i < 0 {
			var names []string
			for _, f := range s.Design.Factors {
				names = append(names, f.Name)
			}
			problems = append(problems, fmt.Errorf("unknown factor %q; expected one of %s", name, strings.Join(names, ", ")))
			continue
		}
		f := &s.Design.Factors[i]
		var known []string
		found := false
		for l := range f.Len() {
			got := f.Level(l).Text
			if found = got == want || got+" "+f.Unit == want; found {
				s.only = append(s.only, level{i, l})
				break
			}
			if len(known) < 20 {
				known = append(known, got)
			}
		}
		if !found {
			problems = append(problems, fmt.Errorf("%s has no level %q; expected one of %s", name, want, strings.Join(known, ", ")))
		}
	}
	return errors.Join(problems...)
}

// Over chooses the two factors of the map, which are otherwise the strongest.
func (s *Study) Over(x, y string) error {
	names := numericFactors(s.Design)
	s.over = nil
	for _, name := range []string{x, y} {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%q is no numeric factor; expected two of %s", name, strings.Join(names, ", "))
		}
		s.over = append(s.over, slices.IndexFunc(s.Design.Factors, func(f design.Factor) bool { return f.Name == name }))
	}
	if x == y {
		return fmt.Errorf("a map over %s and %s; expected two factors", x, y)
	}
	return nil
}

// Finish merges a complete study and analyses it. took is the time that this call
// of sweep took for the rows.
func (s *Study) Finish(overrides []experiments.Override, took time.Duration) (*Result, error) {
	plan := s.Dir.Plan()
	stop := experiments.Stopwatch("sweep", []experiments.Input{{File: "plan.json", SHA256: plan.Hash}}, overrides, plan.Seed)
	file, err := s.Dir.Merge()
	readOnly := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
	if err != nil && !readOnly {
		return nil, err
	}
	r := &Result{
		Title: s.About.Title, Description: s.About.Description, Directory: s.Dir.Path(), File: file, Points: plan.Points,
		Objective: s.About.Objective, Warnings: []string{},
		study: s, response: s.column(s.About.Objective.Response), size: s.column(s.About.Objective.Size), goal: analysis.Minimize,
	}
	if r.Objective.Maximize {
		r.goal = analysis.Maximize
	}
	if readOnly {
		r.File = ""
		r.warn("the table of all rows could not be written: %v", err)
	}
	if plan.Points <= Analysed {
		err = r.analyse()
	} else {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d points are more than are analysed (%d); the rows are all in %s", plan.Points, Analysed, file))
		err = r.scan()
	}
	if err != nil {
		return nil, err
	}
	stop(&r.Provenance)
	r.Provenance.Simulations = plan.Points
	r.Provenance.WallSeconds += took.Seconds()
	return r, nil
}

// scan looks for failures and the best point without keeping the rows.
func (r *Result) scan() error {
	columns := r.study.Dir.Plan().Columns
	status := slices.IndexFunc(columns, func(c store.Column) bool { return c.Kind == KindStatus })
	response := slices.IndexFunc(columns, func(c store.Column) bool { return c == r.response })
	best, at := math.NaN(), -1
	for row, err := range r.study.Dir.Rows() {
		if err != nil {
			return err
		}
		if row.Cells[status] != statusOK {
			r.Failed++
			continue
		}
		v, err := parse(row.Cells[response])
		if err != nil {
			return fmt.Errorf("point %d: %w", row.Point, err)
		}
		if at < 0 || r.goal == analysis.Maximize && v > best || r.goal == analysis.Minimize && v < best {
			best, at = v, row.Point
		}
	}
	if at >= 0 {
		r.Best = &Best{Configuration: *r.configuration(r.study.Design.Point(at).Levels, best)}
	}
	r.warnFailed()
	return nil
}

// analyse answers all questions.
func (r *Result) analyse() error {
	t, err := r.study.Table()
	if err != nil {
		return err
	}
	for _, x := range r.study.only {
		if t, err = t.Fix(t.Factors[x.factor].Name, x.level); err != nil {
			return err
		}
	}
	r.table = t
	response, err := t.ResponseIndex(r.response.Name)
	if err != nil {
		return err
	}
	for _, row := range t.Rows {
		if math.IsNaN(row.Values[response]) {
			r.Failed++
		}
	}
	r.warnFailed()
	if r.Failed == len(t.Rows) {
		return nil
	}
	if r.ranked, err = analysis.Rank(t, r.response.Name, r.goal, ranked); err != nil {
		return err
	}
	first := r.ranked[0]
	r.Best = &Best{Configuration: *r.configuration(first.Levels, first.Mean), StdErr: known(first.StdErr), Tied: first.Tied}
	r.findSensitivity()
	r.findEffects()
	switch {
	case r.study.Design.Kind != design.Factorial:
		// Neighbours were not simulated, so there are no steps.
	case r.size == r.response:
		r.warn("%s is the objective and the size too: nothing is said of growing", r.size.Name)
	default:
		r.findGrowth()
		r.findScaling()
	}
	return nil
}

func (r *Result) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

func (r *Result) warnFailed() {
	if r.Failed > 0 {
		r.warn("%d of %d points failed; the column error of the results says why", r.Failed, r.Points)
	}
}

func (r *Result) configuration(levels []int, value float64) *Configuration {
	c := &Configuration{Levels: map[string]string{}, Value: value, levels: levels}
	for i, l := range levels {
		c.Levels[r.study.Design.Factors[i].Name] = r.levelText(i, l)
	}
	return c
}

// levelText is a level with its unit.
func (r *Result) levelText(factor, level int) string {
	f := &r.study.Design.Factors[factor]
	text := f.Level(level).Text
	if f.Unit != "" {
		text += " " + f.Unit
	}
	return text
}

// describe names a configuration in the order of the factors. Factors with one
// level go without saying.
func (r *Result) describe(levels []int) string {
	var parts []string
	for i, l := range levels {
		if f := &r.study.Design.Factors[i]; f.Len() > 1 {
			parts = append(parts, f.Name+" = "+r.levelText(i, l))
		}
	}
	return strings.Join(parts, ", ")
}

func (r *Result) findSensitivity() {
	s, err := analysis.Sensitivity(r.table, r.response.Name)
	if err != nil {
		r.warn("no sensitivity: %v", err)
		return
	}
	for _, w := range s.Warnings {
		r.warn("%s", w)
	}
	for _, f := range s.Factors {
		if !f.Varied {
			continue
		}
		r.Sensitivity = append(r.Sensitivity, Sensitivity{
			Factor: r.table.Factors[f.Factor].Name,
			Lowest: f.Lowest, LowestAt: r.where(&f, f.LowestLevel, &f.LowestBin),
			Highest: f.Highest, HighestAt: r.where(&f, f.HighestLevel, &f.HighestBin),
			Elasticity: known(f.Elasticity), Share: f.Share, LogShare: known(f.LogShare), TotalShare: known(f.TotalShare),
			NoEffect: f.NoEffect, Confounded: f.Confounded, ByChance: f.Binned && f.Chance > 0.05,
		})
	}
}

// where is a level, or the range that the levels of a sampled factor were taken
// together in.
func (r *Result) where(f *analysis.FactorSensitivity, level int, bin *analysis.Bin) string {
	if !f.Binned {
		return r.levelText(f.Factor, level)
	}
	text := fmt.Sprintf("%.3g to %.3g", bin.Low, bin.High)
	if u := r.study.Design.Factors[f.Factor].Unit; u != "" {
		text += " " + u
	}
	return text
}

// known returns nil for a number that does not exist.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func (r *Result) findEffects() {
	varied := 0
	for i := range r.study.Design.Factors {
		if r.study.Design.Factors[i].Len() > 1 {
			varied++
		}
	}
	e, err := analysis.Effects(r.table, r.response.Name, varied <= analysis.MaxInteractionFactors)
	if err != nil {
		r.warn("no effects: %v", err)
		return
	}
	r.effects = e
	for _, w := range e.Warnings {
		if !slices.Contains(r.Warnings, w) {
			r.warn("%s", w)
		}
	}
	x := &Effects{Method: e.Method.String(), Mean: e.Mean, Main: []Effect{}, HigherShare: e.Higher.Share, ErrorShare: e.Error.Share}
	for _, m := range e.Main {
		one := Effect{Factor: r.table.Factors[m.Factor].Name, Share: m.Share, Range: m.Range}
		for _, l := range m.Levels {
			one.Levels = append(one.Levels, LevelEffect{r.levelText(m.Factor, l.Level), l.Effect})
		}
		x.Main = append(x.Main, one)
	}
	for _, i := range e.Interactions {
		x.Interactions = append(x.Interactions, Interaction{
			[2]string{r.table.Factors[i.Factors[0]].Name, r.table.Factors[i.Factors[1]].Name}, i.Share})
	}
	r.Effects = x
}

// findGrowth follows the best configuration over the sizes, if there are several.
func (r *Result) findGrowth() {
	g, err := analysis.Best(r.table, r.response.Name, r.goal, r.size.Name)
	if err != nil {
		r.warn("no growth path: %v", err)
		return
	}
	if len(g.Optima) < 2 {
		return
	}
	r.growth = g
	for _, o := range g.Optima {
		r.Growth = append(r.Growth, Optimum{*r.configuration(o.Levels, o.Value), o.Size, o.Of, o.Tied, o.Move.Kind.String()})
	}
	table, several, err := r.growing()
	if err != nil {
		r.warn("no steepest ascent: %v", err)
		return
	}
	if !several {
		return // with one way to grow there is nothing to choose
	}
	a, err := analysis.Ascend(table, r.response.Name, r.goal, r.size.Name, analysis.Per{})
	if err != nil {
		r.warn("no steepest ascent: %v", err)
		return
	}
	r.Ascent = &Ascent{Misses: []Miss{}}
	for _, s := range a.Steps {
		raised := ""
		if s.Factor >= 0 {
			raised = r.table.Factors[s.Factor].Name
		}
		r.Ascent.Steps = append(r.Ascent.Steps, AscentStep{*r.configuration(s.Levels, s.Value), raised, s.Size, s.Gain})
	}
	r.findMisses()
}

// findMisses compares the best that the walk has at each size with the best there is.
func (r *Result) findMisses() {
	for _, o := range r.Growth {
		at := -1
		for i, s := range r.Ascent.Steps {
			if math.Abs(s.Size-o.Size) <= 1e-9*math.Abs(o.Size) && (at < 0 || r.better(s.Value, r.Ascent.Steps[at].Value) < 0) {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		walk := r.Ascent.Steps[at].Configuration
		if short := math.Abs(o.Value - walk.Value); r.better(o.Value, walk.Value) < 0 && short > 1e-12*math.Abs(o.Value) {
			r.Ascent.Misses = append(r.Ascent.Misses, Miss{o.Size, walk, o.Configuration, short})
		}
	}
}

// growing returns the rows in which the factors that do not change the size are
// as at the best point, and whether several factors change it: those are ways to
// grow.
func (r *Result) growing() (t *analysis.Table, several bool, err error) {
	s, err := analysis.Sensitivity(r.table, r.size.Name)
	if err != nil {
		return nil, false, err
	}
	t = r.table
	ways := 0
	for _, f := range s.Factors {
		if f.Varied && !f.NoEffect {
			ways++
			continue
		}
		if t, err = t.Fix(t.Factors[f.Factor].Name, r.Best.levels[f.Factor]); err != nil {
			return nil, false, err
		}
	}
	return t, ways > 1, nil
}

// kindOfLaw says what laws of scaling apply to an outcome, if any do.
func kindOfLaw(outcome string) (regression.Kind, bool) {
	switch outcome {
	case "time":
		return regression.Time, true
	case "speedup":
		return regression.Speedup, true
	case "achieved_speed":
		return regression.Throughput, true
	}
	return 0, false
}

// lawSizes bounds how many sizes laws are fitted to: each is left out once.
const lawSizes = 100

// workVaries reports whether the best configurations of the sizes do different
// work, where the outcomes say what work is done.
func (r *Result) workVaries() bool {
	work := slices.IndexFunc(r.table.Responses, func(x analysis.Response) bool { return x.Name == "work" })
	if work < 0 {
		return false
	}
	first := math.NaN()
	for _, o := range r.growth.Optima {
		i := slices.IndexFunc(r.table.Rows, func(x analysis.Row) bool { return slices.Equal(x.Levels, o.Levels) })
		w := r.table.Rows[i].Values[work]
		switch {
		case math.IsNaN(first):
			first = w
		case math.Abs(w-first) > 1e-9*math.Abs(first):
			return true
		}
	}
	return false
}

// findScaling fits laws to the best values over the sizes. For the logarithm of
// the speedup that is the speedup.
func (r *Result) findScaling() {
	if r.growth == nil {
		return
	}
	if s := r.Objective.Size; s != "processes" && s != "nodes" {
		return // the laws are about processors
	}
	outcome, transform := r.Objective.Response, func(x float64) float64 { return x }
	if outcome == "log2_speedup" {
		outcome, transform = "speedup", math.Exp2
	}
	kind, ok := kindOfLaw(outcome)
	if !ok {
		return
	}
	if r.workVaries() {
		r.lawless = "No law of scaling is fitted: the best configurations of the sizes do different work, and the laws are about one problem."
		return
	}
	var samples []regression.Sample
	optima := r.growth.Optima
	for i := range min(len(optima), lawSizes) {
		o := optima[i*(len(optima)-1)/max(1, min(len(optima), lawSizes)-1)]
		if o.Size >= 1 {
			samples = append(samples, regression.Sample{P: o.Size, Y: transform(o.Value)})
		}
	}
	c, err := regression.Compare(kind, samples)
	if err != nil {
		return // too few sizes; nothing was promised
	}
	if !c.Fits[0].Sound {
		r.lawless = "No law of scaling describes the best values: " + strings.Join(c.Fits[0].Warnings, "; ") + "."
		return
	}
	r.scaling = c
	for _, f := range c.Fits {
		if !f.Sound {
			continue
		}
		from, to := f.Range()
		r.Scaling = append(r.Scaling, Model{f.Model, f.Formula, f.Quality.RMSE, f.Quality.CrossSMAPE, from, to})
	}
}

package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// Search is what a search simulated, and what its surrogate says about the rest. Where the logarithm is predicted,
// standard errors and expected improvements are relative to the value.
type Search struct {
	Configurations int              `json:"configurations"` // of the design
	Simulated      int              `json:"simulated"`
	Start          int              `json:"start"` // how many of them were the start
	Batch          int              `json:"batch"`
	Criterion      search.Criterion `json:"criterion"`
	FoundAs        int              `json:"found_as"` // the best one's place in the order of simulation, from 1; 0 if there is none
	// Surrogate is null if the results do not determine one.
	Surrogate *Surrogate `json:"surrogate"`
}

// Surrogate is the model that predicts.
type Surrogate struct {
	Logarithm    bool            `json:"logarithm"`     // the logarithm of the objective is predicted
	LengthScales []LengthScale   `json:"length_scales"` // the shortest first
	Noise        analysis.Number `json:"noise"`         // standard deviation of a result; null if results have no noise
	Check        *LeftOut        `json:"leave_one_out"` // null with fewer than three values, or if all are equal
	Next         *Candidate      `json:"next"`          // null if all are simulated
	// Better bounds the probability that a configuration not simulated is better by 1 %.
	Better float64 `json:"better_by_1_percent"`
}

// LengthScale says over which part of a factor's axis the objective changes.
type LengthScale struct {
	Factor string  `json:"factor"`
	Length float64 `json:"length"`

	index int // of the factor
}

// LeftOut compares results with what the others predict for them.
type LeftOut struct {
	Explained float64 `json:"explained"` // fraction of the variance; of the logarithm if that is predicted
	Within    int     `json:"within_two_standard_errors"`
	Of        int     `json:"of"`

	// The results, their predictions, and the ends of two standard errors.
	Simulated, Predicted, Low, High []float64 `json:"-"`
}

// Candidate is the configuration to simulate next.
type Candidate struct {
	analysis.Configuration         // with the predicted value
	StdErr                 float64 `json:"standard_error"`
	Improvement            float64 `json:"expected_improvement"`
}

// poor is the fraction of the variance below which predictions of results left out get a warning.
const poor = 0.5

// better is the fraction by which a configuration must be better to be worth looking for.
const better = 0.01

// findPredictions answers what a search is for.
func (r *Result) findPredictions() error {
	s := r.Study
	h, err := s.History()
	if err != nil {
		return err
	}
	r.Search = &Search{
		Configurations: s.Design.Configurations(), Simulated: len(h.Configurations),
		Start: s.Search.Start, Batch: s.Search.Batch, Criterion: s.Search.Criterion, FoundAs: r.Ranking[0].Rows[0].Point/s.Design.Repetitions + 1,
	}
	r.History, r.Model = h, h.Model()
	if r.Model == nil {
		return nil
	}
	x := &Surrogate{Logarithm: r.Model.Log, Noise: analysis.Number(math.NaN()), Check: r.leftOut()}
	for i, f := range r.Table.Factors {
		if n := len(x.LengthScales); len(f.Levels) > 1 {
			x.LengthScales = append(x.LengthScales, LengthScale{f.Name, r.Model.Process.Kernel.Lengths[n], i})
		}
	}
	slices.SortStableFunc(x.LengthScales, func(a, b LengthScale) int { return cmp.Compare(a.Length, b.Length) })
	if s.Search.Noise {
		x.Noise = analysis.Number(r.Model.Noise())
	}
	if next, improvement := h.Candidate(r.Model); next >= 0 {
		p := r.Model.At(next)
		x.Better = h.MostBetter(r.Model, better)
		x.Next = &Candidate{r.Cells.Configuration(r.levels(next), p.Mean), p.StdErr, improvement}
	}
	r.Search.Surrogate = x
	if c := x.Check; c != nil && c.Explained < poor {
		r.warn("predictions are poor: the other results explain %.0f %% of the variance of the results; expected at least %.0f %%, as with more points", 100*max(0, c.Explained), 100*poor)
	}
	return nil
}

// levels returns the levels of a configuration of the design.
func (r *Result) levels(configuration int) []int {
	return r.Study.Design.Point(configuration * r.Study.Design.Repetitions).Levels
}

// leftOut compares each result with its prediction from the others, on the scale on which the objective is predicted.
func (r *Result) leftOut() *LeftOut {
	x := new(LeftOut)
	for i := range r.History.Configurations {
		if r.History.Known(i) {
			x.Simulated = append(x.Simulated, r.History.Mean(i))
		}
	}
	if x.Of = len(x.Simulated); x.Of < 3 || r.Model.Process.StdDev == 0 {
		return nil
	}
	scale, back := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if r.Model.Log {
		scale, back = math.Log, math.Exp
	}
	mean := each.Sum(x.Simulated, func(v float64) float64 { return scale(v) / float64(x.Of) })
	errors, all := 0.0, 0.0
	for i, p := range r.Model.Process.LeaveOneOut() {
		v, predicted := scale(x.Simulated[i]), r.Model.Sign*p.Mean
		errors += float64((v - predicted) * (v - predicted))
		all += float64((v - mean) * (v - mean))
		if math.Abs(v-predicted) <= 2*p.StdErr {
			x.Within++
		}
		x.Predicted = append(x.Predicted, back(predicted))
		x.Low = append(x.Low, back(predicted-float64(2*p.StdErr)))
		x.High = append(x.High, back(predicted+float64(2*p.StdErr)))
	}
	x.Explained = 1 - errors/all
	return x
}

// negligible is the fraction of a standard error below which no improvement is expected.
const negligible = 1e-6

// searchInWords says what was simulated and what to expect of the rest.
func (r *Result) searchInWords() []string {
	x := r.Search
	if x == nil {
		return nil
	}
	text := fmt.Sprintf("%d of %s were simulated: %d of a Latin hypercube", x.Simulated, input.Plural(x.Configurations, "configuration"), x.Start)
	if n := x.Simulated - x.Start; n > 0 {
		what := " with the largest expected improvement"
		if x.Criterion == search.Uncertainty {
			what = " with the most uncertain prediction"
		}
		known := false // before the first is chosen
		for i := range x.Start {
			known = known || r.History.Known(i)
		}
		if !known {
			what = ", the first of them not by predictions, because the start has no result"
		}
		text += fmt.Sprintf(", then %d%s", n, what)
	}
	best := fmt.Sprintf(" The best is number %d of them.", x.FoundAs)
	if r.Unequal != "" {
		best = ""
		if x.Criterion != search.Uncertainty {
			best = " The search compares them all the same; criterion: uncertainty does not."
		}
	}
	lines := []string{text + "." + best}
	if x.Surrogate == nil {
		return append(lines, "Nothing can be predicted from them.")
	}
	if c := x.Surrogate.Check; c != nil {
		of := ""
		if x.Surrogate.Logarithm {
			of = ", as logarithms,"
		}
		lines = append(lines, fmt.Sprintf("Predicting each result from the others explains %.0f %% of the variance of the results%s, and %d of %d are within two standard errors.", 100*max(0, c.Explained), of, c.Within, c.Of))
	}
	if n := x.Surrogate.Next; n != nil && r.Unequal == "" {
		predicted := fmt.Sprintf("%s, predicted with %s and a standard error of %s", r.Describe(n.At), r.InUnit(input.Digits(n.Value, 4)), r.uncertainty(n.StdErr))
		switch {
		case n.Improvement > negligible*n.StdErr:
			lines = append(lines, fmt.Sprintf("Next would be %s: the expected improvement is %s.", predicted, r.uncertainty(n.Improvement)))
		case x.Criterion == search.Uncertainty: // other configurations may be expected to be better
			lines = append(lines, fmt.Sprintf("Next would be %s.", predicted))
		default:
			lines = append(lines, fmt.Sprintf("No other configuration is expected to be better; next would be %s.", predicted))
		}
		most := fmt.Sprintf("at most %.2g %%", 100*x.Surrogate.Better)
		if x.Surrogate.Better < 0.001 {
			most = "below 0.1 %"
		}
		lines = append(lines, fmt.Sprintf("By these predictions, the probability that another is better by %.0f %% is %s.", 100*better, most))
	}
	return lines
}

// uncertainty writes a standard error or an expected improvement.
func (r *Result) uncertainty(x float64) string {
	if r.Model.Log {
		return fmt.Sprintf("%.3g %%", 100*x)
	}
	return r.InUnit(input.Digits(x, 3))
}

// searchSection shows the predictions for all configurations, their uncertainty, and what was simulated.
func (r *sections) searchSection() *report.Section {
	if r.Model == nil {
		return nil
	}
	s := &report.Section{Heading: "Predictions of a Gaussian process", Text: []string{r.scalesInWords()}}
	s.Blocks = append(r.predictionMaps(), r.progress())
	if c := r.Search.Surrogate.Check; c != nil {
		s.Blocks = append(s.Blocks, r.checkChart(c))
	}
	return s
}

// scalesInWords says over which distances the objective changes.
func (r *sections) scalesInWords() string {
	var parts []string
	for _, l := range r.Search.Surrogate.LengthScales {
		of := "its axis"
		if !r.Table.Factors[l.index].Numeric {
			of = "the difference of two levels"
		}
		parts = append(parts, fmt.Sprintf("%s %.3g of %s", l.Factor, l.Length, of))
	}
	text := "Length scales, over which the objective changes: " + strings.Join(parts, ", ") + "."
	if x := r.Search.Surrogate.Noise; x.Exists() {
		text += fmt.Sprintf(" The noise of a result has a standard deviation of %s.", r.uncertainty(float64(x)))
	}
	return text
}

// predictionMaps show the prediction and its standard error over two factors, the others
// as at the best point; none if the configurations have no grid.
func (r *sections) predictionMaps() (blocks []report.Block) {
	means, errors := r.predictions()
	if means == nil {
		return nil
	}
	v, ok := r.mapped(means, r.shown)
	shown := r.shown
	if r.Model.Log {
		shown = page.Scale{Factor: 1, Unit: "%"}
	}
	e, known := r.mapped(errors, shown)
	if !ok || !known {
		return nil
	}
	others := r.othersInWords(v) + " Rings: simulated configurations."
	predicted := "Predicted " + r.label(r.Response.Name)
	layers := func(s *report.Surface, v view) {
		add(s, report.MarkContours, "equal prediction", linesOf(v), "")
		add(s, report.MarkPoints, "simulated", r.simulatedOn(v), "")
	}
	if low, high := analysis.Extremes(v.Values); low < high {
		m := r.surface(v, predicted, colours(r.objective(), low, high))
		layers(m, v)
		m.Caption = "Colour and lines: prediction." + others
		blocks = append(blocks, m)
	}
	if low, high := analysis.Extremes(e.Values); low < high {
		value := report.Axis{Title: "standard error", Unit: page.Unit(shown.Unit), Min: new(0.0), Max: &high}
		m := r.surface(e, "Standard error of the prediction of "+r.label(r.Response.Name), value)
		m.Caption = "Colour: standard error of the prediction." + others
		add(m, report.MarkPoints, "simulated", r.simulatedOn(e), "")
		blocks = append(blocks, m)
	}
	if more := r.slicesBlock(drawing{means, predicted, layers, "Lines: equal prediction. Rings: simulated configurations."}); more != nil {
		blocks = append(blocks, more)
	}
	return blocks
}

// predictions returns all configurations with their predictions, and with the standard errors, in per cent where the
// logarithm is predicted; nil if there are none.
func (r *sections) predictions() (means, errors *analysis.Cells) {
	responses := []analysis.Response{{Name: "predicted"}, {Name: "standard error"}}
	t := &analysis.Table{Factors: r.Table.Factors, Responses: responses}
	for c := range r.Study.Design.Configurations() {
		p := r.Model.At(c)
		if r.Model.Log {
			p.StdErr *= 100 // per cent
		}
		t.Rows = append(t.Rows, analysis.Row{Point: c, Levels: r.levels(c), Values: []float64{p.Mean, p.StdErr}})
	}
	means, err := t.Gather("predicted", r.Cells.Goal)
	if err == nil {
		errors, err = t.Gather("standard error", analysis.Minimize)
	}
	if err != nil {
		return nil, nil
	}
	return means, errors
}

// simulatedOn marks the simulated configurations that have the levels of a map.
func (r *sections) simulatedOn(v view) (traces []report.Trace) {
	for i, c := range r.History.Configurations {
		traces = append(traces, v.through(fmt.Sprintf("number %d", i+1), 1, r.levels(c))...)
	}
	return traces
}

// progress shows the results in the order of their simulation.
func (r *sections) progress() *report.LineChart {
	series := []report.Series{
		{Name: "start", Points: true}, {Name: "chosen", Points: true}, {Name: "best so far", Plain: true},
	}
	start, chosen, best := &series[0], &series[1], &series[2]
	for i := range r.History.Configurations {
		if !r.History.Known(i) {
			continue
		}
		at, v := float64(i+1), r.History.Mean(i)*r.shown.Factor
		of := start
		if i >= r.Search.Start {
			of = chosen
		}
		of.X, of.Y = append(of.X, at), append(of.Y, v)
		if n := len(best.Y); n > 0 {
			best.X, best.Y = append(best.X, at), append(best.Y, best.Y[n-1])
			if (best.Y[n-1] > v) == r.Objective.Maximize {
				continue
			}
		}
		best.X, best.Y = append(best.X, at), append(best.Y, v)
	}
	c := &report.LineChart{
		Title:   "Results in the order of simulation",
		Caption: "Start: of a Latin hypercube. Chosen: by predictions from the results before.",
		X:       report.Axis{Title: "configuration", Unit: report.Dimensionless},
		Y:       r.objective(),
		Series:  slices.DeleteFunc(series, func(s report.Series) bool { return len(s.X) == 0 }),
	}
	c.Y.Log = r.Model.Log
	return c
}

// checkChart shows for each result what the others predict.
func (r *sections) checkChart(c *LeftOut) *report.LineChart {
	axis := func(what string) report.Axis {
		return report.Axis{Title: what + " " + r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit), Log: r.Model.Log}
	}
	simulated := r.shown.All(c.Simulated)
	ends := []float64{slices.Min(simulated), slices.Max(simulated)}
	return &report.LineChart{
		Title:   "Each result, and its prediction from the others",
		Caption: "Whiskers: two standard errors to both sides. On the line predictions are exact.",
		X:       axis("simulated"), Y: axis("predicted"),
		Square: true,
		Series: []report.Series{
			{Name: "equal", X: ends, Y: ends, Ideal: true},
			{
				Name: "predicted from the others", Points: true, X: simulated,
				Y: r.shown.All(c.Predicted), Low: r.shown.All(c.Low), High: r.shown.All(c.High),
			},
		},
	}
}

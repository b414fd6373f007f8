package laws

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/regression"
)

// Performance is what models say about a system's times: over processes at one size, or over processes and size.
type Performance struct {
	System      string       `json:"system"`
	N           float64      `json:"n,omitempty"`      // over processes: the size, of n or of work; 0: unknown
	From        float64      `json:"n_from,omitempty"` // over both: the sizes that the model was fitted to
	To          float64      `json:"n_to,omitempty"`
	Over        []string     `json:"over"`   // "p", or "p" and "n"
	Models      []Model      `json:"models"` // sound ones, the smallest cross-validation error first
	Predictions []Prediction `json:"predictions"`
	Reach       float64      `json:"reach,omitempty"`  // over processes: the largest number that is predicted
	Beyond      string       `json:"beyond,omitempty"` // the form that predicts, or why nothing does, in words
	Warnings    []string     `json:"warnings"`

	fitted *Fitted               // over processes
	grown  *regression.Forecast2 // over both
	points []regression.Sample2  // of grown

	sizeName func(float64) string // of grown
}

// A Prediction is the prediction of one time by the first model.
type Prediction struct {
	Processes    float64    `json:"processes"`
	N            float64    `json:"n,omitempty"`
	Time         float64    `json:"time_s"`
	Interval     [2]float64 `json:"interval_s"` // 95 % interval of one more time; not below 0
	Extrapolates bool       `json:"extrapolated"`
}

// fewestForModels is the number of numbers of processes from which on models are compared: with fewer, leaving one out
// leaves only as many as a law has parameters.
const fewestForModels = 4

// FitTimes compares models of times in s over processes at one size; the subject needs only its title and samples. It
// returns nil if there are too few samples.
func FitTimes(s Subject) *Performance {
	if len(s.Samples) < fewestForModels {
		return nil
	}
	s.Outcome, s.Unit, s.Size, s.Points, s.Kind = "time", "s", "processes", "measured", regression.Time
	f, err := Fit(s)
	if err != nil {
		return nil
	}
	p := &Performance{Over: []string{"p"}, Models: f.Models(), Warnings: f.notes(), fitted: f}
	if f.sound() {
		best := f.Fits[0]
		_, high := best.Range()
		if b, err := best.Band(high, level); err == nil {
			p.predict(Prediction{high, 0, b.Value, b.Prediction, false})
		}
	}
	if f.Beyond != nil {
		_, high := f.Fits[0].Range()
		for _, processes := range []float64{2 * high, 4 * high} {
			if value, interval, ok := f.Beyond.At(processes); ok {
				p.predict(Prediction{processes, 0, value, interval, true})
			}
		}
		p.Reach, p.Beyond = f.Beyond.Reach, f.beyondInWords()
	}
	p.complete()
	return p
}

// FitGrowth fits a model to times in s over processes P and size Q. The error says what is missing. sizeName formats a
// size.
func FitGrowth(samples []regression.Sample2, sizeName func(float64) string) (*Performance, error) {
	m, err := regression.FitForecast2(samples)
	if err != nil {
		return nil, err
	}
	lowP, highP, lowN, highN := m.Range()
	sum := 0.0
	for _, s := range samples {
		miss := m.Time(s.P, s.Q) - s.Y
		sum += float64(miss * miss)
	}
	name, text := "normal form", m.Formula
	if m.Process {
		name, text = "normal form of p T", "("+m.Formula+")/p"
	}
	p := &Performance{
		From: lowN, To: highN, Over: []string{"p", "n"},
		Models: []Model{{name, text, math.Sqrt(sum / float64(len(samples))), m.CrossSMAPE, lowP, highP}},
		grown:  m, points: samples, sizeName: sizeName,
	}
	for _, at := range [][2]float64{{highP, highN}, {2 * highP, highN}, {highP, 2 * highN}, {2 * highP, 2 * highN}} {
		value := m.Time(at[0], at[1])
		switch interval, ok := m.Interval(at[0], at[1]); {
		case ok:
			p.predict(Prediction{at[0], at[1], value, interval, m.Extrapolates(at[0], at[1])})
		case value <= 0:
			p.warn("the model gives no time above 0 on %g processes for %s: it does not reach that far", at[0], sizeName(at[1]))
		default:
			p.Beyond = fmt.Sprintf("Nothing is predicted on %g processes for %s: the form does not predict the largest sizes well enough from the smaller ones.", at[0], sizeName(at[1]))
		}
	}
	for _, s := range samples {
		if m.Time(s.P, s.Q) <= 0 {
			p.warn("the model gives no time above 0 on %g processes for %s, which was measured", s.P, sizeName(s.Q))
			break
		}
	}
	p.complete()
	return p, nil
}

func (p *Performance) warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}

// Grows reports whether the model is over processes and size.
func (p *Performance) Grows() bool { return p.grown != nil }

// predict adds a prediction if its numbers are finite, with the interval cut off at 0.
func (p *Performance) predict(x Prediction) {
	if sum := x.Time + x.Interval[0] + x.Interval[1]; !math.IsNaN(sum) && !math.IsInf(sum, 0) {
		x.Interval[0] = max(x.Interval[0], 0)
		p.Predictions = append(p.Predictions, x)
	}
}

// complete drops models whose numbers are not finite, and makes nil lists empty.
func (p *Performance) complete() {
	p.Models = slices.DeleteFunc(p.Models, func(m Model) bool {
		return math.IsNaN(m.CrossSMAPE) || math.IsNaN(m.RMSE) || math.IsInf(m.RMSE, 0)
	})
	p.Models, p.Predictions, p.Warnings = append([]Model{}, p.Models...), append([]Prediction{}, p.Predictions...),
		append([]string{}, p.Warnings...)
}

// Blocks returns a chart of the models, and notes on them.
func (p *Performance) Blocks() []report.Block {
	if !p.Grows() {
		return p.fitted.Blocks()
	}
	blocks := []report.Block{p.growthChart(), p.parityChart()}
	if len(p.Warnings) > 0 {
		blocks = append(blocks, &report.Notes{Items: p.Warnings})
	}
	return blocks
}

// mostSizes is how many sizes a chart shows.
const mostSizes = 4

// growthChart shows the model over processes and size: a line for each size, up to
// four times the processes, with the band of the largest size.
func (p *Performance) growthChart() *report.LineChart {
	times := each.Append(nil, p.points, func(s regression.Sample2) float64 { return s.Y })
	sizes := p.sizes()
	few := chart.Few(len(sizes), mostSizes) // the smallest, the largest, and some between
	title := "Times over processes and size"
	if p.System != "" {
		title += " of " + p.System
	}
	shown := page.Display("s", times...)
	c := &report.LineChart{
		Title: title,
		Caption: "Lines: the model. Dashed lines: prediction beyond the measured numbers of processes, as far as it reaches. " +
			"Band: 95 % interval of the largest size.",
		X: report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true},
		Y: report.Axis{Title: "time", Unit: shown.Unit, Log: page.Wide(times)},
	}
	if len(few) < len(sizes) {
		caption := " %d of %d sizes are shown, the smallest and the largest among them."
		c.Caption += fmt.Sprintf(caption, len(few), len(sizes))
	}
	low, high, _, _ := p.grown.Range()
	const most = 4 // times the processes
	for _, i := range few {
		q := sizes[i]
		points := report.Series{Name: p.sizeName(q) + ", measured", Points: true, Colour: p.sizeName(q)}
		for _, s := range p.points {
			if s.Q == q {
				points.X, points.Y = append(points.X, s.P), append(points.Y, s.Y*shown.Factor)
			}
		}
		at := func(x float64) (float64, [2]float64, bool) {
			interval, ok := p.grown.Interval(x, q)
			return p.grown.Time(x, q), interval, ok
		}
		name := p.sizeName(q)
		inside := draw(name, low, high, shown.Factor, c.Y.Log, at)
		beyond := draw(name+", predicted", high, most*high, shown.Factor, c.Y.Log, at)
		beyond.Dashed, beyond.Colour = true, name
		c.Series = append(c.Series, points, inside.Series, beyond.Series)
		c.Bands = []report.Band{inside.band, beyond.band} // the last are those of the largest
	}
	return c
}

// sizes returns the measured sizes, ascending.
func (p *Performance) sizes() (all []float64) {
	all = each.Append(all, p.points, func(s regression.Sample2) float64 { return s.Q })
	slices.Sort(all)
	return slices.Compact(all)
}

// mostGroups is the largest number of sizes that get colours of their own in a chart of measured times.
const mostGroups = 8

// parityChart shows modelled times over the measured times that the model was fitted to.
func (p *Performance) parityChart() *report.LineChart {
	var pairs []page.Pair
	few := len(p.sizes()) <= mostGroups
	for _, s := range p.points {
		x := page.Pair{Group: "all sizes", Reference: s.Y, Computed: p.grown.Time(s.P, s.Q)}
		if few {
			x.Group = p.sizeName(s.Q)
		}
		if x.Computed >= 1e-9 && x.Reference >= 1e-9 { // what a logarithmic axis can show
			pairs = append(pairs, x)
		}
	}
	c := page.ParityChart("time", "s", "measured", "modelled", pairs)
	if p.System != "" {
		c.Title += " of " + p.System
	}
	c.Caption += " The model was fitted to these times; cross-validation says how well it predicts others."
	return c
}

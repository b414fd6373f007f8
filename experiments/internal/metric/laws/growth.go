package laws

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/regression"
)

// growthModel is a model of the time over processes and size: a normal form of the time
// T or of the process time p T, over p. Normal forms have no terms that fall with p, so
// the first suits problems that grow with the machine, and the second a fixed problem.
type growthModel struct {
	form    *regression.NormalForm2
	process bool // the form is that of p T
	rmse    float64
}

// fitGrowth fits both forms and returns the one with the smaller error of
// cross-validation, which is relative and so the same for T and p T.
func fitGrowth(samples []regression.Sample2) (*growthModel, error) {
	form, err := regression.FitNormalForm2(samples)
	if err != nil {
		return nil, err
	}
	best := &growthModel{form: form}
	costs := make([]regression.Sample2, len(samples))
	for i, s := range samples {
		costs[i] = regression.Sample2{P: s.P, Q: s.Q, Y: s.P * s.Y}
	}
	if form, err := regression.FitNormalForm2(costs); err == nil && !(best.form.CrossSMAPE <= form.CrossSMAPE) {
		best = &growthModel{form: form, process: true}
	}
	sum := 0.0
	for _, s := range samples {
		miss := best.at(s.P, s.Q) - s.Y
		sum += float64(miss * miss)
	}
	best.rmse = math.Sqrt(sum / float64(len(samples)))
	return best, nil
}

// words are the name of the model and its formula.
func (m *growthModel) words() (name, formula string) {
	if m.process {
		return "normal form of p T", "(" + m.form.Formula + ")/p"
	}
	return "normal form", m.form.Formula
}

func (m *growthModel) at(p, n float64) float64 {
	if m.process {
		return m.form.At(p, n) / p
	}
	return m.form.At(p, n)
}

// band is the value and the prediction interval.
func (m *growthModel) band(p, n float64) (regression.Band2, error) {
	b, err := m.form.Band(p, n, level)
	if m.process {
		b.Value /= p
		b.Prediction[0] /= p
		b.Prediction[1] /= p
	}
	return b, err
}

// Blocks are a chart of the models and what there is to note.
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
	var times []float64
	for _, s := range p.points {
		times = append(times, s.Y)
	}
	sizes := p.sizes()
	few := chart.Few(len(sizes), mostSizes) // the smallest, the largest, and some between
	title := "Times over processes and size"
	if p.System != "" {
		title += " of " + p.System
	}
	shown := page.Display("s", times...)
	c := &report.LineChart{
		Title: title,
		Caption: "Lines: the model. Dashed lines: extrapolation beyond the measured numbers of processes. " +
			"Band: 95 % prediction interval of the largest size.",
		X: report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true},
		Y: report.Axis{Title: "time", Unit: shown.Unit, Log: page.Wide(times)},
	}
	if len(few) < len(sizes) {
		caption := " %d of %d sizes are shown, the smallest and the largest among them."
		c.Caption += fmt.Sprintf(caption, len(few), len(sizes))
	}
	low, high, _, _ := p.grown.form.Range()
	for _, i := range few {
		q := sizes[i]
		points := report.Series{Name: p.sizeName(q) + ", measured", Points: true, Colour: p.sizeName(q)}
		for _, s := range p.points {
			if s.Q == q {
				points.X, points.Y = append(points.X, s.P), append(points.Y, s.Y*shown.Factor)
			}
		}
		l := draw(p.sizeName(q), low, high, shown.Factor, c.Y.Log, func(x float64) (float64, [2]float64, bool) {
			b, err := p.grown.band(x, q)
			return b.Value, b.Prediction, err == nil && b.Value > 0 // else the model ends to hold
		})
		c.Series = append(c.Series, points, l.inside, l.outside)
		c.Bands = []report.Band{l.band} // the last is that of the largest
	}
	return c
}

// sizes are those that were measured, ascending.
func (p *Performance) sizes() (all []float64) {
	for _, s := range p.points {
		all = append(all, s.Q)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostGroups is how many sizes have a colour of their own beside measured times.
const mostGroups = 8

// parityChart shows the times of the model over the measured ones that it was fitted to.
func (p *Performance) parityChart() *report.LineChart {
	var pairs []page.Pair
	few := len(p.sizes()) <= mostGroups
	for _, s := range p.points {
		x := page.Pair{Group: "all sizes", Reference: s.Y, Computed: p.grown.at(s.P, s.Q)}
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
	c.Caption += " The model was fitted to these times; how well it predicts others, the cross-validation says."
	return c
}

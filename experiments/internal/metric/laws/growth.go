package laws

import (
	"fmt"
	"math"
	"slices"

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
	bySize := make(map[float64]*report.Series)
	var sizes []float64
	for _, s := range p.points {
		times = append(times, s.Y)
		if bySize[s.Q] == nil {
			sizes = append(sizes, s.Q)
			bySize[s.Q] = &report.Series{Name: p.sizeName(s.Q) + ", measured", Points: true, Colour: p.sizeName(s.Q)}
		}
		x := bySize[s.Q]
		x.X, x.Y = append(x.X, s.P), append(x.Y, s.Y)
	}
	slices.Sort(sizes)
	all := len(sizes)
	if n := all; n > mostSizes { // the smallest, the largest, and some between
		for i := range mostSizes {
			sizes[i] = sizes[i*(n-1)/(mostSizes-1)]
		}
		sizes = sizes[:mostSizes]
	}
	title := "Times over processes and size"
	if p.System != "" {
		title += " of " + p.System
	}
	shown := page.Display("s", times...)
	chart := &report.LineChart{
		Title: title,
		Caption: "Lines: the model. Dashed lines: extrapolation beyond the measured numbers of processes. " +
			"Band: 95 % prediction interval of the largest size.",
		X: report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true},
		Y: report.Axis{Title: "time", Unit: shown.Unit, Log: page.Wide(times)},
	}
	if all > len(sizes) {
		chart.Caption += fmt.Sprintf(" %d of %d sizes are shown, the smallest and the largest among them.", len(sizes), all)
	}
	low, high, _, _ := p.grown.form.Range()
	for i, q := range sizes {
		points := *bySize[q]
		points.Y = shown.All(points.Y)
		l := draw(p.sizeName(q), low, high, shown.Factor, chart.Y.Log, func(x float64) (float64, [2]float64, bool) {
			b, err := p.grown.band(x, q)
			return b.Value, b.Prediction, err == nil && b.Value > 0 // else the model ends to hold
		})
		chart.Series = append(chart.Series, points, l.inside, l.outside)
		if i == len(sizes)-1 {
			chart.Bands = []report.Band{l.band}
		}
	}
	return chart
}

// mostGroups is how many sizes have a colour of their own beside measured times.
const mostGroups = 8

// parityChart shows the times of the model over the measured ones that it was fitted to.
func (p *Performance) parityChart() *report.LineChart {
	sizes := make(map[float64]bool)
	for _, s := range p.points {
		sizes[s.Q] = true
	}
	var pairs []page.Pair
	for _, s := range p.points {
		x := page.Pair{Group: "all sizes", Reference: s.Y, Computed: p.grown.at(s.P, s.Q)}
		if len(sizes) <= mostGroups {
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

package laws

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/regression"
)

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
	c.Caption += " The model was fitted to these times; how well it predicts others, the cross-validation says."
	return c
}

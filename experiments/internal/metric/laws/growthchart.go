package laws

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

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
		Title:   title,
		Caption: "Lines: the model. Dashed lines: extrapolation beyond the measured numbers of processes. Band: 95 % prediction interval of the largest size.",
		X:       report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true},
		Y:       report.Axis{Title: "time", Unit: shown.Unit, Log: page.Wide(times)},
	}
	if all > len(sizes) {
		chart.Caption += fmt.Sprintf(" %d of %d sizes are shown, the smallest and the largest among them.", len(sizes), all)
	}
	low, high, _, _ := p.grown.form.Range()
	for i, q := range sizes {
		points := *bySize[q]
		points.Y = shown.All(points.Y)
		inside := report.Series{Name: p.sizeName(q), Plain: true, Colour: p.sizeName(q)}
		outside := report.Series{Name: p.sizeName(q) + ", extrapolated", Plain: true, Dashed: true, Colour: p.sizeName(q)}
		band := report.Band{Name: "95 % interval of " + p.sizeName(q), Colour: p.sizeName(q)}
		const steps = 40
		for k := range steps + 1 {
			x := low * math.Pow(extrapolated*high/low, float64(k)/steps)
			b, err := p.grown.band(x, q)
			if err != nil || b.Value <= 0 {
				break // the model ends to hold
			}
			y := b.Value * shown.Factor
			side := &inside
			if x > high {
				side = &outside
			}
			side.X, side.Y = append(side.X, x), append(side.Y, y)
			floor := 0.0
			if chart.Y.Log {
				floor = y / 10
			}
			band.X = append(band.X, x)
			band.Low, band.High = append(band.Low, max(b.Prediction[0]*shown.Factor, floor)), append(band.High, b.Prediction[1]*shown.Factor)
		}
		chart.Series = append(chart.Series, points, inside, outside)
		if i == len(sizes)-1 {
			chart.Bands = []report.Band{band}
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

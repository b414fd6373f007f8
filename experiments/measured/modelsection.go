package measured

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// modelSection shows the performance models; nil if there are none.
func (r *Result) modelSection() *report.Section {
	if len(r.Models) == 0 {
		return nil
	}
	table := r.ModelTable()
	s := &report.Section{
		Heading: "Performance models",
		Text:    []string{"Which formula predicts times that it was not fitted to with the least error: Amdahl's law, the Universal Scalability Law or the performance model normal form, a sum of terms p^i log2(p)^j. Beyond the measured range a formula is only continued: the true time may leave the interval."},
		Blocks:  []report.Block{table.report()},
	}
	left := 0
	for i := range r.Models {
		p := &r.Models[i]
		switch {
		case i >= mostCurves:
			left++
		case p.grown != nil:
			s.Blocks = append(s.Blocks, r.growthChart(p))
			if len(p.Warnings) > 0 {
				s.Blocks = append(s.Blocks, &report.Notes{Items: p.Warnings})
			}
		default:
			s.Blocks = append(s.Blocks, p.fitted.Blocks()...)
		}
	}
	if left > 0 {
		s.Text = append(s.Text, fmt.Sprintf("%s more are only in the table.", input.Plural(left, "chart")))
	}
	return s
}

// growthChart shows the model over processes and size: a line for each size, up to
// four times the processes, with the band of the largest size.
func (r *Result) growthChart(p *Performance) *report.LineChart {
	var times []float64
	bySize := make(map[float64]*report.Series)
	var sizes []float64
	for _, s := range p.points {
		times = append(times, s.Y)
		if bySize[s.Q] == nil {
			sizes = append(sizes, s.Q)
			bySize[s.Q] = &report.Series{Name: r.sizeName(s.Q) + ", measured", Style: report.StylePoints, Colour: r.sizeName(s.Q)}
		}
		x := bySize[s.Q]
		x.X, x.Y = append(x.X, s.P), append(x.Y, s.Y)
	}
	slices.Sort(sizes)
	if n := len(sizes); n > mostCurves/2 { // the smallest, the largest, and some between
		for i := range mostCurves / 2 {
			sizes[i] = sizes[i*(n-1)/(mostCurves/2-1)]
		}
		sizes = sizes[:mostCurves/2]
	}
	shown := page.Display("s", times...)
	chart := &report.LineChart{
		Title:   "Times over processes and size" + of(p.System),
		Caption: "Lines: the model. Dashed lines: extrapolation beyond the measured numbers of processes. Band: 95 % prediction interval of the largest size.",
		X:       report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true},
		Y:       report.Axis{Title: "time", Unit: shown.Unit, Log: page.Wide(times)},
	}
	low, high, _, _ := p.grown.form.Range()
	for i, q := range sizes {
		points := *bySize[q]
		points.Y = shown.All(points.Y)
		inside := report.Series{Name: r.sizeName(q), Style: report.StylePlain, Colour: r.sizeName(q)}
		outside := report.Series{Name: r.sizeName(q) + ", extrapolated", Style: report.StylePlainDashed, Colour: r.sizeName(q)}
		band := report.Band{Name: "95 % interval of " + r.sizeName(q), Colour: r.sizeName(q)}
		const steps, beyond = 40, 4
		for k := range steps + 1 {
			x := low * math.Pow(beyond*high/low, float64(k)/steps)
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

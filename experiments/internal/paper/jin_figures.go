package paper

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
)

// lineSizes are the sizes r1 + r2 of the lines that are drawn: more would hide
// the surface.
func lineSizes() []float64 { return []float64{2, 4, 6, 8, 10, 12, 14, 16} }

// surface shows the speedup with contours.
func (k *jinCase) surface(d *draft) *report.Surface {
	s := chartOf[report.Surface](d, "surface", "${case}", fmt.Sprint(k.number))
	for r2 := range jinRange + 1 {
		var row []float64
		for r1 := range jinRange + 1 {
			row = append(row, k.speedup(float64(r1), float64(r2)))
		}
		s.Values = append(s.Values, row)
	}
	contours := report.Layer{Name: "equal speedup", Mark: report.MarkContours}
	lines := report.Layer{Name: "equal size", Mark: report.MarkDashes}
	gradients := report.Layer{Name: "gradient", Mark: report.MarkArrows}
	touches := report.Layer{Name: "best of a size", Mark: report.MarkPoints}
	for _, r := range lineSizes() {
		from, to := math.Max(0, r-jinRange), math.Min(r, jinRange)
		label := fmt.Sprintf("r1 + r2 = %v", r)
		mark(&lines, label, [2]float64{from, r - from}, [2]float64{to, r - to})
		a, b := k.touch(r)
		u := k.speedup(a, b)
		mark(&touches, label, [2]float64{a, b})
		cx, cy := k.contour(u)
		contours.Traces = append(contours.Traces, report.Trace{Label: fmt.Sprintf("%.2f", u), X: cx, Y: cy})
		g := k.gradient(a, b)
		const scale = 0.9 // cells for a slope of 1
		if ax, ay := a+float64(scale*g[0]), b+float64(scale*g[1]); ax <= jinRange+0.5 && ay <= jinRange+0.5 {
			mark(&gradients, fmt.Sprintf("(%.3f, %.3f)", g[0], g[1]), [2]float64{a, b}, [2]float64{ax, ay})
		}
	}
	s.Layers = []report.Layer{contours, lines, gradients, touches}
	return s
}

// directions shows the best doubling of every configuration. The length of an
// arrow is the gain; it points down if even the best doubling is a loss.
func (k *jinCase) directions(d *draft) *report.Surface {
	s := chartOf[report.Surface](d, "directions", "${case}", fmt.Sprint(k.number))
	arrows := report.Layer{Name: "best doubling", Mark: report.MarkArrows}
	least, most := math.Inf(1), math.Inf(-1)
	for r2 := range jinRange + 1 {
		row := make([]float64, jinRange+1)
		for r1 := range row {
			level, gain, ok := k.gains(configuration{r1, r2}).best()
			if !ok { // the last corner: nothing is left to double
				row[r1] = math.NaN()
				continue
			}
			row[r1] = gain
			least, most = math.Min(least, gain), math.Max(most, gain)
			const scale = 0.75 // cells for a gain of 1
			tip := [2]float64{float64(r1), float64(r2)}
			tip[level] += float64(scale * gain)
			mark(&arrows, fmt.Sprintf("level %d: %+.3f", level+1, gain), [2]float64{float64(r1), float64(r2)}, tip)
		}
		s.Values = append(s.Values, row)
	}
	s.Value.Min, s.Value.Max = new(math.Floor(10*least)/10), new(math.Ceil(10*most)/10)
	path, jumps := k.paths()
	s.Layers = []report.Layer{path}
	if len(jumps.Traces) > 0 {
		s.Layers = append(s.Layers, jumps)
	}
	s.Layers = append(s.Layers, arrows)
	return s
}

// paths connects the best configurations of all sizes, and marks whether one doubling
// leads from one to the next.
func (k *jinCase) paths() (path, jumps report.Layer) {
	path = report.Layer{Name: "optimal path", Mark: report.MarkPath}
	jumps = report.Layer{Name: "jump", Mark: report.MarkDashes}
	var t report.Trace
	for r, c := range k.optima() {
		x, y := float64(c[0]), float64(c[1])
		if n := len(t.X); n > 0 && (x < t.X[n-1] || y < t.Y[n-1]) {
			mark(&jumps, fmt.Sprintf("r = %d to %d", r-1, r), [2]float64{t.X[n-1], t.Y[n-1]}, [2]float64{x, y})
			path.Traces = append(path.Traces, t)
			t = report.Trace{}
		}
		if t.X == nil {
			t.Label = fmt.Sprintf("from r = %d", r)
		}
		t.X, t.Y = append(t.X, x), append(t.Y, y)
	}
	path.Traces = append(path.Traces, t)
	return path, jumps
}

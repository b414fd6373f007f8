package paper

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
)

// figure draws the figure of a case: the surface with contours, and the best next
// doubling of each configuration.
func (k *jinCase) figure() Figure {
	return Figure{
		ID: fmt.Sprintf("jin_fig%d", k.number), Title: fmt.Sprintf("Figure %d: case %d, %s", k.number, k.number, k.growth),
		Draw: []report.Block{k.surface(), k.directions()},
	}
}

func jinAxes() (x, y report.Axis) {
	const last = float64(jinRange)
	return report.Axis{Title: "r1 = log2 of subclusters", Unit: report.Dimensionless, Min: new(0.0), Max: new(last)},
		report.Axis{Title: "r2 = log2 of nodes in each", Unit: report.Dimensionless, Min: new(0.0), Max: new(last)}
}

// lineSizes are the sizes r1 + r2 of the lines that are drawn: more would hide
// the surface.
func lineSizes() []float64 { return []float64{2, 4, 6, 8, 10, 12, 14, 16} }

func (k *jinCase) surface() *report.Surface {
	x, y := jinAxes()
	s := &report.Surface{
		Title: fmt.Sprintf("Case %d: speedup by configuration", k.number),
		Caption: "Colour: log2 of the speedup over one node that does the same work. Each contour goes through the best point of a line of equal size; " +
			"an arrow there points where the speedup rises fastest, and is as long as it rises steeply. Between whole r1, r2 the formulas are continued.",
		X: x, Y: y, Value: report.Axis{Title: "log2 S", Unit: report.Dimensionless, Min: new(0.0), Max: new(2.0 * jinRange)},
	}
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
		label := fmt.Sprintf("%v", r)
		lines.Traces = append(lines.Traces, report.Trace{Label: "r1 + r2 = " + label, X: []float64{from, to}, Y: []float64{r - from, r - to}})
		a, b := k.touch(r)
		u := k.speedup(a, b)
		touches.Traces = append(touches.Traces, report.Trace{Label: "r1 + r2 = " + label, X: []float64{a}, Y: []float64{b}})
		cx, cy := k.contour(u)
		contours.Traces = append(contours.Traces, report.Trace{Label: fmt.Sprintf("%.2f", u), X: cx, Y: cy})
		g := k.gradient(a, b)
		const scale = 0.9 // cells for a slope of 1
		if ax, ay := a+float64(scale*g[0]), b+float64(scale*g[1]); ax <= jinRange+0.5 && ay <= jinRange+0.5 {
			gradients.Traces = append(gradients.Traces, report.Trace{Label: fmt.Sprintf("(%.3f, %.3f)", g[0], g[1]), X: []float64{a, ax}, Y: []float64{b, ay}})
		}
	}
	s.Layers = []report.Layer{contours, lines, gradients, touches}
	return s
}

// directions shows the best doubling of every configuration. The length of an
// arrow is the gain; it points down if even the best doubling is a loss.
func (k *jinCase) directions() *report.Surface {
	x, y := jinAxes()
	s := &report.Surface{
		Title: fmt.Sprintf("Case %d: which level to double", k.number),
		Caption: "Colour: what the better of the two doublings adds to log2 of the speedup; 1 is ideal. Arrows: that doubling, as long as what it adds; " +
			"one that points the other way says that even the better one loses. Bold: the best configurations of each size, as long as one doubling leads from one to the next; dashed: where it does not.",
		X: x, Y: y,
	}
	arrows := report.Layer{Name: "best doubling", Mark: report.MarkArrows}
	least, most := math.Inf(1), math.Inf(-1)
	for r2 := range jinRange + 1 {
		row := make([]float64, jinRange+1)
		for r1 := range row {
			level, gain, ok := k.bestDoubling(r1, r2)
			if !ok { // the last corner: nothing is left to double
				row[r1] = math.NaN()
				continue
			}
			row[r1] = gain
			least, most = math.Min(least, gain), math.Max(most, gain)
			const scale = 0.75 // cells for a gain of 1
			tip := [2]float64{float64(r1), float64(r2)}
			tip[level] += float64(scale * gain)
			arrows.Traces = append(arrows.Traces, report.Trace{
				Label: fmt.Sprintf("level %d: %+.3f", level+1, gain), X: []float64{float64(r1), tip[0]}, Y: []float64{float64(r2), tip[1]}})
		}
		s.Values = append(s.Values, row)
	}
	s.Value = report.Axis{Title: "gain", Unit: report.Dimensionless, Min: new(math.Floor(10*least) / 10), Max: new(math.Ceil(10*most) / 10)}
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
	for r := range 2*jinRange + 1 {
		a, b := k.best(r)
		x, y := float64(a), float64(b)
		if n := len(t.X); n > 0 && (x < t.X[n-1] || y < t.Y[n-1]) {
			jumps.Traces = append(jumps.Traces, report.Trace{Label: fmt.Sprintf("r = %d to %d", r-1, r), X: []float64{t.X[n-1], x}, Y: []float64{t.Y[n-1], y}})
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

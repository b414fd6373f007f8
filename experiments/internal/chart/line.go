package chart

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
)

type lineData struct{ *report.LineChart }

func (c lineData) words() (title, caption string) { return c.Title, c.Caption }

func (c lineData) drawable() bool {
	xs, _ := LineValues(c.LineChart)
	return len(xs) > 0
}

func (c lineData) finding() []string {
	names := LineNames(c.LineChart)
	found := []string{fmt.Sprintf("%s over %s", Titled(c.Y.Title, c.Y.Unit), Titled(c.X.Title, c.X.Unit))}
	for i := range c.Series {
		s := &c.Series[i]
		switch n := len(s.X); {
		case s.Ideal || n == 0:
		case n == 1:
			found = append(found, fmt.Sprintf("%s is %s at %s", names[i], Short(s.Y[0], 4), Number(s.X[0])))
		default:
			found = append(found, fmt.Sprintf("%s goes from %s at %s to %s at %s", names[i], Short(s.Y[0], 4), Number(s.X[0]), Short(s.Y[n-1], 4), Number(s.X[n-1])))
		}
	}
	return found
}

func (c lineData) table(t *table) {
	for _, name := range []string{"kind", "series"} {
		t.column(name, false)
	}
	for _, name := range []string{unitName(c.X), unitName(c.Y), "low", "high"} {
		t.column(name, true)
	}
	t.column("label", false)
	names := LineNames(c.LineChart)
	for i := range c.Series {
		s := &c.Series[i]
		for k := range s.X {
			row := []string{"series", names[i], full(s.X[k]), full(s.Y[k]), "", "", ""}
			if s.Low != nil {
				row[4], row[5] = full(s.Low[k]), full(s.High[k])
			}
			t.rows = append(t.rows, row)
		}
	}
	for i := range c.Bands {
		b := &c.Bands[i]
		for k := range b.X {
			t.rows = append(t.rows, []string{"band", names[len(c.Series)+i], full(b.X[k]), "", full(b.Low[k]), full(b.High[k]), ""})
		}
	}
	for _, p := range c.Points {
		t.rows = append(t.rows, []string{"point", names[p.Series], full(p.X), full(p.Y), "", "", Clean(p.Label)})
	}
	for _, l := range c.Targets {
		t.rows = append(t.rows, []string{"target", "", "", full(l.Y), "", "", Clean(l.Label)})
	}
}

func (c lineData) vega() object {
	x, y, series := quantity(2, c.X), quantity(3, c.Y), channel(1, "nominal", "series")
	low, high := quantity(4, c.Y), object{"field": field(5)}
	return object{"layer": []any{
		object{"transform": only(0, "band"), "mark": object{"type": "area", "opacity": BandOpacity}, "encoding": object{"x": x, "y": low, "y2": high, "color": series}},
		object{"transform": only(0, "series"), "mark": object{"type": "line", "point": true}, "encoding": object{"x": x, "y": y, "color": series}},
		object{"transform": []any{object{"filter": "isValid(datum.c4) && datum.c0 == 'series'"}}, "mark": "rule", "encoding": object{"x": x, "y": low, "y2": high, "color": series}},
		object{"transform": only(0, "target"), "mark": object{"type": "rule", "strokeDash": []int{4, 3}}, "encoding": object{"y": y}},
	}}
}

func (c lineData) changed(to Change) (report.Block, error) {
	n := *c.LineChart
	n.X, n.Y = scaled(n.X, to.X), scaled(n.Y, to.Y)
	keep, err := kept(to.Series, LineNames(c.LineChart))
	if err != nil {
		return nil, err
	}
	index := make([]int, len(c.Series))
	n.Series, n.Bands, n.Points = nil, nil, nil
	for i := range c.Series {
		if index[i] = len(n.Series); keep[i] {
			n.Series = append(n.Series, c.Series[i])
		}
	}
	for i := range c.Bands {
		if keep[len(c.Series)+i] {
			n.Bands = append(n.Bands, c.Bands[i])
		}
	}
	for _, p := range c.Points {
		if keep[p.Series] {
			p.Series = index[p.Series]
			n.Points = append(n.Points, p)
		}
	}
	n.Square = n.Square && n.X.Log == n.Y.Log
	return &n, nil
}

// BandOpacity is that of bands.
const BandOpacity = 0.22

// LineNames are the names of the series and, after them, of the bands.
func LineNames(c *report.LineChart) []string {
	var names []string
	for i := range c.Series {
		names = append(names, c.Series[i].Name)
	}
	for i := range c.Bands {
		names = append(names, c.Bands[i].Name)
	}
	return Distinct(names, "series")
}

// LineColours are those of the series and, after them, of the bands: a new one for
// each, or for the first with its colour group. Ideal lines have none, -1.
func LineColours(c *report.LineChart) []int {
	var groups []string
	for i := range c.Series {
		groups = append(groups, c.Series[i].Colour)
	}
	for i := range c.Bands {
		groups = append(groups, c.Bands[i].Colour)
	}
	return groupColours(groups, func(i int) bool { return i < len(c.Series) && c.Series[i].Ideal })
}

// groupColours numbers groups in their order; each member without a name is one of its
// own, and those left out have none, -1.
func groupColours(groups []string, left func(i int) bool) []int {
	colours, next := make([]int, len(groups)), 0
	for i, group := range groups {
		if left(i) {
			colours[i] = -1
			continue
		}
		if first := slices.Index(groups, group); group != "" && first < i {
			colours[i] = colours[first]
			continue
		}
		colours[i] = next
		next++
	}
	return colours
}

// LineValues lists all that the axes must show.
func LineValues(c *report.LineChart) (xs, ys []float64) {
	for i := range c.Series {
		s := &c.Series[i]
		xs, ys = append(xs, s.X...), append(append(append(ys, s.Y...), s.Low...), s.High...)
	}
	for i := range c.Bands {
		b := &c.Bands[i]
		xs, ys = append(xs, b.X...), append(append(ys, b.Low...), b.High...)
	}
	for _, p := range c.Points {
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	return xs, ys
}

// LabelsAtStart reports whether the labels of reference lines are at the start of the
// x axis, because the curves are further from them there than at its end.
func LabelsAtStart(targets []report.Target, series []report.Series) bool {
	const none = 1e300
	left, right := none, none
	for i := range series {
		for _, t := range targets {
			if s := &series[i]; len(s.Y) > 0 {
				left, right = min(left, distance(s.Y[0], t.Y)), min(right, distance(s.Y[len(s.Y)-1], t.Y))
			}
		}
	}
	return left > right
}

func distance(a, b float64) float64 { return max(a, b) - min(a, b) }

package findings

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/report"
)

// updateSection shows what a single step of growth brings: from each configuration of
// the map, and from the best ones.
func (r *sections) updateSection() *report.Section {
	if r.Path == nil {
		return nil
	}
	s := &report.Section{Heading: "Single steps of growth", Text: []string{
		fmt.Sprintf("The scalability along a factor is the gain of %s for one unit of it, or for its doubling where its levels are powers of two ([Jin] Eq. 13).", r.Response.Name),
	}}
	if r.Priced() {
		s.Text = append(s.Text, fmt.Sprintf("The efficiency of a step is its gain for each unit that it adds to %s ([Jin] Eq. 11). A step that adds nothing has none, and comes first if it gains.", r.Cost.Name))
	}
	for _, priced := range []bool{false, true} {
		if priced && !r.Priced() {
			break
		}
		if m := r.updateMap(priced); m != nil {
			s.Blocks = append(s.Blocks, m)
		}
	}
	if t := r.updateTable(); len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, t)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// updateMap shows over two factors which of them it is better to raise: by the
// scalability along it, or by the efficiency of the step; nil where that is no map.
func (r *sections) updateMap(priced bool) report.Block {
	g, x, y, ok := r.grid(r.objective())
	if !ok {
		return nil
	}
	var from [][]int
	for _, ly := range g.Y.Levels {
		for _, lx := range g.X.Levels {
			levels := append([]int(nil), r.Reference.At...)
			levels[x], levels[y] = lx, ly
			from = append(from, levels)
		}
	}
	all, err := analysis.Updates(r.Table, r.Response.Name, r.Goal, r.Cost.Name, from)
	if err != nil {
		return nil
	}
	best := make([]analysis.Update, len(all))
	values := make([][]float64, len(g.Y.At))
	low, high := math.Inf(1), math.Inf(-1)
	for n, steps := range all {
		var along []analysis.Update // the factors of the map
		for _, u := range steps {
			if u.Factor == x || u.Factor == y {
				along = append(along, u)
			}
		}
		u, ok := analysis.BestUpdate(along, priced)
		v := math.NaN()
		switch {
		case !ok:
		case priced && u.Gain > 0 && !math.IsInf(u.Efficiency, 0):
			v = u.Efficiency
		case !priced:
			v = u.Scalability()
		}
		best[n] = u
		values[n/len(g.X.At)] = append(values[n/len(g.X.At)], v)
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if !(low < high) {
		return nil
	}
	name := "scalability"
	m := &report.Surface{
		XNames: r.names(&g.X), YNames: r.names(&g.Y), XLog2: g.X.Scale == analysis.ScaleLog2, YLog2: g.Y.Scale == analysis.ScaleLog2,
		X: r.axis(&g.X), Y: r.axis(&g.Y), Values: values,
		Title:   "Best single step, by scalability",
		Caption: "Colour: the larger of the scalabilities along both factors. Arrows: the factor to raise; their length is proportional to the gain. Blank: no step from there.",
	}
	if priced {
		unit := math.Pow(10, max(0, -math.Floor(math.Log10(high)))) // of the cost, for which the numbers are readable
		for j := range values {
			values[j] = page.Scale{Factor: unit}.All(values[j])
		}
		low, high = low*unit, high*unit
		name = fmt.Sprintf("gain per %g", unit)
		m.Title = "Best single step, by gain for its cost"
		m.Caption = fmt.Sprintf("Colour: the larger of the gains for %g more of %s. Arrows: the factor to raise. Blank: no step that gains, or one that adds nothing to the cost.", unit, r.label(r.Cost.Name))
		m.Value.Log = low >= 1e-9 && high > 100*low
	}
	if g.Others != "" {
		m.Caption += " Other factors: " + g.Others + "."
	}
	m.Value.Title, m.Value.Min, m.Value.Max, m.Value.Unit = name, &low, &high, page.Unit(r.Response.Unit)
	if arrows := r.updateArrows(g, x, best, values, m.Value.Log); len(arrows.Traces) > 0 {
		m.Layers = append(m.Layers, arrows)
	}
	return m
}

// updateArrows point along the factor to raise. Their lengths show the values, unless
// those are on a logarithmic scale.
func (r *sections) updateArrows(g *analysis.Grid, x int, best []analysis.Update, values [][]float64, alike bool) report.Layer {
	layer := report.Layer{Name: "best step", Mark: report.MarkArrows}
	if len(g.X.At) > maxArrows || len(g.Y.At) > maxArrows {
		return layer
	}
	largest := 0.0
	for _, row := range values {
		for _, v := range row {
			if v > largest { // false for NaN
				largest = v
			}
		}
	}
	const longest = 0.48 // of a cell, so that arrows stay on the map
	for n, u := range best {
		i, j := n%len(g.X.At), n/len(g.X.At)
		v := values[j][i]
		length := longest * v / largest
		if alike {
			length = longest / 2
		}
		if !(v > 0) || length < 0.02*longest {
			continue // a loss, next to nothing, or no step
		}
		dx, dy := 0.0, 0.0
		if u.Factor == x {
			dx = length * (g.X.At[i+1] - g.X.At[i])
		} else {
			dy = length * (g.Y.At[j+1] - g.Y.At[j])
		}
		layer.Traces = append(layer.Traces, report.Trace{
			Label: fmt.Sprintf("%s: %.3g", r.Table.Factors[u.Factor].Name, v),
			X:     []float64{g.X.At[i], g.X.At[i] + dx},
			Y:     []float64{g.Y.At[j], g.Y.At[j] + dy},
		})
	}
	return layer
}

// updateTable lists the steps from the best configurations.
func (r *sections) updateTable() *report.Table {
	t := &report.Table{
		Title:   "Steps from the best configurations",
		Caption: "The best step first.",
		Columns: []report.Column{{Title: r.label(r.Size.Name), Unit: page.Unit(r.Size.Unit), Numeric: true}, {Title: "configuration"}, {Title: "raised"}, {Title: "gain", Numeric: true}, {Title: "scalability", Numeric: true}},
	}
	if r.Priced() {
		t.Columns = append(t.Columns, report.Column{Title: "added " + r.label(r.Cost.Name), Unit: page.Unit(r.Cost.Unit), Numeric: true}, report.Column{Title: "efficiency", Numeric: true})
	}
	list := r.Growth
	if r.Envelope != nil {
		list = r.UpTo
	}
	for _, o := range list {
		if len(o.Updates) == 0 {
			continue
		}
		columns := make([][]string, 5)
		for _, u := range o.Updates {
			efficiency := "none"
			if u.Efficiency != nil {
				efficiency = fmt.Sprintf("%.4g", *u.Efficiency)
			}
			added := ""
			if u.Added != nil {
				added = fmt.Sprintf("%.6g", *u.Added)
			}
			for k, cell := range []string{u.Raised, fmt.Sprintf("%.4g", u.Gain), fmt.Sprintf("%.4g", u.Scalability), added, efficiency} {
				columns[k] = append(columns[k], cell)
			}
		}
		for n := range o.Updates {
			row := []string{"", ""}
			if n == 0 {
				row = []string{fmt.Sprintf("%.6g", o.Size), r.Describe(o.At)}
			}
			for k := range columns[:len(t.Columns)-2] {
				row = append(row, columns[k][n])
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

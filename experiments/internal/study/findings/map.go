package findings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

const (
	maxArrows = 20 // levels of a factor up to which each point has an arrow
	contours  = 10
	longest   = 0.48 // arrow, relative to a cell, so that arrows stay on the map

	mostSlices     = 64
	mostSliceCells = 40_000
)

// A drawing says what maps over two factors show.
type drawing struct {
	cells   *analysis.Cells // with values in the unit of the objective
	name    string          // what the colours show
	layers  func(s *report.Surface, v view)
	caption string // about the layers
}

// simulated is the drawing for studies that simulated all their points.
func (r *sections) simulated() drawing {
	equal := "equal " + r.label(r.Response.Name)
	layers := func(s *report.Surface, v view) {
		r.intervals(s, v)
		add(s, report.MarkContours, equal, linesOf(v), "")
	}
	return drawing{r.Cells, r.label(r.Response.Name), layers, "Lines: " + equal + "."}
}

// intervals adds the 95 % intervals to the cells of a map, if repetitions differ.
func (r *sections) intervals(s *report.Surface, v view) {
	if r.PureError != nil {
		s.Half = v.Half
	}
}

// A view is a grid over two factors, with the others at fixed levels; at is -1 for the two, and for a factor that
// follows from them.
type view struct {
	*analysis.Grid
	x, y int
	at   []int
}

// viewOf returns the grid over two factors in the unit shown; ok is false if there is no such grid, or one of its sides
// has one level.
func viewOf(c *analysis.Cells, shown page.Scale, x, y int, at []int) (v view, ok bool) {
	v = view{c.Grid(x, y, at), x, y, at}
	if v.Grid == nil || len(v.X.At) < 2 || len(v.Y.At) < 2 {
		return v, false
	}
	for j := range v.Values {
		v.Values[j], v.Half[j] = shown.All(v.Values[j]), shown.All(v.Half[j])
	}
	return v, true
}

// mapped returns the view over the two factors of the map, the others as at the best point.
func (r *sections) mapped(c *analysis.Cells, shown page.Scale) (v view, ok bool) {
	x, y, ok := r.Mapped()
	if !ok || r.Study.Design.Kind != design.Factorial {
		return v, false
	}
	return viewOf(c, shown, x, y, r.slice(x, y))
}

// has reports whether a configuration is on the map: whether its other factors agree with the fixed levels.
func (v view) has(levels []int) bool { return analysis.Matches(levels, v.at) }

// project returns where a configuration lies on the map, whatever its other factors are.
func (v view) project(levels []int) (px, py float64) {
	return v.X.At[slices.Index(v.X.Levels, levels[v.x])], v.Y.At[slices.Index(v.Y.Levels, levels[v.y])]
}

// mapSection shows the objective over two factors, the others as at the best
// point.
func (r *sections) mapSection() *report.Section {
	v, ok := r.mapped(r.Cells, r.shown)
	if !ok {
		return nil
	}
	low, high := analysis.Extremes(v.Values)
	if !(low < high) {
		return nil
	}
	objective := r.label(r.Response.Name)
	surface := r.surface(v, objective, colours(r.objective(), low, high))
	surface.Caption = "Colour: " + objective + "." + r.othersInWords(v)
	r.intervals(surface, v)
	if off := count(r.Told(), func(o analysis.Optimum) bool { return !v.has(o.At) }); off > 0 {
		surface.Caption += fmt.Sprintf(" The best configurations of %d of %d sizes are not on this map, because other factors differ there.", off, len(r.Told()))
	}
	path, apart, projected := r.paths(v)
	pathName, follows := "best of each size", "best configurations of successive sizes that are one step apart"
	jumpsName, jumps := "more than a step", "best configurations of successive sizes that are not one step apart"
	if r.Envelope != nil {
		pathName, follows = "best up to a size", "best configurations up to a size, each of which contains the one before"
		jumpsName, jumps = "not by adding", "best configurations up to a size that do not contain the one before"
	}
	add(surface, report.MarkContours, "equal "+objective, linesOf(v), " Contour lines: equal "+objective+".")
	add(surface, report.MarkPath, pathName, path, " Bold line: "+follows+".")
	add(surface, report.MarkDashes, jumpsName, apart, " Dashed line: "+jumps+".")
	add(surface, report.MarkDashes, projectedName, projected,
		" Dashed line: the path through best configurations with other levels of the other factors, projected on the map.")
	add(surface, report.MarkPoints, rivalsName, r.rivals(v),
		" Rings beside the path: other configurations that are as good as the best of their size, or may be.")
	add(surface, report.MarkPoints, "greedy growth", r.ascent(v), " Rings: greedy growth, by the best single step each time.")
	add(surface, report.MarkPoints, "may be the best", r.mayBeBest(v),
		" Rings: configurations that repetitions do not distinguish from the best; the data have 95 % intervals of the means.")
	add(surface, report.MarkArrows, "gradient", r.gradient(v),
		" Arrows: direction of the fastest improvement; their length is proportional to the improvement per step of the axes.")
	section := &report.Section{Heading: "Map of the objective", Blocks: []report.Block{surface}}
	if hasCell(v.Values) {
		space := report.Surface3D(*surface)
		space.Title += ", in three dimensions"
		space.Caption = "The map in space. A page can turn it; a figure shows it from one side."
		section.Blocks = append(section.Blocks, &space)
	}
	if more := r.slicesBlock(r.simulated()); more != nil {
		section.Blocks = append(section.Blocks, more)
	}
	return section
}

// hasCell reports whether a grid has four neighbouring values somewhere. Without them there is no surface in space.
func hasCell(values [][]float64) bool {
	for j := range len(values) - 1 {
		for i := range len(values[j]) - 1 {
			if sum := values[j][i] + values[j][i+1] + values[j+1][i] + values[j+1][i+1]; sum == sum {
				return true
			}
		}
	}
	return false
}

// slicesBlock shows the map at all levels of further factors, with a slider for each; nil if there are none, or too
// many maps. If there are many factors it takes the strongest.
func (r *sections) slicesBlock(d drawing) *report.Slices {
	first, ok := r.mapped(d.cells, r.shown)
	if !ok {
		return nil
	}
	var further []int
	var orders [][]int
	maps, cells := 1, len(first.X.At)*len(first.Y.At)
	for _, k := range r.Strongest() {
		n := len(r.Table.Factors[k].Levels)
		if k == first.x || k == first.y || first.at[k] < 0 || n < 2 || maps*n > mostSlices || maps*n*cells > mostSliceCells {
			continue
		}
		further, maps = append(further, k), maps*n
	}
	if further == nil {
		return nil
	}
	slices.Sort(further)
	title := r.over(d.name, first.x, first.y)
	block := &report.Slices{Title: title + ", at each level of the other factors"}
	for _, k := range further {
		f := &r.Table.Factors[k]
		order := f.Order()
		v := report.Variable{Name: r.label(f.Name)}
		v.Levels = each.Append(v.Levels, order, f.Text)
		block.Variables = append(block.Variables, v)
		block.Start = append(block.Start, slices.Index(order, first.at[k]))
		orders = append(orders, order)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for rest := range maps {
		here, name := slices.Clone(first.at), ""
		for j, k := range slices.Backward(further) {
			here[k] = orders[j][rest%len(orders[j])]
			rest /= len(orders[j])
			name = fmt.Sprintf(", %s = %s", r.label(r.Table.Factors[k].Name), r.Table.Factors[k].Text(here[k])) + name
		}
		v, ok := viewOf(d.cells, r.shown, first.x, first.y, here)
		if !ok {
			block.Surfaces = append(block.Surfaces, nil)
			continue
		}
		l, h := analysis.Extremes(v.Values)
		low, high = min(low, l), max(high, h)
		surface := r.surface(v, d.name, report.Axis{}) // colours for all maps together, see below
		surface.Title += name
		d.layers(surface, v)
		block.Surfaces = append(block.Surfaces, surface)
	}
	if !(low < high) {
		return nil
	}
	for _, s := range block.Surfaces {
		if s != nil {
			s.Value = colours(r.objective(), low, high)
		}
	}
	block.Caption = "All maps have the same scale of colours. " + d.caption
	return block
}

// surface returns a map of a grid whose colours show value.
func (r *sections) surface(v view, what string, value report.Axis) *report.Surface {
	const log2 = analysis.ScaleLog2
	s := &report.Surface{Title: r.over(what, v.x, v.y), Value: value, Values: v.Values}
	s.XLog2, s.YLog2 = v.X.Scale == log2, v.Y.Scale == log2
	s.X, s.XNames = r.side(&v.X)
	s.Y, s.YNames = r.side(&v.Y)
	return s
}

// add gives a map a layer, with words about it in the caption, if the layer has something to show.
func add(s *report.Surface, mark report.Mark, name string, traces []report.Trace, words string) {
	if len(traces) > 0 {
		if mark == report.MarkPoints { // which a chart draws by turns as these
			before := count(s.Layers, func(l report.Layer) bool { return l.Mark == mark })
			words = strings.Replace(words, "Rings", []string{"Rings", "Squares", "Diamonds"}[before%3], 1)
		}
		s.Layers = append(s.Layers, report.Layer{Name: name, Mark: mark, Traces: traces})
		s.Caption += words
	}
}

// side returns an axis of a map, with the names of its levels if the axis numbers them.
func (r *sections) side(a *analysis.Axis) (x report.Axis, names []string) {
	f := &r.Table.Factors[a.Factor]
	x = r.axis(f.Name, f.Unit)
	x.Min, x.Max = &a.At[0], &a.At[len(a.At)-1]
	if a.Scale == analysis.ScaleIndex {
		x.Unit = report.Dimensionless
		names = each.Append(names, a.Levels, f.Text)
	}
	return x, names
}

// slice returns the levels of the factors that a map over two others fixes: those of the best point, and -1 for the two
// and for a factor that follows from them.
func (r *sections) slice(x, y int) []int {
	at := except(r.Reference.At, x, y)
	if k := r.following(x, y); k >= 0 {
		at[k] = -1
	}
	return at
}

// following returns the factor that follows from the two on a map because an equation relates the three: the weakest in
// the equation. -1 if there is none.
func (r *sections) following(x, y int) int {
	if r.Relation == nil {
		return -1
	}
	shown, last := 0, -1
	strongest := r.Strongest()
	for _, k := range r.Relation.Factors {
		switch {
		case k == x || k == y:
			shown++
		case last < 0 || slices.Index(strongest, k) > slices.Index(strongest, last):
			last = k
		}
	}
	if shown == 0 {
		return -1
	}
	return last
}

// except returns levels without those of some factors.
func except(levels []int, factors ...int) []int {
	levels = slices.Clone(levels)
	for _, k := range factors {
		levels[k] = -1
	}
	return levels
}

// fixed returns the end of a caption: the levels of factors that the two axes do not show.
func (r *sections) fixed(at []int) string {
	if words := r.Describe(at); words != "" {
		return " Other factors: " + words + "."
	}
	return ""
}

// othersInWords names the levels of the factors that are not axes of a map.
func (r *sections) othersInWords(v view) string {
	words := r.fixed(v.at)
	if k := r.following(v.x, v.y); k >= 0 {
		words += fmt.Sprintf(" The points are on the plane %s, so %s follows from the axes.", r.Relation.Describe(r.Table), r.Table.Factors[k].Name)
	}
	return words
}

// linesOf returns lines of equal values.
func linesOf(v view) []report.Trace {
	low, high := analysis.Extremes(v.Values)
	return tracesOf(v, chart.Between(low, high, contours))
}

// tracesOf returns the lines for some values.
func tracesOf(v view, levels []float64) []report.Trace {
	return each.Append(nil, v.Contours(levels), func(l analysis.Line) report.Trace {
		return report.Trace{Label: fmt.Sprintf("%.4g", l.Level), X: l.X, Y: l.Y}
	})
}

// Names of layers.
const (
	rivalsName    = "as good, or within the noise"
	projectedName = "path on other levels"
)

// through connects those configurations that are on the map, if there are at least so many.
func (v view) through(label string, least int, all ...[]int) []report.Trace {
	t := report.Trace{Label: label}
	for _, levels := range all {
		if v.has(levels) {
			px, py := v.project(levels)
			t.X, t.Y = append(t.X, px), append(t.Y, py)
		}
	}
	if len(t.X) < least {
		return nil
	}
	return []report.Trace{t}
}

// mayBeBest marks the best configuration and those that repetitions do not tell apart from it.
func (r *sections) mayBeBest(v view) []report.Trace {
	near := each.Where(nil, r.among, func(x analysis.Ranked) bool { return x.WithinNoise && r.PureError != nil })
	return v.through("", 1, each.Of(near, func(x analysis.Ranked) []int { return x.Levels })...)
}

// rivals marks the other configurations that may be the best of their size.
func (r *sections) rivals(v view) (traces []report.Trace) {
	for _, o := range r.Told() {
		traces = append(traces, v.through(fmt.Sprintf("%s %.6g", r.Size.Name, o.Size), 1, o.Rivals...)...)
	}
	return traces
}

// ascent draws greedy growth.
func (r *sections) ascent(v view) []report.Trace {
	if r.Ascent == nil {
		return nil
	}
	return v.through("", 2, each.Of(r.Ascent.Steps, func(s analysis.AscentStep) []int { return s.At })...)
}

// paths connects the best configurations of successive sizes: by a path where one step leads on, by a jump where it
// does not, and by a projected line if it moves on the map but one or both have other levels than the map. A single
// configuration is no path.
func (r *sections) paths(v view) (path, jumps, projected []report.Trace) {
	told, on := r.Told(), false
	for k, o := range told {
		before := on
		on = v.has(o.At)
		if k > 0 {
			t := r.between(v, &told[k-1], &o)
			switch moves := t.X[0] != t.X[1] || t.Y[0] != t.Y[1]; {
			case on && before && !o.Move.Follows():
				jumps = append(jumps, t)
			case moves && !(on && before):
				projected = append(projected, t)
			}
		}
		if !on {
			continue
		}
		if !before || !o.Move.Follows() {
			path = append(path, report.Trace{Label: fmt.Sprintf("from %s %.6g", r.Size.Name, o.Size)})
		}
		px, py := v.project(o.At)
		t := &path[len(path)-1]
		t.X, t.Y = append(t.X, px), append(t.Y, py)
	}
	if len(path) == 1 && len(path[0].X) == 1 {
		path = nil
	}
	return path, jumps, projected
}

// between returns a line from one optimum to another.
func (r *sections) between(v view, before, o *analysis.Optimum) report.Trace {
	px, py := v.project(before.At)
	qx, qy := v.project(o.At)
	label := fmt.Sprintf("%s %.6g to %.6g", r.Size.Name, before.Size, o.Size)
	return report.Trace{Label: label, X: []float64{px, qx}, Y: []float64{py, qy}}
}

// crowded reports whether a map has too many levels for arrows.
func (v view) crowded() bool { return len(v.X.At) > maxArrows || len(v.Y.At) > maxArrows }

// arrow returns an arrow from a value over a distance on the map.
func (v view) arrow(i, j int, dx, dy float64, label string) report.Trace {
	x, y := v.X.At[i], v.Y.At[j]
	return report.Trace{Label: label, X: []float64{x, x + dx}, Y: []float64{y, y + dy}}
}

// gradient draws arrows towards better values, in steps of the axes.
func (r *sections) gradient(v view) (traces []report.Trace) {
	if v.crowded() {
		return nil
	}
	stepX, stepY := v.X.At[1]-v.X.At[0], v.Y.At[1]-v.Y.At[0]
	dx, dy := v.Gradient()
	steepest := 0.0
	for j := range dx {
		for i := range dx[j] {
			dx[j][i], dy[j][i] = dx[j][i]*stepX, dy[j][i]*stepY
			if length := math.Hypot(dx[j][i], dy[j][i]); length > steepest { // false for NaN
				steepest = length
			}
		}
	}
	if steepest == 0 {
		return nil
	}
	for j := range dx {
		for i := range dx[j] {
			ax, ay := r.Cells.Goal.Gain(0, dx[j][i]), r.Cells.Goal.Gain(0, dy[j][i])
			if length := math.Hypot(ax, ay); math.IsNaN(length) || length < 0.02*steepest {
				continue
			}
			traces = append(traces, v.arrow(i, j, float64(longest*ax/steepest*stepX), float64(longest*ay/steepest*stepY),
				fmt.Sprintf("%+.3g, %+.3g", dx[j][i], dy[j][i])))
		}
	}
	return traces
}

// differenceSection shows the difference over the two factors of the map.
func (r *sections) differenceSection() *report.Section {
	d := r.Difference
	x, y, ok := r.Mapped()
	if d == nil || !ok || r.Study.Design.Kind != design.Factorial || x == d.factor || y == d.factor {
		return nil
	}
	before, after := r.slice(x, y), r.slice(x, y)
	before[d.factor], after[d.factor] = d.from, d.to
	from, known := viewOf(r.Cells, r.shown, x, y, before)
	v, ok := viewOf(r.Cells, r.shown, x, y, after)
	if !known || !ok {
		return nil
	}
	far, none := 0.0, d.Between(1, 1) // the largest difference (ratios: logarithm), and the difference of equals
	var open report.Trace             // cells that may be equal
	for j, row := range v.Values {
		for i := range row {
			row[i], v.Half[j][i] = d.Between(from.Values[j][i], row[i]), math.NaN()
			if row[i] == row[i] {
				a, b := &r.Cells.List[from.Cells[j][i]], &r.Cells.List[v.Cells[j][i]]
				x := d.intervalOf(slices.Collect(maps.Values(r.Cells.Within(a, b, d.scaled))))
				v.Half[j][i] = max(float64(x[1])-d.Between(a.Mean, b.Mean), d.Between(a.Mean, b.Mean)-float64(x[0]))
				if float64(x[0]) <= none && none <= float64(x[1]) {
					open.X, open.Y = append(open.X, v.X.At[i]), append(open.Y, v.Y.At[j])
				}
			}
			apart := math.Abs(row[i])
			if d.By == sweep.ByRatio {
				apart = math.Abs(math.Log(row[i]))
			}
			if apart > far { // false for NaN
				far = apart
			}
		}
	}
	s := &report.Section{Heading: "Difference of " + d.From + " and " + d.To, Text: r.DifferenceInWords()}
	if far <= Rounding {
		return s
	}
	low, high, unit := -far, far, page.Unit(r.shown.Unit)
	what := fmt.Sprintf("%s of %s minus that of %s", r.label(r.Response.Name), d.To, d.From)
	if d.By == sweep.ByRatio {
		low, high, unit = math.Exp(-far), math.Exp(far), report.Dimensionless
		what = fmt.Sprintf("%s of %s over that of %s", r.label(r.Response.Name), d.To, d.From)
	}
	value := report.Axis{Title: what, Unit: unit, Min: &low, Max: &high, Log: d.By == sweep.ByRatio}
	surface := r.surface(v, what+",", value)
	surface.Diverging = true
	surface.Caption = "Colour: " + what + "." + r.fixed(except(after, d.factor))
	r.intervals(surface, v)
	least, most := analysis.Extremes(v.Values)
	levels := chart.Between(least, most, contours)
	levels = slices.DeleteFunc(levels, func(l float64) bool { return math.Abs(l-none) <= 1e-9*math.Abs(high-low) })
	zero := tracesOf(v, []float64{none})
	add(surface, report.MarkContours, "equal difference", tracesOf(v, levels), "")
	add(surface, report.MarkPath, "no difference", zero, fmt.Sprintf(" Bold line: no difference (%g).", none))
	if zero == nil && (least > none || most < none) {
		surface.Caption += " There is no line of no difference on this map."
	}
	if r.PureError != nil && open.X != nil {
		add(surface, report.MarkPoints, "may be no difference", []report.Trace{open},
			" Rings: the 95 % interval of the difference, from differences within repetitions, includes none.")
	}
	s.Blocks = []report.Block{surface}
	return s
}

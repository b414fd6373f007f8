package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/report"
)

const (
	maxArrows = 20 // levels of a factor up to which each point has an arrow
	contours  = 10
)

// objective is what maps of a study show whose points were all simulated.
func (r *sections) objective() drawing {
	return drawing{r.Table, r.Response.Name, r.label(r.Response.Name), func(g *analysis.Grid, _, _ int, _ []int) []report.Layer { return r.contourLayers(g) },
		"Lines: equal " + r.label(r.Response.Name) + "."}
}

// grid is a response over the two factors of the map, the others as at the best
// point; ok is false if there is no map.
func (r *sections) grid(d drawing) (g *analysis.Grid, x, y int, ok bool) {
	x, y, ok = r.Mapped()
	if !ok || r.Study.Design.Kind != design.Factorial {
		return nil, 0, 0, false
	}
	if g = gridOf(d.table, d.response, x, y, r.slice(x, y)); g == nil {
		return nil, 0, 0, false
	}
	return g, x, y, true
}

// mapSection shows the objective over two factors, the others as at the best
// point.
func (r *sections) mapSection() *report.Section {
	g, x, y, ok := r.grid(r.objective())
	if !ok {
		return nil
	}
	r.show(g)
	low, high := g.Extremes()
	if !(low < high) {
		return nil
	}
	surface := r.surface(g)
	surface.Title = fmt.Sprintf("%s over %s and %s", r.label(r.Response.Name), r.label(r.Table.Factors[x].Name), r.label(r.Table.Factors[y].Name))
	surface.Value = report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit), Min: &low, Max: &high, Log: low >= 1e-9 && high > 100*low}
	surface.Caption = "Colour: " + r.label(r.Response.Name) + "." + r.othersInWords(g, x, y)
	if off := r.offMap(g, x, y); off > 0 {
		surface.Caption += fmt.Sprintf(" The best configurations of %d of %d sizes are not on this map, because other factors differ there.", off, len(r.Told()))
	}
	surface.Layers = r.layers(g, x, y)
	for _, l := range surface.Layers {
		if len(l.Traces) == 0 {
			continue
		}
		switch l.Mark {
		case report.MarkContours:
			surface.Caption += " Contour lines: equal " + r.label(r.Response.Name) + "."
		case report.MarkArrows:
			surface.Caption += " Arrows: direction of the fastest improvement; their length is proportional to the improvement per step of the axes."
		case report.MarkPath:
			surface.Caption += " Bold line: " + r.pathInWords(true) + "."
		case report.MarkDashes:
			if l.Name == projectedName {
				surface.Caption += " Dashed line: the path through best configurations with other levels of the other factors, projected on the map."
			} else {
				surface.Caption += " Dashed line: " + r.pathInWords(false) + "."
			}
		case report.MarkPoints:
			if l.Name == rivalsName {
				surface.Caption += " Rings beside the path: other configurations that are as good as the best of their size, or within two standard errors of it."
			} else {
				surface.Caption += " Rings: greedy growth, by the best single step each time."
			}
		}
	}
	section := &report.Section{Heading: "Map of the objective", Blocks: []report.Block{surface}}
	if hasCell(g.Values) {
		space := report.Surface3D(*surface)
		space.Title += ", in three dimensions"
		space.Caption = "The map above in space, where a browser can turn it; elsewhere it is drawn flat."
		section.Blocks = append(section.Blocks, &space)
	}
	if more := r.slicesBlock(r.objective()); more != nil {
		section.Blocks = append(section.Blocks, more)
	}
	return section
}

// hasCell reports whether a grid has four neighbouring values somewhere. Without, there
// is no surface in space.
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

// gridOver returns the objective over two factors, with the others at some levels and -1
// for a factor that follows from the two; nil if there is none.
func (r *sections) gridOver(x, y int, at []int) *analysis.Grid {
	return gridOf(r.Table, r.Response.Name, x, y, at)
}

// gridOf is gridOver for a response of a table.
func gridOf(t *studytable.Table, response string, x, y int, at []int) *analysis.Grid {
	options := analysis.GridOptions{X: t.Factors[x].Name, Y: t.Factors[y].Name, At: at}
	g, err := analysis.NewGrid(t, response, options)
	if err != nil {
		return nil
	}
	if options.XIndex, options.YIndex = !g.X.Even(), !g.Y.Even(); options.XIndex || options.YIndex {
		if g, err = analysis.NewGrid(t, response, options); err != nil {
			return nil
		}
	}
	return g
}

// show converts the values of a grid to the unit that charts show.
func (r *sections) show(g *analysis.Grid) {
	for j := range g.Values {
		g.Values[j] = r.shown.All(g.Values[j])
	}
}

// surface is a map of a grid, but for its title and what its colours are.
func (r *sections) surface(g *analysis.Grid) *report.Surface {
	return &report.Surface{
		XNames: r.names(&g.X), YNames: r.names(&g.Y),
		XLog2: g.X.Scale == analysis.ScaleLog2, YLog2: g.Y.Scale == analysis.ScaleLog2,
		X: r.axis(&g.X), Y: r.axis(&g.Y), Values: g.Values,
	}
}

// slice is the levels of the factors that a map over two others fixes: those of the
// best point, and -1 for a factor that follows from the two. The entries of the two
// mean nothing.
func (r *sections) slice(x, y int) []int {
	at := slices.Clone(r.Reference.At)
	if k := r.following(x, y); k >= 0 {
		at[k] = -1
	}
	return at
}

// following returns the factor that follows from two on a map, because an equation
// holds between them and it: the weakest in the equation. -1 if there is none.
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

// othersInWords says where the factors are that are not on a map.
func (r *sections) othersInWords(g *analysis.Grid, x, y int) string {
	text := ""
	if g.Others != "" {
		text = " Other factors: " + g.Others + "."
	}
	if k := r.following(x, y); k >= 0 {
		text += fmt.Sprintf(" The points are on the plane %s, so %s follows from the axes.", r.Relation.Describe(r.Table), r.Table.Factors[k].Name)
	}
	return text
}

func (r *sections) axis(a *analysis.Axis) report.Axis {
	f := r.Table.Factors[a.Factor]
	low, high := a.At[0], a.At[len(a.At)-1]
	x := report.Axis{Title: r.label(f.Name), Unit: page.Unit(f.Unit), Min: &low, Max: &high}
	if a.Scale == analysis.ScaleIndex {
		x.Unit = report.Dimensionless // the names of the levels have it
	}
	return x
}

// names are the levels of an axis on which they are numbered; nil on others.
func (r *sections) names(a *analysis.Axis) []string {
	if a.Scale != analysis.ScaleIndex {
		return nil
	}
	var names []string
	for _, l := range a.Levels {
		names = append(names, r.LevelText(a.Factor, l))
	}
	return names
}

// layers are what is drawn over the map.
func (r *sections) layers(g *analysis.Grid, x, y int) []report.Layer {
	layers := r.contourLayers(g)
	if r.Path != nil {
		path, jumps := r.path(g, x, y)
		if len(path.Traces)+len(jumps.Traces) > 1 || len(path.Traces) == 1 && len(path.Traces[0].X) > 1 {
			layers = append(layers, path)
		}
		if len(jumps.Traces) > 0 {
			layers = append(layers, jumps)
		}
		if projected := r.projected(g, x, y); len(projected.Traces) > 0 {
			layers = append(layers, projected)
		}
		if rivals := r.rivals(g, x, y); len(rivals.Traces) > 0 {
			layers = append(layers, rivals)
		}
		if r.Ascent != nil {
			walk := report.Layer{Name: "greedy growth", Mark: report.MarkPoints}
			var t report.Trace
			for _, s := range r.Ascent.Steps {
				if at, bt, ok := r.place(g, x, y, s.At); ok {
					t.X, t.Y = append(t.X, at), append(t.Y, bt)
				}
			}
			if len(t.X) > 1 {
				walk.Traces = []report.Trace{t}
				layers = append(layers, walk)
			}
		}
	}
	if arrows := r.arrows(g); len(arrows.Traces) > 0 {
		layers = append(layers, arrows)
	}
	return layers
}

// contourLayers are the lines of equal values.
func (r *sections) contourLayers(g *analysis.Grid) []report.Layer {
	return contoursOf(g, "equal "+r.label(r.Response.Name))
}

// contoursOf is contourLayers with another name.
func contoursOf(g *analysis.Grid, name string) []report.Layer {
	equal := report.Layer{Name: name, Mark: report.MarkContours}
	if lines, err := g.Contours(g.NiceLevels(contours)); err == nil {
		for _, c := range lines {
			for _, l := range c.Lines {
				equal.Traces = append(equal.Traces, report.Trace{Label: fmt.Sprintf("%.4g", c.Level), X: l.X, Y: l.Y})
			}
		}
	}
	return []report.Layer{equal}
}

// place returns where a configuration is on the map; ok is false if it is not on
// it, because other factors differ from the best point.
func (r *sections) place(g *analysis.Grid, x, y int, levels []int) (px, py float64, ok bool) {
	if !inSlice(levels, r.slice(x, y), x, y) {
		return 0, 0, false
	}
	return project(g, x, y, levels)
}

// project returns where a configuration is on the map, whatever its other factors
// are.
func project(g *analysis.Grid, x, y int, levels []int) (px, py float64, ok bool) {
	i, j := slices.Index(g.X.Levels, levels[x]), slices.Index(g.Y.Levels, levels[y])
	if i < 0 || j < 0 {
		return 0, 0, false
	}
	return g.X.At[i], g.Y.At[j], true
}

// offMap returns how many of the best configurations of a size are not on the map.
func (r *sections) offMap(g *analysis.Grid, x, y int) int {
	off := 0
	if r.Path != nil {
		for _, o := range r.Told() {
			if _, _, ok := r.place(g, x, y, o.Levels); !ok {
				off++
			}
		}
	}
	return off
}

// rivalsName is that of the layer of configurations that may be the best of their
// size, too.
const rivalsName = "as good, or within the noise"

// rivals shows them.
func (r *sections) rivals(g *analysis.Grid, x, y int) report.Layer {
	layer := report.Layer{Name: rivalsName, Mark: report.MarkPoints}
	for _, o := range r.Told() {
		t := report.Trace{Label: fmt.Sprintf("%s %.6g", r.Size.Name, o.Size)}
		for _, levels := range o.Rivals {
			if px, py, ok := r.place(g, x, y, levels); ok {
				t.X, t.Y = append(t.X, px), append(t.Y, py)
			}
		}
		if len(t.X) > 0 {
			layer.Traces = append(layer.Traces, t)
		}
	}
	return layer
}

// pathInWords says what the path connects, or does not.
func (r *sections) pathInWords(follows bool) string {
	switch {
	case r.Envelope != nil && follows:
		return "best configurations up to a size, each of which contains the one before"
	case r.Envelope != nil:
		return "best configurations up to a size that do not contain the one before"
	case follows:
		return "best configurations of successive sizes that are one step apart"
	}
	return "best configurations of successive sizes that are not one step apart"
}

// path connects the best configurations of all sizes: where one step does and
// where it does not.
func (r *sections) path(g *analysis.Grid, x, y int) (path, jumps report.Layer) {
	path = report.Layer{Name: "best of each size", Mark: report.MarkPath}
	jumps = report.Layer{Name: "more than a step", Mark: report.MarkDashes}
	if r.Envelope != nil {
		path.Name, jumps.Name = "best up to a size", "not by adding"
	}
	var t report.Trace
	flush := func() {
		if len(t.X) > 0 {
			path.Traces = append(path.Traces, t)
		}
		t = report.Trace{}
	}
	told := r.Told()
	for k, o := range told {
		px, py, ok := r.place(g, x, y, o.Levels)
		if !ok {
			flush()
			continue
		}
		if n := len(t.X); n > 0 && !o.Move.Follows() {
			jumps.Traces = append(jumps.Traces, report.Trace{
				Label: fmt.Sprintf("%s %.6g to %.6g", r.Size.Name, told[k-1].Size, o.Size),
				X:     []float64{t.X[n-1], px}, Y: []float64{t.Y[n-1], py}})
			flush()
		}
		if len(t.X) == 0 {
			t.Label = fmt.Sprintf("from %s %.6g", r.Size.Name, o.Size)
		}
		t.X, t.Y = append(t.X, px), append(t.Y, py)
	}
	flush()
	return path, jumps
}

// projectedName is that of the layer of the path on other levels of the factors that
// are not on the map.
const projectedName = "path on other levels"

// projected connects best configurations of successive sizes of which one or both
// have other levels than the map.
func (r *sections) projected(g *analysis.Grid, x, y int) report.Layer {
	layer := report.Layer{Name: projectedName, Mark: report.MarkDashes}
	told := r.Told()
	for k := 1; k < len(told); k++ {
		before, o := &told[k-1], &told[k]
		_, _, here := r.place(g, x, y, before.Levels)
		_, _, there := r.place(g, x, y, o.Levels)
		if here && there {
			continue
		}
		px, py, ok := project(g, x, y, before.Levels)
		qx, qy, also := project(g, x, y, o.Levels)
		if ok && also && (px != qx || py != qy) {
			layer.Traces = append(layer.Traces, report.Trace{
				Label: fmt.Sprintf("%s %.6g to %.6g", r.Size.Name, before.Size, o.Size), X: []float64{px, qx}, Y: []float64{py, qy}})
		}
	}
	return layer
}

// arrows show the gradient in steps of the axes: towards better values.
func (r *sections) arrows(g *analysis.Grid) report.Layer {
	layer := report.Layer{Name: "gradient", Mark: report.MarkArrows}
	if len(g.X.At) > maxArrows || len(g.Y.At) > maxArrows {
		return layer
	}
	sign := 1.0
	if r.Goal == studytable.Minimize {
		sign = -1
	}
	stepX, stepY := g.X.At[1]-g.X.At[0], g.Y.At[1]-g.Y.At[0]
	dx, dy := g.Gradient()
	steepest := 0.0
	for j := range dx {
		for i := range dx[j] {
			if length := math.Hypot(dx[j][i]*stepX, dy[j][i]*stepY); length > steepest { // false for NaN
				steepest = length
			}
		}
	}
	if steepest == 0 {
		return layer
	}
	const longest = 0.48 // of a cell, so that arrows stay on the map
	for j := range dx {
		for i := range dx[j] {
			ax, ay := sign*dx[j][i]*stepX, sign*dy[j][i]*stepY
			length := math.Hypot(ax, ay)
			if math.IsNaN(length) || length < 0.02*steepest {
				continue
			}
			layer.Traces = append(layer.Traces, report.Trace{
				Label: fmt.Sprintf("%+.3g, %+.3g", dx[j][i]*stepX, dy[j][i]*stepY),
				X:     []float64{g.X.At[i], g.X.At[i] + float64(longest*ax/steepest*stepX)},
				Y:     []float64{g.Y.At[j], g.Y.At[j] + float64(longest*ay/steepest*stepY)},
			})
		}
	}
	return layer
}

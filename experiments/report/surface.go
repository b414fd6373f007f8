package report

import (
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

func (c *Surface) check(at place) {
	if c == nil {
		at.reportf("block is a nil *Surface")
		return
	}
	at = at.in("chart", c.Title)
	checkChart(at, c.Title, c.Height, &c.X, &c.Y)
	c.Value.check(at.in("value", ""))
	bounded := true
	for _, a := range []struct {
		name string
		axis *Axis
	}{{"x axis", &c.X}, {"y axis", &c.Y}, {"value", &c.Value}} {
		if a.axis.Log && a.axis != &c.Value || a.axis.Min == nil || a.axis.Max == nil {
			want := "both bounds and a linear scale"
			if a.axis == &c.Value {
				want = "both bounds"
			}
			at.reportf("%s does not say what it spans; expected %s", a.name, want)
			bounded = false
		}
	}
	if len(c.Values) < 2 || len(c.Values[0]) < 2 {
		at.reportf("grid is too small; expected at least 2 rows of 2 values")
		return
	}
	if n := len(c.XNames); n > 0 && n != c.columns() {
		at.reportf("has %d names of columns; expected %d", n, c.columns())
	}
	if n := len(c.YNames); n > 0 && n != len(c.Values) {
		at.reportf("has %d names of rows; expected %d", n, len(c.Values))
	}
	for i, row := range c.Values {
		here := at.in(fmt.Sprintf("row %d", i+1), "")
		if len(row) != len(c.Values[0]) {
			here.reportf("has %d values; expected %d, as many as the first row", len(row), len(c.Values[0]))
		}
		for k, v := range row {
			if !math.IsNaN(v) {
				here.checkNumber(fmt.Sprintf("value[%d]", k), v, c.Value.Log)
			}
		}
	}
	for i := range c.Layers {
		c.checkLayer(at, i, bounded)
	}
}

func (c *Surface) checkLayer(at place, i int, bounded bool) {
	l := &c.Layers[i]
	at = at.in(fmt.Sprintf("layer %d", i+1), l.Name)
	if l.Mark < MarkContours || l.Mark > MarkPoints {
		at.reportf("mark is %d; expected MarkContours, MarkDashes, MarkArrows, MarkPath or MarkPoints", l.Mark)
	}
	for k, t := range l.Traces {
		here := at.in(fmt.Sprintf("trace %d", k+1), t.Label)
		switch {
		case len(t.X) != len(t.Y):
			here.reportf("has %d x values and %d y values; expected as many", len(t.X), len(t.Y))
			continue
		case l.Mark == MarkArrows && len(t.X) != 2:
			here.reportf("has %d points; expected the 2 ends of an arrow", len(t.X))
		}
		for j := range t.X {
			here.checkNumber(fmt.Sprintf("x[%d]", j), t.X[j], false)
			here.checkNumber(fmt.Sprintf("y[%d]", j), t.Y[j], false)
			if bounded && (outside(t.X[j], c.X, c.columns()) || outside(t.Y[j], c.Y, len(c.Values))) {
				here.reportf("point %d (%v, %v) is off the grid", j+1, t.X[j], t.Y[j])
			}
		}
	}
}

// halfCell is half the distance of grid points.
func halfCell(a Axis, points int) float64 { return (*a.Max - *a.Min) / float64(points-1) / 2 }

func outside(v float64, a Axis, points int) bool {
	const slack = 1e-9
	margin := halfCell(a, points) * (1 + slack)
	return v < *a.Min-margin || v > *a.Max+margin
}

func (c *Surface) columns() int { return len(c.Values[0]) }

func (c *Surface) names() []string {
	names := make([]string, len(c.Layers))
	for i := range c.Layers {
		names[i] = c.Layers[i].Name
	}
	return distinct(names, "layer")
}

// gridNames writes the coordinates of grid points, or what they are called.
func gridNames(a Axis, given []string, points int) []string {
	if len(given) > 0 {
		return distinct(given, "level")
	}
	names := make([]string, points)
	for k := range names {
		names[k] = number(*a.Min + (*a.Max-*a.Min)*float64(k)/float64(points-1))
	}
	return names
}

// A tracesSeries is the series "lines" of ECharts, which go-echarts has on maps
// only. The script of the page adds what depends on the theme.
type tracesSeries struct {
	Name     string       `json:"name"`
	Type     string       `json:"type"`
	System   string       `json:"coordinateSystem"`
	XAxis    int          `json:"xAxisIndex"`
	YAxis    int          `json:"yAxisIndex"`
	Polyline bool         `json:"polyline"`
	Clip     bool         `json:"clip"`
	Data     []tracePoint `json:"data"`
}

type tracePoint struct {
	Coords [][2]float64 `json:"coords"`
}

// A dotsSeries is a scatter series of points with names.
type dotsSeries struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	XAxis int    `json:"xAxisIndex"`
	YAxis int    `json:"yAxisIndex"`
	Clip  bool   `json:"clip"`
	Data  []dot  `json:"data"`
}

type dot struct {
	Name  string     `json:"name"`
	Value [2]float64 `json:"value"`
}

// spec has two pairs of axes: cells lie on the categories of the pair that is
// shown, and the layers between them on an unseen pair with numbers.
func (c *Surface) spec(id string) *chartSpec {
	names := c.names()
	heat := charts.NewHeatMap()
	heat.SetGlobalOptions(sharedOptions(id, names)...)
	x, y := c.X.asX(), c.Y.asY()
	x.Type, x.Scale, x.Min, x.Max, x.Data = "category", nil, nil, nil, gridNames(c.X, c.XNames, c.columns())
	y.Type, y.Min, y.Max, y.Data = "category", nil, nil, gridNames(c.Y, c.YNames, len(c.Values))
	heat.SetGlobalOptions(charts.WithXAxisOpts(x), charts.WithYAxisOpts(y),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	dx, dy := halfCell(c.X, c.columns()), halfCell(c.Y, len(c.Values))
	heat.ExtendXAxis(opts.XAxis{Type: "value", Show: opts.Bool(false), Min: *c.X.Min - dx, Max: *c.X.Max + dx})
	heat.ExtendYAxis(opts.YAxis{Type: "value", Show: opts.Bool(false), Min: *c.Y.Min - dy, Max: *c.Y.Max + dy})
	heat.AddSeries("", c.cells())
	heat.Validate()
	spec := &chartSpec{Option: heat.JSON(), Roles: []seriesRole{{Kind: roleCells}},
		Surface: &surfaceSpec{X: c.X.label(), Y: c.Y.label(), Value: c.Value.label(), Log: c.Value.Log}}
	series := []any{heat.MultiSeries[0]}
	for i := range c.Layers {
		spec.Surface.Marks = append(spec.Surface.Marks, markNames[c.Layers[i].Mark])
		for _, s := range c.Layers[i].series(names[i]) {
			series = append(series, s.series)
			spec.Roles = append(spec.Roles, seriesRole{Kind: s.role})
		}
	}
	spec.Option["series"], spec.Option["visualMap"] = series, c.Value.colourScales()
	return spec
}

// markNames are the roles of the series that draw a mark, in the order of the
// constants; with haloed behind it, that of the line below.
var markNames = []string{"contours", "dashes", "arrows", "path", "rings"}

const haloed = "-halo"

type roledSeries struct {
	series any
	role   string // in chartSpec.Roles
}

// series are what draws a layer: each line twice, first wider in the colour of
// the paper, so that it stands out from any colour of the cells.
func (l *Layer) series(name string) []roledSeries {
	if l.Mark == MarkPoints {
		points := dotsSeries{Name: name, Type: "scatter", XAxis: 1, YAxis: 1, Data: []dot{}}
		for _, t := range l.Traces {
			for k := range t.X {
				points.Data = append(points.Data, dot{clean(t.Label), [2]float64{t.X[k], t.Y[k]}})
			}
		}
		return []roledSeries{{points, markNames[l.Mark]}}
	}
	lines := tracesSeries{Name: name, Type: "lines", System: "cartesian2d", XAxis: 1, YAxis: 1,
		Polyline: l.Mark != MarkArrows, Data: []tracePoint{}}
	labels := dotsSeries{Name: name, Type: "scatter", XAxis: 1, YAxis: 1, Data: []dot{}}
	for _, t := range l.Traces {
		if len(t.X) < 2 {
			continue
		}
		points := make([][2]float64, len(t.X))
		for k := range t.X {
			points[k] = [2]float64{t.X[k], t.Y[k]}
		}
		lines.Data = append(lines.Data, tracePoint{points})
		if l.Mark == MarkContours && t.Label != "" {
			labels.Data = append(labels.Data, dot{clean(t.Label), points[5*len(points)/12]})
		}
	}
	mark := markNames[l.Mark]
	out := []roledSeries{{lines, mark + haloed}, {lines, mark}}
	if len(labels.Data) > 0 {
		out = append(out, roledSeries{labels, roleLevels})
	}
	return out
}

func (c *Surface) cells() []opts.HeatMapData {
	cells := []opts.HeatMapData{}
	for i, row := range c.Values {
		for k, v := range row {
			if !math.IsNaN(v) {
				cells = append(cells, opts.HeatMapData{Value: [3]any{k, i, c.Value.scaled(v)}})
			}
		}
	}
	return cells
}

// surfaceHeight makes a grid of 10 by 10 about square on a wide page.
const surfaceHeight = 620

func (c *Surface) view(id string) (blockView, error) {
	height := c.Height
	if height == 0 {
		height = surfaceHeight
	}
	return viewChart(id, c.Title, c.Caption, height, false, c.spec(id), c.dataTables())
}

// dataTables has the grid with its first row at the bottom, as it is drawn, and
// a table for each layer. Of a contour, which follows from the surface, it has
// the ends.
func (c *Surface) dataTables() []tableView {
	grid := tableView{Title: c.Value.label(), Columns: []columnView{{Title: clean(c.Y.Title) + " \\ " + clean(c.X.Title), Numeric: true}}}
	for _, x := range gridNames(c.X, c.XNames, c.columns()) {
		grid.Columns = append(grid.Columns, columnView{Title: x, Numeric: true})
	}
	rows := gridNames(c.Y, c.YNames, len(c.Values))
	for i := len(c.Values) - 1; i >= 0; i-- {
		row := []string{rows[i]}
		for _, v := range c.Values[i] {
			cell := "no value"
			if !math.IsNaN(v) {
				cell = number(v)
			}
			row = append(row, cell)
		}
		grid.Rows = append(grid.Rows, row)
	}
	tables := []tableView{grid}
	for i, name := range c.names() {
		if l := &c.Layers[i]; len(l.Traces) > 0 {
			tables = append(tables, c.layerTable(name, l))
		}
	}
	return tables
}

func (c *Surface) layerTable(name string, l *Layer) tableView {
	x, y := c.X.label(), c.Y.label()
	if l.Mark == MarkPath || l.Mark == MarkPoints {
		t := tableView{Title: name, Columns: []columnView{{Title: "Label"}, {Title: x, Numeric: true}, {Title: y, Numeric: true}}}
		for _, trace := range l.Traces {
			for k := range trace.X {
				t.Rows = append(t.Rows, []string{clean(trace.Label), number(trace.X[k]), number(trace.Y[k])})
			}
		}
		return t
	}
	t := tableView{Title: name, Columns: []columnView{{Title: "Label"},
		{Title: "From " + x, Numeric: true}, {Title: "From " + y, Numeric: true},
		{Title: "To " + x, Numeric: true}, {Title: "To " + y, Numeric: true}}}
	for _, trace := range l.Traces {
		row := []string{clean(trace.Label), "", "", "", ""}
		if n := len(trace.X); n > 0 {
			row = []string{row[0], number(trace.X[0]), number(trace.Y[0]), number(trace.X[n-1]), number(trace.Y[n-1])}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

package html

import (
	"cmp"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type surface struct{ *report.Surface }

func (c surface) names() []string {
	return chart.DistinctOf(c.Layers, "layer", func(x report.Layer) string { return x.Name })
}

// A tracesSeries is the series "lines" of ECharts, which go-echarts supports on maps
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
	Head   float64      `json:"head,omitempty"` // of an arrow: its size, 1 for the longest arrow
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
// shown, and the layers between them on a hidden numeric pair.
func (c surface) spec(id string) *chartSpec {
	names := c.names()
	heat := charts.NewHeatMap()
	heat.SetGlobalOptions(sharedOptions(id, names)...)
	x, y := xAxis(c.X), yAxis(c.Y)
	x.Type, x.Scale, x.Min, x.Max, x.Data = "category", nil, nil, nil, chart.GridNames(c.X, c.XNames, c.XLog2, len(c.Values[0]))
	y.Type, y.Min, y.Max, y.Data = "category", nil, nil, chart.GridNames(c.Y, c.YNames, c.YLog2, len(c.Values))
	heat.SetGlobalOptions(charts.WithXAxisOpts(x), charts.WithYAxisOpts(y),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	dx, dy := c.Spacing()
	heat.ExtendXAxis(opts.XAxis{Type: "value", Show: opts.Bool(false), Min: *c.X.Min - dx/2, Max: *c.X.Max + dx/2})
	heat.ExtendYAxis(opts.YAxis{Type: "value", Show: opts.Bool(false), Min: *c.Y.Min - dy/2, Max: *c.Y.Max + dy/2})
	heat.AddSeries("", c.cells())
	heat.Validate()
	spec := &chartSpec{Option: heat.JSON(), Roles: []seriesRole{{Kind: roleCells}},
		Surface: &surfaceSpec{X: label(c.X), Y: label(c.Y), Value: label(c.Value), Log: c.Value.Log, Both: c.Diverging}}
	series := []any{heat.MultiSeries[0]}
	for i := range c.Layers {
		spec.Surface.Marks = append(spec.Surface.Marks, markNames[c.Layers[i].Mark])
		for _, s := range c.traceSeries(names[i], &c.Layers[i]) {
			series = append(series, s.series)
			spec.Roles = append(spec.Roles, seriesRole{Kind: s.role})
		}
	}
	spec.Option["series"], spec.Option["visualMap"] = series, colourScales(c.Value)
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

// traceSeries draw a layer: each line twice, first wider in the background colour,
// so that it is visible on cells of any colour.
func (c surface) traceSeries(name string, l *report.Layer) []roledSeries {
	if l.Mark == report.MarkPoints {
		points := dotsSeries{Name: name, Type: "scatter", XAxis: 1, YAxis: 1, Data: []dot{}}
		for _, t := range l.Traces {
			for k := range t.X {
				points.Data = append(points.Data, dot{chart.Clean(t.Label), [2]float64{t.X[k], t.Y[k]}})
			}
		}
		return []roledSeries{{points, markNames[l.Mark]}}
	}
	lines := tracesSeries{Name: name, Type: "lines", System: "cartesian2d", XAxis: 1, YAxis: 1,
		Polyline: l.Mark != report.MarkArrows, Data: []tracePoint{}}
	labels := dotsSeries{Name: name, Type: "scatter", XAxis: 1, YAxis: 1, Data: []dot{}}
	for _, t := range l.Traces {
		if len(t.X) < 2 {
			continue
		}
		points := make([][2]float64, len(t.X))
		for k := range t.X {
			points[k] = [2]float64{t.X[k], t.Y[k]}
		}
		lines.Data = append(lines.Data, tracePoint{Coords: points})
		if l.Mark == report.MarkContours && t.Label != "" {
			labels.Data = append(labels.Data, dot{chart.Clean(t.Label), points[5*len(points)/12]})
		}
	}
	if l.Mark == report.MarkArrows {
		for i, head := range chart.ArrowHeads(c.Surface, l) {
			lines.Data[i].Head = head
		}
	}
	mark := markNames[l.Mark]
	out := []roledSeries{{lines, mark + haloed}, {lines, mark}}
	if len(labels.Data) > 0 {
		out = append(out, roledSeries{labels, roleLevels})
	}
	return out
}

func (c surface) cells() []opts.HeatMapData {
	cells := []opts.HeatMapData{}
	for i, row := range c.Values {
		for k, v := range row {
			if !math.IsNaN(v) {
				cells = append(cells, opts.HeatMapData{Value: [3]any{k, i, scaled(c.Value, v)}})
			}
		}
	}
	return cells
}

// surfaceHeight makes a grid of 10 by 10 about square on a wide page.
const surfaceHeight = 620

func (c surface) view(id string) (blockView, error) {
	return viewChart(id, c.Surface, cmp.Or(c.Height, surfaceHeight), c.spec(id), c.dataTables())
}

// mostTracePoints are the points of a layer up to which the data table has all.
const mostTracePoints = 4000

// dataTables has the grid, and a table for each layer, with all points of its lines
// unless these are very many.
func (c surface) dataTables() []tableView {
	tables := []tableView{c.gridTable()}
	for i, name := range c.names() {
		if l := &c.Layers[i]; len(l.Traces) > 0 {
			tables = append(tables, c.layerTable(name, l))
		}
	}
	return tables
}

// gridTable has the grid with its first row at the bottom, as it is drawn. Where most
// points have no value it lists those that have one.
func (c surface) gridTable() tableView {
	if points := len(c.Values) * len(c.Values[0]); 2*len(c.cells()) < points {
		return c.listedGrid()
	}
	grid := tableView{Title: label(c.Value), Columns: []columnView{{Title: chart.Clean(c.Y.Title) + " \\ " + chart.Clean(c.X.Title), Numeric: true}}}
	for _, x := range chart.GridNames(c.X, c.XNames, c.XLog2, len(c.Values[0])) {
		grid.Columns = append(grid.Columns, columnView{Title: x, Numeric: true})
	}
	rows := chart.GridNames(c.Y, c.YNames, c.YLog2, len(c.Values))
	for i := len(c.Values) - 1; i >= 0; i-- {
		row := []string{rows[i]}
		for _, v := range c.Values[i] {
			cell := "no value"
			if !math.IsNaN(v) {
				cell = chart.Number(v)
			}
			row = append(row, cell)
		}
		grid.Rows = append(grid.Rows, row)
	}
	return grid
}

// listedGrid has a row for each point with a value, from the bottom up.
func (c surface) listedGrid() tableView {
	t := tableView{Title: label(c.Value), Columns: []columnView{
		{Title: label(c.Y), Numeric: true}, {Title: label(c.X), Numeric: true}, {Title: label(c.Value), Numeric: true}}}
	columns := chart.GridNames(c.X, c.XNames, c.XLog2, len(c.Values[0]))
	rows := chart.GridNames(c.Y, c.YNames, c.YLog2, len(c.Values))
	for i, row := range c.Values {
		for k, v := range row {
			if !math.IsNaN(v) {
				t.Rows = append(t.Rows, []string{rows[i], columns[k], chart.Number(v)})
			}
		}
	}
	return t
}

func (c surface) layerTable(name string, l *report.Layer) tableView {
	x, y := label(c.X), label(c.Y)
	points := 0
	for _, trace := range l.Traces {
		points += len(trace.X)
	}
	// Of many contours, which follow from the surface, the ends are enough.
	if l.Mark != report.MarkArrows && points <= mostTracePoints {
		t := tableView{Title: name, Columns: []columnView{{Title: "Label"}, {Title: x, Numeric: true}, {Title: y, Numeric: true}}}
		for _, trace := range l.Traces {
			for k := range trace.X {
				t.Rows = append(t.Rows, []string{chart.Clean(trace.Label), chart.Coordinate(trace.X[k], c.XLog2), chart.Coordinate(trace.Y[k], c.YLog2)})
			}
		}
		return t
	}
	t := tableView{Title: name, Columns: []columnView{{Title: "Label"},
		{Title: "From " + x, Numeric: true}, {Title: "From " + y, Numeric: true},
		{Title: "To " + x, Numeric: true}, {Title: "To " + y, Numeric: true}}}
	for _, trace := range l.Traces {
		row := []string{chart.Clean(trace.Label), "", "", "", ""}
		if n := len(trace.X); n > 0 {
			row = []string{row[0], chart.Coordinate(trace.X[0], c.XLog2), chart.Coordinate(trace.Y[0], c.YLog2), chart.Coordinate(trace.X[n-1], c.XLog2), chart.Coordinate(trace.Y[n-1], c.YLog2)}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

package html

import (
	"cmp"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type heatMap struct{ *report.HeatMap }

func (c heatMap) names() []string {
	return chart.DistinctOf(c.Rows, "row", func(x report.HeatRow) string { return x.Name })
}

// start returns where a column begins on the x axis, which is the end of the
// previous one.
func (c heatMap) start(column int) float64 {
	from, to := *c.X.Min, *c.X.Max
	return from + (to-from)*float64(column)/float64(c.Columns)
}

// spec needs two x axes: cells in ECharts are placed by category, but the labels
// should be round numbers. So a numeric axis is shown, and the cells are on a hidden
// category axis.
func (c heatMap) spec(id string) *chartSpec {
	heat := charts.NewHeatMap()
	heat.SetGlobalOptions(sharedOptions(id, nil)...)
	x, y := xAxis(c.X), yAxis(c.Y)
	y.Type, y.NameLocation, y.Inverse, y.Data = "category", "start", opts.Bool(true), c.names()
	heat.SetGlobalOptions(charts.WithXAxisOpts(x), charts.WithYAxisOpts(y),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	columns := make([]int, c.Columns)
	for k := range columns {
		columns[k] = k
	}
	// Even a hidden axis would reserve room for its labels.
	heat.ExtendXAxis(opts.XAxis{Type: "category", Show: opts.Bool(false), Data: columns, AxisLabel: &opts.AxisLabel{Show: opts.Bool(false)}})
	heat.AddSeries("", c.cells(), charts.WithHeatMapChartOpts(opts.HeatMapChart{XAxisIndex: 1}))
	heat.Validate()
	spec := &chartSpec{
		Option: heat.JSON(),
		Roles:  []seriesRole{{Kind: roleCells}},
		Heat:   &heatSpec{Columns: c.Columns, Value: label(c.Value), Log: c.Value.Log},
	}
	spec.Option["visualMap"] = colourScales(c.Value)
	if c.X.Unit != report.Dimensionless {
		spec.Heat.XUnit = chart.Clean(c.X.Unit)
	}
	return spec
}

// cells omits zeros: those cells stay empty.
func (c heatMap) cells() []opts.HeatMapData {
	cells := []opts.HeatMapData{}
	for i := range c.Rows {
		for k, v := range c.Rows[i].Values {
			if v != 0 {
				cells = append(cells, opts.HeatMapData{Value: [3]any{k, i, scaled(c.Value, v)}})
			}
		}
	}
	return cells
}

// height is enough for a line of text in every row.
func (c heatMap) height() int {
	const row, ticks = 20, 14 // ticks: those of a logarithmic scale of colours
	margins := 110
	if c.Value.Log {
		margins += ticks
	}
	return cmp.Or(c.Height, max(160, margins+row*len(c.Rows)))
}

func (c heatMap) view(id string) (blockView, error) {
	return viewChart(id, c.HeatMap, c.height(), c.spec(id), c.dataTables())
}

// dataTables has the columns of the map as rows, because there may be many, but for those
// that are empty.
func (c heatMap) dataTables() []tableView {
	t := tableView{Title: label(c.Value), Columns: []columnView{
		{Title: chart.Titled(c.X.Title+" from", c.X.Unit), Numeric: true}, {Title: chart.Titled("to", c.X.Unit), Numeric: true}}}
	for _, name := range c.names() {
		t.Columns = append(t.Columns, columnView{Title: name, Numeric: true})
	}
	for k := range c.Columns {
		row, empty := []string{chart.Number(c.start(k)), chart.Number(c.start(k + 1))}, true
		for i := range c.Rows {
			v := c.Rows[i].Values[k]
			row, empty = append(row, chart.Number(v)), empty && v == 0
		}
		if !empty {
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) < c.Columns {
		t.Title += "; rows of zeros are left out"
	}
	return []tableView{t}
}

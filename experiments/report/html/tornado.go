package html

import (
	"cmp"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type tornado struct{ *report.Tornado }

// A tornadoSpec is what the script needs for the bars and the tooltip.
type tornadoSpec struct {
	Base  float64     `json:"base"`
	Label string      `json:"label"` // of the base
	Value string      `json:"value"`
	Notes [][2]string `json:"notes"` // for each row, low and high
}

// Lanes of a bar: the full height of its row or, if both bars are on the same side
// of the base and one would hide the other, half of it.
const (
	laneFull  = 0
	laneUpper = 1
	laneLower = 2
)

func (c tornado) spec(id string) *chartSpec {
	swings := chart.Swings(c.Tornado)
	names := chart.Distinct([]string{c.Low, c.High}, "change")
	// The bars to one side, each with its row, the result and its lane.
	low, high := customSeries{Name: names[0], Type: "custom"}, customSeries{Name: names[1], Type: "custom"}
	spec := &chartSpec{
		Roles:   []seriesRole{{Kind: roleSwings}, {Kind: roleSwings, Colour: 1}, {Kind: roleTargets}},
		Tornado: &tornadoSpec{Base: c.Base, Label: chart.BaseLabel(c.Tornado), Value: label(c.Value)},
	}
	var parameters []string
	for i, s := range swings {
		parameters = append(parameters, chart.Clean(s.Parameter))
		upper, lower := laneFull, laneFull
		if (s.Low-c.Base)*(s.High-c.Base) > 0 {
			upper, lower = laneUpper, laneLower
		}
		low.Data = append(low.Data, [3]float64{float64(i), s.Low, float64(upper)})
		high.Data = append(high.Data, [3]float64{float64(i), s.High, float64(lower)})
		spec.Tornado.Notes = append(spec.Tornado.Notes, [2]string{chart.Clean(s.LowNote), chart.Clean(s.HighNote)})
	}
	plot := charts.NewCustom()
	plot.SetGlobalOptions(sharedOptions(id, names)...)
	plot.SetGlobalOptions(
		charts.WithXAxisOpts(xAxis(c.Value)),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Inverse: opts.Bool(true), Data: parameters}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	plot.Validate()
	_, spec.Y = scales(c.Tornado, c.height())
	spec.Option = plot.JSON()
	spec.Option["series"] = []any{low, high, markSeries{Type: "scatter", Symbol: "none", Data: [][2]float64{{c.Base, 0}},
		MarkLine: markLine{Symbol: "none", Data: []markItem{{
			Name: chart.BaseLabel(c.Tornado) + ": " + chart.Number(c.Base), XAxis: &c.Base, Label: markLabel{"start"}}}}}}
	return spec
}

// height is enough for a bar and its label in every row.
func (c tornado) height() int {
	const margins, row = 120, 30
	return cmp.Or(c.Height, max(200, margins+row*len(c.Swings)))
}

func (c tornado) view(id string) (blockView, error) {
	return viewChart(id, c.Tornado, c.height(), c.spec(id), c.dataTables())
}

// dataTables has a row for each bar, in the order in which they are drawn, below
// one for the base.
func (c tornado) dataTables() []tableView {
	t := tableView{Title: label(c.Value), Columns: []columnView{{Title: "Parameter"}, {Title: "Change"}, {Title: "Value of the parameter"},
		{Title: label(c.Value), Numeric: true}, {Title: "Difference from the base", Numeric: true}}}
	t.Rows = append(t.Rows, []string{chart.BaseLabel(c.Tornado), "", "", chart.Number(c.Base), "0"})
	for _, s := range chart.Swings(c.Tornado) {
		t.Rows = append(t.Rows,
			[]string{chart.Clean(s.Parameter), chart.Clean(c.Low), chart.Clean(s.LowNote), chart.Number(s.Low), chart.Number(s.Low - c.Base)},
			[]string{chart.Clean(s.Parameter), chart.Clean(c.High), chart.Clean(s.HighNote), chart.Number(s.High), chart.Number(s.High - c.Base)})
	}
	return []tableView{t}
}

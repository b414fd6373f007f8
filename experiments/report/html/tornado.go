package html

import (
	"cmp"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/report"
)

type tornado struct{ *report.Tornado }

// sorted returns the swings as they are shown, the longest first.
func (c tornado) sorted() []report.Swing {
	span := func(s report.Swing) float64 { return max(c.Base, s.Low, s.High) - min(c.Base, s.Low, s.High) }
	swings := slices.Clone(c.Swings)
	slices.SortStableFunc(swings, func(a, b report.Swing) int { return cmp.Compare(span(b), span(a)) })
	return swings
}

func (c tornado) baseLabel() string {
	if c.BaseLabel == "" {
		return "base"
	}
	return clean(c.BaseLabel)
}

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
	swings := c.sorted()
	names := distinct([]string{c.Low, c.High}, "change")
	// The bars to one side, each with its row, the result and its lane.
	low, high := customSeries{Name: names[0], Type: "custom"}, customSeries{Name: names[1], Type: "custom"}
	spec := &chartSpec{
		Roles:   []seriesRole{{Kind: roleSwings}, {Kind: roleSwings, Colour: 1}, {Kind: roleTargets}},
		Tornado: &tornadoSpec{Base: c.Base, Label: c.baseLabel(), Value: label(c.Value)},
	}
	var parameters []string
	for i, s := range swings {
		parameters = append(parameters, clean(s.Parameter))
		upper, lower := laneFull, laneFull
		if (s.Low-c.Base)*(s.High-c.Base) > 0 {
			upper, lower = laneUpper, laneLower
		}
		low.Data = append(low.Data, [3]float64{float64(i), s.Low, float64(upper)})
		high.Data = append(high.Data, [3]float64{float64(i), s.High, float64(lower)})
		spec.Tornado.Notes = append(spec.Tornado.Notes, [2]string{clean(s.LowNote), clean(s.HighNote)})
	}
	chart := charts.NewCustom()
	chart.SetGlobalOptions(sharedOptions(id, names)...)
	chart.SetGlobalOptions(
		charts.WithXAxisOpts(xAxis(c.Value)),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Inverse: opts.Bool(true), Data: parameters}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	chart.Validate()
	spec.Option = chart.JSON()
	spec.Option["series"] = []any{low, high, markSeries{Type: "scatter", Symbol: "none", Data: [][2]float64{{c.Base, 0}},
		MarkLine: markLine{Symbol: "none", Data: []markItem{{
			Name: c.baseLabel() + ": " + number(c.Base), XAxis: &c.Base, Label: markLabel{"start"}}}}}}
	return spec
}

// height is enough for a bar and its label in every row.
func (c tornado) height() int {
	const margins, row = 120, 30
	return cmp.Or(c.Height, max(200, margins+row*len(c.Swings)))
}

func (c tornado) view(id string) (blockView, error) {
	return viewChart(id, c.Title, c.Caption, c.height(), len(c.Swings) == 0, c.spec(id), c.dataTables())
}

// dataTables has a row for each bar, in the order in which they are drawn, below
// one for the base.
func (c tornado) dataTables() []tableView {
	t := tableView{Title: label(c.Value), Columns: []columnView{{Title: "Parameter"}, {Title: "Change"}, {Title: "Value of the parameter"},
		{Title: label(c.Value), Numeric: true}, {Title: "Difference from the base", Numeric: true}}}
	t.Rows = append(t.Rows, []string{c.baseLabel(), "", "", number(c.Base), "0"})
	for _, s := range c.sorted() {
		t.Rows = append(t.Rows,
			[]string{clean(s.Parameter), clean(c.Low), clean(s.LowNote), number(s.Low), number(s.Low - c.Base)},
			[]string{clean(s.Parameter), clean(c.High), clean(s.HighNote), number(s.High), number(s.High - c.Base)})
	}
	return []tableView{t}
}

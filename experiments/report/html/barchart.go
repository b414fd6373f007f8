package html

import (
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/figure"
	"github.com/isoscale/isoscale/experiments/report"
)

type barChart struct{ *report.BarChart }

func (c barChart) names() []string {
	return chart.DistinctOf(c.Series, "series", func(x report.BarSeries) string { return x.Name })
}

func (c barChart) spec(id string) *chartSpec {
	names := c.names()
	spec := &chartSpec{Bars: true, Horizontal: c.Horizontal, ValueLabel: c.fewBars()}
	bar, colours := charts.NewBar(), chart.BarColours(c.BarChart)
	bar.SetGlobalOptions(sharedOptions(id, c.drawn(names))...)
	bar.SetXAxis(chart.CleanAll(c.Categories))
	for i := range c.Series {
		bar.AddSeries(names[i], bars(&c.Series[i]),
			charts.WithBarChartOpts(opts.BarChart{Stack: c.pile(i), BarGap: "8%"}),
			charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.BarMaxWidth = "44" }))
		spec.Roles = append(spec.Roles, c.role(i, colours[i]))
	}
	x, y := xAxis(c.X), yAxis(c.Y)
	x.Type, x.Scale = "category", nil
	if c.Horizontal {
		// The first category is on top, and the values run to the right.
		x, y = opts.XAxis{Name: y.Name, NameLocation: "middle", Type: "value", Min: y.Min, Max: y.Max},
			opts.YAxis{Name: x.Name, NameLocation: "start", Type: "category", Inverse: opts.Bool(true)}
		bar.XYReversal()
	}
	bar.SetGlobalOptions(charts.WithXAxisOpts(x), charts.WithYAxisOpts(y))
	bar.Validate()
	_, spec.Y = scales(c.BarChart, c.height())
	spec.Option = bar.JSON()
	return spec
}

// drawn returns the names of the series that are no offsets, for the legend.
func (c barChart) drawn(names []string) []string {
	drawn := make([]string, 0, len(names))
	for i, name := range names {
		if !c.Series[i].Offset {
			drawn = append(drawn, name)
		}
	}
	return drawn
}

// role is the role of a series of a colour. Offsets have none.
func (c barChart) role(series, colour int) seriesRole {
	s := &c.Series[series]
	if s.Offset {
		return seriesRole{Kind: roleOffset}
	}
	role := seriesRole{Kind: roleData, Colour: colourOf(colour)}
	switch {
	case s.Dashed:
		role.Outline = "dashed"
	case s.Hollow:
		role.Outline = "solid"
	default:
		role.Hatch = figure.Hatch(colour)
	}
	return role
}

// pile names the stack of a series after its first series. ECharts stores stacks as
// properties of an object, so a name from the caller such as __proto__ would change
// all objects of the page.
func (c barChart) pile(series int) string {
	if c.Series[series].Stack == "" {
		return ""
	}
	first := slices.IndexFunc(c.Series, func(s report.BarSeries) bool { return s.Stack == c.Series[series].Stack })
	return "pile " + strconv.Itoa(first+1)
}

func bars(s *report.BarSeries) []opts.BarData {
	bars := make([]opts.BarData, len(s.Values))
	for k, v := range s.Values {
		bars[k].Value = v
		if s.IsMissing(k) {
			bars[k].Value = "-" // ECharts for "no value"
		}
	}
	return bars
}

// fewBars reports whether the bars have room for their values: few bars side by
// side, none stacked.
func (c barChart) fewBars() bool {
	for i := range c.Series {
		if c.Series[i].Stack != "" {
			return false
		}
	}
	return len(c.Series)*len(c.Categories) <= 16
}

// piles counts the bars side by side in one category.
func (c barChart) piles() int {
	n, stacks := 0, make(map[string]bool)
	for i := range c.Series {
		if stack := c.Series[i].Stack; stack == "" || !stacks[stack] {
			n++
			stacks[stack] = true
		}
	}
	return n
}

// height is enough for the number of horizontal bars.
func (c barChart) height() int {
	const margins, gap, thickness = 120, 10, 16
	switch {
	case c.Height > 0:
		return c.Height
	case c.Horizontal:
		return max(240, margins+len(c.Categories)*(gap+thickness*c.piles()))
	}
	return defaultHeight
}

func (c barChart) view(id string) (blockView, error) {
	return viewChart(id, c.BarChart, c.height(), c.spec(id), c.dataTables())
}

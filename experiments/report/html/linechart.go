package html

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/figure"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/report"
)

type lineChart struct{ *report.LineChart }

func (c lineChart) names() []string { return chart.LineNames(c.LineChart) }

// rangeSeries has x, low and high of each point.
func rangeSeries(name string, x, low, high []float64) customSeries {
	s := customSeries{Name: name, Type: "custom", Data: make([][3]float64, len(x))}
	for k := range x {
		s.Data[k] = [3]float64{x[k], low[k], high[k]}
	}
	return s
}

func (c lineChart) hasWhiskers() bool {
	return slices.ContainsFunc(c.Series, func(s report.Series) bool { return s.Low != nil })
}

// role is how a series looks that has colour k of some; ideal curves have -1.
func (c lineChart) role(kind string, k, of int) seriesRole {
	switch {
	case k < 0:
		return seriesRole{Kind: kind}
	case c.Ordered && of > 1:
		return seriesRole{Kind: kind, Share: palette.Ordered(k, of)}
	}
	if kind != roleData {
		return seriesRole{Kind: kind, Colour: colourOf(k)}
	}
	var dash []string
	for _, length := range figure.Pattern(k) {
		const em = 13 // CSS pixels
		dash = append(dash, strconv.Itoa(int(em*length+0.5)))
	}
	return seriesRole{Kind: kind, Colour: colourOf(k), Dash: strings.Join(dash, ",")}
}

func (c lineChart) spec(id string) *chartSpec {
	names, colours := c.names(), chart.LineColours(c.LineChart)
	of := slices.Max(append(slices.Clone(colours), 0)) + 1
	line, spec := charts.NewLine(), &chartSpec{}
	line.SetGlobalOptions(sharedOptions(id, names)...)
	line.SetGlobalOptions(charts.WithXAxisOpts(xAxis(c.X)), charts.WithYAxisOpts(yAxis(c.Y)))
	for i := range c.Series {
		addCurve(line, names[i], &c.Series[i], marker(i))
		role := c.role(roleData, colours[i], of)
		switch s := &c.Series[i]; {
		case s.Ideal:
			role = seriesRole{Kind: roleIdeal, Key: markNames[report.MarkDashes]}
		case s.Points:
			role.Above = true
		case s.Plain && s.Dashed:
			role.Key = markNames[report.MarkDashes]
		case s.Plain:
			role.Key = markNames[report.MarkContours]
		}
		spec.Roles = append(spec.Roles, role)
	}
	for i := range c.Series {
		if c.addPoints(line, names[i], i) {
			spec.Roles = append(spec.Roles, c.role(rolePoints, colours[i], of))
		}
	}
	xs, ys := chart.LineValues(c.LineChart)
	if len(c.Targets) > 0 && len(xs) > 0 {
		c.addTargets(line, xs[0])
		spec.Roles = append(spec.Roles, seriesRole{Kind: roleTargets})
		for _, t := range c.Targets {
			ys = append(ys, t.Y)
		}
	}
	line.Validate()
	spec.Option = line.JSON()
	if len(c.Bands) > 0 || c.hasWhiskers() {
		series := []any{}
		for _, s := range line.MultiSeries {
			series = append(series, s)
		}
		for i := range c.Series {
			if s := &c.Series[i]; s.Low != nil {
				series = append(series, rangeSeries(names[i], s.X, s.Low, s.High))
				spec.Roles = append(spec.Roles, c.role(roleWhisker, colours[i], of))
			}
		}
		for i := range c.Bands {
			k := len(c.Series) + i
			series = append(series, rangeSeries(names[k], c.Bands[i].X, c.Bands[i].Low, c.Bands[i].High))
			spec.Roles = append(spec.Roles, c.role(roleBand, colours[k], of))
		}
		spec.Option["series"] = series
	}
	spec.X, spec.Y = scales(c.LineChart, c.height())
	if len(xs) > 0 {
		spec.X.Base, spec.Y.Base = logBase(c.X, xs), logBase(c.Y, ys)
	}
	spec.Square = c.Square
	return spec
}

func addCurve(line *charts.Line, name string, s *report.Series, marker string) {
	stroke, size := opts.LineStyle{Width: 2, Type: "solid"}, 7
	if s.Points {
		stroke.Opacity, size = opts.Float(0), 11
	}
	if s.Dashed {
		stroke.Type = "dashed"
	}
	if s.Plain {
		marker = "none"
	}
	points := make([]opts.LineData, len(s.X))
	for k := range s.X {
		points[k] = opts.LineData{Value: []float64{s.X[k], s.Y[k]}}
	}
	line.AddSeries(name, points,
		charts.WithLineChartOpts(opts.LineChart{Symbol: marker, SymbolSize: size, ShowSymbol: opts.Bool(true)}),
		charts.WithLineStyleOpts(stroke))
}

// addPoints draws the marked points of one series and reports whether there
// are any. They carry the name of their series, so that the legend shows and
// hides both together.
func (c lineChart) addPoints(line *charts.Line, name string, series int) bool {
	var points []opts.ScatterData
	for _, p := range c.Points {
		if p.Series == series {
			points = append(points, opts.ScatterData{Name: chart.Clean(p.Label), Value: []float64{p.X, p.Y}})
		}
	}
	if points == nil {
		return false
	}
	line.Overlap(charts.NewScatter().AddSeries(name, points,
		charts.WithScatterChartOpts(opts.ScatterChart{Symbol: "circle", SymbolSize: 12})))
	return true
}

// addTargets draws the reference lines as marks of a separate series: as marks of a
// curve they would vanish when the reader hides the curve. Marks do not extend an
// axis, so the series has an invisible point on each line, at an x within the chart.
func (c lineChart) addTargets(line *charts.Line, x float64) {
	points := make([]opts.LineData, len(c.Targets))
	marks := make([]opts.MarkLineNameYAxisItem, len(c.Targets))
	for i, t := range c.Targets {
		points[i] = opts.LineData{Value: []float64{x, t.Y}}
		marks[i] = opts.MarkLineNameYAxisItem{Name: chart.Clean(t.Label), YAxis: t.Y}
	}
	line.AddSeries("", points,
		charts.WithLineChartOpts(opts.LineChart{Symbol: "none"}),
		charts.WithLineStyleOpts(opts.LineStyle{Opacity: opts.Float(0)}),
		charts.WithMarkLineStyleOpts(opts.MarkLineStyle{
			Symbol: []string{"none", "none"}, Label: &opts.Label{Position: c.targetLabel()}}),
		charts.WithMarkLineNameYAxisItemOpts(marks...))
}

// targetLabel places the labels of the reference lines.
func (c lineChart) targetLabel() string {
	if chart.LabelsAtStart(c.Targets, c.Series) {
		return "insideStartTop"
	}
	return "insideEndTop"
}

// height leaves room for a square plot.
func (c lineChart) height() int {
	if c.Square {
		return cmp.Or(c.Height, squareHeight)
	}
	return cmp.Or(c.Height, defaultHeight)
}

const squareHeight = 520

func (c lineChart) view(id string) (blockView, error) {
	return viewChart(id, c.LineChart, c.height(), c.spec(id), c.dataTables())
}

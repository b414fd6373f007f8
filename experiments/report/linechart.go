package report

import (
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

func (c *LineChart) check(at place) {
	if c == nil {
		at.reportf("block is a nil *LineChart")
		return
	}
	at = at.in("chart", c.Title)
	checkChart(at, c.Title, c.Height, &c.X, &c.Y)
	for i := range c.Series {
		c.checkSeries(at, i)
	}
	for i, t := range c.Targets {
		here := at.in(fmt.Sprintf("target %d", i+1), t.Label)
		here.checkPresent("label", t.Label)
		here.checkNumber("y", t.Y, c.Y.Log)
	}
	for i, p := range c.Points {
		here := at.in(fmt.Sprintf("point %d", i+1), p.Label)
		here.checkNumber("x", p.X, c.X.Log)
		here.checkNumber("y", p.Y, c.Y.Log)
		if p.Series < 0 || p.Series >= len(c.Series) {
			here.reportf("series index is %d; expected an index into the %d series", p.Series, len(c.Series))
		}
	}
}

func (c *LineChart) checkSeries(at place, i int) {
	s := &c.Series[i]
	at = at.in(fmt.Sprintf("series %d", i+1), s.Name)
	if s.Style < StyleLine || s.Style > StylePoints {
		at.reportf("style is %d; expected StyleLine, StyleDashed or StylePoints", s.Style)
	}
	if len(s.X) != len(s.Y) {
		at.reportf("has %d x values and %d y values; expected as many", len(s.X), len(s.Y))
	}
	for k, v := range s.X {
		at.checkNumber(fmt.Sprintf("x[%d]", k), v, c.X.Log)
	}
	for k, v := range s.Y {
		at.checkNumber(fmt.Sprintf("y[%d]", k), v, c.Y.Log)
	}
}

func (c *LineChart) names() []string {
	names := make([]string, len(c.Series))
	for i := range c.Series {
		names[i] = c.Series[i].Name
	}
	return distinct(names, "series")
}

// values lists all that the axes must show.
func (c *LineChart) values() (xs, ys []float64) {
	for i := range c.Series {
		xs, ys = append(xs, c.Series[i].X...), append(ys, c.Series[i].Y...)
	}
	for _, p := range c.Points {
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	return xs, ys
}

func (c *LineChart) spec(id string) *chartSpec {
	names := c.names()
	line, spec := charts.NewLine(), &chartSpec{}
	line.SetGlobalOptions(sharedOptions(id, names)...)
	line.SetGlobalOptions(charts.WithXAxisOpts(c.X.asX()), charts.WithYAxisOpts(c.Y.asY()))
	for i := range c.Series {
		addCurve(line, names[i], &c.Series[i], marker(i))
		spec.Roles = append(spec.Roles, seriesRole{roleData, i % palette})
	}
	for i := range c.Series {
		if c.addPoints(line, names[i], i) {
			spec.Roles = append(spec.Roles, seriesRole{rolePoints, i % palette})
		}
	}
	xs, ys := c.values()
	if len(c.Targets) > 0 && len(xs) > 0 {
		c.addTargets(line, xs[0])
		spec.Roles = append(spec.Roles, seriesRole{Kind: roleTargets})
		for _, t := range c.Targets {
			ys = append(ys, t.Y)
		}
	}
	line.Validate()
	spec.Option = line.JSON()
	spec.XLogBase, spec.YLogBase = c.X.logBase(xs), c.Y.logBase(ys)
	return spec
}

func addCurve(line *charts.Line, name string, s *Series, marker string) {
	stroke := opts.LineStyle{Width: 2, Type: "solid"}
	switch s.Style {
	case StyleDashed:
		stroke.Type = "dashed"
	case StylePoints:
		stroke.Opacity = opts.Float(0)
	}
	points := make([]opts.LineData, len(s.X))
	for k := range s.X {
		points[k] = opts.LineData{Value: []float64{s.X[k], s.Y[k]}}
	}
	line.AddSeries(name, points,
		charts.WithLineChartOpts(opts.LineChart{Symbol: marker, SymbolSize: 7, ShowSymbol: opts.Bool(true)}),
		charts.WithLineStyleOpts(stroke))
}

// addPoints draws the marked points of one series and reports whether there
// are any. They carry the name of their series, so that the legend shows and
// hides both together.
func (c *LineChart) addPoints(line *charts.Line, name string, series int) bool {
	var points []opts.ScatterData
	for _, p := range c.Points {
		if p.Series == series {
			points = append(points, opts.ScatterData{Name: clean(p.Label), Value: []float64{p.X, p.Y}})
		}
	}
	if points == nil {
		return false
	}
	line.Overlap(charts.NewScatter().AddSeries(name, points,
		charts.WithScatterChartOpts(opts.ScatterChart{Symbol: "circle", SymbolSize: 12})))
	return true
}

// addTargets draws the reference lines as marks of a series of their own: as
// marks of a curve they would vanish when the reader hides the curve. Marks do
// not widen an axis, so the series has an unseen point on each line, at an x
// that the chart shows anyway.
func (c *LineChart) addTargets(line *charts.Line, x float64) {
	points := make([]opts.LineData, len(c.Targets))
	marks := make([]opts.MarkLineNameYAxisItem, len(c.Targets))
	for i, t := range c.Targets {
		points[i] = opts.LineData{Value: []float64{x, t.Y}}
		marks[i] = opts.MarkLineNameYAxisItem{Name: clean(t.Label), YAxis: t.Y}
	}
	line.AddSeries("", points,
		charts.WithLineChartOpts(opts.LineChart{Symbol: "none"}),
		charts.WithLineStyleOpts(opts.LineStyle{Opacity: opts.Float(0)}),
		charts.WithMarkLineStyleOpts(opts.MarkLineStyle{
			Symbol: []string{"none", "none"}, Label: &opts.Label{Position: c.targetLabel()}}),
		charts.WithMarkLineNameYAxisItemOpts(marks...))
}

// targetLabel puts the labels of the reference lines at that end of the x axis
// where the nearest curve is further away.
func (c *LineChart) targetLabel() string {
	left, right := math.Inf(1), math.Inf(1)
	for _, s := range c.Series {
		for _, t := range c.Targets {
			if n := len(s.Y); n > 0 {
				left, right = math.Min(left, math.Abs(s.Y[0]-t.Y)), math.Min(right, math.Abs(s.Y[n-1]-t.Y))
			}
		}
	}
	if left > right {
		return "insideStartTop"
	}
	return "insideEndTop"
}

func (c *LineChart) view(id string) (blockView, error) {
	xs, _ := c.values()
	height := c.Height
	if height == 0 {
		height = defaultHeight
	}
	return viewChart(id, c.Title, c.Caption, height, len(xs) == 0, c.spec(id), c.dataTables())
}

package html

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/report"
)

type lineChart struct{ *report.LineChart }

// names are those of the series and, after them, of the bands.
func (c lineChart) names() []string {
	var names []string
	for i := range c.Series {
		names = append(names, c.Series[i].Name)
	}
	for i := range c.Bands {
		names = append(names, c.Bands[i].Name)
	}
	return distinct(names, "series")
}

// colours are those of the series and, after them, of the bands: a new one for
// each, or for the first with its colour group.
func (c lineChart) colours() []int {
	var groups []string
	for i := range c.Series {
		groups = append(groups, c.Series[i].Colour)
	}
	for i := range c.Bands {
		groups = append(groups, c.Bands[i].Colour)
	}
	colours, next := make([]int, len(groups)), 0
	for i, group := range groups {
		if first := slices.Index(groups, group); group != "" && first < i {
			colours[i] = colours[first]
			continue
		}
		colours[i] = next % palette
		next++
	}
	return colours
}

// values lists all that the axes must show.
func (c lineChart) values() (xs, ys []float64) {
	for i := range c.Series {
		xs, ys = append(xs, c.Series[i].X...), append(ys, c.Series[i].Y...)
	}
	for i := range c.Bands {
		b := &c.Bands[i]
		xs, ys = append(xs, b.X...), append(append(ys, b.Low...), b.High...)
	}
	for _, p := range c.Points {
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	return xs, ys
}

// bandSeries has x, low and high of each point.
func bandSeries(name string, b *report.Band) customSeries {
	s := customSeries{Name: name, Type: "custom", Data: make([][3]float64, len(b.X))}
	for k := range b.X {
		s.Data[k] = [3]float64{b.X[k], b.Low[k], b.High[k]}
	}
	return s
}

func (c lineChart) spec(id string) *chartSpec {
	names, colours := c.names(), c.colours()
	line, spec := charts.NewLine(), &chartSpec{}
	line.SetGlobalOptions(sharedOptions(id, names)...)
	line.SetGlobalOptions(charts.WithXAxisOpts(xAxis(c.X)), charts.WithYAxisOpts(yAxis(c.Y)))
	for i := range c.Series {
		addCurve(line, names[i], &c.Series[i], marker(i))
		role := seriesRole{Kind: roleData, Colour: colours[i]}
		switch s := &c.Series[i]; {
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
			spec.Roles = append(spec.Roles, seriesRole{Kind: rolePoints, Colour: colours[i]})
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
	if len(c.Bands) > 0 {
		series := []any{}
		for _, s := range line.MultiSeries {
			series = append(series, s)
		}
		for i := range c.Bands {
			k := len(c.Series) + i
			series = append(series, bandSeries(names[k], &c.Bands[i]))
			spec.Roles = append(spec.Roles, seriesRole{Kind: roleBand, Colour: colours[k]})
		}
		spec.Option["series"] = series
	}
	spec.XLogBase, spec.YLogBase = logBase(c.X, xs), logBase(c.Y, ys)
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

// addTargets draws the reference lines as marks of a separate series: as marks of a
// curve they would vanish when the reader hides the curve. Marks do not extend an
// axis, so the series has an invisible point on each line, at an x within the chart.
func (c lineChart) addTargets(line *charts.Line, x float64) {
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

// targetLabel places the labels of the reference lines at the end of the x axis
// where the distance to the nearest curve is larger.
func (c lineChart) targetLabel() string {
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

func (c lineChart) view(id string) (blockView, error) {
	xs, _ := c.values()
	return viewChart(id, c.Title, c.Caption, cmp.Or(c.Height, defaultHeight), len(xs) == 0, c.spec(id), c.dataTables())
}

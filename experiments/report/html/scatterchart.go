package html

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type scatterChart struct{ *report.ScatterChart }

func (c scatterChart) names() []string {
	return chart.DistinctOf(c.Series, "series", func(x report.ScatterSeries) string { return x.Name })
}

// values lists all that the axes must show.
func (c scatterChart) values() (xs, ys []float64) {
	for i := range c.Series {
		for _, p := range c.Series[i].Points {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	return xs, ys
}

// A namedSeries is a series of points with their tooltips.
type namedSeries struct {
	Name   string       `json:"name"`
	Type   string       `json:"type"`
	Symbol string       `json:"symbol"`
	Step   string       `json:"step,omitempty"`
	Data   []namedPoint `json:"data"`
}

type namedPoint struct {
	Name  string     `json:"name,omitempty"`
	Value [2]float64 `json:"value"`
	Notes string     `json:"notes,omitempty"`
	Label string     `json:"caption,omitempty"` // "label" is an option of ECharts
}

// A markSeries has reference lines, and invisible points that extend the axes to
// them.
type markSeries struct {
	Name     string       `json:"name"`
	Type     string       `json:"type"`
	Symbol   string       `json:"symbol"`
	Data     [][2]float64 `json:"data"`
	MarkLine markLine     `json:"markLine"`
}

type markLine struct {
	Symbol string     `json:"symbol"`
	Data   []markItem `json:"data"`
}

type markItem struct {
	Name  string    `json:"name"`
	XAxis *float64  `json:"xAxis,omitempty"`
	YAxis *float64  `json:"yAxis,omitempty"`
	Label markLabel `json:"label"`
}

type markLabel struct {
	Position string `json:"position"`
}

// manyPoints is the number of points above which a chart is drawn on a canvas: one
// SVG element per point would be slow.
const manyPoints = 1000

// spec draws from the back to the front: faint points, other points with their
// lines, points with labels, reference lines.
func (c scatterChart) spec(id string) *chartSpec {
	names := c.names()
	plot, spec := charts.NewScatter(), &chartSpec{}
	plot.SetGlobalOptions(sharedOptions(id, names)...)
	x, y := xAxis(c.X), yAxis(c.Y)
	y.Scale = opts.Bool(true)
	plot.SetGlobalOptions(charts.WithXAxisOpts(x), charts.WithYAxisOpts(y), charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	plot.Validate()
	series := []any{}
	add := func(s any, kind string, i int) {
		series, spec.Roles = append(series, s), append(spec.Roles, seriesRole{Kind: kind, Colour: colourOf(i)})
	}
	for _, faint := range []bool{true, false} {
		for i := range c.Series {
			if s := &c.Series[i]; s.Faint == faint {
				kind := roleDots
				if faint {
					kind = roleFaint
				}
				add(dotSeries(names[i], marker(i), s), kind, i)
				if (s.StepAfter || s.StepBefore) && len(s.Points) > 0 {
					add(stepSeries(names[i], s), roleSteps, i)
				}
			}
		}
	}
	// The script places labels in their order: those of the last series, which are in
	// front, find room first.
	for i := len(c.Series) - 1; i >= 0; i-- {
		if labels := labelSeries(names[i], &c.Series[i]); len(labels.Data) > 0 {
			add(labels, roleLabels, i)
		}
	}
	xs, ys := c.values()
	spec.Scatter, spec.Many = true, len(xs) > manyPoints
	if len(c.Lines) > 0 && len(xs) > 0 {
		add(c.marks(xs, ys), roleTargets, 0)
		for _, l := range c.Lines {
			if l.Vertical {
				xs = append(xs, l.At)
			} else {
				ys = append(ys, l.At)
			}
		}
	}
	spec.Option = plot.JSON()
	spec.Option["series"] = series
	spec.X, spec.Y = scales(c.ScatterChart, cmp.Or(c.Height, scatterHeight))
	if len(xs) > 0 {
		spec.X.Base, spec.Y.Base = logBase(c.X, xs), logBase(c.Y, ys)
	}
	return spec
}

func dotSeries(name, marker string, s *report.ScatterSeries) namedSeries {
	out := namedSeries{Name: name, Type: "scatter", Symbol: marker, Data: make([]namedPoint, len(s.Points))}
	for k, p := range s.Points {
		out.Data[k] = namedPoint{Name: chart.Clean(p.Name), Value: [2]float64{p.X, p.Y}, Notes: chart.Clean(p.Notes)}
	}
	return out
}

func labelSeries(name string, s *report.ScatterSeries) namedSeries {
	out := namedSeries{Name: name, Type: "scatter", Symbol: "circle"}
	for _, p := range s.Points {
		if p.Label != "" {
			out.Data = append(out.Data, namedPoint{Name: chart.Clean(p.Name), Value: [2]float64{p.X, p.Y}, Notes: chart.Clean(p.Notes), Label: chart.Clean(p.Label)})
		}
	}
	return out
}

func stepSeries(name string, s *report.ScatterSeries) namedSeries {
	out := namedSeries{Name: name, Type: "line", Symbol: "none", Step: "end"}
	if s.StepBefore {
		out.Step = "start"
	}
	for _, p := range s.Points {
		out.Data = append(out.Data, namedPoint{Value: [2]float64{p.X, p.Y}})
	}
	slices.SortStableFunc(out.Data, func(a, b namedPoint) int { return cmp.Compare(a.Value[0], b.Value[0]) })
	return out
}

// marks places a label at the end of its line that is further from the labelled
// points: low values are at the start of either axis.
func (c scatterChart) marks(xs, ys []float64) markSeries {
	out := markSeries{Type: "scatter", Symbol: "none", MarkLine: markLine{Symbol: "none"}}
	low := func(v float64, all []float64) bool { return v-slices.Min(all) < slices.Max(all)-v }
	for _, l := range c.Lines {
		lows, labels := 0, 0
		for i := range c.Series {
			for _, p := range c.Series[i].Points {
				if p.Label != "" {
					labels++
					if l.Vertical && low(p.Y, ys) || !l.Vertical && low(p.X, xs) {
						lows++
					}
				}
			}
		}
		item := markItem{Name: chart.Clean(l.Label), Label: markLabel{"insideStartTop"}}
		if 2*lows >= labels {
			item.Label.Position = "insideEndTop"
		}
		if l.Vertical {
			item.XAxis = &l.At
			out.Data = append(out.Data, [2]float64{l.At, ys[0]})
		} else {
			item.YAxis = &l.At
			out.Data = append(out.Data, [2]float64{xs[0], l.At})
		}
		out.MarkLine.Data = append(out.MarkLine.Data, item)
	}
	return out
}

func (c scatterChart) view(id string) (blockView, error) {
	return viewChart(id, c.ScatterChart, cmp.Or(c.Height, scatterHeight), c.spec(id), c.dataTables())
}

const scatterHeight = 480

// tableRows bounds the data table of a series of points: thousands of rows are not
// readable and make a page large.
const tableRows = 100

// dataTables has a table for each series: its first points and, after them, all
// further ones with a label.
func (c scatterChart) dataTables() []tableView {
	var tables []tableView
	for i, name := range c.names() {
		s := &c.Series[i]
		t := tableView{Title: name, Columns: []columnView{{Title: "Point"},
			{Title: label(c.X), Numeric: true}, {Title: label(c.Y), Numeric: true}}}
		marked := slices.ContainsFunc(s.Points, func(p report.ScatterPoint) bool { return p.Label != "" })
		noted := slices.ContainsFunc(s.Points, func(p report.ScatterPoint) bool { return p.Notes != "" })
		if marked {
			t.Columns = append(t.Columns, columnView{Title: "Label"})
		}
		if noted {
			t.Columns = append(t.Columns, columnView{Title: "Notes"})
		}
		for k, p := range s.Points {
			if k >= tableRows && p.Label == "" {
				continue
			}
			row := []string{chart.Clean(p.Name), chart.Number(p.X), chart.Number(p.Y)}
			if marked {
				row = append(row, chart.Clean(p.Label))
			}
			if noted {
				row = append(row, chart.Clean(p.Notes))
			}
			t.Rows = append(t.Rows, row)
		}
		if n := len(s.Points); len(t.Rows) < n {
			t.Title = fmt.Sprintf("%s: %d of %d points", name, len(t.Rows), n)
		}
		tables = append(tables, t)
	}
	if len(c.Lines) > 0 {
		t := tableView{Title: "Reference lines", Columns: []columnView{
			{Title: "Line"}, {Title: label(c.X), Numeric: true}, {Title: label(c.Y), Numeric: true}}}
		for _, l := range c.Lines {
			row := []string{chart.Clean(l.Label), "", chart.Number(l.At)}
			if l.Vertical {
				row = []string{row[0], chart.Number(l.At), ""}
			}
			t.Rows = append(t.Rows, row)
		}
		tables = append(tables, t)
	}
	return tables
}

package html

import (
	"cmp"
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type parallel struct{ *report.Parallel }

// A parallelSpec is what the script needs to draw parallel axes, of which ECharts
// knows nothing: lines and axes are drawn in a plane whose x is the number of an axis
// and whose y goes from 0 to 1.
type parallelSpec struct {
	Axes   []parallelAxis `json:"axes"`
	Value  string         `json:"value"` // the name of the last axis
	Min    float64        `json:"min"`   // of it; logarithms to the base 10 if it is logarithmic
	Max    float64        `json:"max"`
	Log    bool           `json:"log,omitempty"`
	Ticks  []tickSpec     `json:"ticks"`
	Lines  []parallelLine `json:"lines"`
	Marked string         `json:"marked,omitempty"`
	Least  bool           `json:"least,omitempty"`
}

type parallelAxis struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

type parallelLine struct {
	At     []int   `json:"at"`
	Value  float64 `json:"value"`
	Label  string  `json:"label,omitempty"`
	Marked bool    `json:"marked,omitempty"`
}

// An emptySeries gets its data from the script.
type emptySeries struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Data []int  `json:"data"`
}

// The series of parallel axes, from the back to the front.
var parallelRoles = []struct{ kind, series string }{
	{"lines", "lines"}, {"marked-halo", "lines"}, {"marked", "lines"}, {"uprights", "custom"},
}

func (c parallel) spec(id string, height int) *chartSpec {
	marked := chart.Clean(c.Marked)
	var names []string
	if marked != "" {
		names = []string{marked}
	}
	plot := charts.NewLine()
	plot.SetGlobalOptions(sharedOptions(id, names)...)
	plot.SetGlobalOptions(charts.WithXAxisOpts(opts.XAxis{Type: "value"}), charts.WithYAxisOpts(opts.YAxis{Type: "value"}), charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	plot.Validate()
	spec := &chartSpec{Option: plot.JSON()}
	var series []any
	for _, r := range parallelRoles {
		one := emptySeries{Type: r.series, Data: []int{}}
		if r.kind == "marked" || r.kind == "marked-halo" {
			one.Name = marked
		}
		series, spec.Roles = append(series, one), append(spec.Roles, seriesRole{Kind: r.kind})
	}
	spec.Option["series"], spec.Option["visualMap"] = series, colourScales(c.Value)
	const around, line = 120, 1.6 * labelSize
	axis := chart.ParallelScale(c.Parallel, float64(max(120, height-around)), func(string) float64 { return line })
	p := &parallelSpec{Value: label(c.Value), Log: c.Value.Log, Min: scaled(c.Value, *c.Value.Min), Max: scaled(c.Value, *c.Value.Max), Ticks: ticks(axis), Marked: marked, Least: c.Least}
	for i, name := range chart.ParallelNames(c.Parallel) {
		p.Axes = append(p.Axes, parallelAxis{name, chart.Distinct(c.Axes[i].Levels, "level")})
	}
	for _, l := range c.Lines {
		p.Lines = append(p.Lines, parallelLine{l.At, l.Value, chart.Clean(l.Label), l.Marked})
	}
	spec.Parallel = p
	return spec
}

func (c parallel) view(id string) (blockView, error) {
	const tall = 460
	height := cmp.Or(c.Height, tall)
	return viewChart(id, c.Parallel, height, c.spec(id, height), c.dataTables())
}

// dataTables has a row for each line, the one in front first.
func (c parallel) dataTables() []tableView {
	t := tableView{Title: label(c.Value)}
	for _, name := range chart.ParallelNames(c.Parallel) {
		t.Columns = append(t.Columns, columnView{Title: name})
	}
	t.Columns = append(t.Columns, columnView{Title: label(c.Value), Numeric: true}, columnView{Title: "Notes"})
	for i := len(c.Lines) - 1; i >= 0 && len(t.Rows) < tableRows; i-- {
		l := c.Lines[i]
		var row []string
		for k, level := range l.At {
			row = append(row, chart.Clean(c.Axes[k].Levels[level]))
		}
		t.Rows = append(t.Rows, append(row, chart.Number(l.Value), chart.Clean(l.Label)))
	}
	if n := len(c.Lines); n > len(t.Rows) {
		t.Title += fmt.Sprintf(": %d of %d lines", len(t.Rows), n)
	}
	return []tableView{t}
}

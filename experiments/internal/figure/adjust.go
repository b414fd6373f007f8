package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

// A Change says what is different from the report in a figure of it.
type Change struct {
	X, Y   string   // "log" or "linear"; "" leaves the axis as it is
	Series []string // which to keep; nil keeps all
}

// Apply returns a changed copy of a chart. The error names what the chart lacks.
func (c Change) Apply(chart Chart) (Chart, error) {
	if c.X == "" && c.Y == "" && c.Series == nil {
		return chart, nil
	}
	changed, err := c.block(chart.Block)
	if err != nil {
		return Chart{}, fmt.Errorf("chart %q: %w", chart.Name, err)
	}
	d := &report.Document{Title: "figure", Sections: []report.Section{{Heading: "figure", Blocks: []report.Block{changed}}}}
	if err := d.Check(); err != nil {
		return Chart{}, err
	}
	return Chart{chart.Name, changed}, nil
}

func (c Change) block(b report.Block) (report.Block, error) {
	switch b := b.(type) {
	case *report.LineChart:
		n := *b
		n.X, n.Y = scaled(n.X, c.X), scaled(n.Y, c.Y)
		keep, err := kept(c.Series, LineNames(b))
		if err != nil {
			return nil, err
		}
		index := make([]int, len(b.Series))
		n.Series, n.Bands, n.Points = nil, nil, nil
		for i := range b.Series {
			if index[i] = len(n.Series); keep[i] {
				n.Series = append(n.Series, b.Series[i])
			}
		}
		for i := range b.Bands {
			if keep[len(b.Series)+i] {
				n.Bands = append(n.Bands, b.Bands[i])
			}
		}
		for _, p := range b.Points {
			if keep[p.Series] {
				p.Series = index[p.Series]
				n.Points = append(n.Points, p)
			}
		}
		n.Square = n.Square && n.X.Log == n.Y.Log
		return &n, nil
	case *report.ScatterChart:
		n := *b
		n.X, n.Y = scaled(n.X, c.X), scaled(n.Y, c.Y)
		keep, err := kept(c.Series, (scatterChart{b}).names())
		if err != nil {
			return nil, err
		}
		n.Series = selected(b.Series, keep)
		return &n, nil
	case *report.BarChart:
		if c.X != "" || c.Y != "" {
			return nil, fmt.Errorf("the axes of bars are linear")
		}
		n := *b
		keep, err := kept(c.Series, (barChart{b}).all())
		if err != nil {
			return nil, err
		}
		n.Series = selected(b.Series, keep)
		return &n, nil
	}
	return nil, fmt.Errorf("it has no series and no axes to change")
}

// selected returns the series that are kept.
func selected[S any](all []S, keep []bool) []S {
	var some []S
	for i, s := range all {
		if keep[i] {
			some = append(some, s)
		}
	}
	return some
}

func scaled(a report.Axis, to string) report.Axis {
	if to != "" {
		a.Log = to == "log"
		a.Min, a.Max = nil, nil
	}
	return a
}

// kept marks the series to keep.
func kept(wanted, names []string) ([]bool, error) {
	keep := make([]bool, len(names))
	for i, name := range names {
		keep[i] = wanted == nil || slices.Contains(wanted, name)
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no series is called %q; expected some of %s", name, strings.Join(names, ", "))
		}
	}
	return keep, nil
}

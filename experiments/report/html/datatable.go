package html

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// dataTables writes the numbers of a chart as tables, for browsers without
// scripts and for screen readers.
func (c lineChart) dataTables() []tableView {
	tables := []tableView{c.seriesTable()}
	for i, name := range c.names()[len(c.Series):] {
		b := &c.Bands[i]
		t := tableView{Title: name, Columns: []columnView{{Title: label(c.X), Numeric: true},
			{Title: chart.Titled(c.Y.Title+" from", c.Y.Unit), Numeric: true}, {Title: chart.Titled("to", c.Y.Unit), Numeric: true}}}
		for k := range b.X {
			t.Rows = append(t.Rows, []string{chart.Number(b.X[k]), chart.Number(b.Low[k]), chart.Number(b.High[k])})
		}
		tables = append(tables, t)
	}
	if len(c.Targets) > 0 {
		t := tableView{Title: "Reference lines", Columns: []columnView{
			{Title: "Line"}, {Title: label(c.Y), Numeric: true}}}
		for _, target := range c.Targets {
			t.Rows = append(t.Rows, []string{chart.Clean(target.Label), chart.Number(target.Y)})
		}
		tables = append(tables, t)
	}
	if len(c.Points) > 0 {
		names := c.names()
		t := tableView{Title: "Marked points", Columns: []columnView{
			{Title: "Point"}, {Title: "Series"},
			{Title: label(c.X), Numeric: true}, {Title: label(c.Y), Numeric: true}}}
		for _, p := range c.Points {
			t.Rows = append(t.Rows, []string{chart.Clean(p.Label), names[p.Series], chart.Number(p.X), chart.Number(p.Y)})
		}
		tables = append(tables, t)
	}
	return tables
}

// seriesTable has a column for each series if all series have the same x values,
// and otherwise a row for each point of each series.
func (c lineChart) seriesTable() tableView {
	names := c.names()
	if !c.sharesX() {
		t := tableView{Columns: []columnView{{Title: "Series"},
			{Title: label(c.X), Numeric: true}, {Title: label(c.Y), Numeric: true}}}
		for i, s := range c.Series {
			if len(s.X) == 0 {
				t.Rows = append(t.Rows, []string{names[i], "no points", ""})
			}
			for k := range s.X {
				t.Rows = append(t.Rows, []string{names[i], chart.Number(s.X[k]), chart.Number(s.Y[k])})
			}
		}
		return t
	}
	t := tableView{Title: label(c.Y), Columns: []columnView{{Title: label(c.X), Numeric: true}}}
	for _, name := range names[:len(c.Series)] {
		t.Columns = append(t.Columns, columnView{Title: name, Numeric: true})
	}
	for k, x := range c.Series[0].X {
		row := []string{chart.Number(x)}
		for _, s := range c.Series {
			row = append(row, chart.Number(s.Y[k]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (c lineChart) sharesX() bool {
	for _, s := range c.Series {
		if !slices.Equal(s.X, c.Series[0].X) {
			return false
		}
	}
	return len(c.Series) > 0 && len(c.Series[0].X) > 0
}

func (c barChart) dataTables() []tableView {
	t := tableView{Title: label(c.Y), Columns: []columnView{{Title: label(c.X)}}}
	for _, name := range c.names() {
		t.Columns = append(t.Columns, columnView{Title: name, Numeric: true})
	}
	for k, category := range c.Categories {
		row := []string{chart.Clean(category)}
		for i := range c.Series {
			cell := "no value"
			if !c.Series[i].IsMissing(k) {
				cell = chart.Number(c.Series[i].Values[k])
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return []tableView{t}
}

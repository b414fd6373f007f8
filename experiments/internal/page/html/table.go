package html

import (
	"github.com/isoscale/isoscale/experiments/internal/chart"
)

func viewTable(t *chart.Table) tableView {
	v := tableView{Title: chart.Clean(t.Title), Caption: chart.Clean(t.Caption)}
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, columnView{Title: chart.Titled(c.Title, c.Unit), Numeric: c.Numeric || c.Sizes != nil, Sizes: c.Sizes})
	}
	for _, row := range t.Rows {
		v.Rows = append(v.Rows, chart.CleanAll(row))
	}
	return v
}

func viewNotes(n *chart.Notes) blockView {
	if len(n.Items) == 0 {
		return blockView{}
	}
	v := &notesView{Title: "Notes", Class: "notes", Items: chart.CleanAll(n.Items)}
	if n.Warning {
		v.Title, v.Class = "Warnings", "notes warning"
	}
	return blockView{Notes: v}
}

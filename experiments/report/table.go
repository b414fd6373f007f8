package report

import "fmt"

func (t *Table) check(at place) {
	if t == nil {
		at.reportf("block is a nil *Table")
		return
	}
	at = at.in("table", t.Title)
	at.checkPresent("title", t.Title)
	for i, c := range t.Columns {
		at.in(fmt.Sprintf("column %d", i+1), "").checkPresent("title", c.Title)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			at.reportf("row %d has %d cells; expected %d, one for each column", i+1, len(row), len(t.Columns))
		}
	}
}

func (t *Table) view(string) (blockView, error) {
	v := &tableView{Title: clean(t.Title), Caption: clean(t.Caption)}
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, columnView{Title: titled(c.Title, c.Unit), Numeric: c.Numeric})
	}
	for _, row := range t.Rows {
		v.Rows = append(v.Rows, cleanAll(row))
	}
	return blockView{Table: v}, nil
}

func (n *Notes) check(at place) {
	if n == nil {
		at.reportf("block is a nil *Notes")
	}
}

func (n *Notes) view(string) (blockView, error) {
	if len(n.Items) == 0 {
		return blockView{}, nil
	}
	v := &notesView{Title: "Notes", Class: "notes", Items: cleanAll(n.Items)}
	if n.Warning {
		v.Title, v.Class = "Warnings", "notes warning"
	}
	return blockView{Notes: v}, nil
}

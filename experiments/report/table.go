package report

import "fmt"

// A Table shows rows of text under titled columns.
type Table struct {
	Title   string // required
	Caption string
	Columns []Column
	Rows    [][]string // each as long as Columns
}

// A Column is the head of a table column.
type Column struct {
	Title   string // required
	Unit    string // shown behind the title; empty or Dimensionless: nothing is shown
	Numeric bool   // align right

	// Sized says that each cell ends in a [Size]. The cells are numeric and have a
	// mark in the colour of their size, equal none.
	Sized bool
}

// Notes is a list of remarks or, with Warning set, of doubts about a result
// that the reader must not miss. Without items nothing is shown.
type Notes struct {
	Warning bool
	Items   []string
}

func (t *Table) check(at place) {
	at = at.in("table", t.Title)
	at.checkPresent("title", t.Title)
	for i, c := range t.Columns {
		at.in(fmt.Sprintf("column %d", i+1), "").checkPresent("title", c.Title)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			at.reportf("row %d has %d cells; expected %d, one for each column", i+1, len(row), len(t.Columns))
			continue
		}
		for k, cell := range row {
			if _, ok := SizeOf(cell); t.Columns[k].Sized && !ok {
				at.reportf("row %d: cell %d is %q; expected a text that ends in a size, such as %q", i+1, k+1, shorten(cell, 60), SizeSmall)
			}
		}
	}
}

func (n *Notes) check(place) {}

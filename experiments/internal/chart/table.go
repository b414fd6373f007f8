package chart

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart/whatif"
)

// A Table shows rows of text under titled columns.
type Table struct {
	Title   string // required
	Caption string
	Columns []Column
	Rows    [][]string // each as long as Columns

	// Ranking makes it a table of machines that the page ranks again when the reader
	// changes prices, limits or what decides: what a machine does and draws is as given,
	// what it costs is computed from the terms, as docs/models/purchase.md has it. Columns
	// are those of the cells of machines, behind what is computed, and there are no rows.
	// Without JavaScript the page shows the ranking as planned.
	Ranking *whatif.Ranking
}

// A Column is the head of a table column.
type Column struct {
	Title   string // required
	Unit    string // shown behind the title; empty or Dimensionless: nothing is shown
	Numeric bool   // align right

	// Sizes are words for how large a deviation is, 2 to 5, the smallest first. If
	// there are any, each cell ends in one, as in "+2.6 % small"; the cells are
	// numeric and have a mark in the colour of their size, the smallest none.
	Sizes []string
}

// Size returns the index of the word in Sizes that a cell ends in.
func (c Column) Size(cell string) (index int, ok bool) {
	index = slices.Index(c.Sizes, cell[strings.LastIndex(cell, " ")+1:])
	return index, index >= 0
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
	if t.Ranking != nil {
		t.checkRanking(at)
	}
	for i, c := range t.Columns {
		here := at.in(fmt.Sprintf("column %d", i+1), "")
		here.checkPresent("title", c.Title)
		if n := len(c.Sizes); n == 1 || n > 5 {
			here.reportf("has %d sizes; expected 2 to 5, or none", n)
		}
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			at.reportf("row %d has %d cells; expected %d, one for each column", i+1, len(row), len(t.Columns))
			continue
		}
		for k, cell := range row {
			if _, ok := t.Columns[k].Size(cell); t.Columns[k].Sizes != nil && !ok {
				at.reportf("row %d: cell %d is %q; expected a text that ends in one of %s", i+1, k+1, shorten(cell, 60), strings.Join(t.Columns[k].Sizes, ", "))
			}
		}
	}
}

func (n *Notes) check(place) {}

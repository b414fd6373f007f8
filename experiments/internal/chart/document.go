package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// A Document is a report from its title to its provenance. All text is plain
// text: it is escaped, never read as markup.
type Document struct {
	Title      string    // what was studied; required
	Subtitle   string    // one line below the title
	Lead       []string  // paragraphs; the first is the answer in plain words, and the headline if short; or the title
	Facts      []Fact    // the 3 to 6 numbers of the answer, shown as tiles, or in rows if one has bars
	Sections   []Section // with a table of contents from 4 sections on
	Provenance []Fact    // version, inputs, seed: the table at the end
}

// A Fact is a value with its name.
type Fact struct {
	Label string
	Value string // with its unit
	Note  string // how to read it; may be empty
	Bars  []Bar  // several things to compare, in place of a value
}

// A Bar shows the value of one of several things.
type Bar struct {
	Label  string  // of the thing
	Value  string  // with its unit
	Length float64 // as a share of the longest bar, 0 to 1
}

// A Section is a heading with paragraphs and, below them, blocks.
type Section struct {
	Heading string // required

	// Part names the part of the document that the section is in. Sections of the
	// same part follow each other: the page shows the name once, above the first
	// of them, and the table of contents lists them under it. Empty: no part.
	Part string

	Text   []string
	Blocks []Block
}

// A Block is a [Chart], or one of *Table, *Slices, *Network and *Notes. Code that shows a document handles them all.
type Block interface {
	check(at place)
}

// Check returns nil for a document that can be shown, and otherwise an error that
// lists every problem with its section, chart and series.
func (d *Document) Check() error {
	var found []error
	at := place{path: "report: ", found: &found}
	if d == nil {
		at.reportf("document is nil")
		return errors.Join(found...)
	}
	at.checkPresent("title", d.Title)
	for _, f := range d.Facts {
		for _, b := range f.Bars {
			if !(b.Length >= 0 && b.Length <= 1) {
				at.in("fact", f.Label).reportf("bar %q has the length %v; expected 0 to 1", shorten(b.Label, 60), b.Length)
			}
		}
	}
	parts := make(map[string]bool)
	for i, s := range d.Sections {
		here := at.in("section", s.Heading)
		if s.Heading == "" {
			here = at.in(fmt.Sprintf("section %d", i+1), "")
			here.checkPresent("heading", s.Heading)
		}
		if s.Part != "" && (i == 0 || s.Part != d.Sections[i-1].Part) {
			here.demand(!parts[s.Part],
				"part %q is not contiguous; expected its sections one after another", shorten(s.Part, 60))
			parts[s.Part] = true
		}
		for k, b := range s.Blocks {
			if b == nil {
				here.reportf("block %d is nil", k+1)
			} else if v := reflect.ValueOf(b); v.IsNil() {
				here.reportf("block is a nil *%s", v.Type().Elem().Name())
			} else {
				b.check(here)
			}
		}
	}
	return errors.Join(found...)
}

// A Table shows rows of text under titled columns.
type Table struct {
	Title   string // required
	Caption string
	Columns []Column
	Rows    [][]string // each as long as Columns

	// Ranking, unless nil, makes it a table of machines that the page sorts and filters. Columns
	// are then those of the machines' cells, which follow their figures, and there are no rows.
	// Without JavaScript the page shows the machines that are listed.
	Ranking *Ranking
}

// A Column is the head of a table column.
type Column struct {
	Title   string // required
	Unit    string // shown behind the title; empty or Dimensionless: nothing is shown
	Numeric bool   // align right

	// Sizes are 2 to 5 words for how large a deviation is, the smallest first, or none.
	// With sizes each cell ends in one, as in "+2.6 % small", or is "-"; the cells are
	// numeric and have a mark in the colour of their size, except the smallest.
	Sizes []string
}

// Size returns the index in Sizes of the word that a cell ends in, that of the smallest for a cell without value.
func (c Column) Size(cell string) (index int, ok bool) {
	if cell == "-" {
		return 0, true
	}
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

// Slices shows one of several maps that differ in further variables. The reader chooses it by
// a slider for each variable. Without JavaScript the page shows the map at the start.
type Slices struct {
	Title   string // required
	Caption string

	// Variables are what the maps differ in, each with at least two levels.
	Variables []Variable

	// Surfaces are a map for each combination of levels, of which that of the last variable
	// changes fastest. Nil stands for a map without values.
	Surfaces []*Surface

	Start []int // the level of each variable at first; their map is not nil
}

// A Variable is what a slider sets, to one of its named levels.
type Variable struct {
	Name   string
	Levels []string
}

func (c *Slices) check(at place) {
	at = at.in("slices", c.Title)
	at.checkPresent("title", c.Title)
	maps, start := 1, 0
	for i, v := range c.Variables {
		here := at.in(fmt.Sprintf("variable %d", i+1), v.Name)
		here.checkPresent("name", v.Name)
		here.demand(len(v.Levels) >= 2, "has %d levels; expected at least 2", len(v.Levels))
		if i < len(c.Start) {
			if c.Start[i] < 0 || c.Start[i] >= len(v.Levels) {
				here.reportf("starts at level %d; expected an index into its %d levels", c.Start[i], len(v.Levels))
				return
			}
			start = start*len(v.Levels) + c.Start[i]
		}
		maps *= len(v.Levels)
	}
	switch {
	case len(c.Variables) == 0:
		at.reportf("has no variables; expected at least 1")
		return
	case len(c.Start) != len(c.Variables):
		at.reportf("has %d levels at the start; expected %d, one for each variable", len(c.Start), len(c.Variables))
		return
	case len(c.Surfaces) != maps:
		at.reportf("has %d maps; expected %d, one for each combination of levels", len(c.Surfaces), maps)
		return
	case c.Surfaces[start] == nil:
		at.reportf("has no map at the start")
	}
	for _, s := range c.Surfaces {
		if s != nil {
			s.check(at)
		}
	}
}

// Dimensionless is the unit of an axis that shows pure numbers: counts,
// ratios, category names.
const Dimensionless = "1"

// An Axis says what a chart shows in one direction.
type Axis struct {
	Title string `json:"title,omitzero"` // required
	Unit  string `json:"unit,omitzero"`  // required; Dimensionless where there is none
	Log   bool   `json:"log,omitzero"`   // logarithmic scale; all values must be at least 1e-9

	// Min and Max bound the axis. Nil leaves a bound to the data; a linear y
	// axis then includes zero.
	Min *float64 `json:"min,omitzero"`
	Max *float64 `json:"max,omitzero"`
}

func (a *Axis) check(at place) {
	at.checkPresent("title", a.Title)
	at.demand(a.Unit != "", "unit is missing; expected a unit, or %q where there is none", Dimensionless)
	if a.Min != nil {
		at.checkNumber("min", *a.Min, a.Log)
	}
	if a.Max != nil {
		at.checkNumber("max", *a.Max, a.Log)
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		at.reportf("min %v is not below max %v", *a.Min, *a.Max)
	}
}

// A place is a spot in a document, for saying where something is wrong. All
// places of one document share a list, so that one run shows every problem.
type place struct {
	path  string
	found *[]error
}

// in returns the place of a named part, such as chart "Time", or of an unnamed
// one, such as x axis.
func (p place) in(part, name string) place {
	step := part
	if name != "" {
		step = fmt.Sprintf("%s %q", part, shorten(name, 60))
	}
	return place{path: p.path + step + ": ", found: p.found}
}

func (p place) reportf(format string, args ...any) {
	*p.found = append(*p.found, fmt.Errorf("%s%s", p.path, fmt.Sprintf(format, args...)))
}

// demand reports what does not hold.
func (p place) demand(holds bool, format string, args ...any) {
	if !holds {
		p.reportf(format, args...)
	}
}

// Limits of the numbers that a chart can show. ECharts, which draws them, rounds positions
// on an axis to ten decimals and overflows near the ends of float64. Within the limits
// it draws correctly; a suitable unit brings any quantity there.
const (
	largest     = 1e30 // of all magnitudes
	smallestLog = 1e-9 // of the numbers on a logarithmic axis
)

// checkNumber reports a value that an axis cannot show. What names the value,
// for example y[3].
func (p place) checkNumber(what string, v float64, log bool) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		p.reportf("%s is %v; expected a finite number", what, v)
	case math.Abs(v) > largest:
		p.reportf("%s is %v; expected a magnitude of at most %g: take a larger unit", what, v, largest)
	case log && v <= 0:
		p.reportf("%s is %v; expected a number above 0, because the axis is logarithmic", what, v)
	case log && v < smallestLog:
		p.reportf("%s is %v; expected at least %g on a logarithmic axis: take a smaller unit", what, v, smallestLog)
	}
}

func (p place) checkNumbers(what string, values []float64, log bool) {
	for i, v := range values {
		p.checkNumber(fmt.Sprintf("%s[%d]", what, i), v, log)
	}
}

func (p place) checkPresent(what, text string) {
	p.demand(text != "", "%s is missing", what)
}

// chart reports problems in the fields that all charts have in common, and returns the place of the
// chart. Axes that the chart does not have are nil.
func (p place) chart(title string, height int, x, y, value *Axis) place {
	p = p.in("chart", title)
	p.checkPresent("title", title)
	p.demand(height >= 0, "height is %d; expected pixels, or 0 for a default", height)
	for i, a := range []*Axis{x, y, value} {
		if a != nil {
			a.check(p.in([]string{"x axis", "y axis", "value"}[i], ""))
		}
	}
	return p
}

// checkBounds reports an axis without both bounds or, if it must be linear, with a logarithmic
// scale. It returns whether the axis is as demanded.
func (p place) checkBounds(name string, a *Axis, linear bool) bool {
	want := "both bounds"
	if linear {
		want += " and a linear scale"
	}
	ok := a.Min != nil && a.Max != nil && !(linear && a.Log)
	p.demand(ok, "%s does not say what it spans; expected %s", name, want)
	return ok
}

// checkNames reports an axis of names that has more than a title and a unit.
func (p place) checkNames(name, of string, a *Axis) {
	p.demand(!a.Log && a.Min == nil && a.Max == nil,
		"%s shows %s; expected no bounds and no logarithmic scale", name, of)
}

// shorten cuts a text to at most n characters, for error messages.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// Columns returns the columns with these heads: "#" marks a column of numbers, and a unit follows in brackets, as in
// "#time [s]".
func Columns(heads ...string) []report.Column {
	all := make([]report.Column, len(heads))
	for i, head := range heads {
		title, numeric := strings.CutPrefix(head, "#")
		title, unit, _ := strings.Cut(strings.TrimSuffix(title, "]"), " [")
		all[i] = report.Column{Title: title, Unit: unit, Numeric: numeric}
	}
	return all
}

// Facts are facts of a report.
func Facts(list input.Facts) []report.Fact {
	var facts []report.Fact
	for _, f := range list {
		facts = append(facts, report.Fact{Label: input.Capitalized(f.Name), Value: f.Value, Note: f.Note})
	}
	return facts
}

// A Table is a part of the result as text, for a terminal or a page. Columns without values are left out.
type Table struct {
	report.Table
	Keys    int      // the first columns, which say what a row is about
	Remarks []Remark // one for each row, or none

	RemarkTitle string // title of their column in a report; "how" if empty
}

// NewTable returns a table without rows; heads are as for [Columns].
func NewTable(title string, keys int, heads ...string) Table {
	return Table{Table: report.Table{Title: title, Columns: Columns(heads...)}, Keys: keys}
}

// A Remark says how the result in a row was found, or why there is none.
type Remark struct {
	Text   string
	Failed bool // there is no result
}

// String returns the remark for a column of its own.
func (r Remark) String() string {
	if r.Failed {
		return "no result: " + r.Text
	}
	return r.Text
}

// Compact drops the columns without values.
func (t *Table) Compact() Table {
	c := NewTable(t.Title, 0)
	c.Caption, c.Rows, c.Remarks = t.Caption, make([][]string, len(t.Rows)), t.Remarks
	c.RemarkTitle = t.RemarkTitle
	for i, column := range t.Columns {
		used := false
		for _, row := range t.Rows {
			used = used || row[i] != input.None && row[i] != ""
		}
		if !used {
			continue
		}
		c.Columns = append(c.Columns, column)
		if i < t.Keys {
			c.Keys++
		}
		for k, row := range t.Rows {
			c.Rows[k] = append(c.Rows[k], row[i])
		}
	}
	return c
}

// Report returns the table for a report, with the remarks as its last column.
func (t *Table) Report() *report.Table {
	out := t.Table
	if len(t.Remarks) > 0 {
		out.Columns = append(slices.Clone(t.Columns), report.Column{Title: cmp.Or(t.RemarkTitle, "how")})
		out.Rows = make([][]string, len(t.Rows))
		for i, row := range t.Rows {
			remark := t.Remarks[i].String()
			if t.RemarkTitle != "" && i > 0 && t.Remarks[i] == t.Remarks[i-1] {
				remark = "" // already shown for an earlier row
			}
			out.Rows[i] = append(slices.Clone(row), remark)
		}
	}
	return &out
}

// ParameterSection lists parameters below a text; those in fitted are marked.
func ParameterSection(facts []input.Parameter, fitted []string, text ...string) report.Section {
	t := &report.Table{Title: "Parameters",
		Columns: Columns("parameter", "value", "from")}
	for _, f := range facts {
		note := f.Note
		for _, p := range fitted {
			if p == f.Name || len(p) > len(f.Name) && p[:len(f.Name)+1] == f.Name+"." {
				note = "fitted"
			}
		}
		t.Rows = append(t.Rows, []string{f.Name, f.Value, note})
	}
	return report.Section{Heading: "Parameters", Text: text, Blocks: []report.Block{t}}
}

// WarningSection lists warnings.
func WarningSection(warnings []string) report.Section {
	if len(warnings) == 0 {
		return report.Section{Heading: "Warnings", Text: []string{"None."}}
	}
	return report.Section{Heading: "Warnings", Blocks: []report.Block{&report.Notes{Warning: true, Items: warnings}}}
}

// ProvenanceFacts returns a provenance as the table at the end of a report.
func ProvenanceFacts(p input.Provenance) []report.Fact {
	facts := []report.Fact{
		{Label: "isoscale", Value: p.Version, Note: p.Revision},
		{Label: "command", Value: p.Command},
	}
	for _, in := range p.Inputs {
		facts = append(facts, report.Fact{Label: "input", Value: in.File, Note: "SHA-256 " + in.SHA256})
	}
	for _, o := range p.Overrides {
		facts = append(facts, report.Fact{Label: "--set", Value: o.Path + "=" + o.Value})
	}
	return append(facts,
		report.Fact{Label: "seed", Value: fmt.Sprint(p.Seed)},
		report.Fact{Label: "simulations", Value: fmt.Sprint(p.Simulations)},
		report.Fact{Label: "events", Value: fmt.Sprint(p.Events)},
		report.Fact{Label: "wall time", Value: units.Seconds(p.WallSeconds).String()})
}

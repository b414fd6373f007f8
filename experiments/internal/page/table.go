package page

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// A Table is a part of the result as text, for a terminal or a page.
// Columns without any value are left out.
type Table struct {
	report.Table
	Keys    int      // the first columns, which say what a row is about
	Remarks []Remark // one for each row, or none

	RemarkTitle string // of their column in a report; "how" if empty
}

// NewTable returns a table without columns.
func NewTable(title string, keys int) Table {
	return Table{Table: report.Table{Title: title}, Keys: keys}
}

// A Remark says how the result in a row was found, or why there is none.
type Remark struct {
	Text   string
	Failed bool // there is no result
}

// String is the remark for a column of its own.
func (r Remark) String() string {
	if r.Failed {
		return "no result: " + r.Text
	}
	return r.Text
}

// Text adds columns of text.
func (t *Table) Text(titles ...string) {
	for _, title := range titles {
		t.Columns = append(t.Columns, report.Column{Title: title})
	}
}

// Number adds columns of numbers.
func (t *Table) Number(titles ...string) {
	for _, title := range titles {
		t.Columns = append(t.Columns, report.Column{Title: title, Numeric: true})
	}
}

// Compact drops the columns that have no value.
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

// Report is the table in a report, with the remarks as its last column.
func (t *Table) Report() *report.Table {
	out := t.Table
	if len(t.Remarks) > 0 {
		out.Columns = append(slices.Clone(t.Columns), report.Column{Title: cmp.Or(t.RemarkTitle, "how")})
		out.Rows = make([][]string, len(t.Rows))
		for i, row := range t.Rows {
			remark := t.Remarks[i].String()
			if t.RemarkTitle != "" && i > 0 && t.Remarks[i] == t.Remarks[i-1] {
				remark = "" // one for several rows
			}
			out.Rows[i] = append(slices.Clone(row), remark)
		}
	}
	return &out
}

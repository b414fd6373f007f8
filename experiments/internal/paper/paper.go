package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
)

// How is the origin of one of our values.
type How string

// The origins of values.
const (
	Recomputed How = "recomputed" // by formula, from printed primary values
	Simulated  How = "simulated"  // by the engine, no parameter chosen for this table
	Fitted     How = "fitted"     // by the engine or a model, with parameters chosen for this table
)

// Paper is one paper with its tables, figures, claims and misprints.
type Paper struct {
	Name     string `json:"name"` // as on the command line
	Title    string `json:"title"`
	Citation string `json:"citation"`
	// Questions states in a sentence or two what the paper asks and answers.
	Questions string   `json:"questions"`
	Tables    []Table  `json:"tables"`
	Figures   []Figure `json:"-"`
	// Claims are statements of the paper, in words, that have been checked.
	Claims []Claim `json:"claims,omitempty"`
	// Misprints explains where paper and formula disagree.
	Misprints []Misprint `json:"misprints"`
	// NotReproduced states what is left out, and why.
	NotReproduced []string `json:"not_reproduced,omitempty"`
}

// Table is a printed table. Its ID is the name of the data file without extension.
type Table struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Formula states in plain text how our value is computed.
	Formula    string      `json:"formula,omitempty"`
	Parameters []Parameter `json:"parameters,omitempty"` // of a fit
	Cells      []Cell      `json:"cells"`
	// Values are those of a figure of which the paper prints no number.
	Values []Value  `json:"values,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// Parameter is a fitted parameter with its unit.
type Parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Note  string  `json:"note,omitempty"`
}

// Cell is one value of a table.
type Cell struct {
	Row       string  `json:"row"`
	Column    string  `json:"column"` // with its unit, as printed in the data
	Paper     float64 `json:"paper"`
	Ours      float64 `json:"ours"`
	Deviation float64 `json:"relative_deviation"` // ours/paper - 1; ours - paper if the paper says 0
	How       How     `json:"how"`
	// Verdict is exact (ours rounds to the printed digits), rounding (within what
	// the printed digits of the inputs leave open, or one unit of the last place)
	// or differs.
	Verdict Verdict `json:"verdict"`
	// Reading distinguishes several values for one printed cell: the interpretation
	// where the paper is ambiguous. Empty for the plain one.
	Reading string `json:"reading,omitempty"`
	Note    string `json:"note,omitempty"`
}

// Value is one of our values where the paper prints none.
type Value struct {
	Row    string  `json:"row"`
	Column string  `json:"column"` // with its unit
	Ours   float64 `json:"ours"`
	How    How     `json:"how"`
}

// Claim is a statement of a paper and the result of checking it.
type Claim struct {
	Where string `json:"where"` // table or section
	What  string `json:"what"`
	Paper string `json:"paper"` // what is stated
	Ours  string `json:"ours"`  // what was found
	Holds bool   `json:"holds"`
	Note  string `json:"note,omitempty"` // why, if it does not hold
}

// Verdict is the outcome of a comparison.
type Verdict string

// The verdicts.
const (
	Exact    Verdict = "exact"
	Rounding Verdict = "rounding"
	Differs  Verdict = "differs"
)

// Misprint explains a disagreement inside a paper.
type Misprint struct {
	Where string `json:"where"` // table or section
	What  string `json:"what"`
}

// Figure is a redrawn figure, as blocks of a report.
type Figure struct {
	ID, Title string
	Draw      []report.Block
}

// Source computes a paper except for its name and title. Long work stops when ctx is
// done.
type Source struct {
	Name  string
	Title string
	Make  func(ctx context.Context) (*Paper, error)
	// Studies: it is computed from the embedded studies of Sunwulf too.
	Studies bool
}

// Compare returns the cell for a printed number and ours, with the verdict for a
// value computed from exact inputs; use CompareRange where inputs are rounded.
func Compare(row, column string, printed Printed, ours float64, how How) Cell {
	return CompareRange(row, column, printed, ours, ours, ours, how)
}

// CompareRange is Compare where the rounding of printed inputs leaves ours
// between lo and hi.
func CompareRange(row, column string, printed Printed, ours, lo, hi float64, how How) Cell {
	c := Cell{Row: row, Column: column, Paper: printed.Value, Ours: ours, How: how, Verdict: Differs}
	if printed.Value != 0 {
		c.Deviation = ours/printed.Value - 1
	} else {
		c.Deviation = ours
	}
	half := printed.Place / 2 * (1 + 1e-9)
	switch d := math.Abs(ours - printed.Value); {
	case d <= half:
		c.Verdict = Exact
	case lo-half <= printed.Value && printed.Value <= hi+half, d <= float64(printed.Place*(1+1e-9)):
		c.Verdict = Rounding
	}
	return c
}

// RMS returns the root mean square of the relative deviations of the selected cells,
// and their number.
func (t *Table) RMS(keep func(Cell) bool) (rms float64, n int) {
	sum := 0.0
	for _, c := range t.Cells {
		if keep == nil || keep(c) {
			sum += float64(c.Deviation * c.Deviation)
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	return math.Sqrt(sum / float64(n)), n
}

// check reports values that a table must not contain.
func (t *Table) check() error {
	values := slices.Clone(t.Values)
	for _, c := range t.Cells {
		values = append(values, Value{c.Row, c.Column, c.Ours, c.How})
	}
	for _, v := range values {
		if math.IsNaN(v.Ours) || math.IsInf(v.Ours, 0) {
			return fmt.Errorf("paper: table %s, row %s, column %s: ours is %v", t.ID, v.Row, v.Column, v.Ours)
		}
	}
	return nil
}

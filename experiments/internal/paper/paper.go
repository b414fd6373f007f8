package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
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
	// Questions says in a sentence or two what the paper asks and answers.
	Questions string   `json:"questions"`
	Tables    []Table  `json:"tables"`
	Figures   []Figure `json:"-"`
	// Claims are statements of the paper, in words, that have been checked.
	Claims []Claim `json:"claims,omitempty"`
	// Misprints explains where the paper disagrees with its formulas.
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
	// Values are the values of a figure for which the paper prints no numbers.
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
	// Verdict is exact (ours rounds to the printed digits), rounding (within what the printed digits of the inputs
	// leave open, or one unit of the last place) or differs.
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

// Source computes a paper. Long work stops when ctx is done.
type Source struct {
	Name string
	Make func(ctx context.Context) (*Paper, error)
	// Studies: it also uses the embedded studies of Sunwulf.
	Studies bool
}

// compare returns the cell for a printed number and ours; the rounding of printed inputs leaves ours between lo and hi.
func compare(row, column string, printed Printed, ours, lo, hi float64, how How) Cell {
	c := Cell{Row: row, Column: column, Paper: printed.Value, Ours: ours, Deviation: ours, How: how, Verdict: Differs}
	if printed.Value != 0 {
		c.Deviation = ours/printed.Value - 1
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

// compute returns the cell for a formula of printed inputs. Each input may have been rounded by half a unit of its last
// place either way. How far that moves the result is found at the corners of that box, where a formula that is monotone
// in each input has its extremes.
func compute(row, column string, printed Printed, formula func(x []float64) float64, inputs ...Printed) Cell {
	x := each.Of(inputs, func(in Printed) float64 { return in.Value })
	ours := formula(x)
	lo, hi := ours, ours
	for corner := range 1 << len(inputs) {
		for i, in := range inputs {
			x[i] = in.Value - in.Place/2
			if corner>>i&1 == 1 {
				x[i] = in.Value + in.Place/2
			}
		}
		v := formula(x)
		lo, hi = min(lo, v), max(hi, v)
	}
	return compare(row, column, printed, ours, lo, hi, Recomputed)
}

// as marks the cell as one of several readings of the printed one.
func (c *Cell) as(reading string) *Cell {
	c.Reading = reading
	return c
}

// because gives the reason for a difference, if the cell differs.
func (c *Cell) because(note string) {
	if c.Verdict == Differs {
		c.Note = note
	}
}

// check reports values that a table must not contain.
func (t *Table) check() error {
	values := slices.Clone(t.Values)
	values = each.Append(values, t.Cells, func(c Cell) Value { return Value{c.Row, c.Column, c.Ours, c.How} })
	for _, v := range values {
		if math.IsNaN(v.Ours) || math.IsInf(v.Ours, 0) {
			return fmt.Errorf("paper: table %s, row %s, column %s: ours is %v", t.ID, v.Row, v.Column, v.Ours)
		}
	}
	return nil
}

// Tally counts the values of a group of cells by verdict.
type Tally struct {
	Cells, Exact, Rounding, Differ int
	// RMS and Worst are over the relative deviations.
	RMS, Worst float64
}

// Tally counts the cells whose values have one origin; an empty one counts all.
func (t *Table) Tally(how How) Tally {
	return t.tally(func(c Cell) bool { return how == "" || c.How == how })
}

// tally counts the cells that belong to a group.
func (t *Table) tally(of func(Cell) bool) Tally {
	var n Tally
	sum, relative := 0.0, 0.0
	for _, c := range t.Cells {
		if !of(c) {
			continue
		}
		n.Cells++
		switch c.Verdict {
		case Exact:
			n.Exact++
		case Rounding:
			n.Rounding++
		default:
			n.Differ++
		}
		if c.Paper == 0 {
			continue // its deviation is absolute
		}
		relative++
		sum += float64(c.Deviation * c.Deviation)
		n.Worst = max(n.Worst, c.Deviation, -c.Deviation)
	}
	n.RMS = math.Sqrt(sum / max(relative, 1))
	return n
}

// Difference is a reason for differences, with the cells that it explains.
type Difference struct {
	Reason string
	Cells  []Cell
}

// Differences returns the cells that differ and have a note, grouped by reason, in the order
// of the table.
func (t *Table) Differences() []Difference {
	var all []Difference
	for _, c := range t.Cells {
		if c.Note == "" || c.Verdict != Differs {
			continue
		}
		i := slices.IndexFunc(all, func(d Difference) bool { return d.Reason == c.Note })
		if i < 0 {
			i, all = len(all), append(all, Difference{Reason: c.Note})
		}
		all[i].Cells = append(all[i].Cells, c)
	}
	return all
}

// Holding counts the claims that hold.
func (p *Paper) Holding() int {
	n := 0
	for _, c := range p.Claims {
		if c.Holds {
			n++
		}
	}
	return n
}

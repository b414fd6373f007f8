package measurements

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// PointKey identifies a point. Rows of the same point are repetitions.
type PointKey struct {
	System     string
	Processes  int
	Size       float64 // n, or the work where there is no n, or 0
	Sequential bool
}

// Configuration returns the key of the system's number of processes alone.
func (k PointKey) Configuration() PointKey { return PointKey{System: k.System, Processes: k.Processes} }

// Runs are the rows of one point.
type Runs struct {
	PointKey
	Rows []Row
}

// Runs groups the rows of each point, in the order of systems in the file, then of processes and sizes, and checks that
// they agree.
func (t *Table) Runs() ([]Runs, error) {
	g := grouping{
		problems:    problems{file: t.File},
		index:       make(map[PointKey]int),
		repetitions: make(map[repetition]int),
		speeds:      make(map[PointKey]*Row),
	}
	order := make(map[string]int) // of systems
	for i := range t.Rows {
		row := &t.Rows[i]
		if _, ok := order[row.system]; !ok {
			order[row.system] = len(order)
		}
		size := row.Quantity[ColN]
		if !t.has[ColN] {
			size = row.Quantity[ColWork]
		}
		g.add(row, PointKey{row.system, row.processes, size, row.sequential})
		if g.full() {
			break
		}
	}
	slices.SortStableFunc(g.all, func(a, b Runs) int {
		return cmp.Or(
			cmp.Compare(order[a.System], order[b.System]),
			cmp.Compare(a.Processes, b.Processes), cmp.Compare(a.Size, b.Size))
	})
	return g.all, g.err()
}

// repetition is a label within a point.
type repetition struct {
	point PointKey
	label string
}

// grouping is the state of [Table.Runs].
type grouping struct {
	problems
	all         []Runs
	index       map[PointKey]int   // into all
	repetitions map[repetition]int // their lines
	speeds      map[PointKey]*Row  // of configurations: the first row with a marked speed
}

// add adds a row to its point and compares it with earlier rows.
func (g *grouping) add(row *Row, key PointKey) {
	i, ok := g.index[key]
	if !ok {
		i = len(g.all)
		g.index[key] = i
		g.all = append(g.all, Runs{PointKey: key})
	}
	if row.repetition != "" {
		r := repetition{key, row.repetition}
		if line := g.repetitions[r]; line > 0 {
			g.fail(row.line, int(row.at[ColRepetition]), fmt.Sprintf("repetition %s of this point is also in line %d", quoted(row.repetition), line), "another repetition, or another point")
		}
		g.repetitions[r] = row.line
	}
	if rows := g.all[i].Rows; len(rows) > 0 {
		g.agree(row, &rows[0], ColWork, "for the same point")
		g.agree(row, &rows[0], ColPower, "for the same point")
	}
	if !row.sequential && row.Quantity[ColMarkedSpeed] > 0 {
		if first, ok := g.speeds[key.Configuration()]; ok {
			g.agree(row, first, ColMarkedSpeed, "for the same system and number of processes")
		} else {
			g.speeds[key.Configuration()] = row
		}
	}
	g.all[i].Rows = append(g.all[i].Rows, *row)
}

// agree reports a quantity that should be the same in two rows but is not.
func (g *grouping) agree(row, first *Row, c Column, where string) {
	a, b := first.Quantity[c], row.Quantity[c]
	if math.Abs(a-b) > 1e-9*max(a, b) {
		g.fail(row.line, int(row.at[c]), fmt.Sprintf("%s differs from that in line %d %s", columns[c].name, first.line, where), "the same value in both")
	}
}

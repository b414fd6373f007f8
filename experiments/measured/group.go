package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// configuration is a number of processes of a named system.
type configuration struct {
	system    string
	processes int
}

// pointKey tells points apart. Rows of the same point are repetitions.
type pointKey struct {
	configuration
	size       float64
	sequential bool
}

// runs are the rows of one point.
type runs struct {
	key  pointKey
	rows []measurement
}

// groupRuns puts rows of the same point together, in the order of systems in the
// file, then of processes and sizes, and checks that they agree.
func groupRuns(m *Measurements) ([]runs, error) {
	g := grouping{
		problems:    problems{file: m.file},
		index:       make(map[pointKey]int),
		repetitions: make(map[repetition]int),
		speeds:      make(map[configuration]*measurement),
	}
	order := make(map[string]int) // of systems
	for i := range m.Rows {
		row := &m.Rows[i]
		if _, ok := order[row.system]; !ok {
			order[row.system] = len(order)
		}
		size := row.quantity[colN]
		if !m.has[colN] {
			size = row.quantity[colWork]
		}
		g.add(row, pointKey{configuration{row.system, row.processes}, size, row.sequential})
		if g.full() {
			break
		}
	}
	slices.SortStableFunc(g.all, func(a, b runs) int {
		return cmp.Or(
			cmp.Compare(order[a.key.system], order[b.key.system]),
			cmp.Compare(a.key.processes, b.key.processes), cmp.Compare(a.key.size, b.key.size))
	})
	return g.all, g.err()
}

// repetition is a label within a point.
type repetition struct {
	point pointKey
	label string
}

// grouping is the work of groupRuns.
type grouping struct {
	problems
	all         []runs
	index       map[pointKey]int               // into all
	repetitions map[repetition]int             // their lines
	speeds      map[configuration]*measurement // first row with a marked speed
}

// add adds a row to its point and compares it with those before it.
func (g *grouping) add(row *measurement, key pointKey) {
	i, ok := g.index[key]
	if !ok {
		i = len(g.all)
		g.index[key] = i
		g.all = append(g.all, runs{key: key})
	}
	if row.repetition != "" {
		r := repetition{key, row.repetition}
		if line := g.repetitions[r]; line > 0 {
			g.fail(row.line, int(row.at[colRepetition]), fmt.Sprintf("repetition %s of this point is also in line %d", quoted(row.repetition), line), "another repetition, or another point")
		}
		g.repetitions[r] = row.line
	}
	if rows := g.all[i].rows; len(rows) > 0 {
		g.agree(row, &rows[0], colWork, "for the same point")
		g.agree(row, &rows[0], colPower, "for the same point")
	}
	if !row.sequential && row.quantity[colMarkedSpeed] > 0 {
		if first, ok := g.speeds[key.configuration]; ok {
			g.agree(row, first, colMarkedSpeed, "for the same system and number of processes")
		} else {
			g.speeds[key.configuration] = row
		}
	}
	g.all[i].rows = append(g.all[i].rows, *row)
}

// agree reports a quantity that should be the same in two rows and is not.
func (g *grouping) agree(row, first *measurement, c column, where string) {
	a, b := first.quantity[c], row.quantity[c]
	if math.Abs(a-b) > 1e-9*max(a, b) {
		g.fail(row.line, int(row.at[c]), fmt.Sprintf("%s differs from that in line %d %s", columns[c].name, first.line, where), "the same value in both")
	}
}

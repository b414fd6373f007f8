package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Condition is one condition that excludes points.
type Condition struct {
	Text    string
	Removes int // points that it removes by itself, repetitions included
}

// exclude reads the conditions and finds the combinations that they leave.
//
// A condition sees only the factors that it names, so it is computed once for
// every combination of those, into a table. With r1 + r2 > 12 of ten levels each
// these are 100 evaluations however many points the design has.
func (s *Design) exclude(r *reader, n *yamldoc.Node) {
	nodes := r.Sequence(n, "conditions")
	if len(nodes) == 0 {
		return
	}
	if len(nodes) > r.limits.conditions {
		r.Fail(n, fmt.Sprintf("there are %d conditions", len(nodes)), fmt.Sprintf("at most %d", r.limits.conditions))
		return
	}
	before := r.problems()
	language := newLanguage(s.Factors)
	conditions := make([]*condition, len(nodes))
	for i, node := range nodes {
		conditions[i] = r.compile(language, node)
	}
	if r.problems() > before {
		return
	}
	evaluations := 0
	for _, c := range conditions {
		evaluations += s.table(c.factors).size
	}
	if evaluations > r.limits.evaluations {
		r.Fail(n, fmt.Sprintf("the conditions have to be computed %d times, for all combinations of the factors that they name", evaluations),
			fmt.Sprintf("at most %d", r.limits.evaluations))
		return
	}
	var tables []*table
	for _, c := range conditions {
		t := s.table(c.factors)
		t.excluded = newSelection(t.size)
		if err := c.fill(s, t); err != nil {
			r.Fail(c.node, fmt.Sprintf("the condition cannot be computed %v", err), "a condition that has a value everywhere")
			continue
		}
		removed := t.excluded.len() * (s.product / t.size) * s.Repetitions
		s.Conditions = append(s.Conditions, Condition{Text: c.node.Text(), Removes: removed})
		if removed == 0 {
			s.Warnings = append(s.Warnings, s.idle(c))
		}
		tables = merge(tables, t)
	}
	if r.problems() > before {
		return
	}
	if lookups := len(tables) * s.product; lookups > r.limits.lookups {
		r.Fail(n, fmt.Sprintf("%d conditions on different factors for %d combinations of levels", len(tables), s.product),
			fmt.Sprintf("a product of at most %d", r.limits.lookups))
		return
	}
	s.allowed = s.allow(tables)
	if s.allowed.total == 0 {
		r.Fail(n, s.nothingLeft(), "conditions that leave a point")
	}
}

// nothingLeft says what each condition removes.
func (s *Design) nothingLeft() string {
	const shown = 20
	var parts []string
	for _, c := range s.Conditions[:min(len(s.Conditions), shown)] {
		parts = append(parts, fmt.Sprintf("%q alone removes %d", yamldoc.Clip(c.Text), c.Removes))
	}
	if more := len(s.Conditions) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more conditions", more))
	}
	return fmt.Sprintf("the conditions leave none of %s: %s", count(s.product*s.Repetitions, "point"), strings.Join(parts, ", "))
}

// table says for the combinations of some axes which are excluded.
type table struct {
	axes     []int // increasing; the last varies fastest
	size     int
	excluded *selection
}

// table returns the table, still without bits, for a condition on some factors.
func (s *Design) table(factors []int) *table {
	t := &table{size: 1}
	for i, a := range s.axes {
		if slices.ContainsFunc(a.factors, func(f int) bool { return slices.Contains(factors, f) }) {
			t.axes = append(t.axes, i)
			t.size *= a.size
		}
	}
	return t
}

// merge adds a table to a list with one table for any set of axes.
func merge(tables []*table, t *table) []*table {
	for _, old := range tables {
		if slices.Equal(old.axes, t.axes) {
			for i, word := range t.excluded.bits {
				old.excluded.bits[i] |= word
			}
			return tables
		}
	}
	return append(tables, t)
}

// allow combines the tables: it walks the tree of combinations, axis after axis,
// asks each table as soon as all its axes are fixed, and leaves out a branch
// that is excluded.
func (s *Design) allow(tables []*table) *selection {
	w := walker{axes: s.axes, below: make([]int, len(s.axes)), tables: make([][]*table, len(s.axes)),
		at: make([]int, len(s.axes)), allowed: newSelection(s.product)}
	below := 1
	for a := len(s.axes) - 1; a >= 0; a-- {
		w.below[a] = below
		below *= s.axes[a].size
	}
	none := false
	for _, t := range tables {
		if len(t.axes) == 0 {
			none = none || t.excluded.has(0)
			continue
		}
		last := t.axes[len(t.axes)-1]
		w.tables[last] = append(w.tables[last], t)
		w.deepest = max(w.deepest, last)
	}
	if !none {
		w.walk(0, 0)
	}
	w.allowed.index()
	return w.allowed
}

type walker struct {
	axes    []axis
	below   []int      // combinations of all axes after this one
	tables  [][]*table // by the last of their axes
	deepest int        // the last axis with a table
	at      []int      // place on every axis that is fixed
	allowed *selection
}

// walk fixes axis a and those after it; first is the index of the first
// combination in the branch.
func (w *walker) walk(a, first int) {
	bases := make([]int, len(w.tables[a]))
	for i, t := range w.tables[a] {
		for _, b := range t.axes {
			bases[i] *= w.axes[b].size
			if b < a {
				bases[i] += w.at[b]
			}
		}
	}
next:
	for v := range w.axes[a].size {
		for i, t := range w.tables[a] {
			if t.excluded.has(bases[i] + v) {
				continue next
			}
		}
		branch := first + v*w.below[a]
		if a == w.deepest {
			w.allowed.setRange(branch, w.below[a])
			continue
		}
		w.at[a] = v
		w.walk(a+1, branch)
	}
}

package studytable

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// A Table is a study: the configurations that were evaluated and their responses.
// No method changes it.
type Table struct {
	Factors   []Factor
	Responses []Response
	Rows      []Row // in any order
}

// A Factor is a quantity or choice that was varied.
type Factor struct {
	Name, Unit string
	Levels     []Level // in the order of the plan
}

// A Level is a value of a factor.
type Level struct {
	Text    string  // as in the plan
	Value   float64 // in the unit of the factor; meaningless unless Numeric
	Numeric bool
}

// A Response is a result that was recorded for each row.
type Response struct {
	Name, Unit string
}

// A Row is one evaluation of one configuration.
type Row struct {
	Point  int       // number in the plan; only carried along
	Levels []int     // for each factor, an index into its Levels; equal ones are repetitions
	Values []float64 // for each response; NaN, or infinite: it failed
}

// Goal is whether small or large values of a response are better.
type Goal int

const (
	Maximize Goal = iota // large values are better
	Minimize             // small values are
)

func (g Goal) String() string {
	if g == Minimize {
		return "minimize"
	}
	return "maximize"
}

// Better reports whether a is better than b by more than rounding errors, a relative
// 1e-12.
func (g Goal) Better(a, b float64) bool {
	if g == Minimize {
		a, b = -a, -b
	}
	return a-b > 1e-12*max(math.Abs(a), math.Abs(b))
}

// Gain returns by how much b is better than a: negative for a loss.
func (g Goal) Gain(a, b float64) float64 {
	if g == Minimize {
		return a - b
	}
	return b - a
}

// AllFailedError reports that no row has a finite value of the response.
type AllFailedError struct {
	Response string
	Rows     int
}

func (e *AllFailedError) Error() string {
	if e.Rows == 0 {
		return "analysis: the table has no rows; expected at least one"
	}
	return fmt.Sprintf("analysis: all %d rows failed: none has a finite value of %s", e.Rows, e.Response)
}

// validate returns every kind of disagreement in the table: repeated or empty
// names, levels out of range, rows of another length. [Table.Gather] calls it.
func (t *Table) validate() error {
	var errs []error
	report := func(format string, args ...any) { errs = append(errs, fmt.Errorf("analysis: "+format, args...)) }
	names := make(map[string]bool)
	name := func(kind string, i int, s string) {
		switch {
		case s == "":
			report("%s %d has no name", kind, i)
		case names[s]:
			report("the name %q of %s %d is already taken; expected names of factors and responses to differ", s, kind, i)
		}
		names[s] = true
	}
	for i, f := range t.Factors {
		name("factor", i, f.Name)
		for k, l := range f.Levels {
			if l.Numeric && (math.IsNaN(l.Value) || math.IsInf(l.Value, 0)) {
				report("level %d of factor %s is %g; expected a finite number", k, f.Name, l.Value)
			}
		}
	}
	for i, r := range t.Responses {
		name("response", i, r.Name)
	}
	for i, r := range t.Rows {
		if len(errs) > 20 {
			report("and more")
			break
		}
		if len(r.Levels) != len(t.Factors) || len(r.Values) != len(t.Responses) {
			report("row %d has %d levels and %d values; expected %d and %d", i, len(r.Levels), len(r.Values), len(t.Factors), len(t.Responses))
			continue
		}
		for k, l := range r.Levels {
			if l < 0 || l >= len(t.Factors[k].Levels) {
				report("row %d has level %d of factor %s; expected 0 to %d", i, l, t.Factors[k].Name, len(t.Factors[k].Levels)-1)
			}
		}
	}
	return errors.Join(errs...)
}

// FactorIndex returns the index of a factor. The error lists the known factors.
func (t *Table) FactorIndex(name string) (int, error) {
	return named("factor", name, t.Factors, func(f Factor) string { return f.Name })
}

// ResponseIndex returns the index of a response. The error lists the known
// responses.
func (t *Table) ResponseIndex(name string) (int, error) {
	return named("response", name, t.Responses, func(r Response) string { return r.Name })
}

// named returns the index of the one of a kind that has a name.
func named[T any](kind, name string, all []T, nameOf func(T) string) (int, error) {
	var known []string
	for i, x := range all {
		if nameOf(x) == name {
			return i, nil
		}
		known = append(known, nameOf(x))
	}
	return 0, fmt.Errorf("analysis: no %s %q; expected one of %s", kind, name, strings.Join(known, ", "))
}

// Fix returns a table of the rows in which a factor has a level, given by its
// index. It shares factors, levels and rows with the table.
func (t *Table) Fix(factor string, level int) (*Table, error) {
	k, err := t.FactorIndex(factor)
	if err != nil {
		return nil, err
	}
	if level < 0 || level >= len(t.Factors[k].Levels) {
		return nil, fmt.Errorf("analysis: factor %s has no level %d; expected 0 to %d", factor, level, len(t.Factors[k].Levels)-1)
	}
	fixed := &Table{Factors: t.Factors, Responses: t.Responses}
	for _, r := range t.Rows {
		if k < len(r.Levels) && r.Levels[k] == level {
			fixed.Rows = append(fixed.Rows, r)
		}
	}
	return fixed, nil
}

// Describe returns a configuration in words, such as "r1 = 3, network = flow".
// Factors whose index is -1 are left out.
func (t *Table) Describe(levels []int) string {
	var parts []string
	for k, l := range levels {
		if l < 0 {
			continue
		}
		f := t.Factors[k]
		parts = append(parts, f.Name+" = "+f.Levels[l].Label(f.Unit))
	}
	return strings.Join(parts, ", ")
}

// Label returns the level with its unit, unless its text ends with that.
func (l Level) Label(unit string) string {
	if unit == "" || strings.HasSuffix(l.Text, unit) {
		return l.Text
	}
	return l.Text + " " + unit
}

// Numeric reports whether all levels of a factor are numbers.
func (f *Factor) Numeric() bool {
	return !slices.ContainsFunc(f.Levels, func(l Level) bool { return !l.Numeric })
}

// Order returns the levels from the lowest to the highest: by value if all are
// numbers, else as in the plan.
func (f *Factor) Order() []int {
	order := make([]int, len(f.Levels))
	for i := range order {
		order[i] = i
	}
	if f.Numeric() {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.Levels[a].Value, f.Levels[b].Value) })
	}
	return order
}

// Ranks returns for each level its place in order.
func (f *Factor) Ranks() []int {
	ranks := make([]int, len(f.Levels))
	for place, l := range f.Order() {
		ranks[l] = place
	}
	return ranks
}

// A Cell is a configuration with the mean over its repetitions.
type Cell struct {
	Levels []int // of a row; not to be changed
	Mean   float64
	Rows   int
	Within float64 // sum of squares around the mean
	Other  float64 // mean of a second response, NaN if none was asked for
}

// Cells are the configurations of a table that did not fail, in ascending order of
// their levels: nothing depends on the order of rows.
type Cells struct {
	Table    *Table
	Response string
	List     []Cell
}

// Gather validates the table and averages over repetitions. A second response,
// if not -1, is averaged over the same rows.
func (t *Table) Gather(response string, second int) (*Cells, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	y, err := t.ResponseIndex(response)
	if err != nil {
		return nil, err
	}
	var rows []int
	for i, r := range t.Rows {
		if Finite(r.Values[y]) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, &AllFailedError{response, len(t.Rows)}
	}
	c := &Cells{Table: t, Response: response}
	t.SortByLevels(rows, func(i int) []int { return t.Rows[i].Levels }, -1)
	for i := 0; i < len(rows); {
		levels := t.Rows[rows[i]].Levels
		var values, others []float64
		for ; i < len(rows) && slices.Equal(t.Rows[rows[i]].Levels, levels); i++ {
			r := t.Rows[rows[i]]
			values = append(values, r.Values[y])
			if second >= 0 && Finite(r.Values[second]) {
				others = append(others, r.Values[second])
			}
		}
		next := Cell{Levels: levels, Rows: len(values), Other: math.NaN()}
		next.Mean, next.Within = meanAndSpread(values)
		if len(others) > 0 {
			next.Other, _ = meanAndSpread(others)
		}
		c.List = append(c.List, next)
	}
	return c, nil
}

// meanAndSpread sorts the values: a sum must not depend on the order of rows.
func meanAndSpread(values []float64) (mean, squares float64) {
	if len(values) == 1 {
		return values[0], 0
	}
	slices.Sort(values)
	mean = stat.Mean(values, nil)
	if values[0] == values[len(values)-1] {
		return values[0], 0
	}
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, squares
}

// Finite reports whether v is neither NaN nor infinite: a response that did not fail.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// SortByLevels sorts items by their levels, those of one factor last if last is
// not -1.
func (t *Table) SortByLevels(items []int, levels func(item int) []int, last int) {
	key, ok := t.keys(last)
	if !ok {
		slices.SortFunc(items, func(a, b int) int {
			x, y := levels(a), levels(b)
			for k := range x {
				if k != last && x[k] != y[k] {
					return cmp.Compare(x[k], y[k])
				}
			}
			if last >= 0 && x[last] != y[last] {
				return cmp.Compare(x[last], y[last])
			}
			return cmp.Compare(a, b)
		})
		return
	}
	type keyed struct {
		key  uint64
		item int
	}
	sorted := make([]keyed, len(items))
	for i, item := range items {
		sorted[i] = keyed{key(levels(item)), item}
	}
	slices.SortFunc(sorted, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.item, b.item)) })
	for i := range sorted {
		items[i] = sorted[i].item
	}
}

// keys returns a function that numbers configurations in the order of their
// levels, unless there are too many for 64 bits.
func (t *Table) keys(last int) (key func(levels []int) uint64, ok bool) {
	product := 1.0
	for _, f := range t.Factors {
		product *= float64(len(f.Levels))
	}
	if product >= 1<<62 {
		return nil, false
	}
	return func(levels []int) uint64 {
		var n uint64
		for k, l := range levels {
			if k != last {
				n = n*uint64(len(t.Factors[k].Levels)) + uint64(l)
			}
		}
		if last >= 0 {
			n = n*uint64(len(t.Factors[last].Levels)) + uint64(levels[last])
		}
		return n
	}, true
}

// Find returns the number of the configuration with these levels, or -1.
func (c *Cells) Find(levels []int) int {
	i, ok := slices.BinarySearchFunc(c.List, levels, func(a Cell, levels []int) int { return slices.Compare(a.Levels, levels) })
	if !ok {
		return -1
	}
	return i
}

// StdErr returns the standard error of the mean over repetitions.
func (a *Cell) StdErr() float64 {
	if a.Rows < 2 {
		return math.NaN()
	}
	n := float64(a.Rows)
	return math.Sqrt(a.Within / (n - 1) / n)
}

// Alike reports whether two configurations are equally good, or differ by at most
// two standard errors of the difference.
func (g Goal) Alike(a, b *Cell) bool {
	if !g.Better(a.Mean, b.Mean) && !g.Better(b.Mean, a.Mean) {
		return true
	}
	return math.Abs(a.Mean-b.Mean) <= 2*math.Hypot(a.StdErr(), b.StdErr())
}

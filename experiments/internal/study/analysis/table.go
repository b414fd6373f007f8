package analysis

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/isoscale/isoscale/internal/each"
)

// A Table is a study: the configurations that were evaluated and their responses.
// No method changes it, except that it keeps axes which were asked for.
type Table struct {
	Factors   []Factor
	Responses []Response
	Rows      []Row // in any order

	axes axes
}

// axes are the axes of factors that were asked for.
type axes struct {
	sync.Mutex
	of map[int]*Axis
}

// A Factor is a quantity or choice that was varied. That of package design knows the fields of a plan that its levels
// set, and computes levels on demand; a table has all of them, and need not have a plan.
type Factor struct {
	Name, Unit string
	Numeric    bool    // all levels are numbers
	Levels     []Level // in the order of the plan
}

// A Level is a value of a factor.
type Level struct {
	Text  string  // as in the plan
	Value float64 // in the unit of a numeric factor
}

// A Response is a result that was recorded for each row.
type Response struct {
	Name, Unit string
}

// A Row is one evaluation of one configuration.
type Row struct {
	Point      int       // number in the plan; only carried along
	Repetition int       // repetitions with equal numbers are compared with each other
	Levels     []int     // for each factor, an index into its Levels; equal ones are repetitions
	Values     []float64 // for each response; NaN or infinite if it failed
	Infeasible bool      // the machine cannot run it, so it has no values
}

// Goal is whether small or large values of a response are better.
type Goal int

const (
	Maximize Goal = iota // large values are better
	Minimize             // small values are
)

// Better reports whether a is better than b by more than rounding errors, a relative
// 1e-12.
func (g Goal) Better(a, b float64) bool {
	return g.Gain(b, a) > 1e-12*max(math.Abs(a), math.Abs(b))
}

// Gain returns by how much b is better than a: negative for a loss.
func (g Goal) Gain(a, b float64) float64 {
	if g == Minimize {
		return a - b
	}
	return b - a
}

// A Number may not exist: then it is NaN or infinite, and null in JSON.
type Number float64

// Exists reports whether there is a number.
func (x Number) Exists() bool { return Finite(float64(x)) }

// IsZero reports whether JSON leaves the number out, under omitzero.
func (x Number) IsZero() bool { return !x.Exists() }

func (x Number) MarshalJSON() ([]byte, error) {
	if !x.Exists() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// Text writes the number, scaled, or otherwise if it does not exist.
func (x Number) Text(format string, scale float64, otherwise string) string {
	if !x.Exists() {
		return otherwise
	}
	return fmt.Sprintf(format, scale*float64(x))
}

// Levels returns the texts of some levels by factor, without those that are -1.
func (t *Table) Levels(at []int) map[string]string {
	levels := map[string]string{}
	for k, l := range at {
		if f := &t.Factors[k]; l >= 0 {
			levels[f.Name] = f.Text(l)
		}
	}
	return levels
}

// allFailed returns the error that no row has a finite value of a response.
func (t *Table) allFailed(response string) error {
	return fmt.Errorf("analysis: all %d rows failed: none has a finite value of %s", len(t.Rows), response)
}

// FactorIndex returns the index of a factor. The error lists the known factors.
func (t *Table) FactorIndex(name string) (int, error) {
	return named("factor", name, t.Factors, func(f Factor) string { return f.Name })
}

// ResponseIndex returns the index of a response. The error lists the known responses.
func (t *Table) ResponseIndex(name string) (int, error) {
	return named("response", name, t.Responses, func(r Response) string { return r.Name })
}

// InfeasibleLevels are the levels of a factor at which every row is infeasible.
func (t *Table) InfeasibleLevels(factor string) []string {
	k, err := t.FactorIndex(factor)
	if err != nil {
		return nil
	}
	f := &t.Factors[k]
	rows, infeasible := make([]int, len(f.Levels)), make([]int, len(f.Levels))
	for _, row := range t.Rows {
		rows[row.Levels[k]]++
		if row.Infeasible {
			infeasible[row.Levels[k]]++
		}
	}
	var texts []string
	for _, l := range f.Order() {
		if n := rows[l]; n > 0 && infeasible[l] == n {
			texts = append(texts, f.Text(l))
		}
	}
	return texts
}

// named returns the index of the element with a name.
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

// Text returns a level of the factor with its unit.
func (f *Factor) Text(level int) string {
	if f.Unit == "" {
		return f.Levels[level].Text
	}
	return f.Levels[level].Text + " " + f.Unit
}

// Order returns the levels from the lowest to the highest: by value if all are
// numbers, else as in the plan.
func (f *Factor) Order() []int {
	order := each.Ascending(len(f.Levels))
	if f.Numeric {
		// Fast if they are in order, as nearly always.
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(f.Levels[a].Value, f.Levels[b].Value), a-b)
		})
	}
	return order
}

// Positions are the places of the levels along the axis of a numeric factor, from 0 for
// the smallest to 1 for the largest: their values, or the logarithms where the levels
// are spaced by ratio. A factor without differences has zeros.
func (f *Factor) Positions() []float64 {
	values := each.Of(f.Levels, func(l Level) float64 { return l.Value })
	if spacedByRatio(slices.Sorted(slices.Values(values))) {
		for i, v := range values {
			values[i] = math.Log(v)
		}
	}
	low, high := slices.Min(values), slices.Max(values)
	for i, v := range values {
		if values[i] = 0; low < high {
			values[i] = (v - low) / (high - low)
		}
	}
	return values
}

// spacedByRatio reports whether ascending values are spaced by equal ratios rather than equal distances: whether
// logarithms or the values themselves are better correlated with their indices. Unlike the ratio of the last to the
// first, that does not depend on the smallest value alone. Values of 0 or below have no ratios. Two values fit both;
// then the answer is equal distances.
func spacedByRatio(values []float64) bool {
	if values[0] <= 0 {
		return false
	}
	places, scaled, logs := make([]float64, len(values)), make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		places[i], scaled[i], logs[i] = float64(i), v/values[len(values)-1], math.Log(v)
	}
	return stat.Correlation(places, logs, nil) > stat.Correlation(places, scaled, nil)+1e-9
}

// Finite reports whether v is neither NaN nor infinite: a response that did not fail.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

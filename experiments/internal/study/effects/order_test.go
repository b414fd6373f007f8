package effects

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
	"pgregory.net/rapid"
)

// No answer depends on the order of the rows, to the last bit.
func TestOrderOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0.1, 10), rapid.Just(math.NaN()), rapid.Just(1.0))
		table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("p", 4, 1, 2, 8, 16), studytabletest.Numbers("b", 1, 2, 3), studytabletest.Words("c", "u", "v")}, 2,
			func([]float64, int) float64 { return value.Draw(t, "y") })
		table.Rows[0].Values[0] = 1 // not all fail
		permuted := *table
		permuted.Rows = rapid.Permutation(table.Rows).Draw(t, "order")
		if a, b := answers(table), answers(&permuted); a != b {
			t.Fatalf("%s\nin another order: %s", a, b)
		}
	})
}

// answers shows all that is said of a table.
func answers(t *studytable.Table) string {
	e, errE := Of(t, "y", true)
	s, errS := Sensitivity(t, "y")
	return fmt.Sprintf("%+v %v\n%+v %v", e, errE, s, errS)
}

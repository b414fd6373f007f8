package analysis

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
			func([]float64, int) float64 { return value.Draw(t, "y") },
			func(x []float64, _ int) float64 { return x[0] * x[1] })
		table.Rows[0].Values[0] = 1 // not all fail
		permuted := *table
		permuted.Rows = rapid.Permutation(table.Rows).Draw(t, "order")
		for name, ask := range map[string]func(*studytable.Table) (any, error){
			"Best":  func(t *studytable.Table) (any, error) { return pointed(Best(t, "y", studytable.Minimize, "size")) },
			"UpTo":  func(t *studytable.Table) (any, error) { return pointed(UpTo(t, "y", studytable.Minimize, "size")) },
			"Spend": func(t *studytable.Table) (any, error) { return pointed(Spend(t, "y", studytable.Maximize, "size")) },
			"Ascend": func(t *studytable.Table) (any, error) {
				return pointed(Ascend(t, "y", studytable.Maximize, "size", &Growth{}))
			},
			"NewGrid": func(t *studytable.Table) (any, error) {
				return pointed(NewGrid(t, "y", GridOptions{X: "b", Y: "p", At: []int{0, 0, 1}}))
			},
		} {
			a, errA := ask(table)
			b, errB := ask(&permuted)
			if x, y := fmt.Sprintf("%+v %v", a, errA), fmt.Sprintf("%+v %v", b, errB); x != y {
				t.Fatalf("%s: %s\nin another order: %s", name, x, y)
			}
		}
	})
}

func pointed[T any](p *T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return *p, nil
}

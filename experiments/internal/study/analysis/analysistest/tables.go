package analysistest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
)

// Tester is a test, of this module's properties too.
type Tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Numbers returns a numeric factor.
func Numbers(name string, values ...float64) analysis.Factor {
	f := analysis.Factor{Name: name}
	for _, v := range values {
		f.Levels = append(f.Levels, analysis.Level{Text: strconv.FormatFloat(v, 'g', -1, 64), Value: v, Numeric: true})
	}
	return f
}

// Words returns a factor of words.
func Words(name string, texts ...string) analysis.Factor {
	f := analysis.Factor{Name: name}
	for _, s := range texts {
		f.Levels = append(f.Levels, analysis.Level{Text: s})
	}
	return f
}

// ValuesOf returns those of the levels.
func ValuesOf(t *analysis.Table, levels []int) []float64 {
	var x []float64
	for k, l := range levels {
		x = append(x, t.Factors[k].Levels[l].Value)
	}
	return x
}

// Factorial returns a full factorial with one response y of the values of the
// factors, or of the indices of levels that are not numbers, and further responses.
func Factorial(factors []analysis.Factor, repetitions int, responses ...func(x []float64, repetition int) float64) *analysis.Table {
	t := &analysis.Table{Factors: factors}
	for i := range responses {
		t.Responses = append(t.Responses, analysis.Response{Name: []string{"y", "size", "cost"}[i]})
	}
	levels := make([]int, len(factors))
	for {
		x := ValuesOf(t, levels)
		for k, f := range factors {
			if !f.Numeric() {
				x[k] = float64(levels[k])
			}
		}
		for r := range repetitions {
			row := analysis.Row{Point: len(t.Rows), Levels: append([]int(nil), levels...)}
			for _, f := range responses {
				row.Values = append(row.Values, f(x, r))
			}
			t.Rows = append(t.Rows, row)
		}
		k := len(levels) - 1
		for ; k >= 0; k-- {
			if levels[k]++; levels[k] < len(factors[k].Levels) {
				break
			}
			levels[k] = 0
		}
		if k < 0 {
			return t
		}
	}
}

// Listed returns a response that takes its values from a list, in the order of rows.
// Listed returns the values of the rows of a table, one after the other.
func Listed(values ...float64) func([]float64, int) float64 {
	i := -1
	return func([]float64, int) float64 { i++; return values[i] }
}

// CloseTo fails a test in which a number is not what was wanted, by a relative 1e-9.
func CloseTo(t Tester, name string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// Linspace returns n numbers from a to b at equal distances.
func Linspace(a, b float64, n int) []float64 {
	var x []float64
	for i := range n {
		x = append(x, a+(b-a)*float64(i)/float64(n-1))
	}
	return x
}

// LatinHypercube returns n points, in each factor one at each of n levels.
func LatinHypercube(n, factors int, f func(x []float64) float64) *analysis.Table {
	rng := rand.New(rand.NewPCG(7, 8))
	t := &analysis.Table{Responses: []analysis.Response{{Name: "y"}}, Rows: make([]analysis.Row, n)}
	for k := range factors {
		t.Factors = append(t.Factors, Numbers(string(rune('a'+k)), Linspace(1, 2, n)...))
		for i, l := range rng.Perm(n) {
			t.Rows[i].Levels = append(t.Rows[i].Levels, l)
		}
	}
	for i := range t.Rows {
		t.Rows[i].Values = []float64{f(ValuesOf(t, t.Rows[i].Levels))}
	}
	return t
}

// Related returns the rows of three factors with values 0 to 4, or powers of two of
// these, that a condition admits.
func Related(powers bool, admits func(a, b, c int) bool) *analysis.Table {
	t := &analysis.Table{Responses: []analysis.Response{{Name: "y"}}}
	for _, name := range []string{"a", "b", "c"} {
		f := analysis.Factor{Name: name}
		for v := range 5 {
			x := float64(v)
			if powers {
				x = float64(int(1) << v)
			}
			f.Levels = append(f.Levels, analysis.Level{Text: fmt.Sprint(x), Value: x, Numeric: true})
		}
		t.Factors = append(t.Factors, f)
	}
	for a := range 5 {
		for b := range 5 {
			for c := range 5 {
				if admits(a, b, c) {
					t.Rows = append(t.Rows, analysis.Row{Levels: []int{a, b, c}, Values: []float64{float64(a)}})
				}
			}
		}
	}
	return t
}

package analysistest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/internal/each"
)

// Numbers returns a numeric factor.
func Numbers(name string, values ...float64) analysis.Factor {
	f := analysis.Factor{Name: name, Numeric: true}
	for _, v := range values {
		f.Levels = append(f.Levels, analysis.Level{Text: strconv.FormatFloat(v, 'g', -1, 64), Value: v})
	}
	return f
}

// Words returns a factor of words.
func Words(name string, texts ...string) analysis.Factor {
	f := analysis.Factor{Name: name}
	f.Levels = each.Append(f.Levels, texts, func(s string) analysis.Level { return analysis.Level{Text: s} })
	return f
}

// Factorial returns a full factorial. Its responses y, size and cost, as far as given, are functions of the factors'
// values, or of the indices of levels that are not numbers.
func Factorial(factors []analysis.Factor, repetitions int, responses ...func(x []float64, repetition int) float64) *analysis.Table {
	t := &analysis.Table{Factors: factors}
	combinations := 1
	for _, f := range factors {
		combinations *= len(f.Levels)
	}
	for i := range responses {
		t.Responses = append(t.Responses, analysis.Response{Name: []string{"y", "size", "cost"}[i]})
	}
	for n := range combinations * repetitions {
		row := analysis.Row{Point: n, Repetition: n%repetitions + 1, Levels: make([]int, len(factors))}
		x := make([]float64, len(factors))
		rest := n / repetitions
		for k, f := range slices.Backward(factors) {
			row.Levels[k], rest = rest%len(f.Levels), rest/len(f.Levels)
			if x[k] = float64(row.Levels[k]); f.Numeric {
				x[k] = f.Levels[row.Levels[k]].Value
			}
		}
		for _, f := range responses {
			row.Values = append(row.Values, f(x, n%repetitions))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Where returns the rows of a table that a condition admits.
func Where(t *analysis.Table, admits func(levels []int) bool) *analysis.Table {
	t.Rows = slices.DeleteFunc(t.Rows, func(r analysis.Row) bool { return !admits(r.Levels) })
	return t
}

// Listed returns a response that takes these values row by row.
func Listed(values ...float64) func([]float64, int) float64 {
	i := -1
	return func([]float64, int) float64 { i++; return values[i] }
}

// Linspace returns n numbers from a to b at equal distances.
func Linspace(a, b float64, n int) []float64 {
	var x []float64
	for i := range n {
		x = append(x, a+(b-a)*float64(i)/float64(n-1))
	}
	return x
}

// LatinHypercube has random rows between two values of each factor, one in each stratum.
func LatinHypercube(names []string, low, high float64, rows int, seed uint64, y func(x []float64, r *rand.Rand) float64) *analysis.Table {
	r := rand.New(rand.NewPCG(seed, 1))
	t := &analysis.Table{Responses: []analysis.Response{{Name: "y"}}}
	for _, name := range names {
		f := analysis.Factor{Name: name, Numeric: true}
		order := r.Perm(rows)
		for i := range rows {
			v := low + (high-low)*(float64(order[i])+r.Float64())/float64(rows)
			f.Levels = append(f.Levels, analysis.Level{Text: "v", Value: v})
		}
		t.Factors = append(t.Factors, f)
	}
	for i := range rows {
		row := analysis.Row{Point: i}
		var x []float64
		for _, f := range t.Factors {
			row.Levels, x = append(row.Levels, i), append(x, f.Levels[i].Value)
		}
		row.Values = []float64{y(x, r)}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Benchmark asks questions of two tables of 100 000 rows, a full factorial and a Latin
// hypercube of 12 factors.
func Benchmark(b *testing.B, questions map[string]func(*analysis.Cells)) {
	y := func(x []float64, r *rand.Rand) float64 { return x[0]*x[1] + x[2] + x[4]*r.Float64() }
	rng, ten := rand.New(rand.NewPCG(11, 12)), Linspace(1, 10, 10)
	for name, t := range map[string]*analysis.Table{
		"factorial": Factorial([]analysis.Factor{
			Numbers("a", ten...), Numbers("b", ten...), Numbers("c", ten...),
			Numbers("d", ten...), Words("e", "u", "v", "w", "x", "y"), Numbers("f", 1, 2),
		}, 1, func(x []float64, _ int) float64 { return y(x, rng) }),
		"hypercube": LatinHypercube([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}, -1, 1, 100_000, 7, y),
	} {
		for question, ask := range questions {
			b.Run(name+"/"+question, func(b *testing.B) {
				for b.Loop() {
					c, err := t.Gather("y", analysis.Maximize)
					if err == nil {
						c, err = c.By("a")
					}
					if err != nil {
						b.Fatal(err)
					}
					ask(c)
				}
			})
		}
	}
}

package analysistest

import (
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
)

// Benchmark asks questions of two tables of 100 000 rows, a full factorial and a Latin
// hypercube.
func Benchmark(b *testing.B, questions map[string]func(*analysis.Table) error) {
	rng := rand.New(rand.NewPCG(11, 12))
	tables := map[string]*analysis.Table{
		"factorial": Factorial([]analysis.Factor{
			Numbers("a", Linspace(1, 10, 10)...), Numbers("b", Linspace(1, 10, 10)...), Numbers("c", Linspace(1, 10, 10)...),
			Numbers("d", Linspace(1, 10, 10)...), Words("e", "u", "v", "w", "x", "y"), Numbers("f", 1, 2),
		}, 1, func(x []float64, _ int) float64 { return x[0]*x[1] + x[2] + x[4]*rng.Float64() }),
		"hypercube": LatinHypercube(100_000, 12, func(x []float64) float64 { return x[0]*x[1] + x[2] + x[4]*rng.Float64() }),
	}
	for table, t := range tables {
		for question, ask := range questions {
			b.Run(table+"/"+question, func(b *testing.B) {
				for b.Loop() {
					if err := ask(t); err != nil {
						b.Fatal(err)
					}
				}
				if len(t.Rows) < 100_000 {
					b.Fatalf("%d rows", len(t.Rows))
				}
			})
		}
	}
}

package effects

import (
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/studytable"
	"github.com/isoscale/isoscale/experiments/internal/studytable/studytabletest"
)

// BenchmarkEffects asks every question of a table of 100 000 rows.
func BenchmarkEffects(b *testing.B) {
	rng := rand.New(rand.NewPCG(11, 12))
	tables := map[string]*studytable.Table{
		"factorial": studytabletest.Factorial([]studytable.Factor{
			studytabletest.Numbers("a", studytabletest.Linspace(1, 10, 10)...), studytabletest.Numbers("b", studytabletest.Linspace(1, 10, 10)...), studytabletest.Numbers("c", studytabletest.Linspace(1, 10, 10)...),
			studytabletest.Numbers("d", studytabletest.Linspace(1, 10, 10)...), studytabletest.Words("e", "u", "v", "w", "x", "y"), studytabletest.Numbers("f", 1, 2),
		}, 1, func(x []float64, _ int) float64 { return x[0]*x[1] + x[2] + x[4]*rng.Float64() }),
		"hypercube": studytabletest.LatinHypercube(100_000, 12, func(x []float64) float64 { return x[0]*x[1] + x[2] + x[4]*rng.Float64() }),
	}
	ask := map[string]func(*studytable.Table) error{
		"Of":          func(t *studytable.Table) error { _, err := Of(t, "y", true); return err },
		"Sensitivity": func(t *studytable.Table) error { _, err := Sensitivity(t, "y"); return err },
	}
	for table, t := range tables {
		for question, f := range ask {
			b.Run(table+"/"+question, func(b *testing.B) {
				for b.Loop() {
					if err := f(t); err != nil {
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

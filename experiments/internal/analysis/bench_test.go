package analysis

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkAnalysis asks every question of a table of 100 000 rows.
func BenchmarkAnalysis(b *testing.B) {
	rng := rand.New(rand.NewPCG(11, 12))
	tables := map[string]*Table{
		"factorial": factorial([]Factor{
			numbers("a", linspace(1, 10, 10)...), numbers("b", linspace(1, 10, 10)...), numbers("c", linspace(1, 10, 10)...),
			numbers("d", linspace(1, 10, 10)...), words("e", "u", "v", "w", "x", "y"), numbers("f", 1, 2),
		}, 1, func(x []float64, _ int) float64 { return x[0]*x[1] + x[2] + x[4]*rng.Float64() }),
		"hypercube": latinHypercube(100_000, 12, func(x []float64) float64 { return x[0]*x[1] + x[2] + x[4]*rng.Float64() }),
	}
	ask := map[string]func(*Table) error{
		"Best":        func(t *Table) error { return failure(Best(t, "y", Maximize, "a")) },
		"Ascend":      func(t *Table) error { return failure(Ascend(t, "y", Maximize, "a", &Growth{})) },
		"Effects":     func(t *Table) error { return failure(Effects(t, "y", true)) },
		"Sensitivity": func(t *Table) error { return failure(Sensitivity(t, "y")) },
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

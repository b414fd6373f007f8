package effects

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

func BenchmarkEffects(b *testing.B) {
	studytabletest.Benchmark(b, map[string]func(*studytable.Table) error{
		"Of":          func(t *studytable.Table) error { _, err := Of(t, "y", true); return err },
		"Sensitivity": func(t *studytable.Table) error { _, err := Sensitivity(t, "y"); return err },
	})
}

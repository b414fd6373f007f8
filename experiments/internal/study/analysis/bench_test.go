package analysis

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

func BenchmarkAnalysis(b *testing.B) {
	studytabletest.Benchmark(b, map[string]func(*studytable.Table) error{
		"Best":   func(t *studytable.Table) error { return failure(Best(t, "y", studytable.Maximize, "a")) },
		"Ascend": func(t *studytable.Table) error { return failure(Ascend(t, "y", studytable.Maximize, "a", &Growth{})) },
	})
}

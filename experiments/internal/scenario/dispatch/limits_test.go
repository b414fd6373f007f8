package dispatch

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Times are uniform around their mean, and another seed gives others. The mean of n uniform numbers of half width u has
// the standard deviation u/sqrt(3n): 0.0014 here.
func TestScatter(t *testing.T) {
	w := Work{Time: 2, Scatter: 0.25, Seed: 1}
	const n = 10000
	sum, lowest, highest := 0.0, inf, 0.0
	for i := range uint64(n) {
		x := w.factor(i)
		sum += x
		lowest, highest = min(lowest, x), max(highest, x)
	}
	expect.Near(t, sum/n, 1, 3*0.0015, "mean")
	// Nearer than 0.1 % of the width, except for one in 22000 seeds.
	expect.That(t, lowest >= 0.75 && lowest <= 0.7505 && highest < 1.25 && highest >= 1.2495,
		"from %v to %v, want 0.75 to 1.25", lowest, highest)
	a := mustRun(t, Config{Machine: Machine{Ideal(3, 1)}, Work: Work{SIs: []int{10}, Time: 1, Scatter: 0.5, Seed: 1}})
	b := mustRun(t, Config{Machine: Machine{Ideal(3, 1)}, Work: Work{SIs: []int{10}, Time: 1, Scatter: 0.5, Seed: 2}})
	expect.That(t, a.Makespan != b.Makespan, "two seeds, one makespan %v", a.Makespan)
}

package dispatch

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/internal/expect"
)

// Limits: one node with the IDU on it is serial; without costs and with SIs in multiples of the nodes the speedup is
// perfect; data over an infinite link cost nothing.
func TestLimits(t *testing.T) {
	one := level(1, 3, func(l *Level) { l.Operands, l.Results, l.Latency, l.Bandwidth, l.Trunk = 9, 9, 9, 1, 1 })
	r := mustRun(t, Config{Machine: Machine{one, one}, Work: Work{SIs: []int{5, 7}, Time: 2}})
	expect.That(t, r.Makespan == 70, "one node: %v, want 5 x 7 x 2 s", r.Makespan)
	r = mustRun(t, Config{Machine: Machine{Ideal(8, 1), Ideal(4, 4)}, Work: Work{SIs: []int{24, 12}, Time: 1}})
	expect.That(t, r.Speedup() == 32, "speedup on 8 x 4 nodes: %v", r.Speedup())
	w := Work{SIs: []int{40}, Time: 1, Scatter: 0.5, Seed: 7}
	empty := level(4, 2, func(l *Level) { l.IDU = Separate })
	full := empty
	full.Operands, full.Results = 1e9, 1e9
	a, b := mustRun(t, Config{Machine: Machine{empty}, Work: w}), mustRun(t, Config{Machine: Machine{full}, Work: w})
	expect.That(t, cmp.Equal(a, b, cmp.AllowUnexported(Result{})), "infinite link: %v, no data: %v", b, a)
}

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

package system

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/expect"
)

// Each of p processes computes n^3/p and passes 8 n bytes on, and keeps 8 n^2/p bytes:
//
//	T = n^3/(p S) + L + 8 n/B, on one process n^3/S
//
// So memory of 80 kB, filled to 0.8, holds n = floor(sqrt(8000 p)), and the speedup over the fastest process, of speed F, is
// n^3/(T F). It is that at a size n, too, as long as one node holds it: n = floor(sqrt(80 kB/8 B)) = 100.
func TestSpeedupOverOneProcess(t *testing.T) {
	const application = `
application: pass
parameters: {n: 1}
work: n^3
memory: 8*n^2/p
program:
  - compute: n^3/p
  - when: p > 1
    do: [{sendrecv: {to: (rank + 1) % p, from: (rank + p - 1) % p, size: 8*n}}]
`
	for _, c := range []struct {
		nodes   string
		n       string
		p, N    float64
		fastest float64
	}{
		{"{slow: 1, fast: 0}", "{memory_use: 0.8}", 1, 89, 1e9},
		{"{slow: 4, fast: 0}", "{memory_use: 0.8}", 4, 178, 1e9},
		{"{slow: 16, fast: 0}", "{memory_use: 0.8}", 16, 357, 1e9},
		{"{slow: 3, fast: 1}", "{memory_use: 0.8}", 4, 178, 2e9},
		{"{slow: 4, fast: 0}", "100", 4, 100, 1e9},
		{"{slow: 4, fast: 0}", "101", 4, 101, math.NaN()},
	} {
		s := expect.Value(scenario.Documents{"a.yaml": []byte(application), "s.yaml": fmt.Appendf(nil, `
machine:
  node_types: {slow: {marked_speed: 1 Gflop/s, memory: 80 kB}, fast: {marked_speed: 2 Gflop/s, memory: 80 kB}}
  nodes: [{type: slow, count: 16}, {type: fast, count: 1}]
  network: {latency: 10 us, bandwidth: 1 GB/s}
network: hockney
nodes: %s
workload: {application: a.yaml, n: %s}
`, c.nodes, c.n)}.Read("s.yaml", nil))(t)
		more := More{Explained: Explained{Speedup: true}}
		values := expect.Value(RunCaseWithin(t.Context(), &scenario.Case{Scenario: s}, more, cluster.NoLimit))(t)
		want := math.Pow(c.N, 3) / (math.Pow(c.N, 3)/(c.p*1e9) + 10e-6 + 8*c.N/1e9) / c.fastest
		if c.p == 1 {
			want = 1
		}
		got := values[len(values)-1]
		expect.That(t, math.IsNaN(got) == math.IsNaN(want) && !(math.Abs(got-want) > 1e-9), "%s, n: %s: %v, want %v", c.nodes, c.n, got, want)
	}
}

package scenariotest

import (
	"fmt"
	"math/rand/v2"
)

// TwoSpeeds is a machine of nodes with 1 Gflop/s, and of others that may be faster.
const TwoSpeeds = `
machine:
  node_types: {slow: {marked_speed: 1 Gflop/s}, fast: {marked_speed: %d Gflop/s}}
  nodes: [{type: slow, count: %d}, {type: fast, count: %d}]
  network: {latency: %d us, bandwidth: 1 GB/s}
network: %s
seed: %d
workload: %s
`

// RandomWork is a workload with draws: a pattern, or the application a.yaml.
func RandomWork(r *rand.Rand) (workload, application string) {
	if r.IntN(2) == 0 {
		shapes := []string{"dissemination", "ring", "neighbours-2d", "all-pairs", "random-pairs", "incast", "alltoall"}
		return fmt.Sprintf("{name: pattern, n: %d, shape: %s, size: %d kB, %s: %d kflop, imbalance: %.2f}", 1+r.IntN(6),
			shapes[r.IntN(len(shapes))], r.IntN(50), []string{"compute", "total_compute"}[r.IntN(2)], 1+r.IntN(5000), r.Float64()), ""
	}
	distributions := []string{"%.2f", "{uniform: %.2f}", "{normal: %.2f}", "{exponential: %.2f}"}
	vary := func() string {
		return fmt.Sprintf("- %s: "+distributions[r.IntN(4)]+"\n", []string{"imbalance", "noise"}[r.IntN(2)], r.Float64()/2)
	}
	body := vary()
	if r.IntN(2) == 0 {
		body += vary()
	}
	switch r.IntN(4) {
	case 0: // one problem, shared
		body += "- repeat: 5\n  do: [{compute: 20 Mflop/p}, {allreduce: 1 kB}]\n"
	case 1:
		body += "- tasks: {count: 20, flop: 5 Mflop}\n"
	case 2:
		body += "- tasks: {count: 20, flop: 5 Mflop, order: dynamic, input: 1 kB, output: 20 kB*(0.5+random())}\n"
	case 3: // the amount itself is drawn
		body += "- tasks: {count: 20, flop: 5 Mflop*(0.5+random())}\n- barrier: {}\n- compute: 1 Mflop*random()\n"
	}
	return "{application: a.yaml}", "application: a\nwork: 100 Mflop\nprogram:\n" + body
}

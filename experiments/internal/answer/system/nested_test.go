package system

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// nestedMachine is groups of nodes of processes. a, in us, and b, in ns/B, are the costs of messages between groups,
// between nodes, and on a node.
type nestedMachine struct {
	groups, nodes, processes int
	a, b                     [3]float64
}

func (m nestedMachine) scenario(t *testing.T, op workloads.Collective, algorithm string, size int) *scenario.Scenario {
	return scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {n: {cores: %d, marked_speed: 1 Gflop/s}}
  nodes: [%s]
  network: {latency: %v us, bandwidth: %v GB/s}
network:
  name: hockney
  between_groups: {latency: %v us, bandwidth: %v GB/s}
  on_node: {latency: %v us, bandwidth: %v GB/s}
placement: {n: %d}
workload: {name: collective, op: %v, algorithm: %s, n: 1, size: %d B}
`, m.processes, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("{type: n, count: %d}, ", m.nodes), m.groups), ", "),
		m.a[1], 1/m.b[1], m.a[0], 1/m.b[0], m.a[2], 1/m.b[2], m.processes, op, algorithm, size))
}

// If all numbers are powers of two, each part of an algorithm on domains ends with the rank that begins it last, so
// times add up: s ranks, each with w bytes of its own, take log2(s) (a + w b) for a message in each round, and log2(s)
// a + (s-1) w b if messages double.
func TestTimesOnDomains(t *testing.T) {
	for _, m := range []nestedMachine{
		{2, 4, 4, [3]float64{40, 10, 1}, [3]float64{2, 1, 0.125}},
		{4, 2, 8, [3]float64{7, 5, 0.5}, [3]float64{0.5, 0.25, 0.5}},
		{1, 8, 2, [3]float64{9, 3, 1}, [3]float64{1, 1, 0.25}},
		{8, 1, 4, [3]float64{30, 3, 2}, [3]float64{1, 1, 0.25}},
	} {
		const size = 1 << 14
		s := [3]float64{float64(m.groups), float64(m.nodes), float64(m.processes)}
		p := s[0] * s[1] * s[2]
		log := func(l int) float64 { return float64(bits.Len(uint(s[l])) - 1) }
		same := func(l int, w float64) float64 { return log(l) * (m.a[l] + w*m.b[l]*1e-3) }        // us
		double := func(l int, w float64) float64 { return log(l)*m.a[l] + (s[l]-1)*w*m.b[l]*1e-3 } // w: of one
		turns := func(l int, w float64) float64 { return (s[l] - 1) * (m.a[l] + w*m.b[l]*1e-3) }
		// top is the outermost level with several domains, below those beneath it.
		top, below := 0, []int{1, 2}
		if m.groups == 1 {
			top, below = 1, []int{2}
		}
		inside := func(l int) float64 { // ranks of a domain below a level
			n := 1.0
			for k := l + 1; k < 3; k++ {
				n *= s[k]
			}
			return n
		}
		sum := func(at func(l int) float64) (x float64) {
			for _, l := range below {
				x += at(l)
			}
			return x
		}
		share := func(l int) float64 { return size / (inside(l) * s[l]) } // of the data, after parting at a level
		apart := func(l int) float64 { return double(l, share(l)) }
		for _, tt := range []struct {
			op   workloads.Collective
			name string
			want float64
		}{
			{workloads.Barrier, "leader", same(top, 0) + 2*sum(func(l int) float64 { return same(l, 0) })},
			{workloads.Bcast, "leader", same(top, size) + sum(func(l int) float64 { return same(l, size) })},
			{workloads.Reduce, "leader", same(top, size) + sum(func(l int) float64 { return same(l, size) })},
			{workloads.Allreduce, "leader", same(top, size) + 2*sum(func(l int) float64 { return same(l, size) })},
			{workloads.Bcast, "multi-leader", same(top, size/inside(top)) + 2*sum(apart)},
			{workloads.Reduce, "multi-leader", same(top, size/inside(top)) + 2*sum(apart)},
			{workloads.Allreduce, "multi-leader", same(top, size/inside(top)) + 2*sum(apart)},
			{workloads.Allreduce, "ring-in-ring", 2 * (turns(top, share(top)) + sum(func(l int) float64 { return turns(l, share(l)) }))},
			{workloads.Allgather, "leader", turns(top, inside(top)*size) +
				sum(func(l int) float64 { return double(l, inside(l)*size) + same(l, p*size) })},
			{workloads.Allgather, "ring-in-ring", turns(top, size) + sum(func(l int) float64 { return turns(l, p/(inside(l)*s[l])*size) })},
			{workloads.Alltoall, "leader", turns(top, inside(top)*inside(top)*size) +
				2*sum(func(l int) float64 { return double(l, p*inside(l)*size) })},
			{workloads.Alltoall, "multi-leader", turns(top, p/s[top]*size) + sum(func(l int) float64 { return turns(l, p/s[l]*size) })},
		} {
			expect.Close(t, 1e6*float64(simulated(t, m.scenario(t, tt.op, tt.name, size)).Makespan), tt.want, 1e-9, "%+v: %v %s takes, us", m, tt.op, tt.name)
		}
	}
}

// On 40 nested machines the rules "tuned" take at most 2^(1/16) times as long as the best of all algorithms, found by
// trying them: that is what the steps of sizes allow. At a power of two they take no longer.
func TestTunedIsTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 13))
	any := func(low, high float64) float64 { return low * math.Pow(high/low, rng.Float64()) }
	leaders := 0
	for i := range 40 {
		m := nestedMachine{1 + rng.IntN(4), 1 + rng.IntN(5), 1 + rng.IntN(5),
			[3]float64{any(5, 50), any(1, 5), any(0.1, 1)}, [3]float64{any(0.5, 4), any(0.1, 1), any(0.02, 0.2)}}
		op := collective.Operations()[i%len(collective.Operations())]
		size := 1 << rng.IntN(22)
		exact := i%2 == 0 && m.groups*m.nodes*m.processes&(m.groups*m.nodes*m.processes-1) == 0
		if !exact {
			size += rng.IntN(size)
		}
		best, name := math.Inf(1), ""
		for _, a := range collective.Names(op) {
			if got := float64(simulated(t, m.scenario(t, op, a, size)).Makespan); got < best {
				best, name = got, a
			}
		}
		if strings.Contains(name, "leader") || strings.Contains(name, "in-ring") {
			leaders++
		}
		got := float64(simulated(t, m.scenario(t, op, "tuned", size)).Makespan)
		most := math.Exp2(1.0 / 16)
		if exact {
			most = 1 + 1e-12
		}
		expect.That(t, got <= best*most, "%+v: %v of %d B takes %v s by the rules, %v by %s", m, op, size, got, best, name)
	}
	expect.That(t, leaders >= 5, "an algorithm on domains is the best on %d machines only", leaders)
}

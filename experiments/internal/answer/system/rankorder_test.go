package system

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads"
)

// unequalNodes are 3 of 2 slow processes and 2 of 3 fast ones, with memory, in two groups.
const unequalNodes = `
machine:
  node_types:
    slow: {cores: 2, marked_speed: 1 Gflop/s, memory_bandwidth: 3 GB/s, memory: 1 GB, power: 100 W, kernels: {k: 0.5}}
    fast: {cores: 3, marked_speed: 2 Gflop/s, memory_bandwidth: 8 GB/s, memory: 2 GB, power: 300 W, kernels: {k: 0.8}}
  nodes: [{type: slow, count: 3}, {type: fast, count: 2}]
  network: {latency: 5 us, bandwidth: 1 GB/s, on_node: {latency: 1 us, bandwidth: 4 GB/s}, between_groups: {latency: 20 us, bandwidth: 500 MB/s}}
placement: {slow: 2, fast: 3}
network: NETWORK
workload: {name: WORKLOAD, kernel: k}
`

func unequalScenario(t *testing.T, network, workload string) *scenario.Scenario {
	t.Helper()
	return scenariotest.Scenario(t, strings.NewReplacer("NETWORK", network, "WORKLOAD", workload).Replace(unequalNodes))
}

// renamed is a program in which rank s does what rank of[s] does in another.
type renamed struct {
	workloads.Program
	of, to []int32
}

func (p renamed) Unwrap() workloads.Program { return p.Program }

func (p renamed) Next(rank int, op *workloads.Op) bool {
	more := p.Program.Next(int(p.of[rank]), op)
	switch op.Kind {
	case workloads.Send, workloads.Recv, workloads.Isend, workloads.Irecv, workloads.Sendrecv:
		op.Peer, op.From = p.to[op.Peer], p.to[op.From]
	}
	return more
}

// TestOrderIsARenaming compares a program whose ranks are in the slots of an order with the
// program whose ranks have the numbers of those slots, in block order: each process finishes
// when the other does, with the same energy.
func TestOrderIsARenaming(t *testing.T) {
	for _, network := range []string{"hockney", "loggops", "flow"} {
		for _, workload := range []string{"gauss, n: 60, bytes_per_flop: 1", "stencil2d, n: 64, steps: 3", "pattern, n: 4, shape: alltoall, size: 3 kB, compute: 1 Mflop, imbalance: 0.5, bytes_per_flop: 2"} {
			s := unequalScenario(t, network, workload)
			block := made(t, s)
			slot := make([]int32, len(block.Speeds))
			for rank, at := range rand.New(rand.NewPCG(1, 2)).Perm(len(slot)) {
				slot[rank] = int32(at)
			}
			s.Selection.Order = slot
			ordered := made(t, s)
			x := ran(t, ordered, s.Workload.N)
			rank := make([]int32, len(slot))
			for r, at := range slot {
				rank[at] = int32(r)
			}
			block.Program = func(workloads.Program) workloads.Program {
				return renamed{s.Workload.Program(ordered.Algorithm(s.Workload.N), ordered.Placement), rank, slot}
			}
			y := ran(t, block, s.Workload.N)
			for r := range x.Ranks {
				a, b := &x.Ranks[r], &y.Ranks[slot[r]]
				alike := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }
				expect.That(t, alike(float64(a.Finish), float64(b.Finish)) && alike(float64(a.Compute), float64(b.Compute)) &&
					alike(float64(x.Energy.Ranks[r]), float64(y.Energy.Ranks[slot[r]])),
					"%s, %s, rank %d: %+v with %v; in slot %d: %+v with %v", network, workload, r, *a, x.Energy.Ranks[r], slot[r], *b, y.Energy.Ranks[slot[r]])
			}
			expect.That(t, float64(x.Energy.Total/y.Energy.Total) > 1-1e-12 && float64(x.Energy.Total/y.Energy.Total) < 1+1e-12, "energy %v and %v", x.Energy, y.Energy)
		}
	}
}

// TestSpeedsFollowNodes puts rank 0 on a fast node: it has the speed, the kernel and the memory of
// that, and with them the larger part of the work of an algorithm that divides by speed.
func TestSpeedsFollowNodes(t *testing.T) {
	s := unequalScenario(t, "hockney", "matmul, n: 180, bytes_per_flop: 1")
	s.Selection.Order = []int32{11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}
	sys := made(t, s)
	expect.That(t, sys.Speeds[0] == 2e9 && sys.Rates[0] == 1.6e9 && sys.Memory[0] == 8e9/3 &&
		sys.Speeds[11] == 1e9 && sys.Rates[11] == 0.5e9 && sys.Memory[11] == 1.5e9,
		"speeds %v and %v, memory %v", sys.Speeds, sys.Rates, sys.Memory)
	x := ran(t, sys, 180)
	_, node := sys.Placement.Node(0)
	// 180 rows are dealt out as 2:1, 20 and 10. At 1 byte a flop the cores, 1.6 and 0.5 Gflop/s, are
	// slower than the memory, 8/3 and 1.5 GB/s.
	ratio := float64(x.Ranks[0].Compute / x.Ranks[11].Compute)
	expect.That(t, node == "fast-2" && math.Abs(ratio-2*0.5/1.6) < 1e-12, "rank 0 is on %s and computes %v times as long as rank 11", node, ratio)
}

// between counts the messages of a run between nodes.
func between(t *testing.T, s *scenario.Scenario) (messages int64) {
	t.Helper()
	sys := expect.Value(NewAt(context.Background(), s))(t)
	m := new(observe.Matrix)
	sys.Observer = m
	ran(t, sys, s.Workload.N)
	node, _ := sys.Placement.Locations()
	for _, x := range m.Traffic() {
		if node[x.From] != node[x.To] {
			messages += x.Messages
		}
	}
	return messages
}

// Twelve processes on three nodes of two groups, and the number of messages between nodes of a
// round. In a ring each process sends to both neighbours: in block order that crosses 3 ends
// of nodes in both directions, in turn over nodes always, and in turn over the groups of 2 and
// 1 nodes, of 8 and 4 processes: the ranks 0, 2, 4, 6 are on the first node, 8 to 11 on the second,
// 1, 3, 5, 7 on the third, so that 7 to 8 and all but 8 to 9, 9 to 10, 10 to 11 cross.
func TestMessagesOfOrders(t *testing.T) {
	const text = `
machine:
  node_types: {n: {cores: 4, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 3}]
  network: {latency: 1 us, bandwidth: 1 GB/s, topology: {name: tree, subclusters: [{nodes: 2}, {nodes: 1}]}}
placement: {n: 4}
rank_order: %s
network: flow
workload: {name: pattern, n: 1, shape: ring, size: 1 kB}
`
	for order, want := range map[string]int64{"block": 3, "cyclic": 12, "by-group": 9, "greedy": 3} {
		s := scenariotest.Scenario(t, fmt.Sprintf(text, order))
		each := between(t, s) / want
		expect.That(t, between(t, s) == each*want && (each == 1 || each == 2), "%s: %d messages between nodes; expected %d in each direction", order, between(t, s), want)
	}
}

// A curve orders the ranks anew for each problem size; a system made for one size keeps its order when
// it is simulated again.
func TestGreedyOfCurves(t *testing.T) {
	s := scenariotest.Scenario(t, `
machine: {node_types: {n: {cores: 4, marked_speed: 1 Gflop/s}}, nodes: [{type: n, count: 4}], network: {latency: 1 us, bandwidth: 1 GB/s}}
placement: {n: 4}
rank_order: greedy
network: hockney
workload: {name: stencil2d, n: 64}
`)
	curve := NewCurve(made(t, s))
	x := expect.Value(curve.At(context.Background(), 64))(t)
	y := simulatedAt(t, s)
	expect.That(t, x.Makespan == y.Makespan && x.System.made.Selection.Order != nil && s.Selection.Order == nil,
		"%v of a curve, %v of a system", x.Makespan, y.Makespan)
	expect.Same(t, x.System.made.Selection.Order, y.System.made.Selection.Order, "orders")
	again := expect.Value(y.System.again(nil))(t)
	expect.Same(t, again.made.Selection.Order, y.System.made.Selection.Order, "order of what is simulated again")
}

func simulatedAt(t *testing.T, s *scenario.Scenario) *Simulation {
	t.Helper()
	return ran(t, expect.Value(NewAt(context.Background(), s))(t), s.Workload.N)
}

// Messages of 8 kB at 1 GB/s pass along four ranks, placed in turn on two nodes: 3 (20 us + 8 us). If nodes are filled
// in order, two messages stay on nodes, 1 us + 1 us each: 32 us of 84. What would help names that order, and greedy.
func TestWhatIfRanksWereElsewhere(t *testing.T) {
	x := simulate(t, `
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 2}]
  network: {latency: 20 us, bandwidth: 1 GB/s}
network: {name: hockney, on_node: {latency: 1 us, bandwidth: 8 GB/s}}
placement: {n: 2}
rank_order: cyclic
workload: {name: collective, op: scan, algorithm: linear, n: 1, size: 8 kB}
`)
	saved := map[string]float64{}
	for _, e := range expect.Value(x.WhatIf(t.Context(), 1))(t) {
		if e.Cause == "the order of the ranks" {
			saved[e.Change] = e.Saves
		}
	}
	want := map[string]float64{"rank order block": 1 - 32.0/84, "rank order greedy": 1 - 32.0/84, "rank order by-group": 1 - 32.0/84}
	for name, share := range want {
		expect.Near(t, saved[name], share, 1e-9, "%s saves, of %v", name, saved)
	}
	expect.Equal(t, len(saved), len(want), "orders tried")
}

package iso

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// On an ideal network with measured collectives the closed form T_o is exact except
// for one thing: it takes the computation as perfectly balanced, W/(k C) in total.
// Processes have whole rows, so the simulated run ends later, never earlier:
//
//	0 <= T_simulated - T_closed <= bound
//
// All processes leave a measured collective together, so a step lasts as long as
// the process that computes longest.
//
// Gauss: m rows are dealt one by one, each to the process that then finishes first. So whoever has
// the most work, n_q/C_q =: M, got its last row when every process r had (n_r+1)/C_r >= M. The sum
// of C_r M <= n_r + 1 over all p processes is C M <= m + p: a step ends at most p rows' worth of
// work on all of C late. A row of step i costs x(2x+5)/(x+1) <= 2x+3 flop, x = N-2-i, and the sum
// of 2x+3 over x = 0 ... N-2 is N^2 - 1, so bound = p (N^2-1)/(k C).
//
// MatMul: no process has a whole row more than its exact share, and a row costs
// 2 N^2 flop, so bound = 2 N^2/(k C_min).
//
// Floyd: likewise in each of n iterations, where a row costs 2 n flop: the same bound.
//
// Convolution: likewise in each part of the computation, where a row costs W/N
// flop in all, so bound = W/(N k C_min).
func TestPredictionIsExactButForWholeRows(t *testing.T) {
	expect.Long(t, "solves for a second")
	const cost = "{base: 0.1 ms, per_process: 0.2 ms, per_byte: 0 s}"
	for _, tt := range []struct {
		workload string
		rest     func(n, p, k, c0, cost float64) float64 // T_closed - W/(k C), by hand
		bound    func(n, p, k, c, cMin float64) float64
	}{
		{"{name: gauss, sustained: 0.9, startup_per_process: 30 ms, bcast: " + cost + ", barrier: " + cost + "}",
			// Startup, the back substitution, the broadcast of N, and N-1 steps.
			func(n, p, k, c0, cost float64) float64 { return 30e-3*p + n*n/(k*c0) + cost + 2*(n-1)*cost },
			func(n, p, k, c, _ float64) float64 { return p * (n*n - 1) / (k * c) }},
		{"{name: matmul, sustained: 0.9, startup_per_process: 30 ms, bcast: " + cost + ", scatter: " + cost + ", gather: " + cost + "}",
			func(_, p, _, _, cost float64) float64 { return 30e-3*p + 3*cost },
			func(n, _, k, _, cMin float64) float64 { return 2 * n * n / (k * cMin) }},
		{"{name: floyd, sustained: 0.9, startup_per_process: 30 ms, bcast: " + cost + "}",
			func(n, p, _, _, cost float64) float64 { return 30e-3*p + n*cost },
			func(n, _, k, _, cMin float64) float64 { return 2 * n * n / (k * cMin) }},
		{"{name: convolution, sustained: 0.9, startup_per_process: 30 ms, alltoall: " + cost + ", scatter: " + cost + ", gather: " + cost + "}",
			func(_, p, _, _, cost float64) float64 { return 30e-3*p + 6*cost },
			func(n, _, k, _, cMin float64) float64 {
				return (66*n*math.Log2(n) + 21*n + 84*math.Log2(n)) / (k * cMin)
			}},
	} {
		s := scenariotest.Study(t, `
target_efficiency: 0.4
machine: sunwulf
network: ideal
placement: {server: 2}
systems:
  - {name: one, nodes: {blade: 1}}
  - {name: equal, nodes: {blade: 4}}
  - {name: two, nodes: {server: 1, v210: 1}}
  - {name: many, nodes: {server: 1, blade: 9, v210: 8}}
workload: `+tt.workload)
		r := mustIso(t, s)
		for i, x := range s.Systems {
			t.Run(s.Workload.Name+"/"+x.Name, func(t *testing.T) {
				sys := made(t, s, i)
				p := expect.Value(predict(context.Background(), sys, s.Target, s.Sizes))(t)
				res := expect.Value(sys.Simulate(context.Background(), p.n))(t)
				const k = 0.9
				c, slowest := float64(sys.Placement.MarkedSpeed()), float64(sys.Speeds[0])
				for _, speed := range sys.Speeds {
					slowest = min(slowest, float64(speed))
				}
				procs, cost := float64(len(sys.Speeds)), 0.0
				if procs > 1 {
					cost = 0.1e-3 + procs*0.2e-3
				}
				closedAt := func(n int) float64 {
					return float64(sys.Algorithm(n).Work())/(k*c) + tt.rest(float64(n), procs, k, float64(sys.Speeds[0]), cost)
				}
				off := func(n int) float64 {
					return math.Abs(float64(sys.Algorithm(n).Work())/(closedAt(n)*c) - s.Target)
				}
				expect.That(t, off(p.n) <= off(p.n-1)+1e-12 && off(p.n) <= off(p.n+1)+1e-12,
					"n = %d is off by %v in closed form, its neighbours by %v and %v", p.n, off(p.n), off(p.n-1),
					off(p.n+1))
				closed := closedAt(p.n)
				expect.That(t, scalar.EqualWithinRel(float64(p.sequential+p.overhead), tt.rest(float64(p.n), procs, k,
					float64(sys.Speeds[0]), cost), 1e-9),
					"t_0 + T_o = %v + %v", p.sequential, p.overhead)
				late := float64(res.Makespan) - closed
				bound := tt.bound(float64(p.n), procs, k, c, slowest)
				rounding := 1e-9 * closed
				expect.That(t, late >= -rounding && late <= bound+rounding,
					"n = %d: simulated %v, closed form %v: late by %v, want 0 to %v",
					p.n, res.Makespan, units.Seconds(closed), units.Seconds(late), units.Seconds(bound))
				expect.That(t, x.Name != "one" || late <= 1e-9*closed,
					"one process is late by %v, and has no one to wait for", units.Seconds(late))
				// Less efficient in the simulation, so no smaller; each is the
				// nearer of two neighbours, which may cost one.
				got := r.Systems[i]
				expect.That(t, got.NPredicted != nil && *got.NPredicted == p.n && p.n <= got.N+1,
					"n = %d, predicted %v (%d)", got.N, input.Optional(got.NPredicted, "%d"), p.n)
			})
		}
	}
}

// The collectives of a prediction are timed one by one: per process and per byte.
func TestPredictionUsesTheCostsOfTheSystem(t *testing.T) {
	s := scenariotest.Study(t, `
target_efficiency: 0.4
machine: sunwulf
network: {name: hockney, latency: 1 ms, bandwidth: 1 MB/s, send_overhead: 2 ms, recv_overhead: 3 ms}
systems: [{name: S, nodes: {blade: 5}}]
workload: {name: gauss, bcast: {base: 1 s, per_process: 10 s, per_byte: 100 s}, barrier: {base: 7 s}}
`)
	sys := made(t, s, 0)
	c := &operationCosts{ctx: context.Background(), sys: sys, known: map[operation]units.Seconds{}, choices: sys.Algorithm(10).(algorithm.Predictable).Choices()}
	for _, tt := range []struct {
		name      string
		got, want units.Seconds
	}{
		{"bcast of 2 B", c.Collective(workloads.Bcast, 2), 1 + 5*10 + 2*100},
		{"bcast of 2 B again", c.Collective(workloads.Bcast, 2), 1 + 5*10 + 2*100},
		{"bcast of 3 B", c.Collective(workloads.Bcast, 3), 1 + 5*10 + 3*100},
		{"barrier", c.Collective(workloads.Barrier, 0), 7},
		// Send overhead, 500 B at 1 MB/s, latency, receive overhead.
		{"message", c.Message(500), 2e-3 + 0.5e-3 + 1e-3 + 3e-3},
	} {
		d := float64(tt.got - tt.want)
		expect.That(t, d <= 1e-12 && d >= -1e-12, "%s takes %v, want %v", tt.name, tt.got, tt.want)
	}
	expect.That(t, c.err == nil, "%v", c.err)
	// Gauss has no gather: asking for one is an error that is kept.
	got := c.Collective(workloads.Gather, 1)
	expect.That(t, got == 0 && c.err != nil, "a gather takes %v, error %v", got, c.err)
	expect.Equal(t, fmt.Sprint(c.err), "no choice of algorithm for gather", "error")
}

// Work is divided in proportion to marked speed, so the processes that memory slows
// down most decide: a fat node has 2 GB/s for two processes, which at 4 byte/flop feed
// 0.25 Gflop/s each, a quarter of their marked speed; a thin node has no limit. On an
// ideal network with measured collectives the run ends when those processes do. Their
// whole rows differ from their exact shares by less than one row of 2 N^2 flop each.
func TestPredictionWaitsForMemory(t *testing.T) {
	for _, network := range []string{"ideal", "{name: flow, send_overhead: 0 s}"} {
		s := scenariotest.Study(t, `
target_efficiency: 0.2
machine:
  node_types:
    fat: {cores: 2, marked_speed: 1 Gflop/s, memory_bandwidth: 2 GB/s}
    thin: {marked_speed: 0.5 Gflop/s}
  nodes: [{type: fat}, {type: thin, count: 3}]
  network: {latency: 0 s, bandwidth: 1 TB/s, topology: star}
placement: {fat: 2}
network: `+network+`
systems: [{name: A, nodes: {fat: 1, thin: 1}}, {name: B, nodes: {fat: 1, thin: 3}}, {name: free, nodes: {thin: 3}}]
workload: {name: matmul, bytes_per_flop: 4, startup_per_process: 10 ms, bcast: {base: 0.1 s}, scatter: {base: 0.1 s}, gather: {base: 0.1 s}}
`)
		for i, tt := range []struct{ processes, marked, k, slowest float64 }{
			{3, 2.5e9, 0.25, 0.25e9},
			{5, 3.5e9, 0.25, 0.25e9},
			{3, 1.5e9, 1, 0.5e9},
		} {
			name := s.Systems[i].Name
			sys := made(t, s, i)
			p := expect.Value(predict(context.Background(), sys, 0.2, s.Sizes))(t)
			n := float64(p.n)
			closed := 2*n*n*n/(tt.k*tt.marked) + 10e-3*tt.processes + 0.3
			// The marked speed is what T_o refers to: waiting for memory is in it.
			want := closed - 2*n*n*n/tt.marked
			expect.That(t, scalar.EqualWithinRel(float64(p.sequential+p.overhead), want, 1e-9),
				"%s on %s: t_0 + T_o = %v, want %v s", name, network, p.sequential+p.overhead, want)
			e := 2 * n * n * n / closed / tt.marked
			expect.That(t, scalar.EqualWithinRel(p.efficiency, e, 1e-9) && math.Abs(e-0.2) <= 0.001,
				"%s on %s: efficiency %v at n = %d, by hand %v, target 0.2", name, network, p.efficiency, p.n, e)
			off := math.Abs(float64(simulatedTime(t, s, i, p.n)) - closed)
			expect.That(t, off <= 2*n*n/tt.slowest,
				"%s on %s: simulated and predicted times at n = %d differ by %v s", name, network, p.n, off)
		}
	}
}

// What process 0 does alone has the memory bandwidth of its whole node under flow,
// and its equal share elsewhere: half of 2 GB/s, at 4 byte/flop.
func TestSequentialWorkWaitsForMemory(t *testing.T) {
	for network, want := range map[string]units.Seconds{"ideal": 4, "flow": 2} {
		s := scenariotest.Study(t, `
target_efficiency: 0.2
machine:
  node_types: {fat: {cores: 2, marked_speed: 1 Gflop/s, memory_bandwidth: 2 GB/s}}
  nodes: [{type: fat}]
  network: {latency: 0 s, bandwidth: 1 TB/s, topology: star}
placement: {fat: 2}
network: `+network+`
systems: [{name: A, nodes: {fat: 1}}]
workload: {name: gauss, bytes_per_flop: 4}
`)
		sys := made(t, s, 0)
		expect.Equal(t, sys.SequentialTime(1e9), want, "%s: 1 Gflop on process 0 takes", network)
	}
}

package sim_test

import (
	"context"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// linpack returns HPL on a grid of processes of 1 Gflop/s.
func linpack(n, nb, rows, columns, depth int) algorithm.HPL {
	return algorithm.HPL{
		Problem: algorithm.Problem{N: n, Speeds: equalSpeeds(rows*columns, 1e9), Element: 8},
		Block:   nb, Rows: rows, Columns: columns, Depth: depth, Bcast: "2ring", Swap: "bin-exch",
		Pivot: collective.Default(workloads.Allreduce), PanelEfficiency: 1, SolveEfficiency: 1,
	}
}

// TestHPLSerial expects W/C on one process.
func TestHPLSerial(t *testing.T) {
	for depth := range 2 {
		h := linpack(1000, 64, 1, 1, depth)
		want := (2*1e9/3 + 1.5*1e6) / 1e9
		expect.Near(t, makespan(t, h, h.Speeds, network.Ideal{}), want, 1e-9*want, "depth %d", depth)
	}
}

// TestHPLTwoColumns checks the time on a row of two processes without look-ahead, panel by
// panel. A message of m bytes takes 1 ms + m/(1 MB/s), its sender nothing.
// With n = 4 and nb = 2, process 0 has columns 0 and 1 and the right side, column 4,
// process 1 columns 2 and 3:
//
//	panel 0: rows 1 to 3 divide by the first pivot and update one column: 3 + 6 flop; rows 2
//	         and 3 divide by the second: 2 flop; together 11
//	         message of 2*2 + 2*2 + 2 + 1 = 11 numbers
//	         process 1 updates 2 columns, of 2 flop for U and 2*2*2 for the rest: 20 flop;
//	         process 0 one: 10 flop
//	panel 1: process 1: 1 + 2 = 3 flop, a message of 0 + 4 + 2 + 1 = 7 numbers
//	         process 0: 2 flop for U
//	last:    (16 + 14/3) flop, of which process 0 has 3 columns of 5
func TestHPLTwoColumns(t *testing.T) {
	h := linpack(4, 2, 1, 2, 0)
	h.Speeds = equalSpeeds(2, 1e3) // 1 ms for a flop
	got := makespan(t, h, h.Speeds, network.Hockney{Latency: 1e-3, Bandwidth: 1e6, EagerLimit: network.NoLimit})
	arrival := 11e-3 + 1e-3 + 11*8e-6
	next := arrival + 20e-3 + 3e-3 + 1e-3 + 7*8e-6
	expect.Near(t, got, next+2e-3+(16+14.0/3)*0.6*1e-3, 1e-9, "got")
}

// TestHPLPivotAtOnce compares the full search of the pivots with one operation per
// panel at the cost of 2 steps of recursive doubling for each column. They agree within
// 1 %: in the full search, processes with fewer rows wait for others in each column.
func TestHPLPivotAtOnce(t *testing.T) {
	for _, n := range []int{1024, 1000} { // equal and unequal rows
		for depth := range 2 {
			h := linpack(n, 32, 4, 4, depth)
			net := network.Hockney{Latency: 2e-6, Bandwidth: 1e9, EagerLimit: network.NoLimit}
			full := makespan(t, h, h.Speeds, net)
			message := 2e-6 + units.Seconds(8*(2*32+4)/1e9)
			h.Pivot = collective.Choice{Operation: workloads.Allreduce, Cost: &collective.Cost{Base: 2 * message}}
			once := makespan(t, h, h.Speeds, net)
			expect.That(t, math.Abs(once-full) <= 0.01*full,
				"n = %d, depth %d: %v s at once, %v s in full; expected within 1 %%", n, depth, once, full)
			// The searches are not negligible here, so agreement means something.
			h.Pivot.Cost = &collective.Cost{}
			free := makespan(t, h, h.Speeds, net)
			expect.That(t, free <= 0.97*full, "n = %d, depth %d: %v s without cost, %v s in full; expected less", n, depth, free, full)
		}
	}
}

// TestHPLCompletes runs all combinations when every message waits for its receiver.
// Time is at least that of the work on all processes.
func TestHPLCompletes(t *testing.T) {
	for _, bcast := range []string{"1ring", "1ringM", "2ring", "2ringM", "long", "longM"} {
		for _, swap := range []string{"bin-exch", "long", "mix"} {
			for depth := range 2 {
				h := linpack(100, 8, 3, 5, depth)
				h.Bcast, h.Swap, h.Threshold = bcast, swap, 8
				res, err := sim.Run(context.Background(), sim.Config{
					Program: h.Program(), Rates: h.Speeds,
					Network: network.Hockney{Latency: 1e-6, Bandwidth: 1e9},
				})
				expect.Need(t, err == nil, "%s, %s, depth %d: %v", bcast, swap, depth, err)
				least := float64(h.Work()) / 15e9
				expect.That(t, float64(res.Makespan) >= least,
					"%s, %s, depth %d: %v; expected at least %v s", bcast, swap, depth, res.Makespan, least)
			}
		}
	}
}

// TestHPLLookAhead expects that look-ahead saves time if panels and their broadcasts
// take time.
func TestHPLLookAhead(t *testing.T) {
	net := network.Hockney{Latency: 1e-6, Bandwidth: 1e9, EagerLimit: network.NoLimit}
	without, with := linpack(2000, 32, 4, 4, 0), linpack(2000, 32, 4, 4, 1)
	t0, t1 := makespan(t, without, without.Speeds, net), makespan(t, with, with.Speeds, net)
	expect.That(t, t1 < t0, "%v s with look-ahead, %v s without; expected less", t1, t0)
}

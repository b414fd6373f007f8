package algorithm_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// TestConvolutionOperations follows both processes of a small system: 3 and 1 of
// 4 rows, and as many columns. lg 4 is 2, so a transform of 4 elements is
// 11*4*2 + 14*2 = 116 flop; scaling is 5 and the product 6 for each element.
// Measured calls move a whole image of 4*4*16 bytes.
func TestConvolutionOperations(t *testing.T) {
	call := func(op workloads.Collective, time units.Seconds) workloads.Op {
		return workloads.Op{Kind: workloads.Measured, Collective: op, Size: 256, Time: time}
	}
	for _, transposes := range []bool{true, false} {
		ops := func(rows units.Flops) []workloads.Op {
			compute := func(work units.Flops) workloads.Op {
				return workloads.Op{Kind: workloads.Compute, Work: rows * work}
			}
			transform := []workloads.Op{compute(116), call(workloads.Alltoall, 2.25), compute(116 + 4*5)}
			if !transposes {
				transform = []workloads.Op{compute(116), compute(116 + 4*5)}
			}
			all := []workloads.Op{{Kind: workloads.Delay, Time: 1}, call(workloads.Scatter, 1.25), call(workloads.Scatter, 1.25)}
			all = append(all, transform...)
			all = append(all, transform...)
			all = append(all, compute(4*6))
			all = append(all, transform...)
			return append(all, call(workloads.Gather, 3.25))
		}
		c := algorithm.Convolution{
			Problem: algorithm.Problem{N: 4, Speeds: speeds(3, 1), Startup: 0.5, Element: 16}, Transposes: transposes,
			Scatter: measured(workloads.Scatter, 1), Alltoall: measured(workloads.Alltoall, 2), Gather: measured(workloads.Gather, 3),
		}
		diff := cmp.Diff([][]workloads.Op{ops(3), ops(1)}, streams(c.Program()))
		expect.That(t, diff == "", "transposes %v: operations differ (-want +got):\n%s", transposes, diff)
	}
}

// TestConvolutionExchange looks at the size of every message of a pairwise
// exchange: n_q rows by n_s columns. The speeds 3, 2, 1 share 6 rows. In the first
// round process q sends to q+1, in the second one to q+2.
func TestConvolutionExchange(t *testing.T) {
	c := algorithm.Convolution{
		Problem: algorithm.Problem{N: 6, Speeds: speeds(3, 2, 1), Element: 16}, Transposes: true,
		Scatter: measured(workloads.Scatter, 1), Alltoall: choices(t, workloads.Alltoall)[0], Gather: measured(workloads.Gather, 3),
	}
	for _, ch := range choices(t, workloads.Alltoall) {
		if how(ch) == "pairwise" {
			c.Alltoall = ch
		}
	}
	for rank, want := range [][]units.Bytes{{6 * 16, 3 * 16}, {2 * 16, 6 * 16}, {3 * 16, 2 * 16}} {
		var got []units.Bytes
		for _, op := range stream(c.Program(), rank) {
			if op.Kind == workloads.Sendrecv {
				got = append(got, op.Size)
			}
		}
		expect.Same(t, got, append(append(want, want...), want...), "process %d: sizes differ", rank)
	}
}

// TestConvolutionProgram runs the program in all variants and checks the totals.
func TestConvolutionProgram(t *testing.T) {
	for _, scatter := range choices(t, workloads.Scatter) {
		for _, alltoall := range choices(t, workloads.Alltoall) {
			for i, gather := range choices(t, workloads.Gather) {
				transposes := i != 1
				t.Run(fmt.Sprintf("%s %s %s transposes=%v", how(scatter), how(alltoall), how(gather), transposes), func(t *testing.T) {
					everywhere(t, 1, 16, func(p algorithm.Problem) error {
						return checkConvolution(algorithm.Convolution{Problem: p, Transposes: transposes,
							Scatter: scatter, Alltoall: alltoall, Gather: gather})
					})
				})
			}
		}
	}
}

// checkConvolution runs the program and compares what was done with closed forms: two
// scatters, three exchanges, in which process s has n_s by n_d elements for process d, and a
// gather. The work is (6 (11 N lg N + 14 lg N) + 21 N) n_q, W(N) split by rows.
func checkConvolution(c algorithm.Convolution) error {
	w, err := run(c.Program(), nil)
	if err != nil {
		return err
	}
	rows := algorithm.Shares(c.N, c.Speeds)
	var tiles []int
	for _, n := range rows {
		tiles = append(tiles, times(16*n, rows)...)
	}
	exchanges := 3
	if !c.Transposes {
		exchanges = 0
	}
	x, lg := float64(c.N), math.Log2(float64(c.N))
	return errors.Join(
		checkTraffic(w, 0, 0, planned{c.Scatter, 2, times(16*c.N, rows)}, planned{c.Alltoall, exchanges, tiles},
			planned{c.Gather, 1, times(16*c.N, rows)}),
		checkRows(w, rows, 66*x*lg+84*lg+21*x, 1e-12),
		checkWork(w, c.Work()+c.SequentialWork()),
		checkStart(w, c.Startup),
	)
}

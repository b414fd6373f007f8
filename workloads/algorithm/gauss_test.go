package algorithm_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// gaussWork is W(n).
func gaussWork(n int) units.Flops {
	return algorithm.Gauss{Problem: algorithm.Problem{N: n}}.Work()
}

// TestGaussWorkIsASum adds up the work of the steps, in whole numbers.
func TestGaussWorkIsASum(t *testing.T) {
	sum := 0 // over r = 0 ... n-2
	for n := 2; n <= 500; n++ {
		r := n - 2
		sum += r * (2*r + 5)
		expect.Equal(t, gaussWork(n), units.Flops(sum), "W(%d)", n)
	}
}

// TestGaussWorkIsExact compares with W(N) = (N-2) (N-1) (4N+9) / 6 in whole
// numbers, up to the order that the documentation promises.
func TestGaussWorkIsExact(t *testing.T) {
	for _, n := range []int{1000, 10007, 99999, 131071, 131072} {
		want := int64(n-2) * int64(n-1) / 2 * int64(4*n+9) / 3
		expect.Equal(t, gaussWork(n), units.Flops(want), "W(%d)", n)
	}
}

// The memory of the other processes equals the data sent to them.
func TestGaussFootprintIsWhatIsSent(t *testing.T) {
	sent := 0
	for _, s := range machines(17) {
		g := algorithm.Gauss{Problem: algorithm.Problem{N: 57, Speeds: s, Element: 8}, Bcast: measured(workloads.Bcast, 1), Barrier: measured(workloads.Barrier, 1)}
		for _, op := range stream(g.Program(), 0) {
			if op.Kind != workloads.Send {
				continue
			}
			sent++
			want := g.Footprints()[op.Peer]
			expect.That(t, op.Size == want, "process %d is sent %v and needs %v", op.Peer, op.Size, want)
		}
	}
	expect.That(t, sent == 2*16, "%d messages from process 0; expected 16 on each of 2 machines", sent)
}

// TestGaussOperations follows both processes of a small system. Process 0 is
// twice as fast: rows 2 and 1 are done at 1/2 and 2/2 there, a tie with 1/1 of
// process 1, and row 0 is for process 1. A row with its element of b is 32
// bytes. The pivot rows have 3 and 2 elements and one of b left. Step 0 has
// r = 1 and costs 1*(2+5) = 7 flop, 3.5 for each of two rows; step 1 has r = 0.
func TestGaussOperations(t *testing.T) {
	g := algorithm.Gauss{
		Problem: algorithm.Problem{N: 3, Speeds: speeds(2, 1), Startup: 0.5, Element: 8},
		Bcast:   measured(workloads.Bcast, 1), Barrier: measured(workloads.Barrier, 2),
	}
	bcast := func(root int32, size units.Bytes) workloads.Op {
		return workloads.Op{Kind: workloads.Measured, Collective: workloads.Bcast, Peer: root, Size: size, Time: 1.25}
	}
	barrier := workloads.Op{Kind: workloads.Measured, Collective: workloads.Barrier, Time: 2.25}
	want := [][]workloads.Op{
		{
			{Kind: workloads.Delay, Time: 1},
			bcast(0, 8),
			{Kind: workloads.Send, Peer: 1, Tag: 1, Size: 32},
			bcast(1, 32),
			{Kind: workloads.Compute, Work: 7},
			barrier,
			bcast(0, 24),
			{Kind: workloads.Compute, Work: 0},
			barrier,
			{Kind: workloads.Recv, Peer: 1, Tag: 2},
			{Kind: workloads.Compute, Work: 9},
		},
		{
			{Kind: workloads.Delay, Time: 1},
			bcast(0, 8),
			{Kind: workloads.Recv, Peer: 0, Tag: 1},
			bcast(1, 32),
			barrier,
			bcast(0, 24),
			barrier,
			{Kind: workloads.Send, Peer: 0, Tag: 2, Size: 32},
		},
	}
	expect.Same(t, streams(g.Program()), want, "operations differ")
}

// checkElimination infers from the work of each computation how many rows it is for. A
// process computes in every step until its last row has been the pivot row, so its
// computation number i is for step i. Its part n_q of m = N-1-i rows is less than a row
// below m C_q/C and at most (p-1) C_q/C above; for equal speeds, a row above. Both bounds
// follow from n_q/C_q <= (n_r+1)/C_r for all q and r, when summed up with the weights C_r
// over all r and over all q. The last step costs nothing, so its rows cannot be inferred.
func checkElimination(g algorithm.Gauss, w *world) error {
	var total float64
	for _, c := range g.Speeds {
		total += float64(c)
	}
	back := 0 // back substitutions
	sum := make([]float64, g.N-1)
	for rank, r := range w.ranks {
		steps := r.of(workloads.Compute)
		if last := len(steps) - 1; rank == 0 {
			if last < 0 || steps[last].Work != units.Flops(g.N*g.N) || r.done[len(r.done)-1] != steps[last] {
				return fmt.Errorf("process 0 ends with %+v; expected the back substitution", r.done[len(r.done)-1])
			}
			back++
			steps = steps[:last]
		}
		if len(steps) > g.N-1 {
			return fmt.Errorf("process %d computes %d times in %d steps", rank, len(steps), g.N-1)
		}
		part := float64(g.Speeds[rank]) / total
		for i := range g.N - 2 {
			left := float64(g.N - 2 - i)
			var rows float64
			if i < len(steps) {
				rows = float64(steps[i].Work) * (left + 1) / (left * (2*left + 5))
			}
			const rounding = 1e-9
			if math.Abs(rows-math.Round(rows)) > rounding {
				return fmt.Errorf("step %d, process %d: %v rows; expected whole ones", i, rank, rows)
			}
			exact := (left + 1) * part
			if rows <= exact-1-rounding || rows > exact+float64(len(g.Speeds)-1)*part+rounding {
				return fmt.Errorf("step %d, process %d: %v rows; in proportion it would be %v", i, rank, rows, exact)
			}
			sum[i] += rows
		}
	}
	for i := range g.N - 2 {
		if got := math.Round(sum[i]); got != float64(g.N-1-i) {
			return fmt.Errorf("step %d works on %v rows; expected %d", i, got, g.N-1-i)
		}
	}
	if back != 1 {
		return fmt.Errorf("%d back substitutions; expected 1", back)
	}
	return nil
}

// TestGaussProgram runs the program in all variants and checks the totals.
func TestGaussProgram(t *testing.T) {
	for _, bcast := range choices(t, workloads.Bcast) {
		for _, barrier := range choices(t, workloads.Barrier) {
			t.Run(how(bcast)+" "+how(barrier), func(t *testing.T) {
				everywhere(t, 2, 8, func(p algorithm.Problem) error {
					return checkGauss(algorithm.Gauss{Problem: p, Bcast: bcast, Barrier: barrier})
				})
			})
		}
	}
}

// checkGauss runs the program and compares what was done with closed forms.
//
//	messages: out and back for each other process, 2 (p-1), N+1 numbers for each row of
//	          the others; N broadcasts: 1 number, and the pivot rows of N+1, N, ... 3
//	          numbers; N-1 barriers
func checkGauss(g algorithm.Gauss) error {
	w, err := run(g.Program(), nil)
	if err != nil {
		return err
	}
	p, n := len(g.Speeds), g.N
	others := n - counts(algorithm.Cyclic(n, g.Speeds), p)[0]
	calls := []planned{{g.Barrier, n - 1, nil}}
	for numbers := n + 1; numbers >= 1; numbers-- {
		if numbers != 2 {
			calls = append(calls, planned{g.Bcast, 1, []int{8 * numbers}})
		}
	}
	return errors.Join(
		checkTraffic(w, 2*(p-1), 8*2*others*(n+1), calls...),
		checkWork(w, g.Work()+g.SequentialWork()),
		checkStart(w, g.Startup),
		checkElimination(g, w),
	)
}

package algorithm_test

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// delays adds up the delays of all ranks.
func delays(p workloads.Program) (sum float64) {
	for _, ops := range streams(p) {
		for _, op := range ops {
			if op.Kind == workloads.Delay {
				sum += float64(op.Time)
			}
		}
	}
	return sum
}

// TestHPLCopies counts the numbers that each function copies, at 1 s for a number.
//
// In a binary exchange among P = 2^h processes, process d > 0 gets U in step k, where
// 2^k is the highest bit of d, and has 2^k shares by then, which it puts into U
// (dlaswp04). So 2^k processes do in step k. Everything that it gets in later steps it
// puts there, too, P - 2^(k+1) shares, and process 0 puts P-1 shares (dlaswp03).
func TestHPLCopies(t *testing.T) {
	const n, nb = 40, 4
	for _, tt := range []struct {
		p, q         int
		into3, into4 float64 // shares in one column of the grid
	}{
		{1, 3, 0, 0},
		{2, 2, 1, 1},
		{4, 3, 3 + 1*2, 1 + 2*2},
		{8, 2, 7 + 1*6 + 2*4, 1 + 2*2 + 4*4},
		// Process 2 gives its share to 0, which puts it into U, and so it does with that of 1.
		{3, 2, 2, 1},
		// Processes 4 and 5 give their shares to 0 and 1. 0: 1 of 4, 2 of 1, 2 of 3 and 2. 1: own 2,
		// 2 of 3 and 2. 2 and 3: own 2 with that of the other.
		{6, 2, 5 + 2, 2 + 2*2},
	} {
		var u, panels float64 // numbers of U in all columns of the grid; of panels below their first rows
		for s := 0; s < n; s += nb {
			b := min(nb, n-s)
			u += float64(b * (n + 1 - s - b))
			panels += float64(b * (n - s - b))
		}
		p := float64(tt.p)
		all := u
		if tt.p == 1 {
			all = 0 // rows are swapped within the process
		}
		if tt.q == 1 {
			panels = 0
		}
		for _, c := range []struct {
			name  string
			times algorithm.CopyTimes
			want  float64
		}{
			{"dlaswp01", algorithm.CopyTimes{Dlaswp01: 1}, all * (1 + 1/p)},
			{"dlaswp02", algorithm.CopyTimes{Dlaswp02: 1}, all * (p - 1) / p},
			{"dlaswp03", algorithm.CopyTimes{Dlaswp03: 1}, all * tt.into3 / p},
			{"dlaswp04", algorithm.CopyTimes{Dlaswp04: 1}, all * tt.into4 / p},
			{"dlatcpy", algorithm.CopyTimes{Dlatcpy: 1}, all},
			{"dlacpy", algorithm.CopyTimes{Dlacpy: 1}, panels},
		} {
			for depth := range 2 {
				h := linpack(n, nb, tt.p, tt.q)
				h.Depth, h.Copies = depth, c.times
				expect.Close(t, delays(h.Program()), c.want, 1e-9,
					"%d x %d, depth %d, %s: numbers", tt.p, tt.q, depth, c.name)
			}
		}
	}
}

// TestHPLCopiesNotNeeded expects no copy of panels that are not sent, and none of
// rows in the swap long.
func TestHPLCopiesNotNeeded(t *testing.T) {
	h := linpack(40, 4, 3, 1)
	h.Copies.Dlacpy = 1
	expect.Equal(t, delays(h.Program()), 0, "one column of processes")
	h.Columns, h.Speeds, h.Swap = 2, linpack(1, 1, 3, 2).Speeds, "long"
	h.Copies = algorithm.CopyTimes{Dlaswp01: 1, Dlaswp02: 1, Dlaswp03: 1, Dlaswp04: 1}
	expect.Equal(t, delays(h.Program()), 0, "long")
}

// TestHPLSolveEfficiency expects the work of solving for U twice at half the speed.
func TestHPLSolveEfficiency(t *testing.T) {
	const n, nb, p = 30, 4, 3
	h := linpack(n, nb, p, 2)
	work := func() float64 {
		w, err := run(h.Program(), nil)
		check(t, "run", err)
		return float64(w.work())
	}
	before := work()
	h.SolveEfficiency = 0.5
	solving := 0.0
	for s := 0; s < n; s += nb {
		b := min(nb, n-s)
		solving += float64(p * b * (b - 1) * (n + 1 - s - b))
	}
	more := work() - before
	expect.That(t, math.Abs(more-solving) <= 1e-9*solving, "%v flop more; expected %v", more, solving)
}

// updates returns how many times as long as without deviation the updates take of a
// program on one process with panels of one column: there, no flop are for U.
func updates(n, depth int, deviation float64, seed int64) (times []float64) {
	h := linpack(n, 1, 1, 1)
	h.Depth = depth
	without := stream(h.Program(), 0)
	h.Deviation, h.Seed = deviation, seed
	for i, op := range stream(h.Program(), 0) {
		if ratio := float64(op.Work / without[i].Work); ratio != 1 {
			times = append(times, ratio)
		}
	}
	return times
}

// TestHPLDeviation compares the times of calls with the half-normal distribution:
// mean 1, the given standard deviation, and P(time < x) = erf(z/sqrt 2), where
// z = sqrt(2/pi) + (x-1) sqrt(1-2/pi) / deviation.
func TestHPLDeviation(t *testing.T) {
	const n, deviation = 4001, 0.037
	x := updates(n, 0, deviation, 7)
	if len(x) != n-1 { // the last panel leaves nothing but the right side, which has no rows
		t.Fatalf("%d of %d updates vary", len(x), n-1)
	}
	slices.Sort(x)
	var sum, squares, distance float64
	for i, v := range x {
		sum += v
		squares += (v - 1) * (v - 1)
		z := math.Sqrt(2/math.Pi) + (v-1)*math.Sqrt(1-2/math.Pi)/deviation
		distance = max(distance, math.Abs(math.Erf(z/math.Sqrt2)-(float64(i)+0.5)/float64(len(x))))
	}
	m := float64(len(x))
	expect.Near(t, sum/m, 1, 3*deviation/math.Sqrt(m), "mean")
	expect.Close(t, math.Sqrt(squares/m), deviation, 0.05, "standard deviation")
	if distance > 1.63/math.Sqrt(m) { // Kolmogorov and Smirnov, 1 %
		t.Errorf("distance %v from the half-normal distribution; expected at most %v", distance, 1.63/math.Sqrt(m))
	}
	least := 1 - deviation*math.Sqrt(2/math.Pi)/math.Sqrt(1-2/math.Pi)
	expect.That(t, x[0] >= least && x[0] <= least+0.001, "shortest call %v; expected just above %v", x[0], least)
}

// TestHPLDeviationDraws expects the same draws with the same seed, others with another,
// and other ones for each rank and round.
func TestHPLDeviationDraws(t *testing.T) {
	a, b, c := updates(50, 1, 0.1, 1), updates(50, 1, 0.1, 1), updates(50, 1, 0.1, 2)
	expect.That(t, slices.Equal(a, b), "the same seed gives other times")
	expect.That(t, !slices.Equal(a, c), "another seed gives the same times")
	slices.Sort(a)
	expect.That(t, len(slices.Compact(a)) == len(a), "two updates take equally long")
	// Blocks of equal size: ranks differ by their draws alone.
	h := linpack(16, 4, 2, 2)
	h.Deviation = 0.1
	seen := map[units.Flops]bool{}
	for _, ops := range streams(h.Program()) {
		var most units.Flops
		for _, op := range ops {
			most = max(most, op.Work)
		}
		seen[most] = true
	}
	expect.That(t, len(seen) >= 4, "%d different times of the longest computation of 4 ranks", len(seen))
}

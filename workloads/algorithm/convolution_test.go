package algorithm_test

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// TestConvolutionWorkAsPrinted has the values of [Chen2008] Table 10, three of
// them to two digits.
func TestConvolutionWorkAsPrinted(t *testing.T) {
	for _, tt := range []struct {
		n            int
		want, within float64
	}{
		{145, 10492177, 0.5}, {270, 40574873, 0.5}, {545, 1.8e8, 0.05e8}, {1160, 9.3e8, 0.05e8}, {2030, 3.1e9, 0.05e9},
		{1, 21, 0}, // lg 1 = 0
	} {
		if got := float64((algorithm.Convolution{Problem: algorithm.Problem{N: tt.n}}).Work()); math.Abs(got-tt.want) > tt.within {
			t.Errorf("W(%d) = %v; expected %v", tt.n, got, tt.want)
		}
	}
}

// Of 4 rows process 1 has one, of 4*16 bytes in each of two images and in the
// result. Process 0 has three whole images.
func TestConvolutionFootprint(t *testing.T) {
	c := algorithm.Convolution{Problem: algorithm.Problem{N: 4, Speeds: speeds(3, 1), Element: 16}}
	if diff := cmp.Diff([]units.Bytes{3 * 256, 3 * 64}, c.Footprints()); diff != "" {
		t.Errorf("memory differs (-want +got):\n%s", diff)
	}
}

// Among 4 processes the start takes 4*0.5, each of two scatters 1000 + 1600, the
// gather 5000 + 1600, each of three exchanges 70000 + 1600.
func TestConvolutionOverhead(t *testing.T) {
	for _, tt := range []struct {
		speeds     []units.FlopsPerSecond
		transposes bool
		want       units.Seconds
	}{
		{speeds(4, 3, 2, 1), true, 2 + 2*2600 + 3*71600 + 6600},
		{speeds(4, 3, 2, 1), false, 2 + 2*2600 + 6600},
		{speeds(4), true, 0.5},
	} {
		c := algorithm.Convolution{Problem: algorithm.Problem{N: 10, Speeds: tt.speeds, Startup: 0.5, Element: 16}, Transposes: tt.transposes}
		if got := c.Overhead(costs{}); got != tt.want {
			t.Errorf("%d processes, transposes %v: %v s; expected %v s", len(tt.speeds), tt.transposes, float64(got), float64(tt.want))
		}
	}
}

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
		if diff := cmp.Diff([][]workloads.Op{ops(3), ops(1)}, streams(c.Program())); diff != "" {
			t.Errorf("transposes %v: operations differ (-want +got):\n%s", transposes, diff)
		}
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
		if diff := cmp.Diff(append(append(want, want...), want...), got); diff != "" {
			t.Errorf("process %d: sizes differ (-want +got):\n%s", rank, diff)
		}
	}
}

// TestConvolutionProgram runs the program in all variants and checks the totals.
func TestConvolutionProgram(t *testing.T) {
	for _, scatter := range choices(t, workloads.Scatter) {
		for _, alltoall := range choices(t, workloads.Alltoall) {
			for i, gather := range choices(t, workloads.Gather) {
				transposes := i != 1
				t.Run(fmt.Sprintf("%s %s %s transposes=%v", how(scatter), how(alltoall), how(gather), transposes), func(t *testing.T) {
					for _, p := range processes {
						for _, n := range append([]int{1}, orders...) {
							for i, s := range machines(p) {
								c := algorithm.Convolution{Problem: algorithm.Problem{N: n, Speeds: s, Startup: units.Seconds(i) / 4, Element: 16}, Transposes: transposes,
									Scatter: scatter, Alltoall: alltoall, Gather: gather}
								if err := checkConvolution(c); err != nil {
									t.Fatalf("n = %d, speeds %v: %v", n, s, err)
								}
							}
						}
					}
				})
			}
		}
	}
}

// Whatever the size and the speeds, a run ends with all that it should have done.
func TestConvolutionProperties(t *testing.T) {
	scatters, alltoalls, gathers := choices(t, workloads.Scatter), choices(t, workloads.Alltoall), choices(t, workloads.Gather)
	rapid.Check(t, func(t *rapid.T) {
		c := algorithm.Convolution{
			Problem:    algorithm.Problem{N: rapid.IntRange(1, 300).Draw(t, "n"), Speeds: speeds(wholeSpeeds(t)...), Element: 16},
			Transposes: rapid.Bool().Draw(t, "transposes"),
			Scatter:    rapid.SampledFrom(scatters).Draw(t, "scatter"),
			Alltoall:   rapid.SampledFrom(alltoalls).Draw(t, "alltoall"),
			Gather:     rapid.SampledFrom(gathers).Draw(t, "gather"),
		}
		if err := checkConvolution(c); err != nil {
			t.Fatal(err)
		}
	})
}

// checkConvolution runs the program and compares what was done with closed forms.
//
//	messages: p-1 for each of two scatters and a gather by an algorithm; for each
//	          of three exchanges p (p-1), or p ceil(log2 p) by Bruck's algorithm
//	bytes:    the rows of process q once in a flat scatter or gather, once for
//	          each set bit of q in a binomial one; in an exchange a block of n_s
//	          by n_d elements once, or once for each set bit of d - s mod p
//	work:     (6 (11 N lg N + 14 lg N) + 21 N) n_q, W(N) split by rows
//
// Among one process there is no communication.
func checkConvolution(c algorithm.Convolution) error {
	w, err := run(c.Program(), nil)
	if err != nil {
		return err
	}
	p, n := len(c.Speeds), c.N
	rows := algorithm.Shares(n, c.Speeds)
	messages, size := 0, 0
	for _, ch := range c.Choices() {
		times := map[workloads.Collective]int{workloads.Scatter: 2, workloads.Alltoall: 3, workloads.Gather: 1}[ch.Operation]
		if p == 1 || ch.Operation == workloads.Alltoall && !c.Transposes {
			times = 0
		}
		calls := 0
		if ch.Cost != nil {
			calls = times
		}
		if got := w.called(ch.Operation); got != calls {
			return fmt.Errorf("%d measured calls of %v; expected %d", got, ch.Operation, calls)
		}
		if ch.Cost != nil {
			continue
		}
		if ch.Operation != workloads.Alltoall {
			messages += times * (p - 1)
			for q := 1; q < p; q++ {
				travels := 1
				if how(ch) == "binomial" {
					travels = bits.OnesCount(uint(q))
				}
				size += times * 16 * n * rows[q] * travels
			}
			continue
		}
		each := p * (p - 1)
		if how(ch) == "bruck" {
			each = p * bits.Len(uint(p-1))
		}
		messages += times * each
		for s := range p {
			for d := range p {
				travels := 1
				if how(ch) == "bruck" {
					travels = bits.OnesCount(uint((d - s + p) % p))
				}
				if d != s {
					size += times * 16 * rows[s] * rows[d] * travels
				}
			}
		}
	}
	if w.messages != messages || w.size != units.Bytes(size) {
		return fmt.Errorf("%d messages of %v byte; expected %d of %d", w.messages, float64(w.size), messages, size)
	}
	for rank, r := range w.ranks {
		var work float64
		for _, op := range r.of(workloads.Compute) {
			work += float64(op.Work)
		}
		x := float64(n)
		want := float64(rows[rank]) * (66*x*math.Log2(x) + 84*math.Log2(x) + 21*x)
		if math.Abs(work-want) > 1e-12*want {
			return fmt.Errorf("work of process %d is %v flop; expected %v for %d rows", rank, work, want, rows[rank])
		}
	}
	if err := checkWork(w, c.Work()+c.SequentialWork()); err != nil {
		return err
	}
	return checkStart(w, c.Startup)
}

// TestValidateConvolution does not repeat what all algorithms have in common.
func TestValidateConvolution(t *testing.T) {
	good := algorithm.Convolution{
		Problem: algorithm.Problem{N: 1, Speeds: speeds(1), Element: 16},
		Scatter: measured(workloads.Scatter, 1), Alltoall: measured(workloads.Alltoall, 1), Gather: measured(workloads.Gather, 1),
	}
	check(t, "good", good.Validate())
	for _, tt := range []struct {
		name  string
		spoil func(*algorithm.Convolution)
		want  []string
	}{
		{"order too small", func(c *algorithm.Convolution) { c.N = 0 }, []string{"convolution: n is 0; expected 1 to 1073741824"}},
		{"speed", func(c *algorithm.Convolution) { c.Speeds = speeds(0) }, []string{"convolution: marked speed of process 0"}},
		{"scatter", func(c *algorithm.Convolution) { c.Scatter = c.Gather }, []string{"convolution: choice for gather where one for scatter is needed"}},
		{"exchange", func(c *algorithm.Convolution) { c.Alltoall = c.Gather }, []string{"convolution: choice for gather where one for alltoall is needed"}},
		{"gather", func(c *algorithm.Convolution) { c.Gather = c.Scatter }, []string{"convolution: choice for scatter where one for gather is needed"}},
		{"everything", func(c *algorithm.Convolution) { *c = algorithm.Convolution{Problem: algorithm.Problem{Startup: -1}} },
			[]string{"n is 0", "no processes", "startup is", "element is", "one for scatter is needed", "one for alltoall is needed", "one for gather is needed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := good
			tt.spoil(&bad)
			check(t, tt.name, bad.Validate(), tt.want...)
		})
	}
}

package algorithm_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// TestMatMulWorkAsPrinted has the values of [Chen2008] Table 8.
func TestMatMulWorkAsPrinted(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want units.Flops
	}{{165, 8984250}, {255, 33162750}} {
		if got := (algorithm.MatMul{Problem: algorithm.Problem{N: tt.n}}).Work(); got != tt.want {
			t.Errorf("W(%d) = %v; expected %v", tt.n, float64(got), float64(tt.want))
		}
	}
}

// Of 4 rows process 1 has 4/3, one row. With its rows of A and C and with B
// that is 1 + 1 + 4 rows of 4*8 bytes; process 0 has three whole matrices.
func TestMatMulFootprint(t *testing.T) {
	m := algorithm.MatMul{Problem: algorithm.Problem{N: 4, Speeds: speeds(2, 1), Element: 8}}
	for rank, want := range []units.Bytes{3 * 128, 6 * 32} {
		if got := m.Footprints()[rank]; got != want {
			t.Errorf("process %d needs %v; expected %v", rank, got, want)
		}
	}
}

// Among 4 processes the start takes 4*0.5, and each of the three operations
// moves a matrix of 800 bytes. Alone, there is the start only.
func TestMatMulOverhead(t *testing.T) {
	m := algorithm.MatMul{Problem: algorithm.Problem{N: 10, Startup: 0.5, Element: 8}}
	for _, tt := range []struct {
		speeds []units.FlopsPerSecond
		want   units.Seconds
	}{
		{speeds(4, 3, 2, 1), 2 + 1800 + 810 + 5800},
		{speeds(4), 0.5},
	} {
		m.Speeds = tt.speeds
		if got := m.Overhead(costs{}); got != tt.want {
			t.Errorf("%d processes: %v s; expected %v s", len(m.Speeds), float64(got), float64(tt.want))
		}
	}
}

// TestMatMulOperations follows both processes of a small system: 3 and 1 of 4
// rows, each of 2*4^2 = 32 flop. A measured scatter and gather move all of A
// and C, 128 bytes each.
func TestMatMulOperations(t *testing.T) {
	m := algorithm.MatMul{
		Problem: algorithm.Problem{N: 4, Speeds: speeds(2, 1), Startup: 0.5, Element: 8},
		Scatter: measured(workloads.Scatter, 1), Bcast: measured(workloads.Bcast, 2), Gather: measured(workloads.Gather, 3),
	}
	call := func(op workloads.Collective, time units.Seconds) workloads.Op {
		return workloads.Op{Kind: workloads.Measured, Collective: op, Size: 128, Time: time}
	}
	ops := func(work units.Flops) []workloads.Op {
		return []workloads.Op{
			{Kind: workloads.Delay, Time: 1},
			call(workloads.Scatter, 1.25),
			call(workloads.Bcast, 2.25),
			{Kind: workloads.Compute, Work: work},
			call(workloads.Gather, 3.25),
		}
	}
	if diff := cmp.Diff([][]workloads.Op{ops(96), ops(32)}, streams(m.Program())); diff != "" {
		t.Errorf("operations differ (-want +got):\n%s", diff)
	}
}

// TestMatMulProgram runs the program in all variants and checks the totals.
func TestMatMulProgram(t *testing.T) {
	for _, scatter := range choices(t, workloads.Scatter) {
		for _, bcast := range choices(t, workloads.Bcast) {
			for _, gather := range choices(t, workloads.Gather) {
				t.Run(how(scatter)+" "+how(bcast)+" "+how(gather), func(t *testing.T) {
					for _, p := range processes {
						for _, n := range append([]int{1}, orders...) {
							for i, s := range machines(p) {
								m := algorithm.MatMul{Problem: algorithm.Problem{N: n, Speeds: s, Startup: units.Seconds(i) / 4, Element: 8}, Scatter: scatter, Bcast: bcast, Gather: gather}
								w, err := run(m.Program(), nil)
								if err == nil {
									err = checkMatMul(m, w)
								}
								if err != nil {
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

// checkMatMul compares what was done with closed forms. An algorithm for scatter
// or gather sends p-1 messages. In a flat one the rows of process q travel once,
// in a binomial one as many times as q has set bits. See broadcast for the
// matrix B. Among one process there is no communication.
func checkMatMul(m algorithm.MatMul, w *world) error {
	p, n := len(m.Speeds), m.N
	rows := algorithm.Shares(n, m.Speeds)
	messages, size := 0, 0
	for _, ch := range []collective.Choice{m.Scatter, m.Bcast, m.Gather} {
		measured := 0
		if ch.Cost != nil && p > 1 {
			measured = 1
		}
		if got := w.called(ch.Operation); got != measured {
			return fmt.Errorf("%d measured calls of %v; expected %d", got, ch.Operation, measured)
		}
		if ch.Cost != nil {
			continue
		}
		if ch.Operation == workloads.Bcast {
			sent, moved := broadcast(ch.Algorithm.Name(), p, 8*n*n)
			messages += sent
			size += moved
			continue
		}
		messages += p - 1
		for q := 1; q < p; q++ {
			if ch.Algorithm.Name() == "flat" {
				size += 8 * n * rows[q]
			} else {
				size += 8 * n * rows[q] * bits.OnesCount(uint(q))
			}
		}
	}
	if w.messages != messages || w.size != units.Bytes(size) {
		return fmt.Errorf("%d messages of %v byte; expected %d of %d", w.messages, float64(w.size), messages, size)
	}
	for rank, r := range w.ranks {
		var work units.Flops
		for _, op := range r.of(workloads.Compute) {
			work += op.Work
		}
		if want := units.Flops(2 * rows[rank] * n * n); work != want {
			return fmt.Errorf("work of process %d is %v flop; expected %v for %d rows", rank, float64(work), float64(want), rows[rank])
		}
	}
	if err := checkWork(w, m.Work()+m.SequentialWork()); err != nil {
		return err
	}
	return checkStart(w, m.Startup)
}

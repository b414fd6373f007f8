package algorithm_test

import (
	"errors"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

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
	expect.Same(t, streams(m.Program()), [][]workloads.Op{ops(96), ops(32)}, "operations differ")
}

// TestMatMulProgram runs the program in all variants and checks the totals.
func TestMatMulProgram(t *testing.T) {
	for _, scatter := range choices(t, workloads.Scatter) {
		for _, bcast := range choices(t, workloads.Bcast) {
			for _, gather := range choices(t, workloads.Gather) {
				t.Run(how(scatter)+" "+how(bcast)+" "+how(gather), func(t *testing.T) {
					everywhere(t, 1, 8, func(p algorithm.Problem) error {
						m := algorithm.MatMul{Problem: p, Scatter: scatter, Bcast: bcast, Gather: gather}
						w, err := run(m.Program(), nil)
						if err != nil {
							return err
						}
						n, rows := m.N, algorithm.Shares(m.N, m.Speeds)
						return errors.Join(
							checkTraffic(w, 0, 0, planned{scatter, 1, times(8*n, rows)}, planned{bcast, 1, []int{8 * n * n}},
								planned{gather, 1, times(8*n, rows)}),
							checkRows(w, rows, float64(2*n*n), 0),
							checkWork(w, m.Work()+m.SequentialWork()),
							checkStart(w, m.Startup),
						)
					})
				})
			}
		}
	}
}

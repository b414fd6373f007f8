package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// engine returns the time of Floyd's algorithm with whole rows on slow and fast
// processors, where each message of a broadcast costs its sender one fitted step
// and nothing else.
//
// The step is an overhead and not a latency, so that the broadcasts of successive
// rows do not overlap, as in the formulas of the paper.
func (b *bosqueData) engine(ctx context.Context, n, slow, fast int) (float64, error) {
	const cellWork = 1 // speeds are in cells/s
	speeds := slices.Concat(
		slices.Repeat([]units.FlopsPerSecond{units.FlopsPerSecond(b.slow)}, slow),
		slices.Repeat([]units.FlopsPerSecond{units.FlopsPerSecond(b.fast)}, fast))
	floyd := algorithm.Floyd{Problem: algorithm.Problem{N: n, Speeds: speeds, Element: 4}, CellWork: cellWork,
		Bcast: chosen(workloads.Bcast, "binomial")}
	if err := floyd.Validate(); err != nil {
		return 0, err
	}
	result, err := sim.Run(ctx, sim.Config{
		Program: floyd.Program(),
		Network: network.Hockney{SendOverhead: units.Seconds(b.step), Bandwidth: math.MaxFloat64, EagerLimit: units.Bytes(math.Inf(1))},
		Rates:   speeds,
	})
	if err != nil {
		return 0, err
	}
	return float64(result.Makespan), nil
}

// simulated adds the results of the engine to the table of whole rows.
func (b *bosqueData) simulated(ctx context.Context, t *Table) error {
	s := b.sizes
	for i := range s.Rows {
		p, power, n := s.Value(i, "P"), s.Value(i, "P_T"), s.Value(i, "N")
		time, err := b.engine(ctx, int(n), 2, int(p)-2)
		if err != nil {
			return err
		}
		ours := bosqueEfficiency(n, power, time-n*n*n/power)
		t.Cells = append(t.Cells, Compare(fmt.Sprintf("P=%v", p), s.Header("eps"), s.Printed(i, "eps"), ours, Fitted).As("by the engine"))
	}
	return nil
}

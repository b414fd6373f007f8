package recorded

import (
	"context"
	"errors"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Measured is what a trace says about the recorded run.
type Measured struct {
	Length   units.Seconds
	Useful   []units.Seconds // for which each rank computed
	Messages int64
	Bytes    units.Bytes
}

// Factors returns the efficiencies of the recorded run, and its length on a network
// that costs nothing. It reads all steps of the trace and closes it.
func Factors(ctx context.Context, t Trace) (f scalability.Factors, ideal units.Seconds, err error) {
	const unit = 1 // flop/s; any speed gives computations of the recorded lengths
	p := NewProgram(t, unit)
	res, err := sim.Run(ctx, sim.Config{Program: p, Network: network.Ideal{}, Ranks: true,
		Rates: slices.Repeat([]units.FlopsPerSecond{unit}, t.Ranks())})
	if wrong := p.Close(); wrong != nil {
		err = wrong
	}
	if err != nil {
		return f, 0, err
	}
	longest, m := units.Seconds(0), t.Measured()
	longest = each.Max(longest, res.Ranks, func(r sim.RankResult) units.Seconds { return r.Compute })
	if longest == 0 || slices.Max(m.Useful) == 0 || m.Length == 0 {
		return f, res.Makespan, ErrIdle
	}
	f, err = scalability.ParallelFactors(m.Useful, m.Length, longest, res.Makespan)
	return f, res.Makespan, err
}

// ErrIdle says that no rank computes, so that there are no efficiencies.
var ErrIdle = errors.New("no rank computes")

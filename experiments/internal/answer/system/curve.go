package system

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// Curve is the speed-efficiency of a system over the problem size. It is simulated
// where it is asked for and remembered, so that no size is simulated twice.
type Curve struct {
	System *System
	points map[int]*Simulation
	events int64
	step   int // sizes that the workload can run at are its multiples
	most   int // largest of them that a search may try; 0: any
}

// NewCurve returns the curve of a system.
func NewCurve(s *System) *Curve { return &Curve{System: s, points: map[int]*Simulation{}, step: 1} }

// At returns the simulation of problem size n.
func (c *Curve) At(ctx context.Context, n int) (*Simulation, error) {
	if x, ok := c.points[n]; ok {
		return x, nil
	}
	x, err := c.System.Simulate(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("n = %d: %w", n, err)
	}
	c.points[n] = x
	c.events += x.Events
	return x, nil
}

// Near returns the simulation of the smallest problem size from n on that the workload can run at, or of the
// largest in a range where [Curve.Hold] searches.
func (c *Curve) Near(ctx context.Context, n int) (*Simulation, error) {
	n = c.step * ((n + c.step - 1) / c.step)
	if c.most > 0 {
		n = min(n, c.most)
	}
	return c.At(ctx, n)
}

// Hold returns the simulation that holds a speed-efficiency, as [hold.Search] finds it.
func (c *Curve) Hold(ctx context.Context, target float64, sizes scenario.SizeRange) (*Simulation, error) {
	if a, ok := c.System.Algorithm(sizes.From).(interface{ Step() int }); ok {
		c.step = a.Step()
	}
	to := sizes.To / c.step * c.step
	if to < sizes.From {
		return nil, fmt.Errorf("no size from %d to %d is a multiple of %d, as the workload needs here", sizes.From, sizes.To, c.step)
	}
	c.most = to
	n, err := hold.Search(target, c.step*((sizes.From+c.step-1)/c.step), to, c.efficiency(ctx))
	if err != nil {
		return nil, err
	}
	return c.Near(ctx, n)
}

// Between is Hold where the efficiency is below the target at low and reaches it at
// high, as [hold.Bisect] finds it.
func (c *Curve) Between(ctx context.Context, target float64, low, high *Simulation) (*Simulation, error) {
	n, err := hold.Bisect(target, low.N, high.N, c.efficiency(ctx))
	if err != nil {
		return nil, err
	}
	return c.Near(ctx, n)
}

func (c *Curve) efficiency(ctx context.Context) func(n int) (float64, error) {
	return func(n int) (float64, error) {
		x, err := c.Near(ctx, n)
		if err == nil && x.Work == 0 {
			err = fmt.Errorf("n = %d: the workload performs no work, so it has no speed-efficiency", n)
		}
		if err != nil {
			return 0, err
		}
		return x.SpeedEfficiency, nil
	}
}

// Points returns what has been simulated so far, by problem size.
func (c *Curve) Points() []*Simulation {
	all := make([]*Simulation, 0, len(c.points))
	for _, x := range c.points {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b *Simulation) int { return cmp.Compare(a.N, b.N) })
	return all
}

// Effort returns how many simulations there were so far, and their events.
func (c *Curve) Effort() (simulations int, events int64) { return len(c.points), c.events }

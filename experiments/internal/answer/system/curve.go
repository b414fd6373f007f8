package system

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Curve is the speed-efficiency of a system over the problem size. It is simulated at
// the sizes that are asked for, and each size only once.
type Curve struct {
	System *System
	points map[int]*Simulation // that were asked for
	made   map[int]*Simulation
	events int64
	step   int // the workload can run only at multiples of step
	most   int // the largest multiple that a search may try; 0: any
}

func NewCurve(s *System) *Curve {
	return &Curve{s, map[int]*Simulation{}, map[int]*Simulation{}, 0, 1, 0}
}

// Anew returns the curve without points. What has been simulated is not simulated again.
func (c *Curve) Anew() *Curve {
	return &Curve{c.System, map[int]*Simulation{}, c.made, c.events, c.step, c.most}
}

// At returns the simulation of problem size n.
func (c *Curve) At(ctx context.Context, n int) (*Simulation, error) {
	if x, ok := c.made[n]; ok {
		c.points[n] = x
		return x, nil
	}
	x, err := c.System.Simulate(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("n = %d: %w", n, err)
	}
	c.points[n], c.made[n] = x, x
	c.events += x.Events
	return x, nil
}

// Near returns the simulation of the smallest problem size from n on that the workload can run at, but at most
// of the largest that a search may try.
func (c *Curve) Near(ctx context.Context, n int) (*Simulation, error) {
	n = c.step * ((n + c.step - 1) / c.step)
	if c.most > 0 {
		n = min(n, c.most)
	}
	return c.At(ctx, n)
}

// Limit is the speed-efficiency of computations alone, whatever their size.
func (s *System) Limit() float64 {
	const w = 1 // flop
	return w / float64(s.BalancedTime(w)) / float64(s.Placement.MarkedSpeed())
}

// OneLaw reports whether messages and collective operations follow one law at all sizes: none is sent or carried out in
// another way because it is larger. For applications and devices that is not known, and the answer is false.
func (x *Simulation) OneLaw() bool {
	s := x.System
	devices, _ := s.Placement.Devices()
	net := s.Transport.Network
	one := devices == 0 && net != nil && net.Rendezvous(1) == net.Rendezvous(network.NoLimit/2)
	look := s.Workload.Choosing(func(c collective.Choice) collective.Choice {
		switch c.Algorithm.(type) {
		case collective.Divider, interface{ Otherwise() collective.Algorithm }:
			one = false
		}
		one = one && c.Rules == nil
		return c
	})
	a := look.Build(x.N, s.Speeds, s.seed)
	look.Program(a, s.Placement)
	return one && application.Of(a) == nil
}

// Hold simulates a scenario at the problem size of the usual range that holds a speed-efficiency.
func Hold(ctx context.Context, s *scenario.Scenario, target float64) (*Simulation, error) {
	sys, err := New(s)
	if err != nil {
		return nil, err
	}
	return NewCurve(sys).Hold(ctx, target, scenario.UsualSizes)
}

// Hold returns the simulation that holds a speed-efficiency, after few others if the curve is smooth.
func (c *Curve) Hold(ctx context.Context, target float64, sizes scenario.SizeRange) (*Simulation, error) {
	if x := c.Extrapolate(ctx, target, sizes); x != nil {
		return x, nil
	}
	return c.Search(ctx, target, sizes)
}

// Extrapolate is Hold by [hold.Extrapolate]; it returns nil if that finds no size.
func (c *Curve) Extrapolate(ctx context.Context, target float64, sizes scenario.SizeRange, besides ...int) *Simulation {
	if _, steps := c.System.Algorithm(sizes.From).(interface{ Step() int }); steps {
		return nil
	}
	n, ok := hold.Extrapolate(target, c.System.Limit(), sizes.From, sizes.To, c.efficiency(ctx), besides...)
	if !ok {
		return nil
	}
	return c.made[n]
}

// Search is Hold by [hold.Search].
func (c *Curve) Search(ctx context.Context, target float64, sizes scenario.SizeRange) (*Simulation, error) {
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

// Between is Search by [hold.Bisect] between two simulations: the efficiency is below the
// target at low and reaches it at high.
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

// Points returns the simulations that were asked for so far, by problem size.
func (c *Curve) Points() []*Simulation {
	all := slices.Collect(maps.Values(c.points))
	slices.SortFunc(all, func(a, b *Simulation) int { return cmp.Compare(a.N, b.N) })
	return all
}

// Effort returns the number of simulations so far and of their events.
func (c *Curve) Effort() (simulations int, events int64) { return len(c.made), c.events }

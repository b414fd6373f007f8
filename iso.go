package isoscale

import (
	"context"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/model/units"
)

// IsoPoint is the problem size at which a system reaches a speed-efficiency.
type IsoPoint struct {
	N           int
	Time        Seconds
	Work        Flops                // W, computed by the ranks
	MarkedSpeed units.FlopsPerSecond // C, of all processes
	Efficiency  float64              // E_s = W/(T C)
	// Psi is the isospeed-efficiency scalability from the previous system,
	//
	//	psi(C, C') = C' W / (C W')
	//
	// [Chen2008] Definition 3; 0 for the first system.
	Psi float64
}

// Iso returns for each system the smallest problem size from 1 to largest at which it
// reaches the speed-efficiency target, between 0 and 1. Systems must be in ascending
// order of marked speed. A system is given by its simulation of size n; the work is
// what the ranks compute there. The efficiency must grow with n.
func Iso(ctx context.Context, target float64, largest int, systems ...func(n int) Simulation) ([]IsoPoint, error) {
	if !(target > 0 && target < 1) {
		return nil, fmt.Errorf("isoscale: target efficiency %g; expected a number above 0 and below 1", target)
	}
	if largest < 1 {
		return nil, fmt.Errorf("isoscale: largest size %d; expected at least 1", largest)
	}
	if len(systems) == 0 {
		return nil, errors.New("isoscale: no systems; expected at least one")
	}
	var points []IsoPoint
	for i, at := range systems {
		known := map[int]IsoPoint{}
		efficiency := func(n int) (float64, error) {
			p, ok := known[n]
			if !ok {
				var err error
				if p, err = measure(ctx, at(n), n); err != nil {
					return 0, err
				}
				known[n] = p
			}
			return p.Efficiency, nil
		}
		n, err := experiments.SmallestSize(target, largest, efficiency)
		if err != nil {
			return nil, fmt.Errorf("isoscale: system %d: %w", i, err)
		}
		p := known[n]
		if i > 0 {
			before := points[i-1] // as a product of ratios, which does not overflow early
			p.Psi = float64(p.MarkedSpeed/before.MarkedSpeed) * float64(before.Work/p.Work)
		}
		points = append(points, p)
	}
	return points, nil
}

// measure simulates one size.
func measure(ctx context.Context, s Simulation, n int) (IsoPoint, error) {
	system, err := s.prepare()
	if err != nil {
		return IsoPoint{}, err
	}
	r, err := s.run(ctx, system)
	if err != nil {
		return IsoPoint{}, err
	}
	p := IsoPoint{N: n, Time: r.Makespan, Work: r.Work, MarkedSpeed: system.MarkedSpeed}
	if !(p.Work > 0 && p.Time > 0) {
		return IsoPoint{}, fmt.Errorf("work %v in %v; expected some work, which takes time", p.Work, p.Time)
	}
	p.Efficiency = float64(p.Work) / float64(p.Time) / float64(p.MarkedSpeed)
	return p, nil
}

package search

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
)

// explain measures what limits each workload on the recommended machine. It leaves out committed times, and runs whose
// problem size is searched, because a better machine would have another size.
func (s *solver) explain(ctx context.Context) error {
	c := s.result.Recommendation()
	m := s.machine(c.Choice)
	var bases []simulation
	var better []simulation // one for each part
	for w, x := range m.works {
		base := simulation{s.Plan, c.Choice, w, model.MostRuns(s.UsedWays(w, x, c.Load))}
		if x.Impossible != "" || base.committed() != nil || base.job().Target > 0 {
			continue
		}
		bases = append(bases, base)
		for i := range system.Parts {
			q := *s.Plan
			q.Better = &system.Parts[i]
			better = append(better, simulation{&q, c.Choice, w, base.on})
		}
	}
	if err := s.need(ctx, better, "what limits"); err != nil {
		return err
	}
	for i, base := range bases {
		o, _ := s.lookup(base)
		t := o.Run.Time
		x := model.CauseResult{Workload: base.job().Name, Nodes: each.Total(base.parts())}
		if !base.on.Whole() {
			x.Node = s.Nodes[base.on.Node].Name
		}
		for k, part := range system.Parts {
			o, _ := s.lookup(better[i*len(system.Parts)+k])
			x.Gains = append(x.Gains, system.Gain{Part: part.Name, Gain: float64(t/o.Run.Time) - 1})
		}
		uneven := max(0, model.Rounded(float64((o.Run.Longest-o.Run.Compute)/t)))
		if uneven < rounding {
			uneven = 0
		}
		x.Cause, x.Even = system.Cause(x.Gains, uneven), 1/(1-uneven)-1
		s.result.Causes = append(s.result.Causes, x)
	}
	err := pool.Each(len(bases), s.Jobs, func(i int) (err error) {
		s.result.Causes[i].Why, err = bases[i].why(ctx, s.Explained)
		return err
	}, nil)
	for _, x := range s.result.Causes {
		if x.Efficiencies != nil {
			s.simulations += 1 + x.Efficiencies.Simulations()
		}
	}
	return err
}

// why simulates a run once more, as it is and on better networks.
func (s simulation) why(ctx context.Context, wanted system.Explained) (system.Why, error) {
	sys, err := s.system()
	if err != nil {
		return system.Why{}, err
	}
	sys.Workers, wanted.Efficiencies = 1, true
	x, err := sys.Explain(ctx, s.job().Run.N, wanted)
	if err != nil {
		return system.Why{}, err
	}
	return x.Why, nil
}

// rounding is the relative size below which a part of a time is noise.
const rounding = 1e-9

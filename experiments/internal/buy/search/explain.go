package search

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// explain says where the time goes of workloads that the recommended machine runs at a low
// efficiency.
func (s *solver) explain(ctx context.Context) error {
	c := s.result.Recommendation()
	for w, x := range c.Workloads {
		if x.Work == 0 || x.Efficiency >= model.LowEfficiency {
			continue
		}
		on := model.MostRuns(s.UsedWays(c.Choice, w, s.usable(s.Plan, c.Choice)[w], c.Load))
		scenario, err := (simulation{s.Plan, c.Choice, w, on}).scenario()
		if err != nil {
			return err
		}
		sys, err := system.New(scenario)
		if err != nil {
			return err
		}
		u, run, err := sys.TimeUse(ctx, x.N)
		if err != nil {
			return err
		}
		s.simulations++
		s.events += run.Events
		s.result.Low = append(s.result.Low, model.LowUse{Workload: x.Name, Efficiency: x.Efficiency, Use: u})
	}
	return nil
}

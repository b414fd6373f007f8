package purchase

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
)

// lowEfficiency is the speed-efficiency below which the recommended machine is hardly
// used by a workload, which a warning then explains.
const lowEfficiency = 0.05

// explain warns of workloads that the recommended machine runs at a low efficiency, and
// says where their time goes.
func (s *solver) explain(ctx context.Context) error {
	c := s.result.Recommendation()
	for w, x := range c.Workloads {
		if x.Work == 0 || x.Efficiency >= lowEfficiency {
			continue
		}
		on := mostRuns(s.usedWays(c.choice, w, s.usable(s.Plan, c.choice)[w], c.load))
		scenario, err := (simulation{s.Plan, c.choice, w, on}).scenario()
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
		s.result.Warnings = append(s.result.Warnings, fmt.Sprintf("%s runs at %.2g %% of the marked speed of %s: %s", x.Name, 100*x.Efficiency, c.Name, whyLow(u)))
	}
	return nil
}

// whyLow says what most of the time of a run goes into.
func whyLow(u *system.TimeUse) string {
	const most = 0.5 // of the time, or of the bytes
	by := ""
	if u.Sent >= most {
		by = fmt.Sprintf("; process %d sends %.0f %% of all bytes", u.Sender, 100*u.Sent)
	}
	switch {
	case u.Before >= most:
		return fmt.Sprintf("%.0f %% of the time passes before a process begins to compute, while the data are distributed%s", 100*u.Before, by)
	case u.After >= most:
		return fmt.Sprintf("%.0f %% of the time passes after a process has computed, while the results are collected", 100*u.After)
	case u.Compute >= most:
		return "the processes compute, but slower than their marked speed: see sustained and bytes_per_flop"
	}
	return fmt.Sprintf("processes compute for %.0f %% of the time; for %.0f %% they send and wait between computations, for %.0f %% before and for %.0f %% after%s",
		100*u.Compute, 100*u.Between, 100*u.Before, 100*u.After, by)
}

package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/model/units"
)

// Outcome is what a case is measured by.
type Outcome struct {
	Name, Unit string
	Meaning    string
}

// Outcomes returns what cases of a template are measured by, in the order of the
// values of [RunCase].
func Outcomes(t *scenario.Template) []Outcome {
	if input.KindOf(t.Root) == input.KindSuper {
		return []Outcome{
			{"nodes", "", "nodes of the last level, in all"},
			{"time", "s", "time of the super-program"},
			{"speedup", "", "over one node without dispatch that does the same work"},
			{"log2_speedup", "", "log2 of the speedup"},
			{"efficiency", "", "speedup over nodes"},
		}
	}
	return []Outcome{
		{"processes", "", "processes that take part"},
		{"time", "s", "makespan: from the start to the end of the last process"},
		{"work", "flop", "W, work of the algorithm"},
		{"marked_speed", "flop/s", "C, sum of the benchmarked speeds of the cores that take part"},
		{"achieved_speed", "flop/s", "W/T"},
		{"speed_efficiency", "", "achieved speed over marked speed"},
		{"compute", "s", "mean over processes of the time spent computing"},
		{"overhead", "s", "mean time busy with sending, receiving and starting"},
		{"wait", "s", "mean time of waiting, to the end of the whole run"},
		{"messages", "", "messages sent"},
		{"bytes", "B", "sum of their sizes"},
	}
}

// RunCase carries out a case on one core and returns its outcomes.
func RunCase(ctx context.Context, c *scenario.Case) ([]float64, error) {
	if c.Super != nil {
		r, err := RunSuperProgram(ctx, c.Super, nil)
		if err != nil {
			return nil, err
		}
		return []float64{r.Nodes, r.Time, r.Speedup, r.Log2Speedup, r.Efficiency}, nil
	}
	s := c.Scenario
	sys, err := New(s.Machine, s.Selection, s.Network, s.Workload, s.Seed)
	if err != nil {
		return nil, err
	}
	ranks := sys.Placement.Ranks()
	// Asking the system takes longer than a small run.
	if ranks > 1<<16 {
		if err := CheckRunMemory(ranks, true); err != nil {
			return nil, err
		}
	}
	sys.Workers = 1
	a := sys.Algorithm(s.Workload.N)
	res, err := Simulate(ctx, sys, a)
	if err != nil {
		return nil, err
	}
	var compute, overhead units.Seconds
	for _, x := range res.Ranks {
		compute += x.Compute
		overhead += x.Overhead()
	}
	p := float64(ranks)
	speed, efficiency := 0.0, 0.0
	marked := float64(sys.Placement.MarkedSpeed())
	if w := float64(a.Work()); w > 0 && res.Makespan > 0 {
		speed = w / float64(res.Makespan)
		efficiency = speed / marked
	}
	return []float64{
		p, float64(res.Makespan), float64(a.Work()), marked, speed, efficiency,
		float64(compute) / p, float64(overhead) / p, max(0, float64(res.Makespan)-float64(compute+overhead)/p), // rounding may leave less than 0
		float64(res.Messages), float64(res.Bytes),
	}, nil
}

package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Efficiencies say where the time of ranks goes, see [scalability.ParallelFactors]. Their JSON form is a contract
// (docs/formats/json.md).
type Efficiencies struct {
	Parallel      float64 `json:"parallel_efficiency"`
	LoadBalance   float64 `json:"load_balance"`
	Communication float64 `json:"communication_efficiency"`
	Serialisation float64 `json:"serialisation_efficiency"`
	Transfer      float64 `json:"transfer_efficiency"`
	IdealMakespan float64 `json:"ideal_makespan_s"` // on the ideal network
}

// efficienciesOf simulates a scenario on the ideal network and compares. REQUIRES: x has its ranks.
func efficienciesOf(ctx context.Context, s *scenario.Scenario, x *system.Simulation) (*Efficiencies, error) {
	if x.Compute == 0 {
		return nil, input.Errorf("--efficiencies: no process of %s computes; expected a workload that does", s.Workload.Name)
	}
	free := *s
	free.Network = networks.Network{Network: cluster.Network{Kind: &cluster.Ideal, Base: network.Ideal{}}}
	sys, err := system.New(&free)
	if err != nil {
		return nil, fmt.Errorf("the run on an ideal network: %w", err)
	}
	sys.Ranks = true
	y, err := sys.Simulate(ctx, x.N)
	if err != nil {
		return nil, fmt.Errorf("the run on an ideal network: %w", err)
	}
	f, err := scalability.ParallelFactors(useful(x), x.Makespan, slices.Max(useful(y)), y.Makespan)
	if err != nil {
		return nil, err
	}
	return &Efficiencies{f.Parallel, f.LoadBalance, f.Communication, f.Serialisation, f.Transfer, float64(y.Makespan)}, nil
}

// useful returns for how long each rank computes.
func useful(x *system.Simulation) []units.Seconds {
	all := make([]units.Seconds, len(x.Ranks))
	for i := range x.Ranks {
		all[i] = x.Ranks[i].Compute
	}
	return all
}

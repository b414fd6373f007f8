package system

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
)

// Explained says which outcomes of scenarios that explain their times are wanted.
type Explained struct {
	Efficiencies  bool `json:"efficiencies,omitempty"`
	Waits         bool `json:"waits,omitempty"`
	Sensitivities bool `json:"sensitivities,omitempty"`
}

// An Explanation is a group of outcomes, which cost more than the simulation alone.
type Explanation struct {
	Key, Meaning string // in plans
	Of           func(*Explained) *bool

	outcomes []outcome[*Simulation]
}

// Outcomes are those of the group.
func (x *Explanation) Outcomes() []Outcome { return descriptions(x.outcomes) }

// Explanations are all groups.
var Explanations = []Explanation{
	{"efficiencies", "also say where the time of each point goes, for which it is simulated again on better networks",
		func(e *Explained) *bool { return &e.Efficiencies }, efficiencyOutcomes()},
	{"waits", "also say what the processes of each point wait for, which is recorded while it is simulated",
		func(e *Explained) *bool { return &e.Waits }, waitOutcomes()},
	{"sensitivities", "also say what the time of each point is in proportion to, found on its critical path",
		func(e *Explained) *bool { return &e.Sensitivities }, sensitivityOutcomes()},
}

// explanation is what explains the time of a simulation, nil where it was not asked for or there is none.
type explanation struct {
	efficiencies  *efficiencies.Efficiencies
	waits         *waits.States
	sensitivities *efficiencies.Sensitivities
}

func efficiencyOutcomes() (all []outcome[*Simulation]) {
	for _, part := range efficiencies.Parts {
		if part.Outcome == "" {
			continue
		}
		all = append(all, outcome[*Simulation]{
			Outcome{part.Outcome, "", part.Meaning, Traits{Lacking: "no process computes, or messages share no links"}},
			func(x *Simulation) float64 {
				if x.efficiencies == nil || part.Value(x.efficiencies) == 0 {
					return math.NaN()
				}
				return part.Value(x.efficiencies)
			},
		})
	}
	return all
}

func waitOutcomes() (all []outcome[*Simulation]) {
	for _, c := range waits.Classes {
		name := "wait_" + strings.ReplaceAll(strings.ToLower(c.String()), " ", "_")
		all = append(all, outcome[*Simulation]{
			Outcome{name, "", "share of the time, mean over the processes: " + c.Meaning(), Traits{}},
			func(x *Simulation) float64 { return x.waits.Share(c) },
		})
	}
	return all
}

func sensitivityOutcomes() (all []outcome[*Simulation]) {
	for _, kind := range cluster.ParameterKinds {
		name := "share_of_" + strings.ReplaceAll(string(kind), " ", "_")
		all = append(all, outcome[*Simulation]{
			Outcome{name, "", "share of the time that is in proportion to " + kind.Meaning(), Traits{Lacking: "messages share links"}},
			func(x *Simulation) float64 {
				if x.sensitivities == nil {
					return math.NaN()
				}
				return x.sensitivities.Share(kind)
			},
		})
	}
	return all
}

// explained simulates the workload at problem size n and explains its time as far as it is wanted.
func (s *System) explained(ctx context.Context, n int, e Explained) (*Simulation, error) {
	e.Sensitivities = e.Sensitivities && !s.Transport.Kind.SharesLinks
	watched := *s
	recording := watch.Start(ctx, s.Placement.Ranks(), s.Transport.Network, watch.Wanted{Waits: e.Waits, Path: e.Sensitivities})
	defer recording.Stop()
	watched.Observer, watched.Program = recording.Observer(), recording.Program
	x, err := watched.Simulate(recording.Context(), n)
	if err := recording.Check(err); err != nil {
		return nil, err
	}
	record := recording.Record(watch.Facts{End: x.Makespan, Ranks: len(s.Speeds), Links: x.Links()})
	x.waits = record.Waits
	if e.Sensitivities {
		x.sensitivities = x.Sensitivities(record.Walk)
	}
	if e.Efficiencies {
		if x.efficiencies, err = x.Efficiencies(ctx, 1); err != nil && !errors.Is(err, efficiencies.ErrIdle) {
			return nil, err
		}
	}
	return x, nil
}

// Links are what the messages of the simulation shared, nil if they share no links.
func (x *Simulation) Links() *watch.Links {
	c := x.System.Transport
	if c.Last == nil {
		return nil
	}
	return &watch.Links{Platform: c.Platform, Place: c.Place, Parameters: c.Parameters, Detours: c.Detours(),
		Usage: c.Last.Usage(x.Makespan)}
}

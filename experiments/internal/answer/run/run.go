package run

import (
	"cmp"
	"context"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/sections"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/sim/observe"
)

// Result is the outcome of one simulation; its JSON form is a contract
// (docs/formats/json.md).
type Result struct {
	Makespan        float64          `json:"makespan_s"`
	Work            float64          `json:"work_flop"`
	MarkedSpeed     float64          `json:"marked_speed_flops"`
	CoresUsed       int              `json:"cores_used"`
	Cores           int              `json:"cores"` // of the nodes whose cores take part
	DevicesUsed     int              `json:"devices_used,omitempty"`
	Devices         int              `json:"devices,omitempty"` // of the nodes that take part
	AchievedSpeed   float64          `json:"achieved_speed_flops"`
	SpeedEfficiency float64          `json:"speed_efficiency"`
	Messages        int64            `json:"messages"`
	Bytes           float64          `json:"bytes"`
	Collectives     int64            `json:"measured_collectives"`
	Baseline        *Baseline        `json:"baseline,omitempty"` // with Options.Baseline
	Energy          *energy.Account  `json:"energy,omitempty"`   // if the power of the nodes is known
	Ranks           []sections.Rank  `json:"ranks,omitempty"`
	Links           []sections.Link  `json:"links,omitempty"` // with Options.Links, on network flow
	CriticalPath    *observe.Path    `json:"critical_path,omitempty"`
	Limits          []watch.Limit    `json:"limits,omitempty"`      // causes on the critical path
	Fingerprint     string           `json:"fingerprint,omitempty"` // of the event sequence
	Warnings        []string         `json:"warnings"`
	Provenance      input.Provenance `json:"provenance"`

	watch.Record // of what Options has asked for

	matrix   *observe.Matrix
	kernels  *kernels // nil unless its computations were recorded
	scenario *scenario.Scenario
	sim      *system.Simulation
}

// Options are the choices of a run that do not change its result.
type Options struct {
	Overrides []input.Override // that the scenario was read with, for the provenance
	AllRanks  bool             // list every rank however many there are
	Baseline  string           // what to compare with: BaselineProcess, BaselineNode or ""

	// What to record. Each record costs time and memory.
	Timeline, CriticalPath, Matrix, Fingerprint, Links bool

	// Picture records what Result.Timeline returns and what a report shows: with Links, the
	// use of links too.
	Picture bool
	// LinksShownBy is what shows the use of links that Links has not asked for; "" is
	// sections.LinksFlag. A warning says it.
	LinksShownBy string
}

// Run simulates a scenario.
func Run(ctx context.Context, s *scenario.Scenario, o Options) (*Result, error) {
	stop := input.Stopwatch("run", s.Inputs, o.Overrides, s.Seed)
	if err := checkBaseline(o.Baseline); err != nil {
		return nil, err
	}
	sys, err := system.New(s)
	if err != nil {
		return nil, err
	}
	sys.Ranks = o.AllRanks || len(sys.Speeds) <= sections.RanksShown || energy.Known(sys.Placement)
	sys.Transport.Record = o.Links
	wanted := watch.Wanted{Timeline: o.Timeline, CriticalPath: o.CriticalPath, Picture: o.Picture}
	recording := watch.Start(ctx, sys.Placement.Ranks(), sys.Transport.Network, wanted)
	defer recording.Stop()
	observers := newObservers(sys.Placement.Ranks(), o)
	sys.Observer = recording.Observer(observers.list()...)
	var ran *kernels
	if o.Picture && s.Workload.MovesMemory() && knowsMemory(sys.Placement) {
		ran = recordKernels(sys)
	}
	x, err := sys.Simulate(recording.Context(), s.Workload.N)
	if err := recording.Check(err); err != nil {
		return nil, err
	}
	r := &Result{
		Makespan:        float64(x.Makespan),
		Work:            float64(x.Work),
		MarkedSpeed:     float64(x.MarkedSpeed),
		AchievedSpeed:   float64(x.AchievedSpeed),
		SpeedEfficiency: x.SpeedEfficiency,
		Messages:        x.Messages,
		Bytes:           float64(x.Bytes),
		Collectives:     x.Collectives,
		Energy:          x.Energy,
		Ranks:           make([]sections.Rank, len(x.Ranks)),
		Warnings:        append([]string{}, slices.Concat(x.Warnings, x.MemoryWarnings(), sys.CardWarnings())...),
		scenario:        s,
		kernels:         ran,
		sim:             x,
	}
	r.CoresUsed, r.Cores = sys.Placement.Cores()
	r.DevicesUsed, r.Devices = sys.Placement.Devices()
	for i, rank := range x.Ranks {
		_, node := sys.Placement.Node(i)
		r.Ranks[i] = sections.Rank{
			Rank: i, Node: node,
			Finish: float64(rank.Finish), Compute: float64(rank.Compute), Overhead: float64(rank.Overhead()), Wait: float64(rank.Wait()),
		}
	}
	if x.Energy != nil {
		for i := range r.Ranks {
			r.Ranks[i].Energy = float64(x.Energy.Ranks[i])
		}
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, x.Events
	if o.Baseline != "" {
		if r.Baseline, err = baselineOf(ctx, s, o.Baseline, x); err != nil {
			return nil, err
		}
		r.Provenance.Simulations++
	}
	r.Record = recording.Record(r.facts())
	if o.CriticalPath {
		r.CriticalPath, r.Limits = r.Path(), r.Causes()
	}
	observers.report(r)
	if f := sys.Transport.Last; f != nil {
		u := f.Usage(x.Makespan)
		if o.Links {
			r.Links = sections.LinkResults(sys.Transport.Platform, u)
		}
		r.Warnings = append(r.Warnings, sections.BottleneckWarning(sys.Transport.Platform, u, len(sys.Speeds), cmp.Or(o.LinksShownBy, sections.LinksFlag))...)
	}
	stop(&r.Provenance)
	return r, nil
}

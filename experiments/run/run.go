package run

import (
	"context"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/page"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/experiments/system"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// Result is the outcome of one simulation; its JSON form is a contract
// (docs/formats/json.md).
type Result struct {
	Makespan        float64          `json:"makespan_s"`
	Work            float64          `json:"work_flop"`
	MarkedSpeed     float64          `json:"marked_speed_flops"`
	AchievedSpeed   float64          `json:"achieved_speed_flops"`
	SpeedEfficiency float64          `json:"speed_efficiency"`
	Messages        int64            `json:"messages"`
	Bytes           float64          `json:"bytes"`
	Collectives     int64            `json:"measured_collectives"`
	Ranks           []page.Rank      `json:"ranks,omitempty"`
	Links           []page.Link      `json:"links,omitempty"` // with Options.Links, on network flow
	CriticalPath    *observe.Path    `json:"critical_path,omitempty"`
	Fingerprint     string           `json:"fingerprint,omitempty"` // of the event sequence
	Warnings        []string         `json:"warnings"`
	Provenance      input.Provenance `json:"provenance"`

	timeline *observe.Timeline
	matrix   *observe.Matrix

	scenario *scenario.Scenario
	system   *system.System
	sim      *sim.Result
}

// Options are the choices of a run that do not change its result.
type Options struct {
	Overrides []input.Override // that the scenario was read with, for the provenance
	AllRanks  bool             // list every rank however many there are

	// What to record of the run: each costs time and memory.
	Timeline, CriticalPath, Matrix, Fingerprint, Links bool
}

// Run carries out a scenario.
func Run(ctx context.Context, s *scenario.Scenario, o Options) (*Result, error) {
	stop := input.Stopwatch("run", s.Inputs, o.Overrides, s.Seed)
	placement, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, err
	}
	detail := o.AllRanks || placement.Ranks() <= page.RanksShown
	if err := system.CheckRunMemory(placement.Ranks(), detail); err != nil {
		return nil, err
	}
	sys, err := system.New(s.Machine, s.Selection, s.Network, s.Workload, s.Seed)
	if err != nil {
		return nil, err
	}
	a := sys.Algorithm(s.Workload.N)
	sys.Ranks = detail
	if o.CriticalPath && sys.Transport.Network == nil {
		return nil, input.Errorf("the critical path needs a network that prices each message by itself, not %s; expected one of ideal, hockney, loggops", s.Network.Model)
	}
	sys.Transport.Record = o.Links
	watch := newObservers(sys, o)
	sys.Observer = watch.observer()
	res, err := system.Simulate(ctx, sys, a)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Makespan:    float64(res.Makespan),
		Work:        float64(a.Work()),
		MarkedSpeed: float64(sys.Placement.MarkedSpeed()),
		Messages:    res.Messages,
		Bytes:       float64(res.Bytes),
		Collectives: res.Collectives,
		Ranks:       make([]page.Rank, len(res.Ranks)),
		Warnings:    append(append([]string{}, res.Warnings...), system.MemoryWarnings(sys.Placement, a)...),
		scenario:    s,
		system:      sys,
		sim:         res,
	}
	// A run without work, such as a barrier, has a speed of 0.
	if a.Work() > 0 {
		speed, err := scalability.AchievedSpeed(a.Work(), res.Makespan)
		if err != nil {
			return nil, err
		}
		r.AchievedSpeed = float64(speed)
		if r.SpeedEfficiency, err = scalability.SpeedEfficiency(a.Work(), res.Makespan, sys.Placement.MarkedSpeed()); err != nil {
			return nil, err
		}
	}
	for i, x := range res.Ranks {
		_, node := sys.Placement.Node(i)
		r.Ranks[i] = page.Rank{
			Rank: i, Node: node,
			Finish: float64(x.Finish), Compute: float64(x.Compute), Overhead: float64(x.Overhead()), Wait: float64(x.Wait()),
		}
	}
	watch.report(r)
	if f := sys.Transport.Last; f != nil {
		u := f.Usage(res.Makespan)
		if o.Links {
			r.Links = page.LinkResults(sys.Transport.Platform, u)
		}
		r.Warnings = append(r.Warnings, page.BottleneckWarning(sys.Transport.Platform, u, len(sys.Speeds))...)
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, res.Events
	stop(&r.Provenance)
	return r, nil
}

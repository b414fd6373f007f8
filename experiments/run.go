package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/topology"
)

// RunResult is the outcome of one simulation; its JSON form is a contract
// (docs/formats/json.md).
type RunResult struct {
	Makespan        float64       `json:"makespan_s"`
	Work            float64       `json:"work_flop"`
	MarkedSpeed     float64       `json:"marked_speed_flops"`
	AchievedSpeed   float64       `json:"achieved_speed_flops"`
	SpeedEfficiency float64       `json:"speed_efficiency"`
	Messages        int64         `json:"messages"`
	Bytes           float64       `json:"bytes"`
	Collectives     int64         `json:"measured_collectives"`
	Ranks           []RankResult  `json:"ranks,omitempty"`
	Links           []LinkResult  `json:"links,omitempty"` // with RunOptions.Links, on network flow
	CriticalPath    *observe.Path `json:"critical_path,omitempty"`
	Fingerprint     string        `json:"fingerprint,omitempty"` // of the event sequence
	Warnings        []string      `json:"warnings"`
	Provenance      Provenance    `json:"provenance"`

	timeline *observe.Timeline
	matrix   *observe.Matrix

	scenario *Scenario
	system   *system
	sim      *sim.Result
}

// RankResult is where the time of one rank went, in seconds.
type RankResult struct {
	Rank     int     `json:"rank"`
	Node     string  `json:"node"`
	Finish   float64 `json:"finish_s"`
	Compute  float64 `json:"compute_s"`
	Overhead float64 `json:"overhead_s"`
	Wait     float64 `json:"wait_s"`
}

// RanksShown is the number of ranks up to which a run lists every rank without
// being asked to.
const RanksShown = 4096

// RunOptions are the choices of a run that do not change its result.
type RunOptions struct {
	Overrides []Override // that the scenario was read with, for the provenance
	AllRanks  bool       // list every rank however many there are

	// What to record of the run: each costs time and memory.
	Timeline, CriticalPath, Matrix, Fingerprint, Links bool
}

// Run carries out a scenario.
func Run(ctx context.Context, s *Scenario, o RunOptions) (*RunResult, error) {
	stop := Stopwatch("run", s.Inputs, o.Overrides, s.Seed)
	placement, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, err
	}
	detail := o.AllRanks || placement.Ranks() <= RanksShown
	if err := checkRunMemory(placement.Ranks(), detail); err != nil {
		return nil, err
	}
	sys, err := newSystem(s.Machine, s.Selection, s.Network, s.Workload, s.Seed)
	if err != nil {
		return nil, err
	}
	a := sys.algorithm(s.Workload.N)
	sys.ranks = detail
	if o.CriticalPath && sys.carriage.network == nil {
		return nil, inputErrorf("the critical path needs a network that prices each message by itself, not %s; expected one of ideal, hockney, loggops", s.Network.Model)
	}
	sys.carriage.record = o.Links
	watch := newWatch(sys, o)
	sys.observer = watch.observer()
	res, err := simulate(ctx, sys, a)
	if err != nil {
		return nil, err
	}
	r := &RunResult{
		Makespan:    float64(res.Makespan),
		Work:        float64(a.Work()),
		MarkedSpeed: float64(sys.placement.MarkedSpeed()),
		Messages:    res.Messages,
		Bytes:       float64(res.Bytes),
		Collectives: res.Collectives,
		Ranks:       make([]RankResult, len(res.Ranks)),
		Warnings:    append(append([]string{}, res.Warnings...), memoryWarnings(sys.placement, a)...),
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
		if r.SpeedEfficiency, err = scalability.SpeedEfficiency(a.Work(), res.Makespan, sys.placement.MarkedSpeed()); err != nil {
			return nil, err
		}
	}
	for i, x := range res.Ranks {
		_, node := sys.placement.Node(i)
		r.Ranks[i] = RankResult{
			Rank: i, Node: node,
			Finish: float64(x.Finish), Compute: float64(x.Compute), Overhead: float64(x.Overhead()), Wait: float64(x.Wait()),
		}
	}
	if s.Workload.BytesPerFlop > 0 && s.Network.flow == nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("bytes_per_flop counts only with network flow; with %s, computations do not wait for memory", s.Network.Model))
	}
	watch.report(r)
	if f := sys.carriage.last; f != nil {
		u := f.Usage(res.Makespan)
		if o.Links {
			r.Links = linkResults(sys.carriage.platform, u)
		}
		r.Warnings = append(r.Warnings, bottleneckWarning(sys.carriage.platform, u, len(sys.speeds))...)
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, res.Events
	stop(&r.Provenance)
	return r, nil
}

// checkRunMemory returns an error if this computer has not the memory for a run.
func checkRunMemory(ranks int, detail bool) error {
	// The engine's share, and 24 bytes for the speed and the program of a rank.
	need := sim.Memory(ranks, detail) + 24*units.Bytes(ranks)
	return checkMemory(fmt.Sprintf("a run of %d processes", ranks), need, "fewer processes")
}

// simulate runs an algorithm on a system.
func simulate(ctx context.Context, sys *system, a Algorithm) (*sim.Result, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	c, err := sys.config(a)
	if err != nil {
		return nil, err
	}
	return sim.Run(ctx, c)
}

// memoryWarnings names the first node of each type whose memory the data of
// its processes do not fit into.
func memoryWarnings(p *topology.Placement, a Algorithm) []string {
	known := func(r topology.Run) bool { return r.Type.Memory > 0 }
	if !slices.ContainsFunc(p.Runs, known) {
		return nil
	}
	var warnings []string
	need := a.Footprints()
	seen := map[string]bool{}
	for _, r := range p.Runs {
		if !known(r) || seen[r.Type.Name] {
			continue
		}
		for i := range r.Nodes {
			var sum units.Bytes
			for _, size := range need[r.FirstRank+i*r.Processes:][:r.Processes] {
				sum += size
			}
			if sum > r.Type.Memory {
				seen[r.Type.Name] = true
				warnings = append(warnings, fmt.Sprintf("the data of node %s (%s) need %v and its memory is %v; a real run would page or fail",
					r.Group.NodeName(i), r.Type.Name, sum, r.Type.Memory))
				break
			}
		}
	}
	return warnings
}

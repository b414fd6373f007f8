package run

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/topology"
)

// Result is the outcome of one simulation; its JSON form is a contract (docs/formats/json.md).
type Result struct {
	Makespan        float64                     `json:"makespan_s"`
	Work            float64                     `json:"work_flop"`
	MarkedSpeed     float64                     `json:"marked_speed_flops"`
	CoresUsed       int                         `json:"cores_used"`
	Cores           int                         `json:"cores"` // of the nodes whose cores take part
	DevicesUsed     int                         `json:"devices_used,omitempty"`
	Devices         int                         `json:"devices,omitempty"` // of the nodes that take part
	AchievedSpeed   float64                     `json:"achieved_speed_flops"`
	SpeedEfficiency float64                     `json:"speed_efficiency"`
	Messages        int64                       `json:"messages"`
	Bytes           float64                     `json:"bytes"`
	Collectives     int64                       `json:"measured_collectives"`
	Baseline        *Baseline                   `json:"baseline,omitempty"`      // with Options.Baseline
	Efficiencies    *efficiencies.Efficiencies  `json:"efficiencies,omitempty"`  // with Options.Efficiencies
	WhatIf          []efficiencies.Effect       `json:"what_if,omitempty"`       // with Options.WhatIf
	Sensitivities   *efficiencies.Sensitivities `json:"sensitivities,omitempty"` // with Options.Sensitivities
	Energy          *energy.Account             `json:"energy,omitempty"`        // if the power of the nodes is known
	watch.Record                                // of what Options asks for
	Fingerprint     string                      `json:"fingerprint,omitempty"` // of the event sequence
	Warnings        []string                    `json:"warnings"`
	Provenance      input.Provenance            `json:"provenance"`

	matrix   *observe.Matrix
	kernels  *kernels // nil unless its computations were recorded
	scenario *scenario.Scenario
	sim      *system.Simulation
}

// Options are the choices of a run that do not change its result.
type Options struct {
	Overrides []input.Override // with which the scenario was read, for the provenance
	AllRanks  bool             // list every rank however many there are
	Baseline  string           // what to compare with: BaselineProcess, BaselineNode or ""

	Efficiencies  bool // simulate again, on better networks
	WhatIf        bool // simulate again with one thing changed at a time
	Sensitivities bool // derivatives of the time

	// What to record. Each record costs time and memory.
	Timeline, CriticalPath, Matrix, Fingerprint, Links, Trace, Waits bool

	// Picture records what Result.Timeline returns: with Links, the use of links too. Report adds what Result.Report
	// shows: efficiencies, where a process computes.
	Picture, Report bool
	// LinksShownBy is what a warning names as the way to show the use of links if Links is
	// not set; "" is watch.LinksFlag.
	LinksShownBy string
}

func Run(ctx context.Context, s *scenario.Scenario, o Options) (*Result, error) {
	stop := input.Stopwatch("run", s.Inputs, o.Overrides, s.Seed)
	o.Picture = o.Picture || o.Report
	if !slices.Contains([]string{"", BaselineProcess, BaselineNode}, o.Baseline) {
		return nil, input.Errorf("--baseline: %q; expected %s or %s", o.Baseline, BaselineProcess, BaselineNode)
	}
	r := &Result{scenario: s}
	if err := r.simulate(ctx, o); err != nil {
		return nil, err
	}
	if o.Baseline != "" {
		if err := r.compare(ctx, o.Baseline); err != nil {
			return nil, err
		}
	}
	if err := r.again(ctx, o); err != nil {
		return nil, err
	}
	r.Provenance.Simulations += r.sim.Others()
	r.Warnings = append(r.Warnings, r.aboveOne()...)
	stop(&r.Provenance)
	return r, nil
}

// simulate runs the scenario and records what is asked for.
func (r *Result) simulate(ctx context.Context, o Options) error {
	s := r.scenario
	sys, err := system.NewAt(ctx, s)
	if err != nil {
		return err
	}
	if o.Sensitivities {
		if err := sys.Priced(); err != nil {
			return err
		}
		sys.Laws = true
	}
	sys.Ranks = o.AllRanks || o.Efficiencies || o.WhatIf || len(sys.Speeds) <= watch.RanksShown || energy.Known(sys.Placement)
	sys.Transport.Record = o.Links
	wanted := watch.Wanted{Timeline: o.Timeline, CriticalPath: o.CriticalPath, Path: o.Sensitivities, Picture: o.Picture, Trace: o.Trace, Waits: o.Waits}
	recording := watch.Start(ctx, sys.Placement.Ranks(), sys.Transport.Network, wanted)
	defer recording.Stop()
	var own []sim.Observer // of records that runs have and replays do not
	if o.Matrix {
		r.matrix = new(observe.Matrix)
		own = append(own, r.matrix)
	}
	var fingerprint *observe.Fingerprint
	if o.Fingerprint {
		fingerprint = observe.NewFingerprint(sys.Placement.Ranks())
		own = append(own, fingerprint)
	}
	sys.Observer, sys.Program = recording.Observer(own...), recording.Program
	if o.Waits {
		sys.Workers = 1
	}
	if o.Picture && s.Workload.MovesMemory() && knowsMemory(sys.Placement) {
		r.kernels = recordKernels(sys)
	}
	simulate := sys.Simulate
	if o.Efficiencies && sys.Transport.Kind.SharesLinks {
		simulate = sys.SimulateOnNetworks
	}
	x, err := simulate(recording.Context(), s.Workload.N)
	if err := recording.Check(err); err != nil {
		return err
	}
	r.take(x)
	facts := watch.Facts{Run: x.Result, Name: r.rankName}
	if facts.Links = x.Links(); facts.Links != nil {
		r.Warnings = append(r.Warnings, facts.Links.Warnings(cmp.Or(o.LinksShownBy, watch.LinksFlag))...)
	}
	r.Record = recording.Record(facts)
	if o.Sensitivities {
		r.Sensitivities = x.Sensitivities(r.Walk)
	}
	r.Ranks = watch.RanksOf(x.Result, r.node)
	if x.Energy != nil {
		for i := range r.Ranks {
			r.Ranks[i].Energy = float64(x.Energy.Ranks[i])
		}
	}
	if fingerprint != nil {
		r.Fingerprint = fmt.Sprintf("%016x", fingerprint.Sum())
	}
	if o.Trace && (x.Collectives > 0 || slices.ContainsFunc(x.Ranks, func(y sim.RankResult) bool { return y.Beside > 0 })) {
		r.Warnings = append(r.Warnings, "the trace shows what streams compute, and collective operations without messages, as waits: its replay leaves them out")
	}
	return nil
}

// take takes the numbers of a simulation.
func (r *Result) take(x *system.Simulation) {
	sys, w := x.System, r.scenario.Workload
	r.sim, r.Energy = x, x.Energy
	r.Makespan, r.Work = float64(x.Makespan), float64(x.Work)
	r.MarkedSpeed, r.AchievedSpeed, r.SpeedEfficiency = float64(x.MarkedSpeed), float64(x.AchievedSpeed), x.SpeedEfficiency
	r.Messages, r.Bytes, r.Collectives = x.Messages, math.Round(float64(x.Bytes)), x.Collectives
	r.CoresUsed, r.Cores = sys.Placement.Cores()
	r.DevicesUsed, r.Devices = sys.Placement.Devices()
	r.Provenance.Simulations, r.Provenance.Events = 1, x.Events
	r.Warnings = append([]string{}, slices.Concat(x.Warnings, sys.Data(x.N).Problems,
		system.MachineWarnings(sys.Placement, sys.Transport.Kind), w.AssumedSpeeds(sys.Placement))...)
}

// compare compares the run with a baseline.
func (r *Result) compare(ctx context.Context, of string) (err error) {
	if r.Baseline, err = baselineOf(ctx, r.scenario, of, r.sim); err != nil {
		return err
	}
	r.Provenance.Simulations++
	for _, w := range r.Baseline.warnings {
		if !slices.Contains(r.sim.Warnings, w) {
			r.Warnings = append(r.Warnings, "the baseline: "+w)
		}
	}
	return nil
}

// again simulates on better networks and with one thing changed at a time, as asked for.
func (r *Result) again(ctx context.Context, o Options) (err error) {
	x := r.sim
	if o.Efficiencies || (o.Report || o.WhatIf) && x.Useful > 0 {
		r.Efficiencies, err = x.Efficiencies(ctx, 0)
		switch {
		case err != nil && !o.Efficiencies && efficiencies.Stuck(err):
			r.Warnings = append(r.Warnings, "there are no efficiencies: the program is stuck if messages arrive in another order: "+err.Error())
		case err != nil:
			return efficiencies.Refused(err, r.scenario.Workload.Name)
		}
	}
	if o.WhatIf {
		r.WhatIf, err = x.WhatIf(ctx, 0)
	}
	return err
}

// Shares divides the time of all processes: see [system.Simulation.Shares]. REQUIRES: all ranks were asked for.
func (r *Result) Shares(ctx context.Context) ([]efficiencies.Share, error) {
	return r.sim.Shares(ctx, 1)
}

// Why explains the time of the run as far as wanted asks, by running it again.
func (r *Result) Why(ctx context.Context, wanted system.Explained) (system.Why, error) {
	x, err := r.sim.System.Explain(ctx, r.sim.N, wanted)
	if err != nil {
		return system.Why{}, err
	}
	return x.Why, nil
}

func (r *Result) Placement() *topology.Placement { return r.sim.System.Placement }

// aboveOne explains efficiencies above 1, apart from rounding errors.
func (r *Result) aboveOne() (why []string) {
	const one = 1 + 1e-9
	if r.SpeedEfficiency > one {
		why = append(why, "the speed-efficiency is above 1: processes compute faster than their marked speed, as the "+
			"workload, a kernel or a precision may say, or the stated work is more than what is computed")
	}
	if b := r.Baseline; b != nil && b.Efficiency > one {
		why = append(why, fmt.Sprintf("the efficiency of the speed-up is above 1: the run achieves %.4g of its marked "+
			"speed, the baseline %.4g of its own", r.SpeedEfficiency, b.AchievedSpeed/b.MarkedSpeed))
	}
	return why
}

func (r *Result) rankName(rank int32) string {
	return fmt.Sprintf("rank %d (%s)", rank, r.node(int(rank)))
}

func (r *Result) node(rank int) string {
	_, node := r.sim.System.Placement.Node(rank)
	return node
}

// WriteMatrix writes the messages and bytes between each pair of ranks as CSV.
// Options.Matrix must have been set.
func (r *Result) WriteMatrix(w io.Writer) error { return r.matrix.WriteCSV(w) }

// Baselines that a run can be compared with.
const (
	BaselineProcess = "process" // the fastest process alone
	BaselineNode    = "node"    // the fastest node alone, with its processes
)

// Baseline is the run that a run is compared with: the same problem size on a part of the
// machine. Its JSON form is a contract (docs/formats/json.md).
type Baseline struct {
	Of            string  `json:"of"` // process or node
	Node          string  `json:"node"`
	Processes     int     `json:"processes"`
	Makespan      float64 `json:"makespan_s"`
	Work          float64 `json:"work_flop"`
	MarkedSpeed   float64 `json:"marked_speed_flops"`
	AchievedSpeed float64 `json:"achieved_speed_flops"`
	Speedup       float64 `json:"speedup"`    // achieved speed over that of the baseline
	Efficiency    float64 `json:"efficiency"` // speed-up over the ratio of marked speeds
	warnings      []string
}

// baselineOf simulates a scenario on a part of its machine and compares the two runs.
func baselineOf(ctx context.Context, s *scenario.Scenario, of string, x *system.Simulation) (*Baseline, error) {
	if x.Work == 0 {
		return nil, input.Errorf("--baseline: %s performs no work, which a speed-up compares; expected a workload that computes", s.Workload.Name)
	}
	block := fastest(x.System.Placement, of)
	alone := *s
	alone.Selection.Order, alone.RankOrder = nil, scenario.RankOrder{} // these are for all processes
	alone.Selection.Nodes = map[string]int{block.Type.Name: 1}
	if of == BaselineProcess {
		alone.Selection.Processes = maps.Clone(s.Selection.Processes)
		if alone.Selection.Processes == nil {
			alone.Selection.Processes = map[string]int{}
		}
		alone.Selection.Processes[block.Type.Name] = 1
	}
	sys, err := system.New(&alone)
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	sys.Ranks = false
	y, err := sys.Simulate(ctx, s.Workload.N)
	if err != nil {
		return nil, fmt.Errorf("the baseline, %s: %w", block.Type.Name, err)
	}
	// At equal work this is the ratio of the times.
	speedup, err := scalability.Speedup(units.Seconds(1/y.AchievedSpeed), units.Seconds(1/x.AchievedSpeed))
	if err != nil {
		return nil, err
	}
	_, node := sys.Placement.Node(0)
	return &Baseline{
		Of: of, Node: node, Processes: len(sys.Speeds), Makespan: float64(y.Makespan), Work: float64(y.Work),
		MarkedSpeed: float64(y.MarkedSpeed), AchievedSpeed: float64(y.AchievedSpeed),
		Speedup: speedup, Efficiency: speedup / float64(x.MarkedSpeed/y.MarkedSpeed), warnings: slices.Concat(y.Warnings, sys.Data(y.N).Problems),
	}, nil
}

// fastest returns the first block with the fastest process or node.
func fastest(p *topology.Placement, of string) topology.Block {
	speed := func(b topology.Block) units.FlopsPerSecond {
		if of == BaselineNode {
			return b.Speed() * units.FlopsPerSecond(b.Processes)
		}
		return b.Speed()
	}
	return slices.MaxFunc(p.Blocks, func(a, b topology.Block) int { return cmp.Compare(speed(a), speed(b)) })
}

// String says what the baseline is, as in "one process on hpc-1".
func (b *Baseline) String() string {
	if b.Processes == 1 {
		return "one process on " + b.Node
	}
	return fmt.Sprintf("%d processes on %s", b.Processes, b.Node)
}

package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// GOALOptions are the input and options of a replay of a GOAL schedule.
type GOALOptions struct {
	Schedule   string // plain or gzipped
	Parameters string // of LogGOPS in nanoseconds, as in "L=2500,o=1500"; "": LogGOPSim's defaults
	Asked
	Sensitivities bool // derivatives of the time
}

// Asked is what to find out about a replay beside its time.
type Asked struct {
	AllRanks     bool // how every rank spends its time, however many there are
	Efficiencies bool // replay again, on better networks
	WhatIf       bool // replay again, with one thing better at a time
	watch.Wanted      // what to record; each record costs time and memory
}

// GOALResult is the outcome of replaying a GOAL schedule; its JSON form is a
// contract (docs/formats/json.md).
type GOALResult struct {
	Makespan      goalsim.Nanoseconds         `json:"makespan_ns"`
	HostFinish    []goalsim.Nanoseconds       `json:"host_finish_ns"`
	Messages      int64                       `json:"messages"`
	Parameters    string                      `json:"loggops"`
	Efficiencies  *efficiencies.Efficiencies  `json:"efficiencies,omitempty"`  // with GOALOptions.Efficiencies
	WhatIf        []efficiencies.Effect       `json:"what_if,omitempty"`       // with GOALOptions.WhatIf
	Sensitivities *efficiencies.Sensitivities `json:"sensitivities,omitempty"` // with GOALOptions.Sensitivities
	watch.Record                              // of what GOALOptions asks for; its ranks with GOALOptions.AllRanks
	Warnings      []string                    `json:"warnings"`
	Provenance    input.Provenance            `json:"provenance"`

	schedule string // file
	Cores    int    `json:"-"` // of each host
	ranks    watch.Spent
}

// GOAL replays a GOAL schedule under LogGOPS.
func GOAL(ctx context.Context, o GOALOptions) (*GOALResult, error) {
	path := o.Schedule
	p, err := goalsim.ParseParameters(o.Parameters)
	if err != nil {
		return nil, input.Errorf("--loggops: %v", err)
	}
	schedule, from, err := ReadGOAL(path)
	if err != nil {
		return nil, err
	}
	need := units.Bytes(goalsim.Memory(schedule.Shape()))
	if o.WhatIf || o.Efficiencies {
		need += units.Bytes(schedule.Shape().Memory()) // for a schedule with other loads
	}
	if err := fault.CheckMemory(fmt.Sprintf("replaying %s", path), need, "a smaller schedule"); err != nil {
		return nil, err
	}
	stop := input.Stopwatch("replay --goal", []input.Input{from}, nil, 0)
	r := &GOALResult{Parameters: p.String(), Warnings: []string{}, schedule: path, Cores: schedule.CPUs(),
		ranks: make(watch.Spent, schedule.Ranks()*schedule.CPUs())}
	o.Wanted.Path = o.Sensitivities
	recording := watch.Start(ctx, len(r.ranks), logGOPS(p), o.Wanted)
	defer recording.Stop()
	var res *goalsim.Result
	if o.Wanted == (watch.Wanted{}) && !o.AllRanks && !o.Efficiencies {
		res, err = goalsim.Run(ctx, schedule, p)
	} else {
		res, err = goalsim.Observe(recording.Context(), schedule, p, recording.Observer(r.ranks))
		err = recording.Check(err)
	}
	if err != nil {
		if _, ok := errors.AsType[*goalsim.OverflowError](err); ok {
			return nil, input.Errorf("%v", err)
		}
		return nil, err
	}
	r.Makespan, r.HostFinish, r.Messages = res.Makespan, res.HostFinish, res.Messages
	r.Record = recording.Record(watch.Facts{Run: r.spent(inSeconds(res.Makespan)), Name: r.rankName})
	if o.Sensitivities {
		r.Sensitivities = sensitivities(r.Walk, p)
	}
	if o.AllRanks {
		r.Ranks = r.named()
	}
	if res.Unreceived > 0 {
		r.Warnings = append(r.Warnings,
			fmt.Sprintf("%d of %d messages were sent but never received", res.Unreceived, res.Messages))
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, res.Events
	run := func(s *goal.Schedule, p goalsim.Parameters, unit units.Seconds) (*sim.Result, error) {
		x, err := goalsim.Run(ctx, s, p)
		if d, stuck := errors.AsType[*goalsim.DeadlockError](err); stuck { // wildcards may match other messages
			d.Time = goalsim.Nanoseconds(float64(unit) * float64(d.Time))
			for i := range d.Blocked {
				d.Blocked[i].Since = goalsim.Nanoseconds(float64(unit) * float64(d.Blocked[i].Since))
			}
		}
		if err != nil {
			return nil, err
		}
		r.Provenance.Simulations++
		return r.spent(unit * inSeconds(x.Makespan)), nil
	}
	runs := efficiencies.NewRuns(1, func(_ context.Context, c cluster.Change) (*sim.Result, error) {
		return run(loaded(schedule, func(int, int) float64 { return 2 }), changed(p, c), 0.5)
	})
	if o.Efficiencies {
		if r.Efficiencies, err = efficiencies.Of(ctx, r.spent(inSeconds(r.Makespan)), false, runs); err != nil {
			return nil, efficiencies.Refused(err, path)
		}
	}
	if o.WhatIf {
		if r.WhatIf, err = efficiencies.OnNetworks(ctx, inSeconds(r.Makespan), false, runs); err != nil {
			return nil, err
		}
		loads := efficiencies.Loads(computations(schedule))
		r.WhatIf, err = efficiencies.Tried(1, r.WhatIf, inSeconds(r.Makespan), loads, func(i int) (*sim.Result, error) {
			return run(loaded(schedule, loads[i].Load), p, 1)
		})
		if err != nil {
			return nil, err
		}
	}
	stop(&r.Provenance)
	return r, nil
}

// sensitivities returns those of a replay with this critical path. Computations are given as times, so the speed is 1.
func sensitivities(path efficiencies.Walk, p goalsim.Parameters) *efficiencies.Sensitivities {
	return efficiencies.SensitivitiesOf(path, cluster.PricesOf(cluster.LogGOPSPricing, logGOPS(p)),
		[]efficiencies.Hosts{{Where: "all hosts", Speed: 1}}, func(int32) int { return 0 })
}

// spent is the result of a replay that takes time t and has the computations of this one.
func (r *GOALResult) spent(t units.Seconds) *sim.Result {
	x := &sim.Result{Makespan: t, Ranks: make([]sim.RankResult, len(r.ranks))}
	for i := range x.Ranks {
		x.Ranks[i].Compute = units.Seconds(r.ranks[i].Compute)
	}
	return x
}

// coreOf returns the number of the core that carries out an operation: it is the rank that observers see.
func coreOf(s *goal.Schedule, op *goal.Op) int { return int(op.Rank)*s.CPUs() + int(op.CPU) }

// computations returns the times of the computations of each core, in the order of the schedule.
func computations(s *goal.Schedule) [][]units.Seconds {
	times := make([][]units.Seconds, s.Ranks()*s.CPUs())
	for i := range s.Ops() {
		if op := &s.Ops()[i]; op.Kind == goal.Calc {
			times[coreOf(s, op)] = append(times[coreOf(s, op)], inSeconds(goalsim.Nanoseconds(op.Size)))
		}
	}
	return times
}

// loaded returns a schedule in which the time of computation k of each core is scaled, to whole nanoseconds.
func loaded(s *goal.Schedule, load func(core, k int) float64) *goal.Schedule {
	var b goal.Builder
	count := make([]int, s.Ranks()*s.CPUs())
	for rank := range s.Ranks() {
		b.NextRank()
		first, end := s.Rank(rank)
		for _, op := range s.Ops()[first:end] {
			if op.Kind == goal.Calc {
				core := coreOf(s, &op)
				op.Size = uint64(math.Round(load(core, count[core]) * float64(op.Size)))
				count[core]++
			}
			b.Add(op)
		}
		for i := first; i < end; i++ {
			for _, e := range s.Dependents(i) {
				if e.OnStart() {
					b.RequireStart(int(e.Op()-first), int(i-first))
				} else {
					b.Require(int(e.Op()-first), int(i-first))
				}
			}
		}
	}
	other, err := b.Schedule()
	if err != nil {
		panic(err) // only lengths of computations differ, and they are at most a sum of those in s
	}
	return other
}

// changed returns the parameters of a changed network, in half nanoseconds because half of an odd number is not whole.
func changed(p goalsim.Parameters, c cluster.Change) goalsim.Parameters {
	by := func(k float64, times ...*goalsim.Nanoseconds) {
		for _, t := range times {
			*t = goalsim.Nanoseconds(2 * k * float64(*t))
		}
	}
	by(c.Latency, &p.Latency)
	by(c.Transfer, &p.Gap, &p.GapPerByte)
	by(c.Overhead, &p.Overhead, &p.OverheadPerByte)
	if !c.Waits {
		p.EagerLimit = math.MaxUint32
	}
	return p
}

// ReadGOAL reads a GOAL schedule, plain or compressed by gzip.
func ReadGOAL(path string) (*goal.Schedule, input.Input, error) {
	return input.Stream(path, "a GOAL schedule", func(r io.Reader) (*goal.Schedule, error) {
		return goal.ReadMax(path, r, fault.MemoryLimit())
	}, func(err error) error { return input.OrOtherForm(path, err, "a GOAL schedule", input.FormGOAL) })
}

func inSeconds(t goalsim.Nanoseconds) units.Seconds { return units.Seconds(float64(t) / 1e9) }

// logGOPS returns the parameters in seconds, for computations with observed times.
func logGOPS(p goalsim.Parameters) network.LogGOPS {
	return network.LogGOPS{
		Latency: inSeconds(p.Latency), Overhead: inSeconds(p.Overhead), Gap: inSeconds(p.Gap),
		GapPerByte: inSeconds(p.GapPerByte), OverheadPerByte: inSeconds(p.OverheadPerByte),
		Synchronous: units.Bytes(p.EagerLimit),
	}
}

// rankName returns the name of what is observed as a rank: a host or, if hosts have
// several cores, one of its cores.
func (r *GOALResult) rankName(rank int32) string {
	host := int(rank) / r.Cores
	if r.Cores == 1 {
		return fmt.Sprintf("rank %d", host)
	}
	return fmt.Sprintf("rank %d, core %d", host, int(rank)%r.Cores)
}

// named returns how the ranks spend their time, each with its host and, if hosts have
// several cores, its core.
func (r *GOALResult) named() []watch.Rank {
	ranks := slices.Clone(r.ranks)
	for i := range ranks {
		ranks[i].Rank, ranks[i].Node = i/r.Cores, strings.Replace(r.rankName(int32(i)), "rank", "host", 1)
	}
	return ranks
}

// Report returns the answer as a report. REQUIRES: a picture was wanted.
func (r *GOALResult) Report() *report.Document {
	hosts, makespan := len(r.HostFinish), inSeconds(r.Makespan)
	ranks, cores := r.named(), ""
	if r.Cores > 1 {
		cores = " of " + input.Plural(r.Cores, "core")
	}
	doc := &report.Document{
		Title:    "Replay of " + filepath.Base(r.schedule),
		Subtitle: fmt.Sprintf("%s%s, LogGOPS with %s", input.Plural(hosts, "host"), cores, r.Parameters),
		Lead:     leadOf(makespan, ranks),
		Facts: []report.Fact{
			{Label: "Makespan", Value: input.Rounded(float64(makespan)).String(), Note: fmt.Sprintf("%d ns", r.Makespan)},
			{Label: "Messages", Value: fmt.Sprint(r.Messages)},
		},
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	doc.Facts = append(doc.Facts, r.Efficiencies.Facts()...)
	efficiencies.Show(doc, r.WhatIf, r.Efficiencies, r.Sensitivities, float64(makespan))
	r.Show(doc, ranks)
	doc.Sections = append(doc.Sections,
		page.ParameterSection(r.parameters(), nil,
			"The schedule, and the parameters of LogGOPS: L, o and g in ns, G and O in ns per byte, S in bytes."),
		page.WarningSection(r.Warnings))
	efficiencies.Lead(doc, r.WhatIf, r.Efficiencies)
	return doc
}

func (r *GOALResult) parameters() []input.Parameter {
	list := []input.Parameter{{Name: "schedule", Value: r.schedule, Note: "--goal"}}
	for _, p := range strings.Split(r.Parameters, ",") {
		name, value, _ := strings.Cut(p, "=")
		list = append(list, input.Parameter{Name: name, Value: value, Note: "--loggops, or LogGOPSim's default"})
	}
	return list
}

package replay

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// TIOptions are the inputs and options of a replay on a platform, of a time-independent trace or a
// trace with times.
type TIOptions struct {
	Trace    string   // time-independent: merged trace, list of traces by rank, or folder
	Recorded string   // instead of Trace: a trace with times, of Paraver or OTF2
	Speed    string   // of the cores on which Recorded was recorded; "": that of the first host
	Ranks    int      // 0: as many as the trace has
	Platform string   // a SimGrid platform (.xml), a machine file (.yaml) or a name in the catalogue
	Hostfile string   // "": ranks on the hosts of the platform in order, as many on each as it has cores
	Order    string   // of the ranks on these places, one of [rankorder.Names]; "": the first of them
	Settings []string // KEY:VALUE in SimGrid's terms
	Links    bool     // report the use of every link
	Asked
}

// TIResult is the outcome of replaying time-independent traces; its JSON form is a
// contract (docs/formats/json.md).
type TIResult struct {
	Makespan     float64                    `json:"makespan_s"`
	CoresUsed    int                        `json:"cores_used"`
	Cores        int                        `json:"cores"` // of the hosts that have ranks
	Finish       []float64                  `json:"finish_s"`
	Messages     int64                      `json:"messages"`
	Bytes        float64                    `json:"bytes"`
	Efficiencies *efficiencies.Efficiencies `json:"efficiencies,omitempty"` // with TIOptions.Efficiencies
	WhatIf       []efficiencies.Effect      `json:"what_if,omitempty"`      // with TIOptions.WhatIf
	watch.Record                            // of what TIOptions asks for; its ranks up to RanksShown, or with AllRanks
	Warnings     []string                   `json:"warnings"`
	Notes        []string                   `json:"notes,omitempty"` // what was ignored
	Provenance   input.Provenance           `json:"provenance"`

	options  TIOptions
	platform *topology.Platform
	place    []int32 // host of each rank
	sim      *sim.Result
	speed    units.FlopsPerSecond // of the cores on which a trace with times was recorded
}

// flag is the flag with which the trace was given, name its value.
func (o *TIOptions) flag() string {
	if o.Recorded != "" {
		return "--trace"
	}
	return "--ti"
}

func (o *TIOptions) name() string { return cmp.Or(o.Recorded, o.Trace) }

// speed returns the speed of the cores on which the trace was recorded.
func (o *TIOptions) speed(p *topology.Platform) (units.FlopsPerSecond, error) {
	if o.Speed == "" {
		return p.Hosts[0].Speed, nil
	}
	s, err := units.Speed.Parse(o.Speed)
	if err == nil && s <= 0 {
		err = fmt.Errorf("%q is not above 0", o.Speed)
	}
	if err != nil {
		return 0, input.Errorf("--recorded-speed: %v", err)
	}
	return s, nil
}

// wrong returns why a replay has failed: an error in the trace, if it has one.
func wrong(trace source, err error) error {
	if t, ok := trace.(*timed); ok {
		if e := t.Close(); e != nil {
			err = e
		}
	}
	return TraceError(err)
}

// TI replays a trace on a platform as SimGrid does.
func TI(ctx context.Context, o TIOptions) (*TIResult, error) {
	settings, err := newSimGridOptions(o.Settings)
	if err != nil {
		return nil, err
	}
	if o.Order = cmp.Or(o.Order, rankorder.Names[0]); !slices.Contains(rankorder.Names, o.Order) {
		return nil, input.Errorf("--rank-order: %q is no order; expected %s, or a --hostfile with the host of each rank", o.Order, input.List(rankorder.Names))
	}
	if o.Order != rankorder.Names[0] {
		settings.given = append(settings.given, input.Override{Path: "rank_order", Value: o.Order})
	}
	r := &document.Reader{}
	platform, err := machines.ReadPlatform(r, o.Platform)
	if err != nil {
		return nil, err
	}
	settings.loopback(platform)
	if err := checkMemory(o.Ranks, "a smaller --np"); err != nil {
		return nil, err
	}
	speed, err := o.speed(platform)
	if err != nil {
		return nil, err
	}
	if o.Recorded != "" && settings.collectives != (titrace.Algorithms{}) {
		return nil, input.Errorf("--cfg chooses algorithms of collective operations, which --trace carries out by the default ones; expected none")
	}
	trace, err := o.open(o.Ranks, settings.collectives, speed)
	if err != nil {
		return nil, err
	}
	// Closing a trace that was only read cannot lose data. Run reports read errors.
	defer trace.Close()
	if err := checkMemory(trace.Ranks(), "a trace of fewer ranks"); err != nil {
		return nil, err
	}
	place, why, err := placeRanks(r, o, platform, trace.Ranks())
	if err != nil {
		return nil, err
	}
	inBlocks := place
	if place, err = o.ordered(ctx, platform, place, settings, speed); err != nil {
		return nil, err
	}
	stop := input.Stopwatch("replay "+o.flag(), nil, settings.given, 0)
	hashed := hashFiles(o.name(), trace.Files())
	c, fabric, err := cluster.OnPlatform(platform, place, settings.network())
	if err != nil {
		return nil, err
	}
	if o.Links || o.Picture {
		fabric.Record()
	}
	recording := watch.Start(ctx, trace.Ranks(), nil, o.Wanted)
	defer recording.Stop()
	c.Program, c.Observer = recording.Program(trace), recording.Observer()
	t := &TIResult{options: o, platform: platform, place: place, speed: speed}
	jobs := 1 // at the same time
	if checkMemory(2*trace.Ranks(), "") == nil {
		jobs = 2
	}
	onNetworks := efficiencies.NewRuns(jobs, func(ctx context.Context, change cluster.Change) (*sim.Result, error) {
		return t.again(ctx, settings, change, place, nil, nil)
	})
	var res *sim.Result
	run := func() (err error) {
		res, err = sim.Run(recording.Context(), c)
		return err
	}
	if o.Efficiencies {
		err = onNetworks.Beside(recording.Context(), run)
	} else {
		err = run()
	}
	err = recording.Check(err)
	idle := idleRanks(trace)
	var deadlock *sim.DeadlockError
	switch {
	case errors.As(err, &deadlock):
		deadlock.All = o.AllRanks
		if idle != "" {
			return nil, fmt.Errorf("%w\n%s; try --np %d", err, idle, trace.Recorded())
		}
		return nil, err
	case err != nil:
		return nil, wrong(trace, err)
	}
	t.Makespan, t.sim = float64(res.Makespan), res
	t.Finish = each.Of(res.Ranks, func(x sim.RankResult) float64 { return float64(x.Finish) })
	t.Messages, t.Bytes = res.Messages, math.Round(float64(res.Bytes))
	t.Warnings, t.Notes = append([]string{}, res.Warnings...), append(settings.notes, platform.Notes...)
	t.CoresUsed, t.Cores = t.cores()
	if idle != "" {
		t.Warnings = append(t.Warnings, idle)
	}
	links := &watch.Links{Platform: platform, Place: place, Parameters: settings.flow,
		Usage: fabric.Usage(res.Makespan)}
	t.Warnings = append(append(t.Warnings, sharedCoresWarning(platform, place, why)...),
		links.Warnings(watch.LinksFlag)...)
	t.Record = recording.Record(watch.Facts{Run: res, Name: t.rankName, Links: links})
	if o.AllRanks || len(place) <= watch.RanksShown {
		t.Ranks = t.ranks()
	}
	sum := <-hashed
	if sum.err != nil {
		return nil, sum.err
	}
	t.Provenance.Simulations, t.Provenance.Events = 1, res.Events
	again := func(place []int32, of func(workloads.Program) workloads.Program, o sim.Observer) (*sim.Result, error) {
		t.Provenance.Simulations++
		return t.again(ctx, settings, cluster.AsIs, place, of, o)
	}
	if o.Efficiencies {
		if t.Efficiencies, err = efficiencies.Of(ctx, res, true, onNetworks); err != nil {
			return nil, efficiencies.Refused(err, o.name())
		}
	}
	if o.WhatIf {
		if t.WhatIf, err = efficiencies.OnNetworks(ctx, res.Makespan, true, onNetworks); err != nil {
			return nil, err
		}
		trials, err := efficiencies.Trials(processes(platform, place), watch.MostWaits,
			func(of func(workloads.Program) workloads.Program, o sim.Observer) (*sim.Result, error) {
				return again(place, of, o)
			}, nil)
		if err != nil {
			return nil, err
		}
		places := map[string][]int32{}
		for _, name := range rankorder.Names {
			if rankorder.Near(name) && len(place)*len(place) > rankorder.MostPairs {
				continue
			}
			x, other := efficiencies.OfOrder(name), o
			other.Order = name
			to, err := other.ordered(ctx, platform, inBlocks, settings, speed)
			if efficiencies.Stuck(err) {
				continue
			} else if err != nil {
				return nil, err
			}
			if !slices.Equal(to, place) {
				trials, places[x.Name] = append(trials, x), to
			}
		}
		trials = append(trials, efficiencies.Faster())
		t.WhatIf, err = efficiencies.Tried(1, t.WhatIf, res.Makespan, trials, func(i int) (*sim.Result, error) {
			to, moved := places[trials[i].Name]
			if !moved {
				to = place
			}
			return again(to, trials[i].Program, nil)
		})
		if err != nil {
			return nil, err
		}
	}
	t.Provenance.Simulations += onNetworks.Made()
	stop(&t.Provenance)
	t.Provenance.Inputs = append(r.Inputs(), sum.Input)
	return t, nil
}

// again replays the trace on a changed network. of, if not nil, makes another program from that of the trace.
func (t *TIResult) again(ctx context.Context, settings *simGridOptions, change cluster.Change, place []int32,
	of func(workloads.Program) workloads.Program, o sim.Observer,
) (*sim.Result, error) {
	trace, err := t.options.open(len(t.place), settings.collectives, t.speed)
	if err != nil {
		return nil, err
	}
	defer trace.Close() // it was only read
	c, _, err := cluster.OnPlatform(t.platform, place, settings.network().With(change))
	if err != nil {
		return nil, err
	}
	c.Program, c.Observer = trace, o
	if of != nil {
		c.Program = of(trace)
	}
	r, err := sim.Run(ctx, c)
	return r, TraceError(err)
}

// checkMemory returns an error if this computer does not have the memory for a replay of that many ranks.
func checkMemory(ranks int, expected string) error {
	if ranks <= 0 {
		return nil // not known, or refused when the trace is opened
	}
	need := titrace.Memory(ranks) + sim.Memory(ranks, true)
	return fault.CheckMemory(fmt.Sprintf("a replay of %d ranks", ranks), need, expected)
}

// IdleCores says how many of the cores of the hosts that have ranks compute, "" if all do.
func (t *TIResult) IdleCores() string { return watch.InUse(t.CoresUsed, t.Cores) }

// cores returns how many cores compute, and how many cores the hosts with ranks have.
func (r *TIResult) cores() (used, all int) {
	for h, n := range ranksOn(r.platform, r.place) {
		if cores := r.platform.Hosts[h].Cores; n > 0 {
			used += min(n, cores)
			all += cores
		}
	}
	return used, all
}

// idleRanks returns a warning if there are more ranks than the trace has, or "".
func idleRanks(trace source) string {
	ranks, recorded := trace.Ranks(), trace.Recorded()
	if recorded == ranks {
		return ""
	}
	return fmt.Sprintf("the trace has %s, but --np is %d", input.Plural(recorded, "rank"), ranks)
}

// hashing is the outcome of hashFiles.
type hashing struct {
	input.Input
	err error
}

// hashFiles hashes the concatenation of files as one input of the given name. It works in
// the background, because a trace may be large.
func hashFiles(name string, files []string) <-chan hashing {
	done := make(chan hashing, 1)
	go func() {
		sum := sha256.New()
		for _, file := range files {
			if err := hashFile(sum, file); err != nil {
				done <- hashing{err: TraceError(err)}
				return
			}
		}
		done <- hashing{Input: input.NewInput(name, sum.Sum(nil), files...)}
	}()
	return done
}

func hashFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// TraceError turns an error about the files of a trace into an error about the input.
func TraceError(err error) error {
	_, syntax := errors.AsType[*titrace.SyntaxError](err)
	_, format := errors.AsType[*recorded.FormatError](err)
	if syntax || format {
		return &input.Error{Msg: err.Error(), Placed: true}
	}
	if file, ok := errors.AsType[*os.PathError](err); ok {
		return input.Unread(file.Path, file, "a trace, a list of traces or a folder of them")
	}
	return err
}

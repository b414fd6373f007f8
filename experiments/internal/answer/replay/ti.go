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
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/sim"
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

	on  *placed
	sim *sim.Result
}

// flag is the flag with which the trace was given, name its value.
func (o *TIOptions) flag() string {
	if o.Recorded != "" {
		return "--trace"
	}
	return "--ti"
}

func (o *TIOptions) name() string { return cmp.Or(o.Recorded, o.Trace) }

// TI replays a trace on a platform as SimGrid does.
func TI(ctx context.Context, o TIOptions) (*TIResult, error) {
	r := &document.Reader{}
	on, trace, err := o.placed(ctx, r)
	if err != nil {
		return nil, err
	}
	// Closing a trace that was only read cannot lose data. Run reports read errors.
	defer trace.Close()
	stop := input.Stopwatch("replay "+o.flag(), nil, on.settings.given, 0)
	hashed := hashFiles(o.name(), trace.Files())
	t := &TIResult{on: on}
	onNetworks := on.onNetworks()
	if err := t.simulate(ctx, trace, onNetworks); err != nil {
		return nil, err
	}
	sum := <-hashed
	if sum.err != nil {
		return nil, sum.err
	}
	if o.Efficiencies {
		if t.Efficiencies, err = efficiencies.Of(ctx, t.sim, true, onNetworks); err != nil {
			return nil, efficiencies.Refused(err, o.name())
		}
	}
	if o.WhatIf {
		if err := t.whatIf(ctx, onNetworks); err != nil {
			return nil, err
		}
	}
	t.Provenance.Simulations += onNetworks.Made()
	stop(&t.Provenance)
	t.Provenance.Inputs = append(r.Inputs(), sum.Input)
	return t, nil
}

// simulate replays the trace, and prepares onNetworks for efficiencies if they are wanted.
func (t *TIResult) simulate(ctx context.Context, trace source, onNetworks *efficiencies.Runs) error {
	p, o := t.on, t.on.TIOptions
	c, fabric, err := cluster.OnPlatform(p.platform, p.place, p.settings.network())
	if err != nil {
		return err
	}
	if o.Links || o.Picture {
		fabric.Record()
	}
	recording := watch.Start(ctx, trace.Ranks(), nil, o.Wanted)
	defer recording.Stop()
	c.Program, c.Observer = recording.Program(trace), recording.Observer()
	run := func() (err error) {
		t.sim, err = sim.Run(recording.Context(), c)
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
			return fmt.Errorf("%w\n%s; try --np %d", err, idle, trace.Recorded())
		}
		return err
	case err != nil:
		return wrong(trace, err)
	}
	t.Makespan = float64(t.sim.Makespan)
	t.Finish = each.Of(t.sim.Ranks, func(x sim.RankResult) float64 { return float64(x.Finish) })
	t.Messages, t.Bytes = t.sim.Messages, math.Round(float64(t.sim.Bytes))
	t.Warnings, t.Notes = append([]string{}, t.sim.Warnings...), append(p.settings.notes, p.platform.Notes...)
	if o.Recorded != "" && o.Speed == "" && slices.ContainsFunc(p.place, func(h int32) bool { return p.platform.Hosts[h].Speed != p.speed }) {
		t.Warnings = append(t.Warnings, fmt.Sprintf("all computations count as recorded at %v, the speed of the first host, "+
			"but some ranks are on hosts of another speed; --recorded-speed sets the speed", p.speed))
	}
	t.CoresUsed, t.Cores = p.cores()
	if idle != "" {
		t.Warnings = append(t.Warnings, idle)
	}
	links := &watch.Links{Platform: p.platform, Place: p.place, Parameters: p.settings.flow, Usage: fabric.Usage(t.sim.Makespan)}
	t.Warnings = append(append(t.Warnings, sharedCoresWarning(p.platform, p.place, p.why)...), links.Warnings(watch.LinksFlag)...)
	t.Record = recording.Record(watch.Facts{Run: t.sim, Name: p.rankName, Links: links})
	if o.AllRanks || len(p.place) <= watch.RanksShown {
		t.Ranks = t.ranks()
	}
	t.Provenance.Simulations, t.Provenance.Events = 1, t.sim.Events
	return nil
}

// whatIf replays the trace with one thing changed at a time: the network, the work, the order of ranks, the cores.
func (t *TIResult) whatIf(ctx context.Context, onNetworks *efficiencies.Runs) (err error) {
	p, makespan := t.on, t.sim.Makespan
	if t.WhatIf, err = efficiencies.OnNetworks(ctx, makespan, true, onNetworks); err != nil {
		return err
	}
	again := func(place []int32, of func(workloads.Program) workloads.Program, o sim.Observer) (*sim.Result, error) {
		t.Provenance.Simulations++
		return p.again(ctx, cluster.AsIs, place, of, o)
	}
	trials, err := efficiencies.Trials(processes(p.platform, p.place), watch.MostWaits,
		func(of func(workloads.Program) workloads.Program, o sim.Observer) (*sim.Result, error) {
			return again(p.place, of, o)
		}, nil)
	if err != nil {
		return err
	}
	places := map[string][]int32{}
	for _, name := range rankorder.Names {
		if rankorder.Near(name) && len(p.place)*len(p.place) > rankorder.MostPairs {
			continue
		}
		to, err := p.ordered(ctx, name)
		if efficiencies.Stuck(err) {
			continue
		} else if err != nil {
			return err
		}
		if !slices.Equal(to, p.place) {
			x := efficiencies.OfOrder(name)
			trials, places[x.Name] = append(trials, x), to
		}
	}
	trials = append(trials, efficiencies.Faster())
	t.WhatIf, err = efficiencies.Tried(1, t.WhatIf, makespan, trials, func(i int) (*sim.Result, error) {
		to, moved := places[trials[i].Name]
		if !moved {
			to = p.place
		}
		return again(to, trials[i].Program, nil)
	})
	return err
}

// IdleCores says how many of the cores of the hosts that have ranks compute, "" if all do.
func (t *TIResult) IdleCores() string { return watch.InUse(t.CoresUsed, t.Cores) }

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

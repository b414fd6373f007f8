package replay

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// TIOptions are the inputs and options of a replay of time-independent traces.
type TIOptions struct {
	Trace    string   // merged trace, list of traces by rank, or folder
	Ranks    int      // 0: as many as the trace has
	Platform string   // a SimGrid platform (.xml), a machine file (.yaml) or a name in the catalogue
	Hostfile string   // "": ranks on the hosts of the platform in their order, as many on each as it has cores
	Settings []string // KEY:VALUE in SimGrid's terms
	Links    bool     // report the use of every link
	AllRanks bool     // list every rank however many there are

	Efficiencies bool // replay again, on better networks
	WhatIf       bool // replay again, on networks with one thing better at a time
	watch.Wanted      // what to record; each record costs time and memory
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
	watch.Record                            // of what TIOptions has asked for; its ranks up to RanksShown, or with TIOptions.AllRanks
	Warnings     []string                   `json:"warnings"`
	Notes        []string                   `json:"notes,omitempty"` // what was ignored
	Provenance   input.Provenance           `json:"provenance"`

	options  TIOptions
	platform *topology.Platform
	place    []int32 // host of each rank
	sim      *sim.Result
}

// TI replays time-independent traces as SimGrid does.
func TI(ctx context.Context, o TIOptions) (*TIResult, error) {
	settings, err := newSimGridOptions(o.Settings)
	if err != nil {
		return nil, err
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
	trace, err := titrace.Open(o.Trace, o.Ranks)
	if err != nil {
		return nil, input.OrOtherForm(o.Trace, TraceError(err), "a time-independent trace", input.FormTI,
			input.FormTIList, input.FormTIFolder)
	}
	trace.Select(settings.collectives)
	// Closing a trace that was only read cannot lose data. Run reports read errors.
	defer trace.Close()
	if err := checkMemory(trace.Ranks(), "a trace of fewer ranks"); err != nil {
		return nil, err
	}
	place, why, err := placeRanks(r, o, platform, trace.Ranks())
	if err != nil {
		return nil, err
	}
	stop := input.Stopwatch("replay --ti", nil, settings.given, 0)
	hashed := hashFiles(o.Trace, trace.Files())
	c, fabric, err := cluster.OnPlatform(platform, place, settings.network())
	if err != nil {
		return nil, err
	}
	if o.Links || o.Picture {
		fabric.Record()
	}
	c.Program = trace
	recording := watch.Start(ctx, trace.Ranks(), nil, o.Wanted)
	defer recording.Stop()
	c.Observer = recording.Observer()
	res, err := sim.Run(recording.Context(), c)
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
		return nil, TraceError(err)
	}
	t := &TIResult{
		Makespan: float64(res.Makespan), Finish: make([]float64, len(res.Ranks)),
		Messages: res.Messages, Bytes: math.Round(float64(res.Bytes)),
		Warnings: append([]string{}, res.Warnings...), Notes: append(settings.notes, platform.Notes...),
		options: o, platform: platform, place: place, sim: res,
	}
	for i, x := range res.Ranks {
		t.Finish[i] = float64(x.Finish)
	}
	t.CoresUsed, t.Cores = t.cores()
	if idle != "" {
		t.Warnings = append(t.Warnings, idle)
	}
	links := &watch.Links{Platform: platform, Place: place, Parameters: settings.flow,
		Usage: fabric.Usage(res.Makespan)}
	t.Warnings = append(append(t.Warnings, sharedCoresWarning(platform, place, why)...),
		links.Warnings(watch.LinksFlag)...)
	t.Record = recording.Record(watch.Facts{End: res.Makespan, Ranks: len(place), Name: t.rankName, Links: links})
	if o.AllRanks || len(place) <= watch.RanksShown {
		t.Ranks = t.ranks()
	}
	sum := <-hashed
	if sum.err != nil {
		return nil, sum.err
	}
	t.Provenance.Simulations, t.Provenance.Events = 1, res.Events
	again := func(changes []cluster.Change) (all []*sim.Result, err error) {
		for _, c := range changes {
			r, err := t.again(ctx, settings, c)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		t.Provenance.Simulations += len(all)
		return all, nil
	}
	if o.Efficiencies {
		if t.Efficiencies, err = efficiencies.Of(res, true, again); err != nil {
			return nil, efficiencies.Refused(err, o.Trace)
		}
	}
	if o.WhatIf {
		if t.WhatIf, err = efficiencies.OnNetworks(res.Makespan, true, again); err != nil {
			return nil, err
		}
	}
	stop(&t.Provenance)
	t.Provenance.Inputs = append(r.Inputs(), sum.Input)
	return t, nil
}

// again replays on a network that is changed.
func (t *TIResult) again(ctx context.Context, settings *simGridOptions, change cluster.Change) (*sim.Result, error) {
	trace, err := titrace.Open(t.options.Trace, len(t.place))
	if err != nil {
		return nil, TraceError(err)
	}
	defer trace.Close() // it was only read
	trace.Select(settings.collectives)
	c, _, err := cluster.OnPlatform(t.platform, t.place, settings.network().With(change))
	if err != nil {
		return nil, err
	}
	c.Program = trace
	r, err := sim.Run(ctx, c)
	return r, TraceError(err)
}

// checkMemory returns an error if this computer has not the memory for a replay of so many ranks.
func checkMemory(ranks int, expected string) error {
	if ranks <= 0 {
		return nil // not known, or refused when the trace is opened
	}
	need := titrace.Memory(ranks) + sim.Memory(ranks, true)
	return fault.CheckMemory(fmt.Sprintf("a replay of %d ranks", ranks), need, expected)
}

// IdleCores says how many cores of the hosts that have ranks compute, "" if all do.
func (t *TIResult) IdleCores() string { return watch.InUse(t.CoresUsed, t.Cores) }

// cores returns how many cores compute, and how many the hosts have that have ranks.
func (r *TIResult) cores() (used, all int) {
	ranks := make([]int, len(r.platform.Hosts))
	for _, h := range r.place {
		ranks[h]++
	}
	for h, n := range ranks {
		if cores := r.platform.Hosts[h].Cores; n > 0 {
			used += min(n, cores)
			all += cores
		}
	}
	return used, all
}

// idleRanks is a warning if there are more ranks than the trace has, or "".
func idleRanks(trace *titrace.Program) string {
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

// hashFiles hashes the concatenation of files as one input of the given name, in the
// background: a trace may be large.
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
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// TraceError makes an error about the files of a trace one about the input.
func TraceError(err error) error {
	if _, ok := errors.AsType[*titrace.SyntaxError](err); ok {
		return &input.Error{Msg: err.Error(), Placed: true}
	}
	if file, ok := errors.AsType[*os.PathError](err); ok {
		return input.Errorf("%s: cannot read: %v; expected a trace, a list of traces or a folder of them", file.Path, file.Err)
	}
	return err
}

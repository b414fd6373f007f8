package replay

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/answer/sections"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
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

	watch.Wanted // what to record; each record costs time and memory
}

// TIResult is the outcome of replaying time-independent traces; its JSON form is a
// contract (docs/formats/json.md).
type TIResult struct {
	Makespan     float64          `json:"makespan_s"`
	CoresUsed    int              `json:"cores_used"`
	Cores        int              `json:"cores"` // of the hosts that have ranks
	Finish       []float64        `json:"finish_s"`
	Messages     int64            `json:"messages"`
	Bytes        float64          `json:"bytes"`
	Ranks        []sections.Rank  `json:"ranks,omitempty"` // up to RanksShown, or with TIOptions.AllRanks
	Links        []sections.Link  `json:"links,omitempty"`
	CriticalPath *observe.Path    `json:"critical_path,omitempty"`
	Limits       []watch.Limit    `json:"limits,omitempty"` // causes on the critical path
	Warnings     []string         `json:"warnings"`
	Notes        []string         `json:"notes,omitempty"` // what was ignored
	Provenance   input.Provenance `json:"provenance"`

	watch.Record // of what TIOptions has asked for

	replay tiReplay
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
		return nil, input.OrOtherForm(o.Trace, TraceError(err), "a time-independent trace", input.FormTI, input.FormTIList, input.FormTIFolder)
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
	network := networks.Network{Flow: &networks.Flow{Parameters: settings.flow, Protocol: settings.protocol}}
	c, fabric, err := system.OnPlatform(platform, place, network)
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
		Makespan: float64(res.Makespan), Finish: make([]float64, len(res.Ranks)), Messages: res.Messages, Bytes: float64(res.Bytes),
		Warnings: append([]string{}, res.Warnings...), Notes: append(settings.notes, platform.Notes...),
	}
	for i, x := range res.Ranks {
		t.Finish[i] = float64(x.Finish)
	}
	t.replay = tiReplay{options: o, platform: platform, place: place, sim: res}
	t.CoresUsed, t.Cores = t.replay.cores()
	if o.AllRanks || len(place) <= sections.RanksShown {
		t.Ranks = t.replay.ranks()
	}
	if idle != "" {
		t.Warnings = append(t.Warnings, idle)
	}
	t.Warnings = append(t.Warnings, sharedCoresWarning(platform, place, why)...)
	u := fabric.Usage(res.Makespan)
	if u.Recorded {
		t.replay.usage = u
		t.Links = sections.LinkResults(platform, u)
	}
	t.Warnings = append(t.Warnings, sections.BottleneckWarning(platform, u, len(place), sections.LinksFlag)...)
	t.Record = recording.Record(watch.Facts{
		End: res.Makespan, Ranks: len(place), Name: t.replay.rankName, Use: sections.LinkUse(platform, u),
		Links: &watch.Links{Platform: platform, Place: place, Parameters: settings.flow, Usage: u},
	})
	if o.CriticalPath {
		t.CriticalPath, t.Limits = t.Path(), t.Causes()
	}
	sum := <-hashed
	if sum.err != nil {
		return nil, sum.err
	}
	t.Provenance.Simulations, t.Provenance.Events = 1, res.Events
	stop(&t.Provenance)
	t.Provenance.Inputs = append(r.Inputs(), sum.Input)
	return t, nil
}

// checkMemory returns an error if this computer has not the memory for a replay of so
// many ranks.
func checkMemory(ranks int, expected string) error {
	if ranks <= 0 {
		return nil // not known, or refused when the trace is opened
	}
	need := titrace.Memory(ranks) + sim.Memory(ranks, true)
	return input.CheckMemory(fmt.Sprintf("a replay of %d ranks", ranks), need, expected)
}

// IdleCores says how many cores of the hosts that have ranks compute, "" if all do.
func (t *TIResult) IdleCores() string { return sections.InUse(t.CoresUsed, t.Cores) }

// cores returns how many cores compute, and how many the hosts have that have ranks.
func (r *tiReplay) cores() (used, all int) {
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

// placeRanks places the ranks. why is the reason for the placement, for the warning
// that ranks share cores.
func placeRanks(r *document.Reader, o TIOptions, p *topology.Platform, ranks int) (place []int32, why string, err error) {
	if o.Hostfile != "" {
		data, err := input.ReadFile(o.Hostfile)
		if err != nil {
			return nil, "", input.Errorf("%s: cannot read: %v; expected a host on each line", o.Hostfile, input.Reason(err))
		}
		r.Record(o.Hostfile, data)
		place, named, err := placeByHostfile(filepath.ToSlash(o.Hostfile), data, p, ranks)
		if len(place) > named {
			return place, fmt.Sprintf("%s has places for %s and is repeated", o.Hostfile, input.Plural(named, "rank")), err
		}
		return place, "as " + o.Hostfile + " places them", err
	}
	place = make([]int32, 0, ranks)
	for len(place) < ranks {
		for h := range p.Hosts {
			for range p.Hosts[h].Cores {
				if len(place) < ranks {
					place = append(place, int32(h))
				}
			}
		}
	}
	cores := 0
	for h := range p.Hosts {
		cores += p.Hosts[h].Cores
	}
	return place, fmt.Sprintf("%s has %s", o.Platform, input.Plural(cores, "core")), nil
}

// implicitLoopback is the link over which hosts without a loopback of their own send
// messages to themselves.
const implicitLoopback = "__loopback__"

// loopback applies the settings for hosts without a loopback of their own.
func (o *simGridOptions) loopback(p *topology.Platform) {
	for i := range p.Links {
		if p.Links[i].Name == implicitLoopback {
			p.Links[i].Bandwidth, p.Links[i].Latency = o.loopbackBandwidth, o.loopbackLatency
		}
	}
}

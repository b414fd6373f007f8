package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/topology/platformxml"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// TIOptions say what to replay on what.
type TIOptions struct {
	Trace    string   // merged trace, list of traces by rank, or folder
	Ranks    int      // 0: as many as the trace has
	Platform string   // a SimGrid platform (.xml), a machine file (.yaml) or a name in the catalogue
	Hostfile string   // "": ranks on the hosts of the platform in their order, as many on each as it has cores
	Settings []string // KEY:VALUE in SimGrid's terms
	Links    bool     // report what every link did
	AllRanks bool     // list every rank however many there are
}

// TIResult is the outcome of replaying time-independent traces; its JSON form is a
// contract (docs/formats/json.md).
type TIResult struct {
	Makespan   float64      `json:"makespan_s"`
	Finish     []float64    `json:"finish_s"`
	Messages   int64        `json:"messages"`
	Bytes      float64      `json:"bytes"`
	Ranks      []RankResult `json:"ranks,omitempty"` // up to RanksShown, or with TIOptions.AllRanks
	Links      []LinkResult `json:"links,omitempty"`
	Warnings   []string     `json:"warnings"`
	Notes      []string     `json:"notes,omitempty"` // what was ignored
	Provenance Provenance   `json:"provenance"`

	replay tiReplay
}

// ReplayTI replays time-independent traces as SimGrid does.
func ReplayTI(ctx context.Context, o TIOptions) (*TIResult, error) {
	settings, err := newSimGridOptions(o.Settings)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	platform, err := r.platform(o.Platform)
	if err != nil {
		return nil, err
	}
	settings.loopback(platform)
	trace, err := titrace.Open(o.Trace, o.Ranks)
	if err != nil {
		return nil, orOtherForm(o.Trace, traceError(err), "a time-independent trace", formTI, formTIList, formTIFolder)
	}
	trace.Select(settings.collectives)
	// Closing what was only read cannot lose data; why it gave up, Run says.
	defer trace.Close()
	place, why, err := placeRanks(r, o, platform, trace.Ranks())
	if err != nil {
		return nil, err
	}
	stop := Stopwatch("replay --ti", nil, settings.given, 0)
	hashed := hashFiles(o.Trace, trace.Files())
	fabric, err := flow.New(flowMachine(platform, place), settings.flow)
	if err != nil {
		return nil, inputErrorf("%v", err)
	}
	if o.Links {
		fabric.Record()
	}
	rates := make([]units.FlopsPerSecond, len(place))
	for i, h := range place {
		rates[i] = platform.Hosts[h].Speed
	}
	res, err := sim.Run(ctx, sim.Config{Program: trace, Fabric: fabric, Protocol: settings.protocol, Rates: rates, Ranks: true})
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
		return nil, traceError(err)
	}
	t := &TIResult{
		Makespan: float64(res.Makespan), Finish: make([]float64, len(res.Ranks)), Messages: res.Messages, Bytes: float64(res.Bytes),
		Warnings: append([]string{}, res.Warnings...), Notes: append(settings.notes, platform.Notes...),
	}
	for i, x := range res.Ranks {
		t.Finish[i] = float64(x.Finish)
	}
	t.replay = tiReplay{options: o, platform: platform, place: place, sim: res}
	if o.AllRanks || len(place) <= RanksShown {
		t.Ranks = t.replay.ranks()
	}
	if idle != "" {
		t.Warnings = append(t.Warnings, idle)
	}
	t.Warnings = append(t.Warnings, sharedCoresWarning(platform, place, why)...)
	u := fabric.Usage(res.Makespan)
	if u.Recorded {
		t.replay.usage = u
		t.Links = linkResults(platform, u)
	}
	t.Warnings = append(t.Warnings, bottleneckWarning(platform, u, len(place))...)
	sum := <-hashed
	if sum.err != nil {
		return nil, sum.err
	}
	r.inputs = append(r.inputs, sum.Input)
	t.Provenance.Simulations, t.Provenance.Events = 1, res.Events
	stop(&t.Provenance)
	t.Provenance.Inputs = r.inputs
	return t, nil
}

// idleRanks says that there are more ranks than the trace has, or "".
func idleRanks(trace *titrace.Program) string {
	ranks, recorded := trace.Ranks(), trace.Recorded()
	if recorded == ranks {
		return ""
	}
	return fmt.Sprintf("the trace has actions of %s, and --np asks for %d", plural(recorded, "rank"), ranks)
}

// hashing is the outcome of hashFiles.
type hashing struct {
	Input
	err error
}

// hashFiles hashes files one behind the other, as one input of the given name,
// while others work: a trace may be large.
func hashFiles(name string, files []string) <-chan hashing {
	done := make(chan hashing, 1)
	go func() {
		sum := sha256.New()
		for _, file := range files {
			if err := hashFile(sum, file); err != nil {
				done <- hashing{err: traceError(err)}
				return
			}
		}
		done <- hashing{Input: Input{File: filepath.ToSlash(name), SHA256: hex.EncodeToString(sum.Sum(nil))}}
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

// traceError tells what is wrong with a trace from what is wrong with the run.
func traceError(err error) error {
	var syntax *titrace.SyntaxError
	if errors.As(err, &syntax) {
		return &InputError{Msg: err.Error(), placed: true}
	}
	var file *os.PathError
	if errors.As(err, &file) {
		return inputErrorf("%s: cannot read: %v; expected a trace, a list of traces or a folder of them", file.Path, file.Err)
	}
	return err
}

// platform reads a platform: a SimGrid file, or a machine file or a name in the
// catalogue.
func (r *reader) platform(path string) (*topology.Platform, error) {
	if !strings.HasSuffix(path, ".xml") {
		m, err := r.namedMachine(path)
		if err != nil {
			return nil, err
		}
		return machinePlatform(m)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, inputErrorf("%s: cannot read: %v; expected a SimGrid platform", path, reason(err))
	}
	p, err := parsePlatform(path, data)
	if err != nil {
		return nil, err
	}
	r.input(path, data)
	return p, nil
}

// parsePlatform reads the text of a SimGrid platform.
func parsePlatform(path string, data []byte) (*topology.Platform, error) {
	p, err := platformxml.Read(filepath.ToSlash(path), data)
	if err != nil {
		return nil, orOtherForm(path, &InputError{Msg: err.Error(), placed: true}, "a SimGrid platform", formPlatform)
	}
	return p, nil
}

// namedMachine reads a machine file, or a machine of the catalogue.
func (r *reader) namedMachine(name string) (*topology.Machine, error) {
	if looksLikeFile(name) {
		root, err := r.readFile(name)
		if err != nil {
			return nil, err
		}
		if kind := kindOf(root); isOtherThanMachine(root, kind) {
			return nil, wrongKind(root, kind, KindMachine)
		}
		m := r.machineBody(root, strings.TrimSuffix(baseName(name), ".yaml"))
		return m, r.Err()
	}
	if form := formOf(name); form != formUnknown && form != formPlatform {
		return nil, placedErrorf("%s: %s; expected a machine; %s", name, form.is(), form.taker(name))
	}
	if !slices.Contains(topology.CatalogueNames(), name) {
		return nil, inputErrorf("--platform %s: no such machine; expected a SimGrid platform (.xml), a machine file (.yaml) or one of the catalogue: %s", name, list(topology.CatalogueNames()))
	}
	m, err := catalogueMachine(name)
	if err != nil {
		return nil, err
	}
	data, _ := topology.CatalogueFile(name)
	r.input("catalogue/"+name+".yaml", data)
	return m, nil
}

// placeRanks places the ranks. why says what the placement follows, for when it makes
// ranks share cores.
func placeRanks(r *reader, o TIOptions, p *topology.Platform, ranks int) (place []int32, why string, err error) {
	if o.Hostfile != "" {
		data, err := os.ReadFile(o.Hostfile)
		if err != nil {
			return nil, "", inputErrorf("%s: cannot read: %v; expected a host on each line", o.Hostfile, reason(err))
		}
		r.input(o.Hostfile, data)
		place, named, err := placeByHostfile(filepath.ToSlash(o.Hostfile), data, p, ranks)
		if len(place) > named {
			return place, fmt.Sprintf("%s names places for %s and is begun again", o.Hostfile, plural(named, "rank")), err
		}
		return place, o.Hostfile + " puts them there", err
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
	return place, fmt.Sprintf("%s has %s", o.Platform, plural(cores, "core")), nil
}

// implicitLoopback is the link over which hosts without a loopback of their own
// reach themselves.
const implicitLoopback = "__loopback__"

// loopback sets what SimGrid's settings say of hosts without a loopback of their
// own.
func (o *simGridOptions) loopback(p *topology.Platform) {
	for i := range p.Links {
		if p.Links[i].Name == implicitLoopback {
			p.Links[i].Bandwidth, p.Links[i].Latency = o.loopbackBandwidth, o.loopbackLatency
		}
	}
}

// flowMachine returns a platform as the flow model wants it.
func flowMachine(p *topology.Platform, place []int32) flow.Machine {
	m := flow.Machine{Links: make([]flow.Link, len(p.Links)), Hosts: make([]flow.Host, len(p.Hosts)), Router: p, Place: place}
	for i, l := range p.Links {
		m.Links[i] = flow.Link{Bandwidth: l.Bandwidth, Latency: l.Latency, FatPipe: l.FatPipe}
	}
	for i, h := range p.Hosts {
		m.Hosts[i] = flow.Host{Cores: h.Cores, Speed: h.Speed, Memory: h.Memory}
	}
	return m
}

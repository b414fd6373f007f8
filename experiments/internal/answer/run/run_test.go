package run

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
)

// example runs an example with overrides.
func example(t *testing.T, o Options, file string, overrides ...input.Override) (*Result, error) {
	t.Helper()
	s := expect.Value(scenario.Disk.Read(filepath.FromSlash("../../../../examples/"+file), overrides))(t)
	return Run(context.Background(), s, o)
}

// ran is example without an error.
func ran(t *testing.T, o Options, file string, overrides ...input.Override) *Result {
	t.Helper()
	return expect.Value(example(t, o, file, overrides...))(t)
}

// written runs a scenario of a text and checks its report.
func written(t *testing.T, o Options, text string, overrides ...input.Override) *Result {
	t.Helper()
	path := expect.File(t, "run.yaml", text)
	s := expect.Value(scenario.Disk.Read(path, overrides))(t)
	r := expect.Value(Run(t.Context(), s, o))(t)
	expect.Success(t, r.Report().Check())
	return r
}

// Eight messages of 125 kB cross one bus of 1.25 MB/s at once, in 0.8 s and 1 ms of
// latency; one message alone takes 0.101 s. At a switch messages share nothing.
func TestWhatLimitsARun(t *testing.T) {
	for _, c := range []struct {
		topology             string
		contention, transfer float64 // in seconds
		sentence             string
	}{
		{"bus", 0.7, 0.101, "Contention limits the run: 87 % of the critical path is lost by messages that share links with others, most of it on the link bus."},
		{"star", 0, 0.101, "The network limits the run: messages on their way are 100 % of the critical path."},
	} {
		r := ran(t, Options{Picture: true, Links: true}, "topologies/bus.yaml", input.Override{Path: "machine.network.topology", Value: c.topology})
		got := map[string]float64{}
		for _, l := range r.Causes() {
			got[l.Cause] = float64(l.Time)
		}
		expect.That(t, math.Abs(got["contention"]-c.contention) <= 1e-9 &&
			math.Abs(got["transfer of messages"]-c.transfer) <= 1e-9,
			"%s: %v, want %v s of contention and %v s of transfer", c.topology, got, c.contention, c.transfer)
		expect.Equal(t, r.Cause(), c.sentence, "what limits %s", c.topology)
		x := expect.Value(timeline.Decode(r.Timeline()))(t)
		expect.That(t, x.Use != nil && x.Messages == 8 && len(x.MessageTo) == 8,
			"%s: the timeline has %d of %d messages and the use of links %v; want 8, with the use", c.topology,
			len(x.MessageTo), x.Messages, x.Use)
	}
}

// The baseline of four equal nodes is the run on one of them: for equal work, the
// speed-up is the ratio of the times, and the efficiency a quarter of that.
func TestBaseline(t *testing.T) {
	alone := ran(t, Options{}, "lessons/1-gauss.yaml", input.Override{Path: "nodes.node", Value: "1"}, input.Override{Path: "workload.n", Value: "100"})
	for _, of := range []string{BaselineProcess, BaselineNode} {
		r := ran(t, Options{Baseline: of}, "lessons/1-gauss.yaml", input.Override{Path: "nodes.node", Value: "4"}, input.Override{Path: "workload.n", Value: "100"})
		b, want := r.Baseline, alone.Makespan/r.Makespan
		expect.That(t, b.Makespan == alone.Makespan && b.Processes == 1 && math.Abs(b.Speedup/want-1) <= 1e-12 &&
			math.Abs(b.Efficiency/(want/4)-1) <= 1e-12,
			"%s: %+v; want %v s on one process, a speed-up of %v and a quarter of it", of, b, alone.Makespan, want)
		expect.That(t, r.Provenance.Simulations == 2, "%s: %d simulations, want 2", of, r.Provenance.Simulations)
	}
	// Two fields of 100^2 numbers take 160 kB: more than a node of 100 kB has, but not than four.
	r := ran(t, Options{Baseline: BaselineProcess}, "lessons/1-gauss.yaml", input.Override{Path: "nodes.node", Value: "4"},
		input.Override{Path: "workload", Value: "{name: stencil2d, n: 100}"}, input.Override{Path: "machine.node_types.node.memory", Value: "100 kB"})
	expect.That(t, len(r.Warnings) == 1 && strings.HasPrefix(r.Warnings[0], "the baseline: "), "%q", r.Warnings)
	expect.Refusal(example(t, Options{Baseline: BaselineProcess}, "topologies/bus.yaml"))(t,
		"performs no work")
	expect.Refusal(example(t, Options{Baseline: "rack"}, "lessons/1-gauss.yaml"))(t,
		"expected process or node")
}

// A barrier of 32 768 processes takes 15 rounds with a message and three spans for each:
// 491 520 messages and 1 474 560 spans. It has no timeline, and the error says so before
// anything is written.
func TestTimelineOfTooMuch(t *testing.T) {
	expect.Refusal(example(t, Options{Timeline: true}, "barrier-1m.yaml", input.Override{Path: "nodes.node", Value: "32768"}))(t, "1474560 spans and 491520 messages")
}

// Two nodes send each other 1 MB at once over a bus of 1 MB/s: both messages take 2 s instead of 1
// s, so sharing costs 2 s, half of the time of both ranks. In a star they do not meet.
func TestRunReportLeadsWithTheBottleneck(t *testing.T) {
	const text = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s, topology: bus}}
network: flow
workload: {name: pattern, n: 1, shape: ring, size: 1 MB}
`
	for topology, want := range map[string]string{
		"bus":  "<p>The bottleneck is the link bus (1\u00a0MB/s): sharing it cost messages and computations 2\u00a0s in total, which is 50\u00a0% of the time of all ranks.</p>",
		"star": "",
	} {
		for _, links := range []bool{true, false} {
			r := written(t, Options{Links: links, AllRanks: true}, text, input.Override{Path: "machine.network.topology", Value: topology})
			var page bytes.Buffer
			expect.Success(t, html.Write(&page, r.Report()))
			got := strings.Contains(page.String(), "The bottleneck is")
			expect.That(t, got == (want != "") && strings.Contains(page.String(), want),
				"%s: the report says something of a bottleneck: %v, want %q", topology, got, want)
		}
	}
}

// The matrix of messages adds up to what the run counts, and the report shows it, on every kind of
// network: eager and rendezvous, with one shard and with shared links.
func TestTrafficAddsUpToTheRun(t *testing.T) {
	for _, c := range []struct {
		file      string
		overrides []input.Override
		charts    int
	}{
		{"topologies/bus.yaml", nil, 1},
		{"sunwulf-run.yaml", nil, 2},
		{"sunwulf-run.yaml", []input.Override{{Path: "network.eager_limit", Value: "100 B"}}, 2},
		{"sunwulf-run.yaml", []input.Override{{Path: "workload.barrier", Value: "{per_process: 0.2 ms}"}, {Path: "workload.bcast", Value: "{per_process: 0.2 ms}"}}, 2},
		{"applications/heat3d-run.yaml", nil, 2},
	} {
		r := ran(t, Options{Picture: true}, c.file, c.overrides...)
		messages, bytes := r.Picture.Traffic.Total()
		expect.That(t, messages != 0 && messages == r.Messages && math.Abs(float64(bytes)-r.Bytes) <= 1e-12*r.Bytes,
			"%s %v: %d messages with %v; the run has %d with %v B", c.file, c.overrides, messages, bytes, r.Messages,
			r.Bytes)
		d := r.Report()
		expect.Success(t, d.Check())
		at := slices.IndexFunc(d.Sections, func(s report.Section) bool { return s.Heading == "Who sends to whom" })
		expect.That(t, at >= 0 && len(d.Sections[at].Blocks) == c.charts,
			"%s %v: section %d, want one with %d charts", c.file, c.overrides, at, c.charts)
		plain := ran(t, Options{}, c.file, c.overrides...)
		expect.That(t, plain.Picture == nil && plain.Makespan == r.Makespan,
			"%s: %v s with a record and %v s without", c.file, r.Makespan, plain.Makespan)
	}
}

// A value in a machine is set in the machine that a scenario names, as if it had
// been written there. A ping of 1 MB takes 1 s over 1 MB/s, and 2 s over half of it.
func TestSetReachesIntoTheMachine(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mine.yaml":   "node_types: {w: {marked_speed: 1 Gflop/s}}\nnodes: [{type: w, count: 2}]\nnetwork: {latency: 0 s, bandwidth: 1 MB/s}\n",
		"other.yaml":  "node_types: {w: {marked_speed: 1 Gflop/s}}\nnodes: [{type: w, count: 2}]\nnetwork: {latency: 0 s, bandwidth: 4 MB/s}\n",
		"run.yaml":    "machine: mine.yaml\nnetwork: hockney\nworkload: {name: pattern, n: 1, shape: ring, size: 1 MB}\n",
		"known.yaml":  "machine: sunwulf\nnodes: {blade: 2}\nnetwork: hockney\nworkload: {name: pattern, n: 1, shape: ring, size: 1 MB}\n",
		"inline.yaml": "machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}\nnetwork: hockney\nworkload: {name: pattern, n: 1, shape: ring, size: 1 MB}\n",
		"lost.yaml":   "machine: nowhere.yaml\nnetwork: hockney\nworkload: {name: matmul, n: 5}\n",
		"wrong.yaml":  "machine: run.yaml\nnetwork: hockney\nworkload: {name: matmul, n: 5}\n",
	} {
		expect.Success(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	runFile := func(file string, overrides ...input.Override) (*Result, error) {
		s, err := scenario.Disk.Read(filepath.Join(dir, file), overrides)
		if err != nil {
			return nil, err
		}
		return Run(context.Background(), s, Options{Overrides: overrides})
	}
	half := input.Override{Path: "machine.network.bandwidth", Value: "500 kB/s"}
	for _, c := range []struct {
		file      string
		overrides []input.Override
		want      float64
		machine   string
		inputs    int
	}{
		{"run.yaml", nil, 1, "mine", 2},
		{"run.yaml", []input.Override{half}, 2, "mine", 2},
		{"run.yaml", []input.Override{half, {Path: "machine.network.latency", Value: "1 s"}}, 3, "mine", 2},
		{"run.yaml", []input.Override{{Path: "machine.nodes[0].count", Value: "3"}}, 1, "mine", 2},
		{"run.yaml", []input.Override{{Path: "machine", Value: "other.yaml"}, {Path: "machine.network.latency", Value: "1 s"}}, 1.25, "other", 2},
		{"run.yaml", []input.Override{{Path: "machine.name", Value: "renamed"}}, 1, "renamed", 2},
		{"inline.yaml", []input.Override{half}, 2, "inline", 1},
		{"known.yaml", []input.Override{half, {Path: "machine.network.latency", Value: "0 s"}}, 2, "sunwulf", 2},
	} {
		r, err := runFile(c.file, c.overrides...)
		expect.Need(t, err == nil, "%s, %v: %v", c.file, c.overrides, err)
		expect.That(t, scalar.EqualWithinRel(r.Makespan, c.want, 1e-9) && r.scenario.Machine.Name == c.machine,
			"%s, %v: %v s on %s, want %v on %s", c.file, c.overrides, r.Makespan, r.scenario.Machine.Name, c.want,
			c.machine)
		expect.That(t, len(r.Provenance.Inputs) == c.inputs && len(r.Provenance.Overrides) == len(c.overrides),
			"%s, %v: provenance %+v", c.file, c.overrides, r.Provenance)
	}

	for _, c := range []struct {
		file string
		o    input.Override
		want string
	}{
		{"run.yaml", input.Override{Path: "machine.network.bandwith", Value: "1 MB/s"}, `--set machine.network.bandwith=1 MB/s:1:26: machine.network: unknown key "bandwith"; expected one of `},
		{"run.yaml", input.Override{Path: "machine.network.bandwidth", Value: "0 B/s"}, "--set machine.network.bandwidth=0 B/s:1:27: machine.network.bandwidth: 0 B/s is zero"},
		{"lost.yaml", half, "nowhere.yaml: cannot read: no such file"},
		{"wrong.yaml", half, "run.yaml:1:1: this is a scenario; expected a machine; 'isoscale run' takes this file"},
	} {
		_, err := runFile(c.file, c.o)
		expect.That(t, err != nil && strings.Contains(err.Error(), c.want) && input.IsError(err) &&
			input.HasPosition(err),
			"%s, %v: %v, want %s", c.file, c.o, err, c.want)
	}
}

// Messages of 125 kB each as in TestWhatLimitsARun; and two nodes of 1 Gflop/s that compute 1 Gflop each.
func TestOpeningOfARun(t *testing.T) {
	const text = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}
network: ideal
workload: {name: pattern, n: 1, shape: ring, size: 0 B, compute: 1 Gflop}
`
	for want, r := range map[string]*Result{
		"The run takes 801 ms. It sends 8 messages with 1 MB, and computes nothing.": ran(t, Options{}, "topologies/bus.yaml"),
		"The run takes 1 s and achieves 2 Gflop/s, 100.0 % of the marked speed. It performs 2 Gflop. The marked speed, " +
			"2 Gflop/s, is the sum of the speeds that the cores of the system sustain in benchmarks.": written(t, Options{}, text),
	} {
		got := strings.Join(r.opening(), " ")
		expect.That(t, got == want, "%q", got)
	}
}

// Four ranks send 0.7 B each to the next: 2.8 B in total, which is 3 in JSON, for the run and for the bus.
func TestBytesAreWholeInJSON(t *testing.T) {
	const text = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 0 s, bandwidth: 1 MB/s, topology: bus}}
network: flow
workload: {name: pattern, n: 1, shape: ring, size: 0.7 B}
`
	r := written(t, Options{Links: true}, text)
	encoded := string(expect.Value(json.Marshal(r))(t))
	expect.That(t, strings.Count(encoded, `"messages":4,"bytes":3,`) == 2, "no whole bytes in %s", text)
}

// The time of devices rests on their marked speed unless the workload says what it sustains, or every
// computation names a kernel.
func TestMarkedSpeedOfDevicesIsAssumed(t *testing.T) {
	for _, c := range []struct {
		file string
		set  []input.Override
		want int
	}{
		{"data-parallel.yaml", nil, 1},
		{"data-parallel.yaml", []input.Override{{Path: "workload.sustained", Value: "0.4"}}, 0},
		{"mixed-precision.yaml", nil, 0},
	} {
		n := 0
		for _, w := range ran(t, Options{}, c.file, c.set...).Warnings {
			if strings.Contains(w, "assumes that it reaches the marked speed of the devices of gpu, 990 Tflop/s at bf16") {
				n++
			}
		}
		expect.That(t, n == c.want, "%s %v: %d warnings, want %d", c.file, c.set, n, c.want)
	}
}

package run

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// example runs an example with overrides.
func example(t *testing.T, o Options, file string, overrides ...input.Override) (*Result, error) {
	t.Helper()
	s, err := scenario.Read(filepath.FromSlash("../../../../examples/"+file), overrides)
	if err != nil {
		t.Fatal(err)
	}
	return Run(context.Background(), s, o)
}

// Eight messages of 125 kB cross one bus of 1.25 MB/s at once: 0.8 s and 1 ms of
// latency, of which a message alone takes 0.101 s. At a switch none shares anything.
func TestWhatLimitsARun(t *testing.T) {
	for _, c := range []struct {
		topology             string
		contention, transfer float64 // in seconds
		sentence             string
	}{
		{"bus", 0.7, 0.101, "Contention limits the run: 87 % of the critical path is lost by messages that share links with others, most of it on bus."},
		{"star", 0, 0.101, "The network limits the run: messages on their way are 100 % of the critical path."},
	} {
		r, err := example(t, Options{Picture: true, Links: true}, "topologies/bus.yaml", input.Override{Path: "machine.network.topology", Value: c.topology})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, l := range r.Causes() {
			got[l.Cause] = float64(l.Time)
		}
		if math.Abs(got["contention"]-c.contention) > 1e-9 || math.Abs(got["transfer of messages"]-c.transfer) > 1e-9 {
			t.Errorf("%s: %v, want %v s of contention and %v s of transfer", c.topology, got, c.contention, c.transfer)
		}
		if s := r.Cause(); s != c.sentence {
			t.Errorf("%s: %q, want %q", c.topology, s, c.sentence)
		}
		x, err := timeline.Decode(r.Timeline())
		if err != nil {
			t.Fatal(err)
		}
		if x.Use == nil || x.Messages != 8 || len(x.MessageTo) != 8 {
			t.Errorf("%s: the timeline has %d of %d messages and the use of links %v; want 8, with the use", c.topology, len(x.MessageTo), x.Messages, x.Use)
		}
	}
}

// The baseline of four equal nodes is the run on one of them: for equal work, the
// speed-up is the ratio of the times, and the efficiency a quarter of that.
func TestBaseline(t *testing.T) {
	alone, err := example(t, Options{}, "lessons/1-gauss.yaml", input.Override{Path: "nodes.node", Value: "1"}, input.Override{Path: "workload.n", Value: "100"})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []string{BaselineProcess, BaselineNode} {
		r, err := example(t, Options{Baseline: of}, "lessons/1-gauss.yaml", input.Override{Path: "nodes.node", Value: "4"}, input.Override{Path: "workload.n", Value: "100"})
		if err != nil {
			t.Fatal(err)
		}
		b, want := r.Baseline, alone.Makespan/r.Makespan
		if b.Makespan != alone.Makespan || b.Processes != 1 || math.Abs(b.Speedup/want-1) > 1e-12 || math.Abs(b.Efficiency/(want/4)-1) > 1e-12 {
			t.Errorf("%s: %+v; want %v s on one process, a speed-up of %v and a quarter of it", of, b, alone.Makespan, want)
		}
		if r.Provenance.Simulations != 2 {
			t.Errorf("%s: %d simulations, want 2", of, r.Provenance.Simulations)
		}
	}
	if _, err := example(t, Options{Baseline: BaselineProcess}, "topologies/bus.yaml"); err == nil || !strings.Contains(err.Error(), "performs no work") {
		t.Errorf("a baseline of a run without work: error %v, want one that says why", err)
	}
	if _, err := example(t, Options{Baseline: "rack"}, "lessons/1-gauss.yaml"); err == nil || !strings.Contains(err.Error(), "expected process or node") {
		t.Errorf("an unknown baseline: error %v, want one that names what is known", err)
	}
}

// A barrier of 32 768 processes takes 15 rounds with a message and three spans for each:
// 491 520 messages and 1 474 560 spans. It has no timeline, and the error says so before
// anything is written.
func TestTimelineOfTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("runs to a million spans: left out with -short")
	}
	_, err := example(t, Options{Timeline: true}, "barrier-1m.yaml", input.Override{Path: "nodes.node", Value: "32768"})
	if err == nil || !strings.Contains(err.Error(), "1474560 spans and 491520 messages") {
		t.Errorf("error %v, want one that counts spans and messages", err)
	}
}

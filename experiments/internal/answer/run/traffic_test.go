package run

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// The matrix of messages has what the run counts, on every kind of network, and the report
// shows it: eager and rendezvous, with one shard and with shared links.
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
		r, err := example(t, Options{Picture: true}, c.file, c.overrides...)
		if err != nil {
			t.Fatal(err)
		}
		messages, bytes := r.Picture().Traffic.Total()
		if messages == 0 || messages != r.Messages || math.Abs(float64(bytes)-r.Bytes) > 1e-12*r.Bytes {
			t.Errorf("%s %v: %d messages with %v; the run has %d with %v B", c.file, c.overrides, messages, bytes, r.Messages, r.Bytes)
		}
		d := r.Report()
		if err := d.Check(); err != nil {
			t.Error(err)
		}
		at := slices.IndexFunc(d.Sections, func(s report.Section) bool { return s.Heading == "Who sends to whom" })
		if at < 0 || len(d.Sections[at].Blocks) != c.charts {
			t.Errorf("%s %v: section %d, want one with %d charts", c.file, c.overrides, at, c.charts)
		}
		plain, err := example(t, Options{}, c.file, c.overrides...)
		if err != nil {
			t.Fatal(err)
		}
		if plain.Picture() != nil || plain.Makespan != r.Makespan {
			t.Errorf("%s: %v s with a record and %v s without", c.file, r.Makespan, plain.Makespan)
		}
	}
}

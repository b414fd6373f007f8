package run

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report/html"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// Two nodes send each other 1 MB at once over a bus of 1 MB/s: both messages take
// 2 s instead of 1 s, so sharing costs 2 s, half of the time of both ranks. In a
// star they do not meet.
func TestRunReportLeadsWithTheBottleneck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	const text = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s, topology: bus}}
network: flow
workload: {name: pattern, n: 1, shape: ring, size: 1 MB}
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for topology, want := range map[string]string{
		"bus":  "<p>The bottleneck is the link bus (1 MB/s): sharing it cost messages and computations 2 s in total, which is 50\u00a0% of the time of all ranks.</p>",
		"star": "",
	} {
		for _, links := range []bool{true, false} {
			s, err := scenario.Read(path, []input.Override{{Path: "machine.network.topology", Value: topology}})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(context.Background(), s, Options{Links: links, AllRanks: true})
			if err != nil {
				t.Fatal(err)
			}
			var page bytes.Buffer
			if err := html.Write(&page, r.Report()); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(page.String(), "The bottleneck is"); got != (want != "") || !strings.Contains(page.String(), want) {
				t.Errorf("%s: the report says something of a bottleneck: %v, want %q", topology, got, want)
			}
		}
	}
}

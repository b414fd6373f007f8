package titrace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Every trace of the conformance cases can be read to its end, with as many ranks as the case has, and as many
// messages are received as sent; split traces also as folders. The cases are SimGrid's and not part of this project:
// the variable ISOSCALE_CONFORMANCE names their folder.
func TestConformanceTraces(t *testing.T) {
	root := os.Getenv("ISOSCALE_CONFORMANCE")
	if root == "" {
		t.Skip("ISOSCALE_CONFORMANCE is not set")
	}
	lists := expect.Value(filepath.Glob(filepath.Join(root, "simgrid", "*", "list")))(t)
	expect.Need(t, len(lists) != 0, "no cases")
	for _, list := range lists {
		folder := filepath.Dir(list)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			p := expect.Value(titrace.Open(list, 0))(t)
			got := drain(t, p)
			text := expect.Value(os.ReadFile(filepath.Join(folder, "expected.json")))(t)
			var expected struct{ Ranks int }
			expect.Success(t, json.Unmarshal(text, &expected))
			expect.Equal(t, len(got), expected.Ranks, "ranks")
			sent, received := 0, 0
			for _, ops := range got {
				for _, op := range ops {
					switch op.Kind {
					case workloads.Send, workloads.Isend:
						sent++
					case workloads.Recv, workloads.Irecv:
						received++
					case workloads.Sendrecv:
						sent++
						received++
					}
				}
			}
			expect.That(t, sent == received, "%d messages are sent and %d received", sent, received)
			for _, other := range []string{"trace", "trace.ti"} {
				path := filepath.Join(folder, other)
				if _, err := os.Stat(path); err != nil {
					continue
				}
				p := expect.Value(titrace.Open(path, len(got)))(t)
				for rank, ops := range drain(t, p) {
					expect.Equal(t, len(ops), len(got[rank]), "%s: rank %d: operations", other, rank)
				}
			}
		})
	}
}

package sweep

import (
	"context"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/expect"
)

const limitedScenario = `scenario: {machine: {node_types: {w: {cores: 1, marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 268435456}], network: {latency: 1 us, bandwidth: 1 GB/s}}, nodes: {w: 2}, network: ideal, workload: {name: pattern, n: 1}}
factors: {nodes.w: [2, 268435456, 3, 4]}
`

// errorsOf computes a study and returns the error of each row.
func errorsOf(t *testing.T, s *Study) []string {
	t.Helper()
	expect.Success(t, s.Run(context.Background(), 1, nil))
	return cells(t, s, "error")
}

// A point beyond a limit is a row with an error that states the limit, on every
// computer, and its shard becomes complete. 2^28 processes take at least the 40 bytes
// each of perProcess in package system, which is 10.7 GB and above the 4 GB of the
// default; two take far less than 1 MB.
func TestLimitOfMemory(t *testing.T) {
	for _, tt := range []struct{ limits, want string }{
		{"", "the limit for a point is 4 GB"},
		{"limits: {memory: 1 MB}\n", "the limit for a point is 1 MB"},
	} {
		got := errorsOf(t, create(t, limitedScenario+tt.limits, 2)) // two points for each shard
		for i, text := range got {
			expect.That(t, (i == 1) == strings.Contains(text, tt.want) && (i == 1) == (text != ""),
				"%q: point %d has error %q", tt.limits, i, text)
		}
		expect.That(t, len(got) == 4, "%d rows", len(got))
	}
}

// No point takes less than a nanosecond. The error is the same for all.
func TestLimitOfTime(t *testing.T) {
	for i, text := range errorsOf(t, create(t, strings.Replace(limitedScenario, "268435456, 3", "5, 3", 1)+"limits: {time: 1 ns}\n", 2)) {
		expect.That(t, strings.Contains(text, "longer than 1 ns, the limit of wall time"),
			"point %d has error %q", i, text)
	}
}

// The limits are part of the plan: a directory keeps them, and another plan has others.
func TestLimitsAreStored(t *testing.T) {
	s := create(t, limitedScenario+"limits: {memory: 2 MB, time: 90 s}\n", 2)
	again := expect.Value(Open(s.Dir.Path()))(t)
	want := (limits{2e6, 90})
	expect.That(t, again.limits == want, "%+v are stored, want %+v", again.limits, want)
	p := expect.Value(Read(expect.File(t, "plan.yaml", limitedScenario), nil))(t)
	_, err := p.Create(s.Dir.Path(), 0)
	expect.Kind[*store.PlanError](t, err)
}

// A point that is too large for this computer holds up its shard and no other.
func TestPointTooLarge(t *testing.T) {
	s := create(t, `scenario: {machine: {node_types: {w: {cores: 1, marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 268435456}], network: {latency: 1 us, bandwidth: 1 GB/s}}, nodes: {w: 2}, network: ideal, workload: {name: pattern, n: 1}}
factors: {nodes.w: [2, 268435456, 3, 4]}
limits: {memory: 1 PB}
`, 4)
	err := s.Run(context.Background(), 1, nil)
	point, ok := err.(*PointError)
	if !ok {
		t.Skipf("this computer has the memory for it, or says otherwise: %v", err)
	}
	expect.That(t, point.Point == 1 && strings.Contains(point.Error(), "268435456"), "error %v", point)
	missing := expect.Value(s.Dir.Missing())(t)
	expect.That(t, len(missing) == 1 && missing[0] == 1, "missing shards %v, want only 1", missing)
}

package findings

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// One node with the dispatch unit on it and no dispatch time executes 8 SIs of 1 s one
// after another: SIs twice as fast save half of the time, a faster network nothing. On
// two nodes with one place each the remote one has an SI after 10 s, executes it and
// frees the place at 21 s. Until 8 s the first has executed the other seven, one by one.
// So the makespan is 10 + 1 + 10 s = 21 s; half the latency saves 10 of them, faster SIs
// 0.5.
func TestProbesFindWhatLimits(t *testing.T) {
	r := finished(t, sweeptest.Probes)
	want := map[string][2]float64{"nodes": {0.5, 0.5 / 21}, "network": {0, 10. / 21}}
	for _, row := range r.Table.Rows {
		for name, saved := range want {
			k, err := r.Table.ResponseIndex("saved_" + name)
			if err != nil {
				t.Fatal(err)
			}
			if got := row.Values[k]; got-saved[row.Levels[0]] > 1e-15 || saved[row.Levels[0]]-got > 1e-15 {
				t.Errorf("%s saves %v of %v, want %v", name, got, row.Levels, saved[row.Levels[0]])
			}
		}
	}
	if len(r.Limits) != 1 || r.Limits[0].Of != 4 || r.Limits[0].Limits[0].Most != 2 || r.Limits[0].Limits[1].Most != 2 {
		t.Errorf("%+v", r.Limits)
	}
	const text = "What limits: nodes at 2 of 4 points, network at 2. Of the time, the changes save on average: nodes 26.2 %, network 23.8 %."
	if got := strings.Join(r.LimitsInWords(), "\n"); got != text {
		t.Errorf("%s\nwant %s", got, text)
	}
}

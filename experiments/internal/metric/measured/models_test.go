package measured

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// 40 s on 4, 25 s on 8 and 20 s on 16 processes, and none on one. Relative to 4:
//
//	8:  S = 40/25 = 1.6, E = 1.6 4/8 = 0.8, T_o = 8 25 - 4 40 = 40 s,
//	    e of 2 processors = (1/1.6 - 1/2)/(1 - 1/2) = 0.25
//	16: S = 2, E = 2 4/16 = 0.5, T_o = 16 20 - 160 = 160 s, e of 4 = (1/2 - 1/4)/(3/4) = 1/3
func TestSpeedupsRelativeToTheSmallestSystem(t *testing.T) {
	const file = "processes,time [s]\n4,40\n8,25\n16,20\n"
	absolute := metricsOf(t, file)
	for _, s := range absolute.Systems {
		expect.That(t, math.IsNaN(s.Points[0].Value("speedup")), "%s: a speedup without a time on one process", s.Label)
	}
	r := metricsOf(t, file, func(o *Options) { o.Baseline = BaselineSmallest })
	for i, want := range []map[string]float64{
		{"speedup": 1, "efficiency": 1, "total_overhead": 0},
		{"speedup": 1.6, "efficiency": 0.8, "total_overhead": 40, "karp_flatt": 0.25},
		{"speedup": 2, "efficiency": 0.5, "total_overhead": 160, "karp_flatt": 1.0 / 3},
	} {
		p := &r.Systems[i].Points[0]
		expect.That(t, p.Relative == 4 && p.SequentialTime == 0, "system %d: relative to %v", i, p.Relative)
		for metric, v := range want {
			expect.Close(t, p.Value(metric), v, 1e-12, "%s of system %d", metric, i)
		}
	}
	expect.That(t, math.IsNaN(r.Systems[0].Points[0].Value("karp_flatt")), "a serial fraction on the smallest system itself")
	notes := strings.Join(r.Notes, "\n")
	expect.That(t, strings.Contains(notes, "relative speed-up") && strings.Contains(notes, "relative to 4 processes"),
		"notes %q", notes)
}

// A time on one process takes precedence over the smallest number, and efficiencies relative to different times are not
// compared.
func TestBaselineSmallestKeepsSequentialTimes(t *testing.T) {
	r := metricsOf(t, "processes,n,time [s]\n1,10,8\n2,10,5\n2,20,40\n4,20,25\n4,10,4\n", func(o *Options) { o.Baseline = BaselineSmallest })
	for _, at := range r.places() {
		relative, v := at.point.Relative, absoluteEfficiency(at)
		want := map[float64]int{20: 2}[at.point.Size]
		expect.That(t, relative == want && math.IsNaN(v) == (want > 0),
			"%s: relative to %d, efficiency to hold %v", at.name(", "), relative, v)
	}
}

// With one size and falling efficiency no step has a result, all for one reason.
func TestWhatIsMissingIsSaidOnce(t *testing.T) {
	r := metricsOf(t, "processes,time [s]\n1,100\n2,52\n4,28\n8,16\n16,11\n")
	text := expect.Value(json.Marshal(r))(t)
	n := strings.Count(string(text), "no two points")
	expect.That(t, n <= 0, "%d steps tell that no two points agree", n)
	for _, s := range r.Metrics {
		expect.That(t, s.Metric != "isoefficiency" || !s.Computed &&
			strings.HasPrefix(s.Needs, "several sizes on each system"),
			"isoefficiency: %+v", s)
	}
	seen := map[string]bool{}
	for _, g := range Missing(r.Metrics) {
		expect.That(t, !seen[g.Needs], "said twice: %s", g.Needs)
		seen[g.Needs] = true
	}
	// Points that agree by chance or by choice are still compared.
	r = metricsOf(t, "processes,n,time [s]\n1,1,100\n1,2,200\n2,1,60\n4,2,60\n1,1,100\n")
	expect.That(t, len(r.Scaling) != 0, "no steps")
}

// Too few times give no model; three sizes are too few for a model over size, which is said once.
func TestTooFewTimesForModels(t *testing.T) {
	got := metricsOf(t, "processes,time [s]\n1,10\n2,6\n4,4\n")
	expect.That(t, len(got.Models) == 0, "models of three points: %+v", got.Models)
	r := metricsOf(t, "processes,n,time [s]\n1,1,9\n2,1,5\n1,2,9\n2,2,5\n")
	notes := strings.Join(r.Notes, "\n")
	expect.That(t, strings.Count(notes, "no performance model over processes and size") == 1 &&
		strings.Contains(notes, "at least 5"),
		"notes %q", notes)
}

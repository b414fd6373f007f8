package measured

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// What is said of speedups follows from e = (p/S - 1)/(p - 1), by hand from T_1 = 100 s.
func TestVerdictsOfSpeedups(t *testing.T) {
	for _, c := range []struct{ times, metric, want string }{
		{"2,60\n4,50\n", "karp_flatt", "e goes from 0.2 on 2 to 0.333 on 4 processes. It grows: overhead limits the speedup rather than sequential work."},
		{"2,60\n4,40\n", "karp_flatt", "e goes from 0.2 on 2 to 0.2 on 4 processes. It is nearly constant, as for sequential work."},
		{"2,60\n4,32.5\n", "karp_flatt", "e goes from 0.2 on 2 to 0.1 on 4 processes. It falls: the losses grow more slowly than p, or the first points are noisy."},
		{"4,40\n", "karp_flatt", "e is 0.2 on 4 processes. One number of processes does not distinguish sequential work from overhead."},
		// Runs on 2 processes put e between -0.01 and 0.03; 1.98 s and 2 s on 100 put it between 0.0099 and 0.0101.
		{"2,49.5\n2,51.5\n100,1.98\n100,2\n200,1.49\n200,1.5\n", "karp_flatt", "e goes from 0.01 on 100 to 0.01 on 200 processes; on fewer, runs are too far apart to determine it. It is nearly constant, as for sequential work."},
		// 26 s and 120 s on 8 put e between 0.15 and 1.23, beside 0.2 on 2, 4 and 16; in the next row, e on 4 is 0.4.
		{"2,60\n4,40\n8,26\n8,120\n16,25\n", "karp_flatt", "e goes from 0.2 on 2 to 0.2 on 16 processes; on others, runs are too far apart to determine it. It is nearly constant, as for sequential work."},
		{"2,60\n4,55\n8,30\n", "karp_flatt", "e goes from 0.2 on 2 to 0.2 on 8 processes, but is 0.4 on 4: neither sequential work nor a growing overhead alone."},
		{"2,60\n4,30\n8,38.75\n", "karp_flatt", "e goes from 0.2 on 2 to 0.3 on 8 processes, but is 0.0667 on 4: neither sequential work nor a growing overhead alone."},
		// From 0.084 to 0.116 on 2, from 0.11 to 0.14 on 4.
		{"2,54.2\n2,55.8\n4,33.25\n4,35.5\n", "karp_flatt", "e goes from 0.1 on 2 to 0.125 on 4 processes. That is within the spread of the runs."},
		// S = 2.5 on 2 and 5 on 4; S = 0.8 and 0.625.
		{"2,40\n4,20\n", "karp_flatt", "e goes from -0.2 on 2 to -0.0667 on 4 processes. Below 0 the speedup exceeds p: neither sequential work nor overhead limits it."},
		{"2,40\n4,20\n", "total_overhead", "At most 0 s of process time is not useful work (p=2)."},
		{"2,125\n4,160\n", "karp_flatt", "e goes from 1.5 on 2 to 1.8 on 4 processes. Above 1 more processes are slower: overhead limits the speedup, not sequential work alone."},
		{"2,49.5\n2,51.5\n", "karp_flatt", "The runs of each number of processes are too far apart to determine e."},
		// By the normal equations of c0/p + c1 with relative errors and Student's t of two degrees of freedom, in other
		// code.
		{"2,51\n4,24.8\n8,13\n", "amdahl", "The serial fraction is 0.00457 (95 %: -0.0118 to 0.0209), which these times do not distinguish from 0; the deviation of this fit is 1.4 % rms."},
		{"2,55\n4,32.4\n8,21.3\n", "amdahl", "The serial fraction is 0.1 (95 %: 0.0968 to 0.104), which would limit the speedup to 9.96; the deviation of this fit is 0.18 % rms."},
		{"2,45\n4,20\n8,9\n", "amdahl", "The serial fraction is -0.0368 (95 %: -0.0708 to -0.00274); the deviation of this fit is 4 % rms. However, the serial fraction s = -0.0368 is less than 0: p processors are more than p times as fast, which Amdahl's law excludes."},
		{"2,50.5\n4,24.8\n8,12.6\n16,6.2\n", "amdahl", "The serial fraction is -0.00059 (95 %: -0.00289 to 0.00171), which these times do not distinguish from 0; the deviation of this fit is 0.69 % rms."},
		{"2,125\n4,137.5\n8,144\n", "amdahl", "The serial fraction is 1.5 (95 %: 1.49 to 1.51); the deviation of this fit is 0.063 % rms. However, the serial fraction s = 1.5 is more than 1: more processors are slower, which Amdahl's law excludes."},
		{"2,120\n4,142\n8,159\n", "amdahl", "The serial fraction is 1.62 (95 %: 0.997 to 2.24), which these times do not distinguish from 1; the deviation of this fit is 4.4 % rms."},
		{"2,40\n", "efficiency", "1.250 (p=2). Above 1: the parts fit into caches that the whole does not fit into, or the sequential time is too long."},
		{"2,45\n2,50\n", "efficiency", "1.053 (p=2)."},
		{"2,62.5\n", "efficiency", "0.800 (p=2)."},
	} {
		r := metricsOf(t, "processes,time [s]\n1,100\n"+c.times)
		_, m := FindMetric(c.metric)
		expect.Equal(t, r.says(m), c.want, "times %q", c.times)
	}
	// 3 s - 4 s/p is below 0 on one process, so no fraction is said. That of 3 s - 2.8 s/p, off by 0.01 s, is 13.6.
	for times, want := range map[string]string{"2,1\n4,2\n8,2.5\n": "", "2,1.61\n4,2.29\n8,2.66\n": ", which these times do not determine: a fraction lies between 0 and 1;"} {
		r := metricsOf(t, "processes,time [s]\n"+times)
		_, m := FindMetric("amdahl")
		got := r.says(m)
		expect.That(t, strings.Contains(got, want) && (got == "") == (want == ""), "%q: %q", times, got)
	}
	// Two processes of 1.5 times the speed of the first do in 40 s what would take 33.3 s: their caches are not what
	// makes E = 1.25. At 30 s they would be.
	for _, c := range []struct{ time, says string }{
		{"40", " to 1.250 (p=2 at 100 Gflop). Above 1: the processes have a larger marked speed than what they are compared with."},
		{"30", " to 1.667 (p=2 at 100 Gflop). Above 1: the parts fit into caches that the whole does not fit into, or the sequential time is too long."},
	} {
		r := metricsOf(t, "processes,time [s],work [Gflop],marked_speed [Gflop/s]\n1,100,100,1\n2,"+c.time+",100,3\n4,30,100,4\n")
		_, m := FindMetric("efficiency")
		got := r.says(m)
		expect.That(t, strings.HasSuffix(got, c.says), "%q", got)
		_, m = FindMetric("karp_flatt")
		got = r.says(m)
		expect.That(t, strings.HasSuffix(got, ". The marked speeds of the processes differ, so it indicates neither sequential work nor overhead."), "%q", got)
	}
	// One run in 100 s for 1 EUR or in 40 s for 2 EUR: 1 and 0.5 runs per EUR.
	r := metricsOf(t, "processes,time [s],cost [EUR]\n1,100,1\n4,40,2\n")
	_, m := FindMetric("productivity")
	got := r.says(m)
	expect.That(t, strings.HasPrefix(got, "At the largest size the most productive is p=1") && strings.Contains(got, "with 1 per EUR, the least productive p=4") && strings.HasSuffix(got, "with 0.5."),
		"%q", got)
	columns := r.PointTable().Columns
	expect.Equal(t, columns[len(columns)-1].Unit, "EUR", "unit of the costs")
}

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
	expect.Says(t, strings.Join(r.Notes, "\n"), "relative speed-up", "relative to 4 processes")
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

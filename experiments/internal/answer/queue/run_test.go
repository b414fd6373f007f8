package queue

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// logText is a log by hand, of a machine of 4 processors: number, submit time, run
// time, allocated and requested processors, requested time.
const logText = `; MaxProcs: 4
11  0 -1 100  2 -1 -1 -1  -1 -1 1 -1 -1 -1 -1 -1 -1 -1
12 10 -1  40  4 -1 -1  4  60 -1 1 -1 -1 -1 -1 -1 -1 -1
13 20 -1  70 -1 -1 -1  2  80 -1 1 -1 -1 -1 -1 -1 -1 -1
14 20 -1  -1 -1 -1 -1  2  80 -1 5 -1 -1 -1 -1 -1 -1 -1
15 30 -1  20  8 -1 -1  8  60 -1 1 -1 -1 -1 -1 -1 -1 -1
16 30 -1  20  1 -1 -1  1  10 -1 1 -1 -1 -1 -1 -1 -1 -1
`

func simulate(t *testing.T, path string, o Options) *Result {
	t.Helper()
	r := expect.Value(Run(context.Background(), path, o))(t)
	expect.Success(t, r.Report().Check())
	return r
}

// If jobs end early and more jobs wait than 16e6 over the number of jobs, here 1000, not all of them move up.
func TestManyWaitingJobs(t *testing.T) {
	for _, c := range []struct {
		atOnce, estimate int
		policy           string
		warned           bool
	}{
		{1001, 200, "conservative", true},
		{1000, 200, "conservative", false},
		{1001, 200, "conservative-full", false},
		{1001, 100, "conservative", false},
		{1001, 200, "easy", false},
	} {
		text := []byte("; MaxProcs: 4\n")
		for k := range 16_000 {
			text = fmt.Appendf(text, "%d %d -1 100 2 -1 -1 -1 %d -1 1 -1 -1 -1 -1 -1 -1 -1\n", k+1, 1000*max(0, k+1-c.atOnce), c.estimate)
		}
		r := simulate(t, expect.File(t, "many.swf", string(text)), Options{Policy: c.policy})
		warned := slices.ContainsFunc(r.Warnings, func(w string) bool {
			return strings.HasPrefix(w, "up to 1001 jobs wait at once: when more than 1000 do")
		})
		expect.That(t, warned == c.warned, "%+v: warnings %q", c, r.Warnings)
	}
}

// On 4 nodes with EASY: job 11 runs from 0 to 100, so job 12 is reserved for 100. Job 13
// would end at 100 and starts at 20. Job 16 waits for a node: 13 ends at 90, but then 16
// would end at 100 by its estimate, so it starts at 90 and ends at 110, later than it
// said. Job 12 starts then, and ends at 150. So
//
//	waits         0, 100, 0, 60; mean 40
//	slow-downs    1, 140/40 = 3.5, 1, 80/20 = 4; mean 9.5/4
//	utilisation   (200 + 160 + 140 + 20)/(4*150) = 520/600
//	offered load  520/(4*30), before the last job 500/(4*30)
func TestRunLog(t *testing.T) {
	r := simulate(t, expect.File(t, "small.swf", logText), Options{})
	want := &Result{
		Jobs: 4, Utilisation: 520.0 / 600, Waits: Waits{40, 100, 9.5 / 4}, Makespan: 150, OfferedLoad: new(520.0 / 120),
		Policy: "easy", Nodes: 4,
		LeftOut: []LeftOut{
			{"no run time, as for jobs that were cancelled while they waited", 1, 5},
			{"more processors than the 4 nodes of the machine", 1, 0},
		},
		Groups: []Group{
			{"1", 1, 20.0 / 520, Waits{60, 60, 4}},
			{"2", 2, 340.0 / 520, Waits{0, 0, 1}},
			{"3 to 4", 1, 160.0 / 520, Waits{100, 100, 3.5}},
		},
		Warnings: []string{
			"1 job of the log asks for more processors than the 4 nodes of the machine and is left out: the load is lower than that of the log",
			"the jobs before the last need 416.7 % of the machine up to its submission: " +
				"with such a load the queue grows, and the waits depend on how long that goes on",
			"1 job runs longer than estimated; such jobs are not ended, and their end is expected at any moment",
		},
		Notes: []string{"the log gives 4 nodes; --nodes sets another number"},
	}
	d := cmp.Diff(want, r, cmpopts.IgnoreUnexported(Result{}), cmpopts.IgnoreFields(Result{},
		"Provenance"), cmpopts.EquateApprox(1e-12, 0))
	expect.That(t, d == "", "%v", d)
	var starts strings.Builder
	expect.Success(t, r.WriteStarts(&starts))
	expect.Equal(t, starts.String(), "job,submit,start,end\n11,0,0,100\n12,10,110,150\n13,20,20,90\n16,30,90,110\n", "starts")
}

// In the order of the queue: job 12 from 100 to 140, 13 from 140 to 210, 16 beside it from 140.
func TestRunLogInOrder(t *testing.T) {
	r := simulate(t, expect.File(t, "small.swf", logText), Options{Policy: "fcfs"})
	var starts strings.Builder
	expect.Success(t, r.WriteStarts(&starts))
	d := cmp.Diff("job,submit,start,end\n11,0,0,100\n12,10,100,140\n13,20,140,210\n16,30,140,160\n", starts.String())
	expect.That(t, d == "", "%v", d)
}

// Jobs of 100 s on two nodes, each with its submission and its nodes. The lead names the group that waits longest if
// there is one, and says that the queue grows if the jobs before the last need more than the machine.
func TestWhoWaitsLongest(t *testing.T) {
	for _, tt := range []struct {
		jobs   [][2]int
		lead   string
		needed string // by the jobs before the last
	}{
		// The second of two jobs of both nodes waits 50 s.
		{[][2]int{{0, 1}, {50, 1}, {2000, 2}, {2050, 2}}, "Of these jobs, those of 2 nodes wait longest: 25 s on average.", ""},
		// The third of three jobs of one node waits 100 s.
		{[][2]int{{0, 1}, {0, 1}, {0, 1}, {2000, 2}}, "Of these jobs, those of one node wait longest: 33.3 s on average.", ""},
		// Two of four wait 100 s, and one of two.
		{[][2]int{{0, 1}, {0, 1}, {0, 1}, {0, 1}, {2000, 2}, {2000, 2}}, "", ""},
		{[][2]int{{5, 1}}, "", ""},
		// Nobody waits, though the offered load is 400 node seconds of 200.
		{[][2]int{{0, 2}, {100, 2}}, "", ""},
		// The second waits 50 s and the third 100 s: there are 400 of 200 before the last.
		{[][2]int{{0, 2}, {50, 2}, {100, 2}}, "", "200.0 %"},
	} {
		text := "; MaxProcs: 2\n"
		for i, j := range tt.jobs {
			text += fmt.Sprintf("%d %d -1 100 %d -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n", i+1, j[0], j[1])
		}
		r := simulate(t, expect.File(t, "waits.swf", text), Options{})
		expect.Equal(t, strings.Join(r.lead()[1:], "|"), tt.lead, "%v", tt.jobs)
		expect.Equal(t, strings.HasPrefix(r.lead()[0], "The only job waits 0 s."), len(tt.jobs) == 1, "%v: %s", tt.jobs, r.lead()[0])
		var want []string
		if tt.needed != "" {
			want = []string{"the jobs before the last need " + tt.needed +
				" of the machine up to its submission: with such a load the queue grows, and the waits depend on how long that goes on"}
		}
		expect.List(t, r.Warnings, want, "%v", tt.jobs)
	}
}

func TestRunRefuses(t *testing.T) {
	log, mix := expect.File(t, "small.swf", logText), expect.File(t, "mix.yaml", goodMix)
	headless := expect.File(t, "headless.swf", strings.Replace(logText, "; MaxProcs: 4\n", "", 1))
	waiting := expect.File(t, "waiting.swf", "; MaxProcs: 4\n"+strings.Split(logText, "\n")[4]+"\n")
	late := expect.File(t, "late.yaml", "queue: {nodes: 1}\njobs: [{name: a, nodes: 1, time: 1 s, runs_per_year: 0.001}]\nyears: 0.001\n")
	for _, tt := range []struct {
		path string
		o    Options
		want string
	}{
		{headless, Options{}, "headless.swf does not say how large the machine is (MaxProcs or MaxNodes); expected --nodes N"},
		{waiting, Options{}, "waiting.swf: no job can be simulated (1 job: no run time, as for jobs that were cancelled while they waited; the first is in line 2); expected at least one"},
		{log, Options{Overrides: goodOverrides}, "--set applies to YAML files only"},
		{log, Options{Nodes: -1}, "--nodes -1; expected 1 to 1073741824"},
		{mix, Options{Nodes: 7}, "--nodes 7: jobs big need 8 nodes; expected at least as many"},
		{late, Options{}, "late.yaml: no job is submitted in 0.001 years; expected more runs_per_year, or more years"},
		{"none.swf", Options{}, "none.swf: cannot read: no such file or directory; expected a log in the Standard Workload Format"},
		{expect.File(t, "bad.swf", "1 2\n"), Options{}, "bad.swf:1:4: the line has 2 fields; expected 18"},
		{expect.File(t, "mix.txt", goodMix), Options{}, "mix.txt: this seems to be a job mix (YAML); expected a log in the Standard Workload Format; 'isoscale queue"},
	} {
		expect.Refusal(Run(context.Background(), tt.path, tt.o))(t, tt.want)
	}
}

// The charts over time of a mix: the means of the parts are those of the whole.
func TestReportOfMix(t *testing.T) {
	r := simulate(t, expect.File(t, "mix.yaml", goodMix), Options{Policy: "easy"})
	expect.That(t, r.Policy == "easy" && len(r.Groups) == 2 && r.Groups[0].Name == "big" &&
		r.Groups[0].Jobs+r.Groups[1].Jobs == r.Jobs,
		"%+v", r)
	waits := float64(batchqueue.Summarize(r.Nodes, r.jobs, r.starts).MeanWait) * float64(r.Jobs)
	charts := map[string]float64{"Use of the machine": 100 * r.Utilisation, "Length of the queue": waits / r.Makespan}
	for _, b := range r.Report().Sections[0].Blocks {
		c, ok := b.(*report.LineChart)
		expect.Need(t, ok, "%T", b)
		mean := 0.0
		for _, y := range c.Series[0].Y {
			mean += y / float64(len(c.Series[0].Y))
		}
		expect.Close(t, mean, charts[c.Title], 1e-9, "%s: mean", c.Title)
	}
}

func TestSpan(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0 s", 0.5: "500 ms", 61: "61 s", 120: "2.00 min", 3600: "60.0 min", 7200: "2.00 h", 1e5: "27.8 h", 86400 * 400: "400 d"} {
		expect.Equal(t, Span(units.Seconds(seconds)), want, "%v s", seconds)
	}
}

var goodOverrides = []input.Override{{Path: "seed", Value: "2"}}

// The variates have the distribution function 1 - e^-x: the largest distance to it, the statistic
// of Kolmogorov and Smirnov, exceeds 1.95/sqrt(n) once in a thousand samples.
func TestExponentialVariate(t *testing.T) {
	const n = 200_000
	random := rand.New(rand.NewPCG(1, 2))
	var x []float64
	for range n {
		x = append(x, exponentialVariate(random))
	}
	slices.Sort(x)
	expect.That(t, x[0] > 0, "the smallest is %v, want above 0", x[0])
	worst := 0.0
	for i, v := range x {
		f := -math.Expm1(-v)
		worst = max(worst, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
	}
	limit := 1.95 / math.Sqrt(n)
	expect.That(t, worst <= limit, "distance to the distribution function %v, want at most %v", worst, limit)
}

func mixOf(kinds ...Kind) *Mix {
	return &Mix{Nodes: 64, Policy: batchqueue.EASY, Years: 1, Seed: 1, Kinds: kinds}
}

// The numbers of jobs, their distances and their times are those of Poisson processes:
// within five standard deviations.
func TestDraw(t *testing.T) {
	m := mixOf(
		Kind{Name: "a", Nodes: 2, Time: 100, RunsPerYear: 40_000, Estimate: Estimate{1, 3}},
		Kind{Name: "b", Nodes: 1, Time: 50, Exponential: true, RunsPerYear: 10_000, Estimate: Estimate{2, 2}})
	s := m.Draw()
	count, time, estimate := [2]float64{}, [2]float64{}, [2]float64{}
	for i, j := range s.Jobs {
		expect.Need(t, (i <= 0 || j.Submit >= s.Jobs[i-1].Submit) && j.Submit < secondsPerYear,
			"job %d is submitted at %v", i, j.Submit)
		k := s.Kinds[i]
		expect.Need(t, j.Nodes == m.Kinds[k].Nodes, "job %d has %d nodes", i, j.Nodes)
		factor := float64(j.Estimate / j.Run)
		expect.Need(t, (k != 0 || j.Run == 100 && factor >= 1 && factor <= 3) &&
			(k != 1 || math.Abs(factor-2) <= 1e-12),
			"job %d: %+v", i, j)
		count[k]++
		time[k] += float64(j.Run)
		estimate[k] += float64(j.Estimate / j.Run)
	}
	for k, want := range []float64{40_000, 10_000} {
		d := math.Abs(count[k] - want)
		expect.That(t, d <= 5*math.Sqrt(want), "%v jobs of kind %d, want about %v", count[k], k, want)
	}
	mean := time[1] / count[1]
	expect.That(t, math.Abs(mean-50) <= 5*50/math.Sqrt(count[1]), "mean time %v, want about 50", mean)
	// The variance of a uniform number from 1 to 3 is 1/3.
	expect.Near(t, estimate[0]/count[0], 2, 5*math.Sqrt(1.0/3/count[0]), "mean estimate")
}

// Another kind changes no job of those before it, and a number of submissions cuts the same stream.
func TestDrawIsStable(t *testing.T) {
	a := Kind{Name: "a", Nodes: 2, Time: 100, RunsPerYear: 500, Exponential: true, Estimate: Estimate{1, 3}}
	b := Kind{Name: "b", Nodes: 1, Time: 50, RunsPerYear: 1000, Estimate: Estimate{1, 1}}
	alone, both := mixOf(a).Draw(), mixOf(a, b).Draw()
	var first []batchqueue.Job
	for i, j := range both.Jobs {
		if both.Kinds[i] == 0 {
			first = append(first, j)
		}
	}
	expect.That(t, slices.Equal(alone.Jobs, first), "jobs of the first kind differ")
	m := mixOf(a, b)
	m.Years, m.Submissions = 0, 100
	cut := m.Draw()
	expect.That(t, slices.Equal(cut.Jobs, both.Jobs[:100]), "the first 100 jobs differ")
	m.Seed = 2
	other := m.Draw()
	expect.That(t, !slices.Equal(other.Jobs, both.Jobs[:100]), "another seed draws the same jobs")
}

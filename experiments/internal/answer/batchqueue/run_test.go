package batchqueue_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

func Example() {
	jobs := []batchqueue.Job{
		{Submit: 0, Nodes: 2, Run: 100, Estimate: 100},
		{Submit: 1, Nodes: 4, Run: 50, Estimate: 60}, // waits for the first
		{Submit: 2, Nodes: 2, Run: 90, Estimate: 98}, // ends by then, if it starts at once
	}
	for _, policy := range []batchqueue.Policy{batchqueue.FCFS, batchqueue.EASY} {
		starts, err := batchqueue.Run(context.Background(), 4, policy, jobs)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(policy, starts, batchqueue.Summarize(4, jobs, starts).Makespan)
	}
	// Output:
	// fcfs [0 s 100 s 150 s] 240 s
	// easy [0 s 100 s 2 s] 150 s
}

// Cases by hand.
func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		nodes                    int
		jobs                     []batchqueue.Job // submit, nodes, run, estimate
		fcfs, easy, conservative []units.Seconds
	}{
		{"no jobs", 4, nil, nil, nil, nil},
		{"one job", 4, []batchqueue.Job{{3, 4, 5, 5}}, []units.Seconds{3}, []units.Seconds{3}, []units.Seconds{3}},
		{"the end of a job before a submission at that time", 1,
			[]batchqueue.Job{{0, 1, 5, 5}, {5, 1, 5, 5}}, []units.Seconds{0, 5}, []units.Seconds{0, 5}, []units.Seconds{0, 5}},
		{"in the order of submission, not of the slice", 1,
			[]batchqueue.Job{{2, 1, 5, 5}, {1, 1, 5, 5}, {1, 1, 2, 2}},
			[]units.Seconds{8, 1, 6}, []units.Seconds{8, 1, 6}, []units.Seconds{8, 1, 6}},
		// Job 1 needs all nodes at 10. Job 2 would end at 11, job 3 at 10.
		{"backfilling up to the reservation", 4,
			[]batchqueue.Job{{0, 2, 10, 10}, {1, 4, 10, 10}, {1, 2, 10, 10}, {1, 2, 9, 9}},
			[]units.Seconds{0, 10, 20, 20}, []units.Seconds{0, 10, 20, 1}, []units.Seconds{0, 10, 20, 1}},
		// The reservation of job 1 at 10 leaves one node: for job 2, not for job 3 too.
		{"nodes that the reservation leaves", 4,
			[]batchqueue.Job{{0, 2, 10, 10}, {1, 3, 10, 10}, {1, 1, 50, 50}, {1, 1, 50, 50}},
			[]units.Seconds{0, 10, 10, 20}, []units.Seconds{0, 10, 1, 20}, []units.Seconds{0, 10, 1, 20}},
		// Two jobs end at 10, by the estimates: all four nodes are there for job 2, which
		// leaves one.
		{"all ends of the time of the reservation count", 4,
			[]batchqueue.Job{{0, 1, 10, 10}, {0, 2, 10, 10}, {1, 3, 5, 5}, {2, 1, 30, 30}},
			[]units.Seconds{0, 0, 10, 10}, []units.Seconds{0, 0, 10, 2}, []units.Seconds{0, 0, 10, 2}},
		// Job 1 waits for 10, job 2 for 20. Job 3 delays job 2 but not job 1, the head.
		{"the head alone has a reservation with easy", 4,
			[]batchqueue.Job{{0, 3, 10, 10}, {1, 2, 10, 10}, {1, 4, 10, 10}, {1, 1, 40, 40}},
			[]units.Seconds{0, 10, 20, 30}, []units.Seconds{0, 10, 41, 1}, []units.Seconds{0, 10, 20, 30}},
		// Job 0 ends at 5 instead of 20.
		{"an early end", 2,
			[]batchqueue.Job{{0, 1, 5, 20}, {1, 2, 5, 5}, {2, 1, 30, 30}},
			[]units.Seconds{0, 5, 10}, []units.Seconds{0, 5, 10}, []units.Seconds{0, 5, 10}},
		// Job 0 was to end at 5 and goes on to 30: at 8 its end is expected at any moment,
		// so job 2 would delay job 1.
		{"a job beyond its estimate", 2,
			[]batchqueue.Job{{0, 1, 30, 5}, {1, 2, 5, 5}, {8, 1, 2, 2}},
			[]units.Seconds{0, 30, 35}, []units.Seconds{0, 30, 35}, []units.Seconds{0, 30, 35}},
	} {
		for policy, want := range [][]units.Seconds{tt.fcfs, tt.easy, tt.conservative} {
			policy := batchqueue.Policy(policy)
			expect.List(t, run(t, tt.nodes, policy, tt.jobs), want, "%s, %v: starts", tt.name, policy)
		}
	}
}

// Conservative backfilling compresses the schedule and does not make it anew. On 4 nodes
// job 0 ends at 10 and job 1 at 32, by the estimates, so job 2, which needs all nodes, is
// reserved for 32, and job 3 from 10 to 13. At 8 job 1 ends. Job 2 could begin at 10 if
// job 3 gave way; it keeps to job 3's reservation and moves to 13. Job 3 starts at 8 and
// ends at 11. When job 0 ends, at 10, job 2 moves to 11.
func TestConservativeKeepsReservations(t *testing.T) {
	jobs := []batchqueue.Job{{0, 3, 10, 10}, {0, 1, 8, 32}, {0, 4, 2, 2}, {1, 1, 3, 3}}
	expect.List(t, run(t, 4, batchqueue.Conservative, jobs), []units.Seconds{0, 0, 11, 8}, "starts")
}

func TestRunRefuses(t *testing.T) {
	good := batchqueue.Job{Submit: 0, Nodes: 1, Run: 1, Estimate: 1}
	nan, inf := units.Seconds(math.NaN()), units.Seconds(math.Inf(1))
	for _, tt := range []struct {
		change func(j *batchqueue.Job)
		want   string
	}{
		{func(j *batchqueue.Job) { j.Nodes = 0 }, "job 1: 0 nodes; expected 1 to 4"},
		{func(j *batchqueue.Job) { j.Nodes = 5 }, "job 1: 5 nodes; expected 1 to 4"},
		{func(j *batchqueue.Job) { j.Submit = -1 }, "job 1: submitted at -1 s; expected 0 to 1e+12 s"},
		{func(j *batchqueue.Job) { j.Submit = nan }, "job 1: submitted at NaN s; expected 0 to 1e+12 s"},
		{func(j *batchqueue.Job) { j.Run = 0 }, "job 1: a run time of 0 s; expected above 0 and at most 1e+12 s"},
		{func(j *batchqueue.Job) { j.Run = inf }, "job 1: a run time of +Inf s; expected above 0 and at most 1e+12 s"},
		{func(j *batchqueue.Job) { j.Estimate = 0 }, "job 1: an estimate of 0 s; expected above 0 and at most 1e+12 s"},
		{func(j *batchqueue.Job) { j.Estimate = nan }, "job 1: an estimate of NaN s; expected above 0 and at most 1e+12 s"},
	} {
		jobs := []batchqueue.Job{good, good}
		tt.change(&jobs[1])
		_, err := batchqueue.Run(context.Background(), 4, batchqueue.FCFS, jobs)
		expect.Equal(t, fmt.Sprint(err), tt.want, "error")
	}
	for _, nodes := range []int{0, batchqueue.MaxNodes + 1} {
		_, err := batchqueue.Run(context.Background(), nodes, batchqueue.FCFS, nil)
		expect.That(t, err != nil, "%d nodes are taken", nodes)
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := batchqueue.Run(ctx, 1, batchqueue.FCFS, []batchqueue.Job{{0, 1, 1, 1}})
	expect.That(t, errors.Is(err, context.Canceled), "%v, want %v", err, context.Canceled)
}

// Jobs that are too short to advance the clock end all the same.
func TestTimesBelowTheResolutionOfTheClock(t *testing.T) {
	const submit = 1e9
	for _, policy := range policies {
		got := run(t, 1, policy, []batchqueue.Job{{submit, 1, 1e-9, 1e-9}, {submit, 1, 1e-9, 5}, {submit, 1, 5, 1e-9}})
		expect.List(t, got, []units.Seconds{submit, submit, submit}, "%v: starts", policy)
	}
}

func TestPolicies(t *testing.T) {
	for _, name := range batchqueue.Policies() {
		p, ok := batchqueue.ParsePolicy(name)
		expect.That(t, ok && p.String() == name, "%s: %v, %v", name, p, ok)
	}
	_, ok := batchqueue.ParsePolicy("EASY")
	expect.That(t, !ok, "EASY is a name")
}

// erlangC returns the mean wait in an M/M/c queue, in units of the mean service time, at
// a load in erlangs [Kleinrock1975, section 3.5]. B is Erlang's loss formula, computed by
// its recursion, and C = B / (1 - rho (1 - B)).
func erlangC(servers int, load float64) float64 {
	b := 1.0
	for k := 1; k <= servers; k++ {
		b = load * b / (float64(k) + load*b)
	}
	rho := load / float64(servers)
	c := b / (1 - rho*(1-b))
	return c / (float64(servers) - load)
}

// Erlang C for one server is rho/(1-rho), and for two servers rho^2/(1-rho^2).
func TestErlangC(t *testing.T) {
	for _, tt := range []struct {
		servers    int
		load, want float64
	}{{1, 0.5, 1}, {1, 0.8, 4}, {2, 1, 1.0 / 3}, {2, 1.6, 0.64 / 0.36}} {
		expect.Near(t, erlangC(tt.servers, tt.load), tt.want, 1e-12, "%d servers, load %v", tt.servers, tt.load)
	}
}

// poisson returns jobs of one node whose distances and run times are exponential, with
// a mean run time of 1.
func poisson(n int, load float64, seed uint64) []batchqueue.Job {
	rng := rand.New(rand.NewPCG(seed, 7))
	jobs := make([]batchqueue.Job, n)
	now := 0.0
	for i := range jobs {
		now += rng.ExpFloat64() / load
		run := units.Seconds(max(rng.ExpFloat64(), 1e-12))
		jobs[i] = batchqueue.Job{Submit: units.Seconds(now), Nodes: 1, Run: run, Estimate: run}
	}
	return jobs
}

// The mean wait of jobs of one node is that of M/M/c. It is a mean over ten streams. With a
// million jobs in each, as in the long form, it scatters by 0.15 to 0.4 %; with a hundred
// thousand, as in the usual form, by 0.5 to 1.3 %. Waits of neighbours are alike, so the
// mean of one stream of 8 servers scatters by 1 % even over a million jobs.
func TestErlangCWaits(t *testing.T) {
	const streams = 10
	n, tolerance := 100_000, 0.03
	if expect.IsLong() {
		n, tolerance = 1_000_000, 0.01
	}
	for _, tt := range []struct {
		servers int
		load    float64
	}{{1, 0.5}, {2, 1.2}, {8, 5.6}} {
		mean := 0.0
		for seed := range uint64(streams) {
			jobs := poisson(n, tt.load, seed)
			starts := run(t, tt.servers, batchqueue.FCFS, jobs)
			mean += float64(batchqueue.Summarize(tt.servers, jobs, starts).MeanWait) / streams
		}
		want := erlangC(tt.servers, tt.load)
		expect.That(t, math.Abs(mean-want) <= tolerance*want,
			"%d servers, load %v: mean wait %v, Erlang C %v", tt.servers, tt.load, mean, want)
		t.Logf("%d servers, load %v: mean wait %.5f, Erlang C %.5f, %+.2f %%", tt.servers, tt.load, mean, want, 100*(mean/want-1))
	}
}

// On 4 nodes jobs are submitted at 10, 20 and 20 and start at 10, 110 and 150. They run
// for 100, 40 and 2 s on 2, 4 and 1 nodes. The last end is 152, so
//
//	makespan     152 - 10 = 142
//	utilisation  (2*100 + 4*40 + 1*2) / (4*142) = 362/568
//	waits        0, 90, 130; mean 220/3; 95 %: the third
//	slow-downs   100/100, 130/40 = 3.25, (130+2)/10 = 13.2; mean 17.45/3
func TestSummarize(t *testing.T) {
	jobs := []batchqueue.Job{{10, 2, 100, 100}, {20, 4, 40, 50}, {20, 1, 2, 9}}
	got := batchqueue.Summarize(4, jobs, []units.Seconds{10, 110, 150})
	want := batchqueue.Summary{Jobs: 3, Utilisation: 362.0 / 568, MeanWait: 220.0 / 3, P95Wait: 130, MeanBoundedSlowdown: 17.45 / 3, Makespan: 142, Submitting: 10, Work: 362}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 })
	d := cmp.Diff(want, got, near)
	expect.That(t, d == "", "%v", d)
	expect.Equal(t, batchqueue.Summarize(4, nil, nil), batchqueue.Summary{}, "no jobs")
	short := batchqueue.Summarize(4, []batchqueue.Job{{0, 1, 1, 1}}, []units.Seconds{5}) // done in less than the threshold
	expect.Equal(t, short.MeanBoundedSlowdown, 1, "slow-down of a job of 1 s that waits for 5 s")
}

func TestAbove(t *testing.T) {
	part, longest := batchqueue.Above(2, []units.Seconds{0, 2, 3, 10})
	expect.That(t, part == 0.5 && longest == 10,
		"%v of the waits above 2 s, the longest %v; want half, 10 s", part, longest)
	part, longest = batchqueue.Above(2, nil)
	expect.That(t, part == 0 && longest == 0, "without jobs: %v, %v", part, longest)
}

// By hand: two jobs are submitted at 0 and two at 1. One of them starts at once, the others at 1, 5
// and 7. At 1 the one that starts then still counts.
func TestMostWaiting(t *testing.T) {
	jobs := []batchqueue.Job{{Submit: 0}, {Submit: 1}, {Submit: 0}, {Submit: 1}, {Submit: 6}}
	got := batchqueue.MostWaiting(jobs, []units.Seconds{0, 5, 1, 7, 8})
	expect.That(t, got == 3, "%d jobs wait at most, want 3", got)
	expect.That(t, batchqueue.MostWaiting(nil, nil) == 0, "without jobs")
}

// mix returns jobs of 1 to 64 nodes, most of them small and short, that arrive as a Poisson process
// and load a machine to a share of it. Estimates are up to ten times too high.
func mix(n, nodes int, load float64) []batchqueue.Job {
	rng := rand.New(rand.NewPCG(1, 1))
	jobs := make([]batchqueue.Job, n)
	work := 0.0
	for i := range jobs {
		j := &jobs[i]
		j.Nodes = 1 << rng.IntN(7)
		j.Run = units.Seconds(1 + 3600*rng.ExpFloat64())
		j.Estimate = j.Run * units.Seconds(1+9*rng.Float64())
		work += float64(j.Run) * float64(j.Nodes)
	}
	gap := work / float64(n) / float64(nodes) / load
	now := 0.0
	for i := range jobs {
		now += gap * rng.ExpFloat64()
		jobs[i].Submit = units.Seconds(now)
	}
	return jobs
}

// Jobs on a machine with a usual load, with twice the work that it can do, so that half of them
// wait in the end, and all at once.
func BenchmarkJobs(b *testing.B) {
	for _, c := range []struct {
		name   string
		policy batchqueue.Policy
		n      int
		load   float64
	}{
		{"fcfs", batchqueue.FCFS, 1_000_000, 0.6},
		{"easy", batchqueue.EASY, 1_000_000, 0.85},
		{"easy-overload", batchqueue.EASY, 1_000_000, 2},
		{"conservative", batchqueue.Conservative, 1_000_000, 0.85},
		{"conservative-at-once", batchqueue.Conservative, 20_000, math.Inf(1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			const nodes = 512
			jobs := mix(c.n, nodes, c.load)
			for b.Loop() {
				s := batchqueue.Summarize(nodes, jobs, run(b, nodes, c.policy, jobs))
				expect.Need(b, s.Jobs == c.n && s.Utilisation <= 1, "%+v", s)
			}
		})
	}
}

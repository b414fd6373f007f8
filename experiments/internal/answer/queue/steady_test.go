package queue

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// mmc is a mix of jobs of one node with exponential times of 60 s: the queue M/M/c at a load.
func mmc(servers int, load float64, seed int64) *Mix {
	m := mixOf(Kind{Name: "a", Nodes: 1, Time: 60, Exponential: true, Estimate: Estimate{1, 1},
		RunsPerYear: load * float64(servers) / 60 * secondsPerYear})
	m.Nodes, m.Years, m.Submissions, m.Seed = servers, 0, firstJobs, seed
	return m
}

// start starts the jobs of a mix after those of a backlog.
func (m *Mix) start(backlog ...batchqueue.Job) func([]batchqueue.Job, []int32) ([]units.Seconds, error) {
	return func(jobs []batchqueue.Job, _ []int32) ([]units.Seconds, error) {
		all := append(backlog[:len(backlog):len(backlog)], jobs...)
		starts, err := batchqueue.Run(context.Background(), m.Nodes, batchqueue.FCFS, all)
		return starts[len(backlog):], err
	}
}

// onFirstFree starts jobs of one node in turn, each on the first of eight nodes that becomes free: as the queue does,
// but in a fifth of the time.
func onFirstFree(jobs []batchqueue.Job, _ []int32) ([]units.Seconds, error) {
	var free [8]units.Seconds
	starts := make([]units.Seconds, len(jobs))
	for i, j := range jobs {
		first := 0
		for k := range free {
			if free[k] < free[first] {
				first = k
			}
		}
		starts[i] = max(j.Submit, free[first])
		free[first] = starts[i] + j.Run
	}
	return starts, nil
}

func TestOnFirstFree(t *testing.T) {
	m := mmc(8, 0.98, 1)
	jobs := m.Draw()
	queued, err := m.start()(jobs.Jobs, jobs.Kinds)
	expect.Success(t, err)
	expect.List(t, expect.Value(onFirstFree(jobs.Jobs, nil))(t), queued, "starts, and those from the queue")
}

// The mean waits of M/M/8 in run times are C/(8 - a), with a the load on 8 servers and C Erlang C,
// 1/(1 + (1 - a/8) 8!/a^8 sum of a^k/k! for k < 8) [Kleinrock1975]. With exact intervals of 90 %
// there are fewer than 29 of 40 in them once in a thousand times.
func TestIntervalsHoldErlangC(t *testing.T) {
	loads, seeds, least, most := []float64{0.5, 0.7}, 40, 29, 40_000
	if expect.IsLong() {
		loads, seeds, least, most = []float64{0.7, 0.92, 0.98}, 100, 90, 640_000
	}
	for _, load := range loads {
		a, term, sum := 8*load, 1.0, 0.0
		for k := range 8 {
			sum += term
			term *= a / float64(k+1)
		}
		want := 60 / (1 + (1-load)*sum/term) / (8 - a)
		in, jobs, half := 0, 0, 0.0
		for seed := range seeds {
			m := mmc(8, load, int64(seed))
			start := m.start()
			if seed > 0 {
				start = onFirstFree
			}
			_, starts, w, err := m.Simulate(most, start, MeanWait.Sharp)
			expect.Success(t, err)
			expect.That(t, w.Sharp() || w.Half() <= 0.7 || 2*len(starts) > most, "%+v after %d jobs", w, len(starts))
			if float64(w.Low) <= want && want <= float64(w.High) {
				in++
			}
			jobs += len(starts)
			half += float64(w.Half()) / want
		}
		expect.That(t, in >= least, "load %v: %d of %d intervals hold %v s, want %d", load, in, seeds, want, least)
		t.Logf("load %v: %d of %d intervals hold %.4g s; %d jobs, half %.3f", load, in, seeds, want, jobs/seeds,
			half/float64(seeds))
	}
}

// After the warm-up it does not matter that 400 jobs waited at first, on which the machine works
// for 50 run times. The mean of all waits is above the upper end of the interval without them.
func TestBeginsFullOrEmpty(t *testing.T) {
	var backlog []batchqueue.Job
	for range 400 {
		backlog = append(backlog, batchqueue.Job{Nodes: 1, Run: 60, Estimate: 60})
	}
	for seed := range int64(5) {
		m := mmc(8, 0.8, seed)
		m.Submissions = 50_000
		_, _, empty, err := m.Simulate(0, m.start(), MeanWait.Sharp)
		expect.Success(t, err)
		jobs, starts, full, err := m.Simulate(0, m.start(backlog...), MeanWait.Sharp)
		expect.Success(t, err)
		expect.That(t, full.Low <= empty.High && empty.Low <= full.High, "full %+v, empty %+v", full, empty)
		all := batchqueue.Summarize(8, jobs.Jobs, starts).MeanWait
		expect.That(t, all > empty.High, "with the warm-up %v, without %+v", all, empty)
	}
}

// Of 23 waits three are the warm-up and each other is a batch. Waits of 0 and 2 in turn have the
// mean 1, no skewness, and a negative correlation, which counts as none: their sum of squares is
// 20, so that the half is 2.0930 sqrt(20/19/20). In another unit the ends are exactly those.
func TestMeanByHand(t *testing.T) {
	waits := make([]units.Seconds, fewestJobs)
	for i := range waits {
		waits[i] = units.Seconds(1 + i%2*2 - 1)
	}
	waits[0], waits[1], waits[2] = 100, 100, 100
	w := meanOf(waits)
	half := 2.0930 * math.Sqrt(1./19)
	expect.Close(t, float64(w.Mean), 1, 1e-12, "mean")
	expect.Close(t, float64(w.High), 1+half, 1e-12, "upper end")
	expect.Close(t, float64(w.Low), 1-half, 1e-12, "lower end")
	waits[7], waits[8] = 5, 9 // some skewness and correlation
	w = meanOf(waits)
	for i := range waits {
		waits[i] *= 1024
	}
	expect.That(t, meanOf(waits) == MeanWait{1024 * w.Mean, 1024 * w.Low, 1024 * w.High, w.Grows}, "%+v, %+v", w, meanOf(waits))
	clear(waits)
	expect.That(t, meanOf(waits) == MeanWait{} && meanOf(waits).Text() == "0 s", "%+v", meanOf(waits))
}

// Without a number of jobs a mix is simulated until its mean wait is known. A mix that the machine
// cannot handle, or that has few jobs, has no interval, and its waits are those of all jobs.
func TestJobsOfAMix(t *testing.T) {
	const text = "queue: {nodes: 2}\njobs: [{name: a, nodes: 1, time: 1 h, runs_per_year: 10000}]\n"
	for _, tt := range []struct {
		set    string
		jobs   int
		ranges bool
	}{
		{"submissions=22", 22, false}, {"submissions=23", 23, true}, {"jobs[0].runs_per_year=20000", firstJobs, false},
		{"jobs[0].runs_per_year=6", firstJobs, true}, {"jobs[0].runs_per_year=0.006", 6, false},
	} {
		r := simulate(t, expect.File(t, "mix.yaml", text), Options{Overrides: []input.Override{{Path: strings.Split(tt.set, "=")[0], Value: strings.Split(tt.set, "=")[1]}}})
		expect.That(t, r.Jobs == tt.jobs && (r.MeanLow != nil) == tt.ranges, "%s: %d jobs, %v", tt.set, r.Jobs, r.MeanLow)
	}
	r := simulate(t, expect.File(t, "mix.yaml", text), Options{})
	expect.That(t, r.mean.Sharp() && r.Jobs > firstJobs && r.MeanWait <= *r.MeanHigh && r.MeanWait >= *r.MeanLow,
		"%d jobs, %v in %v to %v", r.Jobs, r.MeanWait, *r.MeanLow, *r.MeanHigh)
}

// Jobs of an hour on one or on all four nodes, equally many of each in random order. First come first served, a job on
// all nodes takes an hour, and the k jobs before it ceil(k/4) hours: 8/15 in the mean, as k is at least 4 j + 1 with
// probability 2^-(4 j + 1). So 5 hours of nodes take 4 (1 + 8/15), and the queue grows above a load of 15/18.4 = 0.815.
func TestQueueThatGrowsBelowFullLoad(t *testing.T) {
	for _, tt := range []struct {
		load   float64
		policy string
		grows  bool
	}{{0.9, "fcfs", true}, {0.86, "fcfs", true}, {0.75, "fcfs", false}, {0.9, "easy", false}} {
		runs := tt.load * 4 / 5 * secondsPerYear / 3600
		path := expect.File(t, "mix.yaml", fmt.Sprintf("queue: {nodes: 4, policy: %s}\nsubmissions: 20000\njobs:\n- {name: one, nodes: 1, time: 1 h, runs_per_year: %g}\n"+
			"- {name: all, nodes: 4, time: 1 h, runs_per_year: %g}\n", tt.policy, runs, runs))
		r := expect.Value(Run(t.Context(), path, Options{}))(t)
		grows := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "the queue may grow without end") })
		expect.That(t, grows == tt.grows && (r.MeanHigh == nil) == tt.grows, "%+v: %v, %q", tt, r.MeanHigh, r.Warnings)
	}
}

package batchqueue_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/model/units"
)

// erlangC returns the mean wait in an M/M/c queue, in units of the mean service time,
// at a load of so many erlangs [Kleinrock1975, section 3.5]. B is Erlang's loss formula
// by its recursion, from which C = B / (1 - rho (1 - B)).
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
		if got := erlangC(tt.servers, tt.load); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%d servers, load %v: %v, want %v", tt.servers, tt.load, got, tt.want)
		}
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

// The mean wait of jobs of one node is that of M/M/c. It is a mean over ten streams. With
// the million jobs each of the long form it scatters by 0.15 to 0.4 %, with the hundred
// thousand of the usual form by 0.5 to 1.3 %: waits of neighbours are alike, so that
// the mean of one stream of 8 servers scatters by 1 % even over a million jobs.
func TestErlangCWaits(t *testing.T) {
	const streams = 10
	n, tolerance := 100_000, 0.03
	if os.Getenv("ISOSCALE_LONG") != "" {
		n, tolerance = 1_000_000, 0.01
	}
	if testing.Short() {
		t.Skip("millions of jobs")
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
		if math.Abs(mean-want) > tolerance*want {
			t.Errorf("%d servers, load %v: mean wait %v, Erlang C %v", tt.servers, tt.load, mean, want)
		}
		t.Logf("%d servers, load %v: mean wait %.5f, Erlang C %.5f, %+.2f %%", tt.servers, tt.load, mean, want, 100*(mean/want-1))
	}
}

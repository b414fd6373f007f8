package batchqueue_test

import (
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/model/units"
)

// mix returns jobs of 1 to 64 nodes, most of them small and short, that arrive as a
// Poisson process and load a machine to a share of it. Estimates are up to ten times
// too high.
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

// A million jobs on a machine with a usual load, and with twice the work that it can do,
// so that half a million wait in the end.
func BenchmarkMillionJobs(b *testing.B) {
	for _, c := range []struct {
		name   string
		policy batchqueue.Policy
		load   float64
	}{
		{"fcfs", batchqueue.FCFS, 0.6},
		{"easy", batchqueue.EASY, 0.85},
		{"easy-overload", batchqueue.EASY, 2},
		{"conservative", batchqueue.Conservative, 0.85},
	} {
		b.Run(c.name, func(b *testing.B) {
			const n, nodes = 1_000_000, 512
			jobs := mix(n, nodes, c.load)
			for b.Loop() {
				if s := batchqueue.Summarize(nodes, jobs, run(b, nodes, c.policy, jobs)); s.Jobs != n || s.Utilisation > 1 {
					b.Fatalf("%+v", s)
				}
			}
		})
	}
}

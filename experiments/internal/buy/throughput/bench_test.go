package throughput_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/throughput"
	"github.com/isoscale/isoscale/model/units"
)

// large returns a mix on two partitions: each kind of job may run on powers of two of
// the nodes of both, with speedups that fall behind.
func large(nodes, kinds int, seed uint64) ([]int, []throughput.Job) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var jobs []throughput.Job
	for range kinds {
		j := throughput.Job{Rate: rng.Float64() / 3600}
		work, overhead := 3600*100*rng.Float64(), 0.2*rng.Float64()
		for p := range 2 {
			for n := 1; n <= nodes; n *= 2 {
				speed := float64(n) / (1 + overhead*float64(n-1)) * (1 + float64(p))
				j.Ways = append(j.Ways, throughput.Way{Partition: p, Nodes: n, Time: units.Seconds(work / speed)})
			}
		}
		jobs = append(jobs, j)
	}
	return []int{nodes, nodes - 7}, jobs
}

// A large mix is carried as the plan says.
func TestLargeMix(t *testing.T) {
	for seed := range uint64(10) {
		nodes, jobs := large(200, 6, seed)
		plan, err := throughput.Solve(nodes, jobs)
		if err != nil {
			t.Fatalf("mix %d: %v", seed, err)
		}
		checkPlan(t, nodes, jobs, plan)
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, kinds := range []int{3, 10} {
		b.Run(fmt.Sprint(kinds, " kinds"), func(b *testing.B) {
			nodes, jobs := large(1000, kinds, 1)
			for b.Loop() {
				if plan, err := throughput.Solve(nodes, jobs); err != nil || plan.Multiple <= 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

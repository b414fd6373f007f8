package throughput_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/throughput"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// On 10 nodes, a job of 6 nodes leaves 4 to jobs of 4 nodes: one of each, at any time.
func Example() {
	jobs := []throughput.Job{
		{Rate: 1.0 / 3600, Ways: []throughput.Way{{Nodes: 6, Time: 1800}}},
		{Rate: 1.0 / 3600, Ways: []throughput.Way{{Nodes: 4, Time: 1800}}},
	}
	plan, err := throughput.Solve([]int{10}, jobs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3g times the mix: %v\n", plan.Multiple, plan.Packings)
	// Output: 2 times the mix: [{0 1 [{0 0 1} {1 0 1}]}]
}

// Cases by hand. Rates are per second.
func TestSolve(t *testing.T) {
	one := func(nodes int, time units.Seconds) []throughput.Way {
		return []throughput.Way{{Nodes: nodes, Time: time}}
	}
	for _, tt := range []struct {
		name  string
		nodes []int
		jobs  []throughput.Job
		want  float64
	}{
		// 10 nodes hold one job of 6: 1/100 s.
		{"nodes that cannot be used", []int{10}, []throughput.Job{{Rate: 0.01, Ways: one(6, 100)}}, 1},
		// 10 nodes hold 3 jobs of 3.
		{"several side by side", []int{10}, []throughput.Job{{Rate: 0.01, Ways: one(3, 100)}}, 3},
		// Two jobs of 6 nodes in turn: 1/100 s in all, each at half of that.
		{"two kinds in turn", []int{10}, []throughput.Job{{Rate: 0.01, Ways: one(6, 100)}, {Rate: 0.01, Ways: one(6, 100)}}, 0.5},
		// 2 nodes for 60 s are 120 node seconds, 1 node for 100 s 100: the latter is less.
		{"the way that wastes least", []int{2}, []throughput.Job{{Rate: 0.01, Ways: []throughput.Way{{Nodes: 2, Time: 60}, {Nodes: 1, Time: 100}}}}, 2},
		// On 3 nodes one on 2 and one on 1 fit, 1/60 + 1/100 a second; or three on 1: 3/100.
		{"ways beside each other", []int{3}, []throughput.Job{{Rate: 0.01, Ways: []throughput.Way{{Nodes: 2, Time: 30}, {Nodes: 1, Time: 100}}}}, (1.0/30 + 0.01) / 0.01},
		// A job runs on either partition, 1/100 and 1/50 a second.
		{"two partitions", []int{1, 1}, []throughput.Job{{Rate: 0.01, Ways: []throughput.Way{{Nodes: 1, Time: 100}, {Partition: 1, Nodes: 1, Time: 50}}}}, 3},
		// Job 0 needs partition 0. Job 1 gets 1/50 from partition 1.
		{"partitions of their own", []int{1, 1}, []throughput.Job{{Rate: 0.01, Ways: one(1, 100)}, {Rate: 0.01, Ways: []throughput.Way{{Partition: 1, Nodes: 1, Time: 50}}}}, 1},
	} {
		plan, _ := throughput.Certified(t, tt.nodes, tt.jobs)
		expect.That(t, math.Abs(plan.Multiple-tt.want) <= 1e-9, "%s: %v, want %v", tt.name, plan.Multiple, tt.want)
	}
}

// Twice the rates halve the multiple, twice the speed doubles it, and another way never reduces it.
func TestScale(t *testing.T) {
	for seed := range uint64(20) {
		nodes, jobs := large(20, 3, seed)
		solve := func() float64 {
			plan := expect.Value(throughput.Solve(nodes, jobs))(t)
			return plan.Multiple
		}
		all := solve()
		for k := range jobs {
			jobs[k].Rate *= 2
		}
		expect.Close(t, solve(), all/2, 1e-9, "mix %d with twice the rates", seed)
		for k := range jobs {
			for w := range jobs[k].Ways {
				jobs[k].Ways[w].Time /= 2
			}
		}
		expect.Close(t, solve(), all, 1e-9, "mix %d with twice the rates and speeds", seed)
		jobs[0].Ways = jobs[0].Ways[1:]
		got := solve()
		expect.That(t, got <= all*(1+1e-9), "mix %d: %v with a way less, %v with it", seed, got, all)
	}
}

func TestSolveRefuses(t *testing.T) {
	good := throughput.Way{Nodes: 1, Time: 1}
	nan := math.NaN()
	for _, tt := range []struct {
		nodes []int
		jobs  []throughput.Job
		want  string
	}{
		{nil, []throughput.Job{{Rate: 1, Ways: []throughput.Way{good}}}, "throughput: 0 partitions and 1 jobs; expected at least one of each"},
		{[]int{4}, nil, "throughput: 1 partitions and 0 jobs; expected at least one of each"},
		{[]int{0}, []throughput.Job{{Rate: 1, Ways: []throughput.Way{good}}}, "throughput: partition 0 has 0 nodes; expected 1 to 1048576"},
		{[]int{4}, []throughput.Job{{Rate: nan, Ways: []throughput.Way{good}}}, "throughput: job 0 has the rate NaN; expected 1e-100 to 1e+100"},
		{[]int{4}, []throughput.Job{{Rate: 1, Ways: []throughput.Way{{Nodes: 1, Time: 1, Partition: 1}}}}, "throughput: way 0 of job 0 is on partition 1; expected 0 to 0"},
		{[]int{4}, []throughput.Job{{Rate: 1, Ways: []throughput.Way{{Nodes: 0, Time: 1}}}}, "throughput: way 0 of job 0 has 0 nodes; expected at least 1"},
		{[]int{4}, []throughput.Job{{Rate: 1, Ways: []throughput.Way{{Nodes: 1, Time: 0}}}}, "throughput: way 0 of job 0 takes 0 s; expected 1e-100 to 1e+100"},
		{[]int{4}, []throughput.Job{{Rate: 1, Ways: []throughput.Way{{Nodes: 5, Time: 1}}}}, "throughput: job 0 fits on no partition; expected a way of fewer nodes"},
		{[]int{4}, []throughput.Job{{Rate: 1, Ways: make([]throughput.Way, 0)}}, "throughput: job 0 fits on no partition; expected a way of fewer nodes"},
	} {
		_, err := throughput.Solve(tt.nodes, tt.jobs)
		expect.That(t, err != nil && err.Error() == tt.want, "%v, want %s", err, tt.want)
	}
}

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

// A large mix is carried as the plan says, and no more is possible.
func TestLargeMix(t *testing.T) {
	for seed := range uint64(10) {
		nodes, jobs := large(200, 6, seed)
		throughput.Certified(t, nodes, jobs)
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

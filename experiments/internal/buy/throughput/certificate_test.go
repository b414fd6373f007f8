package throughput

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/model/units"
)

// degenerate returns a random problem with jobs that are split, ways that are equal or of no use, partitions that
// are twins, and numbers of very different size.
func degenerate(rng *rand.Rand) (nodes []int, jobs []Job) {
	for range 1 + rng.IntN(3) {
		nodes = append(nodes, 1+rng.IntN(20))
	}
	if rng.IntN(3) == 0 {
		nodes = append(nodes, nodes[0]) // a twin
	}
	size := func() float64 { return math.Pow(10, float64(rng.IntN(3)*rng.IntN(25)-12)) * (1 + rng.Float64()) }
	for range 1 + rng.IntN(5) {
		j := Job{Rate: size()}
		for range 1 + rng.IntN(3) {
			w := Way{Partition: rng.IntN(len(nodes)), Time: units.Seconds(size())}
			w.Nodes = 1 + rng.IntN(nodes[w.Partition])
			j.Ways = append(j.Ways, w)
		}
		if rng.IntN(4) == 0 {
			j.Ways = append(j.Ways, j.Ways[0])
		}
		if jobs = append(jobs, j); rng.IntN(4) == 0 { // split in equal halves
			jobs[len(jobs)-1].Rate /= 2
			jobs = append(jobs, jobs[len(jobs)-1])
		}
	}
	return nodes, jobs
}

// Every problem is solved with bounds that meet, and of some the answer is that without rounding.
func TestDegenerateProblems(t *testing.T) {
	const problems, exactly = 10_000, 500
	inexact := 0
	for seed := range uint64(problems) {
		nodes, jobs := degenerate(rand.New(rand.NewPCG(seed, 26)))
		s, err := newSolver(nodes, jobs)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.solve() // which checks the bounds
		if err != nil {
			t.Fatalf("problem %d: %v, of %v and %+v", seed, err, nodes, jobs)
		}
		if s.exact {
			inexact++
		}
		if seed%(problems/exactly) != 0 {
			continue
		}
		s, _ = newSolver(nodes, jobs)
		s.exact = true
		want, err := s.solve()
		if err != nil || math.Abs(got.Multiple/want.Multiple-1) > 1e-9 {
			t.Fatalf("problem %d: %v, without rounding %v (%v)", seed, got.Multiple, want, err)
		}
	}
	t.Logf("%d of %d were solved without rounding", inexact, problems)
}

// A job that is split carries as much as a whole one, and one that needs next to nothing as if there were none.
func TestSplitAndNegligibleJobs(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 27))
		nodes, jobs := degenerate(rng)
		for i := range jobs { // of like size, so that the others are not negligible
			jobs[i].Rate = 1 + rng.Float64()
			for k := range jobs[i].Ways {
				jobs[i].Ways[k].Time = units.Seconds(1 + rng.Float64())
			}
		}
		multiple := func(jobs []Job) float64 {
			plan, err := Solve(nodes, jobs)
			if err != nil {
				t.Fatal(err)
			}
			return plan.Multiple
		}
		want := multiple(jobs)
		half := append([]Job{jobs[0]}, jobs...)
		half[0].Rate /= 2
		half[1].Rate /= 2
		little := append(append([]Job(nil), jobs...), Job{Rate: 1e-12, Ways: jobs[0].Ways})
		for name, got := range map[string]float64{"split": multiple(half), "negligible": multiple(little)} {
			if math.Abs(got/want-1) > 1e-9 {
				t.Errorf("problem %d: %s: %v, want %v", seed, name, got, want)
			}
		}
	}
}

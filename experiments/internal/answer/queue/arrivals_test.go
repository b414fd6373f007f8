package queue

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
)

// The variates have the distribution function 1 - e^-x: the largest distance to it,
// the statistic of Kolmogorov and Smirnov, exceeds 1.95/sqrt(n) once in a thousand
// samples.
func TestExponentialVariate(t *testing.T) {
	const n = 200_000
	random := rand.New(rand.NewPCG(1, 2))
	var x []float64
	for range n {
		x = append(x, exponentialVariate(random))
	}
	slices.Sort(x)
	if !(x[0] > 0) {
		t.Errorf("the smallest is %v, want above 0", x[0])
	}
	worst := 0.0
	for i, v := range x {
		f := -math.Expm1(-v)
		worst = max(worst, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
	}
	if limit := 1.95 / math.Sqrt(n); worst > limit {
		t.Errorf("distance to the distribution function %v, want at most %v", worst, limit)
	}
}

func mixOf(kinds ...Kind) *Mix {
	return &Mix{Nodes: 64, Policy: batchqueue.EASY, Years: 1, Seed: 1, Kinds: kinds}
}

// The numbers of jobs, their distances and their times are those of Poisson processes:
// within five standard deviations.
func TestDraw(t *testing.T) {
	m := mixOf(
		Kind{Name: "a", Nodes: 2, Time: 100, RunsPerYear: 40_000, EstimateFrom: 1, EstimateTo: 3},
		Kind{Name: "b", Nodes: 1, Time: 50, Exponential: true, RunsPerYear: 10_000, EstimateFrom: 2, EstimateTo: 2})
	s := m.Draw()
	count, time, estimate := [2]float64{}, [2]float64{}, [2]float64{}
	for i, j := range s.Jobs {
		if i > 0 && j.Submit < s.Jobs[i-1].Submit || j.Submit >= secondsPerYear {
			t.Fatalf("job %d is submitted at %v", i, j.Submit)
		}
		k := s.Kinds[i]
		if j.Nodes != m.Kinds[k].Nodes {
			t.Fatalf("job %d has %d nodes", i, j.Nodes)
		}
		if factor := float64(j.Estimate / j.Run); k == 0 && (j.Run != 100 || factor < 1 || factor > 3) || k == 1 && math.Abs(factor-2) > 1e-12 {
			t.Fatalf("job %d: %+v", i, j)
		}
		count[k]++
		time[k] += float64(j.Run)
		estimate[k] += float64(j.Estimate / j.Run)
	}
	for k, want := range []float64{40_000, 10_000} {
		if d := math.Abs(count[k] - want); d > 5*math.Sqrt(want) {
			t.Errorf("%v jobs of kind %d, want about %v", count[k], k, want)
		}
	}
	if mean := time[1] / count[1]; math.Abs(mean-50) > 5*50/math.Sqrt(count[1]) {
		t.Errorf("mean time %v, want about 50", mean)
	}
	// The variance of a uniform number from 1 to 3 is 1/3.
	if mean := estimate[0] / count[0]; math.Abs(mean-2) > 5*math.Sqrt(1.0/3/count[0]) {
		t.Errorf("mean estimate %v, want about 2", mean)
	}
}

// Another kind changes no job of those before it, and a number of submissions cuts the
// same stream.
func TestDrawIsStable(t *testing.T) {
	a := Kind{Name: "a", Nodes: 2, Time: 100, RunsPerYear: 500, Exponential: true, EstimateFrom: 1, EstimateTo: 3}
	b := Kind{Name: "b", Nodes: 1, Time: 50, RunsPerYear: 1000, EstimateFrom: 1, EstimateTo: 1}
	alone, both := mixOf(a).Draw(), mixOf(a, b).Draw()
	var first []batchqueue.Job
	for i, j := range both.Jobs {
		if both.Kinds[i] == 0 {
			first = append(first, j)
		}
	}
	if !slices.Equal(alone.Jobs, first) {
		t.Error("jobs of the first kind differ")
	}
	m := mixOf(a, b)
	m.Years, m.Submissions = 0, 100
	if cut := m.Draw(); !slices.Equal(cut.Jobs, both.Jobs[:100]) {
		t.Error("the first 100 jobs differ")
	}
	m.Seed = 2
	if other := m.Draw(); slices.Equal(other.Jobs, both.Jobs[:100]) {
		t.Error("another seed draws the same jobs")
	}
}

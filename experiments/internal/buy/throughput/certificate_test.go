package throughput

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// degenerate returns a random problem with split jobs, ways that are equal or useless, twin partitions, and numbers of
// very different size.
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

// Every problem is solved with bounds that meet; some answers are compared with that without rounding.
func TestDegenerateProblems(t *testing.T) {
	const problems = 10_000
	exactly := expect.Often[uint64](100, 500)
	inexact := 0
	for seed := range uint64(problems) {
		nodes, jobs := degenerate(rand.New(rand.NewPCG(seed, 26)))
		got, s := Certified(t, nodes, jobs)
		if s.exact {
			inexact++
		}
		if seed%(problems/exactly) != 0 {
			continue
		}
		s, _ = newSolver(nodes, jobs)
		s.exact = true
		want, err := s.solve()
		expect.Need(t, err == nil && math.Abs(got.Multiple/want.Multiple-1) <= 1e-9,
			"problem %d: %v, without rounding %v (%v)", seed, got.Multiple, want, err)
	}
	t.Logf("%d of %d were solved without rounding", inexact, problems)
}

// Certified solves a problem, certifies the answer and also returns the solver.
func Certified(t *testing.T, nodes []int, jobs []Job) (*Plan, *solver) {
	t.Helper()
	s := expect.Value(newSolver(nodes, jobs))(t)
	plan, err := s.solve() // which checks the bounds
	expect.Need(t, err == nil, "%v, of %v and %+v", err, nodes, jobs)
	certify(t, nodes, jobs, plan, s.values)
	return plan, s
}

// certify fails unless the packings carry the multiple, and the values of jobs prove for all packings that none carry
// more, computed from the problem as given.
func certify(t *testing.T, nodes []int, jobs []Job, plan *Plan, values []float64) {
	t.Helper()
	shares, done := make([]float64, len(nodes)), make([]float64, len(jobs))
	for _, p := range plan.Packings {
		used := 0
		for _, r := range p.Running {
			w := jobs[r.Job].Ways[r.Way]
			used += r.Count * w.Nodes
			expect.Equal(t, w.Partition, p.Partition, "partition of a job in a packing, of %v and %+v", nodes, jobs)
			done[r.Job] += p.Share * float64(r.Count) / float64(w.Time)
		}
		shares[p.Partition] += p.Share
		expect.That(t, used <= nodes[p.Partition] && p.Share > 0, "%d of %d nodes for a share of %g", used, nodes[p.Partition], p.Share)
	}
	sum := 0.0
	for p := range nodes {
		sum += plan.Prices[p]
		expect.That(t, shares[p] <= 1+1e-12 && plan.Prices[p] >= 0, "partition %d has shares of %v and the price %g", p, shares[p], plan.Prices[p])
	}
	for k, j := range jobs {
		expect.That(t, done[k] >= plan.Multiple*j.Rate*(1-1e-12),
			"job %d: %g runs a second, for %g times %g", k, done[k], plan.Multiple, j.Rate)
	}
	// A run is worth the value of its job relative to what the machine gets done of that job alone.
	required, upper := 0.0, 0.0
	each := make([]float64, len(jobs))
	for k, j := range jobs {
		all := 0.0
		for p, n := range nodes {
			most := 0.0
			for _, w := range j.Ways {
				if w.Partition == p {
					most = max(most, float64(n/w.Nodes)/float64(w.Time))
				}
			}
			all += most
		}
		each[k] = values[k] / all
		required += each[k] * j.Rate
	}
	for p, n := range nodes {
		best := make([]float64, n+1)
		for used := range best {
			for k, j := range jobs {
				for _, w := range j.Ways {
					if w.Partition == p && w.Nodes <= used {
						best[used] = max(best[used], best[used-w.Nodes]+each[k]/float64(w.Time))
					}
				}
			}
			best[used] = max(best[used], best[max(0, used-1)])
		}
		upper += best[n]
	}
	upper /= required
	expect.That(t, upper/plan.Multiple-1 <= 1e-9 && math.Abs(sum/plan.Multiple-1) <= 1e-9,
		"%v, prices of %v, at most %v, of %v and %+v", plan.Multiple, sum, upper, nodes, jobs)
}

// all adds all packings of a partition to a problem: those of its options from i on, in the free nodes.
func (s *solver) all(p, i, free int, counts []int) {
	if i < len(s.options[p]) {
		for n := range free/s.options[p][i].nodes + 1 {
			s.all(p, i+1, free-n*s.options[p][i].nodes, append(counts[:i:i], n))
		}
		return
	}
	s.open(p) // also the empty packing, a column of zeros
	for i, n := range counts {
		s.put(s.options[p][i], n)
	}
}

// The answer equals that without rounding over all packings, some of them twice, where none is generated.
func TestAgainstAllPackings(t *testing.T) {
	compared, enough := 0, expect.Often(100, 500)
	for seed := uint64(0); compared < enough; seed++ {
		nodes, jobs := degenerate(rand.New(rand.NewPCG(seed, 28)))
		if slices.ContainsFunc(nodes, func(n int) bool { return n > 8 }) { // too many packings
			continue
		}
		whole := expect.Value(newSolver(nodes, jobs))(t)
		for p, n := range nodes {
			whole.all(p, 0, n, nil)
		}
		if len(whole.packings) > 300 {
			continue
		}
		compared++
		whole.exactly()
		plan := expect.Value(Solve(nodes, jobs))(t)
		expect.Close(t, plan.Multiple, whole.z*whole.unit, 1e-9, "problem %d: multiple, of %v and %+v", seed, nodes, jobs)
	}
}

// A partition that is faster by a relative 1e-4 carries at most its price more for that, and a slower one at least as
// much less, because the multiple is concave in the time of a partition. Where the price is unique, both equal it.
func TestPricesAgainstDifferences(t *testing.T) {
	const part = 1e-4
	alike, all := 0, 0
	for seed := range uint64(500) {
		nodes, jobs := degenerate(rand.New(rand.NewPCG(seed, 29)))
		multiple := func(p int, factor float64) *Plan {
			faster := slices.Clone(jobs)
			for k := range faster {
				faster[k].Ways = slices.Clone(faster[k].Ways)
				for i := range faster[k].Ways {
					if w := &faster[k].Ways[i]; w.Partition == p {
						w.Time /= units.Seconds(factor)
					}
				}
			}
			return expect.Value(Solve(nodes, faster))(t)
		}
		plan := multiple(0, 1)
		for p, price := range plan.Prices {
			more := (multiple(p, 1+part).Multiple - plan.Multiple) / part
			less := (plan.Multiple - multiple(p, 1-part).Multiple) / part
			rounding := 1e-9 / part * plan.Multiple
			expect.That(t, more <= price+rounding && less >= price-rounding,
				"problem %d: the price of partition %d is %g, %g more, %g less", seed, p, price, more, less)
			if all++; math.Abs(more-less) <= 1e-3*plan.Multiple {
				alike++
			}
		}
	}
	expect.That(t, alike >= all/2, "only %d of %d prices were the only ones", alike, all)
}

// A type on which nothing runs has no price; if two types each have their own work, the slower one limits.
func TestPricesByHand(t *testing.T) {
	jobs := []Job{{1, []Way{{0, 1, 2}}}, {1, []Way{{1, 1, 1}}}}
	// 4 nodes do 2 runs a second of the first kind, 5 nodes do 5 of the other: twice the mix, by the first.
	plan, err := Solve([]int{4, 5, 6}, jobs)
	expect.That(t, err == nil && math.Abs(plan.Multiple-2) <= 1e-12 && near(plan.Prices, 2, 0, 0), "%+v, %v", plan, err)
	// A kind that runs on both types at speeds 1 and 3: each second of a node is worth its speed.
	plan, err = Solve([]int{4, 5, 6}, []Job{{1, []Way{{0, 1, 3}, {1, 1, 1}}}})
	expect.That(t, err == nil && math.Abs(plan.Multiple-19./3) <= 1e-12 && near(plan.Prices, 4./3, 5, 0),
		"%+v, %v", plan, err)
}

func near(got []float64, want ...float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12 })
}

// A search solves many thousand problems; one of a plan's size takes 60 allocations.
func TestAllocations(t *testing.T) {
	var jobs []Job
	for k := range 10 {
		j := Job{Rate: 1 + float64(k)}
		for p := range 2 {
			for n := 1; n <= 8; n *= 2 {
				j.Ways = append(j.Ways, Way{p, n, units.Seconds(3600 * (1 + 0.1*float64(n+k)) / float64(n+4*n*p*(k%3)))})
			}
		}
		jobs = append(jobs, j)
	}
	got := testing.AllocsPerRun(10, func() { Solve([]int{200, 20}, jobs) })
	expect.That(t, got <= 60, "%v allocations, want at most 60", got)
}

// A split job carries as much as a whole one, and a job that needs next to nothing changes nothing.
func TestSplitAndNegligibleJobs(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 27))
		nodes, jobs := degenerate(rng)
		for i := range jobs { // of similar size, so that the others are not negligible
			jobs[i].Rate = 1 + rng.Float64()
			for k := range jobs[i].Ways {
				jobs[i].Ways[k].Time = units.Seconds(1 + rng.Float64())
			}
		}
		multiple := func(jobs []Job) float64 {
			plan := expect.Value(Solve(nodes, jobs))(t)
			return plan.Multiple
		}
		want := multiple(jobs)
		half := append([]Job{jobs[0]}, jobs...)
		half[0].Rate /= 2
		half[1].Rate /= 2
		little := append(append([]Job(nil), jobs...), Job{Rate: 1e-12, Ways: jobs[0].Ways})
		for name, got := range map[string]float64{"split": multiple(half), "negligible": multiple(little)} {
			expect.That(t, math.Abs(got/want-1) <= 1e-9, "problem %d: %s: %v, want %v", seed, name, got, want)
		}
	}
}

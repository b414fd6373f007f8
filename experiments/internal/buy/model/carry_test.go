package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/throughput"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// The time of a year's work is that of the linear program over all ways, none left out; the bound is not above it, and
// equals it where it is said to be attained.
func TestCarryAgainstAllWays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tight, attained := 0, 0
	for i := range 300 {
		p := &Plan{Nodes: make([]Node, 2), ByRuns: true}
		c := Design{Types: []int{0, 1}}.Of(1+random.IntN(7), 1+random.IntN(7))
		var works []Work
		var all []throughput.Job
		for range 1 + random.IntN(3) {
			p.Workloads = append(p.Workloads, Workload{Weight: 1 + random.Float64()})
			var x Work
			for node := range 2 {
				for n := 1; n <= c.Counts[node]; n++ {
					if random.IntN(2) == 0 || node == 0 && n == 1 {
						x.Ways = append(x.Ways, TimedWay{Way: Way{Node: node, Nodes: n},
							Time: 1 + 10*random.Float64(), Run: 1, Extra: 0})
					}
				}
			}
			works = append(works, x)
			j := throughput.Job{Rate: p.Workloads[len(works)-1].Weight}
			for _, y := range x.Ways {
				j.Ways = append(j.Ways, throughput.Way{Partition: y.Node, Nodes: y.Nodes, Time: units.Seconds(y.Time)})
			}
			all = append(all, j)
		}
		plan := expect.Value(throughput.Solve(c.Counts, all))(t)
		l := p.Carry(c, works)
		expect.Need(t, math.Abs(l.Seconds*plan.Multiple-1) <= 1e-8,
			"case %d: %v s, over all ways %v s", i, l.Seconds, 1/plan.Multiple)
		least, exact := p.LeastScore(c, works)
		expect.Need(t, least <= l.Seconds*(1+1e-9), "case %d: bound %v s above %v s", i, least, l.Seconds)
		if least > 0.9*l.Seconds {
			tight++
		}
		if exact {
			attained++
			expect.Need(t, math.Abs(least/l.Seconds-1) <= 1e-9,
				"case %d: %v s said to be attained, %v s are", i, least, l.Seconds)
		}
		for w := range works {
			sum := 0.0
			for _, r := range l.runs {
				if r.workload == w {
					sum += r.Runs
				}
			}
			expect.Need(t, math.Abs(sum/p.Workloads[w].Weight-1) <= 1e-9,
				"case %d: %v runs of %v", i, sum, p.Workloads[w].Weight)
		}
	}
	expect.That(t, tight >= 200 && attained >= 50, "only %d bounds within a tenth, %d attained", tight, attained)
}

// BenchmarkCarry packs five workloads on two types of node.
func BenchmarkCarry(b *testing.B) {
	p := &Plan{Nodes: make([]Node, 2), ByRuns: true}
	c := Design{Types: []int{0, 1}}.Of(200, 20)
	var works []Work
	for w := range 5 {
		p.Workloads = append(p.Workloads, Workload{Weight: 1000 * float64(w+1)})
		var x Work
		for t := range 2 {
			for n := 1; n <= 8; n *= 2 {
				time := 3600 / float64((t*4*(w%3)+1)*n) * (1 + 0.1*float64(n))
				x.Ways = append(x.Ways, TimedWay{Way{t, n}, time, 1, 0})
			}
		}
		works = append(works, x)
	}
	for b.Loop() {
		l := p.Carry(c, works)
		expect.Need(b, l.Seconds > 0, "no load")
	}
}

package queue

import (
	"math/rand/v2"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/model/units"
)

// Submitted are the jobs of a mix, with the kind of each.
type Submitted struct {
	Jobs  []batchqueue.Job
	Kinds []int32
}

// Draw draws the jobs of a mix in the order of submission. Each kind has random numbers
// of its own, so its jobs do not change if another kind is added to the file.
func (m *Mix) Draw() Submitted {
	sources := make([]*arrivals, len(m.Kinds))
	for i := range m.Kinds {
		sources[i] = &arrivals{kind: &m.Kinds[i], random: rand.New(rand.NewPCG(uint64(m.Seed), uint64(i)))}
		sources[i].step()
	}
	until := units.Seconds(m.Years * secondsPerYear)
	s := Submitted{make([]batchqueue.Job, 0, m.Submissions), make([]int32, 0, m.Submissions)}
	for m.Submissions == 0 || len(s.Jobs) < m.Submissions {
		first := 0
		for i, a := range sources {
			if a.next < sources[first].next {
				first = i
			}
		}
		a := sources[first]
		if m.Submissions == 0 && a.next >= until {
			break
		}
		s.Jobs = append(s.Jobs, a.job())
		s.Kinds = append(s.Kinds, int32(first))
		a.step()
	}
	return s
}

// arrivals are the jobs of one kind: a Poisson process.
type arrivals struct {
	kind   *Kind
	random *rand.Rand
	next   units.Seconds // time of the next submission
}

func (a *arrivals) step() {
	gap := secondsPerYear / a.kind.RunsPerYear
	a.next += units.Seconds(gap * exponentialVariate(a.random))
}

func (a *arrivals) job() batchqueue.Job {
	k := a.kind
	run := k.Time
	if k.Exponential {
		run *= units.Seconds(exponentialVariate(a.random))
	}
	estimate := k.Estimate.From
	if k.Estimate.To > k.Estimate.From {
		estimate += float64((k.Estimate.To - k.Estimate.From) * a.random.Float64())
	}
	return batchqueue.Job{Submit: a.next, Nodes: k.Nodes, Run: run, Estimate: units.Seconds(estimate) * run}
}

// exponentialVariate draws a number above 0 from the exponential distribution of mean 1.
// It uses only comparisons and one addition [vonNeumann1951], so that every processor
// gives the same bits, which a logarithm does not.
//
// Among uniform numbers u1, u2, ... let n be the place of the first that exceeds the one
// before it. Given u1 = x, n - 1 is odd with probability e^-x. So x is the fractional
// part of the variate if n - 1 is odd; otherwise the whole part grows by one, and new
// numbers are drawn.
func exponentialVariate(random *rand.Rand) float64 {
	for whole := 0.0; ; {
		first := random.Float64()
		if first == 0 {
			continue
		}
		length := 1
		for last, next := first, random.Float64(); next <= last; last, next = next, random.Float64() {
			length++
		}
		if length%2 == 1 {
			return whole + first
		}
		whole++
	}
}

package purchase

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// robust finds out how sure the choice is: every parameter is lowered and raised
// by itself, then all at once at random.
func (s *solver) robust(ctx context.Context) error {
	t := &trials{solver: s, parameters: s.parameters()}
	t.contend()
	if err := t.respond(ctx); err != nil {
		return err
	}
	delta := s.Robustness.Change
	var changes []factors
	for _, x := range t.parameters {
		changes = append(changes, factors{x: 1 - delta}, factors{x: 1 + delta})
	}
	for i := range s.Robustness.Samples {
		random := rand.New(rand.NewPCG(uint64(s.Seed), uint64(i)))
		f := factors{}
		for _, x := range t.parameters {
			f[x] = 1 + delta*(2*random.Float64()-1)
		}
		changes = append(changes, f)
	}
	if err := t.size(ctx, changes); err != nil {
		return err
	}
	r := &s.result.Robustness
	r.Change, r.Parameters, r.JointFirst = delta, []Sensitivity{}, []FirstCount{}
	base, _ := t.lead(nil)
	for i, x := range t.parameters {
		row := s.sensitivity(x)
		row.Base = base
		var low, high int
		row.Low, low = t.lead(changes[2*i])
		row.High, high = t.lead(changes[2*i+1])
		row.FirstLow, row.FirstHigh = t.name(low), t.name(high)
		for _, first := range []int{low, high} {
			r.OneAtATime.count(first == 0)
		}
		r.Parameters = append(r.Parameters, row)
	}
	slices.SortStableFunc(r.Parameters, func(a, b Sensitivity) int { return cmp.Compare(b.swing(), a.swing()) })
	firsts := map[int]int{}
	for _, f := range changes[2*len(t.parameters):] {
		_, first := t.lead(f)
		firsts[first]++
		r.Joint.count(first == 0)
	}
	for d := nobody; d < len(t.contenders); d++ {
		if n := firsts[d]; n > 0 {
			r.JointFirst = append(r.JointFirst, FirstCount{t.name(d), n})
		}
	}
	slices.SortStableFunc(r.JointFirst, func(a, b FirstCount) int { return cmp.Compare(b.Trials, a.Trials) })
	return s.priceToWin(ctx)
}

func (x *Share) count(first bool) {
	x.Trials++
	if first {
		x.First++
	}
}

// lead returns by how much the best other design is slower than the recommended
// one with changed parameters, and which contender is first; the recommended one
// is number 0. The lead is nil where the recommended design or all others are
// beyond the limits, and nobody is first where all are.
//
// The response of a time to several parameters is the sum of those to each, which
// is exact at both ends of one parameter and as long as the same chain of
// computations and messages is the longest. Then a time is a sum of terms in
// proportion to a latency or the reciprocal of a speed or bandwidth, and so is the
// way from the base to an end.
func (t *trials) lead(f factors) (lead *float64, first int) {
	q := t.with(f)
	delta := t.Robustness.Change
	scores := make([]float64, len(t.contenders))
	for i := range t.contenders {
		c := &t.contenders[i]
		ratio := make([]float64, len(t.Workloads))
		for w := range ratio {
			ratio[w] = 1
		}
		for _, x := range t.parameters {
			k, changed := f[x]
			r, responds := c.response[x]
			if !changed || !responds || k == 1 {
				continue
			}
			end, which := 1-delta, 0
			if k > 1 {
				end, which = 1+delta, 1
			}
			way := (k - 1) / (end - 1)
			if x.reciprocal() {
				way = (1/k - 1) / (1/end - 1)
			}
			for w := range ratio {
				ratio[w] += way * r[which][w]
			}
		}
		scores[i] = math.Inf(1)
		for _, x := range t.within(q, c.best.design()) {
			m := slices.Clone(t.measuresOf(c, x))
			for w := range m {
				m[w] *= ratio[w]
			}
			scores[i] = min(scores[i], q.Score(m))
		}
	}
	other, best := math.Inf(1), nobody
	for i, x := range scores[1:] {
		if x < other {
			other, best = x, i+1
		}
	}
	switch {
	case math.IsInf(scores[0], 1):
		return nil, best
	case math.IsInf(other, 1):
		return nil, 0
	case other < scores[0]:
		first = best
	}
	by := other/scores[0] - 1
	return &by, first
}

package search

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// How the times of a contender respond to parameters: simulated at both ends of
// each parameter, interpolated in between, and added up where several change.

// touches reports whether the times of a choice depend on a parameter.
func (t *trials) touches(c model.Choice, x model.Parameter) bool {
	switch {
	case !x.ChangesTimes():
		return false
	case x.Kind == model.KindNode:
		return t.Parts(c)[x.Index] > 0
	case x.Kind == model.KindNetwork:
		return c.Network == x.Index
	}
	return true
}

// simulateResponses simulates the best choice of each contender with each parameter
// at both ends.
func (t *trials) simulateResponses(ctx context.Context) error {
	ends := func(x model.Parameter) [2]*model.Plan {
		lower, raise := t.ends(x)
		return [2]*model.Plan{t.With(lower), t.With(raise)}
	}
	type changed struct {
		contender *contender
		parameter model.Parameter
		plans     [2]*model.Plan
	}
	var all []changed
	var list []variant
	for i := range t.contenders {
		c := &t.contenders[i]
		for _, x := range t.parameters {
			if t.touches(c.best, x) {
				plans := ends(x)
				all = append(all, changed{c, x, plans})
				list = append(list, variant{plans[0], c.best}, variant{plans[1], c.best})
			}
		}
	}
	t.estimate.expect(t.missing(list))
	if err := t.needWays(ctx, list, "robustness"); err != nil {
		return err
	}
	for _, x := range all {
		base := t.times(t.Plan, x.contender.best)
		var r [2][]float64
		for i, q := range x.plans {
			for w, m := range t.times(q, x.contender.best) {
				r[i] = append(r[i], m/base[w]-1)
			}
		}
		x.contender.response[x.parameter] = r
	}
	return nil
}

// times returns for each workload the time for a run on a choice that runs nothing else.
func (t *trials) times(q *model.Plan, c model.Choice) []float64 {
	var all []float64
	for _, x := range t.works(q, c) {
		all = append(all, t.Alone(c, x))
	}
	return all
}

// timeRatios returns by what the changes f multiply the times of each workload.
//
// The response to several parameters is the sum of those to each, which is exact at
// both ends of one parameter and as long as the same chain of computations and
// messages is the longest. Then a time is a sum of terms in proportion to a latency
// or to the reciprocal of a speed or bandwidth, and so is the way from the base to
// an end.
func (t *trials) timeRatios(c *contender, f model.Factors) []float64 {
	ratios := make([]float64, len(t.Workloads))
	for w := range ratios {
		ratios[w] = 1
	}
	for _, x := range t.parameters {
		k, changed := f[x]
		response, responds := c.response[x]
		if !changed || !responds || k == 1 {
			continue
		}
		end, which := 1-t.Robustness.Change, 0
		if k > 1 {
			end, which = 1+t.Robustness.Change, 1
		}
		way := (k - 1) / (end - 1)
		if x.Reciprocal() {
			way = (1/k - 1) / (1/end - 1)
		}
		for w := range ratios {
			ratios[w] += float64(way * response[which][w])
		}
	}
	return ratios
}

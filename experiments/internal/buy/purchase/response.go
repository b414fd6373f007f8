package purchase

import "context"

// How the times of a contender respond to parameters: simulated at both ends of
// each parameter, interpolated in between, and added up where several change.

// touches reports whether the times of a choice depend on a parameter.
func (t *trials) touches(c Choice, x parameter) bool {
	switch {
	case !x.changesTimes():
		return false
	case x.kind == kindNode:
		return t.parts(c)[x.index] > 0
	case x.kind == kindNetwork:
		return c.Network == x.index
	}
	return true
}

// simulateResponses simulates the best choice of each contender with each parameter
// at both ends.
func (t *trials) simulateResponses(ctx context.Context) error {
	ends := func(x parameter) [2]*Plan {
		lower, raise := t.ends(x)
		return [2]*Plan{t.with(lower), t.with(raise)}
	}
	type changed struct {
		contender *contender
		parameter parameter
		plans     [2]*Plan
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
func (t *trials) times(q *Plan, c Choice) []float64 {
	var all []float64
	for _, x := range t.works(q, c) {
		all = append(all, t.alone(c, x))
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
func (t *trials) timeRatios(c *contender, f factors) []float64 {
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
		if x.reciprocal() {
			way = (1/k - 1) / (1/end - 1)
		}
		for w := range ratios {
			ratios[w] += float64(way * response[which][w])
		}
	}
	return ratios
}

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
	var list []simulation
	for _, c := range t.contenders {
		for _, x := range t.parameters {
			if t.touches(c.best, x) {
				for _, q := range ends(x) {
					list = append(list, q.all(c.best)...)
				}
			}
		}
	}
	if err := t.need(ctx, list, "robustness"); err != nil {
		return err
	}
	for _, c := range t.contenders {
		base := t.measures(t.Plan, c.best)
		for _, x := range t.parameters {
			if !t.touches(c.best, x) {
				continue
			}
			var r [2][]float64
			for i, q := range ends(x) {
				for w, m := range t.measures(q, c.best) {
					r[i] = append(r[i], m/base[w]-1)
				}
			}
			c.response[x] = r
		}
	}
	return nil
}

// timeRatios returns by what the changes f multiply the measure of each workload.
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

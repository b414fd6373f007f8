package purchase

import (
	"context"
)

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

// respond simulates the best choice of each contender with each parameter at both
// ends.
func (t *trials) respond(ctx context.Context) error {
	d := t.Robustness.Change
	ends := func(x parameter) [2]*Plan {
		return [2]*Plan{t.with(factors{x: 1 - d}), t.with(factors{x: 1 + d})}
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

package search

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/expect"
)

// Where messages cost cores nothing, processes wait whenever they do not compute, and all of a time is proportional to
// something. The numbers of efficiencies and simulations stay the same.
func TestExplanationsOfThePlan(t *testing.T) {
	p := buytest.Read(t, buytest.Small)
	plain := expect.Value(Solve(t.Context(), p, Options{Jobs: 1, Rough: true}))(t)
	r := expect.Value(Solve(t.Context(), p, Options{Jobs: 1, Rough: true, Explained: system.Explained{Waits: true, Sensitivities: true}}))(t)
	expect.Equal(t, r.Provenance.Simulations, plain.Provenance.Simulations, "simulations")
	explained := 0
	for i, c := range r.Causes {
		expect.Same(t, c.Efficiencies, plain.Causes[i].Efficiencies, "%s", c.Workload)
		if c.Efficiencies == nil {
			continue
		}
		explained++
		sum, all := c.Efficiencies.Parallel, 0.0
		for _, k := range waits.Classes {
			sum += c.Waits.Share(k)
		}
		for _, k := range cluster.ParameterKinds {
			all += c.Sensitivities.Share(k)
		}
		expect.Close(t, sum, 1, 1e-9, "%s: computing and waiting", c.Workload)
		expect.Close(t, all, 1, 1e-9, "%s: in proportion to anything", c.Workload)
	}
	expect.That(t, explained > 0, "nothing explained")
	expect.Equal(t, len(system.Blocks(words.Of(r).Explanations())), 2, "tables")
	expect.Equal(t, len(system.Blocks(words.Of(plain).Explanations())), 0, "tables of a plan without")
}

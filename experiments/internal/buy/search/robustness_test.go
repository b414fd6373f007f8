package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/expect"
)

// Four nodes exist and are 3.4 % too few for the runs of a year, so that one is bought. If they compute a tenth faster
// nothing is, and the design that buys nothing is first; if a node for sale does, it still is one that is bought.
func TestNothingIsBoughtIfOtherFiguresHold(t *testing.T) {
	const capacity = 365.2425 * 86400 * 0.8 * 4 / 36 // runs of 36 s in a year
	text := strings.Replace(buytest.Jobs, "NODES", "1", 1)
	text = strings.Replace(text, "nodes: {a:", "nodes: {old: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, for_sale: false}, a:", 1)
	p := buytest.Read(t, buytest.PlanFile(t, text), "existing={node: old, count: 4, network: x}", "counts={from: 1, to: 4}", "objective=cheapest",
		"robustness={samples: 100}")
	p.Workloads[0].Weight = 1.034 * capacity
	r := solve(t, p, 1)
	expect.Equal(t, r.Recommended, "4 old and 1 a, x", "recommended")
	const nothing = "no new nodes, x"
	for _, x := range r.Robustness.Parameters {
		high := "a, x"
		if x.Of == "old" && x.Quantity == model.QuantitySpeed {
			high = nothing
		}
		expect.Equal(t, [2]string{x.FirstLow, x.FirstHigh}, [2]string{"a, x", high}, "%s", x.Parameter)
	}
	expect.That(t, slices.ContainsFunc(r.Robustness.JointFirst, func(f model.FirstCount) bool { return f.Design == nothing }),
		"%+v", r.Robustness.JointFirst)
}

package model_test

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/expect"
)

// What is drawn for a workload follows from what is run, in whichever order and units the file has it, and whether or
// not it has a default; another problem, or another order of the ranks, is another one.
func TestIdentityOfWorkloads(t *testing.T) {
	const run = "run: {name: matmul, n: 2000, startup_per_process: 2 ms}"
	identity := func(changed string) string {
		text := buytest.SmallText(t)
		from := strings.Index(text, "run: {name: matmul")
		p := buytest.Read(t, buytest.PlanFile(t, text[:from]+changed+text[from+strings.Index(text[from:], "}")+1:]))
		return p.Identity(model.Parameter{Kind: model.KindWorkload, Quantity: model.QuantityWeight})
	}
	was := identity(run)
	for changed, same := range map[string]bool{
		"run: {startup_per_process: 2000 us, n: 2000, name: matmul}":                 true,
		"run: {name: matmul, n: 2000, sustained: 1.0, startup_per_process: 0.002 s}": true,
		"rank_order: block, " + run:                               true,
		"rank_order: cyclic, " + run:                              false,
		"run: {name: matmul, n: 2001, startup_per_process: 2 ms}": false,
		"run: {name: floyd, n: 2000, startup_per_process: 2 ms}":  false,
		"run: {name: matmul, n: 2000, startup_per_process: 3 ms}": false,
	} {
		is := identity(changed)
		expect.That(t, (is == was) == same, "%s: %s, of %s: %s; equal: want %v", changed, is, run, was, same)
	}
}

// Ranges of a group move together, whatever it is called; alone, or with others, they are other figures.
func TestIdentityOfFiguresOfGroups(t *testing.T) {
	identity := func(price, power string) string {
		text := buytest.SmallText(t) + "\nranges: {figures: [{of: nodes.fat.price, range: 5 %" + price + "}, {of: nodes.thin.power, range: 5 %" + power + "}]}\n"
		return buytest.Read(t, buytest.PlanFile(t, text)).Identity(model.Parameter{Kind: model.KindNode, Quantity: model.QuantityPrice})
	}
	was := identity(", group: a", ", group: a")
	expect.Equal(t, identity(", group: z", ", group: z"), was, "of another name")
	for _, other := range []string{identity(", group: a", ""), identity(", group: a", ", group: b"), identity("", "")} {
		expect.That(t, other != was, "price in a group with a power and without are both %s", was)
	}
}

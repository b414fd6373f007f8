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

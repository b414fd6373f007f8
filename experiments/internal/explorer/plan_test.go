package explorer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/internal/expect"
)

// Every control of a plan is a setting that the plan takes, at its value and at a tenth more, and then has.
func TestLeversAreSettings(t *testing.T) {
	files := exampleFiles(t)
	files["site.yaml"] = buytest.Site
	files["bids.yaml"] = bids
	b := New(files)
	for name, least := range map[string]int{"site.yaml": 8, "buy-a-cluster.yaml": 20, "bids.yaml": 14} {
		levers := controls(t, b, Request{Do: "levers", File: name})
		expect.That(t, len(levers) >= least, "%s: %d controls", name, len(levers))
		for _, path := range []string{"bids[0].price", "bids[1].price", "nodes.a.price.1", "nodes.a.price.32", "offers[0].price.5", "workloads[0].if_impossible"} {
			has := slices.ContainsFunc(levers, func(x map[string]any) bool { return x["path"] == path })
			expect.Equal(t, has, name == "bids.yaml", "%s: a control of %s", name, path)
		}
		for _, c := range levers {
			for _, value := range []string{c["value"].(string), fmt.Sprintf("%v %v%v", 1.1*c["number"].(float64), unitOf(c), suffixOf(c))} {
				set := []Setting{{Path: c["path"].(string), Value: strings.TrimSpace(value)}}
				now := controls(t, b, Request{Do: "levers", File: name, Set: set})
				k := slices.IndexFunc(now, func(x map[string]any) bool { return x["path"] == c["path"] })
				expect.Need(t, k >= 0, "%s: %v takes its control away", name, set)
				expect.Equal(t, now[k]["value"].(string), set[0].Value, "%s: %s", name, set[0].Path)
			}
		}
	}
}

// bids is a plan with the price of a bid, prices by number of nodes in a plan and an offer, a network without prices,
// and something that a run counts as impossible on a machine.
const bids = `budget: {money: 100000 EUR, covers: life}
nodes:
  a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: {1: 900 EUR, 8: 700 EUR, 32: 500 EUR}}
  b: {cores: 1, marked_speed: 2 Gflop/s, power: 100 W, for_sale: false}
networks:
  x: {latency: 1 us, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 100 EUR, ports: 64}}
  y: {latency: 1 us, bandwidth: 1 GB/s, for_sale: false, switch: {ports: 64}}
bids:
- {vendor: alpha, nodes: {a: 6}, network: y, price: 7000 EUR +- 5 %, options: [{name: more, price: 100 EUR, adds: {b: 1}}]}
- {vendor: beta, nodes: {b: 6}, network: y, price: 8000 EUR}
offers: [{vendor: v, node: b, price: {1: 1000 EUR, 5: 800 EUR}}]
workloads: [{name: w, runs_per_year: 100, nodes: 8, if_impossible: 1 h, run: {name: reference, n: 1, total_compute: 36 Gflop}}]
`

func unitOf(c map[string]any) string   { text, _ := c["unit"].(string); return text }
func suffixOf(c map[string]any) string { text, _ := c["suffix"].(string); return text }

func controls(t *testing.T, b *Bridge, q Request) (all []map[string]any) {
	t.Helper()
	answer := ask(t, b, q)
	list, ok := answer["controls"].([]any)
	expect.Need(t, ok, "%v: %v", q, answer["error"])
	for _, x := range list {
		all = append(all, x.(map[string]any))
	}
	return all
}

// A second question repeats no simulation, and what is too large is refused with the command that takes it.
func TestPlanKeepsSimulations(t *testing.T) {
	b := New(map[string]string{"site.yaml": buytest.Site})
	first := ask(t, b, Request{Do: "plan", File: "site.yaml"})
	learned, ok := first["learned"].(map[string]any)
	expect.Need(t, ok && len(learned) > 10, "%v", first["error"])
	again := ask(t, b, Request{Do: "plan", File: "site.yaml", Set: []Setting{{Path: "energy.years", Value: "3"}}})
	expect.That(t, len(again["learned"].(map[string]any)) == 0, "%v", again["learned"])
	large := ask(t, b, Request{Do: "plan", File: "site.yaml", Set: []Setting{{Path: "workloads[0].nodes", Value: "60000"},
		{Path: "counts", Value: "[60000]"}, {Path: "budget.money", Value: "1e9 EUR"}, {Path: "networks.slow.switch.ports", Value: "64000"}}})
	expect.Says(t, fmt.Sprint(large["error"]), "'isoscale plan' takes more", "100000")
}

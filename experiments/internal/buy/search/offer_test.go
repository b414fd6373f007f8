package search

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// offered is the plan of jobs with nodes b, which simulations find as fast as a.
func offered(t *testing.T, offers, file, text string) *model.Result {
	t.Helper()
	plan := buytest.PlanFile(t, strings.NewReplacer("NODES", "[1, 2]", "nodes: {a:", "offers: "+offers+"\nnodes: {b: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}, a:").Replace(buytest.Jobs))
	if file != "" {
		if err := os.WriteFile(filepath.Join(filepath.Dir(plan), file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return solve(t, buytest.Read(t, plan), 1)
}

// A time of 20 s on one b is committed: a hundred runs take 100 20/4 s on four of them, and
// 900 s on a. The offer may be in the plan or in a file of two forms.
func TestCommittedTimesTakeThePlaceOfSimulations(t *testing.T) {
	const offer = `[{vendor: alpha, node: b, workload: w, nodes: 1, time: 20 s, tolerance: 0.1, source: report 7}, {vendor: alpha, node: b, price: 950 EUR}]`
	for _, tt := range []struct{ offers, file, text string }{
		{offer, "", ""},
		{"o.yaml", "o.yaml", "offers: " + offer + "\n"},
		{"o.csv", "o.csv", "vendor,node,workload,nodes,time,tolerance,source,price\nalpha,b,w,1,20 s,0.1,report 7,\nalpha,b,,,,,,950 EUR\n"},
	} {
		r := offered(t, tt.offers, tt.file, tt.text)
		c := r.Recommendation()
		if c.Name != "4 b, x" || !near(c.Score, 500) || c.Bill.Nodes != 4*950 || !near(r.Find("4 a, x").Score, 900) {
			t.Errorf("%s: %s in %v s for %v EUR", tt.offers, c.Name, c.Score, c.Bill.Nodes)
		}
		want := model.AcceptanceResult{Workload: "w", Node: "b", Nodes: 1, Time: 20, Tolerance: 0.1, Most: 22, Source: "committed by alpha: report 7"}
		if len(r.Acceptance) != 1 || r.Acceptance[0] != want {
			t.Errorf("%s: %+v, want %+v", tt.offers, r.Acceptance, want)
		}
		price := ""
		for _, f := range r.Figures {
			if f.Of == "b" && f.Quantity == model.QuantityPrice {
				price = f.Value + ", " + f.Source
			}
		}
		if price != "950 EUR, offer of alpha" {
			t.Errorf("%s: price %s", tt.offers, price)
		}
		if files := len(r.Provenance.Inputs); files != 1 && tt.file == "" || tt.file != "" && files != 2 {
			t.Errorf("%s: %d input files", tt.offers, files)
		}
	}
}

// A bad offer is reported with its place.
func TestBadOffers(t *testing.T) {
	for offer, want := range map[string]string{
		"{vendor: v, node: b}": "offers[0]: neither a price nor a time is offered; expected price, or workload",
		"{vendor: v, node: b, workload: w, nodes: 1, time: 20 s}":                "offers[0]: a time without what it is the time of; expected workload, nodes, time and source together",
		"{vendor: v, node: b, price: 9 EUR, nodes: 1}":                           "offers[0].nodes: no time is committed",
		"{vendor: v, node: b, workload: w, nodes: 3, time: 20 s, source: s}":     "offers[0].nodes: a time on 3 nodes, on which no run of w takes place; expected 1 or 2",
		"{vendor: v, node: c, price: 9 EUR}":                                     `offers[0].node: unknown node type "c"`,
		"{vendor: v, node: b, price: 9 EUR}, {vendor: u, node: b, price: 8 EUR}": "offers[1].price: a second price of b",
		"{vendor: v, node: b, workload: w, nodes: 1, time: 20 s, source: s}, {vendor: v, node: b, workload: w, nodes: 1, time: 20 s, source: s}": "offers[1]: a second time of w on 1 b",
	} {
		text := strings.NewReplacer("NODES", "[1, 2]", "nodes: {a:", "offers: ["+offer+"]\nnodes: {b: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}, a:").Replace(buytest.Jobs)
		if _, err := model.Read(buytest.PlanFile(t, text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", offer, err, want)
		}
	}
	plan := buytest.PlanFile(t, "offers: o.csv\n"+strings.Replace(buytest.Jobs, "NODES", "1", 1))
	if err := os.WriteFile(filepath.Join(filepath.Dir(plan), "o.csv"), []byte("vendor,node,price\nv,a,9 EUR\nu,a,cheap\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Read(plan, nil); err == nil || !strings.Contains(err.Error(), "o.csv:3:5: [1].price: ") {
		t.Errorf("%v", err)
	}
}

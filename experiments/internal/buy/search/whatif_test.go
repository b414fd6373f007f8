package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/experiments/report/html"
)

// whatIfSite is site with all kinds of costs. All numbers of nodes are given, and all
// machines are simulated, so that other prices leave the same machines.
var whatIfSite = strings.Replace(buytest.Site, "mixes:", `counts: [1, 2, 3, 4, 5]
energy: {price_per_kwh: 0.25 EUR, price_growth: 0.03, years: 4, utilisation: 0.8, overhead: 1.5}
costs:
  racks: {price: 500 EUR, units: 10}
  maintenance: 0.1
  staff: 3000 EUR
  fixed: [{name: move, once: 200 EUR}, {name: licences, yearly: 80 EUR}]
  vat: 0.19
  discount_rate: 0.05
load: runs
mixes:`, 1)

func solveAll(t *testing.T, text string, set ...string) *model.Result {
	t.Helper()
	r, err := Solve(context.Background(), buytest.Read(t, buytest.PlanFile(t, text), set...),
		Options{Jobs: 2, unscreened: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pageRanking is what the page ranks.
type pageRanking struct {
	Best string
	Rows []pageRow
	CSV  string // that it offers
}

// pageRow is a machine as the page ranks it.
type pageRow struct {
	Name                                             string
	Objective, Relative, Price, Life, Year, Job, KWh float64
}

const pageRows = `(() => {
	const now = document.querySelector(".machines").ranked();
	const row = x => ({Name: x.machine.name, Objective: x.objective, Price: x.price, Life: x.life, Year: x.year, KWh: x.kWh, Relative: x.relative, Job: x.job});
	let csv = "";
	window.isoscaleDownload = (name, parts) => { csv = parts.join(""); };
	document.querySelector(".machines .csv").click();
	return {Best: now.best < 0 ? "" : now.rows[now.best].machine.name, Rows: now.rows.map(row), CSV: csv};
})()`

// The page ranks as Solve does: to the bit as planned and, after sliders have moved, as a
// plan with the same prices and limits that is solved anew.
func TestPageRanksAsSolve(t *testing.T) {
	if testing.Short() {
		t.Skip("opens a browser: left out with -short")
	}
	browser := browsertest.Start(t)
	cases := []struct {
		name, sliders string
		set           []string
		budget        float64 // part of that of the page; 0: all
	}{
		{name: "as planned"},
		{name: "dearer nodes", sliders: "node1=25&network2=20", set: []string{"nodes.fat.price=5000 EUR", "networks.fast.price_per_port=360 EUR", "networks.fast.switch.price=2400 EUR"}},
		{name: "energy", sliders: "energy_price=20&overhead=-20&years=2&discount=-4", set: []string{"energy.price_per_kwh=0.5 EUR", "energy.overhead=1.3", "energy.years=6", "costs.discount_rate=0.03"}},
		{name: "more work", sliders: "work=50", set: []string{"workloads[0].runs_per_year=3000000", "workloads[1].runs_per_year=13500000"}},
		{name: "less money", sliders: "money=-40&node2=-10", set: []string{"nodes.thin.price=1350 EUR"}, budget: 0.6},
	}
	tab := browser.NewTab(t)
	for _, objective := range []string{"throughput", "cheapest"} {
		for covers, budget := range map[string]float64{"purchase": 30000, "life": 60000} {
			long := os.Getenv("ISOSCALE_LONG") != ""
			if !long && (objective == "cheapest") != (covers == "life") {
				continue // two of the four show the same
			}
			money := func(part float64) string { return fmt.Sprintf("budget.money=%.0f EUR", part*budget) }
			given := []string{"objective=" + objective, "budget.covers=" + covers}
			var page bytes.Buffer
			if err := html.Write(&page, words.Of(solveAll(t, whatIfSite,
				append(given, money(1))...)).Report()); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "plan.html")
			buytest.Write(t, file, page.String())
			for i, x := range cases {
				if !long && i > 0 && (i%2 == 0) != (covers == "life") {
					continue // by turns
				}
				t.Run(fmt.Sprintf("%s, %s, %s", objective, covers, x.name), func(t *testing.T) {
					tab.HandTo(t)
					tab.Screen(1366, 900, "light")
					tab.OpenAt(file, "try:"+x.sliders)
					browsertest.Await(tab, `!document.querySelector("form.whatif").hidden`,
						func(ready bool) bool { return ready })
					got := browsertest.Eval[pageRanking](tab, pageRows)
					set := append(append(given, money(cmp.Or(x.budget, 1))), x.set...)
					want := solveAll(t, whatIfSite, set...)
					precision := 1e-12 // of figures that a slider computes and the file has in decimal
					switch x.name {
					case "as planned":
						precision = 0
					case "more work":
						precision = 1e-10 // times of a year's work have 11 digits
					}
					checkRanking(t, got.Best, got.Rows, want, precision)
					if x.sliders == "" {
						checkCSV(t, got.CSV, want)
					}
				})
			}
		}
	}
}

// checkRanking compares the ranking of the page with that of a result.
func checkRanking(t *testing.T, best string, rows []pageRow, want *model.Result, precision float64) {
	t.Helper()
	if len(rows) != len(want.Ranking) || len(rows) < 5 || best != want.Recommended {
		t.Fatalf("the page ranks %d machines and recommends %q; %d and %q are expected", len(rows), best,
			len(want.Ranking), want.Recommended)
	}
	for i, c := range want.Ranking {
		got := rows[i]
		if got.Name != c.Name {
			t.Errorf("place %d: %s, want %s", i+1, got.Name, c.Name)
			continue
		}
		for _, x := range []struct {
			what      string
			got, want float64
		}{
			{"objective", got.Objective, c.Objective}, {"relative", got.Relative, c.Relative}, {"price", got.Price, c.Price}, {"life", got.Life, c.LifeCost},
			{"year", got.Year, c.Annuity}, {"energy", got.KWh, c.LifeEnergy / want.Plan.Energy.Years}, {"job", got.Job, *c.JobCost},
		} {
			if math.Abs(x.got-x.want) > precision*math.Abs(x.want) {
				t.Errorf("%s of %s: %v, want %v", x.what, c.Name, x.got, x.want)
			}
		}
	}
}

// checkCSV compares the file that the page offers with a result, to the bit.
func checkCSV(t *testing.T, text string, want *model.Result) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 1+len(want.Ranking) {
		t.Fatalf("%v, %d lines:\n%s", err, len(lines), text)
	}
	if head := strings.Join(lines[0][:8], "|"); head != "machine|time of a year's work (h)|relative|price (EUR)|cost over the years (EUR)|cost of a year (EUR)|cost of a job (EUR)|energy of a year (kWh)" {
		t.Errorf("columns %s", head)
	}
	for i, c := range want.Ranking {
		line := lines[1+i]
		if line[0] != c.Name || line[10] != c.Wiring {
			t.Errorf("line %d is of %s, %s; want %s, %s", i+2, line[0], line[10], c.Name, c.Wiring)
		}
		for k, value := range []float64{c.Score / 3600, c.Relative, c.Price, c.LifeCost, c.Annuity, *c.JobCost,
			c.LifeEnergy / want.Plan.Energy.Years} {
			if got, err := strconv.ParseFloat(line[1+k], 64); err != nil || got != value {
				t.Errorf("line %d, %s: %s, want %v", i+2, lines[0][1+k], line[1+k], value)
			}
		}
	}
}

package search

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
)

// costlySite is site with all kinds of costs. It lists all numbers of nodes, and simulates all machines, so that all
// are ranked.
var costlySite = strings.Replace(buytest.Site, "mixes:", `counts: [1, 2, 3, 4, 5]
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
	r, err := Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, text), set...),
		Options{Jobs: 2, Rough: rough, unscreened: true})
	expect.Success(t, err)
	return r
}

// pageRanking is what the page ranks.
type pageRanking struct {
	Best string
	Rows []pageRow
	CSV  string // that it offers
}

// pageRow is a machine as the page has it.
type pageRow struct {
	Name                                         string
	Score, Relative, Price, Life, Year, Job, KWh float64
}

const pageRows = `(() => {
	const now = document.querySelector(".machines").ranked();
	const row = ({name: Name, figures: [Score, Relative, Price, Life, Year, Job, KWh]}) => ({Name, Score, Relative, Price, Life, Year, Job, KWh});
	let csv = "";
	window.isoscaleDownload = (name, parts) => { csv = parts.join(""); };
	document.querySelector(".machines .csv").click();
	return {Best: now.recommended.name, Rows: now.machines.map(row), CSV: csv};
})()`

// The page has the ranking of Solve, to the bit.
func TestPageRanksAsSolve(t *testing.T) {
	browser := browsertest.Start(t)
	tab := browser.NewTab(t)
	for _, objective := range []string{"throughput", "cheapest"} {
		for covers, budget := range map[string]float64{"purchase": 30000, "life": 60000} {
			var page bytes.Buffer
			want := solveAll(t, costlySite, "objective="+objective, "budget.covers="+covers,
				fmt.Sprintf("budget.money=%.0f EUR", budget))
			expect.Success(t, html.Write(&page, words.Of(want).Report()))
			file := filepath.Join(t.TempDir(), "plan.html")
			buytest.Write(t, file, page.String())
			t.Run(objective+", "+covers, func(t *testing.T) {
				tab.HandTo(t)
				tab.Screen(1366, 900, "light")
				tab.OpenAt(file, "")
				browsertest.Await(tab, `!document.querySelector("form.rows").hidden`,
					func(ready bool) bool { return ready })
				got := browsertest.Eval[pageRanking](tab, pageRows)
				checkRanking(t, got.Best, got.Rows, want)
				checkCSV(t, got.CSV, want)
				checkFirstScreen(tab, want)
			})
		}
	}
}

// checkRanking compares the ranking of the page with that of a result.
func checkRanking(t *testing.T, best string, rows []pageRow, want *model.Result) {
	t.Helper()
	expect.Need(t, len(rows) == len(want.Ranking) && len(rows) >= 5 && best == want.Recommended,
		"the page ranks %d machines and recommends %q; want %d and %q", len(rows), best, len(want.Ranking), want.Recommended)
	for i, c := range want.Ranking {
		got := rows[i]
		expect.Need(t, got.Name == c.Name, "place %d: %s, want %s", i+1, got.Name, c.Name)
		for _, x := range []struct {
			what      string
			got, want float64
		}{
			{"score", got.Score, c.Score}, {"relative", got.Relative, *c.Relative}, {"price", got.Price, c.Price}, {"life", got.Life, c.LifeCost},
			{"year", got.Year, c.Annuity}, {"energy", got.KWh, c.LifeEnergy / want.Plan.Energy.Years}, {"job", got.Job, *c.JobCost},
		} {
			expect.Equal(t, x.got, x.want, "%s of %s", x.what, c.Name)
		}
	}
}

// checkFirstScreen checks that the first screen has the answer, with bars as long as the figures say.
func checkFirstScreen(tab *browsertest.Tab, want *model.Result) {
	tab.T.Helper()
	for width, height := range map[int64]int64{1366: 900, 390: 844} {
		tab.Screen(width, height, "light")
		got := browsertest.Eval[struct {
			Bottom float64
			Bars   []float64 // of the longer one
		}](tab, `(() => {
			const bars = [...document.querySelectorAll(".facts .bar i i")].map((bar) => bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width);
			return { Bottom: document.querySelector(".facts").getBoundingClientRect().bottom + scrollY, Bars: bars };
		})()`)
		expect.Need(tab.T, got.Bottom <= float64(height) && len(got.Bars) == 6,
			"%d px: the answer ends at %.0f of %d px and has %d bars; expected 6", width, got.Bottom, height, len(got.Bars))
		c, next := want.Recommendation(), want.Find(want.RunnerUp)
		costs := c.Price / next.Price
		if want.Plan.Budget.Life {
			costs = c.LifeCost / next.LifeCost
		}
		is := got.Bars[0] / got.Bars[1]
		expect.That(tab.T, math.Abs(is-costs) <= 0.01, "%d px: the bars of the costs are as %.3f to 1; want %.3f", width, is, costs)
	}
}

// checkCSV compares the file that the page offers with a result, to the bit.
func checkCSV(t *testing.T, text string, want *model.Result) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	expect.Need(t, err == nil && len(lines) == 1+len(want.Ranking), "%v, %d lines:\n%s", err, len(lines), text)
	expect.Equal(t, strings.Join(lines[0][:8], "|"), "machine|time of a year's work (h)|relative|price (EUR)|cost over the years (EUR)|cost of a year (EUR)|cost of a job (EUR)|energy of a year (kWh)",
		"columns")
	for i, c := range want.Ranking {
		line := lines[1+i]
		expect.That(t, line[0] == c.Name && line[10] == c.Wiring,
			"line %d is of %s, %s; want %s, %s", i+2, line[0], line[10], c.Name, c.Wiring)
		for k, value := range []float64{c.Score / 3600, *c.Relative, c.Price, c.LifeCost, c.Annuity, *c.JobCost,
			c.LifeEnergy / want.Plan.Energy.Years} {
			expect.Equal(t, expect.Value(strconv.ParseFloat(line[1+k], 64))(t), value, "line %d, %s", i+2, lines[0][1+k])
		}
	}
}

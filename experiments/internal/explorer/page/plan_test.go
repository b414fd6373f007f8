package page

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/explorer"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/internal/expect"
)

// otherChanges are typed where the page takes any setting: some leave a machine, some leave none.
var otherChanges = []explorer.Setting{
	{Path: "objective", Value: "cheapest"}, {Path: "counts", Value: "[1, 2, 3]"}, {Path: "budget.covers", Value: "life"}, {Path: "mixes", Value: "[]"},
	{Path: "load", Value: "runs"}, {Path: "tolerance", Value: "0.2"}, {Path: "networks.slow.bandwidth", Value: "4 GB/s"},
	{Path: "nodes.fat.marked_speed", Value: "20 Gflop/s"}, {Path: "budget.money", Value: "10 EUR"}, {Path: "workloads[0].runs_per_year", Value: "-3"},
}

// shownPlan is what the page shows of a plan.
type shownPlan struct {
	Lead, Problem string
	Bars          []string
}

const shownPlanScript = `({Lead: document.querySelector("#plan h2")?.textContent.replaceAll("\u00a0", " ") ?? "", 
	Problem: [...(document.getElementById("problem").hidden ? [] : document.getElementById("problem").textContent.split("\n")),
		...[...document.querySelectorAll(".control .wrong:not([hidden])")].flatMap((e) => e.textContent.split("\n").map((l) => e.closest(".control").querySelector("[data-path]").dataset.path + ": " + l))].sort().join("\n"),
	Bars: [...document.querySelectorAll("#plan .bar")].map((b) => b.textContent.replaceAll("\u00a0", " "))})`

// testPlan changes a plan in the page at random, and compares each answer with that of a rerun.
func testPlan(t *testing.T, browser *browsertest.Browser, file string) {
	const changes = 30
	page := expect.Value(os.ReadFile(file))(t)
	page = expect.Value(With(page, Own{Files: map[string]string{"site.yaml": buytest.Site}, Plan: "site.yaml"}))(t)
	own := filepath.Join(t.TempDir(), "explore.html")
	expect.Success(t, os.WriteFile(own, page, 0o600))
	plan := buytest.PlanFile(t, buytest.Site)
	tab := browser.NewTab(t)
	tab.Screen(1366, 900, "light")
	tab.OpenAt(own, "")
	shown(t, tab)

	var levers struct{ Controls []explorer.Control }
	native := explorer.New(map[string]string{"site.yaml": buytest.Site})
	expect.Success(t, json.Unmarshal(answer(t, native, explorer.Request{Do: "levers", File: "site.yaml"}).JSON, &levers))
	expect.Need(t, len(levers.Controls) >= 8, "%d controls", len(levers.Controls))

	r := rand.New(rand.NewPCG(1, 26))
	machines, refused := map[string]bool{}, 0
	for k := range changes {
		var set []explorer.Setting
		for range 1 + r.IntN(3) {
			x := otherChanges[r.IntN(len(otherChanges))]
			if r.IntN(4) > 0 {
				c := levers.Controls[r.IntN(len(levers.Controls))]
				x = explorer.Setting{Path: c.Path, Value: fmt.Sprintf("%.3g %s", c.Number*(0.4+1.6*r.Float64()), c.Unit)}
				if x.Path == "energy.utilisation" {
					x.Value = fmt.Sprintf("%.3g", 0.2+0.8*r.Float64())
				}
			}
			set = append(set, explorer.Setting{Path: x.Path, Value: strings.TrimSpace(x.Value)})
		}
		set = change(tab, set)
		got := browsertest.Eval[shownPlan](tab, shownPlanScript)
		p, err := model.Read(plan, set)
		var result *model.Result
		if err == nil {
			result, err = search.Solve(context.Background(), p, search.Options{Overrides: set, Jobs: 2})
		}
		if err != nil {
			refused++
			lines := strings.Split(strings.ReplaceAll(yamldoc.InWordsOfTheFile(err).Error(), plan, "site.yaml"), "\n")
			slices.Sort(lines) // some stand at the controls concerned
			want := strings.Join(lines, "\n")
			expect.That(t, got.Problem == want && got.Lead == "", "change %d, %v: the page says %q; want %q", k, set, got.Problem, want)
			continue
		}
		machines[result.Recommended] = true
		w := words.Of(result)
		want := shownPlan{Lead: w.InOneLine()}
		for _, f := range w.FirstScreen() {
			for _, b := range f.Bars {
				want.Bars = append(want.Bars, b.Label+b.Value)
			}
		}
		expect.Same(t, got, want, "change %d, %v", k, set)
		var page struct {
			Figures struct {
				Machine string   `json:"machine"`
				Score   float64  `json:"score_s"`
				Price   float64  `json:"price"`
				Life    float64  `json:"cost_over_life"`
				Energy  float64  `json:"energy_kwh_per_year"`
				Job     *float64 `json:"cost_per_job"`
			}
		}
		expect.Success(t, json.Unmarshal(ask(t, tab, explorer.Request{Do: "plan", File: "site.yaml", Set: set}).json, &page))
		c, f := result.Recommendation(), page.Figures
		expect.That(t, f.Machine == c.Name && f.Score == c.Score && f.Price == c.Price && f.Life == c.LifeCost &&
			f.Energy == c.LifeEnergy/p.Energy.Years && *f.Job == *c.JobCost, "change %d, %v: the page has %+v; a rerun %s, %v s, %v, %v, %v, %v", k, set, f,
			c.Name, c.Score, c.Price, c.LifeCost, c.LifeEnergy/p.Energy.Years, *c.JobCost)
	}
	expect.That(t, len(machines) > 3 && refused > 0, "%d changes give %d machines and %d refusals; the test is blind", changes,
		len(machines), refused)
	if os.Getenv("ISOSCALE_AXE") != "" {
		change(tab, nil)
		eachScreen(tab, func(screen string) {
			browsertest.Eval[bool](tab, `(document.querySelectorAll("#plan details").forEach((d) => (d.open = true)), true)`)
			expect.Same(t, browsertest.Violations(tab, browsertest.Axe(t)), "", "%s", screen)
		})
		tab.Screen(1366, 900, "light")
	}
	testStop(tab)
	t.Logf("%d changes, %d machines, %d refused", changes, len(machines), refused)
}

// testStop stops a long plan as soon as it tells its progress, and then asks for another.
func testStop(tab *browsertest.Tab) {
	tab.T.Helper()
	browsertest.Eval[bool](tab, `(location.hash = "v=1&file=buy-a-cluster.yaml", true)`)
	told := browsertest.Await(tab, `document.querySelector("#plan .work").textContent`, func(s string) bool { return strings.Contains(s, " on ") })
	expect.That(tab.T, strings.HasPrefix(strings.TrimSpace(told), "ranking; "), "the page says %q; want how far the ranking is", told)
	browsertest.Eval[bool](tab, `(document.querySelector("#plan .work button").click(), true)`)
	text := browsertest.Eval[string](tab, `document.querySelector("#plan .answer").textContent`)
	expect.That(tab.T, strings.HasPrefix(text, "Stopped."), "after Stop the page says %q", text)
	browsertest.Eval[bool](tab, `(location.hash = "v=1&file=site.yaml", true)`)
	lead := browsertest.Await(tab, `document.querySelector("#plan h2")?.textContent ?? ""`, func(s string) bool { return s != "" })
	expect.That(tab.T, strings.HasPrefix(lead, "Buy "), "then %q", lead)
}

// change undoes what is set in the page, sets something else through its fields, and waits for the answer. It returns
// what is set: for several settings of one path, the last.
func change(tab *browsertest.Tab, set []explorer.Setting) []explorer.Setting {
	tab.T.Helper()
	browsertest.Eval[bool](tab, `(document.getElementById("reset").click(), true)`)
	var last []explorer.Setting
	for _, x := range set {
		kept := last[:0:0]
		for _, y := range last {
			if y.Path != x.Path {
				kept = append(kept, y)
			}
		}
		last = append(kept, x)
		browsertest.Await(tab, `!!document.querySelector("#controls fieldset")`, func(there bool) bool { return there })
		browsertest.Eval[bool](tab, fmt.Sprintf(`(() => {
			const field = document.querySelector('#controls [data-path="' + CSS.escape(%[1]q) + '"]');
			if (field) {
				field.value = %[2]q;
				field.dispatchEvent(new Event("change", {bubbles: true}));
			} else {
				document.getElementById("other-setting").value = %[1]q + "=" + %[2]q;
				document.querySelector("#plan form.other button").click();
			}
			return true;
		})()`, x.Path, x.Value))
	}
	browsertest.Await(tab, `["shown", "failed"].includes(document.documentElement.dataset.state)`, func(done bool) bool { return done })
	return last
}

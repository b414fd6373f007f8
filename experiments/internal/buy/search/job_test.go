package search

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/expect"
)

func near(got, want float64) bool { return math.Abs(got/want-1) <= 1e-9 }

const yearInSeconds = 365.2425 * 86400

// jobs is the plan of jobs that run on some nodes.
func jobs(nodes string) string { return strings.Replace(buytest.Jobs, "NODES", nodes, 1) }

// The time of a hundred runs of 36 s on one node, depending on the nodes that a run takes.
func TestRunsShareTheMachine(t *testing.T) {
	const short = "- {name: v, runs_per_year: %d, nodes: 1, run: {name: reference, n: 1, total_compute: 6 Gflop}}\n"
	weighted := strings.Replace(jobs("1"), "runs_per_year: 100", "weight: 1", 1)
	for _, tt := range []struct {
		text, set string
		want      float64
	}{
		// On four nodes: of one node each, four at a time; of three, one at a time; of two or three,
		// two of two at a time.
		{jobs("1"), "", 100 * 36. / 4},
		{jobs("2"), "", 100 * 18. / 2},
		{jobs("3"), "", 100 * 12},
		{jobs("4"), "", 100 * 9},
		{jobs("all"), "", 100 * 9},
		{jobs("[2, 3]"), "", 100 * 18. / 2},
		{jobs("best"), "", 100 * 36. / 4},
		// Beside a run of three nodes that takes 12 s one node is free for runs of 6 s: a hundred of each take 1200 s,
		// 400 of the short ones 100 (12 + (4 - 2) 6/4) s.
		{jobs("3") + fmt.Sprintf(short, 100), "", 1200},
		{jobs("3") + fmt.Sprintf(short, 200), "", 1200},
		{jobs("3") + fmt.Sprintf(short, 400), "", 1500},
		// A run must be done in 10 s, which takes four of six nodes, or in 15 s, which takes three, so that two run at
		// a time.
		{jobs("[1, 3, 4], deadline: 10 s"), "counts=[6]", 900},
		{jobs("[1, 3, 4], deadline: 9.0001 s"), "counts=[6]", 900},
		{jobs("[1, 3, 4], deadline: 15 s"), "counts=[6]", 600},
		{jobs("[1, 3, 4], deadline: 40 s"), "counts=[6]", 600},
		{jobs("1, batch: {runs: 100, within: 901 s}"), "", 900},
		// With shares the time per run counts, for each workload alone.
		{weighted + "- {name: v, weight: 1, nodes: [1, 2], run: {name: reference, n: 1, total_compute: 6 Gflop}}\n", "", math.Sqrt(9 * 1.5)},
		// The fastest run is that on the most nodes.
		{strings.Replace(jobs("best"), "counts: [4]", "counts: [1, 2, 4, 6]", 1), "objective={name: time, workload: w}", 6},
	} {
		set := []string{tt.set}[:min(1, len(tt.set))]
		c := solveText(t, tt.text, set...).Recommendation()
		expect.Close(t, c.Score, tt.want, 1e-9, "%s %s: score of %s", tt.text, tt.set, c.Name)
		if c.Throughput != nil && len(set) == 0 {
			expect.Close(t, *c.Throughput, 0.8*yearInSeconds/tt.want, 1e-9, "%s %s: throughput", tt.text, tt.set)
		}
	}
}

// Each workload keeps to its partition: on two nodes of 1 Gflop/s and two of 2 Gflop/s in
// partition fast a hundred runs of 36 s take 1800 s, a hundred of 18 s 900 s.
func TestPartitions(t *testing.T) {
	text := strings.NewReplacer("counts: [4]", "counts: [2]\nmixes: [[a, b]]",
		"nodes: {a:", "nodes: {b: {cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 900 EUR, partition: fast}, a:",
		"NODES", "1, partition: PART").Replace(buytest.Jobs)
	for part, want := range map[string]float64{"cpu": 1800, "fast": 900} {
		r := solveText(t, strings.Replace(text, "PART", part, 1))
		c := r.Find("2 b + 2 a, x")
		expect.That(t, near(c.Score, want), "partition %s: %v s, want %v", part, c.Score, want)
		expect.Equal(t, len(r.Ranking), 2, "partition %s: machines", part)
		expect.That(t, len(r.ExcludedBy) == 1 && r.ExcludedBy[0].Reason == "w: no nodes of partition "+part, "excluded %+v", r.ExcludedBy)
	}
	// If any partition will do, each run takes 1/(2/36 + 2/18) s.
	c := solveText(t, strings.Replace(text, ", partition: PART", "", 1)).Find("2 b + 2 a, x")
	expect.That(t, near(c.Score, 100/(2/36.+2/18.)), "any partition: %v s, want 600", c.Score)
}

// The cheapest machine that carries the mix has two nodes if a year's work takes a node 1.5 years. A mean wait that
// needs a third node is kept with three, and by no machine of two.
func TestCheapestThatCarriesTheMix(t *testing.T) {
	runs := math.Round(1.5 * yearInSeconds / 36)
	text := strings.NewReplacer("NODES", "1", "runs_per_year: 100", "runs_per_year: "+trim(runs), "counts: [4]",
		"counts: [1, 2, 3, 4]\nenergy: {utilisation: 1}\nobjective: OBJ").Replace(buytest.Jobs)
	r := solveText(t, strings.Replace(text, "OBJ", "cheapest", 1))
	expect.That(t, r.Recommended == "2 a, x" && len(r.ExcludedBy) == 1 && r.ExcludedBy[0].Machines == 1,
		"%s, excluded %+v; want 2 a, without 1 a", r.Recommended, r.ExcludedBy)
	three, two := r.Find("3 a, x").Wait, r.Find("2 a, x").Wait
	wait := *three.High * 1.5
	expect.Need(t, *two.Low > wait,
		"on two nodes jobs wait at least %v s, on three at most %v s", *two.Low, *three.High)
	r = solveText(t, strings.Replace(text, "OBJ", "{name: cheapest, mean_wait: "+trim(wait)+" s}", 1))
	// One node takes 1.5 years.
	expect.Equal(t, r.Recommended, "3 a, x", "recommended")
	expect.That(t, strings.Contains(r.Excluded[0].Reason, "of the hours available") &&
		strings.Contains(r.Excluded[1].Reason, "the mean wait is"), "excluded %+v", r.Excluded)
	expect.Equal(t, r.ExcludedBy[0].Name, "2 a, x", "nearest miss")
	// What decided is known well enough to be printed.
	p := buytest.Read(t, buytest.PlanFile(t, strings.Replace(text, "OBJ", "{name: cheapest, mean_wait: "+trim(wait)+" s}", 1)))
	w := expect.Value(Solve(t.Context(), p, Options{Jobs: 1}))(t).Recommendation().Wait
	expect.That(t, *w.High-*w.Mean <= 0.11**w.Mean && *w.Mean-*w.Low <= 0.11**w.Mean,
		"mean wait %v (%v to %v), want within 10 %%", *w.Mean, *w.Low, *w.High)
}

func trim(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// The wait of jobs of one kind and length, on one node each, at random times, is that of the queue M/D/1: (load/(1 -
// load)) T/2 [Kleinrock1975].
func TestWaitOfOneNode(t *testing.T) {
	runs := math.Round(0.5 * yearInSeconds / 36)
	text := strings.NewReplacer("NODES", "1", "runs_per_year: 100", "runs_per_year: "+trim(runs), "counts: [4]",
		"counts: [1]\nqueue: {submissions: 400000}").Replace(buytest.Jobs)
	w := solveText(t, text).Ranking[0].Wait
	expect.Close(t, *w.Mean, 36./2, 0.02, "mean wait in seconds")
}

// Plans without nodes for runs, as in old files, run on the whole machine, and say so.
func TestRunsWithoutNodesTakeTheWholeMachine(t *testing.T) {
	old := solveText(t, strings.Replace(buytest.Jobs, ", nodes: NODES", "", 1))
	all := solveText(t, strings.Replace(buytest.Jobs, "NODES", "all", 1))
	expect.List(t, []float64{old.Ranking[0].Score, all.Ranking[0].Score}, []float64{900, 900}, "scores")
	said := func(r *model.Result) bool {
		return strings.Contains(strings.Join(r.Warnings, "\n"), "nodes: best lets runs share")
	}
	expect.That(t, said(old) && !said(all), "warnings %q and %q", old.Warnings, all.Warnings)
}

// offered is the plan of jobs with nodes b, which simulate as fast as a.
func offered(t *testing.T, offers, file, text string) *model.Result {
	t.Helper()
	plan := strings.NewReplacer("NODES", "[1, 2]", "nodes: {a:", "offers: "+offers+"\nnodes: {b: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}, a:").Replace(buytest.Jobs)
	var beside []string
	if file != "" {
		beside = []string{file, text}
	}
	return solve(t, buytest.Read(t, buytest.PlanFile(t, plan, beside...)), 1)
}

// A vendor commits to 20 s on one b: a hundred runs take 100 20/4 s on four b, and 900 s on a. The offer may be in the
// plan or in a file of either form.
func TestCommittedTimesTakeThePlaceOfSimulations(t *testing.T) {
	const offer = `[{vendor: alpha, node: b, workload: w, nodes: 1, time: 20 s, tolerance: 0.1, source: report 7}, {vendor: alpha, node: b, price: 950 EUR}]`
	for _, tt := range []struct{ offers, file, text string }{
		{offer, "", ""},
		{"o.yaml", "o.yaml", "offers: " + offer + "\n"},
		{"o.csv", "o.csv", "vendor,node,workload,nodes,time,tolerance,source,price\nalpha,b,w,1,20 s,0.1,report 7,\nalpha,b,,,,,,950 EUR\n"},
	} {
		r := offered(t, tt.offers, tt.file, tt.text)
		c := r.Recommendation()
		expect.That(t, c.Name == "4 b, x" && near(c.Score, 500) && c.Bill.Nodes == 4*950 && near(r.Find("4 a, x").Score, 900),
			"%s: %s in %v s for %v EUR", tt.offers, c.Name, c.Score, c.Bill.Nodes)
		want := model.AcceptanceResult{Workload: "w", Node: "b", Nodes: 1, Time: 20, Tolerance: 0.1, Most: 22,
			Source: "committed by alpha: report 7"}
		expect.That(t, len(r.Acceptance) == 1 && r.Acceptance[0] == want,
			"%s: %+v, want %+v", tt.offers, r.Acceptance, want)
		price := ""
		for _, f := range r.Figures {
			if f.Of == "b" && f.Quantity == model.QuantityPrice {
				price = f.Value + ", " + f.Source
			}
		}
		expect.That(t, price == "950 EUR, offer of alpha", "%s: price %s", tt.offers, price)
		expect.Equal(t, len(r.Provenance.Inputs), map[bool]int{true: 1, false: 2}[tt.file == ""], "%s: input files", tt.offers)
	}
}

// A bad offer is reported with its place.
func TestBadOffers(t *testing.T) {
	for offer, want := range map[string]string{
		"{vendor: v, node: b}": "offers[0]: neither a price nor a time is offered; expected price, or workload",
		"{vendor: v, node: b, workload: w, nodes: 1, time: 20 s}":                "offers[0]: a time that does not say of what; expected workload, nodes, time and source together",
		"{vendor: v, node: b, price: 9 EUR, nodes: 1}":                           "offers[0].nodes: no time is committed",
		"{vendor: v, node: b, workload: w, nodes: 3, time: 20 s, source: s}":     "offers[0].nodes: a time on 3 nodes, where no run of w takes place; expected 1 or 2",
		"{vendor: v, node: c, price: 9 EUR}":                                     `offers[0].node: unknown node type "c"`,
		"{vendor: v, node: b, price: 9 EUR}, {vendor: u, node: b, price: 8 EUR}": "offers[1].price: a second price of b",
		"{vendor: v, node: b, workload: w, nodes: 1, time: 20 s, source: s}, {vendor: v, node: b, workload: w, nodes: 1, time: 20 s, source: s}": "offers[1]: a second time of w on 1 b",
	} {
		text := strings.NewReplacer("NODES", "[1, 2]", "nodes: {a:", "offers: ["+offer+"]\nnodes: {b: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}, a:").Replace(buytest.Jobs)
		expect.Refusal(model.Read(buytest.PlanFile(t, text), nil))(t, want)
	}
	plan := buytest.PlanFile(t, "offers: o.csv\n"+jobs("1"), "o.csv", "vendor,node,price\nv,a,9 EUR\nu,a,cheap\n")
	expect.Refusal(model.Read(plan, nil))(t, "o.csv:3:5: [1].price: ")
}

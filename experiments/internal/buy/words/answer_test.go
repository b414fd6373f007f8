package words

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

var update = flag.Bool("update", false, "write the golden text anew")

// solve answers a plan.
func solve(t *testing.T, p *model.Plan) Answer {
	t.Helper()
	r := expect.Value(search.Solve(t.Context(), p, search.Options{Jobs: 2}))(t)
	return Of(r)
}

func TestGoldenText(t *testing.T) {
	r := solve(t, buytest.Read(t, buytest.Small))
	var b bytes.Buffer
	for _, text := range append(r.Summary(), r.Certainty()...) {
		fmt.Fprintln(&b, text)
	}
	for _, c := range r.Designs() {
		fmt.Fprintf(&b, "%d %s: %s, %.3f, %.0f %s, %v, %v\n", c.Rank, c.Name, r.Plan.ScoreText(c.Score), *c.Relative, c.Price,
			r.Currency, units.Watts(c.Power), c.Fronts)
	}
	for _, u := range r.Upgrades {
		fmt.Fprintf(&b, "%s, %s: %.0f %s, %+.3f %%, hypothetical %v, %s\n", u.Direction, u.Change, u.Cost, r.Currency,
			model.Percent(u.Gain), u.Hypothetical, u.Beyond)
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(&b, "warning:", w)
	}
	golden := "testdata/small.golden"
	if *update {
		buytest.Write(t, golden, b.String())
	}
	want := expect.Value(os.ReadFile(golden))(t)
	expect.Same(t, b.String(), string(want), "text (run with -update to accept)")
}

func TestReport(t *testing.T) {
	for _, set := range [][]string{nil, {"existing={node: thin, count: 4, network: slow}"}, {"nodes={fat: {cores: 4, marked_speed: 10 Gflop/s, power: 400 W, price: 4000 EUR}}", "networks={slow: {latency: 50 us, bandwidth: 100 MB/s, price_per_port: 10 EUR, switch: {price: 200 EUR, ports: 8}}}"}} {
		var b bytes.Buffer
		expect.Success(t, html.Write(&b, solve(t, buytest.Read(t, buytest.Small, append(buytest.Quarter, set...)...)).Report()))
		expect.Says(t, b.String(), "</html>", "What was not considered")
	}
}

// Every field of the JSON is in docs/formats/plan.md.
func TestJSONIsDocumented(t *testing.T) {
	doc := expect.Value(os.ReadFile("../../../../docs/formats/plan.md"))(t)
	checked := 0
	var walk func(reflect.Type)
	walk = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(x.Elem())
		case reflect.Struct:
			if x == reflect.TypeFor[input.Provenance]() || x == reflect.TypeFor[system.Why]() {
				return // documented with run
			}
			for i := range x.NumField() {
				name, _, _ := strings.Cut(x.Field(i).Tag.Get("json"), ",")
				if name == "" || name == "-" {
					continue
				}
				checked++
				told := regexp.MustCompile("(`|{|, )" + name + "[`},]").Match(doc) // in backticks, or in a list in braces
				expect.That(t, told, "field %s of %s is not documented", name, x.Name())
				walk(x.Field(i).Type)
			}
		}
	}
	walk(reflect.TypeFor[model.Result]())
	expect.That(t, checked >= 60, "only %d fields were checked", checked)
}

// Four nodes multiply matrices of order 40 on a network of 1 MB/s: 32 us of computation, and 12.8 kB for each
// matrix, which take milliseconds.
func TestLowEfficiencyIsExplained(t *testing.T) {
	text := strings.Replace(strings.Replace(buytest.Ideal, "model: ideal\n", "", 1), "bandwidth: 1 GB/s",
		"bandwidth: 1 MB/s", 1)
	low := func(r Answer) (all []string) {
		for _, w := range r.Warnings {
			if strings.Contains(w, "of the marked speed") {
				all = append(all, w)
			}
		}
		return all
	}
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), "workloads[0].run.n=40"))
	got := low(r)
	expect.That(t, len(got) == 1 && strings.HasPrefix(got[0], "below 5 % of the marked speed of 4 a, x run: w at ") &&
		strings.HasSuffix(got[0], " %, limited by link bandwidth"), "%q", got)
	expect.List(t, low(solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Ideal)))), nil, "explanations of an efficiency of 1")
}

// A problem of three matrices of 240^2 numbers, 1.38 MB on process 0, does not fit into 1 MB. The summary names the
// design once, by its first machine.
func TestExcludedDesignsAreNamed(t *testing.T) {
	text := strings.Replace(buytest.Ideal, "nodes: {a:", "nodes: {tiny: {cores: 1, marked_speed: 1 Gflop/s, memory: 1 MB, power: 100 W, price: 900 EUR}, a:", 1)
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), "counts=[2, 3, 4, 5]"))
	expect.Need(t, len(r.ExcludedBy) == 3, "%+v, want tiny for memory, and a and tiny for the budget", r.ExcludedBy)
	// In both designs 5 nodes for 5000 EUR exceed 4000 EUR.
	words := r.ExcludedInWords()
	for i, want := range []string{
		"none ranked of tiny, x (1 machine): 1 of 4 numbers of nodes exceed the budget",
		"none ranked of tiny, x (3 machines), such as 2 tiny, x: w: the data of node tiny-1 (tiny) need",
		"a, x (1 machine): 1 of 4 numbers of nodes exceed the budget",
	} {
		expect.That(t, len(words) == 3 && strings.HasPrefix(words[i], want), "%q, want %q", words, want)
	}
	found := false
	for _, x := range r.ExcludedBy {
		if x.Design == "tiny, x" && x.Cause == "w" {
			found = x.Machines == 3 && x.Name == "2 tiny, x" && !x.Ranked
		}
		expect.That(t, x.Design != "a, x" || (x.Ranked && x.Machines == 1), "%+v", x)
	}
	expect.That(t, found, "%+v", r.ExcludedBy)
}

// Designs that are excluded for the same reason share a line, which names all of them.
func TestDesignsExcludedForOneReasonShareALine(t *testing.T) {
	text := strings.NewReplacer("NODES", "1, partition: fast", "nodes: {a:", "nodes: {b: {cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 900 EUR}, c: {cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 900 EUR, partition: fast}, a:", "counts: [4]", "counts: [4, 5]").Replace(buytest.Jobs)
	words := solve(t, buytest.Read(t, buytest.PlanFile(t, text))).ExcludedInWords()
	expect.List(t, words, []string{"none ranked of b, x (2 machines); a, x (2 machines), such as 4 b, x: w: no nodes of partition fast"}, "excluded")
}

// A single node takes no network: it is one machine, listed with the first network. If a design's only machine within
// the limits is such a node, the summary names the others, too.
func TestDesignsOfASingleNodeAreNamed(t *testing.T) {
	text := strings.Replace(buytest.Ideal, "networks: {x:", "networks: {y: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 10 EUR, switch: {price: 0 EUR, ports: 64}}, x:", 1)
	const single = ": 1 a takes no network and is listed with y; "
	for _, c := range []struct{ counts, money, want string }{
		{"affordable", "1500 EUR", "none ranked of a, x (1 machine)" + single + "2 a, x: price 2 000 EUR exceeds 1 500 EUR"},
		{"[1, 3, 4]", "1500 EUR", "none ranked of a, x (2 machines)" + single + "3 a, x: price 3 000 EUR exceeds 1 500 EUR"},
		{"[1]", "4000 EUR", "none ranked of a, x (1 machine)" + single + "2 a, x: not in counts"},
		{"[1, 2]", "4000 EUR", ""},
	} {
		r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), "counts="+c.counts, "budget.money="+c.money))
		words := strings.Join(r.ExcludedInWords(), "\n")
		expect.That(t, (c.want != "" || words == "") && strings.Contains(words, c.want),
			"counts %s, %s: %q lacks %q", c.counts, c.money, words, c.want)
	}
}

// named is an application that states more work than it does, so that a time derived from its work does not bound a
// run.
const named = `
application: NAME
title: one step of a code of one's own
parameters: {flop: {value: 40 Gflop, meaning: work}}
work: flop
memory: 1 MB
program:
  - compute: {flop: flop / p / 8}
  - alltoall: {size: "1e6 / p"}
`

// The name of an application affects neither what is simulated nor what is recommended or warned of, even if an
// algorithm of the catalogue has that name.
func TestNameOfAnApplicationDoesNotMatter(t *testing.T) {
	text := strings.Replace(buytest.Site, "run: {name: floyd, n: 100, sustained: 0.5}",
		"run: {application: own.yaml}", 1)
	answer := func(name string) string {
		file := buytest.PlanFile(t, text, "own.yaml", strings.Replace(named, "NAME", name, 1))
		r := solve(t, buytest.Read(t, file, "robustness.samples=20"))
		expect.Need(t, len(r.Ranking) >= 5 && r.Provenance.Simulations != 0,
			"%d machines, %d simulations", len(r.Ranking), r.Provenance.Simulations)
		r.Provenance.WallSeconds, r.Provenance.Inputs, r.Provenance.Overrides = 0, nil, nil
		b := expect.Value(json.MarshalIndent(r, "", " "))(t)
		return strings.ReplaceAll(string(b), "application "+name, "the application") // where a text names it
	}
	want := answer("own-code")
	for _, name := range []string{"gauss", "stencil3d", "matmul", "convolution", "lcs"}[:expect.Often(1, 5)] {
		expect.Same(t, answer(name), want, "an application called %s has another answer", name)
	}
}

// The facts at the top of the report answer a committee's questions, whatever the plan asks. Values are those of the
// result.
func TestFactsAnswerACommittee(t *testing.T) {
	expect.Long(t, "answers many plans")
	questions := []string{"What to buy?", "Why?", "What else?", "How sure?", "What limits it?", "What does it cost?",
		"How much power?", "What next year?"}
	for _, x := range []struct {
		name string
		set  []string
		want map[string]string // part of the answer
	}{
		{"throughput", nil, nil},
		{"cheapest", []string{"objective=cheapest"}, map[string]string{"Why?": "the cheapest that carries the mix"}},
		{"ranges", []string{"ranges={samples: 100}"}, map[string]string{"How sure?": "of 100 cases within the ranges"}},
		{"no trials", []string{"robustness={samples: 0}"}, map[string]string{"How sure?": "cases with one figure changed by 10 % have this design first"}},
		{"one design", []string{"mixes=[]", "nodes={fat: {cores: 16, marked_speed: 40 Gflop/s, power: 400 W, price: 4000 EUR}}", "networks={slow: {latency: 20 us, bandwidth: 1 GB/s, price_per_port: 50 EUR, switch: {price: 900 EUR, ports: 48}}}"},
			map[string]string{"What else?": "no other design", "How sure?": "not tested"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Site), x.set...))
			answers := map[string]string{}
			for i, f := range r.facts() {
				expect.That(t, f.Label == questions[i] && f.Value != "",
					"question %d: %+v, want an answer to %s", i, f, questions[i])
				answers[f.Label] = f.Value + "; " + f.Note
			}
			c := r.Recommendation()
			for question, part := range map[string]string{
				"What to buy?":       c.Name + "; price " + r.Plan.Money(c.Price),
				"What else?":         r.RunnerUp,
				"What does it cost?": r.Plan.Money(c.Annuity) + " a year",
			} {
				expect.Says(t, answers[question], part)
			}
			for question, part := range x.want {
				expect.Says(t, answers[question], part)
			}
		})
	}
}

// The mean of few long waits among many short ones is explained.
func TestFewWaitLong(t *testing.T) {
	expect.Says(t, fewWaitLong(&model.WaitResult{Mean: new(31.0), P95: new(3.8), Above: new(0.02), Most: new(1200.0), Jobs: 1000}), "2 % of the jobs wait longer", "20.0 min")
	for _, w := range []*model.WaitResult{{Reason: "the queue grows"},
		{Mean: new(31.0), P95: new(120.0), Above: new(0.3), Most: new(1200.0)}} {
		expect.Equal(t, fewWaitLong(w), "", "%+v", w)
	}
}

// Every paragraph of report.txt appears in some report, and every one that the code names exists.
func TestParagraphsOfReports(t *testing.T) {
	named := map[string]bool{}
	files, err := filepath.Glob("*.go")
	expect.Need(t, err == nil && len(files) >= 5, "%v, %v", files, err)
	for _, file := range files {
		code := expect.Value(os.ReadFile(file))(t)
		for _, m := range regexp.MustCompile(`\b(table|text)\("([a-z ]*[a-z])"|jobs :?= "([a-z ]+)"`).FindAllSubmatch(code, -1) {
			named[strings.TrimPrefix(strings.TrimPrefix(string(m[1])+" ", "text ")+string(m[2])+string(m[3]), " ")] = true
		}
	}
	for key := range paragraphs {
		expect.That(t, named[key], "no report has %q", key)
	}
	for key := range named {
		expect.That(t, paragraphs[key] != "", "report.txt has no %q", key)
	}
}

// wired is a plan of nodes with one network card on switches of 4 ports; a leaf has 2 of them for nodes and 2 upwards.
const wired = `budget: {money: 100000 EUR}
nodes: {a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}}
networks: {x: {latency: 1 us, hop_latency: 1 us, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 10 EUR, ports: 4}}}
counts: [4]
robustness: {samples: 0}
workloads: [{name: w, weight: 1, run: {name: matmul, n: 240}}]
`

// Five nodes take 3 leaves with 6 cables to 2 spines. Nine take 5 leaves, more than a spine has ports: their 10
// cables lead to 5 spines, and 10 more from there to ceil(10/4) = 3 switches. Cables without a price are warned of.
func TestCablesAreBilledByLayer(t *testing.T) {
	const lower, upper = "cable between leaf switches and spines", "cable between spines and the switches above"
	for _, c := range []struct {
		nodes, price string
		rows         [][]string
		warning      string
	}{
		{"4", "7 EUR", nil, ""},
		{"5", "7 EUR", [][]string{{lower, "6", "42"}}, ""},
		{"9", "7 EUR", [][]string{{lower, "10", "70"}, {upper, "10", "70"}}, ""},
		{"9", "0 EUR", [][]string{{lower, "10", "0"}, {upper, "10", "0"}},
			"the 20 cables between the switches of x have no price: see price_per_cable"},
	} {
		r := solve(t, buytest.Read(t, buytest.PlanFile(t, wired), "counts=["+c.nodes+"]", "networks.x.price_per_cable="+c.price))
		var rows [][]string
		for _, row := range r.billTable().Rows {
			if strings.HasPrefix(row[0], "cable") {
				rows = append(rows, row)
			}
		}
		expect.Same(t, rows, c.rows, "%s nodes", c.nodes)
		warnings := strings.Join(r.Warnings, "\n")
		expect.That(t, strings.Contains(warnings, c.warning) && (c.warning != "" || !strings.Contains(warnings, "have no price")),
			"%s nodes: %s", c.nodes, warnings)
	}
}

// Two workloads run on two types of devices; one does not state what it sustains, which is warned of for each type.
func TestMarkedSpeedOfDevicesIsAssumed(t *testing.T) {
	text := strings.Replace(wired, "nodes: {a: {cores: 1, marked_speed: 1 Gflop/s,", "nodes: {b: {devices: {count: 1, speed: {fp64: 2 Tflop/s}}, power: 100 W, price: 900 EUR}, a: {devices: {count: 1, speed: {fp64: 1 Tflop/s}},", 1) +
		"- {name: v, weight: 1, run: {name: floyd, n: 100, sustained: 1}}\n"
	text = strings.Replace(text, "workloads: [{name: w, weight: 1, run: {name: matmul, n: 240}}]", "workloads:\n- {name: w, weight: 1, run: {name: matmul, n: 240}}", 1)
	var assumed []string
	for _, w := range solve(t, buytest.Read(t, buytest.PlanFile(t, text))).Warnings {
		if of, rest, found := strings.Cut(w, " assumes that it reaches the marked speed of the devices of "); found {
			assumed = append(assumed, of+" "+rest[:strings.Index(rest, ":")])
		}
	}
	expect.List(t, assumed, []string{"the time of matmul a, 1 Tflop/s at fp64", "the time of matmul b, 2 Tflop/s at fp64"},
		"what is assumed")
}

// The answer names the bid to buy, with its price instead of those of its parts.
func TestBidIsNamed(t *testing.T) {
	text := buytest.SmallText(t) + "bids: [{vendor: alpha, name: large, nodes: {fat: 7}, network: fast, price: 15000 EUR, options: [{name: thin ones, price: 900 EUR, adds: {thin: 1}}]}]\n"
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), buytest.Quarter...))
	expect.Equal(t, r.Recommended, "7 fat, fast, bid large of alpha", "recommended")
	expect.Equal(t, r.InOneLine(), "Buy the bid large of alpha: 7 fat, connected by fast, for 15 000 EUR.", "in one line")
	var rows []string
	for _, row := range r.billTable().Rows {
		rows = append(rows, strings.Join(row, " | "))
	}
	expect.List(t, rows, []string{"bid large of alpha | 1 | 15 000", "node fat | 7 | in the bid", "network fast |  | in the bid", "total |  | 15 000"}, "bill")
}

// Runs that the recommended machine cannot do are stated with what they count as, and are to be checked.
func TestImpossibleIsSaid(t *testing.T) {
	text := strings.NewReplacer("runs_per_year: 5000,", "runs_per_year: 5000, nodes: 1, if_impossible: 1 ms, memory_per_node: 60 GB,", "runs_per_year: 20000,", "runs_per_year: 20000, nodes: 1,").Replace(buytest.SmallText(t))
	for nodes, said := range map[string]bool{"fat": false, "thin": true} { // of 64 and 16 GB
		other := map[string]string{"fat": "thin", "thin": "fat"}[nodes]
		r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), append(buytest.Quarter, "nodes."+other+".for_sale=false")...))
		sentence := "Runs of paths, which it cannot do, count as 1 ms each."
		expect.Equal(t, strings.Contains(strings.Join(r.Summary(), " "), sentence), said, "%s: summary %q", nodes, r.Summary())
		expect.Equal(t, strings.Contains(r.whyFact().Note, "; runs of paths, which it cannot do, count as 1 ms each"), said, "%s: %q", nodes, r.whyFact().Note)
		check := "paths: it cannot run (no nodes with 60 GB of memory), and each run counts as 1 ms of the whole machine, as the plan says"
		expect.Equal(t, strings.Contains(strings.Join(r.Warnings, "; "), check), said, "%s: %q", nodes, r.Warnings)
	}
}

// A bid that does as much as the recommended machine is first if it costs less; one that does less never is.
func TestPriceOfABidToWin(t *testing.T) {
	for nodes, want := range map[string]string{
		"3": "3 thin, fast, bid of q for 8 000 EUR does as much within the tolerance; it is first if its price falls by more than 37.5 %.",
		"2": "No break-even price is known for bid of q: its numbers of nodes are those of a bid: a lower price buys no more of them.",
	} {
		text := buytest.SmallText(t) + "bids: [{vendor: p, nodes: {thin: 3}, network: fast, price: 5000 EUR}, {vendor: q, nodes: {thin: " + nodes + "}, network: fast, price: 8000 EUR}]\n"
		r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), append(buytest.Quarter, "nodes.fat.for_sale=false", "nodes.thin.for_sale=false")...))
		expect.Equal(t, r.Recommended, "3 thin, fast, bid of p", "recommended")
		expect.Says(t, strings.Join(r.robustInWords(), " "), want)
	}
	// p's yearly costs count if the budget covers the years: 6000 EUR in five of them.
	text := buytest.SmallText(t) + "bids: [{vendor: p, nodes: {thin: 3}, network: fast, price: 5000 EUR, yearly: 200 EUR}, {vendor: q, nodes: {thin: 3}, network: fast, price: 8000 EUR}]\n"
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), append(buytest.Quarter, "nodes.fat.for_sale=false", "nodes.thin.for_sale=false",
		"budget.covers=life", "energy.years=5", "costs={}")...))
	expect.Says(t, strings.Join(r.robustInWords(), " "), "if its price falls by more than 25.0 %.")
}

// Of 45 designs with a node type each, tables list the best 40 and 20, and say so.
func TestLongTablesSayHowManyAreLeftOut(t *testing.T) {
	types := ""
	for i := range 44 {
		types += fmt.Sprintf("n%d: {cores: 1, marked_speed: %d Mflop/s, power: 100 W, price: 900 EUR}, ", i, 500+i)
	}
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, strings.Replace(buytest.Ideal, "nodes: {a:", "nodes: {"+types+"a:", 1)), "energy.price_per_kwh=0.1 EUR"))
	machines := r.machines()
	expect.Equal(t, len(machines.Ranking.Listed), 40, "machines")
	expect.That(t, strings.HasSuffix(machines.Caption, " Only the first 40 of 45 designs are listed."), "%s", machines.Caption)
	costs := r.costTable()
	expect.Equal(t, len(costs.Rows), 20, "costs")
	expect.That(t, costs.Rows[0][0] == "4 a, x" && strings.HasSuffix(costs.Caption, " Only the 20 fastest designs are listed."), "%s: %s", costs.Rows[0][0], costs.Caption)
}

package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/internal/expect"
)

func read(t testing.TB, text string) *Plan {
	t.Helper()
	return expect.Value(Read(expect.File(t, "plan.yaml", text), nil))(t)
}

// create makes a directory of a plan.
func create(t testing.TB, text string, shards int) *Study {
	t.Helper()
	return expect.Value(read(t, text).Create(filepath.Join(t.TempDir(), "out"), shards))(t)
}

// ran carries a plan out.
func ran(t testing.TB, text string, jobs int) *Study {
	t.Helper()
	s := create(t, text, 0)
	run(t, s, jobs)
	return s
}

func TestBadPlans(t *testing.T) {
	const super = "scenario: {workload: super-program, log2_levels: [0, 0], tasks: [4, 4], imbalance: [1, 1]}\n"
	form := schematest.Of(t, Type)
	for _, tt := range []struct{ name, text, want string }{
		{"no factors", super, `plan.yaml:1:1: missing key "factors"`},
		{"empty factors", super + "factors: {}\n", "plan.yaml:2:10: factors: there are no factors"},
		{"empty factor", super + "factors:\n  r1: {path: 'log2_levels[0]', values: []}\n", "plan.yaml:3:"},
		{"no scenario", "factors: {a: [1, 2]}\n", `plan.yaml:1:1: missing key "scenario"`},
		{"unknown key", super + "factors: {method: [formula]}\nfactor: 3\n", `plan.yaml:3:1: unknown key "factor"`},
		{"label of nothing", super + "factors: {method: [formula]}\nlabels: {metod: how}\n", `plan.yaml:3:17: labels.metod: no factor or outcome is called "metod"; expected one of method, nodes, `},
		{"empty label", super + "factors: {method: [formula]}\nlabels: {method: ''}\n", "plan.yaml:3:18: labels.method: the label is empty; expected a few words"},
		{"label that is no text", super + "factors: {method: [formula]}\nlabels: {method: [a]}\n", "plan.yaml:3:18: labels.method: found a sequence; expected a label"},
		{"two equal labels", super + "factors: {method: [formula]}\nlabels: {method: how, nodes: how}\n", `plan.yaml:3:30: labels.nodes: method has the label "how" too; expected every label once`},
		{"unknown field", super + "factors:\n  colour: [1, 2]\n", `plan.yaml:3:12: unknown key "colour"`},
		{"unknown field in an inner mapping", strings.Replace(sweeptest.Gauss, "nodes.blade", "nodes.blad", 1), `plan.yaml:8:11: nodes: unknown key "blad"`},
		{"a number that a factor replaces", strings.Replace(sweeptest.Gauss, "n: 100", "n: abc", 1), `plan.yaml:5:30: workload.n: found the text "abc"; expected a problem size, a whole number above 0`},
		{"a mapping that a factor changes", strings.Replace(sweeptest.Gauss, "{server: 1, blade: 1}", "", 1), `plan.yaml:3:3: nodes: found no value; expected `},
		{"a network that factors change", strings.Replace(sweeptest.Gauss, "network: hockney", "network: {name: hockney, latency: 5 m}", 1), `plan.yaml:4:37: network.latency: `},
		{"a speed in a machine that a factor replaces", "scenario: {machine: {node_types: {a: {marked_speed: fast}}, nodes: [{type: a, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}, network: hockney, workload: {name: gauss, n: 9}}\n" +
			"factors: {s: {path: machine.node_types.a.marked_speed, values: [1 Gflop/s]}}\n", `plan.yaml:1:53: machine.node_types.a.marked_speed: `},
		{"a level that is too large", super + "factors:\n  r1: {path: 'log2_levels[0]', values: [1, 30]}\n", "plan.yaml:3:44: factors.r1.values[1]: r1 = 30 is invalid (1 point tried): log2_levels[0]: 30 is more than 26"},
		{"an element that is not there", super + "factors:\n  r3: {path: 'log2_levels[2]', values: [1, 2]}\n", "plan.yaml:3:41: log2_levels: there is no element 2; expected an index below 2"},
		{"contradictory conditions", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 9}\nexclude: [r1 > 4, r1 <= 4]\n", "plan.yaml:4:"},
		{"overflow", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 999999}\n  r2: {path: 'log2_levels[1]', from: 0, to: 999999}\n  time: {from: 1, to: 999999}\n", "1000000 x 1000000 x 999999 = 999999000000000000"},
		{"wrong kind of scenario", "scenario: {factors: {}}\nfactors: {a: [1]}\n", "plan.yaml:1:11: "},
		{"a scenario", "machine: sunwulf\nnetwork: hockney\n", "plan.yaml:1:1: this is a scenario; expected a sweep plan; 'isoscale run' takes this file"},
		{"unknown outcome", super + "factors: {method: [formula]}\nobjective: {maximize: joy}\n", `plan.yaml:3:23: objective.maximize: unknown outcome "joy"`},
		{"outcome not asked for", "scenario: {machine: sunwulf, network: ideal, workload: {name: gauss, n: 50}}\nfactors: {nodes.blade: [1]}\nobjective: {maximize: speedup}\n",
			`plan.yaml:3:23: objective.maximize: unknown outcome "speedup", for which the plan does not ask; expected speedup: true in the plan`},
		{"unknown cost", super + "factors: {method: [formula]}\nobjective: {maximize: speedup, cost: joy}\n", `plan.yaml:3:38: objective.cost: unknown outcome or numeric factor "joy"`},
		{"both ways", super + "factors: {method: [formula]}\nobjective: {maximize: speedup, minimize: time}\n", "expected one of them"},
		{"a search without points", super + "factors: {method: [formula, dispatch]}\nsearch: {start: 2}\n", `plan.yaml:3:9: search: missing key "points"`},
		{"a search of too many", super + "factors: {method: [formula, dispatch]}\nsearch: {points: 3}\n", "plan.yaml:3:18: search.points: a search of 3 points, but the design has 2 configurations; expected at most 2"},
		{"a long start", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 9}\nsearch: {points: 5, start: 6}\n", "plan.yaml:4:28: search.start: a start of 6 of 5 points; expected at most 5"},
		{"a search among too many", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 9}\n  time: {from: 1, to: 3000}\nsearch: {points: 5}\n", "plan.yaml:5:9: search: a search among 30000 configurations; expected at most 20000"},
		{"an unknown criterion", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 9}\nsearch: {points: 5, criterion: luck}\n", `plan.yaml:4:32: search.criterion: unknown criterion "luck"`},
		{"an empty batch", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 9}\nsearch: {points: 5, batch: 0}\n", "plan.yaml:4:28: search.batch: 0"},
		{"a factor with the name of a column", super + "factors:\n  candidate: {path: 'log2_levels[0]', from: 0, to: 9}\nsearch: {points: 5}\n", "plan.yaml:3:14: factors.candidate: candidate is the column"},
		{"missing file", "scenario: nowhere.yaml\nfactors: {a: [1]}\n", "nowhere.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(expect.File(t, "plan.yaml", tt.text), nil)
			expect.Failure(t, err, tt.want)
			expect.That(t, err == nil || input.IsError(err), "not an input error")
			if tt.name == "unknown field" {
				return // the schema does not know what a factor may set
			}
			expect.Success(t, form.AgreeText(tt.text, err))
		})
	}
}

// A level that is wrong only together with another is a warning.
func TestPlanWarns(t *testing.T) {
	text := strings.Replace(sweeptest.Gauss, "powers_of_two: {from: 1, to: 8}", "values: [1, 4]", 1)
	text = strings.Replace(text, "nodes: {server: 1, blade: 1}", "nodes: {server: 0, blade: 1}\n  placement: {server: 1}", 1) +
		"  servers: {path: nodes.server, values: [0, 1]}\n  cores: {path: placement.blade, values: [1, 2]}\n"
	p, err := Read(expect.File(t, "plan.yaml", text), nil)
	expect.That(t, err != nil && strings.Contains(err.Error(), "cores = 2 is invalid ("),
		"a level that is always wrong gives %v, %v", p, err)
	text = `scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [2, 4]}
  tasks: {path: "tasks[0]", values: [4, n1 - 2]}
`
	p = read(t, text)
	expect.That(t, len(p.Warnings) == 1 && strings.Contains(p.Warnings[0], "1 of 4 checked points are invalid") && strings.Contains(p.Warnings[0], "n = 2, tasks = n1 - 2"),
		"warnings %q", p.Warnings)
}

func TestSeedThatTheScenarioHas(t *testing.T) {
	p, err := Read(expect.File(t, "plan.yaml", `scenario: {machine: sunwulf, nodes: {blade: 2}, network: ideal, workload: {name: gauss, n: 20}, seed: 7}
repetitions: 2
factors: {workload.n: [20, 30]}
`), nil)
	expect.Success(t, err)
	expect.That(t, len(p.Warnings) == 1 && strings.Contains(p.Warnings[0], "all repetitions are identical"),
		"warnings %q", p.Warnings)
	s := expect.Value(p.Create(filepath.Join(t.TempDir(), "out"), 0))(t)
	run(t, s, 1)
	expect.Equal(t, strings.Join(cells(t, s, "seed"), " "), "7 7 7 7", "seeds")
}

// A factor for a whole mapping and one for a field in it work in either order.
func TestFactorWithinAnother(t *testing.T) {
	const base = `scenario: {machine: sunwulf, nodes: {blade: 4}, network: hockney, workload: {name: gauss, n: 60}}
factors:
`
	const inner = "  latency: {path: network.latency, values: [10 us, 100 ms]}\n"
	const outer = "  net: {path: network, values: [{name: hockney, send_overhead: 0 s}, {name: hockney, send_overhead: 1 ms}], labels: [a, b]}\n"
	times := map[string]string{}
	for i, text := range []string{base + inner + outer, base + outer + inner} {
		s := ran(t, text, 1)
		latency, net, time := cells(t, s, "latency"), cells(t, s, "net"), cells(t, s, "time")
		for k := range time {
			key := latency[k] + net[k]
			if i == 0 {
				times[key] = time[k]
			} else if times[key] != time[k] {
				t.Errorf("%s takes %s in one order and %s in the other", key, times[key], time[k])
			}
		}
	}
	expect.That(t, len(times) == 4 && times["10a"] != times["100000a"] && times["10a"] != times["10b"],
		"times %v: the factors have no effect", times)
}

// In a plan of many points every level is tried, also where its period divides the
// distance of the points that are looked at.
func TestEveryLevelIsTried(t *testing.T) {
	const plan = `scenario: {machine: a.yaml, network: hockney, workload: {name: matmul, n: 10}}
factors:
  n: {path: workload.n, from: 3, to: 202}
  latency: {path: network.latency, linear: {from: 1 us, to: 100 us, count: 100}}
  machine: [a.yaml, b.yaml]
`
	const machine = "node_types: {a: {marked_speed: 1 Gflop/s}}\nnodes: [{type: a, count: 2}]\nnetwork: {latency: 20 us, bandwidth: 1 Gbit/s}\n"
	dir := t.TempDir()
	write := func(name, text string) {
		expect.Success(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("plan.yaml", plan)
	write("a.yaml", machine)
	expect.Refusal(Read(filepath.Join(dir, "plan.yaml"), nil))(t, "b.yaml")
	write("b.yaml", machine)
	p := expect.Value(Read(filepath.Join(dir, "plan.yaml"), nil))(t)
	expect.Equal(t, len(p.Template.Documents()), 2, "machine files are kept")
}

// A level that is wrong with some levels of another factor is a warning, however
// many of those come first.
func TestLevelThatNeedsAnother(t *testing.T) {
	for _, factors := range []string{
		"  tasks: {path: 'tasks[0]', values: ['8', '8*(n1-3)']}\n  n: {path: 'levels[0]', from: 1, to: 10}\n",
		"  n: {path: 'levels[0]', from: 1, to: 10}\n  tasks: {path: 'tasks[0]', values: ['8', '8*(n1-3)']}\n",
	} {
		p := read(t, "scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}\nfactors:\n"+factors)
		expect.That(t, len(p.Warnings) == 1, "warnings %q", p.Warnings)
	}
}

// Six points have n1 n2 processes and cost 50 n1 + 10 n1 n2, by hand; columns may use
// outcomes and columns before them.
func TestDerived(t *testing.T) {
	s := ran(t, sweeptest.Derived, 2)
	table := expect.Value(s.Table())(t)
	value := func(row int, name string) float64 {
		i := expect.Value(table.ResponseIndex(name))(t)
		return table.Rows[row].Values[i]
	}
	for row, want := range []struct{ processes, cost, n2 float64 }{{1, 60, 1}, {3, 80, 3}, {2, 120, 1}, {6, 160, 3}, {4, 240, 1}, {12, 320, 3}} {
		expect.Equal(t, value(row, "processes"), want.processes, "row %d: processes", row)
		expect.Equal(t, value(row, "cost"), want.cost, "row %d: cost", row)
		expect.Close(t, value(row, "per_cost"), value(row, "achieved_speed")/want.cost, 1e-15, "row %d: speed per cost", row)
		expect.Equal(t, value(row, "both"), 2*want.cost+want.n2, "row %d: both", row)
	}
	expect.That(t, len(table.Factors) == 2, "%d factors, want n1 and n2 alone", len(table.Factors))
	expect.Value(expect.Value(Open(s.Dir.Path()))(t).Table())(t)
}

// The unit of a quotient is that of what is divided by that of what it is divided by; other expressions have none.
func TestUnitsOfQuotients(t *testing.T) {
	s := create(t, strings.Replace(sweeptest.Derived, `"50*n1 + 10*n1*n2"`, `{formula: "50*n1 + 10*n1*n2", unit: EUR}`, 1), 0)
	for name, want := range map[string]string{
		"time": "s", "achieved_speed/cost": "flop/s/EUR", "time / processes": "s", "time/n1": "s", "n1/time": "", "time*cost": "",
		"time/n1/cost": "", "time/2": "", "2*time/cost": "",
	} {
		expect.Equal(t, s.Column(name).Unit, want, "%s", name)
	}
}

// What the schema does not know of a plan.
func TestBadValues(t *testing.T) {
	const probed = "scenario: {workload: super-program, levels: [1], tasks: [8], method: dispatch}\n" +
		"factors: {n: {path: 'levels[0]', values: [1, 2]}}\nprobes: "
	derived := func(old, changed string) string { return strings.Replace(sweeptest.Derived, old, changed, 1) }
	// Quotes may double a level in CSV, and a row has at most 64 KiB.
	long := "scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}\n" +
		"factors: {f: {path: title, values: [x], labels: ['" + strings.Repeat(strings.Repeat("y", 1000)+"\n  ", 40) + "']}}"
	for _, tt := range []struct{ text, want string }{
		{sweeptest.Methods + "compare: {factor: network}", "unknown factor with several levels"},
		{sweeptest.Methods + "compare: {factor: n, levels: [1, 5]}", "unknown level of n"},
		{sweeptest.Methods + "compare: {factor: n, levels: [1]}", "1 levels; expected two levels of the factor"},
		{sweeptest.Methods + "compare: {factor: n, levels: [2, 2]}", "2 is compared with itself"},
		{sweeptest.Methods + "compare: {factor: n, by: quotient}", "unknown way to compare"},
		{sweeptest.Methods + "compare: {levels: [1, 2]}", `missing key "factor"`},
		{sweeptest.Methods + "compare: {factor: method, levels: [formula, dispatch], x: 1}", `unknown key "x"`},
		{sweeptest.Costs + "objective: {maximize: speedup/price}", `plan.yaml:6:23: objective.maximize: "speedup/price": unknown name price`},
		{sweeptest.Costs + "objective: {maximize: speedup/, size: n}", `plan.yaml:6:23: objective.maximize: "speedup/"`},
		{sweeptest.Costs + "objective: {minimize: tim}", `plan.yaml:6:23: objective.minimize: unknown outcome "tim"`},
		{sweeptest.Costs + "objective: {size: nodes*n3}", `plan.yaml:6:19: objective.size: "nodes*n3": unknown name n3`},
		{strings.Replace(sweeptest.Costs, "formula: ", "formulas: ", 1), `unknown key "formulas"`},
		{derived("cost: \"50*n1 + 10*n1*n2\"", "cost: 50*n3"), `"50*n3": unknown name n3 (at character 4); expected one of achieved_speed, bytes`},
		{derived("n1*n2, cost", "time, cost"), `"time": unknown name time (at character 1); expected one of n1, n2`},
		{derived("both: ", "time: "), "time is the name of another column"},
		{derived("both: ", "n1: "), "n1 is set by a factor"},
		{derived("n1*n2, cost", "n1/2, cost"), "machine.nodes[0].count: found the number 0.5"},
		{derived("both: 2*cost + n2", "both: [1, 2]"), "found no formula"},
		{probed + "{a b: {time: 2 s}}", `"a b" is not a name for a probe`},
		{probed + "{a: {}}", "probe a changes nothing"},
		{probed + "{a: 3}", "expected changes of the scenario by name"},
		{probed + "{a: {'levels[0]': 2}}", "levels[0] is set by factor n"},
		{probed + "{a: {tim: 2 s}}", "tim"},
		{probed + "{a: {time: 2 m}}", "time"},
		{long, "the longest levels of all factors need rows of up to"},
	} {
		expect.Refusal(Read(expect.File(t, "plan.yaml", tt.text+"\n"), nil))(t, tt.want)
	}
}

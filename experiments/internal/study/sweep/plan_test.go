package sweep

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// create makes a directory of a plan.
func create(t testing.TB, text string, shards int) *Study {
	t.Helper()
	p, err := Read(sweeptest.File(t, text), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Create(filepath.Join(t.TempDir(), "out"), shards)
	if err != nil {
		t.Fatal(err)
	}
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
		{"a level that is too large", super + "factors:\n  r1: {path: 'log2_levels[0]', values: [1, 30]}\n", "plan.yaml:3:44: factors.r1.values[1]: r1 = 30 is invalid (1 point tried): log2_levels[0]: 30 is more than 26"},
		{"an element that is not there", super + "factors:\n  r3: {path: 'log2_levels[2]', values: [1, 2]}\n", "plan.yaml:3:41: log2_levels: there is no element 2; expected an index below 2"},
		{"contradictory conditions", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 9}\nexclude: [r1 > 4, r1 <= 4]\n", "plan.yaml:4:"},
		{"overflow", super + "factors:\n  r1: {path: 'log2_levels[0]', from: 0, to: 999999}\n  r2: {path: 'log2_levels[1]', from: 0, to: 999999}\n  time: {from: 1, to: 999999}\n", "1000000 x 1000000 x 999999 = 999999000000000000"},
		{"wrong kind of scenario", "scenario: {factors: {}}\nfactors: {a: [1]}\n", "plan.yaml:1:11: "},
		{"a scenario", "machine: sunwulf\nnetwork: hockney\n", "plan.yaml:1:1: this is a scenario; expected a sweep plan; 'isoscale run' takes this file"},
		{"unknown outcome", super + "factors: {method: [formula]}\nobjective: {maximize: joy}\n", `plan.yaml:3:23: objective.maximize: unknown outcome "joy"`},
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
			_, err := Read(sweeptest.File(t, tt.text), nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if err != nil && !input.IsError(err) {
				t.Error("not an input error")
			}
			if tt.name == "unknown field" {
				return // the schema does not know what a factor may set
			}
			if err := form.AgreeText(tt.text, err); err != nil {
				t.Error(err)
			}
		})
	}
}

// A level that is wrong only together with another is a warning.
func TestPlanWarns(t *testing.T) {
	text := strings.Replace(sweeptest.Gauss, "powers_of_two: {from: 1, to: 8}", "values: [1, 4]", 1)
	text = strings.Replace(text, "nodes: {server: 1, blade: 1}", "nodes: {server: 0, blade: 1}\n  placement: {server: 1}", 1) +
		"  servers: {path: nodes.server, values: [0, 1]}\n  cores: {path: placement.blade, values: [1, 2]}\n"
	p, err := Read(sweeptest.File(t, text), nil)
	if err == nil || !strings.Contains(err.Error(), "cores = 2 is invalid (") {
		t.Errorf("a level that is always wrong gives %v, %v", p, err)
	}
	text = `scenario: {workload: super-program, levels: [1], tasks: [n1 - 2], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [2, 4]}
  tasks: {path: "tasks[0]", values: [4, n1 - 2]}
`
	if p, err = Read(sweeptest.File(t, text), nil); err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "1 of 4 checked points are invalid") || !strings.Contains(p.Warnings[0], "n = 2, tasks = n1 - 2") {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestSeedThatTheScenarioHas(t *testing.T) {
	p, err := Read(sweeptest.File(t, `scenario: {machine: sunwulf, nodes: {blade: 2}, network: ideal, workload: {name: gauss, n: 20}, seed: 7}
repetitions: 2
factors: {workload.n: [20, 30]}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "all repetitions are identical") {
		t.Errorf("warnings %q", p.Warnings)
	}
	s, err := p.Create(filepath.Join(t.TempDir(), "out"), 0)
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, 1)
	if got := strings.Join(cells(t, s, "seed"), " "); got != "7 7 7 7" {
		t.Errorf("seeds %s, want those that were used", got)
	}
}

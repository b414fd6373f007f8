package experiments_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/answer/iso"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

const (
	gaussStudy    = "../examples/sunwulf-ge.yaml"
	matMulStudy   = "../examples/sunwulf-mm.yaml"
	gaussScenario = "../examples/sunwulf-run.yaml"
)

func runFile(t *testing.T, overrides ...input.Override) *run.Result {
	t.Helper()
	s := expect.Value(scenario.Disk.Read(gaussScenario, overrides))(t)
	return expect.Value(run.Run(context.Background(), s, run.Options{Overrides: overrides}))(t)
}

func isoFile(t *testing.T, path string, overrides ...input.Override) *iso.Result {
	t.Helper()
	s := expect.Value(scenario.Disk.ReadStudy(path, overrides))(t)
	return expect.Value(iso.Run(context.Background(), s, overrides, nil))(t)
}

// repeatedStudy returns the changes to a study that tests run, some of them several
// times: a lower target, which smaller problems reach. Only ISOSCALE_LONG runs the whole
// study.
func repeatedStudy() []input.Override {
	if expect.IsLong() {
		return nil
	}
	return []input.Override{{Path: "target_efficiency", Value: "0.02"}}
}

func mustIso(t *testing.T, s *scenario.Study) *iso.Result {
	t.Helper()
	return expect.Value(iso.Run(context.Background(), s, nil, nil))(t)
}

// document is a result as a reader of the JSON sees it.
func document(t *testing.T, result any) map[string]any {
	t.Helper()
	data := expect.Value(json.Marshal(result))(t)
	var m map[string]any
	expect.Success(t, json.Unmarshal(data, &m))
	return m
}

// checkTypes checks that m has all the keys, each of the type of the value given.
func checkTypes(t *testing.T, what string, m map[string]any, want map[string]any) {
	t.Helper()
	for key, v := range want {
		got, ok := m[key]
		expect.That(t, ok && reflect.TypeOf(got) == reflect.TypeOf(v),
			"%s: %q is %T (present: %v), want %T", what, key, got, ok, v)
	}
}

// near allows for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

var (
	number   = 0.0
	text     = ""
	sequence = []any(nil)
	mapping  = map[string]any(nil)
)

var provenanceKeys = map[string]any{
	"version": text, "command": text, "inputs": sequence, "seed": number, "simulations": number, "events": number, "wall_s": number,
}

// Section 6.3 of the design, and what its numbers must satisfy among themselves.
func TestRunDocument(t *testing.T) {
	for _, overrides := range [][]input.Override{
		nil,
		{{Path: "network", Value: "ideal"}},
		{{Path: "network.eager_limit", Value: "1 kB"}, {Path: "network.send_overhead", Value: "10 us"}, {Path: "network.recv_overhead", Value: "20 us"}},
		{{Path: "workload.bcast", Value: "{base: 1 ms}"}, {Path: "workload.barrier", Value: "{per_process: 1 ms}"}, {Path: "workload.startup_per_process", Value: "10 ms"}},
		{{Path: "workload", Value: "{name: matmul, n: 100}"}},
		{{Path: "nodes", Value: "{blade: 1}"}},
	} {
		r := document(t, runFile(t, overrides...))
		checkTypes(t, "run", r, map[string]any{
			"makespan_s": number, "work_flop": number, "marked_speed_flops": number, "achieved_speed_flops": number,
			"speed_efficiency": number, "messages": number, "bytes": number, "ranks": sequence, "warnings": sequence, "provenance": mapping,
		})
		checkTypes(t, "provenance", r["provenance"].(map[string]any), provenanceKeys)
		if t.Failed() {
			t.FailNow()
		}
		makespan := r["makespan_s"].(float64)
		speed := r["work_flop"].(float64) / makespan
		expect.That(t, near(r["achieved_speed_flops"].(float64), speed) && near(r["speed_efficiency"].(float64), speed/r["marked_speed_flops"].(float64)),
			"%v: achieved speed or speed-efficiency do not follow from work, time and marked speed", overrides)
		// Two processes on the server, one on each of four blades, or only one.
		nodes := []string{"sunwulf", "sunwulf", "hpc-1", "hpc-2", "hpc-3", "hpc-4"}
		marked := 2*20.88e6 + 4*20.29e6
		if overrides != nil && overrides[0].Path == "nodes" {
			nodes, marked = []string{"hpc-1"}, 20.29e6
		}
		expect.That(t, near(r["marked_speed_flops"].(float64), marked),
			"%v: marked speed %v, want %v", overrides, r["marked_speed_flops"], marked)
		ranks := r["ranks"].([]any)
		expect.Need(t, len(ranks) == len(nodes), "%v: %d ranks, want %d", overrides, len(ranks), len(nodes))
		last := 0.0
		for i, x := range ranks {
			x := x.(map[string]any)
			checkTypes(t, "rank", x, map[string]any{"rank": number, "node": text, "finish_s": number, "compute_s": number, "overhead_s": number, "wait_s": number})
			if t.Failed() {
				t.FailNow()
			}
			finish, sum := x["finish_s"].(float64), 0.0
			for _, part := range []string{"compute_s", "overhead_s", "wait_s"} {
				v := x[part].(float64)
				expect.That(t, v >= 0, "%v: rank %d has %s of %v", overrides, i, part, v)
				sum += v
			}
			expect.That(t, math.Abs(sum-finish) <= 1e-9*makespan,
				"%v: the parts of rank %d add up to %v, and it finishes at %v", overrides, i, sum, finish)
			expect.That(t, x["rank"] == float64(i) && x["node"] == nodes[i],
				"%v: rank %v on %v, want %d on %s", overrides, x["rank"], x["node"], i, nodes[i])
			last = max(last, finish)
		}
		expect.That(t, last == makespan,
			"%v: the last rank finishes at %v, the makespan is %v", overrides, last, makespan)
		if p := r["provenance"].(map[string]any); len(overrides) > 0 {
			o := p["overrides"].([]any)[0].(map[string]any)
			expect.That(t, o["path"] == overrides[0].Path && o["value"] == overrides[0].Value,
				"overrides %v in the provenance, want %v", p["overrides"], overrides)
		}
	}
}

// Section 6.4 of the design, psi recomputed from the systems.
func TestIsoDocument(t *testing.T) {
	for _, path := range []string{gaussStudy, matMulStudy} {
		r := document(t, isoFile(t, path, repeatedStudy()...))
		checkTypes(t, "iso", r, map[string]any{"target_efficiency": number, "systems": sequence, "psi": sequence, "warnings": sequence, "provenance": mapping})
		checkTypes(t, "provenance", r["provenance"].(map[string]any), provenanceKeys)
		if t.Failed() {
			t.FailNow()
		}
		systems, psi := r["systems"].([]any), r["psi"].([]any)
		expect.Need(t, len(systems) == 5 && len(psi) == 4,
			"%s: %d systems and %d psi, want 5 and 4", path, len(systems), len(psi))
		for i, x := range systems {
			s := x.(map[string]any)
			checkTypes(t, "system", s, map[string]any{
				"name": text, "processes": number, "marked_speed_mflops": number, "n": number, "work_flop": number, "time_s": number, "speed_efficiency": number,
			})
			if t.Failed() {
				t.FailNow()
			}
			c, w, time := 1e6*s["marked_speed_mflops"].(float64), s["work_flop"].(float64), s["time_s"].(float64)
			e := s["speed_efficiency"].(float64)
			expect.That(t, near(e, w/(time*c)) && math.Abs(e-r["target_efficiency"].(float64)) <= 0.002,
				"%s: %v has speed-efficiency %v, W/(T C) = %v, target %v", path, s["name"], e, w/(time*c), r["target_efficiency"])
			expect.Close(t, s["compute_s"].(float64)+s["overhead_s"].(float64)+s["wait_s"].(float64), time, 1e-9, "%s: the parts of %v add up to", path, s["name"])
			if i == 0 {
				continue
			}
			before := systems[i-1].(map[string]any)
			p := psi[i-1].(map[string]any)
			checkTypes(t, "psi", p, map[string]any{"from": text, "to": text, "psi": number, "psi_predicted": number})
			want := c * before["work_flop"].(float64) / (1e6 * before["marked_speed_mflops"].(float64) * w)
			expect.That(t, near(p["psi"].(float64), want) && p["from"] == before["name"] && p["to"] == s["name"],
				"%s: psi is %v, want %v from %v to %v", path, p, want, before["name"], s["name"])
		}
	}
}

// The same inputs give the same bytes, except for the wall time, on any number of
// cores.
func TestResultsAreDeterministic(t *testing.T) {
	expect.Long(t, "simulates whole studies several times")
	results := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		single, study := runFile(t), isoFile(t, gaussStudy, repeatedStudy()...)
		single.Provenance.WallSeconds, study.Provenance.WallSeconds = 0, 0
		data := expect.Value(json.MarshalIndent([]any{single, study}, "", " "))(t)
		return string(data)
	}
	want := results(2)
	for _, cores := range []int{2, 1} {
		d := cmp.Diff(want, results(cores))
		expect.That(t, d == "", "with %d cores: first -, now +\n%s", cores, d)
	}
	// The comparison would notice a change.
	d := cmp.Diff(document(t, runFile(t)), document(t, runFile(t, input.Override{Path: "workload.n", Value: "501"})))
	expect.That(t, d != "", "another problem size gives the same document")
}

// Values to compare with never change a simulation: without them, or with others,
// systems and psi are the same except for these values.
func TestComparisonChangesNoSimulation(t *testing.T) {
	expect.Long(t, "simulates whole studies several times")
	data := expect.Value(os.ReadFile(gaussStudy))(t)
	plain, compare, found := strings.Cut(string(data), "\ncompare:\n")
	expect.Need(t, found && !strings.Contains(compare, "\nworkload") && !strings.Contains(compare, "\nsystems"),
		"compare is not the last part of the study")
	results := func(text string) ([]iso.System, []iso.Psi, []string) {
		path := expect.File(t, "study.yaml", text)
		r := isoFile(t, path, repeatedStudy()...)
		for i := range r.Systems {
			r.Systems[i].NCompared = nil
		}
		for i := range r.Psi {
			r.Psi[i].PsiCompared = nil
		}
		return r.Systems, r.Psi, r.Warnings
	}
	systems, psi, warnings := results(string(data))
	for name, text := range map[string]string{
		"without": plain + "\n",
		"others":  plain + "\ncompare: {source: x, n: {C2: 5, C32: 9}, psi: [1, 2, 3, 4], times: [{system: C8, n: 7, time: 1 s}, {system: C2, n: 290, time: 1 us}]}\n",
	} {
		s, p, w := results(text)
		d := cmp.Diff(systems, s) + cmp.Diff(psi, p) + cmp.Diff(warnings, w)
		expect.That(t, d == "", "%s: with the published values -, now +\n%s", name, d)
	}
}

// A time to compare with is compared with a run of the same system and size.
func TestComparedTimesAreThoseOfRuns(t *testing.T) {
	const common = "machine: sunwulf\nnetwork: hockney\nplacement: {server: 2}\n"
	r := mustIso(t, scenariotest.Study(t, common+`
target_efficiency: 0.3
systems: [{name: A, nodes: {blade: 2}}, {name: B, nodes: {server: 1, blade: 3}}]
workload: {name: gauss}
compare: {source: x, times: [{system: B, n: 77, time: 0.5 s}, {system: A, n: 50, time: 2 s}]}
`))
	want := []iso.ComparedTime{{System: "A", N: 50, Compared: 2}, {System: "B", N: 77, Compared: 0.5}}
	var squares float64
	for i, nodes := range []string{"{blade: 2}", "{server: 1, blade: 3}"} {
		w := &want[i]
		single := expect.Value(run.Run(context.Background(), scenariotest.Scenario(t, fmt.Sprintf("%snodes: %s\nworkload: {name: gauss, n: %d}\n", common, nodes, w.N)), run.Options{}))(t)
		w.Simulated = single.Makespan
		w.RelativeDeviation = w.Simulated/w.Compared - 1
		squares += w.RelativeDeviation * w.RelativeDeviation
	}
	d := cmp.Diff(want, r.Comparison.Times)
	expect.That(t, d == "", "want -, got +\n%s", d)
	worst := max(math.Abs(want[0].RelativeDeviation), math.Abs(want[1].RelativeDeviation))
	expect.That(t, near(r.Comparison.RMS, math.Sqrt(squares/2)) && near(r.Comparison.Worst, worst),
		"rms %v, worst %v; want %v and %v", r.Comparison.RMS, r.Comparison.Worst, math.Sqrt(squares/2), worst)
}

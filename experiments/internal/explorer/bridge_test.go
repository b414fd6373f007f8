package explorer

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// examples are the folder of the examples.
const examples = "../../../examples"

// ask returns the answer to a request as a tree of JSON.
func ask(t *testing.T, b *Bridge, q Request) map[string]any {
	t.Helper()
	request, err := json.Marshal(q)
	expect.Success(t, err)
	reply := b.Answer(context.Background(), request)
	var answer map[string]any
	err = json.Unmarshal(reply.JSON, &answer)
	expect.Need(t, err == nil, "%v\n%s", err, reply.JSON)
	return answer
}

// exampleFiles returns the texts of all examples by name, as the page has them.
func exampleFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"*.yaml", "*/*.yaml"} {
		names, err := filepath.Glob(filepath.Join(examples, pattern))
		expect.Success(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			expect.Success(t, err)
			short, err := filepath.Rel(examples, name)
			expect.Success(t, err)
			files[filepath.ToSlash(short)] = string(text)
		}
	}
	expect.Need(t, len(files) != 0, "no examples found; the test is blind")
	return files
}

// Two nodes of 1 Gflop/s send each other 1 MB at once, once, over links of 1 MB/s
// without latency: 1 s. With twice the bandwidth, 0.5 s.
const pair = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}
network: hockney
workload: {name: pattern, n: 1, shape: ring, size: 1 MB}
`

func TestRun(t *testing.T) {
	b := New(map[string]string{"pair.yaml": pair})
	for _, c := range []struct {
		set  []Setting
		want float64
	}{
		{nil, 1},
		{[]Setting{{Path: "machine.network.bandwidth", Value: "2 MB/s"}}, 0.5},
		{[]Setting{{Path: "network.latency", Value: "2 s"}}, 3},
	} {
		got := ask(t, b, Request{Do: "run", File: "pair.yaml", Set: c.set})
		run, _ := got["run"].(map[string]any)
		makespan, _ := run["makespan_s"].(float64)
		expect.That(t, math.Abs(makespan-c.want) <= 1e-9, "%v: %v; want a makespan of %v s", c.set, got, c.want)
		measured := ask(t, b, Request{Do: "measure", File: "pair.yaml", Set: c.set})
		time, _ := measured["time"].(float64)
		expect.That(t, math.Abs(time-c.want) <= 1e-9, "%v: %v; want a time of %v s", c.set, measured, c.want)
	}
}

func TestWrongRequests(t *testing.T) {
	b := New(map[string]string{"pair.yaml": pair, "late.yaml": strings.Replace(pair, "pattern, n: 1, shape: ring", "pattern, n: 1, shape: rnig", 1)})
	million := []Setting{{Path: "machine.nodes[0].count", Value: "1000000"}}
	const tooMany = "the scenario has 1000000 processes; expected at most 100000 in a browser, 'isoscale run' takes more"
	for _, c := range []struct {
		q     Request
		want  string
		input bool
	}{
		{Request{Do: "dance"}, "unknown request", true},
		{Request{Do: "run", File: "par.yaml"}, "no such document; expected one of: late.yaml, pair.yaml", true},
		{Request{Do: "run", File: "late.yaml"}, `did you mean "ring"?`, true},
		{Request{Do: "run", File: "pair.yaml", Set: []Setting{{Path: "network.latency", Value: "2"}}}, "expected a time", true},
		{Request{Do: "topologies"}, "expected at least 1", true},
		{Request{Do: "pairs", File: "pair.yaml", Pairs: [][2]int{{0, 2}}}, "expected one of 0 to 1", true},
		{Request{Do: "run", File: "pair.yaml", Timeline: true, Set: million}, tooMany, true},
		{Request{Do: "trace", File: "pair.yaml", Set: million}, tooMany, true},
		{Request{Do: "measure", File: "pair.yaml", Set: million}, tooMany, true},
		{Request{Do: "hold", File: "pair.yaml", Target: 0.5, Set: million}, tooMany, true},
		// A ring has no work, and so no efficiency to hold.
		{Request{Do: "hold", File: "pair.yaml", Target: 0.5}, "performs no work", false},
	} {
		problem, _ := ask(t, b, c.q)["error"].(map[string]any)
		text, _ := problem["text"].(string)
		expect.That(t, strings.Contains(text, c.want) && problem["input"] == c.input,
			"%+v: %v; want an error with %q, of the input: %v", c.q, problem, c.want, c.input)
	}
	got := b.Answer(context.Background(), []byte("{"))
	expect.Says(t, string(got.JSON), "not valid JSON")
}

// Every control of every example names a path that can be set to the value it shows; the run then stays the same,
// except for what six digits of a value leave out.
func TestControlsAreSettings(t *testing.T) {
	b := New(exampleFiles(t))
	controls := 0
	for _, name := range []string{"sunwulf-run.yaml", "lessons/1-gauss.yaml", "lessons/3-imbalance.yaml", "topologies/fat-tree.yaml", "collective.yaml", "hierarchy.yaml", "applications/heat3d-run.yaml"} {
		before := ask(t, b, Request{Do: "measure", File: name})
		described := ask(t, b, Request{Do: "controls", File: name})
		list, _ := described["controls"].([]any)
		expect.That(t, len(list) != 0, "%s: no controls: %v", name, described)
		for _, x := range list {
			c := x.(map[string]any)
			value, _ := c["value"].(string)
			if c["replaces"] == true || value == "" || value == "none" || c["texts"] != nil {
				continue // not a value of its own
			}
			controls++
			after := ask(t, b, Request{Do: "measure", File: name, Set: []Setting{{Path: c["path"].(string), Value: value}}})
			for k, want := range before {
				got, ok := after[k].(float64)
				if w := want.(float64); !ok || math.Abs(got-w) > 1e-5*math.Abs(w) {
					t.Errorf("%s: with %s=%s, %s is %v; want %v", name, c["path"], value, k, after, w)
					break
				}
			}
		}
	}
	expect.That(t, controls >= 40, "%d controls were set; expected more, the test is blind", controls)
}

// A slider of rounds moves over whole numbers, as a program cannot repeat 2.68 times; one of a fraction does not.
func TestSlidersOfWholeNumbers(t *testing.T) {
	b := New(exampleFiles(t))
	for _, tt := range []struct{ file, path, want string }{
		{"lessons/halo-run.yaml", "workload.rounds", "count"}, {"lessons/noise-run.yaml", "workload.noise", "number"},
		{"lessons/pass-run.yaml", "workload.ordered", "number"}, {"sunwulf-run.yaml", "workload.sustained", "number"},
	} {
		all := controls(t, b, Request{Do: "controls", File: tt.file})
		k := slices.IndexFunc(all, func(x map[string]any) bool { return x["path"] == tt.path })
		expect.Need(t, k >= 0, "%s has no control of %s", tt.file, tt.path)
		expect.Equal(t, all[k]["kind"], any(tt.want), "%s", tt.path)
	}
}

// The topologies that are proposed can be built and carry messages.
func TestTopologies(t *testing.T) {
	const machine = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: %}], network: {latency: 1 us, bandwidth: 1 GB/s}}
network: flow
workload: {name: pattern, n: 1, shape: ring, size: 1 MB}
`
	for _, n := range []string{"1", "2", "3", "7", "16", "30", "64", "100"} {
		b := New(map[string]string{"m.yaml": strings.Replace(machine, "%", n, 1)})
		described := ask(t, b, Request{Do: "controls", File: "m.yaml"})
		var texts []any
		for _, x := range described["controls"].([]any) {
			if c := x.(map[string]any); c["path"] == "machine.network.topology" {
				texts = c["texts"].([]any)
			}
		}
		expect.Need(t, len(texts) >= 10, "%s nodes: the topologies are %v", n, texts)
		for _, text := range texts {
			set := []Setting{{Path: "machine.network.topology", Value: text.(string)}}
			got := ask(t, b, Request{Do: "measure", File: "m.yaml", Set: set})
			expect.That(t, got["time"] != nil, "%s nodes, %v: %v", n, text, got)
			got = ask(t, b, Request{Do: "wiring", File: "m.yaml", Set: set})
			expect.That(t, got["places"] != nil, "%s nodes, %v: %v", n, text, got)
		}
	}
}

// In a star of three, what rank 0 sends uses its own cable, and what others send does not.
func TestPairs(t *testing.T) {
	const star = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 3}], network: {latency: 1 us, bandwidth: 1 GB/s}}
network: flow
workload: {name: pattern, n: 1, shape: ring, size: 1 MB}
`
	b := New(map[string]string{"star.yaml": star})
	w := ask(t, b, Request{Do: "wiring", File: "star.yaml"})
	var cable string
	for _, x := range w["links"].([]any) {
		if l := x.(map[string]any); l["from"] == 0.0 {
			cable = l["name"].(string)
		}
	}
	request, err := json.Marshal(Request{Do: "pairs", File: "star.yaml", Link: cable, Pairs: [][2]int{{0, 1}, {1, 0}, {0, 2}, {1, 2}}})
	expect.Success(t, err)
	var got [][2]int
	expect.Success(t, json.Unmarshal(b.Answer(context.Background(), request).JSON, &got))
	expect.List(t, got, [][2]int{{0, 1}, {0, 2}}, "pairs over %s", cable)
}

// An exported run works without the page and gives the same numbers.
func TestExport(t *testing.T) {
	files := exampleFiles(t)
	files["HPL.dat"] = string(expect.Value(os.ReadFile(filepath.Join(examples, "HPL.dat")))(t))
	b := New(files)
	for _, c := range []struct {
		file string
		set  []Setting
	}{
		{"hpl.yaml", nil},
		{"sunwulf-run.yaml", []Setting{{Path: "workload.n", Value: "200"}, {Path: "machine.network.latency", Value: "1 us"}}},
		{"lessons/1-gauss.yaml", []Setting{{Path: "nodes.node", Value: "4"}, {Path: "workload.n", Value: "200"}}},
		{"topologies/fat-tree.yaml", nil},
		{"hierarchy.yaml", []Setting{{Path: "levels", Value: "[64, 8]"}}},
		{"applications/heat3d-run.yaml", nil},
	} {
		want := ask(t, b, Request{Do: "measure", File: c.file, Set: c.set})
		exported := ask(t, b, Request{Do: "export", File: c.file, Set: c.set})
		alone := map[string]string{}
		list, _ := exported["files"].([]any)
		for _, x := range list {
			f := x.(map[string]any)
			alone[f["name"].(string)] = f["text"].(string)
		}
		expect.That(t, len(alone) == 1 || strings.HasPrefix(c.file, "hpl") || strings.HasPrefix(c.file, "applications"), "%s: %d files", c.file, len(alone))
		got := ask(t, New(alone), Request{Do: "measure", File: "scenario.yaml"})
		expect.Need(t, len(want) >= 3 && len(got) == len(want), "%s: %v, exported %v, which gives %v", c.file, want, exported, got)
		for k := range want {
			expect.That(t, got[k] == want[k], "%s: exported, %s is %v; want %v\n%s", c.file, k, got[k], want[k], alone["scenario.yaml"])
		}
	}
}

// The answers of the lessons are what their runs measure: in each of three rounds of a ring of four
// nodes, each message takes 50 us and the time of its bytes at 125 MB/s.
func TestLesson(t *testing.T) {
	b := New(exampleFiles(t))
	const file = "lessons/4-latency-and-bandwidth.yaml"
	l := ask(t, b, Request{Do: "lesson", File: file})
	prose, _ := l["prose"].(map[string]any)
	text, _ := prose["text"].(string)
	expect.That(t, strings.Contains(text, "Three rounds with messages of 8 B take 150 us."), "the text is %v", prose)
	steps, _ := l["steps"].([]any)
	expect.That(t, len(steps) == 3 && !strings.Contains(prose["text"].(string), "{{"), "the lesson is %v", l)
	none := 0.0
	r := ask(t, b, Request{Do: "reveal", File: file, Step: 0, Prediction: &none})
	expect.That(t, r["printed"] == "150 us" && r["right"] == nil && r["compared"] == "0 s predicted, 150 us measured: off by 100 %, where up to 10 % counts as right",
		"step 0: %v; want 3 x 50 us and next to nothing for 8 B", r)
	r = ask(t, b, Request{Do: "reveal", File: file, Step: 1})
	a, _ := r["answer"].(map[string]any)
	expect.That(t, a["choice"] == 2.0, "step 1: %v; want a tenth", r)
	// At n1/2 = 50 us x 125 MB/s = 6.25 kB, half of the bandwidth.
	r = ask(t, b, Request{Do: "reveal", File: file, Step: 2})
	a, _ = r["answer"].(map[string]any)
	curve, _ := a["curve"].([]any)
	expect.That(t, len(curve) == 5 && math.Abs(curve[2].(map[string]any)["value"].(float64)-0.5) <= 1e-6,
		"step 2: %v; want half at 6.25 kB", r)
	ask(t, b, Request{Do: "write", File: "own/mine.yaml", Text: "machine: sunwulf\nworkload: {name: gauss, m: 3}\n"})
	expect.Says(t, string(b.Answer(t.Context(), []byte(`{"do": "controls", "file": "own/mine.yaml"}`)).JSON), `own/mine.yaml:2:25: workload: unknown key \"m\"`)
	e := ask(t, b, Request{Do: "exercise", File: file})
	expect.That(t, e["said"] != nil, "the exercise: %v", e)
	e = ask(t, b, Request{Do: "exercise", File: file, Prediction: new(-1.0)})
	expect.That(t, e["said"] == "Not so: too small, by more than 5 %." && e["right"] == nil, "a wrong solution: %v", e)
}

// A lesson is measured once, and again when a file that it may name is written.
func TestLessonsAreMeasuredOnce(t *testing.T) {
	b := New(map[string]string{"l.yaml": `lesson: 1
title: L
minutes: 1
text: T
runs:
  a: {file: r.yaml}
steps:
  - {title: S, question: Q, number: {answer: a_n}, reveal: R}
insight: I
`, "r.yaml": "machine: {node_types: {x: {cores: 1, marked_speed: 1 Gflop/s}}, nodes: [{type: x, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}\nnetwork: hockney\nworkload: {name: gauss, n: 40}\n"})
	ask := func(request string) string { return string(b.Answer(t.Context(), []byte(request)).JSON) }
	const reveal = `{"do": "reveal", "file": "l.yaml"}`
	first := ask(reveal)
	lab := b.taught["l.yaml"].lab
	again := ask(reveal)
	expect.That(t, again == first && b.taught["l.yaml"].lab == lab && strings.Contains(first, `"number":40`),
		"answers %s and %s; want 40 twice, of one lab", first, again)
	ask(`{"do": "write", "file": "r.yaml", "text": "machine: {node_types: {x: {cores: 1, marked_speed: 1 Gflop/s}}, nodes: [{type: x, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}\nnetwork: hockney\nworkload: {name: gauss, n: 50}\n"}`)
	expect.Says(t, ask(reveal), `"number":50`)
}

// Settings of a network, a workload and an application are named by their controls and values; those of a machine, which
// have no controls, are named too. What a curve is drawn over is named alike.
func TestSettingsAreTold(t *testing.T) {
	b := New(exampleFiles(t))
	for _, c := range []struct{ file, set, path, want string }{
		{"lessons/late-run.yaml", "network.eager_limit=1 MB", "network.eager_limit", "eager limit 1 MB"},
		{"lessons/2-ring.yaml", "", "network.bandwidth", "bandwidth 125 MB/s"},
		{"lessons/late-run.yaml", "", "workload.late_by", "late by 10 Mflop"},
		{"lessons/collective.yaml", "workload.algorithm=scatter-allgather", "workload.algorithm", "algorithm scatter-allgather"},
		{"lessons/accelerators-run.yaml", "", "workload.how", "how ring"},
		{"lessons/accelerators-run.yaml", "machine.node_types.node.devices.domain.nodes=9", "machine.node_types.node.devices.domain.nodes", "domain: nodes 9"},
		{"lessons/alltoall.yaml", `machine.network.topology={"name":"torus","dimensions":[16, 1]}`, "machine.network.topology", "topology torus"},
		{"lessons/hierarchy.yaml", "", "log2_levels", "log2 levels [3,3]"},
	} {
		q := Request{Do: "settings", File: c.file, Paths: []string{c.path}}
		if path, value, ok := strings.Cut(c.set, "="); ok {
			q.Set = []Setting{{Path: path, Value: value}}
		}
		request := expect.Value(json.Marshal(q))(t)
		var got []told
		err := json.Unmarshal(b.Answer(t.Context(), request).JSON, &got)
		expect.That(t, err == nil && len(got) == 1 && got[0].Label+" "+got[0].Value == c.want,
			"%s: %v, %v; want %q", c.path, got, err, c.want)
	}
	steps := ask(t, b, Request{Do: "lesson", File: "lessons/1-amdahl.yaml"})["steps"].([]any)
	expect.Equal(t, steps[1].(map[string]any)["curve"].(map[string]any)["axis"], any("nodes"), "axis of the curve")
}

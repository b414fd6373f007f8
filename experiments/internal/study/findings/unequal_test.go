package findings

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// A pattern does the same on each of 2 or 4 nodes of 1 Gflop/s: the times are equal, 1 s
// for 10 rounds of 0.1 Gflop, but not the work. The study compares the work done in a
// time, 4 Gflop/s on four nodes, unless it is told to compare times.
func TestUnequalWorkIsComparedPerUnit(t *testing.T) {
	const text = `scenario:
  machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 0 s, bandwidth: 1 GB/s}}
  network: ideal
  workload: {name: pattern, n: 10, COMPUTE}
factors: {p: {path: nodes.w, values: [2, 4]}}
`
	result := func(compute, more string) *Result {
		return finished(t, strings.Replace(text, "COMPUTE", compute, 1)+more)
	}
	r := result("compute: 0.1 Gflop", "")
	if r.Objective.Response != "achieved_speed" || r.Best.Levels["p"] != "4" || math.Abs(r.Best.Value/4e9-1) > 1e-9 || len(r.Warnings) > 0 {
		t.Errorf("per process: %+v, best %+v, warnings %q", r.Objective, r.Best, r.Warnings)
	}
	for cores, want := range map[string]bool{"1": false, "3": true} {
		r := finished(t, strings.NewReplacer("COMPUTE", "total_compute: 1 flop", "{marked_speed", "{cores: "+cores+", marked_speed").Replace(text))
		if got := strings.Contains(strings.Join(r.Summary(), " "), "It uses 4 of the 12 cores of its nodes."); got != want {
			t.Errorf("%s cores: %q", cores, r.Summary())
		}
	}
	r = result("total_compute: 0.1 Gflop", "")
	if r.Objective.Response != "time" || r.Best.Levels["p"] != "4" || math.Abs(r.Best.Value/0.25-1) > 1e-9 || len(r.Warnings) > 0 {
		t.Errorf("in total: %+v, best %+v, warnings %q", r.Objective, r.Best, r.Warnings)
	}
	const reason = "the work of workload pattern grows with the number of processes"
	for _, r := range []*Result{result("compute: 0.1 Gflop", "objective: {minimize: time}\n"), result("size: 1 kB", "")} {
		if text := strings.Join(r.Summary(), " "); !strings.Contains(text, reason) || strings.Contains(text, "smallest time") {
			t.Errorf("the summary compares times: %s", text)
		}
		if r.Best != nil {
			t.Errorf("there is a best point of unequal work: %+v", r.Best)
		}
	}
}

// 8 and 12.5 SIs; the second is simulated as 13, 4 % more. So times are not those
// of the same work, nor of the work that the plan asks for.
func TestWorkOfSuperProgramsIsTold(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, levels: [2], tasks: [8], method: dispatch}
factors:
  tasks: {path: "tasks[0]", values: [8, 12.5]}
objective: {minimize: time}
`)
	for _, want := range []string{
		"at 1 point the plan asks for parts of SIs; furthest off is tasks = 12.5, where 12.5 SIs are simulated as 13 whole ones, which changes the work by +4 %",
		"The times of points are not compared: their work differs",
	} {
		if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, want) }) {
			t.Errorf("no warning %q in %q", want, r.Warnings)
		}
	}
}

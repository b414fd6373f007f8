package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// A factor for a whole mapping and one for a field in it work in either order.
func TestFactorWithinAnother(t *testing.T) {
	const base = `scenario: {machine: sunwulf, nodes: {blade: 4}, network: hockney, workload: {name: gauss, n: 60}}
factors:
`
	const inner = "  latency: {path: network.latency, values: [10 us, 100 ms]}\n"
	const outer = "  net: {path: network, values: [{name: hockney, send_overhead: 0 s}, {name: hockney, send_overhead: 1 ms}], labels: [a, b]}\n"
	times := map[string]string{}
	for i, text := range []string{base + inner + outer, base + outer + inner} {
		s := create(t, text, 0)
		run(t, s, 1)
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
	if len(times) != 4 || times["10a"] == times["100000a"] || times["10a"] == times["10b"] {
		t.Errorf("times %v: the factors have no effect", times)
	}
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
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("plan.yaml", plan)
	write("a.yaml", machine)
	if _, err := Read(filepath.Join(dir, "plan.yaml"), nil); err == nil || !strings.Contains(err.Error(), "b.yaml") {
		t.Errorf("a machine that is not there: %v", err)
	}
	write("b.yaml", machine)
	p, err := Read(filepath.Join(dir, "plan.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Template.Documents()); n != 2 {
		t.Errorf("%d machine files are kept, want 2", n)
	}
}

// A level that is wrong with some levels of another factor is a warning, however
// many of those come first.
func TestLevelThatNeedsAnother(t *testing.T) {
	for _, factors := range []string{
		"  tasks: {path: 'tasks[0]', values: ['8', '8*(n1-3)']}\n  n: {path: 'levels[0]', from: 1, to: 10}\n",
		"  n: {path: 'levels[0]', from: 1, to: 10}\n  tasks: {path: 'tasks[0]', values: ['8', '8*(n1-3)']}\n",
	} {
		p, err := Read(sweeptest.File(t, "scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}\nfactors:\n"+factors), nil)
		if err != nil {
			t.Error(err)
		} else if len(p.Warnings) != 1 {
			t.Errorf("warnings %q", p.Warnings)
		}
	}
}

func TestRowsThatAreTooLong(t *testing.T) {
	var b strings.Builder
	b.WriteString("scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}\nfactors:\n")
	for i := range 16 {
		b.WriteString("  f" + string(rune('a'+i)) + ": {path: title, values: [x], labels: ['" + strings.Repeat("y", 4000) + "']}\n")
	}
	_, err := Read(sweeptest.File(t, b.String()), nil)
	if err == nil {
		t.Error("a plan whose rows cannot be stored is taken")
	}
}

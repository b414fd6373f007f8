package sweep

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/sweep/sweeptest"
)

// cells returns the cells of a column of all rows.
func cells(t *testing.T, s *Study, column string) []string {
	t.Helper()
	at := -1
	for i, c := range s.Dir.Plan().Columns {
		if c.Name == column {
			at = i
		}
	}
	if at < 0 {
		t.Fatalf("no column %s", column)
	}
	var all []string
	for row, err := range s.Dir.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row.Cells[at])
	}
	return all
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

// Texts that look like numbers are stored as they are read again.
func TestTextsLikeNumbers(t *testing.T) {
	s := create(t, `scenario: {machine: sunwulf, nodes: {blade: 2}, network: ideal, workload: {name: gauss, n: 20}}
factors: {title: {values: [.5, abc, +1]}}
exclude: ["title == '.5'"]
`, 0)
	run(t, s, 1)
	if n := len(cells(t, s, "title")); n != s.Design.Points() {
		t.Errorf("%d rows of %d points", n, s.Design.Points())
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

// Without about.json, or with an empty one, a study can be carried out.
func TestAboutDecidesNothing(t *testing.T) {
	s := create(t, sweeptest.Jin, 0)
	for _, spoil := range []func(string) error{
		os.Remove,
		func(name string) error { return os.WriteFile(name, nil, 0o666) },
		func(name string) error { return os.WriteFile(name, []byte("{}"), 0o666) },
	} {
		if err := spoil(filepath.Join(s.Dir.Path(), aboutName)); err != nil {
			t.Fatal(err)
		}
		again, err := Open(s.Dir.Path())
		if err != nil {
			t.Fatal(err)
		}
		if again.About.Objective.Response != "log2_speedup" {
			t.Errorf("objective %+v", again.About.Objective)
		}
	}
	info, err := os.Stat(filepath.Join(create(t, sweeptest.Jin, 0).Dir.Path(), aboutName))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm()&0o444 != 0o444 {
		t.Errorf("mode %v: others cannot read it", info.Mode())
	}
}

// A point that is too large for this computer holds up its shard and no other.
func TestPointTooLarge(t *testing.T) {
	s := create(t, `scenario: {machine: {node_types: {w: {cores: 1, marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 268435456}], network: {latency: 1 us, bandwidth: 1 GB/s}}, nodes: {w: 2}, network: ideal, workload: {name: pattern, n: 1}}
factors: {nodes.w: [2, 268435456, 3, 4]}
limits: {memory: 1 PB}
`, 4)
	err := s.Run(context.Background(), 1, nil)
	point, ok := err.(*PointError)
	if !ok {
		t.Skipf("this computer has the memory for it, or says otherwise: %v", err)
	}
	if point.Point != 1 || !strings.Contains(point.Error(), "268435456") {
		t.Errorf("error %v", point)
	}
	missing, err := s.Dir.Missing()
	if err != nil {
		t.Fatal(err)
	}
	if len(missing) != 1 || missing[0] != 1 {
		t.Errorf("missing shards %v, want only 1", missing)
	}
}

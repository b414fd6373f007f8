package experiments_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// template opens the scenario in a text, in a folder with further files.
func template(t *testing.T, text string, files map[string]string) *scenario.Template {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		expect.Success(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	root := expect.Value(yamldoc.Parse("plan.yaml", []byte(text)))(t)
	return expect.Value(scenario.OpenTemplate(root, dir))(t)
}

func change(t testing.TB, path, value string) yamldoc.Change {
	t.Helper()
	n := expect.Value(yamldoc.ParseJSON("change", []byte(value)))(t)
	return yamldoc.Change{Path: path, Value: n}
}

const (
	templateScenario = "machine: sunwulf\nnodes: {server: 1, blade: 1}\nplacement: {server: 2}\nnetwork: hockney\nworkload: {name: gauss, n: 300}\n"
	templateMachine  = "node_types: {a: {cores: 2, marked_speed: 1 Gflop/s}}\nnodes: [{type: a, count: 4}]\nnetwork: {latency: 20 us, bandwidth: 1 Gbit/s}\n"
)

// A case must give what run gives for the same scenario.
func TestCaseIsRun(t *testing.T) {
	tpl := template(t, templateScenario, nil)
	c := expect.Value(tpl.Case(7, change(t, "workload.n", "400"), change(t, "nodes.blade", "3")))(t)
	got := expect.Value(system.RunCase(context.Background(), c))(t)
	path := expect.File(t, "s.yaml", templateScenario)
	s := expect.Value(scenario.Disk.Read(path, []input.Override{{Path: "workload.n", Value: "400"}, {Path: "nodes.blade", Value: "3"}}))(t)
	r := expect.Value(run.Run(context.Background(), s, run.Options{}))(t)
	value := map[string]float64{}
	for i, o := range system.Outcomes(tpl, system.More{}) {
		value[o.Name] = got[i]
	}
	for name, want := range map[string]float64{
		"processes": 5, "time": r.Makespan, "work": r.Work, "marked_speed": r.MarkedSpeed, "achieved_speed": r.AchievedSpeed,
		"speed_efficiency": r.SpeedEfficiency, "messages": float64(r.Messages), "bytes": r.Bytes,
	} {
		expect.That(t, value[name] == want, "%s = %v, want %v", name, value[name], want)
	}
	sum := value["compute"] + value["overhead"] + value["wait"]
	expect.That(t, sum >= 0.999999999*r.Makespan && sum <= 1.000000001*r.Makespan, "compute, overhead and wait add up to %v of %v", sum, r.Makespan)
}

func TestCaseSeed(t *testing.T) {
	for text, want := range map[string]int64{templateScenario: 7, templateScenario + "seed: 3\n": 3} {
		c := expect.Value(template(t, text, nil).Case(7))(t)
		expect.That(t, c.Scenario.Seed == want, "seed %d, want %d", c.Scenario.Seed, want)
	}
}

// Once its files are known, a template needs none.
func TestSealedTemplate(t *testing.T) {
	text := strings.Replace(strings.Replace(templateScenario, "sunwulf", "mine.yaml", 1), "{server: 1, blade: 1}\nplacement: {server: 2}", "{a: 2}", 1)
	open := template(t, text, map[string]string{"mine.yaml": templateMachine, "other.yaml": strings.Replace(templateMachine, "1 Gflop", "2 Gflop", 1)})
	other := change(t, "machine", `"other.yaml"`)
	for _, changes := range [][]yamldoc.Change{nil, {other}} {
		expect.Value(open.Case(1, changes...))(t)
	}
	documents := open.Documents()
	expect.Need(t, len(documents) == 2 && documents[0].Name == "mine.yaml" && documents[1].Name == "other.yaml",
		"documents: %v", documents)
	for i := range documents {
		root := expect.Value(yamldoc.ParseJSON(documents[i].Name, documents[i].Root.JSON()))(t)
		documents[i].Root = root
	}
	base := expect.Value(yamldoc.ParseJSON("scenario", open.Root.JSON()))(t)
	sealed := scenario.NewTemplate(base, documents)
	run := func(tpl *scenario.Template, changes ...yamldoc.Change) float64 {
		c := expect.Value(tpl.Case(1, changes...))(t)
		v := expect.Value(system.RunCase(context.Background(), c))(t)
		return v[1]
	}
	slow, fast := run(sealed), run(sealed, other)
	expect.That(t, slow == run(open) && fast == run(open, other) && fast < slow,
		"times %v and %v sealed, %v and %v from files", slow, fast, run(open), run(open, other))
	expect.Refusal(sealed.Case(1, change(t, "machine", `"third.yaml"`)))(t, "third.yaml")
}

// A file with changes, as --set scenario.workload.n=40 leaves it.
func TestTemplateOfFileWithChanges(t *testing.T) {
	tpl := template(t, "name: base.yaml\nworkload: {n: 40}\n", map[string]string{"base.yaml": templateScenario})
	c := expect.Value(tpl.Case(1))(t)
	expect.That(t, c.Scenario.Workload.N == 40 && c.Scenario.Workload.Name == "gauss",
		"workload %s, n = %d; want gauss, 40", c.Scenario.Workload.Name, c.Scenario.Workload.N)
}

// A factor may be a value inside a machine that the scenario only names.
func TestTemplateChangesMachine(t *testing.T) {
	tpl := template(t, templateScenario, nil)
	var times []float64
	for _, latency := range []string{`"1 us"`, `"10 ms"`} {
		c := expect.Value(tpl.Case(1, change(t, "machine.network.latency", latency)))(t)
		v := expect.Value(system.RunCase(context.Background(), c))(t)
		times = append(times, v[1])
	}
	// Gauss of 300 has 299 steps, each with a message from process to process.
	expect.That(t, times[1]-times[0] >= 299*9e-3, "times %v do not tell of latencies of 1 us and 10 ms", times)
}

func TestTemplateErrors(t *testing.T) {
	tpl := template(t, templateScenario, nil)
	for _, tt := range []struct{ path, value, want string }{
		{"network.latency", `"5 kg"`, "change: network.latency: "},
		{"workload.m", "3", `unknown key "m"`},
		{"nodes.blade", "1000", "nodes.blade"},
		{"machine", `"sunwolf"`, `unknown machine in the catalogue`},
		{"nodes[1]", "3", "change: nodes: found a mapping; expected a sequence"},
	} {
		expect.Refusal(tpl.Case(1, change(t, tt.path, tt.value)))(t, tt.want)
	}
}

// Many goroutines use one template.
func TestTemplateIsShared(t *testing.T) {
	text := strings.Replace(templateScenario, "network: hockney", "network: flow", 1)
	tpl := template(t, text, nil)
	var wg sync.WaitGroup
	times := make([]float64, 8)
	for i := range times {
		wg.Go(func() {
			c, err := tpl.Case(1, change(t, "workload.n", "50"))
			if err != nil {
				t.Error(err)
				return
			}
			v, err := system.RunCase(context.Background(), c)
			if err != nil {
				t.Error(err)
				return
			}
			times[i] = v[1]
		})
	}
	wg.Wait()
	for _, x := range times {
		expect.That(t, x == times[0], "times differ: %v", times)
	}
}

func BenchmarkCase(b *testing.B) {
	root := expect.Value(yamldoc.Parse("plan.yaml", []byte(templateScenario)))(b)
	tpl := expect.Value(scenario.OpenTemplate(root, "."))(b)
	n := change(b, "workload.n", "400")
	b.ReportAllocs()
	for b.Loop() {
		expect.Value(tpl.Case(1, n))(b)
	}
}

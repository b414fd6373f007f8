package queue

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
)

const goodMix = `title: A title
queue: {nodes: 8, policy: conservative}
jobs:
  - {name: big, nodes: 8, time: 2 h, runs_per_year: 100}
  - {name: small, nodes: 1, time: {mean: 5 min, distribution: exponential}, runs_per_year: 1e4, estimate: {from: 1, to: 5}}
years: 0.5
seed: 3
`

func TestReadMix(t *testing.T) {
	form := schematest.Of(t, Type)
	m := expect.Value(ReadMix(expect.File(t, "mix.yaml", goodMix), []input.Override{{Path: "jobs[0].estimate", Value: "2"}}))(t)
	expect.Success(t, form.AgreeText(goodMix, nil))
	want := &Mix{Title: "A title", Nodes: 8, Policy: batchqueue.Conservative, Years: 0.5, Seed: 3, Kinds: []Kind{
		{Name: "big", Nodes: 8, Time: 7200, RunsPerYear: 100, Estimate: Estimate{2, 2}},
		{Name: "small", Nodes: 1, Time: 300, Exponential: true, RunsPerYear: 1e4, Estimate: Estimate{1, 5}},
	}}
	d := cmp.Diff(want, m, cmpopts.IgnoreUnexported(Mix{}))
	expect.That(t, d == "", "%v", d)

	const short = "queue: {nodes: 8}\njobs: [{name: a, nodes: 1, time: {mean: 5 min}, runs_per_year: 1}]\n"
	m = expect.Value(ReadMix(expect.File(t, "short.yaml", short), nil))(t)
	want = &Mix{Nodes: 8, Policy: batchqueue.EASY, Seed: 1, Kinds: []Kind{
		{Name: "a", Nodes: 1, Time: 300, RunsPerYear: 1, Estimate: Estimate{1, 1}},
	}}
	d = cmp.Diff(want, m, cmpopts.IgnoreUnexported(Mix{}))
	expect.That(t, d == "", "defaults: %s", d)
}

// Bad input is reported with its place and what was expected. The file is goodMix with one change.
func TestBadMix(t *testing.T) {
	form := schematest.Of(t, Type)
	for _, tt := range []struct{ old, new, want string }{
		{"seed: 3", "sede: 3", `:7:1: unknown key "sede"; expected one of`},
		{"nodes: 8, policy", "policy", `:2:8: queue: missing key "nodes"; expected the number of nodes`},
		{"{nodes: 8, policy: conservative}", "{nodes: 0}", "queue.nodes: 0 is less than 1; expected the number of nodes, at least 1"},
		{"policy: conservative", "policy: fifo", `:2:27: queue.policy: unknown policy "fifo"; expected one of conservative, conservative-full, easy, fcfs`},
		{"queue: {nodes: 8, policy: conservative}", "queue: 8", ":2:8: queue: found the number 8; expected a mapping that describes a machine and its queue"},
		{"nodes: 8, time", "nodes: 9, time", ":4:24: jobs[0].nodes: a job of 9 nodes; expected at most 8, the nodes of the machine"},
		{"name: small", "name: big", `:5:12: jobs[1].name: duplicate name "big"; expected a different name for each kind of job`},
		{"time: 2 h", "time: 0 h", "jobs[0].time: 0 h is zero; expected a time above 0"},
		{"time: 2 h", "time: 2", `jobs[0].time: time "2": the unit is missing`},
		{"time: 2 h", "time: 200 d", "jobs[0].time: a run time of 1.728e+07 s; expected 1 us to 1e+07 s"},
		{"time: 2 h", "time: 1 ns", "jobs[0].time: a run time of 1 ns; expected 1 us to 1e+07 s"},
		{"mean: 5 min", "median: 5 min", `jobs[1].time: unknown key "median"`},
		{"exponential", "normal", `jobs[1].time.distribution: unknown distribution "normal"; expected one of constant, exponential`},
		{"runs_per_year: 100", "runs_per_year: 0", "jobs[0].runs_per_year: 0 is out of range; expected the jobs of a year, above 0"},
		{", runs_per_year: 100", "", `jobs[0]: missing key "runs_per_year"; expected the jobs of a year, above 0`},
		{"estimate: {from: 1, to: 5}", "estimate: 0", "jobs[1].estimate: 0 is out of range; expected a factor of the run time, above 0 and at most 1000, or a range such as {from: 1, to: 5}"},
		{"to: 5", "to: 0.5", "jobs[1].estimate.to: 0.5 is below from, 1; expected at least as much"},
		{"{from: 1, to: 5}", "{from: 1}", `jobs[1].estimate: missing key "to"; expected a factor of the run time`},
		{"years: 0.5", "years: 1001", "years: 1001 is out of range; expected a number of years, above 0 and at most 1000"},
		{"years: 0.5", "submissions: 0", "submissions: 0 is less than 1; expected a number of jobs, 1 to 20000000"},
		{"seed: 3", "submissions: 5", ":7:14: submissions: both years and submissions are given; expected one of them"},
		{"runs_per_year: 1e4", "runs_per_year: 1e9", "jobs: about 5e+08 jobs are submitted; expected at most 20000000: fewer runs_per_year or years, or a number of submissions"},
		{"years: 0.5", "submissions: 20000000", "submissions: the jobs are submitted over 1.98e+03 years; expected at most 1000 years"},
	} {
		text := strings.Replace(goodMix, tt.old, tt.new, 1)
		expect.Need(t, text != goodMix, "%q is not in the mix", tt.old)
		path := expect.File(t, "mix.yaml", text)
		_, err := ReadMix(path, nil)
		expect.Need(t, err != nil, "%s: no error", tt.new)
		got := err.Error()
		expect.That(t, strings.HasPrefix(got, path+":") && strings.Contains(got, tt.want),
			"%s:\n got %s\nwant %s", tt.new, got, tt.want)
		err = form.AgreeText(text, err)
		expect.That(t, err == nil, "%s: %v", tt.new, err)
	}
	for text, want := range map[string]string{
		"queue: {nodes: 8}\njobs: []\n":                       ":2:7: jobs: no kinds of job; expected at least one",
		"queue: {nodes: 8}\n":                                 `missing key "jobs"; expected a list of kinds of job`,
		"machine: sunwulf\nworkload: {name: gauss, n: 100}\n": "this is a scenario; expected a job mix; 'isoscale run' takes this file",
	} {
		expect.Refusal(ReadMix(expect.File(t, "mix.yaml", text), nil))(t, want)
	}
}

// Any bytes are a mix whose jobs can be drawn, or an error with its place in the file.
func FuzzMix(f *testing.F) {
	f.Add([]byte(goodMix))
	f.Add([]byte("queue: {nodes: 1}\njobs: [{name: a, nodes: 1, time: 1 s, runs_per_year: 1e-9}]\nsubmissions: 1\n"))
	form := schematest.Of(f, Type)
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := yamldoc.Parse("fuzz.yaml", data)
		if err != nil {
			return
		}
		m, err := ReadRoot(root)
		if err != nil {
			expect.That(t, input.IsError(err) && input.HasPosition(err),
				"not an error with a place in the input: %v", err)
			return
		}
		expect.Success(t, form.AgreeText(string(data), nil))
		m.Describe()
		m.Years, m.Submissions = 0, 10
		jobs := m.Draw().Jobs
		expect.That(t, len(jobs) == 10, "%d jobs are drawn, want 10", len(jobs))
	})
}

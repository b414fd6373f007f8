package run

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// If one process spends time only on computation, the speed-up over the fastest process is the time
// that this process would need for the work of all ranks, over the time of the run, whatever was
// drawn: speed-up * time = sum of the computation of all ranks at its speed. So no efficiency is
// above 1. The work is what the ranks have computed.
func TestSpeedupOfRandomWork(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 25))
	applications := 0
	for i := range 240 {
		slow, fast, times := 1+r.IntN(5), 1+r.IntN(4), 1+r.IntN(3)
		workload, application := scenariotest.RandomWork(r)
		network := []string{"hockney", "loggops", "ideal", "flow"}[r.IntN(4)]
		text := fmt.Sprintf(scenariotest.TwoSpeeds, times, slow, fast, r.IntN(100), network, i, workload)
		if application != "" {
			applications++
		}
		s := scenariotest.Application(t, text, application)
		x := expect.Value(Run(t.Context(), s, Options{Baseline: BaselineProcess, AllRanks: true}))(t)
		alone := float64(times) * 1e9
		work := 0.0
		for _, rank := range x.Ranks {
			speed := 1e9
			if strings.HasPrefix(rank.Node, "fast") {
				speed = alone
			}
			work += rank.Compute * speed
		}
		expect.Close(t, x.Baseline.Speedup*x.Makespan, work/alone, 1e-12,
			"speed-up x time, the work of all on the fastest process\n%s%s", text, application)
		expect.That(t, math.Abs(x.Work-work) <= 1e-12*work,
			"W = %v flop, and the ranks compute %v flop\n%s%s", x.Work, work, text, application)
		expect.That(t, x.SpeedEfficiency < 1+1e-12 && x.Baseline.Efficiency < 1+1e-12,
			"efficiencies %v and %v\n%s%s", x.SpeedEfficiency, x.Baseline.Efficiency, text, application)
		expect.That(t, !strings.Contains(fmt.Sprint(x.Warnings), "efficienc"), "warns %q\n%s%s", x.Warnings, text, application)
	}
	expect.That(t, applications >= 100 && applications <= 140, "%d applications of 240", applications)
}

// An efficiency above 1 is explained. A process that sustains 1.5 times its marked speed has a
// speed-efficiency of 1.5. Two processes that each have the memory of a node are limited by their
// cores; one process that has work with twice the traffic in each round takes twice the time.
func TestEfficienciesAboveOneAreExplained(t *testing.T) {
	run := func(workload, application string) *Result {
		s := expect.Value(scenario.Documents{"s.yaml": fmt.Appendf(nil, `
machine:
  node_types: {n: {marked_speed: 1 Gflop/s, memory_bandwidth: 1 GB/s}}
  nodes: [{type: n, count: 2}]
  network: {latency: 0 s, bandwidth: 1 GB/s}
network: ideal
workload: %s
`, workload), "a.yaml": []byte(application)}.Read("s.yaml", nil))(t)
		return expect.Value(Run(t.Context(), s, Options{Baseline: BaselineProcess}))(t)
	}
	x := run("{name: pattern, n: 2, compute: 1 Mflop, size: 0 B, sustained: 1.5}", "")
	expect.That(t, math.Abs(x.SpeedEfficiency-1.5) < 1e-12 && len(x.Warnings) == 1 && strings.HasPrefix(x.Warnings[0],
		"the speed-efficiency is above 1: processes compute faster than their marked speed"), "%v, %q", x.SpeedEfficiency, x.Warnings)
	x = run("{application: a.yaml}", `
application: a
work: 2 Mflop
program: [{compute: {flop: 2 Mflop/p, bytes: "p == 1 ? 4 MB : 1 MB"}}]
`)
	want := "the efficiency of the speed-up is above 1: the run achieves 1 of its marked speed, the baseline 0.5 of its own"
	expect.That(t, x.Baseline.Efficiency == 2 && len(x.Warnings) == 1 && x.Warnings[0] == want, "%v, %q", x.Baseline.Efficiency, x.Warnings)
}

// If the stated work is right only for the processes of the run, it is wrong for the one process of the
// baseline, and a warning says so. Two processes compute 1 Mflop each, one process only half of 2 Mflop.
func TestWorkOfTheBaselineIsChecked(t *testing.T) {
	for work, want := range map[string]int{"2 Mflop": 1, "p*1e6": 0} {
		s := expect.Value(scenario.Documents{"s.yaml": []byte(`
machine: {node_types: {n: {marked_speed: 1 Gflop/s}}, nodes: [{type: n, count: 2}], network: {latency: 0 s, bandwidth: 1 GB/s}}
network: ideal
workload: {application: a.yaml}
`), "a.yaml": []byte("application: a\nscaling: weak\nwork: " + work + "\nprogram: [{compute: 1 Mflop}]\n")}.Read("s.yaml", nil))(t)
		x := expect.Value(Run(t.Context(), s, Options{Baseline: BaselineProcess}))(t)
		n := 0
		for _, w := range x.Warnings {
			if strings.HasPrefix(w, "the baseline: application a computes 1 Mflop in all and its work is 2 Mflop") {
				n++
			}
		}
		expect.That(t, n == want && len(x.Warnings) == want, "work %s: warns %q", work, x.Warnings)
	}
}

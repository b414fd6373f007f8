package run

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// For every example on its own network, with overheads of cores, and on shared links, wait states add up to the wait of
// each rank and its idle time at the end, and delay costs to the waits that late ranks caused. Long examples are left
// out. Without ISOSCALE_LONG the two other networks have every second example each.
func TestWaitsOfExamplesAddUp(t *testing.T) {
	expect.Long(t, "runs examples on three networks")
	var files []string
	for _, folder := range []string{"", "topologies/", "applications/", "lessons/overlap"} {
		files = append(files, expect.Value(filepath.Glob("../../../../examples/"+folder+"*.yaml"))(t)...)
	}
	checked := 0
	var late []string
	for class := waits.LateSender; class < waits.Completion; class++ {
		late = append(late, class.String())
	}
	for _, file := range files {
		for _, network := range []string{"", "loggops", "flow"} {
			var overrides []input.Override
			if network != "" {
				overrides = append(overrides, input.Override{Path: "network", Value: network})
			}
			s, err := scenario.Disk.Read(file, overrides)
			if err != nil || s.Workload.N > 2000 || strings.HasSuffix(file, "barrier-1m.yaml") { // another form, or long
				continue
			}
			x := expect.Value(Run(t.Context(), s, Options{Waits: true, AllRanks: true}))(t)
			checked++
			sums, caused, costs := make([]float64, len(x.Ranks)), 0.0, 0.0
			for _, r := range x.Waits.Ranks {
				for _, time := range r.Wait {
					if sums[r.Rank] += time.Time; slices.Contains(late, time.Name) {
						caused += time.Time
					}
				}
			}
			for i, r := range x.Ranks {
				expect.Near(t, sums[i], r.Wait+x.Makespan-r.Finish, 1e-9*x.Makespan, "%s on %s: wait of rank %d", file, network, i)
			}
			for _, c := range x.Waits.Costs {
				costs += c.Total
			}
			expect.Near(t, costs, caused, 1e-9*x.Makespan*float64(len(x.Ranks)), "%s on %s: delay costs", file, network)
			expect.That(t, costs == 0 || strings.HasPrefix(x.Waits.Says(x.Name), "All ranks together wait"), "%s", x.Waits.Says(x.Name))
		}
	}
	expect.That(t, checked >= 30, "%d runs; expected more", checked)
}

// Rank 0 starts an allreduce at once and computes 1 ms; rank 1 computes 3 ms before it starts the allreduce. Rank 0
// waits 2 ms for rank 1 to enter, which computed 2 ms longer, and then for its message of 1 MB and 1 us. The message of
// rank 0 has come by then, so rank 1 is done, unless shared links carry that message only when both ranks are there.
func TestWaitsOfStreams(t *testing.T) {
	const program = `
application: x
parameters: {n: 1}
work: 4 Mflop
program:
- when: rank == 0
  do: [{iallreduce: {size: 1 MB, algorithm: recursive-doubling}}, {compute: 1 Mflop}, {wait: {request: all}}]
  else: [{compute: 3 Mflop}, {iallreduce: {size: 1 MB, algorithm: recursive-doubling}}, {wait: {request: all}}]
`
	for network, last := range map[string]string{"hockney": "1 idle at the end", "flow": "1 completion"} {
		text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 1, 1, 1, network, 1, "{application: a.yaml}")
		s := scenariotest.Application(t, text, program)
		x := expect.Value(Run(t.Context(), s, Options{Waits: true}))(t)
		got := map[string]float64{}
		for _, r := range x.Waits.Ranks {
			for _, w := range r.Wait {
				got[fmt.Sprint(r.Rank, " ", w.Name)] = w.Time
			}
		}
		rest := x.Makespan - 3e-3
		expect.That(t, len(got) == 3 && rest > 1e-3 && rest < 1.1e-3, "%s: %v, %v s", network, got, x.Makespan)
		expect.Close(t, got["0 N x N"], 2e-3, 1e-9, "%s: N x N", network)
		expect.Close(t, got["0 completion"], rest, 1e-9, "%s: rank 0: completion", network)
		expect.Close(t, got[last], rest, 1e-9, "%s: %s", network, last)
		expect.Equal(t, x.Waits.Costs[0].Rank, 1, "%s: who caused most", network)
		expect.Close(t, x.Waits.Costs[0].Compute, 2e-3, 1e-9, "%s: costs", network)
	}
}

// A trace has one line of states for each rank, and messages, including those of streams. It has neither computations
// of streams nor calls at a given cost.
func TestTracesSayWhatTheyLack(t *testing.T) {
	const program = "application: x\nparameters: {n: 1}\nwork: p * 2 Mflop\nscaling: weak\nprogram:\n- %s\n- compute: 1 Mflop\n- compute: 1 Mflop\n"
	for _, tt := range []struct {
		workload, statement string
		warns               bool
	}{
		{"{application: a.yaml}", "{stream: s, do: [{compute: {flop: 1 Mflop, counts: false}}]}", true},
		{"{application: a.yaml}", "iallreduce: {size: 8 B}", false},
		{"{name: gauss, n: 20, bcast: {base: 1 ms}}", "barrier: {}", true},
		{"{name: gauss, n: 20}", "barrier: {}", false},
	} {
		text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 1, 1, 1, "hockney", 1, tt.workload)
		s := scenariotest.Application(t, text, fmt.Sprintf(program, tt.statement))
		for _, trace := range []bool{true, false} {
			x := expect.Value(Run(t.Context(), s, Options{Trace: trace}))(t)
			expect.Equal(t, strings.Contains(fmt.Sprint(x.Warnings), "its replay leaves them out"), tt.warns && trace, "%s, %s: %v", tt.workload, tt.statement, x.Warnings)
		}
	}
}

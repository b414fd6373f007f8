package run

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// Of every example on its own network, with overheads of cores, and on shared links, wait states add up to the wait of each rank and its idle time at the
// end, and what ranks are charged to what they were late for. Those of long examples are left out.
func TestWaitsOfExamplesAddUp(t *testing.T) {
	var files []string
	for _, folder := range []string{"", "topologies/", "applications/"} {
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

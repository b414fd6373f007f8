package catalogue

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// describeSuperProgram shows a super-program in full.
func describeSuperProgram(s *scenario.SuperProgram) *input.Description {
	t := input.DataTable{Title: "levels, outermost first", Columns: []string{"nodes", "SIs", "imbalance", "outstanding", "dispatch", "latency", "bandwidth"}}
	for i, l := range s.Levels {
		c := "-"
		if i < len(s.Imbalance) {
			c = input.Number(s.Imbalance[i])
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(l.Nodes), input.Number(s.Tasks[i]), c, fmt.Sprint(l.Outstanding),
			l.Dispatch.String(), l.Latency.String(), input.OrDash(!math.IsInf(float64(l.Bandwidth), 1), l.Bandwidth)})
	}
	return &input.Description{Title: s.Title, Source: "[Jin]",
		Facts:  []input.Parameter{{Name: "method", Value: string(s.Method)}, {Name: "time of an SI of the last level", Value: s.Time.String()}, {Name: "scatter", Value: input.Number(s.Scatter)}},
		Tables: []input.DataTable{t}}
}

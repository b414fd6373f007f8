package scenario

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/dispatch"
)

// Description shows a super-program in full.
func (s *SuperProgram) Description() *input.Description {
	levels := input.DataTable{Title: "levels, outermost first", Columns: []string{"nodes", "processors", "SIs", "imbalance"}}
	costs := input.DataTable{Title: "dispatch, outermost level first", Columns: []string{"outstanding", "dispatcher", "time", "latency", "operands", "results", "bandwidth", "trunk"}}
	for i, l := range s.Levels {
		c := "-"
		if i < len(s.Imbalance) {
			c = input.Number(s.Imbalance[i])
		}
		levels.Rows = append(levels.Rows, []string{nodesText(l), fmt.Sprint(l.Processors), input.Number(s.Tasks[i]), c})
		dispatcher := "first-node"
		if l.IDU == dispatch.Separate {
			dispatcher = "separate"
		}
		costs.Rows = append(costs.Rows, []string{fmt.Sprint(l.Outstanding), dispatcher, l.Dispatch.String(), l.Latency.String(), l.Operands.String(), l.Results.String(),
			input.OrDash(!math.IsInf(float64(l.Bandwidth), 1), l.Bandwidth), input.OrDash(!math.IsInf(float64(l.Trunk), 1), l.Trunk)})
	}
	notes := s.speedNotes()
	if _, rounded := s.Rounding(); rounded != "" {
		notes = append(notes, rounded)
	}
	return &input.Description{Title: s.Title, Source: "[Jin]",
		Facts:  []input.Parameter{{Name: "method", Value: string(s.Method)}, {Name: "time of an SI of the last level", Value: s.Time.String()}, {Name: "scatter", Value: input.Number(s.Scatter)}},
		Tables: []input.DataTable{levels, costs}, Notes: notes}
}

// nodesText is the number of nodes of each group of a level.
func nodesText(l dispatch.Level) string {
	if l.Counts == nil {
		return fmt.Sprint(l.Nodes)
	}
	return list(l.Counts)
}

// speedNotes say of each level whose nodes have other speeds than 1 which.
func (s *SuperProgram) speedNotes() []string {
	var notes []string
	for i, l := range s.Levels {
		if l.Speeds != nil {
			notes = append(notes, fmt.Sprintf("speeds of the nodes of level %d, in turn: %s", i+1, list(l.Speeds)))
		}
	}
	return notes
}

func list[T any](all []T) string {
	var parts []string
	for _, x := range all {
		parts = append(parts, fmt.Sprint(x))
	}
	return strings.Join(parts, ", ")
}

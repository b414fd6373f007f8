package catalogue

import (
	_ "embed" // the algorithms
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

//go:embed collectives.csv
var collectives string

// algorithmDocs describes each algorithm of workloads/collective on a line, in the order of the table in
// docs/models/collectives.md. The columns: operations, name, how it works, source.
var algorithmDocs = func() [][]string {
	rows, err := csv.NewReader(strings.NewReader(collectives)).ReadAll()
	if err != nil {
		panic(err) // the file is in the program
	}
	return rows[1:]
}()

func describeCollective(op workloads.Collective) *input.Description {
	t := input.DataTable{Title: "algorithms", Columns: []string{"algorithm", "how"}}
	for _, a := range algorithmDocs {
		if slices.Contains(strings.Fields(a[0]), op.String()) {
			t.Rows = append(t.Rows, []string{a[1], a[2] + "; " + a[3]})
		}
	}
	return &input.Description{Kind: "collective", Name: op.String(), Tables: []input.DataTable{t},
		Facts: []input.Parameter{
			{Name: "algorithms", Value: input.List(collective.Names(op))},
			{Name: "rules that choose", Value: input.List(collective.RulesNames())},
			{Name: "measured cost", Value: "{base, per_process, per_byte}"},
		}}
}

// describeAlgorithm describes an algorithm for collective operations, or the rules by which an MPI library chooses one;
// nil if neither has this name.
func describeAlgorithm(name string) *input.Description {
	if slices.Contains(collective.RulesNames(), name) {
		return &input.Description{Kind: "rules", Name: name,
			Title: "rules that choose an algorithm for each collective call, by the number of processes and the size",
			Facts: []input.Parameter{{Name: "in a scenario", Value: fmt.Sprintf("workload: {..., bcast: %s}", name)}}}
	}
	t := input.DataTable{Title: "collective operations", Columns: []string{"operation", "how"}}
	for _, a := range algorithmDocs {
		if a[1] == name {
			for op := range strings.FieldsSeq(a[0]) {
				t.Rows = append(t.Rows, []string{op, a[2] + "; " + a[3]})
			}
		}
	}
	if t.Rows == nil {
		return nil
	}
	return &input.Description{Kind: "algorithm", Name: name, Title: "an algorithm for collective operations",
		Tables: []input.DataTable{t}}
}

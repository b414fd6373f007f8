package analysis_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Three sizes of a machine with two networks: what pays, and does one step lead
// from each best machine to the next?
func Example() {
	table := &studytable.Table{
		Factors: []studytable.Factor{
			{Name: "nodes", Levels: []studytable.Level{{Text: "1", Value: 1, Numeric: true}, {Text: "2", Value: 2, Numeric: true}, {Text: "4", Value: 4, Numeric: true}}},
			{Name: "network", Levels: []studytable.Level{{Text: "slow"}, {Text: "fast"}}},
		},
		Responses: []studytable.Response{{Name: "speedup"}},
	}
	for nodes, speedups := range [][]float64{{1, 0.9}, {1.6, 1.9}, {2, 3.6}} {
		for network, s := range speedups {
			table.Rows = append(table.Rows, studytable.Row{Levels: []int{nodes, network}, Values: []float64{s}})
		}
	}
	growth, err := analysis.Best(table, "speedup", studytable.Maximize, "nodes")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range growth.Optima {
		fmt.Printf("%s: %g (%v)\n", table.Describe(o.Levels), o.Value, o.Move)
	}
	// Output:
	// nodes = 1, network = slow: 1 (first)
	// nodes = 2, network = fast: 1.9 (switch)
	// nodes = 4, network = fast: 3.6 (step)
}

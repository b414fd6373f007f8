package effects_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Three sizes of a machine with two networks: which of the two matters more?
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
	sensitivity, err := effects.Sensitivity(table, "speedup")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range sensitivity.Factors {
		fmt.Printf("%s: %.2f to %.2f, %.0f %% of the variance\n", table.Factors[f.Factor].Name, f.Lowest, f.Highest, 100*f.Share)
	}
	// Output:
	// nodes: 0.95 to 2.80, 72 % of the variance
	// network: 1.53 to 2.13, 11 % of the variance
}

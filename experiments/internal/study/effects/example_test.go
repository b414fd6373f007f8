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
	e, err := effects.Of(table, "speedup", false, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range e.Factors {
		fmt.Printf("%s: %.0f %% of the variance, alone %.0f %%\n", table.Factors[f.Factor].Name, 100*f.Share, 100*f.Alone)
	}
	// Output:
	// nodes: 80 % of the variance, alone 72 %
	// network: 20 % of the variance, alone 11 %
}

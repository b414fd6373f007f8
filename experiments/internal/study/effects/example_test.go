package effects_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
)

// Three sizes of a machine with two networks: which of the two matters more?
func Example() {
	table := &analysis.Table{
		Factors: []analysis.Factor{
			{Name: "nodes", Levels: []analysis.Level{{Text: "1", Value: 1, Numeric: true}, {Text: "2", Value: 2, Numeric: true}, {Text: "4", Value: 4, Numeric: true}}},
			{Name: "network", Levels: []analysis.Level{{Text: "slow"}, {Text: "fast"}}},
		},
		Responses: []analysis.Response{{Name: "speedup"}},
	}
	for nodes, speedups := range [][]float64{{1, 0.9}, {1.6, 1.9}, {2, 3.6}} {
		for network, s := range speedups {
			table.Rows = append(table.Rows, analysis.Row{Levels: []int{nodes, network}, Values: []float64{s}})
		}
	}
	cells, err := table.Gather("speedup", analysis.Maximize)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := effects.Of(cells, false, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range e.Factors {
		fmt.Printf("%s: %.0f %% of the variance, alone %.0f %%\n", f.Factor, 100*f.Share, 100*f.Alone)
	}
	// Output:
	// nodes: 80 % of the variance, alone 72 %
	// network: 20 % of the variance, alone 11 %
}

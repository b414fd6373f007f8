package analysis_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
)

// Three sizes of a machine with two networks: what pays, and does one step lead
// from each best machine to the next?
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
	if err == nil {
		cells, err = cells.By("nodes")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range cells.Growth().Optima {
		fmt.Printf("%v: %g (%s)\n", o.Levels, o.Value, o.Move)
	}
	// Output:
	// map[network:slow nodes:1]: 1 (first)
	// map[network:fast nodes:2]: 1.9 (switch)
	// map[network:fast nodes:4]: 3.6 (step)
}

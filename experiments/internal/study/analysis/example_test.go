package analysis_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
)

// Three sizes of a machine with two networks: what pays, and does one step lead
// from each best machine to the next?
func Example() {
	factors := []analysis.Factor{kit.Numbers("nodes", 1, 2, 4), kit.Words("network", "slow", "fast")}
	table := kit.Factorial(factors, 1, kit.Listed(1, 0.9, 1.6, 1.9, 2, 3.6))
	cells, err := table.Gather("y", analysis.Maximize)
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

package effects_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
)

// Three sizes of a machine with two networks: which of the two matters more?
func Example() {
	factors := []analysis.Factor{kit.Numbers("nodes", 1, 2, 4), kit.Words("network", "slow", "fast")}
	cells, err := kit.Factorial(factors, 1, kit.Listed(1, 0.9, 1.6, 1.9, 2, 3.6)).Gather("y", analysis.Maximize)
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

package algorithm_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Six rows for two processes, the first of them twice as fast. Dealt from the
// last row on, its rows are done at 1/2, 2/2, 3/2, 4/2, those of the other one
// at 1 and 2, and the first one wins the ties. So of the last three rows it has
// two, as of all six.
func ExampleCyclic() {
	fmt.Println(algorithm.Cyclic(6, []units.FlopsPerSecond{2e9, 1e9}))
	fmt.Println(algorithm.Shares(6, []units.FlopsPerSecond{2e9, 1e9}))
	// Output:
	// [1 0 0 1 0 0]
	// [4 2]
}

// The product of 4 x 4 matrices on two processes, the first of them three times
// as fast: it gets 3 of 4 rows, each of 2*4^2 = 32 flop. Collective operations
// have a measured cost of 1 ms here; a matrix is 4*4*8 = 128 bytes.
func ExampleMatMul() {
	cost := &collective.Cost{Base: 1e-3}
	product := algorithm.MatMul{
		Problem: algorithm.Problem{N: 4, Speeds: []units.FlopsPerSecond{3e9, 1e9}, Element: 8},
		Scatter: collective.Choice{Operation: workloads.Scatter, Cost: cost},
		Bcast:   collective.Choice{Operation: workloads.Bcast, Cost: cost},
		Gather:  collective.Choice{Operation: workloads.Gather, Cost: cost},
	}
	if err := product.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("W(4) = %v\n", product.Work())

	program := product.Program()
	for rank := range program.Ranks() {
		for {
			var op workloads.Op
			if !program.Next(rank, &op) {
				break
			}
			switch op.Kind {
			case workloads.Compute:
				fmt.Printf("rank %d: compute %v\n", rank, op.Work)
			case workloads.Measured:
				fmt.Printf("rank %d: %v of %v\n", rank, op.Collective, op.Size)
			}
		}
	}
	// Output:
	// W(4) = 128 flop
	// rank 0: scatter of 128 B
	// rank 0: bcast of 128 B
	// rank 0: compute 96 flop
	// rank 0: gather of 128 B
	// rank 1: scatter of 128 B
	// rank 1: bcast of 128 B
	// rank 1: compute 32 flop
	// rank 1: gather of 128 B
}

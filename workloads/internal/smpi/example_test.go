package smpi_test

import (
	"fmt"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

// A scatter of 1000 bytes to each of 6 ranks along the binomial tree of
// smpi/scatter:ompi_binomial, which serves the smallest subtree first.
func Example() {
	var selector smpi.Selector
	if err := selector.Set("scatter", "ompi_binomial"); err != nil {
		fmt.Println(err)
		return
	}
	for rank := range 6 {
		sequence, err := selector.Start(smpi.Call{
			Operation: smpi.Scatter, Ranks: 6, Rank: rank, Root: 0,
			SendCount: 1000, RecvCount: 1000, SendElement: 1, RecvElement: 1,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("rank %d:", rank)
		var op workloads.Op
		for sequence.Next(&op) {
			fmt.Printf(" %v %d (%.0f bytes)", op.Kind, op.Peer, float64(op.Size))
		}
		fmt.Println()
	}
	// Output:
	// rank 0: send 1 (1000 bytes) send 2 (2000 bytes) send 4 (2000 bytes)
	// rank 1: recv 0 (1000 bytes)
	// rank 2: recv 0 (2000 bytes) send 3 (1000 bytes)
	// rank 3: recv 2 (1000 bytes)
	// rank 4: recv 0 (2000 bytes) send 5 (1000 bytes)
	// rank 5: recv 4 (1000 bytes)
}

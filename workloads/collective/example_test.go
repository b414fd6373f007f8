package collective_test

import (
	"fmt"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// The messages of a binomial broadcast of 1000 bytes from rank 0 to 5 others.
// The largest subtree is served first: rank 4 passes the data on to 5 while the
// root still serves 2 and 1.
func Example() {
	bcast, err := collective.Lookup(workloads.Bcast, "binomial")
	if err != nil {
		fmt.Println(err)
		return
	}
	choice := collective.Choice{Operation: workloads.Bcast, Algorithm: bcast}
	call := collective.Call{Size: 6, Root: 0}
	blocks := collective.Uniform(1, 1000)

	for rank := range call.Size {
		fmt.Printf("rank %d:", rank)
		var k int32
		var op workloads.Op
		for collective.Next(choice, call, blocks, 0, rank, &k, &op) {
			fmt.Printf(" %v %d (%.0f bytes)", op.Kind, op.Peer, float64(op.Size))
		}
		fmt.Println()
	}
	// Output:
	// rank 0: send 4 (1000 bytes) send 2 (1000 bytes) send 1 (1000 bytes)
	// rank 1: recv 0 (1000 bytes)
	// rank 2: recv 0 (1000 bytes) send 3 (1000 bytes)
	// rank 3: recv 2 (1000 bytes)
	// rank 4: recv 0 (1000 bytes) send 5 (1000 bytes)
	// rank 5: recv 4 (1000 bytes)
}

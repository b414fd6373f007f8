package collective_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
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

// Which allreduce MPICH would use among 16 processes, from one number to a
// megabyte.
func ExampleLookupRules() {
	rules, err := collective.LookupRules("mpich")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, size := range []units.Bytes{8, 2048, 2049, 1e6} {
		fmt.Printf("%7.0f bytes: %s\n", float64(size), rules.Choose(workloads.Allreduce, collective.Call{Size: 16}, size).Name())
	}
	// Output:
	//       8 bytes: recursive-doubling
	//    2048 bytes: recursive-doubling
	//    2049 bytes: rabenseifner
	// 1000000 bytes: rabenseifner
}

// A barrier among the ranks 1, 4 and 7: the middle column of a grid of 3 rows
// and 3 columns. Ranks count within the group, peers among all.
func ExampleIn() {
	barrier, err := collective.Lookup(workloads.Barrier, "dissemination")
	if err != nil {
		fmt.Println(err)
		return
	}
	choice := collective.Choice{Operation: workloads.Barrier, Algorithm: barrier}
	column := collective.Strided{First: 1, Stride: 3, N: 3}
	call := collective.In(column, 1, 0)

	for member := range call.Size {
		fmt.Printf("rank %d:", column.World(member))
		var k int32
		var op workloads.Op
		for collective.Next(choice, call, collective.Uniform(0, 0), 0, member, &k, &op) {
			fmt.Printf(" to %d, from %d;", op.Peer, op.From)
		}
		fmt.Println()
	}
	// Output:
	// rank 1: to 4, from 7; to 7, from 4;
	// rank 4: to 7, from 1; to 1, from 7;
	// rank 7: to 1, from 4; to 4, from 1;
}

package goal_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/isoscale/isoscale/workloads/goal"
)

// Rank 0 computes, then sends; rank 1 receives from anybody.
func Example() {
	s, err := goal.Read("hello.goal", strings.NewReader(`
num_ranks 2
rank 0 {
work: calc 1000
hello: send 8b to 1
hello requires work
}
rank 1 {
recv 8b from -1
}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, op := range s.Ops() {
		fmt.Printf("rank %d, line %d: %v of size %d\n", op.Rank, s.Line(int32(i)), op.Kind, op.Size)
	}
	fmt.Println("waits for the first:", s.Ops()[s.Dependents(0)[0].Op()].Kind)
	if err := goal.Write(os.Stdout, s); err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 0, line 4: calc of size 1000
	// rank 0, line 5: send of size 8
	// rank 1, line 9: recv of size 8
	// waits for the first: send
	// num_ranks 2
	//
	// rank 0 {
	// l1: calc 1000
	// l2: send 8b to 1 tag 0
	// l2 requires l1
	// }
	//
	// rank 1 {
	// l1: recv 8b from -1 tag 0
	// }
}

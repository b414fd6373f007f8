package titrace_test

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Rank 0 computes and sends 1000 numbers of 4 bytes; rank 1 receives them.
func Example() {
	p, err := titrace.Read("hello.ti", strings.NewReader(`
0 init
1 init
0 compute 1e9
1 irecv 0 7 1000 1
0 send 1 7 1000 1
1 wait 0 1 7
0 finalize
1 finalize
`), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for rank := range p.Ranks() {
		var op workloads.Op
		for p.Next(rank, &op) {
			fmt.Println("rank", rank, op.Kind, op.Work, op.Size)
			op = workloads.Op{}
		}
	}
	if err := p.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 0 compute 1 Gflop 0 B
	// rank 0 send 0 flop 4 kB
	// rank 1 irecv 0 flop 4 kB
	// rank 1 wait 0 flop 0 B
}

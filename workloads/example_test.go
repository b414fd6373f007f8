package workloads_test

import (
	"fmt"

	"github.com/isoscale/isoscale/workloads"
)

// pingPong is a program of two ranks as a state machine: rank 0 sends 8 bytes and
// receives them back, as often as rounds says. A rank needs one number.
type pingPong struct {
	rounds int
	step   [2]int
}

func (p *pingPong) Ranks() int { return 2 }

func (p *pingPong) Next(rank int, op *workloads.Op) bool {
	k := p.step[rank]
	if k == 2*p.rounds {
		return false
	}
	p.step[rank]++
	op.Kind, op.Peer, op.Size = workloads.Recv, int32(1-rank), 8
	if k%2 == rank {
		op.Kind = workloads.Send
	}
	return true
}

func Example() {
	p := &pingPong{rounds: 2}
	for rank := range p.Ranks() {
		for op := (workloads.Op{}); p.Next(rank, &op); op = (workloads.Op{}) {
			fmt.Println(rank, op.Kind, op.Peer, op.Size)
		}
	}
	// Output:
	// 0 send 1 8 B
	// 0 recv 1 8 B
	// 0 send 1 8 B
	// 0 recv 1 8 B
	// 1 recv 0 8 B
	// 1 send 0 8 B
	// 1 recv 0 8 B
	// 1 send 0 8 B
}

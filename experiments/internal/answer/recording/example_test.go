package recording_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/recording"
	"github.com/isoscale/isoscale/workloads"
)

// printer prints what ranks do.
type printer struct{}

func (printer) Op(rank int, op *workloads.Op, _ uint64) error {
	fmt.Println(rank, op.Kind, "peer", op.Peer, op.Size)
	return nil
}

func (printer) End(rank int) { fmt.Println(rank, "end") }

// A receive is recorded with the size of the message that it got, which the program
// did not say.
func Example() {
	p := recording.New(&script{ops: [][]workloads.Op{
		{{Kind: workloads.Send, Peer: 1, Size: 1000}},
		{{Kind: workloads.Recv, Peer: 0}},
	}}, printer{})
	// What an engine does: it asks the ranks, and tells what they receive.
	var send, receive workloads.Op
	p.Next(0, &send)
	p.Next(1, &receive)
	p.Received(1, 0, send.Tag, send.Size)
	for rank := range p.Ranks() {
		p.Next(rank, new(workloads.Op))
	}
	// Output:
	// 0 send peer 1 1 kB
	// 0 end
	// 1 recv peer 0 1 kB
	// 1 end
}

package algorithm

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Message is the smallest program with a message: process 0 sends one of the
// given size to process 1.
type Message struct{ Size units.Bytes }

// Program returns a fresh run.
func (m Message) Program() workloads.Program {
	return newMachine(2, 0).once(func(rank, _ int, k *int32, op *workloads.Op) bool {
		if rank == 0 {
			return single(workloads.Op{Kind: workloads.Send, Peer: 1, Size: m.Size}, k, op)
		}
		return single(workloads.Op{Kind: workloads.Recv, Peer: 0}, k, op)
	})
}

package algorithm

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Call is the smallest program with a collective operation: all processes enter
// it at once and end when they leave it. Its makespan is the operation's time,
// as one would measure it.
type Call struct {
	Processes int
	Choice    collective.Choice
	Size      units.Bytes // of all blocks together, split evenly
}

// Program returns a fresh run of the call. The parameters must be valid.
func (c Call) Program() workloads.Program {
	n := max(1, collective.BlockCount(c.Choice.Operation, c.Processes))
	blocks := collective.Uniform(n, c.Size/units.Bytes(n))
	return newMachine(c.Processes, 0).once(call(c.Choice, collective.Call{Size: c.Processes}, blocks))
}

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

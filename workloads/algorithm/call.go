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
	return &call{Call: c, blocks: collective.Uniform(n, c.Size/units.Bytes(n)), step: make([]int32, c.Processes)}
}

type call struct {
	Call
	blocks collective.UniformBlocks
	step   []int32
}

func (c *call) Ranks() int { return c.Processes }

func (c *call) Next(rank int, op *workloads.Op) bool {
	return collective.Next(c.Choice, collective.Call{Size: c.Processes}, c.blocks, 0, rank, &c.step[rank], op)
}

// Message is the smallest program with a message: process 0 sends one of the
// given size to process 1.
type Message struct{ Size units.Bytes }

// Program returns a fresh run.
func (m Message) Program() workloads.Program { return &message{Message: m} }

type message struct {
	Message
	done [2]bool
}

func (m *message) Ranks() int { return 2 }

func (m *message) Next(rank int, op *workloads.Op) bool {
	if m.done[rank] {
		return false
	}
	m.done[rank] = true
	if rank == 0 {
		*op = workloads.Op{Kind: workloads.Send, Peer: 1, Size: m.Size}
	} else {
		*op = workloads.Op{Kind: workloads.Recv, Peer: 0}
	}
	return true
}

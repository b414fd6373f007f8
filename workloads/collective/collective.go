package collective

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Tag marks the messages of collective operations. Tags of a workload's own
// messages must be smaller.
const Tag int32 = 1 << 30

// Call is one collective operation: Size ranks, numbered from 0, and the root.
// Root is 0 where the operation has none.
type Call struct {
	Size int
	Root int
}

// Step is one action of one rank.
type Step struct {
	// Kind is one of workloads.Send, Isend, Recv, Irecv, Waitall, or Compute
	// for the arithmetic of a reduction on the blocks named. What an Isend
	// sends is what the blocks are when it starts; what an Irecv receives is
	// there after the Waitall.
	Kind workloads.Kind
	// Peer is the other rank of a message.
	Peer int
	// First and Count name the blocks First, First+1, ... First+Count-1, all
	// modulo the number of blocks (see BlockCount). Count is 0 for a message
	// without data.
	First, Count int
	// Combine marks a received block that is combined with the receiver's own
	// instead of replacing it. A Compute on the block must follow before the
	// block is used.
	Combine bool
}

// Algorithm is one way to carry out a collective operation.
type Algorithm interface {
	// Name is the name by which a user chooses the algorithm, as "binomial".
	Name() string
	// Operation is what the algorithm carries out.
	Operation() workloads.Collective
	// Step stores in *s what rank does as its k-th step, k = 0, 1, ..., and
	// reports whether there is such a step. It must be a pure function; s
	// arrives zeroed. The cost of one call should not grow with k.
	Step(c Call, rank, k int, s *Step) bool
}

// Blocks tells how large the blocks of a call are.
type Blocks interface {
	// Range returns the total size of the count blocks from first on, modulo
	// the number of blocks.
	Range(first, count int) units.Bytes
}

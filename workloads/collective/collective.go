package collective

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Step is one action of one rank.
type Step struct {
	// Kind is one of workloads.Send, Isend, Recv, Irecv, Sendrecv, Wait, or Compute for
	// the arithmetic of a reduction on Blocks. A send sends the blocks as they are when
	// it starts; the blocks of an Irecv have arrived after its Wait.
	//
	// There is no Waitall, because it would also wait for requests of the
	// workload that makes the call.
	Kind workloads.Kind
	// Combine marks received blocks that are combined with the receiver's own
	// instead of replacing them. A Compute on them must follow before they are
	// used.
	Combine bool
	// Peer is the other rank of a message; for a Sendrecv, the rank sent to.
	Peer int
	// From is the rank that a Sendrecv receives from.
	From int
	// Request names an Isend or Irecv by a number from 0 to 2^30-1 that no
	// other open request of the call has, and says which one a Wait is for.
	Request int
	// Blocks are what a message carries or a Compute works on; for a Sendrecv,
	// what it sends.
	Blocks BlockSet
	// Received are the blocks that a Sendrecv receives. Combine refers to them.
	Received BlockSet
}

// Algorithm is one way to carry out a collective operation.
type Algorithm interface {
	// Name is the name by which a user chooses the algorithm, as "binomial".
	Name() string
	// Operation is what the algorithm carries out.
	Operation() workloads.Collective
	// Step returns what rank does as its k-th step, k = 0, 1, ..., and reports
	// whether there is such a step. It must be a pure function, and its cost
	// must not grow with k; it may grow with the logarithm of c.Size.
	Step(c Call, rank, k int) (Step, bool)
}

// Divider is an algorithm for an operation on one block (see [BlockCount]) that cuts
// this block into pieces and passes these on separately. It sees the pieces as its
// blocks, numbered from 0. [Next] asks for their number, passes it to Step in
// Call.Pieces, and cuts into pieces as equal as whole bytes can be.
type Divider interface {
	Algorithm
	// Pieces returns the number of pieces, at least 1, for size bytes. It must
	// be a pure function.
	Pieces(c Call, size units.Bytes) int
}

// Blocks tells how large the blocks of a call are.
type Blocks interface {
	// Size returns the total size of the blocks of a set.
	Size(s BlockSet) units.Bytes
}

// The steps of which algorithms consist, as their step functions return them.

func send(to int, blocks BlockSet) (Step, bool) {
	return Step{Kind: workloads.Send, Peer: to, Blocks: blocks}, true
}

func recv(from int, blocks BlockSet) (Step, bool) {
	return Step{Kind: workloads.Recv, Peer: from, Blocks: blocks}, true
}

// recvCombine receives blocks that are combined with the rank's own; compute must
// follow.
func recvCombine(from int, blocks BlockSet) (Step, bool) {
	return Step{Kind: workloads.Recv, Peer: from, Blocks: blocks, Combine: true}, true
}

// compute is the arithmetic of a reduction.
func compute(blocks BlockSet) (Step, bool) {
	return Step{Kind: workloads.Compute, Blocks: blocks}, true
}

// exchange sends and receives at the same time.
func exchange(to int, sent BlockSet, from int, received BlockSet) (Step, bool) {
	return Step{Kind: workloads.Sendrecv, Peer: to, Blocks: sent, From: from, Received: received}, true
}

// combine is two steps: for even k an exchange whose received blocks are combined with
// the rank's own, for odd k the arithmetic on them.
func combine(k, to int, sent BlockSet, from int, received BlockSet) (Step, bool) {
	if k%2 == 1 {
		return compute(received)
	}
	s, ok := exchange(to, sent, from, received)
	s.Combine = true
	return s, ok
}

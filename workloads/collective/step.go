package collective

import "github.com/isoscale/isoscale/workloads"

// The steps that algorithms consist of, as their step functions return them.

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
// the rank's own, and for odd k the arithmetic on them.
func combine(k, to int, sent BlockSet, from int, received BlockSet) (Step, bool) {
	if k%2 == 1 {
		return compute(received)
	}
	s, ok := exchange(to, sent, from, received)
	s.Combine = true
	return s, ok
}

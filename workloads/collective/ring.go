package collective

import "github.com/isoscale/isoscale/workloads"

// ring returns round i of P-1 rounds in which blocks go round: rank sends a
// block to the next rank and receives another one from the rank before. In
// round 0 it sends the block first; in each further round, the one that it has
// received in the round before. The next rank must have a first that is one
// larger, modulo P.
func ring(c Call, rank, first, i int) (Step, bool) {
	if i >= c.Size-1 {
		return Step{}, false
	}
	return Step{
		Kind: workloads.Sendrecv,
		Peer: c.mod(rank + 1), Blocks: Range(c.mod(first-i), 1),
		From: c.mod(rank - 1), Received: Range(c.mod(first-i-1), 1),
	}, true
}

// combiningRing is a ring in which every block received is combined with what
// the rank has: two steps a round. A block that has gone round comes to rest,
// with everybody's contribution, at the rank whose first is one less.
func combiningRing(c Call, rank, first, k int) (Step, bool) {
	s, ok := ring(c, rank, first, k/2)
	s.Combine = true
	return combining(s, ok, k)
}

// combining returns the step itself for even k and the arithmetic on what it
// has received for odd k.
func combining(s Step, ok bool, k int) (Step, bool) {
	switch {
	case !ok:
		return Step{}, false
	case k%2 == 0:
		return s, true
	}
	return Step{Kind: workloads.Compute, Blocks: s.Received}, true
}

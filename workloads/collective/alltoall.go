package collective

import (
	"math/bits"

	"github.com/isoscale/isoscale/workloads"
)

// alltoallBruck is the all-to-all exchange in ceil(log2 P) rounds: a block
// travels the distance from its source to its destination by powers of two. In
// round i a rank passes all blocks that it holds and in whose distance bit i is
// set on to rank r+2^i, in one message of about P/2 blocks. A block is sent as
// many times as its distance has set bits.
//
// Source: [Bruck1997]; [Thakur2005], section on all-to-all (the algorithm for short
// messages). Deviation: the rotations and the packing of blocks in memory cost nothing
// here. Blocks may differ in size, which MPI libraries do not offer; then they are
// priced one by one.
func alltoallBruck(c Call, rank, k int) (Step, bool) {
	if k >= bits.Len(uint(c.Size-1)) { // ceil(log2 P)
		return Step{}, false
	}
	to, from := c.mod(rank+1<<k), c.mod(rank-1<<k)
	return exchange(to, Relay(c.Size, rank, k), from, Relay(c.Size, from, k))
}

// alltoallLinear is the all-to-all exchange in which every rank starts all its
// receives, from r+1, r+2, ..., then all its sends, to r-1, r-2, ..., and then
// waits for all of them in that order: P(P-1) messages, each block straight to
// its destination, all at once.
//
// Source: the basic linear algorithm of Open MPI.
func alltoallLinear(c Call, rank, k int) (Step, bool) {
	n := c.Size - 1
	switch {
	case k < n:
		from := c.mod(rank + 1 + k)
		return Step{Kind: workloads.Irecv, Peer: from, Request: k, Blocks: Range(from*c.Size+rank, 1)}, true
	case k < 2*n:
		to := c.mod(rank - 1 - (k - n))
		return Step{Kind: workloads.Isend, Peer: to, Request: k, Blocks: Range(rank*c.Size+to, 1)}, true
	case k < 4*n:
		return Step{Kind: workloads.Wait, Request: k - 2*n}, true
	}
	return Step{}, false
}

// alltoallPairwise is the all-to-all exchange in P-1 rounds: in round
// i = 1, 2, ... rank r sends its block to r+i and receives one from r-i. P(P-1)
// messages, each block straight to its destination.
//
// Source: [Thakur2005], section on all-to-all (the algorithm for long messages);
// the pairwise algorithm of Open MPI. Deviation: for a power of two MPICH
// exchanges with rank r xor i.
func alltoallPairwise(c Call, rank, k int) (Step, bool) {
	if k >= c.Size-1 {
		return Step{}, false
	}
	to, from := c.mod(rank+1+k), c.mod(rank-1-k)
	return exchange(to, Range(rank*c.Size+to, 1), from, Range(from*c.Size+rank, 1))
}

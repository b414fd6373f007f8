package collective

import "math/bits"

// alltoallBruck is the all-to-all exchange in ceil(log2 P) rounds: a block
// travels the distance from its source to its destination by powers of two. In
// round i a rank passes all blocks that it holds and in whose distance bit i is
// set on to rank r+2^i, in one message of about P/2 blocks. A block is sent as
// many times as its distance has set bits.
//
// Source: [Bruck1997]; [Thakur2005], section on all-to-all (the algorithm for
// short messages). Deviation: the rotations and the packing of blocks in memory
// cost nothing here. Blocks may differ in size, which MPI libraries do not
// offer, but then they are priced one by one.
func alltoallBruck(c Call, rank, k int) (Step, bool) {
	if k >= bits.Len(uint(c.Size-1)) { // ceil(log2 P)
		return Step{}, false
	}
	to, from := c.mod(rank+1<<k), c.mod(rank-1<<k)
	return exchange(to, Relay(c.Size, rank, k), from, Relay(c.Size, from, k))
}

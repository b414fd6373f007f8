package collective

import "math/bits"

// barrierDissemination is the barrier without a centre. In round i = 0, 1, ...
// rank r sends to r + 2^i and receives from r - 2^i, both modulo P. After round
// i it has heard, directly or through others, of the 2^(i+1) - 1 ranks before
// it; after ceil(log2 P) rounds, of all. P messages without data a round.
//
// Source: [Hensgen1988], the dissemination algorithm. Deviation: the source sets flags
// in shared memory; here a flag is a message.
func barrierDissemination(c Call, rank, k int) (Step, bool) {
	if k >= bits.Len(uint(c.Size-1)) { // ceil(log2 P)
		return Step{}, false
	}
	distance := 1 << k // less than P
	return exchange(c.mod(rank+distance), BlockSet{}, c.mod(rank-distance), BlockSet{})
}

// barrierLinear is the barrier in which every rank reports to rank 0, which
// hears them in rank order and then releases them in rank order: 2(P-1)
// messages without data, all of them through rank 0.
//
// Source: the basic linear barrier of Open MPI. Deviation: Open MPI hears the ranks in
// the order in which they come.
func barrierLinear(c Call, rank, k int) (Step, bool) {
	n := c.Size - 1
	switch {
	case rank == 0 && k < n:
		return recv(k+1, BlockSet{})
	case rank == 0 && k < 2*n:
		return send(k-n+1, BlockSet{})
	case rank > 0 && k == 0:
		return send(0, BlockSet{})
	case rank > 0 && k == 1:
		return recv(0, BlockSet{})
	}
	return Step{}, false
}

// barrierTree is the barrier along a binomial tree: every rank hears its
// children, the smallest subtree first, reports to its parent, is released by
// it and releases its children, the largest subtree first. 2(P-1) messages
// without data, at most 2 floor(log2 P) of them one after the other.
//
// Source: a gather and a broadcast along the tree of [Thakur2005] without data; "tree"
// of Open MPI.
func barrierTree(c Call, rank, k int) (Step, bool) {
	n := children(c.Size, rank)
	up := n // number of the step up; the root has none
	if rank > 0 {
		up++
	}
	switch {
	case k < n:
		return recv(rank+1<<k, BlockSet{})
	case k < up:
		return send(parent(rank), BlockSet{})
	}
	s, ok := bcastBinomial(c, rank, k-up)
	s.Blocks = BlockSet{}
	return s, ok
}

package collective

// reduceBinomial is the reduction along a binomial tree: the broadcast run backwards. A
// rank receives from its children, the smallest subtree first because it is ready
// first, combines each block with its own, and then sends the result to its parent. The
// root is done after ceil(log2 P) messages and as many combinations in a row.
//
// Source: [Thakur2005], section on reduce (the algorithm for short messages),
// in the order of MPICH. Deviation: ranks are numbered from the root, so the
// operator is taken to be commutative unless the root is rank 0.
func reduceBinomial(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	n := children(c.Size, v)
	switch i := k / 2; {
	case i < n && k%2 == 0:
		return recvCombine(c.absolute(v+1<<i), Range(0, 1))
	case i < n:
		return compute(Range(0, 1))
	case k == 2*n && v > 0:
		return send(c.absolute(parent(v)), Range(0, 1))
	}
	return Step{}, false
}

// reduceFlat is the reduction in which every rank sends its block to the root.
// The root takes them in rank order, each followed by the arithmetic that
// combines it with what it has: P-1 messages and P-1 combinations, all at the
// root.
//
// Source: the definition of MPI_Reduce taken literally [MPI4]; called linear
// elsewhere. Deviation: the root starts from its own block, so the operator is
// taken to be commutative unless the root is rank 0.
func reduceFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank != c.Root && k == 0:
		return send(c.Root, Range(0, 1))
	case rank == c.Root && k < 2*(c.Size-1) && k%2 == 0:
		return recvCombine(c.other(k/2), Range(0, 1))
	case rank == c.Root && k < 2*(c.Size-1):
		return compute(Range(0, 1))
	}
	return Step{}, false
}

// reduceScatterPairwise is the reduce-scatter in P-1 rounds: in round i = 1, 2, ...
// rank r sends its contribution to block r+i to that rank and combines the contribution
// of r-i. P(P-1) messages, one block each.
//
// Source: [Thakur2005], section on reduce-scatter (the algorithm for long
// messages).
func reduceScatterPairwise(c Call, rank, k int) (Step, bool) {
	i := 1 + k/2
	if i >= c.Size {
		return Step{}, false
	}
	to, from := c.mod(rank+i), c.mod(rank-i)
	return combine(k, to, Range(to, 1), from, Range(rank, 1))
}

// reduceScatterRecursiveHalving is the reduce-scatter in which partners at distance
// P/2, P/4, ... 1 each keep the half of the blocks on their side, give away the other
// half and combine what they get: log2 P rounds for a power of two. Otherwise ranks are
// paired off first (see folding), with all blocks in the message of each pair, and a
// deputy sends its idle rank the block of that rank at the end.
//
// Source: [Thakur2005], section on reduce-scatter (the algorithm for short
// messages), as in MPICH.
func reduceScatterRecursiveHalving(c Call, rank, k int) (Step, bool) {
	f := fold(c.Size)
	idle := rank &^ 1 // of the pair, if rank is in one
	s, ok, inner := f.around(rank, k, Range(0, c.Size), Range(idle, 1), 2*f.rounds)
	if inner < 0 {
		return s, ok
	}
	n := f.size() >> (inner/2 + 1)
	v := f.number(rank) &^ (n - 1) // first of the n active ranks on this side
	peer := f.rank(f.number(rank) ^ n)
	return combine(inner, peer, f.blocks(v^n, n), peer, f.blocks(v, n))
}

// reduceScatterRing is the reduce-scatter in which the blocks go round, and
// every rank adds its contribution: block r starts at rank r+1 and comes to rest
// at rank r. P(P-1) messages, one block each, and as many combinations.
//
// Source: the ring algorithm of Open MPI; the first half of [Patarasu2009].
func reduceScatterRing(c Call, rank, k int) (Step, bool) {
	return combiningRing(c, rank, c.mod(rank-1), k)
}

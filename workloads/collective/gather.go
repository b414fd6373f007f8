package collective

// gatherBinomial is the gather along a binomial tree. A rank receives the
// blocks of its children's subtrees, the smallest subtree first, and then sends
// those of its own subtree to its parent in one message. A subtree is a range
// of relative ranks, so its blocks are a cyclic range; where P is not a power
// of two the last subtrees are cut at P.
//
// The root receives ceil(log2 P) messages. A block travels as many times as its
// relative rank has set bits.
//
// Source: the gather of MPICH along the binomial tree of [Thakur2005].
// Deviation: MPICH leaves out messages without data, here an empty range
// travels as an empty message.
func gatherBinomial(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	n := children(c.Size, v)
	switch {
	case k < n:
		child := v + 1<<k
		from := c.absolute(child)
		return recv(from, Range(from, span(c.Size, child)))
	case k == n && v > 0:
		return send(c.absolute(parent(v)), Range(rank, span(c.Size, v)))
	}
	return Step{}, false
}

// gatherFlat is the gather in which every rank sends its block to the root,
// which receives them in rank order: P-1 messages.
//
// Source: the definition of MPI_Gather, "as if" each process had sent and the
// root had received in turn [MPI4]; called linear elsewhere. An empty block
// travels as an empty message.
func gatherFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank != c.Root && k == 0:
		return send(c.Root, Range(rank, 1))
	case rank == c.Root && k < c.Size-1:
		from := c.other(k)
		return recv(from, Range(from, 1))
	}
	return Step{}, false
}

// scatterBinomial is the scatter along a binomial tree: the gather run
// backwards. A rank receives the blocks of its whole subtree from its parent in
// one message, and then passes on those of its children's subtrees, the largest
// subtree first. Ranges of blocks are as in gatherBinomial.
//
// Source: [Thakur2005], section on broadcast, where this scatter is the first
// half of the algorithm for long messages; order of MPICH. Deviation: MPICH
// leaves out messages without data, here an empty range travels as an empty
// message.
func scatterBinomial(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	if v > 0 {
		if k == 0 {
			return recv(c.absolute(parent(v)), Range(rank, span(c.Size, v)))
		}
		k--
	}
	i := children(c.Size, v) - 1 - k
	if i < 0 {
		return Step{}, false
	}
	child := v + 1<<i
	to := c.absolute(child)
	return send(to, Range(to, span(c.Size, child)))
}

// scatterFlat is the scatter in which the root sends every other rank its block
// in rank order: P-1 messages.
//
// Source: the definition of MPI_Scatter, "as if" the root had sent and each
// process had received in turn [MPI4]; called linear elsewhere. An empty block
// travels as an empty message.
func scatterFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank == c.Root && k < c.Size-1:
		to := c.other(k)
		return send(to, Range(to, 1))
	case rank != c.Root && k == 0:
		return recv(c.Root, Range(rank, 1))
	}
	return Step{}, false
}

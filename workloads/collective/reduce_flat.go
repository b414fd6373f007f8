package collective

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

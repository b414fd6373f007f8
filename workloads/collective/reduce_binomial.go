package collective

// reduceBinomial is the reduction along a binomial tree: the broadcast run
// backwards. A rank receives from its children, the smallest subtree first,
// because that one is ready first, combines each block with its own, and then
// sends the result to its parent. The root is done after ceil(log2 P) messages
// and as many combinations in a row.
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

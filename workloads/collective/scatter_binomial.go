package collective

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

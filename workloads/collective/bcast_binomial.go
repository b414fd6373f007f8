package collective

// bcastBinomial is the broadcast along a binomial tree. Every rank but the root
// first receives the block from its parent. Then it serves its children, the
// largest subtree first, because that one has the longest way to go. The last
// rank has the block after ceil(log2 P) messages in a row.
//
// Source: [Thakur2005], section on broadcast (the algorithm for short
// messages), in the order of MPICH.
func bcastBinomial(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	if v > 0 {
		if k == 0 {
			return recv(c.absolute(parent(v)), Range(0, 1))
		}
		k--
	}
	i := children(c.Size, v) - 1 - k
	if i < 0 {
		return Step{}, false
	}
	return send(c.absolute(v+1<<i), Range(0, 1))
}

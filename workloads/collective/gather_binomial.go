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

package collective

// barrierTree is the barrier along a binomial tree: every rank hears its
// children, the smallest subtree first, reports to its parent, is released by
// it and releases its children, the largest subtree first. 2(P-1) messages
// without data, at most 2 floor(log2 P) of them one after the other.
//
// Source: a gather and a broadcast along the tree of [Thakur2005] with nothing
// in them; Open MPI has it as tree.
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

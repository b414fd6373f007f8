package collective

// reduceScatterRecursiveHalving is the reduce-scatter in which partners at
// distance P/2, P/4, ... 1 each keep that half of the blocks which is on their
// side, give away the other half and combine what they get: log2 P rounds for a
// power of two. Otherwise ranks are paired off first (see folding), with all
// blocks in the message of each pair, and a deputy sends its idle rank the block
// of that rank at the end.
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

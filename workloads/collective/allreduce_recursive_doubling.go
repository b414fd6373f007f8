package collective

// allreduceRecursiveDoubling is the reduction to all in which ranks exchange
// all they have with a partner at distance 1, 2, 4, ... and combine it: log2 P
// rounds for a power of two. Otherwise ranks are paired off first (see
// folding): one more message before and one after for each pair.
//
// Source: [Thakur2005], section on allreduce (the algorithm for short
// messages), as in MPICH.
func allreduceRecursiveDoubling(c Call, rank, k int) (Step, bool) {
	f := fold(c.Size)
	all := Range(0, 1)
	s, ok, inner := f.around(rank, k, all, all, 2*f.rounds)
	if inner < 0 {
		return s, ok
	}
	peer := f.rank(f.number(rank) ^ 1<<(inner/2))
	return combine(inner, peer, all, peer, all)
}

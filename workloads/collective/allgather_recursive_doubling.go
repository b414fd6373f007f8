package collective

// allgatherRecursiveDoubling is the allgather in which ranks exchange all they
// have with a partner at distance 1, 2, 4, ...: log2 P rounds for a power of
// two.
//
// Source: [Thakur2005], section on allgather. Deviation where P is not a power
// of two: MPICH sends the missing blocks in extra messages within the rounds,
// and Open MPI refuses; here ranks are paired off first (see folding) and a
// deputy sends its idle rank the P-1 missing blocks at the end.
func allgatherRecursiveDoubling(c Call, rank, k int) (Step, bool) {
	f := fold(c.Size)
	if f.idle(rank) {
		return f.handOver(rank, k, Range(rank, 1), Range(rank+1, c.Size-1))
	}
	if f.deputy(rank) {
		switch k {
		case 0:
			return recv(rank-1, Range(rank-1, 1))
		case 1 + f.rounds:
			return send(rank-1, Range(rank, c.Size-1))
		}
		k--
	}
	if k >= f.rounds {
		return Step{}, false
	}
	n := 1 << k
	v := f.number(rank) &^ (n - 1) // first of the n active ranks whose blocks rank has
	peer := f.rank(f.number(rank) ^ n)
	return exchange(peer, f.blocks(v, n), peer, f.blocks(v^n, n))
}

package collective

import "math/bits"

// allgatherBruck is the allgather in ceil(log2 P) rounds for any P: in round i rank r
// sends what it has, the blocks of ranks r ... r+2^i-1 modulo P, to rank r-2^i and
// receives as many, which follow its own, from r+2^i. In the last round only the
// missing blocks travel, so every rank receives each block once.
//
// Source: [Bruck1997]; [Thakur2005], section on allgather. Deviation: the final
// rotation of the blocks in memory costs nothing here.
func allgatherBruck(c Call, rank, k int) (Step, bool) {
	if k >= bits.Len(uint(c.Size-1)) { // ceil(log2 P)
		return Step{}, false
	}
	distance := 1 << k
	n := min(distance, c.Size-distance)
	from := c.mod(rank + distance)
	return exchange(c.mod(rank-distance), Range(rank, n), from, Range(from, n))
}

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

// allgatherRing is the allgather in which the blocks go round: in each of P-1
// rounds a rank passes on to the next rank what it has received from the one
// before, its own block first. P(P-1) messages; every block travels P-1 times.
//
// Source: [Thakur2005], section on allgather (the algorithm for long messages).
func allgatherRing(c Call, rank, k int) (Step, bool) { return ring(c, rank, rank, k) }

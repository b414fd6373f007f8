package collective

import (
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
)

// allreduceRabenseifner is the reduction to all for long messages: a
// reduce-scatter by recursive halving followed by an allgather by recursive
// doubling. In round i of the first half, partners at distance 2^i each give
// away one half of the pieces that they still work on; the second half runs the
// rounds backwards and puts the halves together again. 2 log2 P messages and
// about 2m bytes for each rank.
//
// The data are cut into q pieces, where q is the largest power of two that is at most
// P. If P is larger, ranks are paired off first (see folding), with all the data in the
// message of each pair.
//
// After i rounds an active rank v works on q/2^i pieces. The low i bits of v decide on
// which, the lowest bit on the largest half: the number of the first piece is v mod 2^i
// with its log2 q bits in reverse order.
//
// Source: [Rabenseifner2004]; [Thakur2005], section on allreduce, in the form of
// MPICH, which pairs off with whole messages where Rabenseifner splits them.
func allreduceRabenseifner(c Call, rank, k int) (Step, bool) {
	f := fold(c.Size)
	all := Range(0, f.size())
	s, ok, inner := f.around(rank, k, all, all, 3*f.rounds)
	if inner < 0 {
		return s, ok
	}
	// half returns the pieces on which rank v works after round i.
	half := func(v, i int) BlockSet {
		low := uint64(v & (2<<i - 1))
		first := bits.Reverse64(low) >> (64 - f.rounds)
		return Range(int(first), f.size()>>(i+1))
	}
	v := f.number(rank)
	// Two steps for each round of the first half, one for each of the second.
	if i := inner / 2; i < f.rounds {
		w := v ^ 1<<i
		return combine(inner, f.rank(w), half(w, i), f.rank(w), half(v, i))
	}
	i := 3*f.rounds - 1 - inner
	w := v ^ 1<<i
	return exchange(f.rank(w), half(v, i), f.rank(w), half(w, i))
}

// pieceEachActive cuts into one piece for each active rank.
func pieceEachActive(c Call, _ units.Bytes) int { return fold(c.Size).size() }

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

// allreduceReduceBcast is the reduction to all as a reduction to rank 0 and a
// broadcast of the result, both along the binomial tree: 2(P-1) messages.
//
// Source: the definition of MPI_Allreduce [MPI4]; the nonoverlapping algorithm
// of Open MPI.
func allreduceReduceBcast(c Call, rank, k int) (Step, bool) {
	reduce := 2 * children(c.Size, rank)
	if rank > 0 {
		reduce++
	}
	if k < reduce {
		return reduceBinomial(c, rank, k)
	}
	return bcastBinomial(c, rank, k-reduce)
}

// allreduceRing is the reduction to all in which a piece for each rank goes
// round twice: once to collect everybody's contribution, after which rank r has
// the result of piece r+1, and once to spread the results. 2(P-1) messages of
// m/P bytes for each rank: the smallest volume possible.
//
// Source: [Patarasu2009]; the ring algorithm of Open MPI.
func allreduceRing(c Call, rank, k int) (Step, bool) {
	if collect := 2 * (c.Size - 1); k >= collect {
		return ring(c, rank, c.mod(rank+1), k-collect)
	}
	return combiningRing(c, rank, rank, k)
}

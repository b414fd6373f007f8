package collective

import (
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// allreduceRabenseifner is the reduction to all for long messages: a
// reduce-scatter by recursive halving followed by an allgather by recursive
// doubling. In round i of the first half, partners at distance 2^i each give
// away one half of the pieces that they still work on; the second half runs the
// rounds backwards and puts the halves together again. 2 log2 P messages and
// about 2m bytes for each rank.
//
// The data are cut into q pieces, q being the largest power of two that is at
// most P. If P is larger, ranks are paired off first (see folding), with all
// the data in the message of each pair.
//
// After i rounds an active rank v works on q/2^i pieces. Which ones follows
// from the low i bits of v, the lowest bit deciding on the largest half: the
// first of them is v mod 2^i, as a number of log2 q bits, in reverse order.
//
// Source: [Rabenseifner2004]; [Thakur2005], section on allreduce, in the form of
// MPICH, which pairs off with whole messages where Rabenseifner splits them.
func allreduceRabenseifner(c Call, rank, k int) (Step, bool) {
	f := fold(c.Size)
	all := Range(0, f.size())
	if f.idle(rank) {
		return f.handOver(rank, k, all, all)
	}
	s, before, ok := f.takeOver(rank, k, all)
	if ok {
		return s, true
	}
	k -= before
	v := f.number(rank)
	// half returns the pieces on which rank v works after round i.
	half := func(v, i int) BlockSet {
		low := uint64(v & (2<<i - 1))
		first := bits.Reverse64(low) >> (64 - f.rounds)
		return Range(int(first), f.size()>>(i+1))
	}
	switch i := k / 2; {
	case i < f.rounds:
		w := v ^ 1<<i
		peer := f.rank(w)
		return combining(Step{
			Kind: workloads.Sendrecv,
			Peer: peer, Blocks: half(w, i),
			From: peer, Received: half(v, i), Combine: true,
		}, true, k)
	case k < 3*f.rounds:
		i := 3*f.rounds - 1 - k
		w := v ^ 1<<i
		peer := f.rank(w)
		return Step{
			Kind: workloads.Sendrecv,
			Peer: peer, Blocks: half(v, i),
			From: peer, Received: half(w, i),
		}, true
	case f.deputy(rank) && k == 3*f.rounds:
		return Step{Kind: workloads.Send, Peer: rank - 1, Blocks: all}, true
	}
	return Step{}, false
}

// pieceEachActive cuts into one piece for each active rank.
func pieceEachActive(c Call, _ units.Bytes) int { return fold(c.Size).size() }

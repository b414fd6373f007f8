package collective

import "github.com/isoscale/isoscale/workloads"

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
	all := Range(0, c.Size)
	if f.idle(rank) {
		return f.handOver(rank, k, all, Range(rank, 1))
	}
	s, before, ok := f.takeOver(rank, k, all)
	if ok {
		return s, true
	}
	k -= before
	if i := k / 2; i < f.rounds {
		n := f.size() >> (i + 1)
		v := f.number(rank) &^ (n - 1) // first of the n active ranks on this side
		peer := f.rank(f.number(rank) ^ n)
		return combining(Step{
			Kind: workloads.Sendrecv,
			Peer: peer, Blocks: f.blocks(v^n, n),
			From: peer, Received: f.blocks(v, n), Combine: true,
		}, true, k)
	}
	if f.deputy(rank) && k == 2*f.rounds {
		return Step{Kind: workloads.Send, Peer: rank - 1, Blocks: Range(rank-1, 1)}, true
	}
	return Step{}, false
}

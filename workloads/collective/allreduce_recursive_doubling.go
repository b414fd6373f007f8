package collective

import "github.com/isoscale/isoscale/workloads"

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
	if f.idle(rank) {
		return f.handOver(rank, k, all, all)
	}
	s, before, ok := f.takeOver(rank, k, all)
	if ok {
		return s, true
	}
	k -= before
	if i := k / 2; i < f.rounds {
		peer := f.rank(f.number(rank) ^ 1<<i)
		return combining(Step{
			Kind: workloads.Sendrecv,
			Peer: peer, Blocks: all,
			From: peer, Received: all, Combine: true,
		}, true, k)
	}
	if f.deputy(rank) && k == 2*f.rounds {
		return Step{Kind: workloads.Send, Peer: rank - 1, Blocks: all}, true
	}
	return Step{}, false
}

package collective

import "github.com/isoscale/isoscale/workloads"

// barrierLinear is the barrier in which every rank reports to rank 0, which
// hears them in rank order and then releases them in rank order: 2(P-1)
// messages without data, all of them through rank 0.
//
// Source: the basic linear barrier of Open MPI. Deviation: that one hears the
// ranks in the order in which they come.
func barrierLinear(c Call, rank, k int) (Step, bool) {
	n := c.Size - 1
	switch {
	case rank == 0 && k < n:
		return Step{Kind: workloads.Recv, Peer: k + 1}, true
	case rank == 0 && k < 2*n:
		return Step{Kind: workloads.Send, Peer: k - n + 1}, true
	case rank > 0 && k == 0:
		return Step{Kind: workloads.Send, Peer: 0}, true
	case rank > 0 && k == 1:
		return Step{Kind: workloads.Recv, Peer: 0}, true
	}
	return Step{}, false
}

package collective

import "github.com/isoscale/isoscale/workloads"

// alltoallLinear is the all-to-all exchange in which every rank starts all its
// receives, from r+1, r+2, ..., then all its sends, to r-1, r-2, ..., and then
// waits for all of them in that order: P(P-1) messages, each block straight to
// its destination, all at once.
//
// Source: the basic linear algorithm of Open MPI.
func alltoallLinear(c Call, rank, k int) (Step, bool) {
	n := c.Size - 1
	switch {
	case k < n:
		from := c.mod(rank + 1 + k)
		return Step{Kind: workloads.Irecv, Peer: from, Request: k, Blocks: Range(from*c.Size+rank, 1)}, true
	case k < 2*n:
		to := c.mod(rank - 1 - (k - n))
		return Step{Kind: workloads.Isend, Peer: to, Request: k, Blocks: Range(rank*c.Size+to, 1)}, true
	case k < 4*n:
		return Step{Kind: workloads.Wait, Request: k - 2*n}, true
	}
	return Step{}, false
}

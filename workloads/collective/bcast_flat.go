package collective

import "github.com/isoscale/isoscale/workloads"

// bcastFlat is the broadcast in which the root sends the block to every other
// rank in rank order: P-1 messages, all of them one after the other at the
// root.
//
// Source: the definition of MPI_Bcast taken literally [MPI4]; called linear or
// flat tree elsewhere.
func bcastFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank == c.Root && k < c.Size-1:
		return Step{Kind: workloads.Send, Peer: c.other(k), Blocks: Range(0, 1)}, true
	case rank != c.Root && k == 0:
		return Step{Kind: workloads.Recv, Peer: c.Root, Blocks: Range(0, 1)}, true
	}
	return Step{}, false
}

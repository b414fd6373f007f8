package collective

// allgatherRing is the allgather in which the blocks go round: in each of P-1
// rounds a rank passes on to the next rank what it has received from the one
// before, its own block first. P(P-1) messages; every block travels P-1 times.
//
// Source: [Thakur2005], section on allgather (the algorithm for long messages).
func allgatherRing(c Call, rank, k int) (Step, bool) { return ring(c, rank, rank, k) }

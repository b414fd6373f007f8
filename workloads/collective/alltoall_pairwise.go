package collective

// alltoallPairwise is the all-to-all exchange in P-1 rounds: in round
// i = 1, 2, ... rank r sends its block to r+i and receives one from r-i. P(P-1)
// messages, each block straight to its destination.
//
// Source: [Thakur2005], section on all-to-all (the algorithm for long messages);
// the pairwise algorithm of Open MPI. Deviation: for a power of two MPICH
// exchanges with rank r xor i.
func alltoallPairwise(c Call, rank, k int) (Step, bool) {
	if k >= c.Size-1 {
		return Step{}, false
	}
	to, from := c.mod(rank+1+k), c.mod(rank-1-k)
	return exchange(to, Range(rank*c.Size+to, 1), from, Range(from*c.Size+rank, 1))
}

package collective

// reduceScatterRing is the reduce-scatter in which the blocks go round, and
// every rank adds its contribution: block r starts at rank r+1 and comes to rest
// at rank r. P(P-1) messages, one block each, and as many combinations.
//
// Source: the ring algorithm of Open MPI; the first half of [Patarasu2009].
func reduceScatterRing(c Call, rank, k int) (Step, bool) {
	return combiningRing(c, rank, c.mod(rank-1), k)
}

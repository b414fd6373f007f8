package collective

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

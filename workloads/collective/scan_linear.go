package collective

// scanLinear is the inclusive scan along the ranks: rank r receives the result
// of r-1, combines it with its own data and sends its result to r+1. P-1
// messages in a row.
//
// Source: the definition of MPI_Scan [MPI4]; the linear algorithm of Open MPI.
func scanLinear(c Call, rank, k int) (Step, bool) {
	if rank == 0 {
		k += 2 // it begins with the send
	}
	switch {
	case k == 0:
		return recvCombine(rank-1, Range(0, 1))
	case k == 1:
		return compute(Range(0, 1))
	case k == 2 && rank < c.Size-1:
		return send(rank+1, Range(0, 1))
	}
	return Step{}, false
}

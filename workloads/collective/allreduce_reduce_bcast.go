package collective

// allreduceReduceBcast is the reduction to all as a reduction to rank 0 and a
// broadcast of the result, both along the binomial tree: 2(P-1) messages.
//
// Source: the definition of MPI_Allreduce [MPI4]; the nonoverlapping algorithm
// of Open MPI.
func allreduceReduceBcast(c Call, rank, k int) (Step, bool) {
	reduce := 2 * children(c.Size, rank)
	if rank > 0 {
		reduce++
	}
	if k < reduce {
		return reduceBinomial(c, rank, k)
	}
	return bcastBinomial(c, rank, k-reduce)
}

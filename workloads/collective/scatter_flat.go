package collective

// scatterFlat is the scatter in which the root sends every other rank its block
// in rank order: P-1 messages.
//
// Source: the definition of MPI_Scatter, "as if" the root had sent and each
// process had received in turn [MPI4]; called linear elsewhere. An empty block
// travels as an empty message.
func scatterFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank == c.Root && k < c.Size-1:
		to := c.other(k)
		return send(to, Range(to, 1))
	case rank != c.Root && k == 0:
		return recv(c.Root, Range(rank, 1))
	}
	return Step{}, false
}

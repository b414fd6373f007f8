package collective

// gatherFlat is the gather in which every rank sends its block to the root,
// which receives them in rank order: P-1 messages.
//
// Source: the definition of MPI_Gather, "as if" each process had sent and the
// root had received in turn [MPI4]; called linear elsewhere. An empty block
// travels as an empty message.
func gatherFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank != c.Root && k == 0:
		return send(c.Root, Range(rank, 1))
	case rank == c.Root && k < c.Size-1:
		from := c.other(k)
		return recv(from, Range(from, 1))
	}
	return Step{}, false
}

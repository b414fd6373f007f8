package collective

// bcastFlat is the broadcast in which the root sends the block to every other
// rank in rank order: P-1 messages, all of them one after the other at the
// root.
//
// Source: the definition of MPI_Bcast taken literally [MPI4]; called linear or
// flat tree elsewhere.
func bcastFlat(c Call, rank, k int) (Step, bool) {
	switch {
	case rank == c.Root && k < c.Size-1:
		return send(c.other(k), Range(0, 1))
	case rank != c.Root && k == 0:
		return recv(c.Root, Range(0, 1))
	}
	return Step{}, false
}

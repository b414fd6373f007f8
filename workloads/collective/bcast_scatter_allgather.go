package collective

// bcastScatterAllgather is the broadcast for long messages: the data are cut
// into a piece for each rank, scattered along a binomial tree, and then go round
// in a ring until everybody has all. Every rank sends and receives about twice
// the data, however many ranks there are. Piece v belongs to the rank that has
// number v counted from the root.
//
// Source: [Thakur2005], section on broadcast (the algorithm for long messages,
// due to van de Geijn; see [Barnett1994]). As there, the ring moves also those
// pieces that a rank in the inside of the tree has already.
func bcastScatterAllgather(c Call, rank, k int) (Step, bool) {
	v := c.relative(rank)
	if v > 0 {
		if k == 0 {
			return recv(c.absolute(parent(v)), Range(v, span(c.Size, v)))
		}
		k--
	}
	n := children(c.Size, v)
	if i := n - 1 - k; i >= 0 {
		child := v + 1<<i
		return send(c.absolute(child), Range(child, span(c.Size, child)))
	}
	s, ok := ring(c, rank, v, k-n)
	return s, ok
}

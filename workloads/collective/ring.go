package collective

// ring returns round i of P-1 rounds in which blocks go round: rank sends a
// block to the next rank and receives another one from the rank before. In
// round 0 it sends the block first; in each further round, the one that it has
// received in the round before. The next rank must have a first that is one
// larger, modulo P.
func ring(c Call, rank, first, i int) (Step, bool) {
	if i >= c.Size-1 {
		return Step{}, false
	}
	return exchange(c.mod(rank+1), Range(c.mod(first-i), 1), c.mod(rank-1), Range(c.mod(first-i-1), 1))
}

// combiningRing is a ring in which every block received is combined with what
// the rank has: two steps a round. A block that has gone round comes to rest,
// with everybody's contribution, at the rank whose first is one less.
func combiningRing(c Call, rank, first, k int) (Step, bool) {
	s, ok := ring(c, rank, first, k/2)
	if !ok {
		return s, false
	}
	return combine(k, s.Peer, s.Blocks, s.From, s.Received)
}

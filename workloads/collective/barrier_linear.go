package collective

// barrierLinear is the barrier in which every rank reports to rank 0, which
// hears them in rank order and then releases them in rank order: 2(P-1)
// messages without data, all of them through rank 0.
//
// Source: the basic linear barrier of Open MPI. Deviation: that one hears the
// ranks in the order in which they come.
func barrierLinear(c Call, rank, k int) (Step, bool) {
	n := c.Size - 1
	switch {
	case rank == 0 && k < n:
		return recv(k+1, BlockSet{})
	case rank == 0 && k < 2*n:
		return send(k-n+1, BlockSet{})
	case rank > 0 && k == 0:
		return send(0, BlockSet{})
	case rank > 0 && k == 1:
		return recv(0, BlockSet{})
	}
	return Step{}, false
}

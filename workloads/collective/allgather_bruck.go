package collective

import "math/bits"

// allgatherBruck is the allgather in ceil(log2 P) rounds for any P: in round i
// rank r sends what it has, the blocks of ranks r ... r+2^i-1 modulo P, to rank
// r-2^i and receives as many, which follow its own, from r+2^i. In the last
// round no more than the missing blocks travel, so every rank receives each
// block once.
//
// Source: [Bruck1997]; [Thakur2005], section on allgather. Deviation: the final
// rotation of the blocks in memory costs nothing here.
func allgatherBruck(c Call, rank, k int) (Step, bool) {
	if k >= bits.Len(uint(c.Size-1)) { // ceil(log2 P)
		return Step{}, false
	}
	distance := 1 << k
	n := min(distance, c.Size-distance)
	from := c.mod(rank + distance)
	return exchange(c.mod(rank-distance), Range(rank, n), from, Range(from, n))
}

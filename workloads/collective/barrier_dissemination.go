package collective

import "math/bits"

// barrierDissemination is the barrier without a centre. In round i = 0, 1, ...
// rank r sends to r + 2^i and receives from r - 2^i, both modulo P. After round
// i it has heard, directly or through others, of the 2^(i+1) - 1 ranks before
// it; after ceil(log2 P) rounds, of all. P messages without data a round.
//
// Source: [Hensgen1988], the dissemination algorithm. Deviation: that one sets
// flags in shared memory, here a flag is a message.
func barrierDissemination(c Call, rank, k int) (Step, bool) {
	if k >= bits.Len(uint(c.Size-1)) { // ceil(log2 P)
		return Step{}, false
	}
	distance := 1 << k // less than P
	return exchange(c.mod(rank+distance), BlockSet{}, c.mod(rank-distance), BlockSet{})
}

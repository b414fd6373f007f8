package algorithm

import "math/bits"

// binomial is a binomial tree over the distances 0 ... binomial-1. A process with
// lowest bit s in its distance d gets what is for d ... d+s-1 from d-s, in one message,
// and passes on the farther half of what it still has until its own is left.
type binomial int

// step returns the peer of message number k of the process at distance d: d
// receives if the peer is nearer to distance 0, and sends otherwise. The message is for
// span distances from the farther of both on, or fewer at the end of the tree.
// After its last message the peer is d, and rest is k less its messages.
func (b binomial) step(d, k int) (peer, span, rest int) {
	lowest := 1 << bits.Len(uint(b-1)) // beyond all distances
	if d > 0 {
		lowest = d & -d
		if k == 0 {
			return d - lowest, lowest, 0
		}
		k--
	}
	for span = lowest >> 1; span > 0; span >>= 1 {
		if d+span >= int(b) {
			continue
		}
		if k == 0 {
			return d + span, span, 0
		}
		k--
	}
	return d, 0, k
}

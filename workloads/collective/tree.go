package collective

import "math/bits"

// The binomial tree over P ranks, in relative numbering: rank v counts from
// the root, which is 0. The parent of v is v without its lowest set bit; the
// children of v are v + 2^i for every 2^i below that bit, as far as they are
// smaller than P. The subtree below v is the range of ranks that starts with v
// and is as long as the lowest set bit of v, cut at P.
//
//	P = 6:      0
//	          / | \
//	         4  2  1
//	         |  |
//	         5  3
//
// All of it follows from the bits of v, so no tree is ever stored.
// Source: [Thakur2005], the binomial trees of broadcast and reduce.

// relative returns the number of rank when the root is number 0.
func (c Call) relative(rank int) int { return c.mod(rank - c.Root) }

// absolute returns the rank that has number v when the root is number 0.
func (c Call) absolute(v int) int { return c.mod(v + c.Root) }

// parent returns the parent of v > 0.
func parent(v int) int { return v & (v - 1) }

// children returns how many children v has among p ranks. They are
// v + 2^0, v + 2^1, and so on. The highest of them must not exceed the last
// rank, p-1, and must not reach the lowest set bit of v.
func children(p, v int) int {
	room := p - 1 - v
	if v > 0 {
		room = min(room, v&-v-1)
	}
	return bits.Len(uint(room))
}

// span returns the number of ranks in the subtree of v among p ranks, v
// included.
func span(p, v int) int {
	if v == 0 {
		return p
	}
	return min(v&-v, p-v)
}

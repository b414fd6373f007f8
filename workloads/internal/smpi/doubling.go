package smpi

import "math/bits"

// sizer tells how large the blocks of a range of ranks are.
type sizer interface {
	size(first, n int) int64
}

// doubling lets every rank have the blocks of all ranks. Ranks are counted from
// the root. In the round of distance d = 1, 2, 4, ... ranks form groups of d, and
// each exchanges the blocks of its group with its counterpart of the neighbouring
// group.
//
// If that group is cut off at P, there is no counterpart for some. They get the
// blocks from those of their own group who have, along a tree: first at distance
// d/2, then d/4, and so on, in blocking messages.
//
// Source: [Thakur2005], section on allgather; the treatment of other numbers
// than powers of two is that of MPICH.
func doubling[S sizer](q *Sequence, s S) {
	p, v := q.ranks(), q.relative()
	for d := 1; d < p; d *= 2 {
		mine, theirs := v&^(d-1), (v^d)&^(d-1)
		if w := v ^ d; w < p {
			peer := q.absolute(w)
			// Sizes may be sums over many ranks: only for the operation wanted.
			if _, ok := q.in(1, 1); ok {
				q.sendrecv(peer, s.size(mine, min(d, p-mine)), peer)
			}
		}
		there := p - mine - d // ranks of the neighbouring group
		if theirs < mine || there <= 0 || there >= d {
			continue
		}
		for t := d / 2; t > 0; t /= 2 {
			w := v ^ t
			// Within subgroups of 2t, the first ranks have the blocks.
			have := v&^(2*t-1) + there
			switch {
			case v < have && w >= have:
				if _, ok := q.in(1, 1); ok {
					q.send(q.absolute(w), s.size(theirs, there))
				}
			case w < have && v >= have:
				if _, ok := q.in(1, 1); ok {
					q.recv(q.absolute(w), s.size(theirs, there))
				}
			}
		}
	}
}

// equalBlocks are blocks of one size.
type equalBlocks int64

func (b equalBlocks) size(_, n int) int64 { return int64(n) * int64(b) }

// listedBlocks are blocks of different sizes: counts of elements.
type listedBlocks struct {
	counts  []int64
	element int64
}

func (b listedBlocks) size(first, n int) int64 { return sum(b.counts[first:first+n]) * b.element }

// otherBlocks stand for all blocks but those named.
type otherBlocks struct{ listedBlocks }

func (b otherBlocks) size(first, n int) int64 {
	return sum(b.counts)*b.element - b.listedBlocks.size(first, n)
}

func sum(counts []int64) int64 {
	var s int64
	for _, n := range counts {
		s += n
	}
	return s
}

// reverse returns the low bits of v, as many as size has, in reverse order.
func reverse(v, size int) int {
	n := bits.Len(uint(size)) - 1
	return int(bits.Reverse64(uint64(v)) >> (64 - n))
}

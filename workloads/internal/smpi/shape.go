package smpi

import "math/bits"

// sizer tells how large the blocks of a range of ranks are.
type sizer interface {
	size(first, n int) int64
}

// doubling gives every rank the blocks of all ranks. Ranks are counted from the root.
// In the round of distance d = 1, 2, 4, ... ranks form groups of d, and each exchanges
// the blocks of its group with its counterpart in the neighbouring group.
//
// If that group is cut off at P, some ranks have no counterpart. They get the blocks
// from ranks of their own group that have one, along a tree: first at distance d/2,
// then d/4, and so on, in blocking messages.
//
// Source: [Thakur2005], section on allgather; numbers other than powers of two are
// treated as in MPICH.
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

// otherBlocks are all blocks except those of the range.
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

// folding reduces P ranks to size, the largest power of two. As in MPICH, the first
// 2*extra ranks form pairs of neighbours, in which one is idle and the other, its
// deputy, works for both. The deputies and the ranks after the pairs are numbered 0 ...
// size-1, in rank order.
//
// Package collective has the same with the odd rank as deputy; SMPI also has algorithms
// in which the even rank is.
type folding struct {
	size, extra int
	odd         int // 1 if the odd one of a pair is the deputy, otherwise 0
}

// fold returns the folding in which the odd ranks are the deputies.
func fold(p int) folding {
	size := 1 << (bits.Len(uint(p)) - 1)
	return folding{size: size, extra: p - size, odd: 1}
}

// foldToEven returns the folding in which the even ranks are the deputies.
func foldToEven(p int) folding {
	f := fold(p)
	f.odd = 0
	return f
}

func (f folding) paired(rank int) bool { return rank < 2*f.extra }

// idle tells whether a rank hands over to the other one of its pair.
func (f folding) idle(rank int) bool { return f.paired(rank) && rank%2 != f.odd }

// number returns the number of a rank that is not idle.
func (f folding) number(rank int) int {
	if f.paired(rank) {
		return rank / 2
	}
	return rank - f.extra
}

// rank returns the rank with number v.
func (f folding) rank(v int) int {
	if v < f.extra {
		return 2*v + f.odd
	}
	return v + f.extra
}

// before returns the number of ranks before number v and its pair.
func (f folding) before(v int) int { return v + min(v, f.extra) }

// pieces are count elements cut into n equal pieces; the last one also has the rest.
type pieces struct {
	count int64
	n     int
}

// sum returns the number of elements in the pieces lo ... hi-1.
func (c pieces) sum(lo, hi int) int64 { return c.before(hi) - c.before(lo) }

func (c pieces) before(i int) int64 {
	if i == c.n {
		return c.count
	}
	return int64(i) * (c.count / int64(c.n))
}

// halves returns the two halves of the range of pieces that number v of size ranks
// holds before it exchanges at distance d = 1, 2, 4, ...: the half that it keeps and
// the half that it gives to v xor d, each by its first piece; n is the length of both.
// The lowest bit of v decides on the largest half.
func halves(v, d, size int) (keep, give, n int) {
	lo := 0
	for b := 1; b < d; b *= 2 {
		if v&b != 0 {
			lo += size / (2 * b)
		}
	}
	n = size / (2 * d)
	if v&d != 0 {
		return lo + n, lo, n
	}
	return lo, lo + n, n
}

// fanOut is the base of the k-nomial trees of MVAPICH2 in SMPI.
const fanOut = 4

// knomialNode returns the parent of relative rank v in the 4-nomial tree, and the
// smallest power of 4 that is not a distance to children. In base 4, the parent is v
// with its last nonzero digit set to 0; the children are v with one of the zeros after
// that digit set to 1, 2 or 3.
func knomialNode(v, p int) (parent, distance int) {
	distance = 1
	for distance < p && v%(fanOut*distance) == 0 {
		distance *= fanOut
	}
	return v - v%(fanOut*distance), distance
}

// reduceKnomial is mvapich2_knomial: up the 4-nomial tree. A rank posts the receives
// from all its children: first those that differ in the last digit, and of these the
// largest first. When all have arrived, it starts its message to the parent and waits
// for it. Without data there are no messages.
func reduceKnomial(q *Sequence) {
	if q.count == 0 {
		return
	}
	size := q.bytes(q.count)
	v, p := q.relative(), q.ranks()
	parent, distance := knomialNode(v, p)
	request := 0
	for d := 1; d < distance; d *= fanOut {
		for k := fanOut - 1; k > 0; k-- {
			if child := v + k*d; child < p {
				q.irecv(request, q.absolute(child), size)
				request++
			}
		}
	}
	if request > 0 {
		q.waitall()
	}
	if v > 0 {
		q.isend(0, q.absolute(parent), size)
		q.waitall()
	}
}

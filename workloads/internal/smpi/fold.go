package smpi

import "math/bits"

// folding brings P ranks down to size, the largest power of two. In the form of
// MPICH the first 2 extra ranks form pairs of neighbours, of which one is idle
// and the other, its deputy, works for both. The deputies and the ranks behind
// the pairs are numbered 0 ... size-1, in rank order.
//
// Package collective has the same with the odd one as deputy; SMPI also has
// algorithms in which it is the even one.
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

// paired tells whether a rank is one of a pair.
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

// pieces are count elements cut into n, all of the same number but for the last
// one, which has the rest as well.
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

// halves returns the two halves of the range of pieces that number v of size
// ranks holds before it exchanges at distance d = 1, 2, 4, ...: the one that it
// keeps and the one that it gives to v xor d, each as its first piece and both of
// length n. The lowest bit of v has decided on the largest half.
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

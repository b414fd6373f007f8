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
// Everything follows from the bits of v, so no tree is ever stored. Source:
// [Thakur2005], the binomial trees of broadcast and reduce.

// relative returns the number of rank when the root is number 0.
func (c Call) relative(rank int) int { return c.mod(rank - c.Root) }

// absolute returns the rank that has number v when the root is number 0.
func (c Call) absolute(v int) int { return c.mod(v + c.Root) }

// parent returns the parent of v > 0.
func parent(v int) int { return v & (v - 1) }

// children returns how many children v has among p ranks. They are v + 2^0, v + 2^1,
// and so on, as long as these do not exceed the last rank, p-1, and the power stays
// below the lowest set bit of v.
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

// ring returns round i of P-1 rounds in which blocks go round: rank sends a block to
// the next rank and receives another one from the previous rank. In round 0 it sends
// the block first, in every further round the block that it received in the round
// before. The first of the next rank must be larger by one, modulo P.
func ring(c Call, rank, first, i int) (Step, bool) {
	if i >= c.Size-1 {
		return Step{}, false
	}
	return exchange(c.mod(rank+1), Range(c.mod(first-i), 1), c.mod(rank-1), Range(c.mod(first-i-1), 1))
}

// combiningRing is a ring in which every received block is combined with the rank's
// own: two steps per round. After going round, a block ends with all contributions at
// the rank whose first is one less.
func combiningRing(c Call, rank, first, k int) (Step, bool) {
	s, ok := ring(c, rank, first, k/2)
	if !ok {
		return s, false
	}
	return combine(k, s.Peer, s.Blocks, s.From, s.Received)
}

// other returns the k-th rank in rank order without the root. A flat algorithm is a
// star: its root communicates with other(0), other(1), ... in turn, and the others only
// with the root.
func (c Call) other(k int) int {
	if k < c.Root {
		return k
	}
	return k + 1
}

// folding reduces P ranks to a power of two. The first 2*extra ranks form pairs (0, 1),
// (2, 3), ...: the even rank hands over to the odd one, its deputy, is idle, and gets
// the result from it at the end. Deputies and the ranks after the pairs are active; in
// rank order, they are numbered 0 ... size-1.
//
//	P = 6:  rank    0  1  2  3  4  5
//	        active     0     1  2  3
//
// Source: [Thakur2005], section on allreduce (number of processes not a power
// of two).
type folding struct {
	rounds int // log2 of size
	extra  int // pairs
}

func fold(p int) folding {
	rounds := bits.Len(uint(p)) - 1
	return folding{rounds: rounds, extra: p - 1<<rounds}
}

// size returns the number of active ranks.
func (f folding) size() int { return 1 << f.rounds }

// idle tells whether rank hands over to the next rank.
func (f folding) idle(rank int) bool { return rank < 2*f.extra && rank%2 == 0 }

// deputy tells whether rank also stands for the rank before it.
func (f folding) deputy(rank int) bool { return rank < 2*f.extra && rank%2 == 1 }

// number returns the number of an active rank.
func (f folding) number(rank int) int {
	if rank < 2*f.extra {
		return rank / 2
	}
	return rank - f.extra
}

// rank returns the active rank with number v.
func (f folding) rank(v int) int {
	if v < f.extra {
		return 2*v + 1
	}
	return v + f.extra
}

// blocks returns the blocks, one per rank, of the active ranks v ... v+n-1 and
// of those that they stand for. Pairs are neighbours, so it is a range.
func (f folding) blocks(v, n int) BlockSet {
	return Range(f.before(v), f.before(v+n)-f.before(v))
}

// before returns the number of ranks before active rank v and its pair.
func (f folding) before(v int) int { return v + min(v, f.extra) }

// handOver returns the steps of an idle rank, which gives its deputy one set of blocks
// and gets another set back.
func (f folding) handOver(rank, k int, given, back BlockSet) (Step, bool) {
	switch k {
	case 0:
		return send(rank+1, given)
	case 1:
		return recv(rank+1, back)
	}
	return Step{}, false
}

// around returns the steps of a rank before and after an algorithm of n steps among the
// active ranks: a deputy first combines what it is given, and afterwards gives back
// what belongs to its idle rank. inner is the number of the step within the algorithm,
// or -1 outside of it.
func (f folding) around(rank, k int, given, back BlockSet, n int) (s Step, ok bool, inner int) {
	inner = k
	if f.deputy(rank) {
		inner -= 2
	}
	switch {
	case f.idle(rank):
		s, ok = f.handOver(rank, k, given, back)
	case inner == -2:
		s, ok = recvCombine(rank-1, given)
	case inner == -1:
		s, ok = compute(given)
	case inner < n:
		return Step{}, false, inner
	case inner == n && f.deputy(rank):
		s, ok = send(rank-1, back)
	}
	return s, ok, -1
}

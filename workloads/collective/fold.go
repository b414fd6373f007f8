package collective

import "math/bits"

// folding brings P ranks down to a power of two. The first 2 extra ranks form
// pairs (0, 1), (2, 3), ...: the even one, which is idle, hands over to the odd
// one, its deputy, and gets the result from it at the end. Deputies and the
// ranks behind the pairs are active; counted in rank order, they are numbered
// 0 ... size-1.
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

// handOver returns the steps of an idle rank, which gives its deputy the blocks
// of one set and gets those of another back.
func (f folding) handOver(rank, k int, given, back BlockSet) (Step, bool) {
	switch k {
	case 0:
		return send(rank+1, given)
	case 1:
		return recv(rank+1, back)
	}
	return Step{}, false
}

// around returns the steps of a rank around an algorithm among the active ranks that
// has n steps: a deputy combines what it is given before, and gives back what belongs
// to its idle rank afterwards. inner is the step of that algorithm if it is one, and
// otherwise -1.
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

package collective

// BlockSet names some of the blocks of a call, as a value without pointers. The
// zero set is empty. It has one of two forms.
//
// A range, by [Range], is the blocks First, First+1, ... First+Count-1, modulo
// the number of blocks. That is enough for nearly all algorithms.
//
// A relay, by [Relay], is what Bruck's all-to-all exchange sends in one round:
// see there.
type BlockSet struct {
	First, Count int
	// Relay: the number of ranks and the bit; First is the rank. A range has
	// 0 ranks.
	ranks int32
	bit   int32
}

// Range returns the set of count blocks from first on, modulo the number of
// blocks.
func Range(first, count int) BlockSet { return BlockSet{First: first, Count: count} }

// Relay returns the set of blocks that rank, one of p, passes on over a
// distance of 2^bit in an all-to-all exchange in which a block travels its
// distance i = (destination - source) mod p by powers of two, the smallest
// first.
//
// It has one block for each i from 1 to p-1 in which the bit is set, in
// ascending order of i. Such a block has by then come a distance of
// low = i mod 2^bit, so it is the one from rank-low to rank-low+i.
func Relay(p, rank, bit int) BlockSet {
	unit := 1 << bit
	// Of 2 unit numbers in a row, those in the upper half have the bit set.
	count := p / (2 * unit) * unit
	count += max(0, p%(2*unit)-unit)
	return BlockSet{First: rank, Count: count, ranks: int32(p), bit: int32(bit)}
}

// At returns the number of the j-th block of the set, 0 <= j < Count, when the
// call has n blocks.
func (s BlockSet) At(j, n int) int {
	if s.ranks == 0 {
		return (s.First + j) % n
	}
	// The j-th number with the bit set: open a gap for it in j.
	p := int(s.ranks)
	unit := 1 << s.bit
	low := j & (unit - 1)
	high := (j-low)<<1 | unit
	source := (s.First - low + p) % p
	destination := (s.First + high) % p
	return source*p + destination
}

package collective

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// BlockCount returns how many blocks the data of a call of op among p ranks consist of:
// none for a barrier; one for a broadcast, a reduction or a scan; one per rank for
// gather, scatter, allgather and reduce-scatter (block r is that of rank r); p*p for an
// all-to-all exchange (block s*p+d goes from rank s to rank d).
func BlockCount(op workloads.Collective, p int) int {
	switch op {
	case workloads.Bcast, workloads.Reduce, workloads.Allreduce, workloads.Scan:
		return 1
	case workloads.Gather, workloads.Scatter, workloads.Allgather, workloads.ReduceScatter:
		return p
	case workloads.Alltoall:
		return p * p
	}
	return 0
}

// UniformBlocks are blocks of one size.
type UniformBlocks struct {
	n    int
	size units.Bytes
}

var _ Blocks = UniformBlocks{}

// Uniform returns n blocks of the given size. Both must be at least 0.
func Uniform(n int, size units.Bytes) UniformBlocks {
	return UniformBlocks{n: n, size: size}
}

// Size implements [Blocks] in constant time. No block counts twice, so a set with more
// blocks than exist has the size of all.
func (b UniformBlocks) Size(s BlockSet) units.Bytes {
	return units.Bytes(min(s.Count, b.n)) * b.size
}

// VaryingBlocks are blocks of different sizes, for the v-variants of MPI.
type VaryingBlocks struct {
	end []units.Bytes // end[i] is the total size of blocks 0 ... i
}

var _ Blocks = VaryingBlocks{}

// Varying returns blocks of the given sizes, each at least 0. It keeps no
// reference to sizes. Totals are exact as long as sizes are whole numbers and the
// sum of all is below 2^53 bytes.
func Varying(sizes []units.Bytes) VaryingBlocks {
	end := make([]units.Bytes, len(sizes))
	var sum units.Bytes
	for i, size := range sizes {
		sum += size
		end[i] = sum
	}
	return VaryingBlocks{end: end}
}

// Size implements [Blocks], in constant time for a range. A relay is summed up block by
// block: MPI libraries do not use Bruck's algorithm where blocks differ. No block
// counts twice, so a range with more blocks than exist has the size of all. REQUIRES:
// s.First >= 0.
func (b VaryingBlocks) Size(s BlockSet) units.Bytes {
	if s.form == 0 {
		return rangeSize(b, len(b.end), s)
	}
	var sum units.Bytes
	for j := range s.Count {
		i := s.At(j, len(b.end))
		sum += b.before(i+1) - b.before(i)
	}
	return sum
}

// before returns the total size of the blocks 0 ... i-1.
func (b VaryingBlocks) before(i int) units.Bytes {
	if i == 0 {
		return 0
	}
	return b.end[i-1]
}

// reordered are blocks that are numbered in another order of ranks: one for each rank or, if pairs is set, one for
// each pair of ranks.
type reordered[B Blocks] struct {
	blocks B
	order  []int32
	pairs  bool
}

// Size implements [Blocks], block by block.
func (b reordered[B]) Size(s BlockSet) units.Bytes {
	var sum units.Bytes
	p := len(b.order)
	n := p
	if b.pairs {
		n = p * p
	}
	for j := range min(s.Count, n) {
		i := s.At(j, n)
		if b.pairs {
			i = int(b.order[i/p])*p + int(b.order[i%p])
		} else {
			i = int(b.order[i])
		}
		sum += b.blocks.Size(Range(i, 1))
	}
	return sum
}

// cutBlocks are the pieces of one block. It has no relays.
type cutBlocks struct {
	size units.Bytes
	n    int
}

var _ Blocks = cutBlocks{}

// cut cuts size bytes, at least 0, into n pieces, at least 1, as equal as whole
// bytes can be: piece i reaches from byte floor(i size/n) to byte
// floor((i+1) size/n), the last one to the end. With fewer bytes than pieces,
// some pieces are empty.
//
// The pieces of MPI libraries differ from these in where the odd bytes go.
func cut(size units.Bytes, n int) cutBlocks { return cutBlocks{size: size, n: n} }

// Size implements [Blocks] in constant time, for ranges, as VaryingBlocks does.
func (b cutBlocks) Size(s BlockSet) units.Bytes { return rangeSize(b, b.n, s) }

// before returns the total size of the pieces 0 ... i-1.
func (b cutBlocks) before(i int) units.Bytes {
	if i == b.n {
		return b.size
	}
	return units.Bytes(math.Floor(float64(b.size) * float64(i) / float64(b.n)))
}

// rangeSize returns the size of a range of n blocks from before, the total size of all
// blocks before a given one.
func rangeSize[B interface{ before(i int) units.Bytes }](b B, n int, s BlockSet) units.Bytes {
	if n == 0 {
		return 0
	}
	count := min(s.Count, n)
	first := s.First % n
	if last := first + count; last > n {
		return b.before(n) - b.before(first) + b.before(last-n)
	}
	return b.before(first+count) - b.before(first)
}

// BlockSet names some of the blocks of a call, as a value without pointers. The
// zero set is empty. It has one of three forms.
//
// A range, by [Range], is the blocks First, First+1, ... First+Count-1, modulo
// the number of blocks. That is enough for nearly all algorithms.
//
// A relay, by [Relay], is what Bruck's all-to-all exchange sends in one round, and a
// grid, by [grid], what leaders send for all ranks of their domains.
type BlockSet struct {
	First, Count int
	// How the blocks follow each other, packed into a word because every step of every algorithm has two sets. 0: a
	// range. Relay: 1, the bit, and the number of ranks in 2, 6 and 32 bits; First is the rank. Grid: 2, the number of
	// columns, and the steps of rows and columns in 2, 20, 21 and 21 bits.
	form uint64
}

const (
	aRelay = 1
	aGrid  = 2
)

// Range returns the set of count blocks from first on, modulo the number of
// blocks.
func Range(first, count int) BlockSet { return BlockSet{First: first, Count: count} }

// Relay returns the set of blocks that rank, one of p, passes on over a
// distance of 2^bit in an all-to-all exchange in which a block travels its
// distance i = (destination - source) mod p by powers of two, the smallest
// first.
//
// It has one block for each i from 1 to p-1 in which the bit is set, in ascending order
// of i. Such a block has already travelled a distance of low = i mod 2^bit, so it is
// the block from rank-low to rank-low+i.
func Relay(p, rank, bit int) BlockSet {
	unit := 1 << bit
	// Of 2*unit consecutive numbers, those in the upper half have the bit set.
	count := p / (2 * unit) * unit
	count += max(0, p%(2*unit)-unit)
	return BlockSet{First: rank, Count: count, form: aRelay | uint64(bit)<<2 | uint64(p)<<8}
}

// grid returns the set of blocks first + i rowStep + j columnStep of rows i and columns j,
// all below the number of blocks, row by row.
func grid(first, rows, rowStep, columns, columnStep int) BlockSet {
	if columns >= 1<<20 || rowStep >= 1<<21 || columnStep >= 1<<21 {
		panic("collective: a grid of blocks among more than a million ranks")
	}
	return BlockSet{First: first, Count: rows * columns,
		form: aGrid | uint64(columns)<<2 | uint64(rowStep)<<22 | uint64(columnStep)<<43}
}

// At returns the number of the j-th block of the set, 0 <= j < Count, when the
// call has n blocks.
func (s BlockSet) At(j, n int) int {
	switch {
	case s.form == 0:
		return (s.First + j) % n
	case s.form&3 == aGrid:
		columns, rowStep, columnStep := int(s.form>>2&(1<<20-1)), int(s.form>>22&(1<<21-1)), int(s.form>>43)
		return s.First + j/columns*rowStep + j%columns*columnStep
	}
	// The j-th number with the bit set: open a gap for it in j.
	p := int(s.form >> 8)
	unit := 1 << (s.form >> 2 & 63)
	low := j & (unit - 1)
	high := (j-low)<<1 | unit
	source := (s.First - low + p) % p
	destination := (s.First + high) % p
	return source*p + destination
}

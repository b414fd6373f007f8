package collective

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// BlockCount returns how many blocks the data of a call of op among p ranks
// consist of: none for a barrier; one for a broadcast or a reduction; one per
// rank for gather, scatter and allgather, block r being that of rank r; p*p for
// an all-to-all exchange, block s*p+d being what rank s has for rank d.
func BlockCount(op workloads.Collective, p int) int {
	switch op {
	case workloads.Bcast, workloads.Reduce, workloads.Allreduce:
		return 1
	case workloads.Gather, workloads.Scatter, workloads.Allgather:
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

// Uniform returns n blocks of the given size. Both must be at least 0 (see
// Validate).
func Uniform(n int, size units.Bytes) UniformBlocks {
	return UniformBlocks{n: n, size: size}
}

// Range implements [Blocks]; no block counts twice, so count is cut at the
// number of blocks.
func (b UniformBlocks) Range(first, count int) units.Bytes {
	return units.Bytes(min(count, b.n)) * b.size
}

// Validate reports what is wrong with the blocks.
func (b UniformBlocks) Validate() error {
	if b.n < 0 {
		return fmt.Errorf("blocks: number is %d; expected at least 0", b.n)
	}
	return validateSize("size of a block", b.size)
}

// VaryingBlocks are blocks of different sizes, for the v-variants of MPI.
type VaryingBlocks struct {
	end []units.Bytes // end[i] is the total size of blocks 0 ... i
}

var _ Blocks = VaryingBlocks{}

// Varying returns blocks of the given sizes, each at least 0 (see Validate). It
// keeps no reference to sizes. Totals are exact as long as sizes are whole
// numbers and the sum of all is below 2^53 bytes.
func Varying(sizes []units.Bytes) VaryingBlocks {
	end := make([]units.Bytes, len(sizes))
	var sum units.Bytes
	for i, size := range sizes {
		sum += size
		end[i] = sum
	}
	return VaryingBlocks{end: end}
}

// before returns the total size of the blocks 0 ... i-1.
func (b VaryingBlocks) before(i int) units.Bytes {
	if i == 0 {
		return 0
	}
	return b.end[i-1]
}

// Range implements [Blocks] in constant time; no block counts twice, so count
// is cut at the number of blocks. It needs first >= 0.
func (b VaryingBlocks) Range(first, count int) units.Bytes {
	n := len(b.end)
	if n == 0 {
		return 0
	}
	count = min(count, n)
	first %= n
	if last := first + count; last > n {
		return b.before(n) - b.before(first) + b.before(last-n)
	}
	return b.before(first+count) - b.before(first)
}

// Validate reports the first block that has no valid size.
func (b VaryingBlocks) Validate() error {
	for i := range b.end {
		if err := validateSize(fmt.Sprintf("size of block %d", i), b.before(i+1)-b.before(i)); err != nil {
			return err
		}
	}
	return nil
}

func validateSize(what string, size units.Bytes) error {
	if !(size >= 0) || math.IsInf(float64(size), 1) {
		return fmt.Errorf("blocks: %s is %v byte; expected a finite number, at least 0", what, float64(size))
	}
	return nil
}

package expression

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Distribution says which process has which of n items, such as the rows of a matrix.
type Distribution struct {
	Name  string
	Of    *Expression // n, the same for all processes
	Along int32       // axis
	// Block is how many consecutive items are dealt out at a time, in turns; nil: each
	// process has one piece.
	Block   *Expression
	BySpeed bool // parts are in proportion to marked speed, else equal
}

// split is a division of n among the processes along an axis by marked speed.
type split struct {
	n    *Expression
	axis int32
}

func (n *Names) split(of *Expression, axis int32) int32 {
	n.splits = append(n.splits, split{of, axis})
	return int32(len(n.splits) - 1)
}

// MaxItems bounds what is divided: items are counted in 32 bits.
const MaxItems = algorithm.MaxOrder

// maxDealt bounds the blocks that are dealt out by speed: each has an entry in a table.
const maxDealt = 1 << 26

// division is a distribution for known sizes, among q = 0 ... processes-1.
type division interface {
	owner(i int) int    // who has item i, 0 <= i < n
	below(q, m int) int // how many of the first m items q has, 0 <= m <= n
}

// blocked gives each an equal part in one piece. The first n mod p have one more.
type blocked struct{ n, p int }

// start returns the first item of q; of the one behind the last, n.
func (b blocked) start(q int) int { return q*(b.n/b.p) + min(q, b.n%b.p) }

func (b blocked) owner(i int) int {
	small, more := b.n/b.p, b.n%b.p
	if i < more*(small+1) {
		return i / (small + 1)
	}
	return more + (i-more*(small+1))/small
}

func (b blocked) below(q, m int) int { return inside(b.start(q), b.start(q+1), m) }

// inside returns how many of the first m items are from start to before end.
func inside(start, end, m int) int { return min(max(m-start, 0), end-start) }

// cyclic deals blocks out in turns.
type cyclic struct{ block, p int }

func (c cyclic) owner(i int) int { return i / c.block % c.p }

func (c cyclic) below(q, m int) int { return algorithm.Dealt(q, c.p, m, c.block) }

// pieces gives each one piece, of any size; element q is the end of that of q.
type pieces []int

func (b pieces) start(q int) int {
	if q == 0 {
		return 0
	}
	return b[q-1]
}

func (b pieces) owner(i int) int {
	q, found := slices.BinarySearch(b, i)
	if found { // the item is the first after this piece, and after empty ones
		for b[q] == i {
			q++
		}
	}
	return q
}

func (b pieces) below(q, m int) int { return inside(b.start(q), b[q], m) }

// dealt has blocks, each with an owner of its own.
type dealt struct {
	block  int
	by     []int32   // owner of each block
	blocks [][]int32 // of each process
}

func newDealt(n, block int, speeds []units.FlopsPerSecond) dealt {
	d := dealt{block: block, by: algorithm.Cyclic((n+block-1)/block, speeds), blocks: make([][]int32, len(speeds))}
	counts := make([]int, len(speeds))
	for _, q := range d.by {
		counts[q]++
	}
	for q, c := range counts {
		d.blocks[q] = make([]int32, 0, c)
	}
	for i, q := range d.by {
		d.blocks[q] = append(d.blocks[q], int32(i))
	}
	return d
}

func (d dealt) owner(i int) int { return int(d.by[i/d.block]) }

func (d dealt) below(q, m int) int {
	whole, begun := slices.BinarySearch(d.blocks[q], int32(m/d.block))
	if begun {
		return whole*d.block + m%d.block
	}
	return whole * d.block
}

// divide returns the division of n items by a distribution.
func (d *Distribution) divide(n, block int, speeds []units.FlopsPerSecond) (division, error) {
	switch {
	case d.BySpeed && d.Block != nil:
		if (n+block-1)/block > maxDealt {
			return nil, fmt.Errorf("%s has %d blocks; expected at most %d where they are dealt out by speed", d.Name, (n+block-1)/block, maxDealt)
		}
		return newDealt(n, block, speeds), nil
	case d.BySpeed:
		return bySpeed(n, speeds), nil
	case d.Block != nil:
		return cyclic{block, len(speeds)}, nil
	}
	return blocked{n, len(speeds)}, nil
}

func bySpeed(n int, speeds []units.FlopsPerSecond) pieces {
	end, sum := make(pieces, len(speeds)), 0
	for q, s := range algorithm.Shares(n, speeds) {
		sum += s
		end[q] = sum
	}
	return end
}

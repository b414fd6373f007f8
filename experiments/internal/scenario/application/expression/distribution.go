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
	share(q int) int    // number of items of q
	owner(i int) int    // who has item i, 0 <= i < n
	after(q, i int) int // number of items of q that come after item i
}

// blocked gives each an equal part in one piece. The first n mod p have one more.
type blocked struct{ n, p int }

func (b blocked) share(q int) int {
	if q < b.n%b.p {
		return b.n/b.p + 1
	}
	return b.n / b.p
}

func (b blocked) owner(i int) int {
	small, more := b.n/b.p, b.n%b.p
	if i < more*(small+1) {
		return i / (small + 1)
	}
	return more + (i-more*(small+1))/small
}

func (b blocked) after(q, i int) int {
	end := (q+1)*(b.n/b.p) + min(q+1, b.n%b.p)
	return min(max(end-1-i, 0), b.share(q))
}

// cyclic deals blocks out in turns.
type cyclic struct{ n, block, p int }

func (c cyclic) share(q int) int { return c.below(q, c.n) }

func (c cyclic) owner(i int) int { return i / c.block % c.p }

func (c cyclic) after(q, i int) int { return c.share(q) - c.below(q, i+1) }

// below returns how many of the first m items q has.
func (c cyclic) below(q, m int) int { return algorithm.Dealt(q, c.p, m, c.block) }

// pieces gives each one piece, of any size.
type pieces struct{ end []int } // of the piece of q

func (b pieces) share(q int) int { return b.end[q] - b.start(q) }

func (b pieces) start(q int) int {
	if q == 0 {
		return 0
	}
	return b.end[q-1]
}

func (b pieces) owner(i int) int {
	q, found := slices.BinarySearch(b.end, i)
	if found { // the item is the first after this piece, and after empty ones
		for b.end[q] == i {
			q++
		}
	}
	return q
}

func (b pieces) after(q, i int) int { return min(max(b.end[q]-1-i, 0), b.share(q)) }

// dealt has blocks, each with an owner of its own.
type dealt struct {
	n, block int
	by       []int32   // owner of each block
	blocks   [][]int32 // of each process
}

func newDealt(n, block int, speeds []units.FlopsPerSecond) dealt {
	d := dealt{n: n, block: block, by: algorithm.Cyclic((n+block-1)/block, speeds), blocks: make([][]int32, len(speeds))}
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

func (d dealt) share(q int) int { return d.after(q, -1) }

func (d dealt) owner(i int) int { return int(d.by[i/d.block]) }

func (d dealt) after(q, i int) int {
	first := (i + 1) / d.block // block of the next item
	mine := d.blocks[q]
	at, _ := slices.BinarySearch(mine, int32(first))
	if at == len(mine) {
		return 0
	}
	n := (len(mine) - at) * d.block
	if int(mine[at]) == first {
		n -= (i + 1) % d.block
	}
	if last := len(d.by) - 1; int(mine[len(mine)-1]) == last {
		n -= len(d.by)*d.block - d.n
	}
	return n
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
		return cyclic{n, block, len(speeds)}, nil
	}
	return blocked{n, len(speeds)}, nil
}

func bySpeed(n int, speeds []units.FlopsPerSecond) pieces {
	end, sum := make([]int, len(speeds)), 0
	for q, s := range algorithm.Shares(n, speeds) {
		sum += s
		end[q] = sum
	}
	return pieces{end}
}

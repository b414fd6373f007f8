package application

import (
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Requests and tags of exchanges are above those of a file and below those of
// collective operations.
const (
	exchangeRequest int32 = 1 << 29
	exchangeTag     int32 = 1 << 29
)

// exchange is an Exchange on a grid.
type exchange struct {
	around  []bool
	offsets []offset
}

// offset is a neighbour. The one at the other end of the list is opposite.
type offset struct {
	by   []int8 // distance along each axis: -1, 0, 1
	size *operand
}

// exchange returns the neighbours of an exchange in a fixed order.
func (b *builder) exchange(s Exchange) *exchange {
	e := &exchange{around: s.Around}
	axes := len(b.x.values.Grid.Sides)
	sizes := map[int]*operand{}
	for along, size := range s.Sizes {
		sizes[along] = b.operand(size)
	}
	by := make([]int8, axes)
	var visit func(axis, along int)
	visit = func(axis, along int) {
		if axis < 0 {
			if size := sizes[along]; size != nil && along != 0 {
				e.offsets = append(e.offsets, offset{append([]int8(nil), by...), size})
			}
			return
		}
		for d := int8(-1); d <= 1; d++ {
			by[axis] = d
			if d == 0 {
				visit(axis-1, along)
			} else {
				visit(axis-1, along|1<<axis)
			}
		}
	}
	visit(axes-1, 0)
	return e
}

// neighbour returns the process at an offset, nobody for the edge of the grid and for
// the process itself.
func (e *exchange) neighbour(g *expression.Grid, process int32, o *offset) int32 {
	r := process
	for axis, d := range o.by {
		if d != 0 {
			if r = g.Moved(r, int32(axis), int64(d), e.around[axis]); r == expression.Nobody {
				return expression.Nobody
			}
		}
	}
	if r == process {
		return expression.Nobody
	}
	return r
}

// open starts the messages: receives from all neighbours, then sends to all of them.
func (r *run) open(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	e := i.exchange
	n := int32(len(e.offsets))
	for ; *k < 2*n; *k++ {
		o := *k % n
		to := e.neighbour(&r.x.values.Grid, f.Row, &e.offsets[o])
		if to == expression.Nobody {
			continue
		}
		// Tags tell the directions in which messages move.
		if *k < n {
			*op = workloads.Op{Kind: workloads.Irecv, Peer: to, Tag: exchangeTag + n - 1 - o, Request: exchangeRequest + *k}
		} else {
			*op = workloads.Op{Kind: workloads.Isend, Peer: to, Tag: exchangeTag + o, Request: exchangeRequest + *k, Size: units.Bytes(r.amount(f, i, e.offsets[o].size, "size"))}
		}
		*k++
		return true
	}
	return false
}

package flow

import "github.com/isoscale/isoscale/model/units"

// travelling is a message in its latency phase.
type travelling struct {
	until    units.Seconds
	order    uint64 // of start: ends at one instant are in this order
	from, to int32  // hosts
	name     int32
	size     units.Bytes // with envelope
}

// travellers is a binary heap of messages by the end of their latency phase.
type travellers []travelling

func (h travellers) before(i, j int) bool {
	return h[i].until < h[j].until || h[i].until == h[j].until && h[i].order < h[j].order
}

func (h *travellers) push(t travelling) {
	*h = append(*h, t)
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if !a.before(i, up) {
			return
		}
		a[i], a[up] = a[up], a[i]
		i = up
	}
}

// pop removes the first. REQUIRES: there is one.
func (h *travellers) pop() travelling {
	a := *h
	first, last := a[0], len(a)-1
	a[0] = a[last]
	a = a[:last]
	*h = a
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			return first
		}
		if down+1 < last && a.before(down+1, down) {
			down++
		}
		if !a.before(down, i) {
			return first
		}
		a[i], a[down] = a[down], a[i]
		i = down
	}
}

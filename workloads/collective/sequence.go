package collective

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// FlopsPerByte is the work of combining one byte of a reduction, in flop per
// byte: 1/8 for a sum of double precision numbers.
type FlopsPerByte float64

// Next turns a collective call into the operations of one rank, for use inside the Next
// of a [workloads.Program]. It stores the operation number *k of rank in *op, adds 1 to
// *k and returns true; at the end of the call it returns false and leaves both alone.
// *k must be 0 at the start of a call and is all that a rank has to remember. rank,
// like the root, is a number within the group of the call; peers in *op are numbers
// among all ranks.
//
// An algorithm gives its steps: messages with [workloads.CollectiveTag] and the size of their blocks,
// and for the arithmetic of a reduction a Compute of intensity times the size of the combined blocks.
// With a single rank there is nothing to do. Rules give the steps of the algorithm that they choose
// for this call. A law of accelerators or a measured cost gives one Measured operation on the size of
// all [BlockCount] blocks.
//
// Requests of a call are named CollectiveTag + Request, so a workload's own requests
// must have smaller names. They may be open during a call.
//
// ch and c must be valid. blocks may be nil for a barrier. There is no allocation if ch
// holds an algorithm of this package, rules or a cost; the type parameter keeps a
// Blocks that is made for this call off the heap.
func Next[B Blocks](ch Choice, c Call, blocks B, intensity FlopsPerByte, rank int, k *int32, op *workloads.Op) bool {
	if ch.Cost != nil {
		size := total(ch.Operation, c, blocks)
		return measured(ch, c, size, ch.Cost.Time(c.Size, size), k, op)
	}
	a := ch.Algorithm
	if ch.Rules != nil {
		a = ch.Rules.Choose(ch.Operation, c, total(ch.Operation, c, blocks))
	}
	if m, ok := a.(timed); ok && c.Size > 1 {
		size := total(ch.Operation, c, blocks)
		t, otherwise := measuredTime(m, c, size)
		if otherwise == nil {
			return measured(ch, c, size, t, k, op)
		}
		a = otherwise
	}
	if l, ok := a.(*law); ok && c.Size > 1 {
		size := total(ch.Operation, c, blocks)
		if t, known := l.cost(ch.Operation, c, size); known {
			return measured(ch, c, size, t, k, op)
		}
	}
	if d, ok := a.(Divider); ok {
		size := total(ch.Operation, c, blocks)
		c.Pieces = d.Pieces(c, size)
		return step(a, c, cut(size, c.Pieces), intensity, rank, k, op)
	}
	if n, ok := a.(*nested); ok {
		if order := n.blockOrder(c); order != nil {
			return step(a, c, reordered[B]{blocks, order, ch.Operation == workloads.Alltoall}, intensity, rank, k, op)
		}
	}
	return step(a, c, blocks, intensity, rank, k, op)
}

// total returns the size of all blocks of a call.
func total[B Blocks](op workloads.Collective, c Call, blocks B) units.Bytes {
	n := BlockCount(op, c.Size)
	if n == 0 {
		return 0
	}
	return blocks.Size(Range(0, n))
}

// measured gives the one operation of a call at a measured cost or by a law.
func measured(ch Choice, c Call, size units.Bytes, t units.Seconds, k *int32, op *workloads.Op) bool {
	if *k > 0 {
		return false
	}
	*op = workloads.Op{
		Kind:       workloads.Measured,
		Collective: ch.Operation,
		Peer:       c.world(c.Root),
		Size:       size,
		Time:       t,
	}
	if c.Group != nil {
		op.Group, op.Members = c.Number, int32(c.Size)
	}
	*k++
	return true
}

// step gives the operation for a step of an algorithm.
func step[B Blocks](a Algorithm, c Call, blocks B, intensity FlopsPerByte, rank int, k *int32, op *workloads.Op) bool {
	s, ok := a.Step(c, rank, int(*k))
	if !ok {
		return false
	}
	var size units.Bytes
	if s.Blocks.Count > 0 {
		size = blocks.Size(s.Blocks)
	}
	*op = workloads.Op{Kind: s.Kind, Collective: a.Operation(), First: *k == 0, Group: c.Number}
	switch s.Kind {
	case workloads.Compute:
		op.Work = units.Flops(float64(intensity) * float64(size))
	case workloads.Wait:
		op.Request = workloads.CollectiveTag + int32(s.Request)
	default: // a message
		op.Peer, op.Tag, op.Size = c.world(s.Peer), workloads.CollectiveTag, size
		switch s.Kind {
		case workloads.Sendrecv:
			op.From = c.world(s.From)
		case workloads.Isend, workloads.Irecv:
			op.Request = workloads.CollectiveTag + int32(s.Request)
		}
	}
	*k++
	return true
}

package collective

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// FlopsPerByte is the work of combining one byte of a reduction, in flop per
// byte: 1/8 for a sum of double precision numbers.
type FlopsPerByte float64

// Next turns a collective call into the operations of one rank, for use inside
// the Next of a [workloads.Program]. It stores the operation number *k of rank
// in *op, adds 1 to *k and returns true; at the end of the call it returns
// false and leaves both alone. *k must be 0 at the start of a call and is all
// that a rank has to remember.
//
// An algorithm gives its steps: messages with [Tag] and the size of their
// blocks, and for the arithmetic of a reduction a Compute of intensity times
// the size of the blocks combined. Among one rank there is nothing to do. A
// measured cost gives one Measured operation on the size of all blocks, as
// many as [BlockCount] says.
//
// Requests of a call are named Tag + k, so a workload's own requests must have
// smaller names. A Waitall waits for all requests of the rank, so a workload
// must not have requests of its own open during the call of an algorithm that
// uses it.
//
// ch and c must be valid. blocks may be nil for a barrier. There is no
// allocation if ch holds an algorithm of this package or a cost; the type
// parameter is what keeps a Blocks made for this very call off the heap.
func Next[B Blocks](ch Choice, c Call, blocks B, intensity FlopsPerByte, rank int, k *int32, op *workloads.Op) bool {
	if ch.Cost != nil {
		if *k > 0 {
			return false
		}
		var size units.Bytes
		if n := BlockCount(ch.Operation, c.Size); n > 0 {
			size = blocks.Range(0, n)
		}
		*op = workloads.Op{
			Kind:       workloads.Measured,
			Collective: ch.Operation,
			Peer:       int32(c.Root),
			Size:       size,
			Time:       ch.Cost.Time(c.Size, size),
		}
		*k++
		return true
	}

	s, ok := step(ch.Algorithm, c, rank, int(*k))
	if !ok {
		return false
	}
	var size units.Bytes
	if s.Count > 0 {
		size = blocks.Range(s.First, s.Count)
	}
	switch s.Kind {
	case workloads.Compute:
		*op = workloads.Op{Kind: s.Kind, Work: units.Flops(float64(intensity) * float64(size))}
	case workloads.Send, workloads.Recv:
		*op = workloads.Op{Kind: s.Kind, Peer: int32(s.Peer), Tag: Tag, Size: size}
	case workloads.Isend, workloads.Irecv:
		*op = workloads.Op{Kind: s.Kind, Peer: int32(s.Peer), Tag: Tag, Size: size, Request: Tag + *k}
	default: // Waitall
		*op = workloads.Op{Kind: s.Kind}
	}
	*k++
	return true
}

// step returns a step by value. The algorithms of this package give it without
// an allocation; others pay one for the pointer that Step takes.
func step(a Algorithm, c Call, rank, k int) (Step, bool) {
	if own, ok := a.(*scheme); ok {
		return own.step(c, rank, k)
	}
	var s Step
	ok := a.Step(c, rank, k, &s)
	return s, ok
}

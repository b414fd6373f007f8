package export

import (
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// Collectives says how calls of collective operations were written.
type Collectives struct {
	Native   int64 `json:"native"`   // as SMPI's operation
	Messages int64 `json:"messages"` // as its messages; counted on rank 0
}

// nativeWriter passes on what ranks do, and writes collective calls of all ranks as
// SMPI's operations if the messages are the same. It holds back the operations of a rank
// from the first call on that other ranks have not finished.
type nativeWriter struct {
	Collectives
	out   *tiWriter
	found titrace.Natives
	ranks []nativeRank
	ready int // ranks whose next item is a complete call
	err   error
}

// nativeRank is what is held back of a rank.
type nativeRank struct {
	items []item
	ended bool // it has no more operations
	ready bool
}

// item is a single operation, or a call: the operations of one step of the program, if
// it begins with a message of a collective operation.
type item struct {
	ops  []workloads.Op
	call bool
	step uint64
}

var _ sink = (*nativeWriter)(nil)

func (n *nativeWriter) Op(rank int, op *workloads.Op, step uint64) error {
	r := &n.ranks[rank]
	if last := len(r.items) - 1; last >= 0 && r.items[last].call && r.items[last].step == step {
		r.items[last].ops = append(r.items[last].ops, *op)
		return n.err
	}
	r.items = append(r.items, item{ops: []workloads.Op{*op}, call: isMessage(op) && op.Tag >= workloads.CollectiveTag,
		step: step})
	n.advance(rank)
	n.writeCalls()
	return n.err
}

// isMessage reports whether an operation sends or receives one message.
func isMessage(op *workloads.Op) bool {
	switch op.Kind {
	case workloads.Send, workloads.Recv, workloads.Isend, workloads.Irecv:
		return true
	}
	return false
}

func (n *nativeWriter) End(rank int) {
	n.ranks[rank].ended = true
	n.advance(rank)
	n.writeCalls()
}

// Close writes what is still held back at the end of the run and returns the first error.
func (n *nativeWriter) Close() error {
	for rank := range n.ranks {
		for i := range n.ranks[rank].items {
			n.writeMessages(rank, &n.ranks[rank].items[i])
		}
		if n.err == nil {
			n.out.End(rank)
		}
	}
	return n.err
}

// advance writes what a rank does before its next call, and notes whether that call is complete.
func (n *nativeWriter) advance(rank int) {
	r := &n.ranks[rank]
	for len(r.items) > 0 && !r.items[0].call {
		n.writeMessages(rank, &r.items[0])
		r.items = r.items[1:]
	}
	if !r.ready && (len(r.items) > 1 || len(r.items) == 1 && r.ended) {
		r.ready = true
		n.ready++
	}
}

// writeCalls writes calls that all ranks have finished.
func (n *nativeWriter) writeCalls() {
	for n.ready == len(n.ranks) && n.err == nil {
		calls := make([][]workloads.Op, len(n.ranks))
		for rank := range n.ranks {
			calls[rank] = n.ranks[rank].items[0].ops
		}
		action, native := "", n.isOne()
		if native {
			action, native = n.found.Find(calls)
		}
		if native {
			n.Native++
		}
		n.ready = 0
		for rank := range n.ranks {
			r := &n.ranks[rank]
			if native {
				n.writeNative(rank, action, r.items[0].ops)
			} else {
				n.writeMessages(rank, &r.items[0])
			}
			r.items, r.ready = r.items[1:], false
		}
		for rank := range n.ranks {
			n.advance(rank)
		}
	}
}

// isOne reports whether the next calls of all ranks are one step of the program, with
// sizes that a trace can have.
func (n *nativeWriter) isOne() bool {
	for rank := range n.ranks {
		x := &n.ranks[rank].items[0]
		if x.step != n.ranks[0].items[0].step {
			return false
		}
		for i := range x.ops {
			if isMessage(&x.ops[i]) && n.out.sizes.of(x.ops[i].Size) != x.ops[i].Size {
				return false
			}
		}
	}
	return true
}

// writeNative writes a call as SMPI's operation, and notes what its messages need.
func (n *nativeWriter) writeNative(rank int, action string, ops []workloads.Op) {
	n.out.begin(rank)
	for i := range ops {
		op := &ops[i]
		n.out.add(op)
		if n.err == nil && (op.Kind == workloads.Send || op.Kind == workloads.Isend) {
			n.err = n.out.message(rank, op)
		}
	}
	n.out.out.Collective(rank, action)
}

func (n *nativeWriter) writeMessages(rank int, x *item) {
	if x.call && rank == 0 {
		n.Messages++
	}
	for i := range x.ops {
		if n.err == nil {
			n.err = n.out.Op(rank, &x.ops[i], x.step)
		}
	}
}

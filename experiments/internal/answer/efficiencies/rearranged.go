package efficiencies

import (
	"slices"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// A rearranged program performs the operations of another one in batches. A batch is a series of receives and waits of
// point-to-point messages, then computations, then sends, or any other operation by itself. A batch is read before
// it is performed, so the other program must not depend on what happens in it.
type rearranged struct {
	workloads.Program
	arrange func(batch []workloads.Op, received bool) []workloads.Op
	ranks   []arranging
}

// arranging is the progress of a rank.
type arranging struct {
	ready    []workloads.Op // to be performed
	next     workloads.Op   // the first of the next batch
	started  bool           // next was read
	ended    bool           // there is no next
	received bool           // point-to-point messages were received before the batch
}

var _ sim.Wrapper = (*rearranged)(nil)

// rearrangement returns a function that makes a program whose batches are rearranged.
func rearrangement(arrange func(batch []workloads.Op, received bool) []workloads.Op) func(workloads.Program) workloads.Program {
	return func(p workloads.Program) workloads.Program {
		return &rearranged{Program: p, arrange: arrange, ranks: make([]arranging, p.Ranks())}
	}
}

// canRearrange reports whether a program performs the same operations whatever happens, and has no streams.
func canRearrange(p workloads.Program) bool {
	_, listens := wrapped.Outermost[sim.Listener](p)
	return !listens && wrapped.Streams(p) == 0
}

func (p *rearranged) Unwrap() workloads.Program { return p.Program }

func (p *rearranged) Next(rank int, op *workloads.Op) bool {
	r := &p.ranks[rank]
	read := func() {
		r.next = workloads.Op{}
		r.ended = !p.Program.Next(rank, &r.next)
	}
	if !r.started {
		r.started = true
		read()
	}
	for len(r.ready) == 0 {
		if r.ended {
			return false
		}
		batch, last := []workloads.Op{r.next}, turn(&r.next)
		for read(); !r.ended && last > 0 && turn(&r.next) >= last; read() {
			batch, last = append(batch, r.next), turn(&r.next)
		}
		r.ready = p.arrange(batch, r.received)
		r.received = r.received || slices.ContainsFunc(batch, func(op workloads.Op) bool {
			return op.Collective == 0 && (op.Kind == workloads.Recv || op.Kind == workloads.Irecv || op.Kind == workloads.Sendrecv)
		})
	}
	*op, r.ready = r.ready[0], r.ready[1:]
	return true
}

// turn is the place of an operation in the order of a batch, 0 for one that is a batch by itself.
func turn(op *workloads.Op) int {
	if op.Collective != 0 {
		return 0
	}
	switch op.Kind {
	case workloads.Recv, workloads.Wait:
		return 1
	case workloads.Compute, workloads.Delay:
		return 2
	case workloads.Send, workloads.Isend:
		return 3
	}
	return 0
}

// sendFirst moves sends ahead of the computations before them, unless the rank has received something: then its sends
// may depend on the results of these computations.
func sendFirst(batch []workloads.Op, received bool) []workloads.Op {
	if !received && turn(&batch[0]) == 2 {
		slices.SortStableFunc(batch, func(a, b workloads.Op) int { return turn(&b) - turn(&a) })
	}
	return batch
}

// pieces is the number of pieces that each message is divided into.
const pieces = 4

// inPieces divides messages and the computations between them, so that a rank can proceed with the first piece.
func inPieces(batch []workloads.Op, _ bool) []workloads.Op {
	if turn(&batch[0]) == 2 && turn(&batch[len(batch)-1]) == 2 {
		return batch
	}
	first := &batch[0]
	n := pieces
	if turn(first) == 0 && (first.Collective != 0 || first.Kind != workloads.Irecv && first.Kind != workloads.Sendrecv) {
		n = 1
	}
	var all []workloads.Op
	for i := range n {
		for _, op := range batch {
			switch op.Kind {
			case workloads.Isend, workloads.Irecv, workloads.Wait, workloads.Waitall:
				op.Request = op.Request*pieces + int32(i)
			case workloads.Test:
				op.Request = op.Request*pieces + pieces - 1
			}
			if n > 1 {
				op.Work /= pieces
				op.Time /= pieces
				if op.Kind != workloads.Recv && op.Kind != workloads.Irecv { // their size is the room for a message
					op.Size /= pieces
				}
			}
			all = append(all, op)
		}
	}
	return all
}

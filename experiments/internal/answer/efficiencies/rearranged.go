package efficiencies

import (
	"slices"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// A rearranged program performs the operations of another one in batches: receives and waits of point-to-point messages,
// then computations, then sends, each as many as there are. Any other operation is a batch of its own. A batch is read
// before it is performed, so the other program must not depend on what happens in it.
type rearranged struct {
	workloads.Program
	arrange func(batch []workloads.Op, received bool) []workloads.Op
	ranks   []arranging
}

// arranging is how far a rank is.
type arranging struct {
	ready    []workloads.Op // to be performed
	next     workloads.Op   // the first of the next batch
	started  bool           // next was read
	ended    bool           // there is no next
	received bool           // point-to-point messages, before the batch
}

var _ sim.Wrapper = (*rearranged)(nil)

// rearrangement returns what rearranges the batches of programs.
func rearrangement(arrange func(batch []workloads.Op, received bool) []workloads.Op) func(workloads.Program) workloads.Program {
	return func(p workloads.Program) workloads.Program {
		return &rearranged{Program: p, arrange: arrange, ranks: make([]arranging, p.Ranks())}
	}
}

// canRearrange reports whether a program goes on in the same way whatever happens, on its ranks alone.
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

// turn is when in a batch an operation comes, 0 for one that is a batch of its own.
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

// sendFirst puts sends before the computations ahead of them. On a rank that has received something what it sends may be
// made of that, so there they stay.
func sendFirst(batch []workloads.Op, received bool) []workloads.Op {
	if !received && turn(&batch[0]) == 2 {
		slices.SortStableFunc(batch, func(a, b workloads.Op) int { return turn(&b) - turn(&a) })
	}
	return batch
}

// pieces are how many each message is divided into.
const pieces = 4

// inPieces divides messages, and the computations between them, so that a rank can go on with the first piece.
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
				if op.Kind != workloads.Recv && op.Kind != workloads.Irecv { // whose size is room
					op.Size /= pieces
				}
			}
			all = append(all, op)
		}
	}
	return all
}

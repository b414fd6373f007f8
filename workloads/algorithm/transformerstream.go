package algorithm

import (
	"github.com/isoscale/isoscale/workloads"
)

// What a stream of each device does beside its slots. The gradients of a layer are final when the last micro-batch has
// gone backward through it, and its parameters are needed when the first one goes forward. These slots of a chunk
// consist of one part for each layer, with embedding and logits in equal shares, and the collective operation of a
// layer is a piece of the stream. Pieces follow each other. The all-gather at the end of a step also serves the
// beginning of the next, so a step begins with it and ends with the optimizer.

// piece is a collective operation of a layer.
type piece struct {
	of     shard
	reduce bool // of gradients
}

// gatherEach divides all slots of a stage into parts of one layer, which gather its parameters and, backward, reduce
// its gradients. With overlap, the stream gathers for the next part during this one, as [FSDP] fetches one layer ahead;
// without, a part waits for both.
func (r *transformerRun) gatherEach(slots []slot) []slot {
	var pieces []piece
	var all []slot
	layers := r.slices() / r.virtual()
	for _, s := range slots {
		for part := range layers {
			s.parts, s.part = int32(layers), int32(part)
			all = append(all, s)
		}
	}
	of := func(s *slot) shard {
		dense, experts := r.heldOf(int(s.chunk))
		return shard{dense / float64(layers), experts / float64(layers)}
	}
	ahead, next := 0, 0
	if r.Overlap != overlapNone {
		ahead = 1
	}
	for i := range all {
		s := &all[i]
		s.from = int32(len(pieces))
		for ; next < min(i+ahead+1, len(all)); next++ {
			all[next].piece = int32(len(pieces))
			pieces = append(pieces, piece{of: of(&all[next])})
		}
		if s.to = int32(len(pieces)); s.kind == backward {
			s.reduce = int32(len(pieces))
			pieces = append(pieces, piece{of(s), true})
		}
	}
	r.pieces = append(r.pieces, pieces)
	return all
}

// beginGather lets the stream gather parameters.
func (r *transformerRun) beginGather(rank, round int, k *int32, op *workloads.Op) bool {
	s, _ := r.at(rank, round)
	if s.from+*k >= s.to {
		return false
	}
	*op = workloads.Op{Kind: workloads.Begin, Peer: 1, Request: r.request(s.from + *k)}
	*k++
	return true
}

// awaitGather waits for the parameters of the layer.
func (r *transformerRun) awaitGather(rank, round int, k *int32, op *workloads.Op) bool {
	s, _ := r.at(rank, round)
	return single(workloads.Op{Kind: workloads.Wait, Request: r.request(s.piece)}, k, op)
}

// beginReduce lets the stream reduce the gradients of the layer.
func (r *transformerRun) beginReduce(rank, round int, k *int32, op *workloads.Op) bool {
	s, _ := r.at(rank, round)
	if s.reduce < 0 || *k == 2 || *k == 1 && r.Overlap != overlapNone {
		return false
	}
	*op = workloads.Op{Kind: workloads.Begin, Peer: 1, Request: r.request(s.reduce)}
	if *k == 1 {
		*op = workloads.Op{Kind: workloads.Wait, Request: r.request(s.reduce)}
	}
	*k++
	return true
}

// divide divides the slots of a stage beside which a stream works into parts, and makes
// the pieces of the stream.
func (r *transformerRun) divide(slots []slot) []slot {
	if r.Overlap == overlapNone {
		return slots
	}
	final := uint8(backward)
	if r.Schedule == zeroBubble {
		final = weights
	}
	last := map[int32]int{} // by chunk: the slot that makes its gradients final
	for i, s := range slots {
		if s.kind == final {
			last[s.chunk] = i
		}
	}
	var pieces, reductions []piece
	var all []slot
	gathered := map[int32]bool{}
	layers := r.slices() / r.virtual()
	for i, s := range slots {
		gather := r.Overlap == overlapAll && s.kind == forward && !gathered[s.chunk]
		reduce := s.kind == final && last[s.chunk] == i
		if !gather && !reduce {
			all = append(all, s)
			continue
		}
		dense, experts := r.heldOf(int(s.chunk))
		of := shard{dense / float64(layers), experts / float64(layers)}
		for part := range layers {
			s.parts, s.part = int32(layers), int32(part)
			if gather {
				s.piece = int32(len(pieces))
				pieces = append(pieces, piece{of: of})
			} else {
				s.piece = int32(len(reductions))
				reductions = append(reductions, piece{of, true})
			}
			all = append(all, s)
		}
		gathered[s.chunk] = gathered[s.chunk] || gather
	}
	r.gathers = int32(len(pieces))
	r.pieces = append(r.pieces, append(pieces, reductions...))
	return all
}

// request returns the name of a piece's request, above the names for messages.
func (r *transformerRun) request(piece int32) int32 { return 2*r.depth + 2 + piece }

// gatherAll lets the stream gather the parameters of all layers.
func (r *transformerRun) gatherAll(_, _ int, k *int32, op *workloads.Op) bool {
	if *k == r.gathers {
		return false
	}
	*op = workloads.Op{Kind: workloads.Begin, Peer: 1, Request: r.request(*k)}
	*k++
	return true
}

// awaitPiece waits for the parameters of a layer.
func (r *transformerRun) awaitPiece(rank, round int, k *int32, op *workloads.Op) bool {
	s, _ := r.at(rank, round)
	return s.piece >= 0 && s.kind == forward && single(workloads.Op{Kind: workloads.Wait, Request: r.request(s.piece)}, k, op)
}

// beginPiece lets the stream reduce the gradients of a layer.
func (r *transformerRun) beginPiece(rank, round int, k *int32, op *workloads.Op) bool {
	s, _ := r.at(rank, round)
	return s.piece >= 0 && s.kind != forward &&
		single(workloads.Op{Kind: workloads.Begin, Peer: 1, Request: r.request(r.gathers + s.piece)}, k, op)
}

// settlePieces waits for the gradients of all layers.
func (r *transformerRun) settlePieces(_, _ int, k *int32, op *workloads.Op) bool {
	return single(workloads.Op{Kind: workloads.Waitall, Request: r.request(r.gathers)}, k, op)
}

// beside is a run in which each rank has a stream.
type beside struct {
	*machine
	run *transformerRun
	at  []piecePlace // by rank
}

// piecePlace is where a stream is.
type piecePlace struct {
	piece, half, k int32 // half 0: outside of experts, half 1: in them
}

func (b *beside) Streams() int { return 1 }

func (b *beside) Next(rank int, op *workloads.Op) bool {
	if rank < len(b.at) {
		return b.machine.Next(rank, op)
	}
	rank -= len(b.at)
	p, r := &b.at[rank], b.run
	x := r.pieces[rank/r.perStage][p.piece]
	ch, size := r.Gather, r.ParameterSize
	if x.reduce {
		ch, size = r.ReduceScatter, r.GradientSize
	}
	for ; p.half < int32(len(x.of)); p.half, p.k = p.half+1, 0 {
		if r.sharePart(ch, x.of, size, p.half == 1, rank, &p.k, op) {
			return true
		}
	}
	*p = piecePlace{piece: p.piece + 1}
	return false
}

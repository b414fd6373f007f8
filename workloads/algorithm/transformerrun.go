package algorithm

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// slot is one micro-batch in one chunk of a stage, forward or backward.
type slot struct {
	kind  uint8 // forward, backward or weights
	chunk int32 // counted along the model
	// sent is the number of its message among those of the stage in its direction; -1: none.
	sent int32
	// If a stream works beside it, the slot is one of several parts, each for a layer; the
	// first part receives and the last sends.
	parts, part int32
	// piece is the piece of the stream that the slot waits for (forward) or begins (backward); -1: none. With sharded
	// parameters it begins the pieces from ... to-1, then waits for piece in both directions, and at its end begins the
	// piece reduce, -1: none.
	piece, from, to, reduce int32
}

// receives and sends report whether this part of a slot does.
func (s *slot) receives() bool { return s.part == 0 }
func (s *slot) sends() bool    { return s.sent >= 0 && s.part == s.parts-1 }

// schedule returns the slots of a stage in their order: 1F1B, interleaved where there are several chunks
// [Narayanan2021], or ZB-H1 [Qi2023].
//
// In 1F1B, a stage first goes forward pp-1-p times or, interleaved, 2 (pp-1-p) + (vp-1) pp times; then
// it goes forward and backward in turn, and backward for the rest. Chunks take turns, each for pp
// micro-batches. In ZB-H1, separate slots compute the gradients of parameters: stage p computes those of
// micro-batch i after backward of micro-batch i+p, and at the end while it waits.
func (x transformer) schedule(stage int) []slot {
	total := x.micros() * x.Chunks
	warm := x.Stages - 1 - stage
	if x.Chunks > 1 {
		warm = 2*warm + (x.Chunks-1)*x.Stages
	}
	warm = min(warm, total)
	slots := make([]slot, 0, 3*total)
	var done [3]int // slots of each kind
	var sent [3]int32
	add := func(kind uint8) {
		turn := done[kind] / x.Stages % x.Chunks
		done[kind]++
		if kind == backward {
			turn = x.Chunks - 1 - turn
		}
		s := slot{kind: kind, chunk: int32(turn*x.Stages + stage), sent: -1, parts: 1, piece: -1, reduce: -1}
		if x.Stages > 1 && (kind == forward && int(s.chunk) < x.virtual()-1 || kind == backward && s.chunk > 0) {
			s.sent = sent[kind]
			sent[kind]++
		}
		slots = append(slots, s)
	}
	split := x.Schedule == zeroBubble
	for range warm {
		add(forward)
	}
	for i := range total - warm {
		add(forward)
		add(backward)
		if split && i >= stage {
			add(weights)
		}
	}
	for range warm {
		add(backward)
		if split {
			add(weights)
		}
	}
	for split && done[weights] < total {
		add(weights)
	}
	return slots
}

// Tags of the messages that are not those of collective operations.
const (
	tagActivations int32 = 1 + iota
	tagGradients
	tagTensor
	tagPieces
	tagContext
)

// transformerRun is a run of a transformer.
type transformerRun struct {
	transformer
	slots [][]slot    // by stage
	cost  [][3]cost   // by chunk
	size  units.Bytes // of a message between stages
	// depth is how many messages in each direction a rank may have under way before it waits for the first of
	// them, so that few requests are open at once. A test shows that with two, stages never wait for each
	// other where messages wait for their receivers.
	depth int32
	sent  [][2]int32 // by stage: messages in each direction
	held  []shard    // by stage
	// Pieces of the streams, by stage; the first gather parameters.
	pieces  [][]piece
	gathers int32
	// Groups of ranks that share parameters outside of experts, that share those in experts, and that
	// divide experts.
	dense, shared, dividing []collective.Group
	perStage                int
}

// Program returns a fresh run. The parameters must be valid.
func (x transformer) Program() workloads.Program {
	r := &transformerRun{transformer: x, size: x.message(), depth: 2, perStage: len(x.Speeds) / x.Stages}
	for stage := range x.Stages {
		slots, sent := x.schedule(stage), [2]int32{}
		for _, s := range slots {
			if s.sent >= 0 {
				sent[s.kind] = s.sent + 1
			}
		}
		dense, experts := x.held(stage)
		if x.Sharded {
			slots = r.gatherEach(slots)
		} else {
			slots = r.divide(slots)
		}
		r.slots, r.sent, r.held = append(r.slots, slots), append(r.sent, sent), append(r.held, shard{dense, experts})
	}
	for chunk := range x.virtual() {
		r.cost = append(r.cost, x.costs(chunk))
	}
	n, ep, tp := x.members(), x.layout.Experts, x.Tensor
	for first := 0; first < len(x.Speeds); first += r.perStage {
		for t := range tp {
			start := int32(first + t)
			r.dense = append(r.dense, collective.Strided{First: start, Stride: int32(tp), N: n})
			for e := range ep {
				r.shared = append(r.shared, collective.Strided{First: start + int32(e*tp), Stride: int32(ep * tp), N: n / ep})
			}
			for d := range n / ep {
				r.dividing = append(r.dividing, collective.Strided{First: start + int32(d*ep*tp), Stride: int32(tp), N: ep})
			}
		}
	}
	reduce := []phase{r.share(x.ReduceScatter, x.GradientSize, false), r.share(x.ReduceScatter, x.GradientSize, true)}
	gather := []phase{r.share(x.Gather, x.ParameterSize, false), r.share(x.Gather, x.ParameterSize, true)}
	tensor := r.exchange(tagTensor, 1, tp, func(c *cost) units.Bytes { return c.tensor - r.hidden(c) })
	context := r.exchange(tagContext, tp, x.Context, func(c *cost) units.Bytes { return c.context })
	work := []phase{r.beginTensor, r.compute, r.awaitTensor, r.move, r.spend, tensor, context, r.exchangeExperts, r.send}
	m := x.machine()
	each := func(before, after []phase) *machine {
		return m.repeat(len(r.slots[0]), slices.Concat(before, work, after)...)
	}
	if x.Sharded {
		each([]phase{r.receive, r.beginGather, r.awaitGather}, []phase{r.beginReduce}).
			once(r.settle, r.settlePieces, r.optimize)
		return &beside{machine: m, run: r, at: make([]piecePlace, len(x.Speeds))}
	}
	if x.Overlap == overlapNone {
		return each([]phase{r.receive}, nil).
			once(r.settle).once(reduce...).once(r.optimize).once(gather...)
	}
	if x.Overlap == overlapAll {
		m.once(r.gatherAll)
		gather = nil
	}
	each([]phase{r.receive, r.awaitPiece}, []phase{r.beginPiece}).
		once(r.settle, r.settlePieces, r.optimize).once(gather...)
	return &beside{machine: m, run: r, at: make([]piecePlace, len(x.Speeds))}
}

func (r *transformerRun) at(rank, round int) (*slot, *cost) {
	s := &r.slots[rank/r.perStage][round]
	return s, &r.cost[s.chunk][s.kind]
}

// neighbour returns the rank at the same place of the stage by further on.
func (r *transformerRun) neighbour(rank, by int) int32 {
	p := len(r.Speeds)
	return int32((rank + by*r.perStage + p) % p)
}

// receive takes what the slot needs from another stage.
func (r *transformerRun) receive(rank, round int, k *int32, op *workloads.Op) bool {
	s, _ := r.at(rank, round)
	switch {
	case r.Stages == 1 || !s.receives(): // the previous chunk of the same rank left it
	case s.kind == forward && s.chunk > 0:
		return single(workloads.Op{Kind: workloads.Recv, Peer: r.neighbour(rank, -1), Tag: tagActivations, Size: r.size}, k, op)
	case s.kind == backward && int(s.chunk) < r.virtual()-1:
		return single(workloads.Op{Kind: workloads.Recv, Peer: r.neighbour(rank, 1), Tag: tagGradients, Size: r.size}, k, op)
	}
	return false
}

func (r *transformerRun) compute(rank, round int, k *int32, op *workloads.Op) bool {
	s, c := r.at(rank, round)
	return c.work > 0 && single(workloads.Op{Kind: workloads.Compute, Work: c.work / units.Flops(s.parts)}, k, op)
}

// move is the memory traffic of element-wise operations.
func (r *transformerRun) move(rank, round int, k *int32, op *workloads.Op) bool {
	s, c := r.at(rank, round)
	return c.traffic > 0 && single(workloads.Op{Kind: workloads.Compute, Size: c.traffic / units.Bytes(s.parts)}, k, op)
}

// spend is the overhead of layers.
func (r *transformerRun) spend(rank, round int, k *int32, op *workloads.Op) bool {
	s, c := r.at(rank, round)
	return c.overhead > 0 && single(workloads.Op{Kind: workloads.Delay, Time: c.overhead / units.Seconds(s.parts)}, k, op)
}

// exchange is a phase that sends to the next rank in a ring of n ranks, a stride apart, and receives from the
// previous one.
func (r *transformerRun) exchange(tag int32, stride, n int, size func(*cost) units.Bytes) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		s, c := r.at(rank, round)
		bytes := size(c)
		if bytes == 0 {
			return false
		}
		to, from := around(rank, stride, n)
		return single(workloads.Op{Kind: workloads.Sendrecv, Tag: tag, Size: bytes / units.Bytes(s.parts), Peer: to, From: from}, k, op)
	}
}

// around returns the next and the previous rank in a ring of n ranks, a stride apart.
func around(rank, stride, n int) (next, before int32) {
	at := rank / stride % n
	first := rank - at*stride
	return int32(first + (at+1)%n*stride), int32(first + (at+n-1)%n*stride)
}

// hidden returns the bytes that tensor parallelism exchanges during the computation of a slot: all but the
// first of tp pieces.
func (r *transformerRun) hidden(c *cost) units.Bytes {
	if !r.TensorOverlap {
		return 0
	}
	return c.tensor * units.Bytes(r.Tensor-1) / units.Bytes(r.Tensor)
}

// beginTensor starts that exchange, and awaitTensor waits for it.
func (r *transformerRun) beginTensor(rank, round int, k *int32, op *workloads.Op) bool {
	s, c := r.at(rank, round)
	size := r.hidden(c) / units.Bytes(s.parts)
	if size == 0 || *k == 2 {
		return false
	}
	to, from := around(rank, 1, r.Tensor)
	*op = workloads.Op{Kind: workloads.Irecv, Peer: from, Tag: tagPieces, Size: size, Request: 2 * r.depth}
	if *k == 1 {
		*op = workloads.Op{Kind: workloads.Isend, Peer: to, Tag: tagPieces, Size: size, Request: 2*r.depth + 1}
	}
	*k++
	return true
}

func (r *transformerRun) awaitTensor(rank, round int, k *int32, op *workloads.Op) bool {
	_, c := r.at(rank, round)
	if r.hidden(c) == 0 || *k == 2 {
		return false
	}
	*op = workloads.Op{Kind: workloads.Wait, Request: 2*r.depth + *k}
	*k++
	return true
}

// exchangeExperts sends tokens to their experts and back.
func (r *transformerRun) exchangeExperts(rank, round int, k *int32, op *workloads.Op) bool {
	s, c := r.at(rank, round)
	if c.experts == 0 {
		return false
	}
	ep := r.layout.Experts
	line, at := r.line(rank)
	group := line*(r.members()/ep) + at/ep
	call := collective.In(r.dividing[group], int32(1+len(r.dense)+len(r.shared)+group), 0)
	return collective.Next(r.All, call, collective.Uniform(ep*ep, c.experts/units.Bytes(ep*int(s.parts))), 0, at%ep, k, op)
}

// line returns the group sharing parameters that a rank is in, and its place in that group.
func (r *transformerRun) line(rank int) (line, at int) {
	return rank/r.perStage*r.Tensor + rank%r.Tensor, rank % r.perStage / r.Tensor
}

// send starts to send the result to the next stage, once the earlier message with the same request
// name has left.
func (r *transformerRun) send(rank, round int, k *int32, op *workloads.Op) bool {
	s, _ := r.at(rank, round)
	if !s.sends() {
		return false
	}
	name := int32(s.kind)*r.depth + s.sent%r.depth
	if *k == 0 && s.sent >= r.depth {
		return single(workloads.Op{Kind: workloads.Wait, Request: name}, k, op)
	}
	if *k == 2 {
		return false
	}
	to, tag := r.neighbour(rank, 1), tagActivations
	if s.kind == backward {
		to, tag = r.neighbour(rank, -1), tagGradients
	}
	*op = workloads.Op{Kind: workloads.Isend, Peer: to, Tag: tag, Size: r.size, Request: name}
	*k = 2
	return true
}

// settle waits for the messages that are still under way.
func (r *transformerRun) settle(rank, _ int, k *int32, op *workloads.Op) bool {
	sent := &r.sent[rank/r.perStage]
	name := *k
	if ahead := min(r.depth, sent[forward]); name >= ahead {
		name += r.depth - ahead
	}
	if name >= r.depth+min(r.depth, sent[backward]) {
		return false
	}
	*op = workloads.Op{Kind: workloads.Wait, Request: name}
	*k++
	return true
}

// shard is how many parameters a device has: outside of experts, and in them.
type shard [2]float64

// share is a phase of a collective operation among the ranks that share parameters, of experts or outside of
// them.
func (r *transformerRun) share(ch collective.Choice, size units.Bytes, experts bool) phase {
	return func(rank, _ int, k *int32, op *workloads.Op) bool {
		return r.sharePart(ch, r.held[rank/r.perStage], size, experts, rank, k, op)
	}
}

// sharePart is share for some of the parameters.
func (r *transformerRun) sharePart(ch collective.Choice, of shard, size units.Bytes, experts bool, rank int, k *int32, op *workloads.Op) bool {
	group, at := r.line(rank)
	held, groups, number := of[0], r.dense, 1
	if ep := r.layout.Experts; experts {
		held, groups, number = of[1], r.shared, 1+len(r.dense)
		group, at = group*ep+at%ep, at/ep
	}
	g := groups[group]
	if held == 0 || g.Size() == 1 {
		return false
	}
	call := collective.In(g, int32(number+group), 0)
	return collective.Next(ch, call, collective.Uniform(g.Size(), units.Bytes(held)*size/units.Bytes(g.Size())), 0, at, k, op)
}

// optimize updates the parameters.
func (r *transformerRun) optimize(rank, _ int, k *int32, op *workloads.Op) bool {
	return single(workloads.Op{Kind: workloads.Compute, Size: units.Bytes(updateTraffic * r.updated(rank/r.perStage))}, k, op)
}

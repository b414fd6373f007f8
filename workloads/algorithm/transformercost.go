package algorithm

import "github.com/isoscale/isoscale/model/units"

// What a training step computes, moves and keeps in memory, in closed form.
//
//	h, a, g, d  hidden size, heads, heads of keys and values, size of a head (h/a unless said)
//	f, q        inner size of the feed-forward part, and its matrices: 3 if gated, else 2
//	E, k        experts of a layer, and those of a token: 1 and 1 without experts
//	s, V        tokens of a sequence, size of the vocabulary
//	t           tokens of a micro-batch on a device: b s/cp of b sequences
//
// Sources: [Narayanan2021] for parameters and flop, [Korthikanti2022] for recomputation, sequence
// parallelism and activations. Both have g = a, d = h/a, f = 4h, q = 2 and no experts.

// tokenSize is the size of a number that travels with a token, in bf16.
const tokenSize units.Bytes = 2

// attention returns the parameters of the attention of a layer, h d (2a + 2g): h^2 (2 + 2g/a) at d = h/a.
func (m model) attention() float64 {
	return float64(m.Hidden) * float64(m.Head) * float64(2*m.Heads+2*m.Groups)
}

// matrices returns q.
func (m model) matrices() float64 {
	if m.Gated {
		return 3
	}
	return 2
}

// expert returns the parameters of a feed-forward part or of an expert, q h f.
func (m model) expert() float64 { return m.matrices() * float64(m.Hidden) * float64(m.Feed) }

// router returns the parameters that choose the experts of a token, h E.
func (m model) router() float64 { return float64(m.Hidden) * float64(m.Experts) }

// active returns the parameters of a layer that process a token.
func (m model) active() float64 {
	return m.attention() + m.router() + float64(float64(m.Chosen)*m.expert())
}

// ends returns the parameters of the embedding, and of the logits.
func (m model) ends() float64 { return float64(m.Vocabulary) * float64(m.Hidden) }

// Parameters returns how many numbers are trained.
func (m model) Parameters() float64 {
	layer := m.attention() + m.router() + float64(float64(max(1, m.Experts))*m.expert())
	return float64(float64(m.Layers)*layer) + 2*m.ends()
}

// core returns the flop of the core of attention for a token in a layer, forward: 4 s a d, half if causal.
func (m model) core() float64 {
	each := 4.0
	if m.Causal {
		each = 2
	}
	return each * float64(m.Sequence) * float64(m.Heads) * float64(m.Head)
}

// Work returns W, the flop of the model: those of forward for all N s tokens,
//
//	W = 3 N s (2 (L P_active + V h) + L core)
//
// three times forward, as backward is twice forward, not counting recomputation. Without causal this is
// 96 B s l h^2 (1 + s/(6h) + V/(16 l h)) of [Narayanan2021] without their recomputed forward: 72 B ...
func (x transformer) Work() units.Flops {
	l := float64(x.Layers)
	forward := float64(2*(float64(l*x.active())+x.ends())) + float64(l*x.core())
	return units.Flops(3 * float64(x.N) * float64(x.Sequence) * forward)
}

// tokens returns t.
func (x transformer) tokens() float64 {
	return float64(x.Micro) * float64(x.Sequence) / float64(x.Context)
}

// split divides v by tp if sequence parallelism does: tensor parallelism alone does not.
func (x transformer) split(v float64) float64 {
	if x.Sequences {
		return v / float64(x.Tensor)
	}
	return v
}

// cost is what a slot costs a device.
type cost struct {
	work                     units.Flops // at the speed of the matrix products
	traffic                  units.Bytes // of element-wise operations
	tensor, context, experts units.Bytes // sent
	overhead                 units.Seconds
}

func (c cost) plus(o cost, times float64) cost {
	c.work += units.Flops(float64(o.work) * times)
	c.traffic += units.Bytes(float64(o.traffic) * times)
	c.tensor += units.Bytes(float64(o.tensor) * times)
	c.context += units.Bytes(float64(o.context) * times)
	c.experts += units.Bytes(float64(o.experts) * times)
	c.overhead += units.Seconds(float64(o.overhead) * times)
	return c
}

// kinds of slots.
const (
	forward = iota
	backward
	// weights is the part of backward that computes gradients of parameters, if the schedule separates it.
	weights
)

// costs returns what the slots of a chunk cost a device. For a layer, forward:
//
//	2 t P_active/tp flop in products, t core/tp in the core of attention
//	10 h t 2 B (over tp with sequence parallelism) + 6 k f t 2 B/tp of memory traffic,
//	  without flash 18 a s t B/tp for softmax, mask and dropout, and with experts 4 k h t 2 B/tp to copy
//	  tokens into their order and back, each read and written; as much again where devices divide them and have
//	  several each, which sort what arrives from each device [MegatronCore]
//	cast_size for each number of the inputs of products, t (h + k h + (a d + k f)/tp), that are converted to a lower
//	  precision in both orders [TransformerEngine]; h over tp with sequence parallelism
//	2 gathers of gather_size h t (tp-1)/tp and 2 reductions of 2 h t (tp-1)/tp B for tensor parallelism
//	4 t g d/tp (cp-1) B for keys and values in context parallelism
//	2 exchanges of 2 k h t/tp B among experts
//
// and for the last chunk 2 t h V/tp flop of logits. Backward has twice the products, 2.5 times the core with flash and
// otherwise twice, twice the element-wise traffic, 4 gathers and 2 reductions of tensor parallelism with sequence
// parallelism and otherwise 2 and 2, twice the context parallelism, the same exchanges of experts, and all
// recomputation. It casts the gradients of outputs, t (h + k h + ((a + 2g) d + (q-1) k f)/tp); casts of parameters,
// once a step, do not count. It adds the gradients of the device's parameters of the layer, and of the logits, to those
// of earlier micro-batches: 2 gradient_size of memory traffic each [MegatronCore]. A layer also takes layer_overhead,
// backward twice.
func (x transformer) costs(chunk int) (c [3]cost) {
	t, l, tp := x.tokens(), float64(x.layersOf(chunk)), float64(x.Tensor)
	products := 2 * t * x.active() / tp
	core := t * x.core() / tp / x.AttentionSpeed
	logits := 0.0
	if chunk == x.virtual()-1 {
		logits = 2 * t * x.ends() / tp / x.AttentionSpeed
	}
	softmax := 0.0
	coreBackward := 2.5
	if !x.Flash {
		softmax = 18 * float64(x.Heads) * float64(x.Sequence) * t / tp
		coreBackward = 2
	}
	wide := float64(x.Hidden) * t * float64(tokenSize) // activations between layers
	copies := 0.0
	if x.model.Experts > 0 {
		copies = 4 * float64(x.Chosen) * wide / tp
		if x.layout.Experts > 1 && x.layout.Experts < x.model.Experts {
			copies *= 2
		}
	}
	cast, inner := float64(x.CastSize)*t, float64(x.Chosen)*float64(x.Feed)
	thin := x.split(float64(1+x.Chosen) * float64(x.Hidden))
	inputs := cast * (thin + float64(float64(x.Heads*x.Head)+inner)/tp)
	gradients := cast * (thin + float64(float64((x.Heads+2*x.Groups)*x.Head)+float64((x.matrices()-1)*inner))/tp)
	exchanges := func(gathers float64) units.Bytes {
		return units.Bytes(float64(gathers*float64(x.GatherSize/tokenSize)+2) * wide * (tp - 1) / tp)
	}
	layer := cost{
		work:     units.Flops(products + core),
		traffic:  units.Bytes(x.split(10*wide) + float64(6*inner*t*float64(tokenSize)/tp) + softmax + copies),
		tensor:   exchanges(2),
		context:  units.Bytes(2 * t * float64(tokenSize) * float64(x.Groups) * float64(x.Head) / tp * float64(x.Context-1)),
		experts:  units.Bytes(2 * float64(x.Chosen) * wide / tp),
		overhead: x.LayerOverhead,
	}
	if x.layout.Experts == 1 {
		layer.experts = 0
	}
	back := cost{
		work:     units.Flops(float64(2*products) + float64(coreBackward*core)),
		traffic:  2*layer.traffic + units.Bytes(gradients),
		tensor:   exchanges(2),
		context:  2 * layer.context,
		experts:  layer.experts,
		overhead: 2 * layer.overhead,
	}
	layer.traffic += units.Bytes(inputs)
	if x.Sequences {
		back.tensor = exchanges(4)
	}
	switch x.Recompute {
	case recomputeFull:
		back = back.plus(layer, 1)
	case recomputeSelective:
		back = back.plus(cost{work: units.Flops(core), traffic: units.Bytes(softmax)}, 1)
	}
	dense, experts := x.heldOfLayer()
	added := float64(l * (dense + experts))
	if logits > 0 {
		added += x.ends() / tp
	}
	c[forward] = cost{work: units.Flops(logits)}.plus(layer, l)
	c[backward] = cost{work: units.Flops(2 * logits), traffic: 2 * units.Bytes(added) * x.GradientSize}.plus(back, l)
	if x.Schedule == zeroBubble {
		c[weights] = cost{work: units.Flops(logits + float64(l*products)), traffic: 2 * units.Bytes(added) * x.GradientSize}
		c[backward] = c[backward].plus(c[weights], -1)
	}
	return c
}

// message is the size of what a stage sends to the next, h t 2 B/tp.
func (x transformer) message() units.Bytes {
	return units.Bytes(float64(x.Hidden) * x.tokens() * float64(tokenSize) / float64(x.Tensor))
}

// held returns how many parameters a device of a stage has, outside of experts and in them.
func (x transformer) held(stage int) (dense, experts float64) {
	for c := range x.Chunks {
		d, e := x.heldOf(c*x.Stages + stage)
		dense, experts = dense+d, experts+e
	}
	return dense, experts
}

// heldOf is held of one chunk.
func (x transformer) heldOf(chunk int) (dense, experts float64) {
	tp, l := float64(x.Tensor), float64(x.layersOf(chunk))
	dense, experts = x.heldOfLayer()
	dense, experts = l*dense, l*experts
	if chunk == 0 {
		dense += x.ends() / tp
	}
	if chunk == x.virtual()-1 {
		dense += x.ends() / tp
	}
	return dense, experts
}

// For each parameter a device keeps the value in 2 B and the gradient. The optimizer, Adam, keeps a value and two
// moments in 4 B each; if the n devices that share a parameter divide its state, each has 1/n. The update reads
// these and the gradient and writes values: 26 B.
const (
	valueSize     = 2
	optimizerSize = 12
	updateTraffic = 26
)

// heldOfLayer is held of one layer.
func (x transformer) heldOfLayer() (dense, experts float64) {
	tp := float64(x.Tensor)
	if x.model.Experts == 0 {
		return (x.attention() + x.expert()) / tp, 0
	}
	return float64(x.attention()/tp) + x.router(), float64(x.model.Experts) * x.expert() / (tp * float64(x.layout.Experts))
}

// updated returns for how many parameters a device of a stage has the optimizer's state.
func (x transformer) updated(stage int) float64 {
	dense, experts := x.held(stage)
	if x.Distributed {
		dense, experts = dense/float64(x.members()), experts/float64(x.members()/x.layout.Experts)
	}
	return dense + experts
}

// activations returns how many bytes a device keeps of a layer and one micro-batch until backward,
//
//	full recomputation   2 h t, over tp with sequence parallelism
//	none                 10 h t (over tp with sequence parallelism) + (4 a d + 4 g d + (6 if gated, else 4) k f) t/tp,
//	                     and 5 a s t/tp for the core of attention without flash, unless selective
//
// which is s b h (10 + 24/tp + 5 a s/(h tp)) of [Korthikanti2022] for f = 4h.
func (x transformer) activations(recompute string) float64 {
	t, tp := x.tokens(), float64(x.Tensor)
	if recompute == recomputeFull {
		return x.split(2 * float64(x.Hidden) * t)
	}
	n := x.split(10*float64(x.Hidden)*t) +
		float64((float64(4*(x.Heads+x.Groups)*x.Head)+float64(2*float64(x.Chosen)*x.expert()/float64(x.Hidden)))*t/tp)
	if !x.Flash && recompute == recomputeNone {
		n += 5 * float64(x.Heads) * float64(x.Sequence) * t / tp
	}
	return n
}

// footprint returns the memory of a device of a stage: parameters, gradients and the state of the optimizer
// (if sharded, only its parts of these and two whole layers), and the largest activations of chunks that have
// gone forward but not yet backward. With full recomputation the activations of one layer are added, and on
// the last stage the logits of a micro-batch in 4 B each.
func (x transformer) footprint(stage int) units.Bytes {
	dense, experts := x.held(stage)
	kept := dense + experts
	if x.Sharded { // parts, two whole layers, and the gradients of one
		d, e := x.heldOfLayer()
		kept = x.updated(stage) + float64((d+e)*(2*valueSize+float64(x.GradientSize)))/(valueSize+float64(x.GradientSize))
	}
	n := float64(kept*(valueSize+float64(x.GradientSize))) + float64(optimizerSize*x.updated(stage))
	// Two rounds fill the pipeline, and all others are alike.
	x.N = min(x.N, 4*x.Stages*x.Replicas*x.Micro)
	open, most := 0, 0 // layers
	for _, s := range x.schedule(stage) {
		switch s.kind {
		case forward:
			open += x.layersOf(int(s.chunk))
			most = max(most, open)
		case backward:
			open -= x.layersOf(int(s.chunk))
		}
	}
	n += float64(most) * x.activations(x.Recompute)
	if x.Recompute == recomputeFull {
		n += x.activations(recomputeNone)
	}
	if stage == x.Stages-1 {
		n += 4 * x.tokens() * float64(x.Vocabulary) / float64(x.Tensor)
	}
	return units.Bytes(n)
}

// Footprints returns the memory of each device.
func (x transformer) Footprints() []units.Bytes {
	perStage := len(x.Speeds) / x.Stages
	need := make([]units.Bytes, len(x.Speeds))
	for stage := range x.Stages {
		of := x.footprint(stage)
		for i := range perStage {
			need[stage*perStage+i] = of
		}
	}
	return need
}

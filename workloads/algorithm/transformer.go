package algorithm

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// transformer is one training step of a transformer [Narayanan2021] [Korthikanti2022] on devices,
// one rank each: N sequences go forward and backward through the layers in micro-batches; then the
// devices with the same parameters add up their gradients, and the optimizer updates the
// parameters.
//
// Rank t + tp (c + cp (d + dp p)) is member t of a tensor-parallel group and member c of a context-parallel
// one, and has replica d of the parameters of stage p of the pipeline. A stage has vp chunks of consecutive
// layers; chunk c of stage p follows that of stage p-1. For each micro-batch and each of its chunks,
// forward and then backward (each is a slot), a rank:
//
//  1. receives the activations, or their gradients, of the chunk before, or behind;
//  2. computes: matrix products, what only moves memory, and overheads (Costs of a slot, transformercost.go);
//  3. exchanges with its neighbours what tensor, context and expert parallelism exchange in the slot;
//  4. starts to send the result to the next stage.
//
// If parameters are sharded, then for every micro-batch a stream gathers the parameters of each layer before it goes
// forward and again before it goes backward, and then reduces its gradients (transformerstream.go) [FSDP].
//
// Otherwise the step ends with a reduce-scatter of the gradients among the dp cp members that share them, the optimizer
// as memory traffic, and an all-gather of the parameters; a stream may do this beside the slots. Without a distributed
// optimizer the two operations are the halves of an all-reduce.
//
// Deviations from the sources:
//
//   - All collective operations of tensor parallelism in a slot are one exchange of their bytes with the next rank in a
//     ring, after the computation; likewise those of context parallelism. Those of experts are one all-to-all. So they
//     cost bandwidth and one latency, and do not overlap with anything. With tensor_overlap, all but the first of tp
//     pieces overlap with the whole computation of the slot; in [Wang2023] each piece overlaps with its product.
//   - Biases, normalisation and the balancing of routers have no parameters and no work.
//   - The embedding and the logits have separate parameters. An embedding takes no time.
//   - What a stream does beside slots (transformerstream.go) does not slow them: messages between stages
//     and the stream's collective operations by laws do not share cards, and products keep the whole
//     device.
type transformer struct {
	Problem // N is the number of sequences of a step; Element is not used
	model
	layout
	Micro                      int           // sequences of a micro-batch
	Recompute                  string        // full, selective or none
	Schedule                   string        // 1f1b, interleaved where vp > 1, or zero-bubble
	Distributed                bool          // the members that share parameters divide the state of the optimizer
	Sharded                    bool          // they divide the parameters and gradients too
	GradientSize               units.Bytes   // of a number of a gradient, in memory and in messages
	ParameterSize              units.Bytes   // of a parameter in messages
	CastSize                   units.Bytes   // memory traffic of converting a number for products
	GatherSize                 units.Bytes   // of a number that tensor parallelism gathers
	LayerOverhead              units.Seconds // of a layer, forward
	TensorOverlap              bool          // exchanges of tensor parallelism run beside products in pieces
	Overlap                    string        // none, gradients or all: what a stream does beside slots
	AttentionSpeed             float64       // speed of attention and logits as a fraction of that of other products
	ReduceScatter, Gather, All collective.Choice
}

// model is the network that is trained.
type model struct {
	Layers, Hidden, Heads, Groups, Head int // Groups: number of heads of keys and values; Head: size of a head
	Feed                                int // inner size of the feed-forward part
	Gated                               bool
	Vocabulary, Sequence                int
	Experts, Chosen                     int  // number in each layer, and for each token; 0 without experts
	Causal                              bool // a token attends to those before it
	Flash                               bool // attention keeps no matrix of sequence x sequence
}

// layout is how devices share a model.
type layout struct {
	Tensor, Stages, Chunks, Context, Replicas, Experts int // tp, pp, vp, cp, dp, ep
	// Sequences: tensor parallelism also divides what is not a matrix product.
	Sequences bool
	// Ends: embedding and logits take the place of a layer each.
	Ends bool
}

const (
	oneForwardOneBackward = "1f1b"
	zeroBubble            = "zero-bubble"
	recomputeFull         = "full"
	recomputeSelective    = "selective"
	recomputeNone         = "none"
	overlapNone           = "none"
	overlapGradients      = "gradients"
	overlapAll            = "all"
)

// mostSlots limits the slots of a plan, which takes some hundred megabytes.
const mostSlots = 1 << 22

// members returns n, how many devices share the gradients of a parameter outside of experts.
func (x transformer) members() int { return x.Replicas * x.Context }

// Step is the number of which sizes are multiples: replicas have equally many micro-batches and, if
// interleaved, a multiple of the stages.
func (x transformer) Step() int {
	step := max(1, x.Replicas) * x.Micro
	if x.Chunks > 1 {
		step *= x.Stages
	}
	return step
}

// virtual returns how many chunks of layers there are.
func (x transformer) virtual() int { return x.Stages * x.Chunks }

// micros returns m, how many micro-batches go through a pipeline.
func (x transformer) micros() int { return x.N / (x.Replicas * x.Micro) }

// planned returns the size of a run's plan: micro-batches times chunks, or times layers if these are
// gathered one by one.
func (x transformer) planned() int {
	if x.Sharded {
		return x.micros() * x.slices()
	}
	return x.micros() * x.virtual()
}

// slices returns how many layers, with the ends if they take the place of layers, the chunks divide.
func (x transformer) slices() int {
	if x.Ends {
		return x.Layers + 2
	}
	return x.Layers
}

// layersOf returns how many layers a chunk has; chunks are counted along the model.
func (x transformer) layersOf(chunk int) int {
	n := x.slices() / x.virtual()
	if x.Ends && chunk == 0 {
		n--
	}
	if x.Ends && chunk == x.virtual()-1 {
		n--
	}
	return n
}

// Validate reports everything that is wrong with the parameters.
func (x transformer) Validate() error {
	const name = "transformer"
	for _, n := range []int{x.Layers, x.Hidden, x.Heads, x.Groups, x.Head, x.Feed, x.Vocabulary, x.Sequence, x.Chosen,
		x.Tensor, x.Stages, x.Chunks, x.Context, x.layout.Experts, x.Micro} {
		if n < 1 {
			return fmt.Errorf("%s: a dimension is %d; expected at least 1", name, n)
		}
	}
	devices, product := len(x.Speeds), x.Tensor*x.Stages*x.Context*x.Replicas
	if err := errors.Join(
		x.check(name, 1),
		checkChoices(name, x.Choices(), workloads.ReduceScatter, workloads.Allgather, workloads.Alltoall),
		expect(product == devices && x.Replicas > 0, name,
			"tp %d x pp %d x cp %d x dp %d on %d devices; expected a product that is their number",
			x.Tensor, x.Stages, x.Context, max(x.Replicas, 1), devices), // none where the others are too many
		expect(x.Heads%x.Tensor == 0, name, "tp is %d; expected a divisor of the %d heads", x.Tensor, x.Heads),
		expect(x.Heads%x.Groups == 0, name, "groups is %d; expected a divisor of the %d heads", x.Groups, x.Heads),
		expect(x.Sequence%x.Context == 0, name, "cp is %d; expected a divisor of the sequence of %d", x.Context, x.Sequence),
		expect(x.slices()%x.virtual() == 0, name, "pp %d x vp %d chunks of %d layers; expected a divisor (with ends_as_layers, embedding and logits count as one each)",
			x.Stages, x.Chunks, x.slices()),
		expect(x.model.Experts == 0 || x.Chosen <= x.model.Experts, name, "top_k is %d; expected at most the %d experts", x.Chosen, x.model.Experts),
		expect(x.layout.Experts == 1 || x.model.Experts%x.layout.Experts == 0 && x.model.Experts > 0, name,
			"ep is %d with %d experts; expected 1, or as many experts on each device", x.layout.Experts, x.model.Experts),
		expect(x.Schedule != zeroBubble || x.Chunks == 1, name, "vp is %d with zero-bubble; expected 1", x.Chunks),
		expect(x.Schedule != zeroBubble || !x.Sharded, name, "sharded with zero-bubble; expected another schedule"),
		expect(x.AttentionSpeed > 0, name, "attention_speed is %g; expected above 0", x.AttentionSpeed),
	); err != nil {
		return err
	}
	return errors.Join(
		expect(x.N%(x.Replicas*x.Micro) == 0, name, "n is %d sequences; expected a multiple of dp %d x micro_batch %d", x.N, x.Replicas, x.Micro),
		expect(x.members()%x.layout.Experts == 0, name, "ep is %d; expected a divisor of dp x cp, %d", x.layout.Experts, x.members()),
		expect(x.Chunks == 1 || x.micros()%x.Stages == 0, name,
			"%d micro-batches with vp %d; expected a multiple of pp, %d", x.micros(), x.Chunks, x.Stages),
		expect(x.planned() <= mostSlots, name, "%d micro-batches go through %d chunks; expected at most %d in all, with sharded for each layer",
			x.micros(), x.virtual(), mostSlots),
	)
}

// Choices returns how the collective operations are carried out.
func (x transformer) Choices() []collective.Choice {
	return []collective.Choice{x.ReduceScatter, x.Gather, x.All}
}

var transformerKind = Kind{
	Name: "transformer", Title: "one step of training a transformer by tensor, pipeline, context, data and expert parallelism",
	Source: "[Narayanan2021] [Korthikanti2022]", Size: "sequences of a step (global batch)",
	StatesTraffic: true, JudgedWhole: true, Error: 0.08, ErrorWith: map[string]float64{"cp": 0.41},
	Parameters: []parameter.Parameter{
		count("layers", 1<<16, "80", "layers"),
		count("hidden", 1<<20, "8192", "hidden size"),
		count("heads", 1<<16, "64", "heads of attention"),
		{Name: "groups", Type: parameter.Count{Max: 1 << 16}, Default: "0", Meaning: "heads of keys and values; 0: as many as heads"},
		{Name: "head_size", Type: parameter.Count{Max: 1 << 20}, Default: "0", Meaning: "size of a head; 0: hidden/heads"},
		count("ffn", 1<<24, "28672", "inner size of the feed-forward part, or of an expert"),
		{Name: "gated", Type: parameter.Flag{}, Default: "true", Meaning: "the feed-forward part has three matrices, else two"},
		count("vocabulary", 1<<24, "128256", "size of the vocabulary"),
		count("sequence", 1<<26, "8192", "tokens of a sequence"),
		{Name: "experts", Type: parameter.Count{Max: 1 << 16}, Default: "0", Meaning: "experts of each layer; 0: one feed-forward part"},
		count("top_k", 1<<16, "1", "experts that a token goes to"),
		{Name: "causal", Type: parameter.Flag{}, Default: "true", Meaning: "tokens attend to those before them: half the work of attention"},
		{Name: "flash", Type: parameter.Flag{}, Default: "true", Meaning: "attention keeps no matrix of its weights"},
		count("tp", 1<<16, "1", "devices that share each layer (tensor parallelism)"),
		count("pp", 1<<16, "1", "stages of the pipeline"),
		count("vp", 1<<16, "1", "chunks of layers of a stage (interleaving)"),
		count("cp", 1<<16, "1", "devices that share each sequence (context parallelism)"),
		{Name: "dp", Type: parameter.Count{Max: 1 << 30}, Default: "0", Meaning: "replicas of the model; 0: as many as there are devices for"},
		count("ep", 1<<16, "1", "devices, of those that share gradients, that divide the experts (expert parallelism)"),
		count("micro_batch", 1<<20, "1", "sequences of a micro-batch"),
		{Name: "recompute", Type: parameter.Word{Of: []string{recomputeNone, recomputeSelective, recomputeFull}}, Default: recomputeNone, Meaning: "what backward computes again: nothing, the core of attention, or all of forward"},
		{Name: "schedule", Type: parameter.Word{Of: []string{oneForwardOneBackward, zeroBubble}}, Default: oneForwardOneBackward, Meaning: "order of the micro-batches; zero-bubble computes gradients of parameters apart (ZB-H1)"},
		{Name: "distributed_optimizer", Type: parameter.Flag{}, Default: "true", Meaning: "devices that share parameters divide the optimizer's state"},
		{Name: "sharded", Type: parameter.Flag{}, Default: "false", Meaning: "they also divide parameters and gradients, and gather each layer before it goes forward or backward (FSDP, ZeRO-3)"},
		{Name: "sequence_parallel", Type: parameter.Flag{}, Default: "true", Meaning: "tensor parallelism also divides element-wise operations"},
		{Name: "ends_as_layers", Type: parameter.Flag{}, Default: "false", Meaning: "embedding and logits count as a layer each where layers are divided"},
		{Name: "gradient_size", Type: parameter.Size{}, Default: "2 B", Meaning: "size of a gradient"},
		{Name: "parameter_size", Type: parameter.Size{}, Default: "2 B", Meaning: "size of a parameter in the all-gather"},
		{Name: "cast_size", Type: parameter.Size{}, Default: "0 B", Meaning: "memory traffic of converting a number to the precision of the products: 4.0625 B for mxfp8, bf16 read and two copies with scales written"},
		{Name: "gather_size", Type: parameter.Size{}, Default: "2 B", Meaning: "size of a number that tensor parallelism gathers: 1 B where it is converted before; what it reduces has 2 B"},
		{Name: "tensor_overlap", Type: parameter.Flag{}, Default: "false", Meaning: "tensor parallelism exchanges all but one of tp pieces beside products (asynchronous tensor parallelism)"},
		{Name: "layer_overhead", Type: parameter.Time{}, Default: "0 s", Meaning: "additional time of a layer, once forward and twice backward: starts of kernels, latencies of exchanges"},
		{Name: "overlap", Type: parameter.Word{Of: []string{overlapNone, overlapGradients, overlapAll}}, Default: overlapNone, Meaning: "what a stream of the device does beside its slots: nothing, the reduce-scatter of each layer's gradients, or the all-gather of parameters too"},
		{Name: "attention_speed", Type: parameter.Number{Max: 100, Above: true}, Default: "1", Meaning: "speed of attention and logits as a fraction of that of other products, as they may have another precision"},
		{Name: "reducescatter", Type: parameter.Algorithm{Operation: workloads.ReduceScatter}, Default: "rails", Meaning: "of the gradients" + measured},
		{Name: "allgather", Type: parameter.Algorithm{Operation: workloads.Allgather}, Default: "rails", Meaning: "of the parameters" + measured},
		{Name: "alltoall", Type: parameter.Algorithm{Operation: workloads.Alltoall}, Default: "hierarchical", Meaning: "of tokens among experts" + measured},
	},
	Build: func(c Case) Algorithm {
		x := transformer{
			Problem: c.problem(),
			model: model{
				Layers: c.Count("layers"), Hidden: c.Count("hidden"), Heads: c.Count("heads"),
				Groups: cmp.Or(c.Count("groups"), c.Count("heads")),
				Head:   cmp.Or(c.Count("head_size"), max(1, c.Count("hidden")/max(1, c.Count("heads")))),
				Feed:   c.Count("ffn"), Gated: c.Flag("gated"), Vocabulary: c.Count("vocabulary"), Sequence: c.Count("sequence"),
				Experts: c.Count("experts"), Chosen: c.Count("top_k"), Causal: c.Flag("causal"), Flash: c.Flag("flash"),
			},
			layout: layout{
				Tensor: c.Count("tp"), Stages: c.Count("pp"), Chunks: c.Count("vp"), Context: c.Count("cp"), Replicas: c.Count("dp"),
				Experts: c.Count("ep"), Sequences: c.Flag("sequence_parallel"), Ends: c.Flag("ends_as_layers"),
			},
			Micro: c.Count("micro_batch"), Recompute: c.Word("recompute"), Schedule: c.Word("schedule"),
			Distributed: c.Flag("distributed_optimizer") || c.Flag("sharded"), Sharded: c.Flag("sharded"), GradientSize: c.Size("gradient_size"), ParameterSize: c.Size("parameter_size"),
			CastSize: c.Size("cast_size"), GatherSize: c.Size("gather_size"), TensorOverlap: c.Flag("tensor_overlap"),
			LayerOverhead: c.Time("layer_overhead"), Overlap: c.Word("overlap"),
			AttentionSpeed: c.Number("attention_speed"),
			ReduceScatter:  c.Choice("reducescatter"), Gather: c.Choice("allgather"), All: c.Choice("alltoall"),
		}
		x.Element = tokenSize
		if x.model.Experts == 0 {
			x.Chosen = 1
		}
		if x.Replicas == 0 {
			x.Replicas = len(c.Speeds) / max(1, x.Tensor*x.Stages*x.Context)
		}
		return x
	},
}

// count is a parameter of at least 1.
func count(name string, most int, otherwise, meaning string) parameter.Parameter {
	return parameter.Parameter{Name: name, Type: parameter.Count{Min: 1, Max: most}, Default: otherwise, Meaning: meaning}
}

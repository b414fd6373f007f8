package algorithm

import (
	"errors"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Convolution is the convolution of two N x N images of complex numbers by
// two-dimensional Fourier transforms, as in [Chen2008] 4.1.3. A transform of an
// image is N one-dimensional ones along its rows and N along its columns.
//
//  1. Process 0 sends every other process its rows of the first image and then
//     those of the second, in proportion to the speeds ([Shares]).
//  2. Each image is transformed: every process transforms its n_q rows; all
//     exchange the image, so that every process has n_q columns; it transforms
//     those.
//  3. Every process multiplies the columns of both images point by point.
//  4. The product is transformed back: columns, exchange, rows.
//  5. Process 0 collects the rows of the result.
//
// How the code decides what is open in the source:
//
//   - The source has no communication in steps 2 to 4, so the columns would
//     consist of a process's own rows only. An exchange is what the result
//     needs; one for each transform is enough, as the product does not care
//     which way the images lie. Without Transposes there is none.
//   - W(N) is 6N one-dimensional transforms of 11 N lg N + 14 lg N flop each
//     and 21 N^2 flop besides. The product of complex numbers is 6 N^2 of
//     those; the other 15 N^2, such as scaling and copying, are performed in
//     equal parts after the second half of each transform.
//   - lg N is the logarithm to base 2 for any N, as in the W(N) that the source
//     prints for sizes that are no powers of 2.
//   - Reading the images is not part of it.
//   - Process 0 starts to compute when it has passed on the last message, not
//     when that has arrived.
type Convolution struct {
	N      int                    // rows and columns of an image, at least 1
	Speeds []units.FlopsPerSecond // marked speed of each process, above 0: who gets how many rows
	// Startup is what starting the program costs before anything else happens,
	// for each process: p processes begin after p*Startup.
	Startup    units.Seconds
	Element    units.Bytes       // size of a complex number
	Transposes bool              // exchange each image between the halves of its transform
	Scatter    collective.Choice // the rows of an image
	Alltoall   collective.Choice // an exchange; not used without Transposes
	Gather     collective.Choice // the rows of the result
}

// Validate reports everything that is wrong with the parameters.
func (c Convolution) Validate() error {
	return errors.Join(
		checkOrder("convolution", c.N, 1),
		checkCommon("convolution", c.Speeds, c.Startup, c.Element),
		checkChoice("convolution", c.Scatter, workloads.Scatter),
		checkChoice("convolution", c.Alltoall, workloads.Alltoall),
		checkChoice("convolution", c.Gather, workloads.Gather),
	)
}

// ConvolutionWork returns W(N) = 66 N^2 lg N + 21 N^2 + 84 N lg N, [Chen2008]
// 4.1.3, where lg is the logarithm to base 2.
func ConvolutionWork(n int) units.Flops {
	x, lg := float64(n), math.Log2(float64(n))
	return units.Flops(66*x*x*lg + 21*x*x + 84*x*lg)
}

// Work returns W(N), see [ConvolutionWork].
func (c Convolution) Work() units.Flops { return ConvolutionWork(c.N) }

// SequentialWork returns 0: nothing is computed by one process alone.
func (c Convolution) SequentialWork() units.Flops { return 0 }

// Footprints returns the memory that each rank needs for its rows of both
// images and of the result; process 0 holds all three.
func (c Convolution) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(c.Speeds))
	for q, rows := range Shares(c.N, c.Speeds) {
		if q == 0 {
			rows = c.N
		}
		need[q] = 3 * units.Bytes(rows) * units.Bytes(c.N) * c.Element
	}
	return need
}

// Choices returns how the collective operations are carried out.
func (c Convolution) Choices() []collective.Choice {
	return []collective.Choice{c.Scatter, c.Alltoall, c.Gather}
}

// Overhead returns the closed-form T_o: everything but computation, from the
// costs of single operations,
//
//	T_o = p Startup + 2 T_scatter(N^2) + 3 T_alltoall(N^2) + T_gather(N^2)
//
// without the exchanges if there are none.
func (c Convolution) Overhead(costs Costs) units.Seconds {
	p := len(c.Speeds)
	t := units.Seconds(p) * c.Startup
	if p == 1 {
		return t
	}
	if c.Transposes {
		t += 3 * costs.Alltoall(c.image())
	}
	return t + 2*costs.Scatter(c.image()) + costs.Gather(c.image())
}

func (c Convolution) image() units.Bytes { return units.Bytes(c.N) * units.Bytes(c.N) * c.Element }

// lineWork is the work of a one-dimensional transform.
func (c Convolution) lineWork() units.Flops {
	return units.Flops((11*float64(c.N) + 14) * math.Log2(float64(c.N)))
}

// Work for each element.
const (
	scaleFlop   units.Flops = 5 // in each two-dimensional transform
	productFlop units.Flops = 6
)

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (c Convolution) Program() workloads.Program {
	p := &convolution{Convolution: c, rows: Shares(c.N, c.Speeds), state: make([]convolutionRank, len(c.Speeds))}
	blocks := make([]units.Bytes, len(p.rows))
	for q, n := range p.rows {
		blocks[q] = units.Bytes(n) * units.Bytes(c.N) * c.Element
	}
	p.blocks = collective.Varying(blocks)
	return p
}

// convolution is a run of Convolution.
type convolution struct {
	Convolution
	rows   []int
	blocks collective.VaryingBlocks // of an image
	state  []convolutionRank
}

// convolutionRank is where one process is in the program: 8 bytes.
type convolutionRank struct {
	step uint8 // place in convolutionSteps, after the start
	call int32 // place in the running collective
}

type convolutionStep uint8

const (
	convolutionStart convolutionStep = iota
	convolutionScatter
	convolutionHalf   // transform along the rows, or back along the columns
	convolutionTurn   // exchange
	convolutionFinish // transform along the other side, and scaling
	convolutionProduct
	convolutionGather
)

// convolutionSteps is what every process does.
var convolutionSteps = [...]convolutionStep{
	convolutionStart,
	convolutionScatter, convolutionScatter,
	convolutionHalf, convolutionTurn, convolutionFinish,
	convolutionHalf, convolutionTurn, convolutionFinish,
	convolutionProduct,
	convolutionHalf, convolutionTurn, convolutionFinish,
	convolutionGather,
}

func (c *convolution) Ranks() int { return len(c.state) }

func (c *convolution) Next(rank int, op *workloads.Op) bool {
	s := &c.state[rank]
	for int(s.step) < len(convolutionSteps) {
		step := convolutionSteps[s.step]
		if c.communicate(step, rank, &s.call, op) {
			return true
		}
		s.step++
		s.call = 0
		if c.act(step, rank, op) {
			return true
		}
	}
	return false
}

// communicate gives the next operation of a collective step, if there is one.
func (c *convolution) communicate(step convolutionStep, rank int, k *int32, op *workloads.Op) bool {
	call := collective.Call{Size: len(c.state)}
	if call.Size == 1 {
		return false
	}
	switch step {
	case convolutionScatter:
		return collective.Next(c.Scatter, call, c.blocks, 0, rank, k, op)
	case convolutionTurn:
		return c.Transposes && collective.Next(c.Alltoall, call, tiles{c.rows, c.N, c.Element}, 0, rank, k, op)
	case convolutionGather:
		return collective.Next(c.Gather, call, c.blocks, 0, rank, k, op)
	}
	return false
}

// act gives the one operation of any other step, if there is something to do.
func (c *convolution) act(step convolutionStep, rank int, op *workloads.Op) bool {
	lines, points := units.Flops(c.rows[rank]), units.Flops(c.rows[rank])*units.Flops(c.N)
	var work units.Flops
	switch step {
	case convolutionStart:
		if c.Startup == 0 {
			return false
		}
		*op = workloads.Op{Kind: workloads.Delay, Time: units.Seconds(len(c.state)) * c.Startup}
		return true
	case convolutionHalf:
		work = lines * c.lineWork()
	case convolutionFinish:
		work = lines*c.lineWork() + points*scaleFlop
	case convolutionProduct:
		work = points * productFlop
	}
	if work == 0 {
		return false
	}
	*op = workloads.Op{Kind: workloads.Compute, Work: work}
	return true
}

// tiles are the blocks of an exchange: what process s has for process d is n_s
// rows by n_d columns.
type tiles struct {
	rows    []int // n_q
	side    int   // N
	element units.Bytes
}

var _ collective.Blocks = tiles{}

// Size implements collective.Blocks, in constant time for one block and for all.
func (t tiles) Size(s collective.BlockSet) units.Bytes {
	p := len(t.rows)
	if s.Count >= p*p {
		return units.Bytes(t.side) * units.Bytes(t.side) * t.element
	}
	var sum units.Bytes
	for j := range s.Count {
		i := s.At(j, p*p)
		sum += units.Bytes(t.rows[i/p]) * units.Bytes(t.rows[i%p]) * t.element
	}
	return sum
}

var convolutionKind = Kind{
	Name: "convolution", Title: "convolution of two images by Fourier transforms, blocks of rows in proportion to marked speed",
	Source: "[Chen2008] 4.1.3", Size: "side of the images", Element: 16,
	Parameters: []parameter.Parameter{
		{Name: "transposes", Type: parameter.Flag{}, Default: "true", Meaning: "exchange each image between the halves of its transform; the source does not mention it"},
		{Name: "scatter", Type: parameter.Algorithm{Operation: workloads.Scatter}, Default: "flat", Meaning: "distribution of an image" + measured},
		{Name: "alltoall", Type: parameter.Algorithm{Operation: workloads.Alltoall}, Default: "pairwise", Meaning: "exchange of an image: likewise"},
		{Name: "gather", Type: parameter.Algorithm{Operation: workloads.Gather}, Default: "flat", Meaning: "collection of the result: likewise"},
	},
	Build: func(c Case) Algorithm {
		return Convolution{N: c.N, Speeds: c.Speeds, Startup: c.Startup, Element: c.Element,
			Transposes: c.Flag("transposes"), Scatter: c.Choice("scatter"), Alltoall: c.Choice("alltoall"), Gather: c.Choice("gather")}
	},
}

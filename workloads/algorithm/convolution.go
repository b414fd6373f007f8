package algorithm

import (
	"errors"
	"math"
	"slices"

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
//   - The source has no communication in steps 2 to 4, so the columns would consist of
//     a process's own rows only. A correct result needs an exchange; one for each
//     transform is enough, because the product does not depend on the orientation of
//     the images. Without Transposes there is none.
//   - W(N) is 6N one-dimensional transforms of 11 N lg N + 14 lg N flop each, plus 21
//     N^2 flop. The product of complex numbers takes 6 N^2 of these; the other 15 N^2,
//     such as scaling and copying, are performed in equal parts after the second half
//     of each transform.
//   - lg N is the logarithm to base 2 for any N, as in the W(N) that the source
//     prints for sizes that are no powers of 2.
//   - Reading the images is not part of it.
//   - Process 0 starts to compute when it has sent the last message, not when that has
//     arrived.
type Convolution struct {
	Problem                      // N is the number of rows and of columns of an image, at least 1; Element is a complex number
	Transposes bool              // exchange each image between the two halves of its transform
	Scatter    collective.Choice // the rows of an image
	Alltoall   collective.Choice // an exchange; unused without Transposes
	Gather     collective.Choice // the rows of the result
}

// Validate reports everything that is wrong with the parameters.
func (c Convolution) Validate() error {
	return errors.Join(
		c.check("convolution", 1),
		checkChoices("convolution", c.Choices(), workloads.Scatter, workloads.Alltoall, workloads.Gather),
	)
}

// Work returns W(N) = 66 N^2 lg N + 21 N^2 + 84 N lg N, [Chen2008]
// 4.1.3, where lg is the logarithm to base 2.
func (c Convolution) Work() units.Flops {
	x, lg := float64(c.N), math.Log2(float64(c.N))
	return units.Flops(float64(66*x*x*lg) + float64(21*x*x) + float64(84*x*lg))
}

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
	t, p := c.start()
	if p == 1 {
		return t
	}
	if c.Transposes {
		t += units.Seconds(3 * costs.Collective(workloads.Alltoall, c.matrix()))
	}
	return t + units.Seconds(2*costs.Collective(workloads.Scatter, c.matrix())) +
		costs.Collective(workloads.Gather, c.matrix())
}

// lineWork is the work of a one-dimensional transform.
func (c Convolution) lineWork() units.Flops {
	return units.Flops((float64(11*float64(c.N)) + 14) * math.Log2(float64(c.N)))
}

// Work for each element.
const (
	scaleFlop   units.Flops = 5 // in each two-dimensional transform
	productFlop units.Flops = 6
)

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (c Convolution) Program() workloads.Program {
	rows := Shares(c.N, c.Speeds)
	blocks := c.rowBlocks(rows) // of an image
	scatter := call(c.Scatter, c.everybody(), blocks)
	transform := []phase{
		// Along the rows, or back along the columns.
		compute(func(rank, _ int) units.Flops { return units.Flops(rows[rank]) * c.lineWork() }),
		call(c.Alltoall, c.everybody(), tiles{rows, c.N, c.Element}),
		// Along the other side, and scaling.
		compute(func(rank, _ int) units.Flops {
			lines, points := units.Flops(rows[rank]), units.Flops(rows[rank])*units.Flops(c.N)
			return units.Flops(lines*c.lineWork()) + units.Flops(points*scaleFlop)
		}),
	}
	if !c.Transposes {
		transform = slices.Delete(transform, 1, 2)
	}
	product := compute(func(rank, _ int) units.Flops { return units.Flops(rows[rank]) * units.Flops(c.N) * productFlop })
	return c.machine().
		once(scatter, scatter).
		once(transform...).
		once(transform...).
		once(product).
		once(transform...).
		once(call(c.Gather, c.everybody(), blocks))
}

// tiles are the blocks of an exchange: process s has a block of n_s rows by n_d columns
// for process d.
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
		sum += units.Bytes(units.Bytes(t.rows[i/p]) * units.Bytes(t.rows[i%p]) * t.element)
	}
	return sum
}

var convolutionKind = Kind{
	Name: "convolution", Title: "convolution of two images by Fourier transforms, blocks of rows in proportion to marked speed",
	Source: "[Chen2008] 4.1.3", Size: "side of the images", Element: 16,
	BoundedByWork: true, SendsTogether: true,
	Parameters: []parameter.Parameter{
		{Name: "transposes", Type: parameter.Flag{}, Default: "true", Meaning: "exchange each image between the halves of its transform; the source does not mention it"},
		{Name: "scatter", Type: parameter.Algorithm{Operation: workloads.Scatter}, Default: "flat", Meaning: "distribution of an image" + measured},
		{Name: "alltoall", Type: parameter.Algorithm{Operation: workloads.Alltoall}, Default: "pairwise", Meaning: "exchange of an image; same choices"},
		{Name: "gather", Type: parameter.Algorithm{Operation: workloads.Gather}, Default: "flat", Meaning: "collection of the result; same choices"},
	},
	Build: func(c Case) Algorithm {
		return Convolution{
			Problem: c.problem(), Transposes: c.Flag("transposes"),
			Scatter: c.Choice("scatter"), Alltoall: c.Choice("alltoall"), Gather: c.Choice("gather"),
		}
	},
}

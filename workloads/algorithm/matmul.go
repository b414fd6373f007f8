package algorithm

import (
	"errors"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// MatMul is the product C = A B of dense N x N matrices by blocks of rows, as
// in [Chen2008] 4.1.2 and [Sun2005] 4.1.2:
//
//  1. Process 0 sends every other process its rows of A, in proportion to the
//     speeds ([Shares]).
//  2. Process 0 sends B to all.
//  3. Every process multiplies its rows, 2 N^2 flop each, without communication.
//  4. Process 0 collects the rows of C.
//
// How the code decides what is open in the source: A goes out by a scatter, B by a
// broadcast and C comes back by a gather, each by the algorithm or at the measured cost
// that the parameters choose. Process 0 starts to compute when it has sent the last
// message, not when that has arrived.
type MatMul struct {
	Problem                   // N is the order of the matrices, at least 1
	Scatter collective.Choice // the rows of A
	Bcast   collective.Choice // B
	Gather  collective.Choice // the rows of C
}

// Validate reports everything that is wrong with the parameters.
func (m MatMul) Validate() error {
	return errors.Join(
		m.check("matmul", 1),
		checkChoices("matmul", m.Choices(), workloads.Scatter, workloads.Bcast, workloads.Gather),
	)
}

// Work returns W(N) = 2 N^3, [Chen2008] 4.1.2.
func (m MatMul) Work() units.Flops {
	x := units.Flops(m.N)
	return 2 * x * x * x
}

// Footprints returns the memory that each rank needs for its rows of A and C
// and for B; process 0 holds all three matrices.
func (m MatMul) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(m.Speeds))
	for q, rows := range Shares(m.N, m.Speeds) {
		if q == 0 {
			rows = m.N
		}
		need[q] = units.Bytes(2*rows+m.N) * units.Bytes(m.N) * m.Element
	}
	return need
}

// Choices returns how the collective operations are carried out.
func (m MatMul) Choices() []collective.Choice {
	return []collective.Choice{m.Scatter, m.Bcast, m.Gather}
}

// Overhead returns the closed-form T_o: everything but computation, from the
// costs of single operations,
//
//	T_o = p Startup + T_scatter(N^2) + T_bcast(N^2) + T_gather(N^2)
func (m MatMul) Overhead(c Costs) units.Seconds {
	t, p := m.start()
	if p == 1 {
		return t
	}
	return t + c.Collective(workloads.Scatter, m.matrix()) + c.Collective(workloads.Bcast, m.matrix()) +
		c.Collective(workloads.Gather, m.matrix())
}

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (m MatMul) Program() workloads.Program {
	rows := Shares(m.N, m.Speeds)
	blocks := m.rowBlocks(rows) // of A, and of C
	multiply := func(rank, _ int) units.Flops {
		return 2 * units.Flops(rows[rank]) * units.Flops(m.N) * units.Flops(m.N)
	}
	return m.machine().once(
		call(m.Scatter, m.everybody(), blocks),
		call(m.Bcast, m.everybody(), collective.Uniform(1, m.matrix())),
		compute(multiply),
		call(m.Gather, m.everybody(), blocks),
	)
}

var matMulKind = Kind{
	Name: "matmul", Title: "matrix multiplication, blocks of rows in proportion to marked speed",
	Source: "[Chen2008] 4.1.2", Size: "order of the matrices", Element: double,
	BoundedByWork: true, SendsTogether: true,
	Parameters: []parameter.Parameter{
		{Name: "scatter", Type: parameter.Algorithm{Operation: workloads.Scatter}, Default: "flat", Meaning: "distribution of A" + measured},
		{Name: "bcast", Type: parameter.Algorithm{Operation: workloads.Bcast}, Default: "binomial", Meaning: "distribution of B: likewise"},
		{Name: "gather", Type: parameter.Algorithm{Operation: workloads.Gather}, Default: "flat", Meaning: "collection of C: likewise"},
	},
	Build: func(c Case) Algorithm {
		return MatMul{Problem: c.problem(),
			Scatter: c.Choice("scatter"), Bcast: c.Choice("bcast"), Gather: c.Choice("gather")}
	},
}

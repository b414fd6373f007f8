package algorithm

import (
	"errors"
	"fmt"

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
// How the code decides what is open in the source: A goes out by a scatter, B
// by a broadcast and C comes back by a gather, each by the algorithm or at the
// measured cost that the parameters choose. Process 0 starts to compute when it
// has passed on the last message, not when that has arrived.
type MatMul struct {
	N      int                    // order of the matrices, at least 1
	Speeds []units.FlopsPerSecond // marked speed of each process, above 0: who gets how many rows
	// Startup is what starting the program costs before anything else happens,
	// for each process: p processes begin after p*Startup.
	Startup units.Seconds
	Element units.Bytes       // size of a number
	Scatter collective.Choice // the rows of A
	Bcast   collective.Choice // B
	Gather  collective.Choice // the rows of C
}

// Validate reports everything that is wrong with the parameters.
func (m MatMul) Validate() error {
	return errors.Join(
		checkOrder("matmul", m.N, 1),
		checkCommon("matmul", m.Speeds, m.Startup, m.Element),
		checkChoice("matmul", m.Scatter, workloads.Scatter),
		checkChoice("matmul", m.Bcast, workloads.Bcast),
		checkChoice("matmul", m.Gather, workloads.Gather),
	)
}

// MatMulWork returns W(N) = 2 N^3, [Chen2008] 4.1.2.
func MatMulWork(n int) units.Flops {
	x := units.Flops(n)
	return 2 * x * x * x
}

// Work returns W(N), see [MatMulWork].
func (m MatMul) Work() units.Flops { return MatMulWork(m.N) }

// SequentialWork returns 0: nothing is computed by one process alone.
func (m MatMul) SequentialWork() units.Flops { return 0 }

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
	p := len(m.Speeds)
	t := units.Seconds(p) * m.Startup
	if p == 1 {
		return t
	}
	return t + c.Scatter(m.matrix()) + c.Bcast(m.matrix()) + c.Gather(m.matrix())
}

func (m MatMul) matrix() units.Bytes { return units.Bytes(m.N) * units.Bytes(m.N) * m.Element }

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (m MatMul) Program() workloads.Program {
	p := &matMul{MatMul: m, rows: Shares(m.N, m.Speeds), state: make([]matMulRank, len(m.Speeds))}
	blocks := make([]units.Bytes, len(p.rows))
	for q, n := range p.rows {
		blocks[q] = units.Bytes(n) * units.Bytes(m.N) * m.Element
	}
	p.blocks = collective.Varying(blocks)
	return p
}

// matMul is a run of MatMul.
type matMul struct {
	MatMul
	rows   []int
	blocks collective.VaryingBlocks // of A, and of C
	state  []matMulRank
}

type matMulRank struct {
	phase matMulPhase
	call  int32 // place in the running collective
}

type matMulPhase uint8

const (
	matMulStart matMulPhase = iota
	matMulScatter
	matMulBcast
	matMulMultiply
	matMulGather
	matMulEnd
)

func (m *matMul) Ranks() int { return len(m.state) }

func (m *matMul) Next(rank int, op *workloads.Op) bool {
	s := &m.state[rank]
	call := collective.Call{Size: len(m.state)}
	alone := len(m.state) == 1
	for {
		switch s.phase {
		case matMulStart:
			s.phase = matMulScatter
			if m.Startup > 0 {
				*op = workloads.Op{Kind: workloads.Delay, Time: units.Seconds(len(m.state)) * m.Startup}
				return true
			}
		case matMulScatter:
			if !alone && collective.Next(m.Scatter, call, m.blocks, 0, rank, &s.call, op) {
				return true
			}
			s.phase, s.call = matMulBcast, 0
		case matMulBcast:
			if !alone && collective.Next(m.Bcast, call, collective.Uniform(1, m.matrix()), 0, rank, &s.call, op) {
				return true
			}
			s.phase, s.call = matMulMultiply, 0
		case matMulMultiply:
			s.phase = matMulGather
			if n := m.rows[rank]; n > 0 {
				*op = workloads.Op{Kind: workloads.Compute, Work: 2 * units.Flops(n) * units.Flops(m.N) * units.Flops(m.N)}
				return true
			}
		case matMulGather:
			if !alone && collective.Next(m.Gather, call, m.blocks, 0, rank, &s.call, op) {
				return true
			}
			s.phase = matMulEnd
		case matMulEnd:
			return false
		default:
			panic(fmt.Sprintf("algorithm: matmul in phase %d", s.phase))
		}
	}
}

var matMulKind = Kind{
	Name: "matmul", Title: "matrix multiplication, blocks of rows in proportion to marked speed",
	Source: "[Chen2008] 4.1.2", Size: "order of the matrices", Element: double,
	Parameters: []parameter.Parameter{
		{Name: "scatter", Type: parameter.Algorithm{Operation: workloads.Scatter}, Default: "flat", Meaning: "distribution of A" + measured},
		{Name: "bcast", Type: parameter.Algorithm{Operation: workloads.Bcast}, Default: "binomial", Meaning: "distribution of B: likewise"},
		{Name: "gather", Type: parameter.Algorithm{Operation: workloads.Gather}, Default: "flat", Meaning: "collection of C: likewise"},
	},
	Build: func(c Case) Algorithm {
		return MatMul{N: c.N, Speeds: c.Speeds, Startup: c.Startup, Element: c.Element,
			Scatter: c.Choice("scatter"), Bcast: c.Choice("bcast"), Gather: c.Choice("gather")}
	},
}

package algorithm_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// problem returns a problem of order n on processes of these speeds.
func problem(n int, element units.Bytes, of ...units.FlopsPerSecond) algorithm.Problem {
	return algorithm.Problem{N: n, Speeds: of, Startup: 0.5, Element: element}
}

// The values of [Chen2008] Tables 3, 5, 8 and 10, three of them to two digits; Floyd's and HPL's
// are n^3 cells and 2/3 30^3 + 3/2 30^2.
func TestWork(t *testing.T) {
	floyd := func(n int, cell units.Flops) algorithm.Floyd {
		return algorithm.Floyd{Problem: problem(n, 4), CellWork: cell}
	}
	for _, tt := range []struct {
		of           interface{ Work() units.Flops }
		want, within float64
	}{
		{gaussOf(100), 661353, 0}, {gaussOf(200), 5312703, 0}, {gaussOf(300), 17954053, 0}, {gaussOf(400), 42585403, 0},
		{gaussOf(500), 83206753, 0}, {gaussOf(310), 19811638, 0}, {gaussOf(480), 73611283, 0},
		{algorithm.MatMul{Problem: problem(165, 8)}, 8984250, 0}, {algorithm.MatMul{Problem: problem(255, 8)}, 33162750, 0},
		{floyd(1, 2), 2, 0}, {floyd(10, 1), 1000, 0}, {floyd(128, 2), 4194304, 0}, {floyd(4224, 0.5), 37682675712, 0},
		{convolutionOf(145), 10492177, 0.5}, {convolutionOf(270), 40574873, 0.5}, {convolutionOf(545), 1.8e8, 0.05e8},
		{convolutionOf(1160), 9.3e8, 0.05e8}, {convolutionOf(2030), 3.1e9, 0.05e9},
		{convolutionOf(1), 21, 0}, // lg 1 = 0
		{linpack(30, 4, 1, 1), 18000 + 1350, 0},
	} {
		expect.Near(t, float64(tt.of.Work()), tt.want, tt.within, "W of %+v", tt.of)
	}
}

func gaussOf(n int) algorithm.Gauss { return algorithm.Gauss{Problem: problem(n, 8)} }
func convolutionOf(n int) algorithm.Convolution {
	return algorithm.Convolution{Problem: problem(n, 16)}
}

func TestFootprints(t *testing.T) {
	for _, tt := range []struct {
		of   interface{ Footprints() []units.Bytes }
		want []units.Bytes
	}{
		// A row with its element of b is 5*8 = 40 bytes. Process 1 has one row
		// of the four (TestCyclic), process 0 keeps the whole matrix.
		{algorithm.Gauss{Problem: problem(4, 8, 2, 1)}, []units.Bytes{160, 40}},
		{algorithm.Gauss{Problem: problem(4, 8, 2)}, []units.Bytes{160}},
		// Process 2 gets both rows, of 3*8 = 24 bytes: its second one is done at
		// 2/3, the first one of another at 1. In proportion it would be 1.2 rows.
		{algorithm.Gauss{Problem: problem(2, 8, 1, 1, 3)}, []units.Bytes{48, 0, 48}},
		// Of 4 rows process 1 has 4/3, one row. With its rows of A and C and with B
		// that is 1 + 1 + 4 rows of 4*8 bytes; process 0 has three whole matrices.
		{algorithm.MatMul{Problem: problem(4, 8, 2, 1)}, []units.Bytes{3 * 128, 6 * 32}},
		// With the row of an iteration that is 3 + 1 and 1 + 1 rows of 4*4 bytes.
		{algorithm.Floyd{Problem: problem(4, 4, 2, 1)}, []units.Bytes{64, 32}},
		// Of 4 rows process 1 has one, of 4*16 bytes in each of two images and in the
		// result. Process 0 has three whole images.
		{algorithm.Convolution{Problem: problem(4, 16, 3, 1)}, []units.Bytes{3 * 256, 3 * 64}},
		// 6 and 2 of 8 columns, pieces of 3 rows of 4 bytes: 8 + 6 characters and
		// 6 + 2*3 values; 8 + 2 characters and 2 + 2*3 values.
		{algorithm.LCS{Problem: problem(8, 4, 3, 1), PieceRows: 3, CellWork: 1}, []units.Bytes{14 + 48, 10 + 32}},
	} {
		expect.List(t, tt.of.Footprints(), tt.want, "%+v needs", tt.of)
	}
}

// costs are linear with whole coefficients that differ by operation, so that a reader
// can recognize the operations in a sum.
type costs struct{}

func (costs) Message(size units.Bytes) units.Seconds { return 100 + units.Seconds(size) }

func (costs) Collective(op workloads.Collective, size units.Bytes) units.Seconds {
	base := map[workloads.Collective]units.Seconds{
		workloads.Bcast: 10, workloads.Scatter: 1000, workloads.Gather: 5000, workloads.Alltoall: 70000, workloads.Barrier: 2000,
	}
	return base[op] + units.Seconds(size)
}

var _ algorithm.Costs = costs{}

// Of order 10, among 4 processes: the start takes 4*0.5. Alone, there is the start only.
func TestOverhead(t *testing.T) {
	four := []units.FlopsPerSecond{4, 3, 2, 1}
	for _, tt := range []struct {
		of interface {
			Overhead(algorithm.Costs) units.Seconds
		}
		want units.Seconds
	}{
		// The broadcast of one number 10 + 8 = 18, each of 2*3 messages 100 + 10/4 * 11 * 8
		// = 320. A pivot row is 11, 10, ... 3 numbers, 7 on average: each of 9 broadcasts
		// takes 10 + 7*8 = 66, each of 9 barriers 2000.
		{algorithm.Gauss{Problem: problem(10, 8, four...)}, 2 + 18 + 6*320 + 9*66 + 9*2000},
		{algorithm.Gauss{Problem: problem(10, 8, 4)}, 0.5},
		// Each of the three operations moves a matrix of 800 bytes.
		{algorithm.MatMul{Problem: problem(10, 8, four...)}, 2 + 1800 + 810 + 5800},
		{algorithm.MatMul{Problem: problem(10, 8, 4)}, 0.5},
		// A broadcast of a row 10 + 10*4. With overlap, 9 of 10 broadcasts take 10.
		{algorithm.Floyd{Problem: problem(10, 4, four...)}, 2 + 10*50},
		{algorithm.Floyd{Problem: problem(10, 4, four...), Overlap: true}, 2 + 50 + 9*10},
		{algorithm.Floyd{Problem: problem(10, 4, 4)}, 0.5},
		{algorithm.Floyd{Problem: problem(10, 4, 4), Overlap: true}, 0.5},
		// Each of two scatters 1000 + 1600, the gather 5000 + 1600, each of three exchanges 70000 + 1600.
		{algorithm.Convolution{Problem: problem(10, 16, four...), Transposes: true}, 2 + 2*2600 + 3*71600 + 6600},
		{algorithm.Convolution{Problem: problem(10, 16, four...)}, 2 + 2*2600 + 6600},
		{algorithm.Convolution{Problem: problem(10, 16, 4), Transposes: true}, 0.5},
	} {
		expect.Equal(t, tt.of.Overhead(costs{}), tt.want, "%+v", tt.of)
	}
}

// TestChoices uses a different cost for each operation, to tell them apart.
func TestChoices(t *testing.T) {
	scatter, bcast, gather := measured(workloads.Scatter, 1), measured(workloads.Bcast, 2), measured(workloads.Gather, 3)
	barrier := measured(workloads.Barrier, 4)
	for _, tt := range []struct {
		name      string
		got, want []collective.Choice
	}{
		{"gauss", algorithm.Gauss{Bcast: bcast, Barrier: barrier}.Choices(), []collective.Choice{bcast, barrier}},
		{"matmul", algorithm.MatMul{Scatter: scatter, Bcast: bcast, Gather: gather}.Choices(), []collective.Choice{scatter, bcast, gather}},
		{"collective", algorithm.Collective{Choice: gather}.Choices(), []collective.Choice{gather}},
	} {
		expect.List(t, tt.got, tt.want, "%s: choices", tt.name)
	}
}

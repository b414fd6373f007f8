package algorithm_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// TestGaussSolves lets the program solve real systems: every operation of the run moves
// or changes numbers as the comment of Gauss says, and a process can only use rows that
// it has received. If the pattern of messages or its order is wrong, the solution is
// wrong.
func TestGaussSolves(t *testing.T) {
	for _, n := range []int{2, 3, 10, 30} {
		for _, p := range []int{2, 3, 5} {
			g := algorithm.Gauss{
				Problem: algorithm.Problem{N: n, Speeds: machines(p)[1], Element: 8},
				Bcast:   measured(workloads.Bcast, 1), Barrier: measured(workloads.Barrier, 1),
			}
			a := randomSystem(n)
			s := newSolver(t, g, a)
			expect.Value(run(g.Program(), s.visit))(t)
			expect.Need(t, len(s.x) == n, "n = %d, p = %d: the system has not been solved", n, p)
			for i, row := range a {
				residual := -row[n]
				for j, x := range s.x {
					residual += row[j] * x
				}
				expect.That(t, math.Abs(residual) <= 1e-12*float64(n),
					"n = %d, p = %d: equation %d is off by %v", n, p, i, residual)
			}
		}
	}
}

// randomSystem returns the rows of A, each with its element of b. The diagonal
// dominates, so no pivoting is needed.
func randomSystem(n int) [][]float64 {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		for j := range a[i] {
			a[i][j] = random.Float64() - 0.5
		}
		a[i][i] += float64(n)
	}
	return a
}

// solver holds the rows that each process has; others are nil.
type solver struct {
	t     *testing.T
	owner []int32
	rows  [][][]float64 // by process and row
	step  []int         // broadcasts of pivot rows that a process has taken part in
	pivot [][]float64   // what was broadcast
	x     []float64     // the solution

	collected int // processes that process 0 has the rows of
}

func newSolver(t *testing.T, g algorithm.Gauss, a [][]float64) *solver {
	n, p := g.N, len(g.Speeds)
	s := &solver{t: t, owner: algorithm.Cyclic(n, g.Speeds), rows: make([][][]float64, p), step: make([]int, p), pivot: make([][]float64, n)}
	for q := range s.rows {
		s.rows[q] = make([][]float64, n)
		s.step[q] = -1 // the first broadcast tells the problem size
	}
	for i := range a { // all of it is at process 0
		s.rows[0][i] = slices.Clone(a[i])
	}
	return s
}

// visit carries out what a completed operation of the run stands for.
func (s *solver) visit(rank int, op workloads.Op) {
	switch {
	case op.Kind == workloads.Recv && rank != 0:
		s.pass(0, rank, rank)
	case op.Kind == workloads.Recv:
		s.pass(int(op.Peer), 0, int(op.Peer))
		s.collected++
	case op.Collective == workloads.Bcast:
		i := s.step[rank]
		s.step[rank]++
		if i >= 0 && rank == int(op.Peer) {
			s.pivot[i] = slices.Clone(s.rows[rank][i])
		}
	case op.Kind == workloads.Compute && s.collected == len(s.rows)-1:
		s.substitute()
	case op.Kind == workloads.Compute:
		s.eliminate(rank, s.step[rank]-1)
	}
}

// pass moves the rows that a process owns to another one.
func (s *solver) pass(from, to, owner int) {
	for i, q := range s.owner {
		if int(q) == owner {
			s.rows[to][i], s.rows[from][i] = s.rows[from][i], nil
		}
	}
}

// eliminate clears column i of the rows below i that a process owns.
func (s *solver) eliminate(rank, i int) {
	pivot := s.pivot[i]
	expect.Need(s.t, pivot != nil, "process %d has no pivot row in step %d", rank, i)
	for j := i + 1; j < len(s.owner); j++ {
		if int(s.owner[j]) != rank {
			continue
		}
		row := s.rows[rank][j]
		expect.Need(s.t, row != nil, "process %d has no row %d in step %d", rank, j, i)
		factor := row[i] / pivot[i]
		for k := i; k < len(row); k++ {
			row[k] -= factor * pivot[k]
		}
	}
}

// substitute solves the triangular system that process 0 has collected.
func (s *solver) substitute() {
	n := len(s.owner)
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		row := s.rows[0][i]
		expect.Need(s.t, row != nil, "process 0 has not collected row %d", i)
		x[i] = row[n]
		for j := i + 1; j < n; j++ {
			x[i] -= row[j] * x[j]
		}
		x[i] /= row[i]
	}
	s.x = x
}

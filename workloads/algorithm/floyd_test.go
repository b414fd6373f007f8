package algorithm_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// TestFloydOperations follows both processes of a small system. Process 0 has
// rows 0 and 1 of 3; a row has 12 bytes, and updating one costs 3*2 = 6 flop.
// With overlap, process 0 updates row 1, which is next, apart from row 0; row 2
// is the only one of process 1, which leaves no others.
func TestFloydOperations(t *testing.T) {
	delay := workloads.Op{Kind: workloads.Delay, Time: 1}
	bcast := func(root int32) workloads.Op {
		return workloads.Op{Kind: workloads.Measured, Collective: workloads.Bcast, Peer: root, Size: 12, Time: 1.25}
	}
	update := func(rows int) workloads.Op {
		return workloads.Op{Kind: workloads.Compute, Work: units.Flops(6 * rows)}
	}
	one := []workloads.Op{delay, bcast(0), update(1), bcast(0), update(1), bcast(1), update(1)}
	for overlap, zero := range map[bool][]workloads.Op{
		false: {delay, bcast(0), update(2), bcast(0), update(2), bcast(1), update(2)},
		true:  {delay, bcast(0), update(1), bcast(0), update(1), update(2), bcast(1), update(2)},
	} {
		f := algorithm.Floyd{
			Problem: algorithm.Problem{N: 3, Speeds: speeds(2, 1), Startup: 0.5, Element: 4}, CellWork: 2, Overlap: overlap,
			Bcast: measured(workloads.Bcast, 1),
		}
		expect.Same(t, streams(f.Program()), [][]workloads.Op{zero, one}, "overlap %v: operations differ", overlap)
	}
}

// TestFloydFindsShortestPaths lets the program work on real graphs: every
// operation of the run changes or passes on distances as the comment of Floyd
// says. A row must have been updated with all rows before it when it is sent, and
// a process can only use rows that it has received.
func TestFloydFindsShortestPaths(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 30} {
		for _, p := range []int{2, 3, 5, 8} {
			for _, overlap := range []bool{false, true} {
				f := algorithm.Floyd{
					Problem: algorithm.Problem{N: n, Speeds: machines(p)[1], Element: 4}, CellWork: 2, Overlap: overlap,
					Bcast: measured(workloads.Bcast, 1),
				}
				d := randomGraph(n)
				want := relax(d)
				s := newPaths(t, f, d)
				expect.Value(run(f.Program(), s.visit))(t)
				expect.That(t, slices.Min(s.version) == n,
					"n = %d, p = %d, overlap %v: rows are updated %v times; expected %d", n, p, overlap, s.version, n)
				expect.Same(t, s.d, want, "n = %d, p = %d, overlap %v: distances differ", n, p, overlap)
			}
		}
	}
}

// randomGraph returns the lengths of edges, whole numbers; a third of them are
// missing.
func randomGraph(n int) [][]float64 {
	random := rand.New(rand.NewPCG(2, uint64(n)))
	d := make([][]float64, n)
	for i := range d {
		d[i] = make([]float64, n)
		for j := range d[i] {
			switch {
			case i == j:
			case random.IntN(3) == 0:
				d[i][j] = math.Inf(1)
			default:
				d[i][j] = float64(1 + random.IntN(1000))
			}
		}
	}
	return d
}

// relax returns the distances, found by trying every intermediate vertex for
// every pair until nothing gets shorter.
func relax(edges [][]float64) [][]float64 {
	d := make([][]float64, len(edges))
	for i := range d {
		d[i] = slices.Clone(edges[i])
	}
	for changed := true; changed; {
		changed = false
		for i := range d {
			for j := range d {
				for v := range d {
					if via := d[i][v] + d[v][j]; via < d[i][j] {
						d[i][j], changed = via, true
					}
				}
			}
		}
	}
	return d
}

// paths holds the matrix, of which each process uses its own rows only.
type paths struct {
	t       *testing.T
	d       [][]float64
	first   []int       // first[q] is the first row of process q; one more entry at the end
	version []int       // by row: how many rows it has been updated with
	got     []int       // by process: broadcasts taken part in
	sent    [][]float64 // what was broadcast
}

func newPaths(t *testing.T, f algorithm.Floyd, d [][]float64) *paths {
	s := &paths{t: t, d: d, first: make([]int, 1), version: make([]int, f.N), got: make([]int, len(f.Speeds)), sent: make([][]float64, f.N)}
	for q, rows := range algorithm.Shares(f.N, f.Speeds) {
		s.first = append(s.first, s.first[q]+rows)
	}
	return s
}

// visit does what an operation of the run stands for, when it is complete.
func (s *paths) visit(rank int, op workloads.Op) {
	mine := s.version[s.first[rank]:s.first[rank+1]]
	if op.Collective == workloads.Bcast {
		k := s.got[rank]
		s.got[rank]++
		if rank == int(op.Peer) {
			expect.Need(s.t, k >= s.first[rank] && k < s.first[rank+1] && s.version[k] == k,
				"process %d sends row %d after %d updates", rank, k, s.version[k])
			s.sent[k] = slices.Clone(s.d[k])
		}
		return
	}
	// The rows that have been updated least are next: all of them, or, before it
	// is sent, the row after the one that they are updated with.
	k := slices.Min(mine)
	expect.Need(s.t, k < s.got[rank], "process %d does not have row %d yet", rank, k)
	rows := int(op.Work) / (2 * len(s.d))
	left := 0
	for _, v := range mine {
		if v == k {
			left++
		}
	}
	switch {
	case rows == left:
		for i := range mine {
			if mine[i] == k {
				s.update(s.first[rank]+i, k)
			}
		}
	case rows == 1 && k+1 >= s.first[rank] && k+1 < s.first[rank+1]:
		s.update(k+1, k)
	default:
		s.t.Fatalf("process %d updates %d rows with row %d; expected %d", rank, rows, k, left)
	}
}

func (s *paths) update(i, k int) {
	for j, through := range s.sent[k] {
		s.d[i][j] = min(s.d[i][j], s.d[i][k]+through)
	}
	s.version[i]++
}

// TestFloydProgram runs the program in all variants and checks the totals.
func TestFloydProgram(t *testing.T) {
	for _, bcast := range choices(t, workloads.Bcast) {
		for _, overlap := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s overlap=%v", how(bcast), overlap), func(t *testing.T) {
				everywhere(t, 1, 4, func(p algorithm.Problem) error {
					return checkFloyd(algorithm.Floyd{Problem: p, CellWork: 3, Overlap: overlap, Bcast: bcast})
				})
			})
		}
	}
}

// checkFloyd runs the program and compares what was done with closed forms: n
// broadcasts of a row, and for each process n times the update of its rows, n cells of
// 3 flop each.
func checkFloyd(f algorithm.Floyd) error {
	w, err := run(f.Program(), nil)
	if err != nil {
		return err
	}
	return errors.Join(
		checkTraffic(w, 0, 0, planned{f.Bcast, f.N, []int{4 * f.N}}),
		checkRows(w, algorithm.Shares(f.N, f.Speeds), float64(3*f.N*f.N), 0),
		checkWork(w, f.Work()+f.SequentialWork()),
		checkStart(w, f.Startup),
	)
}

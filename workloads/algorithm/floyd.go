package algorithm

import (
	"errors"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Floyd is Floyd's algorithm for the shortest paths between all pairs of n
// vertices, on an n x n matrix of distances, as in [Bosque] 4.1. Every process
// has a block of consecutive rows, in proportion to the speeds ([Shares]), from
// the start. For k = 0 ... n-1:
//
//  1. The owner of row k broadcasts it, n elements.
//  2. Every process updates all cells of its rows with it, n cells a row:
//     d(i,j) = min(d(i,j), d(i,k) + d(k,j)).
//
// With Overlap, row k+1 is broadcast before it is needed. Row 0 is broadcast first.
// Then, in iteration k, the owner of row k+1 updates this row with row k, does its part
// of the broadcast of row k+1, and updates its other rows with row k; every other
// process updates all its rows with row k and then does its part of the broadcast of
// row k+1. The work is the same.
//
// How the code decides what is open in the source:
//
//   - Rows are whole. With exact shares all processes would compute equally long; with
//     whole rows the slowest takes longer by a fraction of up to C/(n C_q), where C is
//     the speed of all.
//   - Neither the distribution of the matrix nor its collection is part of it,
//     as in the source's formulas.
//   - Nothing synchronizes the iterations: an owner whose messages need not wait for
//     their receivers goes on as soon as it has sent its part, so many broadcasts can
//     be under way at once. In the source's formulas they follow each other. A measured
//     cost has this effect, and so has a network with the source's lambda as send
//     overhead instead of latency.
//   - A process that passes a row on does so between two updates, not during one.
type Floyd struct {
	Problem                    // N is the order of the matrix, at least 1
	CellWork units.Flops       // work of updating one cell, above 0: an addition and a comparison are 2
	Overlap  bool              // pass on row k+1 before the other rows are updated with row k
	Bcast    collective.Choice // a row
}

// maxCellWork keeps the work of the largest matrix finite.
const maxCellWork units.Flops = 1e6

// Validate reports everything that is wrong with the parameters.
func (f Floyd) Validate() error {
	return errors.Join(
		f.check("floyd", 1),
		expect(f.CellWork > 0 && f.CellWork <= maxCellWork, "floyd", "work of a cell is %v; expected more than 0 flop, at most %g flop", f.CellWork, float64(maxCellWork)),
		checkChoices("floyd", f.Choices(), workloads.Bcast),
	)
}

// Work returns W(n) = n^3 CellWork. The source counts W = n^3 in cells.
func (f Floyd) Work() units.Flops { return units.Flops(f.N) * f.iteration(f.N) }

// Footprints returns the memory that each rank needs for its rows and the row
// of an iteration.
func (f Floyd) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(f.Speeds))
	for q, rows := range Shares(f.N, f.Speeds) {
		need[q] = units.Bytes(rows+1) * f.row()
	}
	return need
}

// Choices returns how the collective operations are carried out.
func (f Floyd) Choices() []collective.Choice { return []collective.Choice{f.Bcast} }

// Overhead returns the closed-form T_o: everything but computation, from the
// costs of single operations, as in [Bosque] Eq. 7, one broadcast after the
// other,
//
//	T_o = p Startup + n T_bcast(n)
//
// and with Overlap, as in Eq. 6,
//
//	T_o = p Startup + T_bcast(n) + (n-1) T_bcast(0)
//
// where only the first broadcast counts in full, and of the others only the part that
// does not depend on the size. This requires that the other part is shorter than the
// updates of an iteration, which is not checked.
func (f Floyd) Overhead(c Costs) units.Seconds {
	t, p := f.start()
	if p == 1 {
		return t
	}
	if f.Overlap {
		return t + c.Collective(workloads.Bcast, f.row()) +
			units.Seconds(units.Seconds(f.N-1)*c.Collective(workloads.Bcast, 0))
	}
	return t + units.Seconds(units.Seconds(f.N)*c.Collective(workloads.Bcast, f.row()))
}

// iteration returns the work of updating some rows once.
func (f Floyd) iteration(rows int) units.Flops {
	return units.Flops(rows) * units.Flops(f.N) * f.CellWork
}

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (f Floyd) Program() workloads.Program {
	r := &floyd{Floyd: f, rows: Shares(f.N, f.Speeds), owner: make([]int32, 0, f.N)}
	for q, n := range r.rows {
		r.owner = append(r.owner, slices.Repeat([]int32{int32(q)}, n)...)
	}
	pass := broadcastRow(f.Bcast, r.owner, len(f.Speeds), func(int) units.Bytes { return f.row() })
	return f.machine().repeat(f.N, pass, compute(r.catchUp), compute(r.update))
}

// floyd is a run of Floyd.
type floyd struct {
	Floyd
	rows  []int   // of each process
	owner []int32 // of each row
}

// ahead tells whether the rank updates row i before its other rows, in order to pass it
// on.
func (f *floyd) ahead(rank, i int) bool {
	return f.Overlap && i > 0 && i < f.N && int(f.owner[i]) == rank
}

// catchUp returns the work of the update with row i-1 for the rows that were left when
// row i was sent.
func (f *floyd) catchUp(rank, i int) units.Flops {
	if f.ahead(rank, i) {
		return f.iteration(f.rows[rank] - 1)
	}
	return 0
}

// update returns the work of the update with row i: for row i+1 only if that is passed
// on first, otherwise for all rows.
func (f *floyd) update(rank, i int) units.Flops {
	if f.ahead(rank, i+1) {
		return f.iteration(1)
	}
	return f.iteration(f.rows[rank])
}

var floydKind = Kind{
	Name: "floyd", Title: "shortest paths between all pairs by Floyd's algorithm, blocks of rows in proportion to marked speed",
	Source: "[Bosque] 4.1", Size: "number of vertices, the order of the matrix", Element: 4,
	BoundedByWork: true,
	Parameters: []parameter.Parameter{
		cellWork("work of updating one element: an addition and a comparison"),
		{Name: "overlap", Type: parameter.Flag{}, Default: "false", Meaning: "true: the owner of the next row updates and sends it before its other rows"},
		{Name: "bcast", Type: parameter.Algorithm{Operation: workloads.Bcast}, Default: "binomial", Meaning: "broadcast of a row" + measured},
	},
	Build: func(c Case) Algorithm {
		return Floyd{Problem: c.problem(),
			CellWork: units.Flops(c.Number("flop_per_cell")), Overlap: c.Flag("overlap"), Bcast: c.Choice("bcast")}
	},
}

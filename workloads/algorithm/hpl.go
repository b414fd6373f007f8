package algorithm

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// HPL is the High-Performance Linpack benchmark [Petitet2018]: it solves a dense system
// of order N by LU factorisation with row pivoting. The matrix and the right
// side, its column N, lie in blocks of NB x NB, dealt out cyclically to a grid of
// Rows x Columns processes. For each panel of NB columns:
//
//  1. The column of processes that holds the panel factors it: for each column of
//     the panel, a search of the pivot among these processes (Pivot), and the
//     elimination within the panel.
//  2. They broadcast the panel along their rows (Bcast).
//  3. Every column of processes exchanges the pivot rows, so that each of its
//     processes has the NB rows of U (Swap).
//  4. Every process solves for its columns of U and updates its part of the
//     trailing matrix: C -= L U, a call of dgemm.
//
// With Depth 1, look-ahead, the column of processes that holds the next panel
// updates that panel first, factors it, and sends it; the others receive it while
// they update. At the end stands the back substitution.
//
// It is not an application file because in one round a process works on two panels at
// once, on shares of blocks that depend on its row, its column and both panels, and a
// process passes a panel on in the middle of its update. Every statement would need
// conditions on the place of the process in the ring.
//
// How the code deviates from, or decides what is open in, the source:
//
//   - Work returns the figure by which HPL computes its flop/s. The operations are 7N/6
//     flop fewer; the back substitution performs these in addition. All processes of a
//     column solve for the same U, as in HPL; the repeated work is performed but is not
//     part of W.
//   - HPL looks for the next panel after every NB columns of its update. Here a process
//     inside a ring takes it at a fixed point of its update, see hplcomm.go: if all
//     take equally long, this is late enough for the panel to be there and early enough
//     for the next process in the ring.
//   - How many pivot rows come from each process depends on the matrix; here, equally
//     many do.
//   - The work in a panel is split in proportion to the rows below its first row.
//   - Copies of rows and panels in memory cost what Copies says; copies within the swap
//     long and messages of the back substitution are left out.
//   - Deviation is that of one call of dgemm. The calls of an update before the next panel is
//     taken, one for every NB columns, are drawn together, with the deviation of their mean.
//   - A panel is sent round a ring without waiting until the receiver has it; the sender
//     waits at the end of the round. In long and longM HPL sends synchronously; here sends
//     are ordinary.
type HPL struct {
	Problem             // N is the order of the matrix, at least 1; Speeds is that of dgemm
	Block           int // NB
	Rows, Columns   int // P and Q, whose product is the number of processes
	ColumnMajor     bool
	Depth           int               // look-ahead: 0 or 1
	Bcast           string            // 1ring, 1ringM, 2ring, 2ringM, long or longM
	Swap            string            // bin-exch, long or mix
	Threshold       int               // up to this many columns mix is bin-exch, above it is long
	Pivot           collective.Choice // an allreduce per column; with a measured cost, one per panel at the cost of all
	PanelEfficiency float64           // speed in the panel as a fraction of that of dgemm, above 0
	SolveEfficiency float64           // speed of the solution for U, likewise
	CallTime        units.Seconds     // of each call of dgemm, besides its work
	Deviation       float64           // standard deviation of the time of a call of dgemm, as a fraction of its mean
	Seed            int64             // of the draws of these times
	Copies          CopyTimes
}

// maxDeviation keeps the shortest time of a call above 0, see scatter.
const maxDeviation = 0.75

// maxBlock is the largest size of a block.
const maxBlock = 1 << 16

// Validate reports everything that is wrong with the parameters.
func (h HPL) Validate() error {
	const name = "hpl"
	return errors.Join(
		h.check(name, 1),
		checkChoices(name, []collective.Choice{h.Pivot}, workloads.Allreduce),
		expect(h.Block >= 1 && h.Block <= maxBlock, name, "nb is %d; expected 1 to %d", h.Block, maxBlock),
		expect(h.Rows >= 1 && h.Columns >= 1 && h.Rows <= len(h.Speeds) &&
			h.Columns == len(h.Speeds)/h.Rows && h.Rows*h.Columns == len(h.Speeds), name,
			"a grid of %d x %d processes; expected rows times columns to be their number, %d", h.Rows, h.Columns, len(h.Speeds)),
		expect(h.Depth == 0 || h.Depth == 1, name, "depth is %d; expected 0 or 1", h.Depth),
		expect(slices.Contains(panelBroadcasts, h.Bcast), name, "broadcast %q; expected one of %s",
			h.Bcast, strings.Join(panelBroadcasts, ", ")),
		expect(slices.Contains(rowSwaps, h.Swap), name, "swap %q; expected one of %s",
			h.Swap, strings.Join(rowSwaps, ", ")),
		expect(h.Threshold >= 0, name, "threshold is %d; expected at least 0", h.Threshold),
		expect(h.PanelEfficiency > 0 && h.PanelEfficiency <= 100, name, "panel_efficiency is %g; expected above 0, at most 100", h.PanelEfficiency),
		expect(h.SolveEfficiency > 0 && h.SolveEfficiency <= 100, name, "solve_efficiency is %g; expected above 0, at most 100", h.SolveEfficiency),
		expect(h.CallTime >= 0 && h.CallTime <= 1e9, name, "call_time is %v; expected 0 s to 1e9 s", h.CallTime),
		expect(h.Deviation >= 0 && h.Deviation <= maxDeviation, name, "deviation is %g; expected 0 to %g",
			h.Deviation, maxDeviation),
		h.Copies.check(name),
	)
}

// Work returns W(N) = 2/3 N^3 + 3/2 N^2 [Petitet2018].
func (h HPL) Work() units.Flops {
	x := float64(h.N)
	return units.Flops((float64(4*x*x*x) + float64(9*x*x)) / 6)
}

// Footprints returns the memory of each process: its part of the matrix and the
// right side, its part of Depth+1 panels, and its columns of U.
func (h HPL) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(h.Speeds))
	g := h.grid()
	for rank := range need {
		row, column := g.place(rank)
		m, n := g.rowsOf(row, 0), g.columnsOf(column, 0)
		need[rank] = (units.Bytes(units.Bytes(m)*units.Bytes(n)) +
			units.Bytes(units.Bytes(h.Depth+1)*units.Bytes(h.Block)*units.Bytes(m+h.Block)) +
			units.Bytes(units.Bytes(h.Block)*units.Bytes(n))) * h.Element
	}
	return need
}

// Draws reports whether a run depends on the seed.
func (h HPL) Draws() bool { return h.Deviation > 0 }

// grid returns where the blocks are.
func (h HPL) grid() blockCyclic {
	return blockCyclic{order: h.N, block: h.Block, rows: h.Rows, columns: h.Columns, columnMajor: h.ColumnMajor}
}

var hplKind = Kind{
	Name: "hpl", Title: "LU factorisation of a block-cyclic matrix, as the benchmark HPL (Linpack)",
	Source: "[Petitet2018]", Size: "order of the matrix", Element: double,
	Parameters: []parameter.Parameter{
		{Name: "dat", Type: parameter.File{Format: "HPL.dat"}, Meaning: "an HPL.dat, whose values count for keys that are not given with it: n, nb, rows, columns, order, depth, bcast, swap, threshold"},
		{Name: "nb", Type: parameter.Count{Min: 1, Max: maxBlock}, Default: "128", Meaning: "rows and columns of a block, the width of a panel"},
		{Name: "rows", Type: parameter.Count{Max: 1 << 20}, Default: "0", Meaning: "P, rows of the process grid; 0: what the columns leave, or the nearest to a square with no more rows than columns"},
		{Name: "columns", Type: parameter.Count{Max: 1 << 20}, Default: "0", Meaning: "Q, columns of the process grid; 0: what the rows leave"},
		{Name: "order", Type: parameter.Word{Of: []string{"row-major", "column-major"}}, Default: "row-major", Meaning: "how ranks fill the process grid"},
		{Name: "depth", Type: parameter.Count{Max: 1}, Default: "1", Meaning: "look-ahead: 1: the next panel is factored before the rest is updated"},
		{Name: "bcast", Type: parameter.Word{Of: panelBroadcasts}, Default: "1ringM", Meaning: "broadcast of a panel along the rows of processes"},
		{Name: "swap", Type: parameter.Word{Of: rowSwaps}, Default: "mix", Meaning: "exchange of the pivot rows in the columns of processes; mix: bin-exch up to threshold columns, long beyond"},
		{Name: "threshold", Type: parameter.Count{Max: MaxOrder}, Default: "64", Meaning: "columns of a process up to which mix is bin-exch"},
		{Name: "pivot", Type: parameter.Algorithm{Operation: workloads.Allreduce}, Default: "recursive-doubling", Meaning: "search of the pivot, once for each column of the matrix" + measured + ", with which the searches of a panel are one operation that costs as much as all of them"},
		{Name: "panel_efficiency", Type: parameter.Number{Max: 100, Above: true}, Default: "1", Meaning: "speed of the factorisation of a panel as a fraction of the speed of the update"},
		{Name: "solve_efficiency", Type: parameter.Number{Max: 100, Above: true}, Default: "1", Meaning: "speed of the solution for U (dtrsm) as a fraction of the speed of the update"},
		{Name: "call_time", Type: parameter.Time{}, Default: "0 s", Meaning: "time of a call of dgemm besides its work (the intercept of a fit)"},
		{Name: "deviation", Type: parameter.Number{Max: maxDeviation}, Default: "0", Meaning: "standard deviation of the time of a call of dgemm as a fraction of its mean, drawn with the seed"},
		{Name: "dlaswp01", Type: parameter.Time{}, Default: "0 s", Meaning: "time for each number of copying the rows of the panel into U; here and below in bin-exch only"},
		{Name: "dlaswp02", Type: parameter.Time{}, Default: "0 s", Meaning: "time for each number of packing pivot rows"},
		{Name: "dlaswp03", Type: parameter.Time{}, Default: "0 s", Meaning: "time for each number of putting received rows into U"},
		{Name: "dlaswp04", Type: parameter.Time{}, Default: "0 s", Meaning: "time for each number of putting own rows into a received U"},
		{Name: "dlatcpy", Type: parameter.Time{}, Default: "0 s", Meaning: "time for each number of copying U back into the matrix, in all swaps"},
		{Name: "dlacpy", Type: parameter.Time{}, Default: "0 s", Meaning: "time for each number of copying a panel before its broadcast"},
	},
	Build: func(c Case) Algorithm {
		rows, columns := gridShape(len(c.Speeds), c.Count("rows"), c.Count("columns"))
		return HPL{
			Problem: c.problem(), Block: c.Count("nb"), Rows: rows, Columns: columns,
			ColumnMajor: c.Word("order") == "column-major", Depth: c.Count("depth"),
			Bcast: c.Word("bcast"), Swap: c.Word("swap"), Threshold: c.Count("threshold"), Pivot: c.Choice("pivot"),
			PanelEfficiency: c.Number("panel_efficiency"), SolveEfficiency: c.Number("solve_efficiency"),
			CallTime: c.Time("call_time"), Deviation: c.Number("deviation"), Seed: c.Seed,
			Copies: CopyTimes{
				Dlaswp01: c.Time("dlaswp01"), Dlaswp02: c.Time("dlaswp02"),
				Dlaswp03: c.Time("dlaswp03"), Dlaswp04: c.Time("dlaswp04"),
				Dlatcpy: c.Time("dlatcpy"), Dlacpy: c.Time("dlacpy"),
			},
		}
	},
}

// gridShape completes the shape of a grid of p processes; 0 stands for a side that is not given.
func gridShape(p, rows, columns int) (int, int) {
	switch {
	case rows == 0 && columns == 0:
		for rows = max(1, int(math.Sqrt(float64(p)))); p%rows != 0; rows-- {
		}
		return rows, p / rows
	case rows == 0:
		return p / columns, columns
	case columns == 0:
		return rows, p / rows
	}
	return rows, columns
}

// CopyTimes are the times of [HPL] to copy one number, by the function of HPL that copies.
type CopyTimes struct {
	Dlaswp01 units.Seconds // rows of the panel and own pivot rows into U
	Dlaswp02 units.Seconds // other pivot rows into a message
	Dlaswp03 units.Seconds // received rows into U
	Dlaswp04 units.Seconds // own pivot rows into a U that was received
	Dlatcpy  units.Seconds // U into the rows of the panel
	Dlacpy   units.Seconds // a panel into a message
}

// check reports every time that is out of range.
func (t CopyTimes) check(workload string) error {
	var problems []error
	for _, c := range []struct {
		name string
		time units.Seconds
	}{
		{"dlaswp01", t.Dlaswp01}, {"dlaswp02", t.Dlaswp02}, {"dlaswp03", t.Dlaswp03}, {"dlaswp04", t.Dlaswp04},
		{"dlatcpy", t.Dlatcpy}, {"dlacpy", t.Dlacpy},
	} {
		problems = append(problems, expect(c.time >= 0 && c.time <= 1, workload,
			"%s is %v; expected 0 s to 1 s", c.name, c.time))
	}
	return errors.Join(problems...)
}

// copying is a phase that copies some numbers.
func copying(each units.Seconds, numbers float64, k *int32, op *workloads.Op) bool {
	t := units.Seconds(each * units.Seconds(numbers))
	return t > 0 && single(workloads.Op{Kind: workloads.Delay, Time: t}, k, op)
}

// blockCyclic is a matrix of order x (order+1) in square blocks, dealt out
// cyclically along both sides to a grid of processes, as in ScaLAPACK and HPL.
type blockCyclic struct {
	order, block  int
	rows, columns int  // of processes
	columnMajor   bool // ranks fill the columns of the grid first
}

// place returns the row and the column of a rank in the grid.
func (g blockCyclic) place(rank int) (row, column int) {
	if g.columnMajor {
		return rank % g.rows, rank / g.rows
	}
	return rank / g.columns, rank % g.columns
}

// rank returns the rank in a row and a column of the grid.
func (g blockCyclic) rank(row, column int) int32 {
	if g.columnMajor {
		return int32(column*g.rows + row)
	}
	return int32(row*g.columns + column)
}

// alongColumn returns the processes of a column of the grid, by row.
func (g blockCyclic) alongColumn(column int) collective.Strided {
	return collective.Strided{First: g.rank(0, column), Stride: g.rank(1%g.rows, 0) - g.rank(0, 0), N: g.rows}
}

// rowsOf returns how many rows of the matrix, counted from row from on, are in a row of
// the grid.
func (g blockCyclic) rowsOf(row, from int) int {
	return Dealt(row, g.rows, g.order, g.block) - Dealt(row, g.rows, from, g.block)
}

// columnsOf is rowsOf for columns, the last of which is the right side.
func (g blockCyclic) columnsOf(column, from int) int {
	return Dealt(column, g.columns, g.order+1, g.block) - Dealt(column, g.columns, from, g.block)
}

// Dealt returns how many of the first n items go to one of p processes if they are
// dealt out in blocks, in turn: NUMROC of ScaLAPACK.
func Dealt(process, p, n, block int) int {
	blocks := n / block // complete ones
	items := blocks / p * block
	switch turn := blocks % p; {
	case process < turn:
		items += block
	case process == turn:
		items += n % block
	}
	return items
}

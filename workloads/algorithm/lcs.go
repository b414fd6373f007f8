package algorithm

import (
	"errors"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// LCS is the length of the longest common subsequence of two strings of N characters by
// dynamic programming: a table of N x N cells, each from its left, upper and upper left
// neighbour. [He2004] section 3 measures it without describing it; this is the usual
// wavefront:
//
//  1. Every process holds a block of columns, in proportion to the speeds
//     ([Shares]), in the order of the ranks.
//  2. It fills its columns from the top in pieces of PieceRows rows. Before each
//     piece it receives the column on its left from the previous process; after
//     it, it sends its last column to the next one.
//
// All processes have the strings from the start, and the last process ends with the
// length.
type LCS struct {
	Problem               // N is the length of both strings, at least 1; Element is a cell's value
	PieceRows int         // rows that are passed on together, at least 1; the last piece may be smaller
	CellWork  units.Flops // of a cell, above 0
}

// Validate reports everything that is wrong with the parameters.
func (l LCS) Validate() error {
	return errors.Join(
		expect(l.PieceRows >= 1, "lcs", "pieces of %d rows; expected at least 1", l.PieceRows),
		expect(l.CellWork > 0 && l.CellWork <= 1e12, "lcs", "%v for a cell; expected above 0, at most 1e12 flop", l.CellWork),
		l.check("lcs", 1),
	)
}

// Work returns W(N) = N^2 CellWork.
func (l LCS) Work() units.Flops { return units.Flops(l.N) * units.Flops(l.N) * l.CellWork }

// Footprints returns the memory for one string and, of the other and of the last
// row, the columns of the process, with one column of a piece on either side.
func (l LCS) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(l.Speeds))
	for q, columns := range Shares(l.N, l.Speeds) {
		need[q] = units.Bytes(l.N+columns) + units.Bytes(units.Bytes(columns+2*l.piece(0))*l.Element)
	}
	return need
}

// Choices returns none: there are no collective operations.
func (l LCS) Choices() []collective.Choice { return nil }

// Overhead returns how long the wave takes to reach the last of p processes:
//
//	T_o = p Startup + (p-1) (PieceRows N CellWork/C + T_message(PieceRows Element))
//
// C is the sum of the speeds. From then on messages travel while pieces are computed,
// provided that a piece takes longer.
func (l LCS) Overhead(c Costs) units.Seconds {
	t, p := l.start()
	if p == 1 {
		return t
	}
	rows := l.piece(0)
	piece := (units.Flops(rows) * units.Flops(l.N) * l.CellWork).At(sum(l.Speeds))
	return t + units.Seconds(units.Seconds(p-1)*(piece+c.Message(units.Bytes(rows)*l.Element)))
}

// piece returns how many rows piece i has.
func (l LCS) piece(i int) int { return min(l.PieceRows, l.N-i*l.PieceRows) }

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (l LCS) Program() workloads.Program {
	r := &lcs{LCS: l, columns: Shares(l.N, l.Speeds)}
	pieces := (l.N + l.PieceRows - 1) / l.PieceRows
	return l.machine().repeat(pieces, r.receive, compute(r.fill), r.send)
}

// lcs is a run of LCS.
type lcs struct {
	LCS
	columns []int // of each process
}

// receive takes the column on the left of a piece.
func (l *lcs) receive(rank, _ int, k *int32, op *workloads.Op) bool {
	return rank > 0 && single(workloads.Op{Kind: workloads.Recv, Peer: int32(rank - 1), Tag: tagRows}, k, op)
}

// fill computes the cells of a piece.
func (l *lcs) fill(rank, i int) units.Flops {
	return units.Flops(l.piece(i)) * units.Flops(l.columns[rank]) * l.CellWork
}

// send passes on the last column of a piece.
func (l *lcs) send(rank, i int, k *int32, op *workloads.Op) bool {
	return rank < len(l.Speeds)-1 &&
		single(workloads.Op{Kind: workloads.Send, Peer: int32(rank + 1), Tag: tagRows,
			Size: units.Bytes(l.piece(i)) * l.Element}, k, op)
}

var lcsKind = Kind{
	Name: "lcs", Title: "longest common subsequence of two strings, a wavefront over columns in proportion to marked speed",
	Source: "[He2004] 3", Size: "length of the strings", Element: 4,
	BoundedByWork: true,
	Parameters: []parameter.Parameter{
		cellWork("work of a cell of the table: a comparison of characters and a maximum or an addition"),
		{Name: "piece_rows", Type: parameter.Count{Min: 1, Max: MaxOrder}, Default: "100", Meaning: "rows of a column that are passed on together"},
	},
	Build: func(c Case) Algorithm {
		return LCS{Problem: c.problem(), PieceRows: c.Count("piece_rows"),
			CellWork: units.Flops(c.Number("flop_per_cell"))}
	},
}

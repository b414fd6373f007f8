package algorithm

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// LCS is the length of the longest common subsequence of two strings of N
// characters by dynamic programming: a table of N x N cells, each from its left,
// upper and upper left neighbour. [He2004] section 3 times it and does not
// describe it; this is the usual wavefront:
//
//  1. Every process holds a block of columns, in proportion to the speeds
//     ([Shares]), in the order of the ranks.
//  2. It fills its columns from the top in pieces of PieceRows rows. Before a
//     piece it receives the column on its left from the process before it, after
//     it it sends its last column to the process behind it.
//
// The strings are there from the start, and the last process ends with the
// length.
type LCS struct {
	N         int                    // length of both strings, at least 1
	Speeds    []units.FlopsPerSecond // marked speed of each process, above 0: who gets how many columns
	PieceRows int                    // rows that are passed on together, at least 1; the last piece may be smaller
	CellWork  units.Flops            // of a cell, above 0
	Startup   units.Seconds          // as in Gauss
	Element   units.Bytes            // size of a cell's value
}

// Validate reports everything that is wrong with the parameters.
func (l LCS) Validate() error {
	var problems []error
	if l.PieceRows < 1 {
		problems = append(problems, fmt.Errorf("lcs: pieces of %d rows; expected at least 1", l.PieceRows))
	}
	if !(l.CellWork > 0 && l.CellWork <= 1e12) {
		problems = append(problems, fmt.Errorf("lcs: %v for a cell; expected above 0, at most 1e12 flop", l.CellWork))
	}
	return errors.Join(append(problems, checkOrder("lcs", l.N, 1), checkCommon("lcs", l.Speeds, l.Startup, l.Element))...)
}

// Work returns W(N) = N^2 CellWork.
func (l LCS) Work() units.Flops { return units.Flops(l.N) * units.Flops(l.N) * l.CellWork }

// SequentialWork returns 0: nothing must be computed by one process alone.
func (l LCS) SequentialWork() units.Flops { return 0 }

// Footprints returns the memory for one string and, of the other and of the last
// row, the columns of the process, with one column of a piece on either side.
func (l LCS) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(l.Speeds))
	for q, columns := range Shares(l.N, l.Speeds) {
		need[q] = units.Bytes(l.N+columns) + units.Bytes(columns+2*min(l.PieceRows, l.N))*l.Element
	}
	return need
}

// Choices returns none: there are no collective operations.
func (l LCS) Choices() []collective.Choice { return nil }

// Overhead returns how long the wave takes to reach the last of p processes:
//
//	T_o = p Startup + (p-1) (PieceRows N CellWork/C + T_message(PieceRows Element))
//
// C is the sum of the speeds. From then on messages travel while pieces are
// computed, as long as a piece takes longer.
func (l LCS) Overhead(c Costs) units.Seconds {
	p := len(l.Speeds)
	t := units.Seconds(p) * l.Startup
	if p == 1 {
		return t
	}
	var speed units.FlopsPerSecond
	for _, s := range l.Speeds {
		speed += s
	}
	rows := min(l.PieceRows, l.N)
	piece := units.Seconds(float64(units.Flops(rows)*units.Flops(l.N)*l.CellWork) / float64(speed))
	return t + units.Seconds(p-1)*(piece+c.Message(units.Bytes(rows)*l.Element))
}

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (l LCS) Program() workloads.Program {
	return &lcs{LCS: l, columns: Shares(l.N, l.Speeds), state: make([]lcsRank, len(l.Speeds))}
}

// lcs is a run of LCS.
type lcs struct {
	LCS
	columns []int
	state   []lcsRank
}

type lcsRank struct {
	row   int32 // first of the piece
	phase lcsPhase
}

type lcsPhase uint8

const (
	lcsStart lcsPhase = iota
	lcsReceive
	lcsFill
	lcsSend
)

func (l *lcs) Ranks() int { return len(l.state) }

func (l *lcs) Next(rank int, op *workloads.Op) bool {
	s := &l.state[rank]
	for int(s.row) < l.N {
		rows := min(l.PieceRows, l.N-int(s.row))
		switch s.phase {
		case lcsStart:
			s.phase = lcsReceive
			if l.Startup > 0 {
				*op = workloads.Op{Kind: workloads.Delay, Time: units.Seconds(len(l.state)) * l.Startup}
				return true
			}
		case lcsReceive:
			s.phase = lcsFill
			if rank > 0 {
				*op = workloads.Op{Kind: workloads.Recv, Peer: int32(rank - 1), Tag: tagRows}
				return true
			}
		case lcsFill:
			s.phase = lcsSend
			if n := l.columns[rank]; n > 0 {
				*op = workloads.Op{Kind: workloads.Compute, Work: units.Flops(rows) * units.Flops(n) * l.CellWork}
				return true
			}
		case lcsSend:
			s.phase = lcsReceive
			s.row += int32(rows)
			if rank < len(l.state)-1 {
				*op = workloads.Op{Kind: workloads.Send, Peer: int32(rank + 1), Tag: tagRows, Size: units.Bytes(rows) * l.Element}
				return true
			}
		default:
			panic(fmt.Sprintf("algorithm: lcs in phase %d", s.phase))
		}
	}
	return false
}

var lcsKind = Kind{
	Name: "lcs", Title: "longest common subsequence of two strings, a wavefront over columns in proportion to marked speed",
	Source: "[He2004] 3", Size: "length of the strings", Element: 4,
	Parameters: []parameter.Parameter{
		cellWork("work of a cell of the table: a comparison of characters and a maximum or an addition"),
		{Name: "piece_rows", Type: parameter.Count{Min: 1, Max: MaxOrder}, Default: "100", Meaning: "rows of a column that are passed on together"},
	},
	Build: func(c Case) Algorithm {
		return LCS{N: c.N, Speeds: c.Speeds, PieceRows: c.Count("piece_rows"), CellWork: units.Flops(c.Number("flop_per_cell")),
			Startup: c.Startup, Element: c.Element}
	},
}

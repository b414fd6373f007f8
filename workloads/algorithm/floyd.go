package algorithm

import (
	"errors"
	"fmt"

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
// With Overlap, the owner of row k+1 has it ready before it is needed. Row 0 is
// broadcast first. Then, in iteration k, the owner of row k+1 updates this row
// with row k, does its part of the broadcast of row k+1, and updates its other
// rows with row k; every other process updates all its rows with row k and then
// does its part of the broadcast of row k+1. The work is the same.
//
// How the code decides what is open in the source:
//
//   - Rows are whole. With exact shares all processes would compute equally
//     long; with whole ones the slowest takes longer by a fraction of up to
//     C/(n C_q), C the speed of all.
//   - Neither the distribution of the matrix nor its collection is part of it,
//     as in the source's formulas.
//   - Nothing holds the iterations together: an owner whose messages need not
//     wait for their receivers goes on as soon as it has sent its part, and many
//     broadcasts can be under way at once. The source's formulas have one after
//     the other. A measured cost comes to that, and so does a network that has
//     the source's lambda as send overhead instead of latency.
//   - Who receives a row to pass it on does so between two updates, not during
//     one.
type Floyd struct {
	N      int                    // order of the matrix, at least 1
	Speeds []units.FlopsPerSecond // marked speed of each process, above 0: who gets how many rows
	// Startup is what starting the program costs before anything else happens,
	// for each process: p processes begin after p*Startup.
	Startup  units.Seconds
	Element  units.Bytes       // size of a number
	CellWork units.Flops       // work of updating one cell, above 0: an addition and a comparison are 2
	Overlap  bool              // pass on row k+1 before the other rows are updated with row k
	Bcast    collective.Choice // a row
}

// maxCellWork keeps the work of the largest matrix finite.
const maxCellWork units.Flops = 1e6

// Validate reports everything that is wrong with the parameters.
func (f Floyd) Validate() error {
	var work error
	if !(f.CellWork > 0 && f.CellWork <= maxCellWork) {
		work = fmt.Errorf("floyd: work of a cell is %v; expected more than 0 flop, at most %g flop", f.CellWork, float64(maxCellWork))
	}
	return errors.Join(
		checkOrder("floyd", f.N, 1),
		checkCommon("floyd", f.Speeds, f.Startup, f.Element),
		work,
		checkChoice("floyd", f.Bcast, workloads.Bcast),
	)
}

// Work returns W(n) = n^3 CellWork. The source counts W = n^3 in cells.
func (f Floyd) Work() units.Flops { return units.Flops(f.N) * f.iteration(f.N) }

// SequentialWork returns 0: nothing is computed by one process alone.
func (f Floyd) SequentialWork() units.Flops { return 0 }

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
// where of all but the first broadcast only that part remains which does not
// depend on the size. The other part must be shorter than an iteration's updates
// for that, which is not checked.
func (f Floyd) Overhead(c Costs) units.Seconds {
	p := len(f.Speeds)
	t := units.Seconds(p) * f.Startup
	if p == 1 {
		return t
	}
	if f.Overlap {
		return t + c.Bcast(f.row()) + units.Seconds(f.N-1)*c.Bcast(0)
	}
	return t + units.Seconds(f.N)*c.Bcast(f.row())
}

// row is the size of a row.
func (f Floyd) row() units.Bytes { return units.Bytes(f.N) * f.Element }

// iteration is the work of updating some rows once.
func (f Floyd) iteration(rows int) units.Flops {
	return units.Flops(rows) * units.Flops(f.N) * f.CellWork
}

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (f Floyd) Program() workloads.Program {
	p := &floyd{Floyd: f, end: make([]int32, len(f.Speeds)), state: make([]floydRank, len(f.Speeds))}
	var sum int32
	for q, rows := range Shares(f.N, f.Speeds) {
		sum += int32(rows)
		p.end[q] = sum
	}
	return p
}

// floyd is a run of Floyd.
type floyd struct {
	Floyd
	end   []int32 // end[q] is the row after the last one of process q
	state []floydRank
}

// floydRank is where one process is in the program: 16 bytes.
type floydRank struct {
	phase  floydPhase
	step   int32 // row that is broadcast, or has been last
	sender int32 // its owner
	call   int32 // place in the running collective
}

type floydPhase uint8

const (
	floydStart floydPhase = iota
	floydBcast
	floydCatchUp // Overlap: the rows that were left when row step was sent
	floydUpdate
	floydEnd
)

func (f *floyd) Ranks() int { return len(f.state) }

func (f *floyd) Next(rank int, op *workloads.Op) bool {
	s := &f.state[rank]
	p := len(f.state)
	for {
		switch s.phase {
		case floydStart:
			s.phase, s.sender = floydBcast, f.owner(0, 0)
			if f.Startup > 0 {
				*op = workloads.Op{Kind: workloads.Delay, Time: units.Seconds(p) * f.Startup}
				return true
			}
		case floydBcast:
			call := collective.Call{Size: p, Root: int(s.sender)}
			if p > 1 && collective.Next(f.Bcast, call, collective.Uniform(1, f.row()), 0, rank, &s.call, op) {
				return true
			}
			s.phase, s.call = floydUpdate, 0
			if f.Overlap && s.step > 0 && int(s.sender) == rank {
				s.phase = floydCatchUp
			}
		case floydCatchUp:
			s.phase = floydUpdate
			if rows := f.rows(rank) - 1; rows > 0 {
				*op = workloads.Op{Kind: workloads.Compute, Work: f.iteration(rows)}
				return true
			}
		case floydUpdate:
			rows := f.rows(rank)
			if int(s.step) == f.N-1 {
				s.phase = floydEnd
			} else {
				s.phase = floydBcast
				s.step++
				s.sender = f.owner(s.step, s.sender)
				if f.Overlap && int(s.sender) == rank {
					rows = 1
				}
			}
			if rows > 0 {
				*op = workloads.Op{Kind: workloads.Compute, Work: f.iteration(rows)}
				return true
			}
		case floydEnd:
			return false
		default:
			panic(fmt.Sprintf("algorithm: floyd in phase %d", s.phase))
		}
	}
}

// owner returns the process with that row, which is from or one after it.
func (f *floyd) owner(row, from int32) int32 {
	for f.end[from] <= row {
		from++
	}
	return from
}

// rows returns how many rows a process has.
func (f *floyd) rows(rank int) int {
	if rank == 0 {
		return int(f.end[0])
	}
	return int(f.end[rank] - f.end[rank-1])
}

var floydKind = Kind{
	Name: "floyd", Title: "shortest paths between all pairs by Floyd's algorithm, blocks of rows in proportion to marked speed",
	Source: "[Bosque] 4.1", Size: "number of vertices, the order of the matrix", Element: 4,
	Parameters: []parameter.Parameter{
		cellWork("work of updating one element: an addition and a comparison"),
		{Name: "overlap", Type: parameter.Flag{}, Default: "false", Meaning: "true: the owner of the next row updates and sends it before its other rows"},
		{Name: "bcast", Type: parameter.Algorithm{Operation: workloads.Bcast}, Default: "binomial", Meaning: "broadcast of a row" + measured},
	},
	Build: func(c Case) Algorithm {
		return Floyd{N: c.N, Speeds: c.Speeds, Startup: c.Startup, Element: c.Element,
			CellWork: units.Flops(c.Number("flop_per_cell")), Overlap: c.Flag("overlap"), Bcast: c.Choice("bcast")}
	},
}

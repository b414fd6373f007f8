package algorithm

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Gauss is Gaussian elimination without pivoting on a dense N x N system, as in
// [Chen2008] 4.1.1 and [Sun2005] 4.1.1:
//
//  1. Process 0 tells all the problem size (a broadcast of one element) and
//     sends every other process its rows of A and b, dealt out by [Cyclic] in
//     proportion to the speeds: one message each.
//  2. For i = 0 ... N-2: the owner of row i broadcasts what is left of it, N-i
//     elements of A and one of b; every process eliminates column i from its
//     rows below i; all meet in a barrier.
//  3. Every other process sends its rows and its part of y to process 0: one
//     message each. Process 0 does the back substitution, N^2 flop, alone.
//
// How the code deviates from, or decides what is open in, the source:
//
//   - The work of elimination is W(N) as printed, which equals the sum over
//     r = 0 ... N-2 of r(2r+5). Step i performs the term r = N-2-i of it, split
//     among the N-1-i rows that are left. (A count of every operation would be
//     N^2 + 2N - 3 flop more.)
//   - The back substitution is performed but is not part of W(N), as in the source.
//   - 2(p-1) messages besides the collectives, as the overhead formula of
//     [Chen2008] 4.5 has it, taken as one out and one back for each process.
//   - That formula counts two broadcasts per step and N steps; the algorithm
//     lists one and N-1, and this is the algorithm.
type Gauss struct {
	N      int                    // order of the matrix, at least 3: W(2) is 0
	Speeds []units.FlopsPerSecond // marked speed of each process, above 0: who gets how many rows
	// Startup is what starting the program costs before anything else happens,
	// for each process: p processes begin after p*Startup.
	Startup units.Seconds
	Element units.Bytes       // size of a number
	Bcast   collective.Choice // the pivot row
	Barrier collective.Choice // the end of a step
}

// Validate reports everything that is wrong with the parameters.
func (g Gauss) Validate() error {
	return errors.Join(
		checkOrder("gauss", g.N, 3),
		checkCommon("gauss", g.Speeds, g.Startup, g.Element),
		checkChoice("gauss", g.Bcast, workloads.Bcast),
		checkChoice("gauss", g.Barrier, workloads.Barrier),
	)
}

// GaussWork returns W(N) = 2/3 N^3 - 1/2 N^2 - 19/6 N + 3, [Chen2008] 4.1.1.
// It is a whole number for every N, and exact up to N = 131072, where 4 N^3 is
// 2^53; beyond that it is rounded.
func GaussWork(n int) units.Flops {
	x := float64(n)
	return units.Flops((4*x*x*x - 3*x*x - 19*x + 18) / 6)
}

// Work returns W(N), see [GaussWork].
func (g Gauss) Work() units.Flops { return GaussWork(g.N) }

// SequentialWork returns the flop that process 0 performs alone: N^2.
func (g Gauss) SequentialWork() units.Flops { return units.Flops(g.N) * units.Flops(g.N) }

// Footprints returns the memory that each rank needs for its rows of A and b;
// process 0 holds all of them.
func (g Gauss) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(g.Speeds))
	for _, q := range Cyclic(g.N, g.Speeds) {
		need[q] += g.rowSize()
	}
	need[0] = units.Bytes(g.N) * g.rowSize()
	return need
}

// Choices returns how the collective operations are carried out.
func (g Gauss) Choices() []collective.Choice { return []collective.Choice{g.Bcast, g.Barrier} }

// Overhead returns the closed-form T_o: everything but computation, from the
// costs of single operations as in [Chen2008] 4.5,
//
//	T_o = p Startup + T_bcast(1) + 2 (p-1) T_message + (N-1) (T_bcast + T_barrier)
//
// where a message carries a mean share of the rows and a broadcast a mean pivot
// row. Deviations: the source counts a send and a receive for each message, a
// Message here has both ends; see also the deviations of [Gauss].
func (g Gauss) Overhead(c Costs) units.Seconds {
	p := len(g.Speeds)
	t := units.Seconds(p) * g.Startup
	if p == 1 {
		return t
	}
	share := units.Bytes(float64(g.N)/float64(p)) * g.rowSize()
	meanRow := (units.Bytes(g.N+2)/2 + 1) * g.Element // N ... 2 elements of A, one of b
	return t + c.Bcast(g.Element) +
		2*units.Seconds(p-1)*c.Message(share) +
		units.Seconds(g.N-1)*(c.Bcast(meanRow)+c.Barrier())
}

// rowSize is the size of a row of A and its element of b.
func (g Gauss) rowSize() units.Bytes { return units.Bytes(g.N+1) * g.Element }

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (g Gauss) Program() workloads.Program {
	p := &gauss{Gauss: g, owner: Cyclic(g.N, g.Speeds), state: make([]gaussRank, len(g.Speeds))}
	for _, q := range p.owner {
		p.state[q].rows++
	}
	for q := range p.state {
		p.state[q].left = p.state[q].rows
	}
	return p
}

// gauss is a run of Gauss.
type gauss struct {
	Gauss
	owner []int32 // of each row
	state []gaussRank
}

// gaussRank is where one process is in the program: 20 bytes.
type gaussRank struct {
	phase gaussPhase
	step  int32 // row being eliminated, or peer being served
	call  int32 // place in the running collective
	rows  int32 // own rows
	left  int32 // own rows below the pivot row
}

type gaussPhase uint8

const (
	gaussStart gaussPhase = iota
	gaussAnnounce
	gaussDistribute
	gaussPivot
	gaussEliminate
	gaussMeet
	gaussCollect
	gaussSubstitute
	gaussEnd
)

// Tags of the messages of step 1 and 3.
const (
	tagRows   int32 = 1
	tagResult int32 = 2
)

func (g *gauss) Ranks() int { return len(g.state) }

func (g *gauss) Next(rank int, op *workloads.Op) bool {
	s := &g.state[rank]
	p := len(g.state)
	for {
		switch s.phase {
		case gaussStart:
			s.phase = gaussAnnounce
			if g.Startup > 0 {
				*op = workloads.Op{Kind: workloads.Delay, Time: units.Seconds(p) * g.Startup}
				return true
			}
		case gaussAnnounce:
			if p > 1 && collective.Next(g.Bcast, collective.Call{Size: p}, collective.Uniform(1, g.Element), 0, rank, &s.call, op) {
				return true
			}
			s.phase, s.call, s.step = gaussDistribute, 0, 1
		case gaussDistribute:
			if rank == 0 && int(s.step) < p {
				q := s.step
				s.step++
				*op = workloads.Op{Kind: workloads.Send, Peer: q, Tag: tagRows, Size: units.Bytes(g.state[q].rows) * g.rowSize()}
				return true
			}
			s.phase, s.step = gaussPivot, 0
			if rank != 0 {
				*op = workloads.Op{Kind: workloads.Recv, Peer: 0, Tag: tagRows}
				return true
			}
		case gaussPivot:
			if int(s.step) == g.N-1 {
				s.phase, s.step = gaussCollect, 1
				continue
			}
			row := collective.Uniform(1, units.Bytes(g.N-int(s.step)+1)*g.Element)
			call := collective.Call{Size: p, Root: int(g.owner[s.step])}
			if p > 1 && collective.Next(g.Bcast, call, row, 0, rank, &s.call, op) {
				return true
			}
			s.phase, s.call = gaussEliminate, 0
		case gaussEliminate:
			i := int(s.step)
			if g.owner[i] == int32(rank) {
				s.left--
			}
			s.phase = gaussMeet
			if s.left > 0 {
				*op = workloads.Op{Kind: workloads.Compute, Work: units.Flops(s.left) * g.rowWork(i)}
				return true
			}
		case gaussMeet:
			if p > 1 && collective.Next(g.Barrier, collective.Call{Size: p}, collective.Uniform(0, 0), 0, rank, &s.call, op) {
				return true
			}
			s.phase, s.call = gaussPivot, 0
			s.step++
		case gaussCollect:
			if rank != 0 {
				s.phase = gaussEnd
				*op = workloads.Op{Kind: workloads.Send, Peer: 0, Tag: tagResult, Size: units.Bytes(s.rows) * g.rowSize()}
				return true
			}
			if int(s.step) < p {
				q := s.step
				s.step++
				*op = workloads.Op{Kind: workloads.Recv, Peer: q, Tag: tagResult}
				return true
			}
			s.phase = gaussSubstitute
		case gaussSubstitute:
			s.phase = gaussEnd
			*op = workloads.Op{Kind: workloads.Compute, Work: g.SequentialWork()}
			return true
		case gaussEnd:
			return false
		default:
			panic(fmt.Sprintf("algorithm: gauss in phase %d", s.phase))
		}
	}
}

// rowWork is the work on one row in step i: the term r = N-2-i of W(N), shared
// by the N-1-i rows below the pivot row.
func (g *gauss) rowWork(i int) units.Flops {
	r := float64(g.N - 2 - i)
	return units.Flops(r * (2*r + 5) / (r + 1))
}

var gaussKind = Kind{
	Name: "gauss", Title: "Gaussian elimination, rows dealt out in proportion to marked speed",
	Source: "[Chen2008] 4.1.1", Size: "order of the matrix", Element: double,
	Parameters: []parameter.Parameter{
		{Name: "bcast", Type: parameter.Algorithm{Operation: workloads.Bcast}, Default: "binomial", Meaning: "broadcast of the pivot row" + measured},
		{Name: "barrier", Type: parameter.Algorithm{Operation: workloads.Barrier}, Default: "dissemination", Meaning: "end of each step: likewise"},
	},
	Build: func(c Case) Algorithm {
		return Gauss{N: c.N, Speeds: c.Speeds, Startup: c.Startup, Element: c.Element, Bcast: c.Choice("bcast"), Barrier: c.Choice("barrier")}
	},
}

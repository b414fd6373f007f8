package algorithm

import (
	"errors"
	"slices"

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
//   - 2(p-1) messages besides the collectives, as in the overhead formula of [Chen2008]
//     4.5: one to and one from each process.
//   - That formula counts two broadcasts per step and N steps; the algorithm lists one
//     and N-1, and the code follows the algorithm.
type Gauss struct {
	Problem                   // N is the order of the matrix, at least 3: W(2) is 0
	Bcast   collective.Choice // the pivot row
	Barrier collective.Choice // the end of a step
}

// Validate reports everything that is wrong with the parameters.
func (g Gauss) Validate() error {
	return errors.Join(g.check("gauss", 3), checkChoices("gauss", g.Choices(), workloads.Bcast, workloads.Barrier))
}

// Work returns W(N) = 2/3 N^3 - 1/2 N^2 - 19/6 N + 3, [Chen2008] 4.1.1.
// It is a whole number for every N, and exact up to N = 131072, where 4 N^3 is
// 2^53; beyond that it is rounded.
func (g Gauss) Work() units.Flops {
	x := float64(g.N)
	return units.Flops((float64(4*x*x*x) - float64(3*x*x) - float64(19*x) + 18) / 6)
}

// SequentialWork returns the flop that process 0 performs alone: N^2.
func (g Gauss) SequentialWork() units.Flops { return units.Flops(g.N) * units.Flops(g.N) }

// Footprints returns the memory that each rank needs for its rows of A and b;
// process 0 holds all of them.
func (g Gauss) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(g.Speeds))
	for _, q := range Cyclic(g.N, g.Speeds) {
		need[q] += g.equation()
	}
	need[0] = units.Bytes(g.N) * g.equation()
	return need
}

// Choices returns how the collective operations are carried out.
func (g Gauss) Choices() []collective.Choice { return []collective.Choice{g.Bcast, g.Barrier} }

// Overhead returns the closed-form T_o: everything but computation, from the
// costs of single operations as in [Chen2008] 4.5,
//
//	T_o = p Startup + T_bcast(1) + 2 (p-1) T_message + (N-1) (T_bcast + T_barrier)
//
// where a message carries a mean share of the rows and a broadcast a mean pivot row.
// Deviations: the source counts a send and a receive for each message, whereas a
// Message here includes both; see also the deviations of [Gauss].
func (g Gauss) Overhead(c Costs) units.Seconds {
	t, p := g.start()
	if p == 1 {
		return t
	}
	share := units.Bytes(float64(g.N)/float64(p)) * g.equation()
	meanRow := (units.Bytes(units.Bytes(g.N+2)/2) + 1) * g.Element // N ... 2 elements of A, one of b
	return t + c.Collective(workloads.Bcast, g.Element) +
		units.Seconds(2*units.Seconds(p-1)*c.Message(share)) +
		units.Seconds(units.Seconds(g.N-1)*(c.Collective(workloads.Bcast, meanRow)+c.Collective(workloads.Barrier, 0)))
}

// equation is the size of a row of A and its element of b.
func (g Gauss) equation() units.Bytes { return units.Bytes(units.Bytes(g.N+1) * g.Element) }

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (g Gauss) Program() workloads.Program {
	r := &gauss{Gauss: g, owner: Cyclic(g.N, g.Speeds), rows: make([]int32, len(g.Speeds))}
	for _, q := range r.owner {
		r.rows[q]++
	}
	r.left = slices.Clone(r.rows)
	return g.machine().
		once(call(g.Bcast, g.everybody(), collective.Uniform(1, g.Element)), r.distribute).
		repeat(g.N-1,
			broadcastRow(g.Bcast, r.owner, len(g.Speeds),
				func(i int) units.Bytes { return units.Bytes(g.N-i+1) * g.Element }),
			r.eliminate,
			call(g.Barrier, g.everybody(), collective.Uniform(0, 0)),
		).
		once(r.collect, r.substitute)
}

// gauss is a run of Gauss.
type gauss struct {
	Gauss
	owner []int32 // of each row
	rows  []int32 // of each process
	left  []int32 // of each process, below the pivot row
}

// Tags of the messages of step 1 and 3.
const (
	tagRows   int32 = 1
	tagResult int32 = 2
)

// distribute sends all processes but 0 their rows.
func (g *gauss) distribute(rank, _ int, k *int32, op *workloads.Op) bool {
	if rank != 0 {
		return single(workloads.Op{Kind: workloads.Recv, Peer: 0, Tag: tagRows}, k, op)
	}
	q := *k + 1
	if int(q) == len(g.Speeds) {
		return false
	}
	*op = workloads.Op{Kind: workloads.Send, Peer: q, Tag: tagRows, Size: units.Bytes(g.rows[q]) * g.equation()}
	*k++
	return true
}

// eliminate eliminates column i from the rows below row i.
func (g *gauss) eliminate(rank, i int, k *int32, op *workloads.Op) bool {
	if *k > 0 {
		return false
	}
	if g.owner[i] == int32(rank) {
		g.left[rank]--
	}
	n := g.left[rank]
	return n > 0 && single(workloads.Op{Kind: workloads.Compute, Work: units.Flops(n) * g.rowWork(i)}, k, op)
}

// collect sends the rows of all processes back to process 0.
func (g *gauss) collect(rank, _ int, k *int32, op *workloads.Op) bool {
	if rank != 0 {
		return single(workloads.Op{Kind: workloads.Send, Peer: 0, Tag: tagResult,
			Size: units.Bytes(g.rows[rank]) * g.equation()}, k, op)
	}
	q := *k + 1
	if int(q) == len(g.Speeds) {
		return false
	}
	*op = workloads.Op{Kind: workloads.Recv, Peer: q, Tag: tagResult}
	*k++
	return true
}

// substitute is the back substitution.
func (g *gauss) substitute(rank, _ int, k *int32, op *workloads.Op) bool {
	return rank == 0 && single(workloads.Op{Kind: workloads.Compute, Work: g.SequentialWork()}, k, op)
}

// rowWork is the work on one row in step i: the term r = N-2-i of W(N), shared
// by the N-1-i rows below the pivot row.
func (g *gauss) rowWork(i int) units.Flops {
	r := float64(g.N - 2 - i)
	return units.Flops(r * (float64(2*r) + 5) / (r + 1))
}

var gaussKind = Kind{
	Name: "gauss", Title: "Gaussian elimination, rows dealt out in proportion to marked speed",
	Source: "[Chen2008] 4.1.1", Size: "order of the matrix", Element: double,
	BoundedByWork: true,
	Parameters: []parameter.Parameter{
		{Name: "bcast", Type: parameter.Algorithm{Operation: workloads.Bcast}, Default: "binomial", Meaning: "broadcast of the pivot row" + measured},
		{Name: "barrier", Type: parameter.Algorithm{Operation: workloads.Barrier}, Default: "dissemination", Meaning: "end of each step; same choices"},
	},
	Build: func(c Case) Algorithm {
		return Gauss{Problem: c.problem(), Bcast: c.Choice("bcast"), Barrier: c.Choice("barrier")}
	},
}

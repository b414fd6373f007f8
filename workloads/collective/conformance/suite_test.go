package conformance_test

import (
	"testing"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/collective/conformance"
)

// The algorithms below exist to try the parts of the table of operations that
// no algorithm of package collective uses yet. Each is a ring of p-1 rounds, or
// twice that, in which rank r sends to its right neighbour and receives from
// its left one.

type ring struct {
	op     workloads.Collective
	rounds func(p int) int
	// round returns the blocks sent and received by rank in round i.
	round func(p, rank, i int) (out, in collective.Step)
}

func (a ring) Name() string                    { return "ring" }
func (a ring) Operation() workloads.Collective { return a.op }
func (a ring) Step(c collective.Call, rank, k int, s *collective.Step) bool {
	i := k / 4
	if i >= a.rounds(c.Size) {
		return false
	}
	out, in := a.round(c.Size, rank, i)
	switch k % 4 {
	case 0:
		*s = out
		s.Kind = workloads.Isend
	case 1:
		*s = in
		s.Kind = workloads.Recv
	case 2:
		s.Kind = workloads.Waitall
	case 3: // arithmetic, on no block at all in a round that combines nothing
		s.Kind = workloads.Compute
		if in.Combine {
			s.First, s.Count = in.First, in.Count
		}
	}
	return true
}

// passOn returns the rounds of a ring that passes one block on. first is
// the block that rank sends in round 0; in each further round it sends what it
// has just received.
func passOn(p, rank, i, first int, combine bool) (out, in collective.Step) {
	out = collective.Step{Peer: (rank + 1) % p, First: mod(first-i, p), Count: 1}
	in = collective.Step{Peer: mod(rank-1, p), First: mod(first-1-i, p), Count: 1, Combine: combine}
	return out, in
}

func mod(a, p int) int { return (a%p + p) % p }

// Allgather: each block goes p-1 hops.
func TestRingAllgather(t *testing.T) {
	conformance.Run(t, conformance.Suite{
		Algorithm: ring{
			op:     workloads.Allgather,
			rounds: func(p int) int { return p - 1 },
			round: func(p, rank, i int) (out, in collective.Step) {
				return passOn(p, rank, i, rank, false)
			},
		},
		Blocks: func(p int) int { return p },
		Traffic: func(cs conformance.Case) conformance.Traffic {
			p := cs.Call.Size
			return conformance.Traffic{Messages: p * (p - 1), Volume: units.Bytes(p-1) * cs.Total()}
		},
	})
}

// Allreduce on p blocks: p-1 rounds that combine, after which rank r has all of
// block r+1, and p-1 rounds that spread the results.
func TestRingAllreduce(t *testing.T) {
	conformance.Run(t, conformance.Suite{
		Algorithm: ring{
			op:     workloads.Allreduce,
			rounds: func(p int) int { return 2 * (p - 1) },
			round: func(p, rank, i int) (out, in collective.Step) {
				if i < p-1 {
					return passOn(p, rank, i, rank, true)
				}
				return passOn(p, rank, i-(p-1), rank+1, false)
			},
		},
		Blocks: func(p int) int { return p },
		Traffic: func(cs conformance.Case) conformance.Traffic {
			p := cs.Call.Size
			return conformance.Traffic{Messages: 2 * p * (p - 1), Volume: units.Bytes(2*(p-1)) * cs.Total()}
		},
	})
}

// shift is the exchange in which rank r sends in round i = 1, 2, ... to r+i and
// receives from r-i.
type shift struct{}

func (shift) Name() string                    { return "shift" }
func (shift) Operation() workloads.Collective { return workloads.Alltoall }
func (shift) Step(c collective.Call, rank, k int, s *collective.Step) bool {
	p := c.Size
	i := 1 + k/3
	if i >= p {
		return false
	}
	to, from := mod(rank+i, p), mod(rank-i, p)
	switch k % 3 {
	case 0:
		*s = collective.Step{Kind: workloads.Irecv, Peer: from, First: from*p + rank, Count: 1}
	case 1:
		*s = collective.Step{Kind: workloads.Send, Peer: to, First: rank*p + to, Count: 1}
	case 2:
		s.Kind = workloads.Waitall
	}
	return true
}

// Alltoall: every block moves once, except what a rank has for itself.
func TestShiftAlltoall(t *testing.T) {
	for _, p := range []int{1, 2, 3, 5, 8} { // p*p blocks for each of p ranks
		for _, cs := range conformance.Cases(workloads.Alltoall, p, p*p) {
			want := conformance.Traffic{Messages: p * (p - 1), Volume: cs.Total()}
			for r := range p {
				want.Volume -= cs.Blocks[r*p+r]
			}
			facts, err := conformance.Check(shift{}, cs, want)
			verdict(t, facts, err, "")
		}
	}
}

// TestCases counts the cases: 3 sizes, and unequal blocks if there are several,
// for each root.
func TestCases(t *testing.T) {
	for _, tt := range []struct {
		op         workloads.Collective
		p, n, want int
	}{
		{workloads.Barrier, 5, 0, 1},
		{workloads.Bcast, 5, 1, 5 * 3},
		{workloads.Gather, 5, 5, 5 * 4},
		{workloads.Gather, 1, 1, 3},
		{workloads.Allreduce, 5, 5, 4},
	} {
		if got := len(conformance.Cases(tt.op, tt.p, tt.n)); got != tt.want {
			t.Errorf("%v, %d ranks, %d blocks: %d cases; expected %d", tt.op, tt.p, tt.n, got, tt.want)
		}
	}
}

package collective_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// TestOrder pins the order of steps of single ranks, which the conformance tests
// leave open. Blocks are written first+count; a chain has 3 pieces.
func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		op         workloads.Collective
		name       string
		size, root int
		rank       int
		want       string
	}{
		// Rank order, the root left out.
		{workloads.Bcast, "flat", 4, 2, 2, "send 0 0+1, send 1 0+1, send 3 0+1"},
		{workloads.Bcast, "flat", 4, 2, 3, "recv 2 0+1"},
		{workloads.Reduce, "flat", 3, 1, 1, "recv 0 0+1 combine, compute 0+1, recv 2 0+1 combine, compute 0+1"},
		{workloads.Gather, "flat", 4, 2, 2, "recv 0 0+1, recv 1 1+1, recv 3 3+1"},
		{workloads.Scatter, "flat", 4, 2, 2, "send 0 0+1, send 1 1+1, send 3 3+1"},

		// 7 ranks, root 3. Relative rank v is rank (v+3) mod 7:
		//
		//	v     0  1  2  3  4  5  6
		//	rank  3  4  5  6  0  1  2
		//
		// Children of v=0: 1, 2, 4. Of v=4: 5, 6, and its parent is 0. The
		// subtree of v=4 is cut to {4, 5, 6}, that is ranks {0, 1, 2}; that of
		// v=2 is {2, 3}, ranks {5, 6}. Broadcast and scatter go from the
		// largest child down, reduce and gather from the smallest up.
		{workloads.Bcast, "binomial", 7, 3, 3, "send 0 0+1, send 5 0+1, send 4 0+1"},
		{workloads.Bcast, "binomial", 7, 3, 0, "recv 3 0+1, send 2 0+1, send 1 0+1"},
		{workloads.Bcast, "binomial", 7, 3, 2, "recv 0 0+1"},
		{workloads.Reduce, "binomial", 7, 3, 0, "recv 1 0+1 combine, compute 0+1, recv 2 0+1 combine, compute 0+1, send 3 0+1"},
		{workloads.Gather, "binomial", 7, 3, 3, "recv 4 4+1, recv 5 5+2, recv 0 0+3"},
		{workloads.Gather, "binomial", 7, 3, 0, "recv 1 1+1, recv 2 2+1, send 3 0+3"},
		{workloads.Scatter, "binomial", 7, 3, 3, "send 0 0+3, send 5 5+2, send 4 4+1"},
		{workloads.Scatter, "binomial", 7, 3, 0, "recv 3 0+3, send 2 2+1, send 1 1+1"},
		// Root 4: v=2 is rank 6, whose subtree goes round the end: {6, 0}.
		{workloads.Gather, "binomial", 7, 4, 6, "recv 0 0+1, send 4 6+2"},

		{workloads.Barrier, "linear", 3, 0, 0, "recv 1, recv 2, send 1, send 2"},
		{workloads.Barrier, "linear", 3, 0, 2, "send 0, recv 0"},
		// 5 ranks: distances 1, 2, 4 from rank 1.
		{workloads.Barrier, "dissemination", 5, 0, 1, "sendrecv 2 from 0, sendrecv 3 from 4, sendrecv 0 from 2"},
		// The tree of 7 as above, with root 0: 4 has the children 5 and 6.
		{workloads.Barrier, "tree", 7, 0, 4, "recv 5, recv 6, send 0, recv 0, send 6, send 5"},
		{workloads.Barrier, "tree", 7, 0, 0, "recv 1, recv 2, recv 4, send 4, send 2, send 1"},

		// Root 3 of 5: the chain is 3, 4, 0, 1, 2. Here with 3 pieces.
		{workloads.Bcast, "chain", 5, 3, 3, "send 4 0+1, send 4 1+1, send 4 2+1"},
		{workloads.Bcast, "chain", 5, 3, 0, "recv 4 0+1, sendrecv 1 0+1 from 4 1+1, sendrecv 1 1+1 from 4 2+1, send 1 2+1"},
		{workloads.Bcast, "chain", 5, 3, 2, "recv 1 0+1, recv 1 1+1, recv 1 2+1"},
		// Root 1 of 4: rank 3 is number 2, whose subtree is {2, 3}, and rank 0
		// is number 3. Pieces go by these numbers.
		{workloads.Bcast, "scatter-allgather", 4, 1, 3, "recv 1 2+2, send 0 3+1, sendrecv 0 2+1 from 2 1+1, sendrecv 0 1+1 from 2 0+1, sendrecv 0 0+1 from 2 3+1"},

		// 6 ranks: 0 and 2 are idle, 1 and 3 are their deputies; active number
		// v = 0, 1, 2, 3 is rank 1, 3, 4, 5.
		{workloads.Allreduce, "recursive-doubling", 6, 0, 2, "send 3 0+1, recv 3 0+1"},
		{workloads.Allreduce, "recursive-doubling", 6, 0, 3, "recv 2 0+1 combine, compute 0+1, sendrecv 1 0+1 from 1 0+1 combine, compute 0+1, sendrecv 5 0+1 from 5 0+1 combine, compute 0+1, send 2 0+1"},
		// v = 1 keeps the upper half of 4 pieces, as the lowest bit says, and
		// then the lower half of that.
		{workloads.Allreduce, "rabenseifner", 4, 0, 1, "sendrecv 0 0+2 from 0 2+2 combine, compute 2+2, sendrecv 3 3+1 from 3 2+1 combine, compute 2+1, sendrecv 3 2+1 from 3 3+1, sendrecv 0 2+2 from 0 0+2"},
		{workloads.Allreduce, "rabenseifner", 5, 0, 0, "send 1 0+4, recv 1 0+4"},
		{workloads.Allreduce, "ring", 3, 0, 1, "sendrecv 2 1+1 from 0 0+1 combine, compute 0+1, sendrecv 2 0+1 from 0 2+1 combine, compute 2+1, sendrecv 2 2+1 from 0 1+1, sendrecv 2 1+1 from 0 0+1"},
		{workloads.Allreduce, "reduce-bcast", 4, 0, 2, "recv 3 0+1 combine, compute 0+1, send 0 0+1, recv 0 0+1, send 3 0+1"},

		{workloads.Allgather, "ring", 4, 0, 3, "sendrecv 0 3+1 from 2 2+1, sendrecv 0 2+1 from 2 1+1, sendrecv 0 1+1 from 2 0+1"},
		// 5 ranks: 1, 2 and then the one missing block.
		{workloads.Allgather, "bruck", 5, 0, 1, "sendrecv 0 1+1 from 2 2+1, sendrecv 4 1+2 from 3 3+2, sendrecv 2 1+1 from 0 0+1"},
		// Blocks of v = 0, 1, 2, 3 are {0, 1}, {2, 3}, {4}, {5}.
		{workloads.Allgather, "recursive-doubling", 6, 0, 3, "recv 2 2+1, sendrecv 1 2+2 from 1 0+2, sendrecv 5 0+4 from 5 4+2, send 2 3+5"},
		{workloads.Allgather, "recursive-doubling", 6, 0, 4, "sendrecv 5 4+1 from 5 5+1, sendrecv 1 4+2 from 1 0+4"},

		{workloads.Alltoall, "linear", 3, 0, 1, "irecv 2 7+1 as 0, irecv 0 1+1 as 1, isend 0 3+1 as 2, isend 2 5+1 as 3, wait 0, wait 1, wait 2, wait 3"},
		{workloads.Alltoall, "pairwise", 3, 0, 1, "sendrecv 2 5+1 from 0 1+1, sendrecv 0 3+1 from 2 7+1"},
		// Relays are written rank*blocks. Of 1 ... 4, two have bit 0, two have
		// bit 1 and one has bit 2.
		{workloads.Alltoall, "bruck", 5, 0, 1, "sendrecv 2 1*2 from 0 0*2, sendrecv 3 1*2 from 4 4*2, sendrecv 0 1*1 from 2 2*1"},

		{workloads.ReduceScatter, "ring", 3, 0, 1, "sendrecv 2 0+1 from 0 2+1 combine, compute 2+1, sendrecv 2 2+1 from 0 1+1 combine, compute 1+1"},
		{workloads.ReduceScatter, "pairwise", 3, 0, 1, "sendrecv 2 2+1 from 0 1+1 combine, compute 1+1, sendrecv 0 0+1 from 2 1+1 combine, compute 1+1"},
		// v = 1 of 4: first against v = 3, then against v = 0.
		{workloads.ReduceScatter, "recursive-halving", 6, 0, 3, "recv 2 0+6 combine, compute 0+6, sendrecv 5 4+2 from 5 0+4 combine, compute 0+4, sendrecv 1 0+2 from 1 2+2 combine, compute 2+2, send 2 2+1"},

		{workloads.Scan, "linear", 3, 0, 1, "recv 0 0+1 combine, compute 0+1, send 2 0+1"},
		// 6 ranks: rank 1 has one rank before it and four behind, rank 4 the
		// reverse.
		{workloads.Scan, "recursive-doubling", 6, 0, 1, "sendrecv 2 0+1 from 0 0+1 combine, compute 0+1, send 3 0+1, send 5 0+1"},
		{workloads.Scan, "recursive-doubling", 6, 0, 4, "sendrecv 5 0+1 from 3 0+1 combine, compute 0+1, recv 2 0+1 combine, compute 0+1, recv 0 0+1 combine, compute 0+1"},
	} {
		expect.Equal(t, describe(lookup(t, tt.op, tt.name), collective.Call{Size: tt.size, Root: tt.root, Pieces: 3}, tt.rank), tt.want, "%v %s, %d ranks, root %d: rank %d does", tt.op, tt.name, tt.size, tt.root, tt.rank)
	}
}

// describe writes down the steps of a rank.
func describe(a collective.Algorithm, c collective.Call, rank int) string {
	var steps []string
	blocks := func(s collective.BlockSet) string {
		switch s {
		case collective.BlockSet{}:
			return ""
		case collective.Range(s.First, s.Count):
			return fmt.Sprintf(" %d+%d", s.First, s.Count)
		}
		return fmt.Sprintf(" %d*%d", s.First, s.Count)
	}
	for k := 0; ; k++ {
		s, ok := a.Step(c, rank, k)
		if !ok {
			return strings.Join(steps, ", ")
		}
		text := s.Kind.String()
		switch s.Kind {
		case workloads.Wait:
			text += fmt.Sprintf(" %d", s.Request)
		case workloads.Compute:
			text += blocks(s.Blocks)
		default:
			text += fmt.Sprintf(" %d", s.Peer) + blocks(s.Blocks)
		}
		switch s.Kind {
		case workloads.Sendrecv:
			text += fmt.Sprintf(" from %d", s.From) + blocks(s.Received)
		case workloads.Isend, workloads.Irecv:
			text += fmt.Sprintf(" as %d", s.Request)
		}
		if s.Combine {
			text += " combine"
		}
		steps = append(steps, text)
	}
}

// TestManyRanks: with 2^20 ranks the root of a binomial tree has 20 children,
// the last rank has one parent and no child, and all others exchange in 20
// rounds: two steps each if there is something to combine.
func TestManyRanks(t *testing.T) {
	const p = 1 << 20
	for _, tt := range []struct {
		op    workloads.Collective
		name  string
		rank  int
		steps int
	}{
		{workloads.Bcast, "binomial", 0, 20},
		{workloads.Bcast, "binomial", p - 1, 1},
		{workloads.Gather, "binomial", 0, 20},
		{workloads.Barrier, "dissemination", 12345, 20},
		{workloads.Allreduce, "recursive-doubling", 12345, 40},
		{workloads.Allreduce, "rabenseifner", 12345, 60},
		{workloads.Allgather, "bruck", 12345, 20},
		{workloads.Alltoall, "bruck", 12345, 20},
		{workloads.ReduceScatter, "recursive-halving", 12345, 40},
		{workloads.Scan, "recursive-doubling", p - 1, 40},
	} {
		text := describe(lookup(t, tt.op, tt.name), collective.Call{Size: p}, tt.rank)
		expect.Equal(t, 1+strings.Count(text, ","), tt.steps, "%v %s: steps of rank %d", tt.op, tt.name, tt.rank)
	}
}

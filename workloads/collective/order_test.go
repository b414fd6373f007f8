package collective_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// TestOrder pins the order of steps of single ranks, which the conformance kit
// leaves open. Blocks are written first+count.
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
		{workloads.Barrier, "dissemination", 5, 0, 1, "isend 2, recv 0, waitall, isend 3, recv 4, waitall, isend 0, recv 2, waitall"},
	} {
		got := describe(lookup(t, tt.op, tt.name), collective.Call{Size: tt.size, Root: tt.root}, tt.rank)
		if got != tt.want {
			t.Errorf("%v %s, %d ranks, root %d: rank %d does\n\t%s; expected\n\t%s",
				tt.op, tt.name, tt.size, tt.root, tt.rank, got, tt.want)
		}
	}
}

// describe writes down the steps of a rank.
func describe(a collective.Algorithm, c collective.Call, rank int) string {
	var steps []string
	for k := 0; ; k++ {
		var s collective.Step
		if !a.Step(c, rank, k, &s) {
			return strings.Join(steps, ", ")
		}
		text := s.Kind.String()
		if s.Kind != workloads.Compute && s.Kind != workloads.Waitall {
			text += fmt.Sprintf(" %d", s.Peer)
		}
		if s.Count > 0 {
			text += fmt.Sprintf(" %d+%d", s.First, s.Count)
		}
		if s.Combine {
			text += " combine"
		}
		steps = append(steps, text)
	}
}

// TestManyRanks: with 2^20 ranks the root of a binomial tree has 20 children,
// the last rank has one parent and no child, and a rank of the dissemination
// barrier takes 3 steps in each of 20 rounds.
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
		{workloads.Barrier, "dissemination", 12345, 60},
	} {
		text := describe(lookup(t, tt.op, tt.name), collective.Call{Size: p}, tt.rank)
		if got := 1 + strings.Count(text, ","); got != tt.steps {
			t.Errorf("%v %s: rank %d takes %d steps; expected %d", tt.op, tt.name, tt.rank, got, tt.steps)
		}
	}
}

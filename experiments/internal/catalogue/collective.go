package catalogue

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// algorithmDoc is one algorithm of workloads/collective in a line. The table of
// docs/models/collectives.md says the same, which a test sees to.
type algorithmDoc struct {
	operations []workloads.Collective
	name       string
	how        string
	source     string
}

var algorithmDocs = []algorithmDoc{
	{[]workloads.Collective{workloads.Barrier}, "dissemination", "ceil(log2 P) rounds; in round i, r signals r + 2^i", "[Hensgen1988]"},
	{[]workloads.Collective{workloads.Barrier}, "tree", "reports up a binomial tree, release down", "[Thakur2005]"},
	{[]workloads.Collective{workloads.Barrier}, "linear", "all report to rank 0, which releases all in rank order", "Open MPI"},
	{[]workloads.Collective{workloads.Bcast}, "binomial", "tree; ceil(log2 P) messages in a row", "[Thakur2005]"},
	{[]workloads.Collective{workloads.Bcast}, "chain", "pipeline along all ranks in segments of 128 KiB; chain:8192 for segments of 8192 B", "Open MPI"},
	{[]workloads.Collective{workloads.Bcast}, "flat", "root to each in rank order", "[MPI4]"},
	{[]workloads.Collective{workloads.Bcast}, "scatter-allgather", "pieces along a tree, then round a ring", "[Thakur2005], [Barnett1994]"},
	{[]workloads.Collective{workloads.Reduce}, "binomial", "the tree backwards", "[Thakur2005]"},
	{[]workloads.Collective{workloads.Reduce}, "flat", "each to the root, in rank order", "[MPI4]"},
	{[]workloads.Collective{workloads.Allreduce}, "rabenseifner", "recursive halving, then doubling", "[Rabenseifner2004]"},
	{[]workloads.Collective{workloads.Allreduce}, "recursive-doubling", "exchange all at distance 1, 2, 4, ...", "[Thakur2005]"},
	{[]workloads.Collective{workloads.Allreduce}, "reduce-bcast", "both along the binomial tree", "[MPI4]"},
	{[]workloads.Collective{workloads.Allreduce}, "ring", "pieces go round twice", "[Patarasu2009]"},
	{[]workloads.Collective{workloads.Gather, workloads.Scatter}, "binomial", "tree, subtrees in one message", "[Thakur2005]"},
	{[]workloads.Collective{workloads.Gather, workloads.Scatter}, "flat", "root and each other rank, in rank order", "[MPI4]"},
	{[]workloads.Collective{workloads.Allgather}, "bruck", "ceil(log2 P) rounds for any P", "[Bruck1997]"},
	{[]workloads.Collective{workloads.Allgather}, "recursive-doubling", "exchange all at distance 1, 2, 4, ...", "[Thakur2005]"},
	{[]workloads.Collective{workloads.Allgather}, "ring", "blocks go round, P - 1 rounds", "[Thakur2005]"},
	{[]workloads.Collective{workloads.ReduceScatter}, "pairwise", "in round i, r sends to r + i", "[Thakur2005]"},
	{[]workloads.Collective{workloads.ReduceScatter}, "recursive-halving", "halves at distance P/2, P/4, ... 1", "[Thakur2005]"},
	{[]workloads.Collective{workloads.ReduceScatter}, "ring", "blocks go round and collect contributions", "[Patarasu2009]"},
	{[]workloads.Collective{workloads.Alltoall}, "bruck", "ceil(log2 P) rounds, blocks travel by powers of two", "[Bruck1997]"},
	{[]workloads.Collective{workloads.Alltoall}, "linear", "all receives, all sends, wait for all", "Open MPI"},
	{[]workloads.Collective{workloads.Alltoall}, "pairwise", "in round i, r sends to r + i and receives from r - i", "[Thakur2005]"},
	{[]workloads.Collective{workloads.Scan}, "linear", "along the ranks", "[MPI4]"},
	{[]workloads.Collective{workloads.Scan}, "recursive-doubling", "in round i, r sends to r + 2^i", "[KoggeStone1973], [Hillis1986]"},
}

func describeCollective(op workloads.Collective) *input.Description {
	t := input.DataTable{Title: "algorithms", Columns: []string{"algorithm", "how"}}
	for _, a := range algorithmDocs {
		if slices.Contains(a.operations, op) {
			t.Rows = append(t.Rows, []string{a.name, a.how + "; " + a.source})
		}
	}
	return &input.Description{Kind: "collective", Name: op.String(), Tables: []input.DataTable{t},
		Facts: []input.Parameter{
			{Name: "algorithms", Value: input.List(collective.Names(op))},
			{Name: "as an MPI library chooses", Value: input.List(collective.RulesNames())},
			{Name: "measured cost", Value: "{base, per_process, per_byte}"},
		}}
}

// describeAlgorithm describes an algorithm for collective operations, or the rules
// of an MPI library by which one is chosen; nil if there is none of this name.
func describeAlgorithm(name string) *input.Description {
	if slices.Contains(collective.RulesNames(), name) {
		return &input.Description{Kind: "rules", Name: name, Title: "rules that choose an algorithm for each collective call, by the number of processes and the size",
			Facts: []input.Parameter{{Name: "in a scenario", Value: fmt.Sprintf("workload: {..., bcast: %s}", name)}}}
	}
	t := input.DataTable{Title: "collective operations", Columns: []string{"operation", "how"}}
	for _, a := range algorithmDocs {
		if a.name == name {
			for _, op := range a.operations {
				t.Rows = append(t.Rows, []string{op.String(), a.how + "; " + a.source})
			}
		}
	}
	if t.Rows == nil {
		return nil
	}
	return &input.Description{Kind: "algorithm", Name: name, Title: "an algorithm for collective operations",
		Tables: []input.DataTable{t}}
}

package collective_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestRulesFirstMatchWins(t *testing.T) {
	rules := collective.NewRules("test", []collective.Rule{
		{Operation: workloads.Bcast, MaxProcesses: 4, MaxBytes: 100, Algorithm: "flat"},
		{Operation: workloads.Allgather, MaxProcesses: 8, MaxBytes: collective.AnyBytes, PowerOfTwo: true, Algorithm: "recursive-doubling"},
		{Operation: workloads.Bcast, MaxProcesses: collective.AnyProcesses, MaxBytes: 100, Algorithm: "binomial"},
		{Operation: workloads.Bcast, MaxProcesses: 4, MaxBytes: collective.AnyBytes, Algorithm: "chain:10"},
		unlimited(workloads.Bcast, "scatter-allgather"),
		unlimited(workloads.Allgather, "ring"),
	})
	for _, tt := range []struct {
		op   workloads.Collective
		p    int
		size units.Bytes
		want string
	}{
		{workloads.Bcast, 4, 100, "flat"},
		{workloads.Bcast, 1, 0, "flat"},
		{workloads.Bcast, 5, 100, "binomial"},
		{workloads.Bcast, 4, 100.5, "chain:10"},
		{workloads.Bcast, 5, 101, "scatter-allgather"},
		{workloads.Allgather, 8, 1e9, "recursive-doubling"},
		{workloads.Allgather, 7, 1e9, "ring"},
		{workloads.Allgather, 16, 1e9, "ring"},
	} {
		expect.Equal(t, rules.Choose(tt.op, collective.Call{Size: tt.p}, tt.size).Name(), tt.want, "%v among %d of %v", tt.op, tt.p, tt.size)
	}
	expect.That(t, rules.Name() == "test" && rules.Covers(workloads.Bcast) && !rules.Covers(workloads.Scan) &&
		!rules.Covers(200),
		"rules %s cover bcast %t, scan %t", rules.Name(), rules.Covers(workloads.Bcast), rules.Covers(workloads.Scan))
}

// The last rule of each operation is without limits and is the only one.
func TestTablesAnswerEveryCall(t *testing.T) {
	for name, table := range collective.Tables {
		ended := map[workloads.Collective]bool{}
		for i, r := range table {
			expect.That(t, r.Operation >= workloads.Barrier && r.Operation <= workloads.Scan && r.MaxProcesses >= 1 &&
				r.MaxBytes >= 0, "%s: rule %d, %+v, is for no call", name, i, r)
			expect.That(t, !ended[r.Operation], "%s: rule %d for %v is never reached", name, i, r.Operation)
			ended[r.Operation] = r.MaxProcesses >= collective.AnyProcesses && r.MaxBytes >= collective.AnyBytes && !r.PowerOfTwo
		}
		for op, end := range ended {
			expect.That(t, end, "%s: the last rule for %v has limits", name, op)
		}
	}
}

func TestDecisiveSize(t *testing.T) {
	for _, tt := range []struct {
		op   workloads.Collective
		want units.Bytes // of 3200 among 4
	}{
		{workloads.Barrier, 3200},
		{workloads.Bcast, 3200},
		{workloads.Gather, 800},
		{workloads.Scatter, 800},
		{workloads.Allgather, 3200},
		{workloads.Alltoall, 200},
		{workloads.ReduceScatter, 3200},
	} {
		expect.Equal(t, collective.DecisiveSize(tt.op, 4, 3200), tt.want, "%v", tt.op)
	}
}

func TestLookupRules(t *testing.T) {
	names := collective.RulesNames()
	expect.List(t, names, []string{"mpich", "openmpi", "tuned"}, "rules")
	for _, name := range names {
		rules, err := collective.LookupRules(name)
		expect.Need(t, err == nil && rules.Name() == name, "lookup of %q gives %v, %v", name, rules, err)
		for op := workloads.Barrier; op <= workloads.Scan; op++ {
			expect.That(t, rules.Covers(op), "rules %s have nothing for %v", name, op)
		}
	}
	_, err := collective.LookupRules("mvapich")
	expect.Outcome(t, err, `unknown rules "mvapich"; known: mpich, openmpi`)
}

// TestPresets has both sides of the thresholds. Sizes are those of all blocks.
func TestPresets(t *testing.T) {
	for _, tt := range []struct {
		rules string
		op    workloads.Collective
		p     int
		size  units.Bytes
		want  string
	}{
		{"mpich", workloads.Barrier, 100, 0, "dissemination"},
		{"mpich", workloads.Bcast, 7, 1e6, "binomial"},
		{"mpich", workloads.Bcast, 8, 12287, "binomial"},
		{"mpich", workloads.Bcast, 8, 12288, "scatter-allgather"},
		{"mpich", workloads.Allreduce, 9, 2048, "recursive-doubling"},
		{"mpich", workloads.Allreduce, 9, 2049, "rabenseifner"},
		{"mpich", workloads.Allgather, 16, 524287, "recursive-doubling"},
		{"mpich", workloads.Allgather, 16, 524288, "ring"},
		{"mpich", workloads.Allgather, 17, 81919, "bruck"},
		{"mpich", workloads.Allgather, 17, 81920, "ring"},
		{"mpich", workloads.Alltoall, 7, 7 * 7 * 256, "linear"},
		{"mpich", workloads.Alltoall, 8, 8 * 8 * 256, "bruck"},
		{"mpich", workloads.Alltoall, 8, 8 * 8 * 257, "linear"},
		{"mpich", workloads.Alltoall, 8, 8 * 8 * 32769, "pairwise"},
		{"mpich", workloads.ReduceScatter, 8, 524287, "recursive-halving"},
		{"mpich", workloads.ReduceScatter, 8, 524288, "pairwise"},

		{"openmpi", workloads.Reduce, 7, 511, "flat"},
		{"openmpi", workloads.Reduce, 8, 511, "binomial"},
		{"openmpi", workloads.Gather, 10, 10 * 8, "flat"},
		{"openmpi", workloads.Gather, 11, 11 * 1023, "binomial"},
		{"openmpi", workloads.Gather, 11, 11 * 1024, "flat"},
		{"openmpi", workloads.Gather, 61, 61 * 6000, "binomial"},
		{"openmpi", workloads.Gather, 61, 61 * 6001, "flat"},
		{"openmpi", workloads.Scatter, 10, 10 * 8, "flat"},
		{"openmpi", workloads.Scatter, 11, 11 * 299, "binomial"},
		{"openmpi", workloads.Scatter, 11, 11 * 300, "flat"},
		{"openmpi", workloads.Allreduce, 64, 9999, "recursive-doubling"},
		{"openmpi", workloads.Allreduce, 64, 10000, "ring"},
		{"openmpi", workloads.Allgather, 64, 49999, "recursive-doubling"},
		{"openmpi", workloads.Allgather, 63, 49999, "bruck"},
		{"openmpi", workloads.Allgather, 64, 50000, "ring"},
		{"openmpi", workloads.Alltoall, 2, 4, "pairwise"},
		{"openmpi", workloads.Alltoall, 12, 12 * 12 * 199, "linear"},
		{"openmpi", workloads.Alltoall, 13, 13 * 13 * 199, "bruck"},
		{"openmpi", workloads.Alltoall, 13, 13 * 13 * 200, "linear"},
		{"openmpi", workloads.Alltoall, 13, 13 * 13 * 3000, "pairwise"},
		{"openmpi", workloads.Bcast, 64, 2047, "binomial"},
		{"openmpi", workloads.Bcast, 64, 370727, "scatter-allgather"},
		// 2 < 1.6134e-6*370728 + 2.1102 for any m.
		{"openmpi", workloads.Bcast, 2, 370728, "chain"},
		// 8 = 1.6134e-6 m + 2.1102 at m = 3650551.6.
		{"openmpi", workloads.Bcast, 8, 3650551, "scatter-allgather"},
		{"openmpi", workloads.Bcast, 8, 3650552, "chain"},
		// 64 = 3.2118e-6 m + 8.7936 at m = 17188617.0; 2.3679e-6 m + 1.1787 at
		// 26530385.6; 1.6134e-6 m + 2.1102 at 38359861.2.
		{"openmpi", workloads.Bcast, 64, 17188000, "chain:8192"},
		{"openmpi", workloads.Bcast, 64, 17189000, "chain:16384"},
		{"openmpi", workloads.Bcast, 64, 26530000, "chain:16384"},
		{"openmpi", workloads.Bcast, 64, 26531000, "chain:65536"},
		{"openmpi", workloads.Bcast, 64, 38359000, "chain:65536"},
		{"openmpi", workloads.Bcast, 64, 38361000, "chain"},
		{"openmpi", workloads.Bcast, 100000, 1e9, "chain:8192"}, // as 4096: up to 1.27e9
		{"openmpi", workloads.ReduceScatter, 15, 12 << 10, "recursive-halving"},
		{"openmpi", workloads.ReduceScatter, 15, 12<<10 + 1, "ring"},
		{"openmpi", workloads.ReduceScatter, 16, 256 << 10, "recursive-halving"},
		{"openmpi", workloads.ReduceScatter, 16, 256<<10 + 1, "ring"},
		// 1000 counts as 1024, and (1024-8)/0.0012 = 846666.7.
		{"openmpi", workloads.ReduceScatter, 1000, 846666, "recursive-halving"},
		{"openmpi", workloads.ReduceScatter, 1000, 846667, "ring"},
		{"openmpi", workloads.Scan, 10, 10, "linear"},
	} {
		rules := expect.Value(collective.LookupRules(tt.rules))(t)
		expect.Equal(t, rules.Choose(tt.op, collective.Call{Size: tt.p}, tt.size).Name(), tt.want,
			"%s, %v among %d, %v", tt.rules, tt.op, tt.p, tt.size)
	}
}

// TestNextByRules: with rules, operations are those of the algorithm that rules choose
// by the size of all blocks together: 3 blocks of 30000 are above 81920.
func TestNextByRules(t *testing.T) {
	rules := expect.Value(collective.LookupRules("mpich"))(t)
	for _, tt := range []struct {
		op     workloads.Collective
		blocks collective.Blocks
		want   string
	}{
		{workloads.Allgather, collective.Uniform(3, 27000), "bruck"},
		{workloads.Allgather, collective.Uniform(3, 30000), "ring"},
		{workloads.Allreduce, collective.Uniform(1, 5000), "rabenseifner"},
		{workloads.Barrier, nil, "dissemination"},
	} {
		for rank := range 3 {
			c := collective.Call{Size: 3}
			want := sequence(collective.Choice{Operation: tt.op, Algorithm: lookup(t, tt.op, tt.want)}, c, tt.blocks, 1, rank)
			got := sequence(collective.Choice{Operation: tt.op, Rules: rules}, c, tt.blocks, 1, rank)
			diff := cmp.Diff(want, got)
			expect.That(t, diff == "", "%v, rank %d: operations differ (-%s +by rules):\n%s", tt.op, rank, tt.want, diff)
		}
	}
}

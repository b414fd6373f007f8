package collective

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// rule is one line of [Rules]: use the algorithm if none of the limits is
// exceeded.
type rule struct {
	Operation    workloads.Collective
	MaxProcesses int // at least 1; anyProcesses for no limit
	// MaxBytes is at least 0, or anyBytes for no limit. It limits the decisiveSize of a
	// call.
	MaxBytes   units.Bytes
	PowerOfTwo bool   // only if the number of processes is a power of two
	Algorithm  string // a name that Lookup knows for the operation
}

// anyProcesses and anyBytes stand for no limit in a rule.
const (
	anyProcesses             = math.MaxInt32
	anyBytes     units.Bytes = math.MaxFloat64
)

// decisiveSize returns the size that is compared with the limits of a rule, in a call
// among p processes with the given size of all blocks together. As in MPI libraries it
// is what a process gives or gets in a gather or scatter, and what it has for one other
// process in an all-to-all exchange, both on average; for any other operation it is the
// size of all blocks.
func decisiveSize(op workloads.Collective, p int, total units.Bytes) units.Bytes {
	switch op {
	case workloads.Gather, workloads.Scatter, workloads.Alltoall:
		return total / units.Bytes(BlockCount(op, p))
	}
	return total
}

// Rules choose an algorithm for each call by the number of processes and the
// size, as MPI libraries do, or by trying all. They are made by [LookupRules] and do not change.
type Rules struct {
	name   string
	tuned  bool    // these are the rules of tuned.go
	places *Places // places for the tuned rules
	// of holds the rules of each operation, in order; the last one of each has
	// no limits.
	of [workloads.Scan + 1][]decision
}

// decision is a rule with its algorithm looked up.
type decision struct {
	rule
	algorithm Algorithm
}

// newRules returns the rules of a table of this package, in which the first rule that
// matches a call decides. The last rule for each operation, and no other, has no limits
// (a test checks this), so there is an answer for every call. [Choice] must not use
// rules for an operation without rules.
func newRules(name string, table []rule) *Rules {
	r := &Rules{name: name}
	for _, rule := range table {
		a, err := Lookup(rule.Operation, rule.Algorithm)
		if err != nil {
			panic("collective: " + err.Error())
		}
		r.of[rule.Operation] = append(r.of[rule.Operation], decision{rule, a})
	}
	return r
}

func (r rule) matches(p int, size units.Bytes) bool {
	return p <= r.MaxProcesses && size <= r.MaxBytes && !(r.PowerOfTwo && p&(p-1) != 0)
}

// Name returns the name of the rules, as "mpich".
func (r *Rules) Name() string { return r.name }

// Covers tells whether there are rules for op.
func (r *Rules) Covers(op workloads.Collective) bool {
	return int(op) < len(r.of) && (r.tuned || len(r.of[op]) > 0)
}

// Choose returns the algorithm for a call of op with the given size of all blocks together. The
// rules must cover op. Without places, which [Choice.On] gives, "tuned" returns the default.
func (r *Rules) Choose(op workloads.Collective, c Call, total units.Bytes) Algorithm {
	switch {
	case r.tuned && r.places != nil && r.places.Time != nil:
		return r.places.choose(op, c, total)
	case r.tuned:
		return Default(op).Algorithm
	}
	size := decisiveSize(op, c.Size, total)
	rules := r.of[op]
	for i := range rules {
		if rules[i].matches(c.Size, size) {
			return rules[i].algorithm
		}
	}
	// Cannot happen: see the tables and Choice.Validate.
	panic(fmt.Sprintf("collective: rules %s have nothing for %v", r.name, op))
}

// presets are the rules that can be looked up, in alphabetical order.
var presets = sync.OnceValue(func() []*Rules {
	return []*Rules{
		newRules("mpich", mpichRules()),
		newRules("openmpi", openMPIRules()),
		{name: "tuned", tuned: true},
	}
})

// LookupRules returns the preset rules of that name. The error for an unknown
// name lists the known ones.
func LookupRules(name string) (*Rules, error) {
	for _, r := range presets() {
		if r.name == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown rules %q; known: %s", name, strings.Join(RulesNames(), ", "))
}

// RulesNames returns the names of the preset rules in alphabetical order. The
// slice is the caller's.
func RulesNames() []string {
	var names []string
	for _, r := range presets() {
		names = append(names, r.name)
	}
	return names
}

// mpichRules are the defaults of MPICH 3.2 for commutative operations within
// one communicator. The thresholds are the defaults of its control variables
// (MPIR_CVAR_BCAST_SHORT_MSG_SIZE and so on); which algorithm lies on which side
// of them follows [Thakur2005], and is otherwise from memory.
//
// What is different here:
//
//   - Collectives that treat the processes of a node apart, which MPICH uses by
//     default, are not available: these are the rules among all processes.
//   - Broadcasts from 12 KiB to below 512 KiB among a power of two of processes
//     spread the pieces by recursive doubling; the ring of scatter-allgather
//     stands in for it.
//   - Reductions above 2 KiB use a reduce-scatter and a gather; binomial stands in.
//   - MPICH starts at most 32 exchanges of a linear all-to-all at a time.
//   - MPICH uses recursive doubling for an allreduce above 2 KiB with fewer
//     elements than processes; here elements are not known.
func mpichRules() []rule {
	const p, m = anyProcesses, anyBytes
	return []rule{
		{workloads.Barrier, p, m, false, "dissemination"},
		{workloads.Bcast, 7, m, false, "binomial"},
		{workloads.Bcast, p, 12288 - 1, false, "binomial"},
		{workloads.Bcast, p, m, false, "scatter-allgather"},
		{workloads.Reduce, p, m, false, "binomial"},
		{workloads.Gather, p, m, false, "binomial"},
		{workloads.Scatter, p, m, false, "binomial"},
		{workloads.Allreduce, p, 2048, false, "recursive-doubling"},
		{workloads.Allreduce, p, m, false, "rabenseifner"},
		{workloads.Allgather, p, 524288 - 1, true, "recursive-doubling"},
		{workloads.Allgather, p, 81920 - 1, false, "bruck"},
		{workloads.Allgather, p, m, false, "ring"},
		{workloads.Alltoall, 7, 32768, false, "linear"},
		{workloads.Alltoall, p, 256, false, "bruck"},
		{workloads.Alltoall, p, 32768, false, "linear"},
		{workloads.Alltoall, p, m, false, "pairwise"},
		{workloads.ReduceScatter, p, 524288 - 1, false, "recursive-halving"},
		{workloads.ReduceScatter, p, m, false, "pairwise"},
		{workloads.Scan, p, m, false, "recursive-doubling"},
	}
}

// openMPIRules are the fixed decision functions of Open MPI before 4.1
// (coll_tuned_decision_fixed.c, which then changed in every threshold) for
// commutative operations. From memory: that these are the releases 1.4 to 4.0,
// and that a scan is the linear one of the basic component.
//
// What is different here:
//
//   - Some boundaries are lines in the plane of processes and bytes: the
//     number of processes P against a m + b. A table has steps instead: P
//     counts as the next power of two, up to 4096, where the steps end.
//   - Not available, with what stands in: the split binary tree of broadcasts
//     (scatter-allgather), the segments and pipelines of reductions (binomial),
//     the linear gather in turns above 6000 bytes (flat), the neighbour exchange
//     of allgathers (ring), the segmented ring of allreduce above 1 MiB for each
//     process (ring), the recursive doubling of barriers among a power of two
//     (dissemination).
//   - Special algorithms for two processes do the same as the ones named here.
//   - Open MPI uses reduce-bcast for an allreduce from 10000 bytes on with at
//     most as many elements as processes; here elements are not known.
//   - An alltoallv is always pairwise there; here it goes by the mean block.
func openMPIRules() []rule {
	const p, m = anyProcesses, anyBytes
	table := []rule{
		{workloads.Barrier, p, m, false, "dissemination"},
		{workloads.Reduce, 7, 512 - 1, false, "flat"},
		{workloads.Reduce, p, m, false, "binomial"},
		{workloads.Gather, 10, m, false, "flat"},
		{workloads.Gather, 60, 1024 - 1, false, "binomial"},
		{workloads.Gather, 60, m, false, "flat"},
		{workloads.Gather, p, 6000, false, "binomial"},
		{workloads.Gather, p, m, false, "flat"},
		{workloads.Scatter, 10, m, false, "flat"},
		{workloads.Scatter, p, 300 - 1, false, "binomial"},
		{workloads.Scatter, p, m, false, "flat"},
		{workloads.Allreduce, p, 10000 - 1, false, "recursive-doubling"},
		{workloads.Allreduce, p, m, false, "ring"},
		{workloads.Allgather, p, 50000 - 1, true, "recursive-doubling"},
		{workloads.Allgather, p, 50000 - 1, false, "bruck"},
		{workloads.Allgather, p, m, false, "ring"},
		{workloads.Alltoall, 2, m, false, "pairwise"},
		{workloads.Alltoall, 12, 3000 - 1, false, "linear"},
		{workloads.Alltoall, p, 200 - 1, false, "bruck"},
		{workloads.Alltoall, p, 3000 - 1, false, "linear"},
		{workloads.Alltoall, p, m, false, "pairwise"},
		{workloads.Scan, p, m, false, "linear"},

		{workloads.Bcast, p, 2048 - 1, false, "binomial"},
		{workloads.Bcast, p, 370728 - 1, false, "scatter-allgather"},
		{workloads.ReduceScatter, p, 12 << 10, false, "recursive-halving"},
		{workloads.ReduceScatter, p, 256 << 10, true, "recursive-halving"},
	}
	// upTo returns the largest m with P >= a m + b: up to it the line has not been
	// crossed.
	upTo := func(processes int, a, b float64) units.Bytes {
		return units.Bytes(max(0, math.Floor((float64(processes)-b)/a)))
	}
	for _, q := range []int{2, 4, 8, 12} {
		table = append(table,
			rule{workloads.Bcast, q, upTo(q, 1.6134e-6, 2.1102), false, "scatter-allgather"},
			rule{workloads.Bcast, q, m, false, "chain"},
		)
	}
	const top = 4096
	for q := 16; q <= top; q *= 2 {
		limit := q
		if q == top {
			limit = anyProcesses
		}
		table = append(table,
			rule{workloads.Bcast, limit, upTo(q, 3.2118e-6, 8.7936), false, "chain:8192"},
			rule{workloads.Bcast, limit, upTo(q, 2.3679e-6, 1.1787), false, "chain:16384"},
			rule{workloads.Bcast, limit, upTo(q, 1.6134e-6, 2.1102), false, "chain:65536"},
			rule{workloads.Bcast, limit, m, false, "chain"},
			rule{workloads.ReduceScatter, limit, upTo(q, 0.0012, 8), false, "recursive-halving"},
			rule{workloads.ReduceScatter, limit, m, false, "ring"},
		)
	}
	return table
}

package collective

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

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
//   - Special algorithms for two processes are what the ones named here do
//     anyway among two.
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
	// upTo returns the largest m with P >= a m + b: below it, the line has not
	// been reached.
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

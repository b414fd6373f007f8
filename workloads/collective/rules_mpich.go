package collective

import "github.com/isoscale/isoscale/workloads"

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

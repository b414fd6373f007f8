// Package throughput answers how much of a mix of jobs a machine can carry: the largest
// multiple of the mix that it gets done in the long run, jobs side by side.
//
// A machine has partitions of equal nodes. A kind of job has a rate, and one or more ways to run: so many
// nodes of a partition for so long. At any time a partition holds a packing: so many jobs of each way as its
// nodes allow. With x[p] the share of the time in which a partition holds packing p, of which there are
// finitely many, the answer is a linear programme:
//
//	maximize    m
//	such that   sum over all p of x[p] count[p][w]/time[w], for the ways w of a kind,
//	            is at least m rate, for each kind
//	            sum of x[p] is at most 1 for each partition
//
// As in the cutting stock problem of [GilmoreGomory1961] its packings are generated as they are needed: from
// the value of a run of each kind, a knapsack problem for each partition gives the packing that is worth
// most. When none is worth more than those that are known, the answer is exact.
//
// # What it is not
//
// It is a bound for the long run: time is divided at will, and jobs always wait. A queue
// with random arrivals carries less, see package batchqueue. Memory, networks and deadlines
// do not appear: what a way needs is its nodes and its time.
//
// Layer: under experiments; imports model/units and gonum. Determinism: a pure function of its arguments;
// last bits may differ between types of processor, because gonum's kernels do.
package throughput

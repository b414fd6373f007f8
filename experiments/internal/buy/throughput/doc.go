// Package throughput answers how much of a mix of jobs a machine can carry: the largest multiple of the mix that it
// gets done in the long run, with jobs side by side.
//
// A machine has partitions of equal nodes. A kind of job has a rate, and one or more ways to run: some nodes of a
// partition for some time. At any time a partition holds a packing: some jobs of each way, as many as fit on its nodes.
// There are finitely many packings. With x[p] the share of the time in which a partition holds packing p, the answer is
// a linear program:
//
//	maximize    m
//	such that   sum over all p of x[p] count[p][w]/time[w], for the ways w of a kind,
//	            is at least m rate, for each kind
//	            sum of x[p] is at most 1 for each partition
//
// As in the cutting stock problem of [GilmoreGomory1961], packings are generated as they are needed: given the value of
// a run of each kind, a knapsack problem for each partition finds the most valuable packing. When none is worth more
// than the known ones, the answer is exact.
//
// # Certificate
//
// Every answer is certified, however it was found. Shares that are at least 0 and add up to at most 1, if need be after
// division by their sum, give a lower bound of m: what they carry. Values v[k] of the kinds that are at least 0 give an
// upper bound by duality, over all packings and not only the known ones:
//
//	m <= sum over the partitions of the most that a packing is worth / sum of v[k] rate[k]
//
// Both are ratios of sums of numbers that are at least 0, so rounding costs no digits. A plan is returned only if they
// agree to 1e-9. If the floating-point results do not agree, or the simplex algorithm does not end, it is repeated with
// rational numbers by the rule of [Bland1977], which cannot fail.
//
// Numbers are scaled to lie between 0 and 1: the time that the mix needs of each kind alone, and what a packing does of
// a kind relative to all nodes working on it. Rates may differ by factors of 1e100.
//
// # What it is not
//
// It is a bound for the long run: time can be divided at will, and jobs are always waiting. A queue with random
// arrivals carries less, see package batchqueue. Memory, networks and deadlines do not appear: a way needs its nodes
// and its time.
//
// Determinism: a pure function of its arguments, with the same bits on every processor.
package throughput

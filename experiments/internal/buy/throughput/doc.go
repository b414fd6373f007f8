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
// # Certificate
//
// Every answer is certified, whatever found it. Shares that are at least 0 and add up to at most 1, after
// division by their sum where it is more, carry what they carry, a lower bound of m. Values v[k] of the kinds
// that are at least 0 give an upper bound by duality, for all packings and not for the known ones alone:
//
//	m <= sum over the partitions of the most that a packing is worth / sum of v[k] rate[k]
//
// Both are ratios of sums of numbers that are at least 0, so that rounding costs no digits. A plan is returned
// only if they agree to 1e-9. Where shares and values of floating-point numbers do not, or the simplex
// algorithm has not ended, it is carried out with whole numbers, by the rule of [Bland1977], which cannot fail.
//
// Numbers are scaled to be between 0 and 1: the time that the mix needs of each kind alone, and what a packing
// does of a kind relative to all nodes at it. Rates may be 1e100 times as large or small as others.
//
// # What it is not
//
// It is a bound for the long run: time is divided at will, and jobs always wait. A queue
// with random arrivals carries less, see package batchqueue. Memory, networks and deadlines
// do not appear: what a way needs is its nodes and its time.
//
// Layer: under experiments; imports model/units. Determinism: a pure function of its arguments, with the same
// bits on every processor.
package throughput

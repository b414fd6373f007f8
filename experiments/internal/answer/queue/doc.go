// Package queue simulates how long jobs wait on a machine: the jobs in a log of a batch
// system, or those of a mix, which arrive at random.
//
// [Run] reads the file, lets package batchqueue start the jobs, and returns the figures
// that centres ask for, for all jobs and by group: the kinds of a mix, or the sizes of
// the jobs in a log.
//
// What it is not: it makes no decision about a purchase, and does not simulate what jobs
// do; their run times are given.
//
// Layer. Under experiments; imports input, page, report, scenario, schema, yamldoc,
// batchqueue and workloads/swf.
package queue

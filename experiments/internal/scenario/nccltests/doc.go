// Package nccltests reads what nccl-tests print about a collective operation, and turns it into times of calls.
//
// What it is. [File] is the format of their output, a [Table] the times of an operation by group and size.
//
// What it is not. It reads no other output of a job: lines that begin with neither a number nor # are ignored.
//
// Layer. Under experiments; imports document, yamldoc, workloads/collective.
package nccltests

// Package nccltests reads what nccl-tests print of a collective operation, and makes of it the times of calls.
//
// What it is. [File] is the form of their output, a [Table] the times of an operation by group and size.
//
// What it is not. It reads no other output of a job: lines that begin neither with a number nor with # do not count.
//
// Layer. Under experiments; imports document, yamldoc, workloads/collective.
package nccltests

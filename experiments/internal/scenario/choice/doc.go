// Package choice reads how files say that a collective operation is carried out: the
// name of an algorithm, the name of an MPI library whose rules choose one, or a mapping
// with a measured cost.
//
// Layer. Under experiments; imports schema, yamldoc and workloads/collective.
package choice

package smpi

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Call is a collective operation among all ranks as one of them states it. Ranks must
// agree about everything but Rank, except where MPI permits different counts.
//
// Counts are in elements of a datatype, because the messages of an algorithm may depend
// on whole elements; they are at least 0 and, as in MPI, have 31 bits. The size of an
// element is a whole number of bytes, at least 1. Which fields matter:
//
//	Barrier                          none
//	Bcast, Reduce, Allreduce, Scan   SendCount, SendElement
//	Gather, Scatter,
//	Allgather, Alltoall              SendCount, RecvCount, SendElement, RecvElement
//	Gatherv, Allgatherv              SendCount, RecvCounts, both elements
//	Scatterv                         SendCounts, RecvCount, both elements
//	Alltoallv                        SendCounts, RecvCounts, both elements
//	ReduceScatter                    RecvCounts, SendElement
type Call struct {
	Operation Operation
	Ranks     int // in all, at least 1
	Rank      int // this one
	Root      int // of Bcast, Reduce, Gather, Gatherv, Scatter, Scatterv; otherwise 0

	SendCount, RecvCount     int64
	SendElement, RecvElement units.Bytes
	// SendCounts and RecvCounts have one count for each rank. The sequence of the call
	// keeps the slices, which must not change before its end.
	SendCounts, RecvCounts []int64
	// Displacements are those of the received blocks of an Allgatherv, in elements; nil
	// stands for zeros, as in a trace without them. Only the algorithm GB uses them.
	Displacements []int64
}

// Operation is a collective operation of a trace.
type Operation uint8

// The collective operations that SMPI's replay knows. All but the last four have
// a choice of algorithms.
const (
	Barrier Operation = iota + 1
	Bcast
	Reduce
	Allreduce
	Gather
	Scatter
	Allgather
	Allgatherv
	Alltoall
	Alltoallv
	ReduceScatter
	Gatherv
	Scatterv
	Scan
	Exscan
)

// operationNames holds the names by which SMPI's configuration calls the
// operations.
var operationNames = [...]string{
	Barrier:       "barrier",
	Bcast:         "bcast",
	Reduce:        "reduce",
	Allreduce:     "allreduce",
	Gather:        "gather",
	Scatter:       "scatter",
	Allgather:     "allgather",
	Allgatherv:    "allgatherv",
	Alltoall:      "alltoall",
	Alltoallv:     "alltoallv",
	ReduceScatter: "reduce_scatter",
	Gatherv:       "gatherv",
	Scatterv:      "scatterv",
	Scan:          "scan",
	Exscan:        "exscan",
}

// String returns the name of the operation in SMPI's configuration, as
// "reduce_scatter".
func (o Operation) String() string { return operationNames[o] }

// collective returns the operation of package workloads that this one is a variant of.
func (o Operation) collective() workloads.Collective {
	return [...]workloads.Collective{
		Barrier: workloads.Barrier, Bcast: workloads.Bcast, Reduce: workloads.Reduce, Allreduce: workloads.Allreduce,
		Gather: workloads.Gather, Scatter: workloads.Scatter, Allgather: workloads.Allgather,
		Allgatherv: workloads.Allgather, Alltoall: workloads.Alltoall, Alltoallv: workloads.Alltoall,
		ReduceScatter: workloads.ReduceScatter, Gatherv: workloads.Gather, Scatterv: workloads.Scatter,
		Scan: workloads.Scan, Exscan: workloads.Scan,
	}[o]
}

// Rooted reports whether a call has a root.
func (o Operation) Rooted() bool {
	switch o {
	case Bcast, Reduce, Gather, Scatter, Gatherv, Scatterv:
		return true
	}
	return false
}

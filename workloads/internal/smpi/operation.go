package smpi

import "fmt"

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
func (o Operation) String() string {
	if !o.known() {
		return fmt.Sprintf("Operation(%d)", uint8(o))
	}
	return operationNames[o]
}

func (o Operation) known() bool { return o >= Barrier && o <= Exscan }

// rooted tells whether the operation has a root.
func (o Operation) rooted() bool {
	switch o {
	case Bcast, Reduce, Gather, Scatter, Gatherv, Scatterv:
		return true
	}
	return false
}

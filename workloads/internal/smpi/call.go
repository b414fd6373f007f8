package smpi

import (
	"errors"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Call is a collective operation among all ranks as one of them states it. Ranks must
// agree about everything but Rank, except where MPI permits different counts.
//
// Counts are in elements of a datatype, because the messages of an algorithm may depend
// on whole elements. The size of an element is a whole number of bytes. Which fields
// matter:
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

// maxCount is the largest count of elements that MPI can state.
const maxCount = math.MaxInt32

// Validate reports everything that is wrong with the call.
func (c *Call) Validate() error {
	if !c.Operation.known() {
		return fmt.Errorf("call: unknown operation %v", c.Operation)
	}
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("%v: "+format, append([]any{c.Operation}, args...)...))
	}
	count := func(what string, n int64) {
		if n < 0 || n > maxCount {
			bad("%s is %d; expected 0 to %d", what, n, maxCount)
		}
	}
	counts := func(what string, list []int64) {
		if len(list) != c.Ranks {
			bad("%d %s for %d ranks", len(list), what, c.Ranks)
			return
		}
		for i, n := range list {
			if n < 0 || n > maxCount {
				bad("%s of rank %d is %d; expected 0 to %d", what, i, n, maxCount)
				return
			}
		}
	}
	element := func(what string, size units.Bytes) {
		if !(size >= 1 && size <= maxCount) || size != units.Bytes(math.Trunc(float64(size))) {
			bad("size of %s is %v byte; expected a whole number, at least 1", what, float64(size))
		}
	}
	if c.Ranks < 1 || c.Ranks > math.MaxInt32 {
		bad("%d ranks; expected at least 1", c.Ranks)
	}
	if c.Rank < 0 || c.Rank >= max(1, c.Ranks) {
		bad("rank is %d; expected one of %d", c.Rank, c.Ranks)
	}
	if c.Root < 0 || c.Root >= max(1, c.Ranks) {
		bad("root is %d; expected one of %d ranks", c.Root, c.Ranks)
	} else if c.Root != 0 && !c.Operation.rooted() {
		bad("root is %d; expected 0, as there is none", c.Root)
	}
	switch c.Operation {
	case Barrier:
		return errors.Join(problems...)
	case Alltoallv:
		counts("counts to send", c.SendCounts)
		counts("counts to receive", c.RecvCounts)
	case Scatterv:
		counts("counts to send", c.SendCounts)
		count("count to receive", c.RecvCount)
	case Gatherv, Allgatherv:
		count("count to send", c.SendCount)
		counts("counts to receive", c.RecvCounts)
	case ReduceScatter:
		counts("counts to receive", c.RecvCounts)
	case Bcast, Reduce, Allreduce, Scan, Exscan:
		count("count", c.SendCount)
	default:
		count("count to send", c.SendCount)
		count("count to receive", c.RecvCount)
	}
	element("an element sent", c.SendElement)
	switch c.Operation {
	case Gather, Scatter, Allgather, Alltoall, Gatherv, Scatterv, Allgatherv, Alltoallv:
		element("an element received", c.RecvElement)
	}
	if c.Displacements != nil {
		counts("displacements", c.Displacements)
	}
	return errors.Join(problems...)
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
func (o Operation) String() string {
	if !o.known() {
		return fmt.Sprintf("Operation(%d)", uint8(o))
	}
	return operationNames[o]
}

func (o Operation) known() bool { return o >= Barrier && o <= Exscan }

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

func (o Operation) rooted() bool {
	switch o {
	case Bcast, Reduce, Gather, Scatter, Gatherv, Scatterv:
		return true
	}
	return false
}

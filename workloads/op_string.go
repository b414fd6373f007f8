package workloads

import "fmt"

// kindNames holds the names of the kinds, those of MPI without its prefix.
var kindNames = [...]string{
	Compute:  "compute",
	Delay:    "delay",
	Send:     "send",
	Isend:    "isend",
	Recv:     "recv",
	Irecv:    "irecv",
	Sendrecv: "sendrecv",
	Wait:     "wait",
	Waitall:  "waitall",
	Test:     "test",
	Measured: "measured",
	Trigger:  "trigger",
	Await:    "await",
	Probe:    "probe",
	Iprobe:   "iprobe",
}

// String returns the name of the kind in lower case, as "irecv".
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// collectiveNames holds the names of the collective operations, those of MPI
// without its prefix.
var collectiveNames = [...]string{
	Barrier:       "barrier",
	Bcast:         "bcast",
	Reduce:        "reduce",
	Gather:        "gather",
	Scatter:       "scatter",
	Allreduce:     "allreduce",
	Allgather:     "allgather",
	Alltoall:      "alltoall",
	ReduceScatter: "reducescatter",
	Scan:          "scan",
}

// String returns the name of the operation in lower case, as "bcast".
func (c Collective) String() string {
	if c == 0 || int(c) >= len(collectiveNames) {
		return fmt.Sprintf("Collective(%d)", uint8(c))
	}
	return collectiveNames[c]
}

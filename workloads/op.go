package workloads

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Kind tells what an [Op] does.
type Kind uint8

// The operations of a rank. The names of the message operations are those of
// MPI, and so is their meaning.
const (
	// Compute performs Work on the rank's core, and moves Size bytes between the
	// core and the memory of its node while it does.
	Compute Kind = iota + 1
	// Delay spends Time on the rank's core on something that is not the algorithm's
	// work, such as starting a process. It counts as overhead.
	Delay
	// Send passes Size bytes with Tag to rank Peer and returns when the
	// caller may reuse its buffer: after the send overhead for an eager
	// message; for a rendezvous message when the data have left or, if cores
	// handle messages, when the receiver has matched it.
	Send
	// Isend starts a Send and names it Request.
	Isend
	// Recv waits for a message from Peer (or AnySource) with Tag (or AnyTag).
	Recv
	// Irecv starts a Recv and names it Request.
	Irecv
	// Sendrecv starts a send of Size bytes to Peer and a receive from From (or
	// AnySource), both with Tag, and waits for both; as in MPI_Sendrecv, neither blocks
	// the other.
	Sendrecv
	// Wait waits for the Request of an earlier Isend, Irecv or Begin.
	Wait
	// Waitall waits for all open requests of the rank whose names are at least Request;
	// 0 means all.
	Waitall
	// Test asks whether the Request of an earlier Isend or Irecv is done, and goes on
	// whatever the answer. The request stays open; if it was found done, a Wait for it
	// returns at once.
	Test
	// Measured is a collective call whose cost is given, not simulated: see Collective
	// for who waits for whom. Peer is the root, counted among all ranks. The call costs
	// Time from the entry of its last indispensable participant on.
	//
	// All ranks take part if Group is 0. Otherwise Group is the number of the group of
	// ranks that take part, and Members the number of its ranks. All ranks of a group
	// must state the same Group and Members in every call, and no two groups of a
	// program may have the same number. The ranks of a group make its calls in the same
	// order.
	Measured
	// Trigger makes the event with number Request happen, if it has not happened yet.
	Trigger
	// Await waits until the event with number Request has happened.
	Await
	// Probe waits until there is a message that a Recv from Peer (or AnySource) with
	// Tag (or AnyTag) would take, and leaves it there. The program is told of it as of
	// a received message (sim.Listener).
	Probe
	// Iprobe asks whether there is such a message, and goes on whatever the answer; it
	// takes as long as a Test. The program is told of the message if there is one.
	Iprobe
	// Begin gives stream Peer of the rank, from 1, its next piece of work, and names it
	// Request: a Wait for it ends with the piece. See package sim for streams.
	Begin
)

// AnySource and AnyTag are the wildcards of Recv and Irecv; AnySource is also
// that of the receive in a Sendrecv.
const (
	AnySource int32 = -1
	AnyTag    int32 = -1
)

// FromProcess is the source of messages from a process of the simulation instead of a
// rank.
const FromProcess int32 = -2

// CollectiveTag and tags above it mark the messages of collective operations,
// which AnyTag does not match. Tags of a workload's own messages are smaller.
const CollectiveTag int32 = 1 << 30

// Collective is the operation that a Measured call stands for. It decides who waits for
// whom, as in MPI. In a Bcast or Scatter all wait for the root, which does not wait; in
// a Reduce or Gather only the root waits, for all others; in Barrier, Allreduce,
// Allgather, Alltoall, ReduceScatter and Scan every rank waits for all others. (In MPI
// a rank of a Scan may leave once the ranks before it have entered.)
type Collective uint8

// The collective operations.
const (
	Barrier Collective = iota + 1
	Bcast
	Reduce
	Gather
	Scatter
	Allreduce
	Allgather
	Alltoall
	ReduceScatter
	Scan
)

// Op is one operation of one rank. Which fields matter depends on Kind.
type Op struct {
	Kind       Kind
	Collective Collective    // Measured: what it stands for; other operations: the collective call that they are part of, if any
	First      bool          // the collective call begins with this operation
	Peer       int32         // Send, Recv, Probe: the other rank; Sendrecv: the rank sent to; Measured: the root, among all ranks
	From       int32         // Sendrecv: the rank received from, or AnySource
	Tag        int32         // Send, Recv, Sendrecv, Probe: at least 0; that of a Recv or a Probe may be AnyTag
	Request    int32         // Isend, Irecv, Wait, Test: name among the rank's open requests, at least 0; Waitall: the lowest name; Trigger, Await: number of the event
	Group      int32         // Measured, and other operations of a collective call: number of the group, at least 1; 0 for all ranks
	Members    int32         // Measured: size of the group; 0 for all ranks
	Place      int32         // where it is written, as a number from 1 that sim.Placer explains; 0: unknown
	Size       units.Bytes   // Send, Recv, Sendrecv: payload sent, at least 0; a Recv's is the room for a message that is not of a collective operation, 0 for any. Compute: memory traffic, at least 0
	Work       units.Flops   // Compute: at least 0
	Time       units.Seconds // Delay, Measured: at least 0
}

// Program is what the engine runs: a number of ranks, each a stream of
// operations produced on demand.
//
// Implementations must allow concurrent calls of Next for different ranks, must keep
// the state of each rank separate, and may depend only on their parameters and, if they
// listen to the engine (sim.Listener), on what it tells the rank.
type Program interface {
	// Ranks returns the number of ranks, at least 1.
	Ranks() int
	// Next stores the next operation of rank in *op and reports whether there
	// was one. It must set every field that the kind uses; op arrives zeroed.
	// After the first false it is not called again for that rank.
	Next(rank int, op *Op) bool
}

// InMemory is a program whose computations move BytesPerFlop bytes to and from
// memory for each flop.
type InMemory struct {
	Program
	BytesPerFlop float64 // at least 0
}

var _ Program = InMemory{}

// Unwrap returns the program whose computations these are.
func (m InMemory) Unwrap() Program { return m.Program }

func (m InMemory) Next(rank int, op *Op) bool {
	ok := m.Program.Next(rank, op)
	if ok && op.Kind == Compute {
		op.Size = units.Bytes(float64(op.Work) * m.BytesPerFlop)
	}
	return ok
}

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
	Begin:    "begin",
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

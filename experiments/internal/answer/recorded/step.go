package recorded

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Kind is the kind of a [Step].
type Kind uint8

// The steps of a rank.
const (
	Compute    Kind = iota + 1 // computes for Time
	Delay                      // spends Time, whatever the speed of the core
	Send                       // begins to send Size bytes to Peer with Tag, as Message
	Receive                    // begins to receive from Peer with Tag, as Message
	Wait                       // waits for the send or receive that is Message
	Collective                 // makes a collective call
)

// Step is something that a rank did. Which fields matter depends on Kind.
type Step struct {
	Kind      Kind
	Operation workloads.Collective
	Peer, Tag int32       // of a message, among all ranks
	Group     int32       // of a collective call: index in the groups of the trace
	Root      int32       // of a rooted collective call: number in the group
	Message   uint64      // a name that no other open message of the rank has
	Size      units.Bytes // of a message, or of a block of a collective call
	Time      units.Seconds
}

// Trace has the steps of all ranks. Next may be called for different ranks at the same time.
type Trace interface {
	Ranks() int
	// Groups returns the communicators: the ranks of each, in order.
	Groups() [][]int32
	// Next stores the next step of a rank. After the last the error is io.EOF.
	Next(rank int, s *Step) error
	// Measured returns what the trace says about the run. REQUIRES: all steps have been read.
	Measured() *Measured
	// Close closes files. Next must not be called any more.
	Close() error
}

// FormatError says what is wrong with a file of a trace, and at which byte of its decompressed content.
type FormatError struct {
	File   string
	Offset int64
	What   string
}

func (e *FormatError) Error() string { return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.What) }

// Block returns the size of a block of a collective call among n ranks, as package collective
// counts blocks, from the bytes that a rank sent and received. A bcast has its size as received
// bytes, except for the root, which may have it as sent bytes.
func Block(op workloads.Collective, n int, sent, received units.Bytes) units.Bytes {
	switch op {
	case workloads.Bcast, workloads.Scatter:
		if received == 0 && op == workloads.Bcast {
			return sent
		}
		return received
	case workloads.Allgather, workloads.Alltoall:
		return received / units.Bytes(max(1, n))
	case workloads.ReduceScatter:
		return sent / units.Bytes(max(1, n))
	case workloads.Barrier:
		return 0
	}
	if sent == 0 {
		return received
	}
	return sent
}

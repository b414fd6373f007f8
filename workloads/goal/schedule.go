package goal

import (
	"math"
	"slices"
	"unsafe"
)

// Schedule is the operations of all ranks and their dependencies. It comes
// from Read or from a Builder, is complete and consistent from then on, and
// must not be changed.
//
// Operations are numbered consecutively: those of rank 0 in file order, then those of
// rank 1, and so on. Dependencies are stored as compressed rows, one row for each
// operation, with the operations that wait for it.
type Schedule struct {
	ops        []Op
	first      []int32  // index of the first operation of each rank; one more at the end
	lines      []uint32 // where each operation is in the file; empty without a file
	edgeStart  []uint32 // row of operation i: edges[edgeStart[i]:edgeStart[i+1]]
	edges      []Edge
	cpus, nics int
}

// Ranks is the number of ranks.
func (s *Schedule) Ranks() int { return len(s.first) - 1 }

// CPUs is one more than the largest number of a core: every host has as many.
func (s *Schedule) CPUs() int { return s.cpus }

// NICs is one more than the largest number of a network interface: every host
// has as many.
func (s *Schedule) NICs() int { return s.nics }

// Ops returns all operations. The slice belongs to the schedule.
func (s *Schedule) Ops() []Op { return s.ops }

// Rank returns the range of the operations of a rank: from first up to, but
// without, end.
func (s *Schedule) Rank(rank int) (first, end int32) { return s.first[rank], s.first[rank+1] }

// Dependents returns the operations that wait for operation i, in the order in
// which the dependencies were stated. The slice belongs to the schedule.
func (s *Schedule) Dependents(i int32) []Edge { return s.edges[s.edgeStart[i]:s.edgeStart[i+1]] }

// Line is the line of the file in which operation i is, or 0 if that is not
// known.
func (s *Schedule) Line(i int32) int {
	if int(i) >= len(s.lines) {
		return 0
	}
	return int(s.lines[i])
}

// Equal reports whether both have the same operations and dependencies in the
// same order. Lines may differ.
func (s *Schedule) Equal(t *Schedule) bool {
	return slices.Equal(s.first, t.first) && slices.Equal(s.ops, t.ops) &&
		slices.Equal(s.edgeStart, t.edgeStart) && slices.Equal(s.edges, t.edges)
}

// Shape is the size of a schedule.
type Shape struct {
	Ranks, Ops, Edges int
	CPUs, NICs        int // of each host
}

// Shape returns the size of s.
func (s *Schedule) Shape() Shape {
	return Shape{Ranks: s.Ranks(), Ops: len(s.ops), Edges: len(s.edges), CPUs: s.cpus, NICs: s.nics}
}

// Memory is the number of bytes that a schedule of this size holds: 32 for an
// operation (24 for the Op, 4 each for its line and for its row), 4 for a
// dependency and 4 for a rank. While a file is read, twice as much may be in
// use for a moment, because slices grow by copying.
func (x Shape) Memory() int64 {
	const perOp = int64(unsafe.Sizeof(Op{})) + 4 + 4
	return perOp*int64(x.Ops) + 4*int64(x.Edges) + 4*int64(x.Ranks)
}

// Kind is what an operation does. Operations that become ready together take their
// turns in the order of their kinds.
type Kind uint8

// The kinds of operations: messages, and computation.
const (
	Send Kind = iota + 1
	Recv
	Calc
)

// String returns the keyword of the text form.
func (k Kind) String() string {
	switch k {
	case Send:
		return "send"
	case Recv:
		return "recv"
	case Calc:
		return "calc"
	}
	return "invalid"
}

const (
	// AnySource is the Peer of a receive that takes a message from any rank.
	AnySource int32 = -1
	// AnyTag is the Tag that matches every tag.
	AnyTag uint32 = math.MaxUint32
	// maxSize is the largest size of an operation.
	maxSize uint64 = math.MaxInt64
)

// Op is one operation: 24 bytes.
type Op struct {
	Size uint64 // bytes of a message, nanoseconds of a computation
	Peer int32  // destination of a send, source of a receive or AnySource, 0 for a computation
	Tag  uint32 // of a message, or AnyTag; 0 for a computation
	Rank int32  // whose operation it is
	Kind Kind
	CPU  uint8 // which core of the host carries it out
	NIC  uint8 // which network interface
}

// Edge is one dependency, as stored with the operation that another one waits for: the
// index in Ops of the waiting operation, and whether it waits for the start or the end.
type Edge uint32

// startBit marks an Edge that waits for the start.
const startBit Edge = 1 << 31

// Op is the index of the operation that waits.
func (e Edge) Op() int32 { return int32(e &^ startBit) }

// OnStart reports whether it waits for the start ("irequires") and not for
// the end ("requires").
func (e Edge) OnStart() bool { return e&startBit != 0 }

package goal

import "math"

// Kind is what an operation does. Their order is the one in which operations
// that become ready together take their turns.
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

// Edge is one dependency, seen from the operation that others wait for: the
// operation that waits, by its index in Ops, and for what it waits.
type Edge uint32

// startBit marks an Edge that waits for the start.
const startBit Edge = 1 << 31

// Op is the index of the operation that waits.
func (e Edge) Op() int32 { return int32(e &^ startBit) }

// OnStart reports whether it waits for the start ("irequires") and not for
// the end ("requires").
func (e Edge) OnStart() bool { return e&startBit != 0 }

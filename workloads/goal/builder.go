package goal

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Limits of one schedule, given by the width of its indices.
const (
	maxRanks = math.MaxInt32 - 1
	maxOps   = math.MaxInt32 - 1
	maxEdges = math.MaxUint32
)

// Builder makes a Schedule rank by rank. The zero Builder is ready to use.
//
// Mistakes are reported once, by Schedule.
type Builder struct {
	s       *Schedule
	pending []dependency // of the current rank, in the order stated
	ends    []uint32     // scratch of endRank
	err     error
}

// dependency says that op waits for on; both are indices in Ops.
type dependency struct {
	on   int32
	edge Edge
}

// NextRank begins the next rank. The first call begins rank 0.
func (b *Builder) NextRank() {
	if b.s == nil {
		b.s = &Schedule{edgeStart: []uint32{0}, cpus: 1, nics: 1}
	} else {
		b.endRank()
	}
	if len(b.s.first) == maxRanks {
		b.fail("more than %d ranks", maxRanks)
		return
	}
	b.s.first = push(b.s.first, int32(len(b.s.ops)))
}

// Add adds an operation to the current rank and returns its number there, from
// 0. The field Rank is filled in.
func (b *Builder) Add(op Op) int {
	rank := b.rank()
	switch {
	case rank < 0:
		b.fail("an operation before the first rank")
		return 0
	case len(b.s.ops) == maxOps:
		b.fail("more than %d operations", maxOps)
		return 0
	}
	op.Rank = int32(rank)
	b.s.cpus = max(b.s.cpus, int(op.CPU)+1)
	b.s.nics = max(b.s.nics, int(op.NIC)+1)
	b.s.ops = push(b.s.ops, op)
	return len(b.s.ops) - 1 - int(b.s.first[rank])
}

// Require makes operation op of the current rank wait for the end of operation
// on of the same rank. Both are numbers as returned by Add.
func (b *Builder) Require(op, on int) { b.require(op, on, 0) }

// RequireStart makes operation op wait for the start of operation on.
func (b *Builder) RequireStart(op, on int) { b.require(op, on, startBit) }

func (b *Builder) require(op, on int, kind Edge) {
	rank := b.rank()
	if rank < 0 {
		b.fail("a dependency before the first rank")
		return
	}
	first := int(b.s.first[rank])
	n := len(b.s.ops) - first
	switch {
	case op < 0 || op >= n || on < 0 || on >= n:
		b.fail("rank %d: operation %d depends on %d; expected numbers from 0 to %d", rank, op, on, n-1)
	case len(b.s.edges)+len(b.pending) == maxEdges:
		b.fail("more than %d dependencies", maxEdges)
	default:
		b.pending = append(b.pending, dependency{on: int32(first + on), edge: Edge(first+op) | kind})
	}
}

// rank is the number of the current rank, -1 before the first.
func (b *Builder) rank() int {
	if b.s == nil {
		return -1
	}
	return len(b.s.first) - 1
}

// Schedule ends the last rank and returns the schedule, or what was wrong with
// the calls before. The builder is empty afterwards.
func (b *Builder) Schedule() (*Schedule, error) {
	s, err := b.finish()
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// finish is Schedule without checks of the operations.
func (b *Builder) finish() (*Schedule, error) {
	s, err := b.s, b.err
	if s == nil && err == nil {
		err = errors.New("goal: no rank; expected at least one")
	}
	if err == nil {
		b.endRank()
		s.first = append(s.first, int32(len(s.ops)))
	}
	*b = Builder{}
	return s, err
}

// endRank sorts the dependencies of the current rank into rows. The order
// within a row remains: it decides who goes first.
func (b *Builder) endRank() {
	s := b.s
	first := s.first[len(s.first)-1]
	n := len(s.ops) - int(first)
	b.ends = slices.Grow(b.ends[:0], n)[:n]
	clear(b.ends)
	for _, d := range b.pending {
		b.ends[d.on-first]++
	}
	// Turn counts into beginnings of rows; adding an edge to a row moves its beginning towards its end.
	at := uint32(len(s.edges))
	for i, count := range b.ends {
		b.ends[i] = at
		at += count
		s.edgeStart = push(s.edgeStart, at)
	}
	for range b.pending {
		s.edges = push(s.edges, 0)
	}
	for _, d := range b.pending {
		row := &b.ends[d.on-first]
		s.edges[*row] = d.edge
		*row++
	}
	b.pending = b.pending[:0]
}

// check checks what only a finished schedule shows.
func (s *Schedule) check() error {
	for i := range s.ops {
		op := &s.ops[i]
		where := func() string {
			return fmt.Sprintf("goal: rank %d, operation %d (%v)", op.Rank, i-int(s.first[op.Rank]), op.Kind)
		}
		switch {
		case op.Kind < Send || op.Kind > Calc:
			return fmt.Errorf("%s: kind %d; expected Send, Recv or Calc", where(), op.Kind)
		case op.Size > maxSize:
			return fmt.Errorf("%s: size %d; expected at most %d", where(), op.Size, maxSize)
		case op.Kind == Calc && (op.Peer != 0 || op.Tag != 0 || op.NIC != 0):
			return fmt.Errorf("%s: it has a peer, tag or NIC; expected zeros", where())
		case op.Kind == Recv && op.Peer == AnySource:
		case op.Peer < 0 || int(op.Peer) >= s.Ranks():
			return fmt.Errorf("%s: peer %d; expected a rank from 0 to %d", where(), op.Peer, s.Ranks()-1)
		}
	}
	return nil
}

func (b *Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("goal: "+format, args...)
	}
}

// push is append with doubling: the growth by a quarter that append has for
// large slices would copy gigabytes several times.
func push[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = slices.Grow(s, max(len(s), 64))
	}
	return append(s, v)
}

package smpi

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// seek finds an item by its number in a sequence that is written out in code. An
// algorithm is written as if it performed all its operations in order; each of them
// counts as seen, and only the wanted one is stored. Loops are skipped as a whole:
//
//	if i, ok := s.in(n, m); ok { ... }
//
// stands for a loop over i = 0 ... n-1 with m items per round, in which only the round
// with the wanted item is entered.
type seek struct {
	want int // number of the wanted item
	seen int // items passed so far; more than want once it has been found
}

// in passes n rounds of m items, or stops before the round with the wanted item and
// returns the number of the round.
func (s *seek) in(n, m int) (round int, ok bool) {
	ahead := s.want - s.seen
	switch {
	case ahead < 0 || n <= 0 || m <= 0:
		return 0, false
	case ahead >= n*m:
		s.seen += n * m
		return 0, false
	}
	round = ahead / m
	s.seen += round * m
	return round, true
}

// here passes one item and tells whether it is the wanted one.
func (s *seek) here() bool {
	s.seen++
	return s.seen == s.want+1
}

// found tells whether the wanted item was among those passed.
func (s *seek) found() bool { return s.seen > s.want }

// data is what an algorithm works on: the data of the call or, if a collective
// operation consists of others, the data of a part.
type data struct {
	count, recvCount     int64 // elements
	element, recvElement int64 // bytes
	root                 int
}

// bytes returns the size of n elements sent.
func (d *data) bytes(n int64) int64 { return n * d.element }

// Sequence is the operations of one rank in one collective call, in order. It is a
// value of some 250 bytes, which stores no operations. Make it by [Selector.Start].
type Sequence struct {
	selector *Selector
	call     Call
	// The current part, how many parts have begun, and how many operations of the current
	// part have been given out. If run is nil, the next part is due.
	run   func(q *Sequence)
	part  int32
	going bool // an operation has been given out
	given int
	data
	ring ringPlace // of allgathervRing

	// Only inside Next.
	seek
	op *workloads.Op
}

// Operation returns the operation of the call.
func (q *Sequence) Operation() Operation { return q.call.Operation }

// Next stores the next operation of the rank in *op and returns true, or returns
// false at the end of the call.
//
// Peers are ranks, all messages have workloads.CollectiveTag. Requests are named
// workloads.CollectiveTag + i, i = 0, 1, ...; a Waitall waits for those names only, so
// requests of the rank's own stay open. When the sequence ends, none of its
// requests is open.
func (q *Sequence) Next(op *workloads.Op) bool {
	for {
		if q.run == nil && !q.begin() {
			return false
		}
		q.seek, q.op = seek{want: q.given}, op
		q.run(q)
		q.op = nil
		if q.found() {
			op.Collective, op.First = q.call.Operation.collective(), !q.going
			q.going = true
			q.given++
			return true
		}
		q.run = nil
	}
}

// begin sets up the next part of the call, if there is one.
func (q *Sequence) begin() bool {
	if q.call.Ranks <= 1 { // no other rank
		return false
	}
	p := plan{seek: seek{want: int(q.part)}, selector: q.selector, call: &q.call}
	p.whole()
	if !p.found() {
		return false
	}
	q.run, q.data = p.run, p.data
	q.part++
	q.given = 0
	return true
}

// ranks returns the number of ranks, P.
func (q *Sequence) ranks() int { return q.call.Ranks }

// rank returns the rank whose operations these are.
func (q *Sequence) rank() int { return q.call.Rank }

// mod brings a rank from -P ... 2P-1 into 0 ... P-1.
func (q *Sequence) mod(rank int) int {
	p := q.call.Ranks
	switch {
	case rank < 0:
		return rank + p
	case rank >= p:
		return rank - p
	}
	return rank
}

// relative returns the number of the rank when the root is number 0.
func (q *Sequence) relative() int { return q.mod(q.call.Rank - q.root) }

// absolute returns the rank that has number v when the root is number 0.
func (q *Sequence) absolute(v int) int { return q.mod(v + q.root) }

// but returns the i-th rank in rank order without rank one.
func but(one, i int) int {
	if i < one {
		return i
	}
	return i + 1
}

func (q *Sequence) send(peer int, size int64) { q.message(workloads.Send, peer, size, 0) }

func (q *Sequence) recv(peer int, size int64) { q.message(workloads.Recv, peer, size, 0) }

func (q *Sequence) isend(request, peer int, size int64) {
	q.message(workloads.Isend, peer, size, workloads.CollectiveTag+int32(request))
}

func (q *Sequence) irecv(request, peer int, size int64) {
	q.message(workloads.Irecv, peer, size, workloads.CollectiveTag+int32(request))
}

func (q *Sequence) message(kind workloads.Kind, peer int, size int64, request int32) {
	if q.here() {
		*q.op = workloads.Op{Kind: kind, Peer: int32(peer), Tag: workloads.CollectiveTag,
			Size: units.Bytes(size), Request: request}
	}
}

// sendrecv sends size bytes to one rank and receives from another one. They must not
// both be the rank itself, because that is a copy and takes no time.
func (q *Sequence) sendrecv(to int, size int64, from int) {
	if q.here() {
		*q.op = workloads.Op{Kind: workloads.Sendrecv, Peer: int32(to), From: int32(from),
			Tag: workloads.CollectiveTag, Size: units.Bytes(size)}
	}
}

func (q *Sequence) wait(request int) {
	if q.here() {
		*q.op = workloads.Op{Kind: workloads.Wait, Request: workloads.CollectiveTag + int32(request)}
	}
}

// waitall waits for all requests of the call that are open.
func (q *Sequence) waitall() {
	if q.here() {
		*q.op = workloads.Op{Kind: workloads.Waitall, Request: workloads.CollectiveTag}
	}
}

// follow performs all steps of an algorithm of package collective, on blocks of
// one size. Nothing can come after it.
func (q *Sequence) follow(a collective.Algorithm, block int64) {
	if q.found() {
		return
	}
	s, ok := a.Step(collective.Call{Size: q.ranks(), Root: q.root}, q.rank(), q.want-q.seen)
	if !ok {
		return
	}
	q.seen = q.want
	size := int64(s.Blocks.Count) * block
	switch s.Kind {
	case workloads.Send:
		q.send(s.Peer, size)
	case workloads.Recv:
		q.recv(s.Peer, size)
	case workloads.Sendrecv:
		q.sendrecv(s.Peer, size, s.From)
	}
}

// mustLookup is collective.Lookup for the algorithms that this package uses.
func mustLookup(op workloads.Collective, name string) collective.Algorithm {
	a, err := collective.Lookup(op, name)
	if err != nil {
		panic("smpi: " + err.Error())
	}
	return a
}

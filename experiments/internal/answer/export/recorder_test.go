package export

import (
	"errors"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// script is a program given by its operations, which notes what it is told.
type script struct {
	ops    [][]workloads.Op
	told   []string
	closed error
}

func (s *script) Ranks() int { return len(s.ops) }

func (s *script) Next(rank int, op *workloads.Op) bool {
	if len(s.ops[rank]) == 0 {
		return false
	}
	*op, s.ops[rank] = s.ops[rank][0], s.ops[rank][1:]
	return true
}

func (s *script) Now(rank int, t units.Seconds) {
	s.told = append(s.told, fmt.Sprintf("%d now %v", rank, t))
}

func (s *script) Received(rank int, from, tag int32, size units.Bytes) {
	s.told = append(s.told, fmt.Sprintf("%d received %d %d %v", rank, from, tag, size))
}

func (s *script) Close() error { return s.closed }

// keeper is a sink that keeps what it gets, and refuses a kind.
type keeper struct {
	got    []string
	refuse workloads.Kind
}

var errRefused = errors.New("refused")

func (s *keeper) Op(rank int, op *workloads.Op, _ uint64) error {
	if op.Kind == s.refuse {
		return errRefused
	}
	s.got = append(s.got, fmt.Sprintf("%d %v peer %d tag %d size %v request %d", rank, op.Kind, op.Peer, op.Tag, float64(op.Size), op.Request))
	return nil
}

func (s *keeper) End(rank int) { s.got = append(s.got, fmt.Sprintf("%d end", rank)) }

// want compares what has come since the last call.
func (s *keeper) want(t *testing.T, want ...string) {
	t.Helper()
	expect.Same(t, s.got, want, "difference")
	s.got = nil
}

func one(ops ...workloads.Op) *script { return &script{ops: [][]workloads.Op{ops}} }

// next asks for an operation and checks its kind.
func next(t *testing.T, r *recorder, want workloads.Kind) {
	t.Helper()
	var op workloads.Op
	ok := r.Next(0, &op)
	expect.Need(t, ok == (want != 0) && op.Kind == want, "%v, %v; want %v", ok, op.Kind, want)
}

// A receive is passed on with what was received, and what follows it is held back until then.
func TestReceivesAreCompleted(t *testing.T) {
	p := one(
		workloads.Op{Kind: workloads.Irecv, Peer: workloads.AnySource, Tag: workloads.AnyTag, Request: 1},
		workloads.Op{Kind: workloads.Irecv, Peer: 5, Tag: 9, Size: 1, Request: 2},
		workloads.Op{Kind: workloads.Compute},
		workloads.Op{Kind: workloads.Recv, Peer: 5, Tag: 9},
		workloads.Op{Kind: workloads.Wait, Request: 2},
		workloads.Op{Kind: workloads.Send, Peer: 3, Tag: 4, Size: 5},
	)
	s := &keeper{}
	r := newRecorder(p, s)
	next(t, r, workloads.Irecv)
	next(t, r, workloads.Irecv)
	next(t, r, workloads.Compute)
	next(t, r, workloads.Recv)
	r.Received(0, 5, 9, 30) // the blocking receive, although an older one would fit
	next(t, r, workloads.Wait)
	r.Received(0, 5, 9, 20)
	next(t, r, workloads.Send)
	s.want(t)
	next(t, r, 0)
	r.Received(0, 7, 8, 10) // the end waits for what is open
	s.want(t,
		"0 irecv peer 7 tag 8 size 10 request 1",
		"0 irecv peer 5 tag 9 size 20 request 2",
		"0 compute peer 0 tag 0 size 0 request 0",
		"0 recv peer 5 tag 9 size 30 request 0",
		"0 wait peer 0 tag 0 size 0 request 2",
		"0 send peer 3 tag 4 size 5 request 0",
		"0 end")
	expect.List(t, p.told, []string{"0 received 5 9 30 B", "0 received 5 9 20 B", "0 received 7 8 10 B"}, "the program is told")
}

// Of several receives that a Waitall waits for, the first that fits gets a message.
func TestWaitall(t *testing.T) {
	s := &keeper{}
	r := newRecorder(one(
		workloads.Op{Kind: workloads.Irecv, Peer: 1, Request: 1},
		workloads.Op{Kind: workloads.Irecv, Peer: 1, Request: 6},
		workloads.Op{Kind: workloads.Irecv, Peer: 2, Request: 7},
		workloads.Op{Kind: workloads.Waitall, Request: 5},
	), s)
	for range 3 {
		next(t, r, workloads.Irecv)
	}
	next(t, r, workloads.Waitall)
	r.Received(0, 2, 0, 22)
	r.Received(0, 1, 0, 11)
	next(t, r, 0)
	r.Received(0, 1, 0, 10)
	s.want(t,
		"0 irecv peer 1 tag 0 size 10 request 1",
		"0 irecv peer 1 tag 0 size 11 request 6",
		"0 irecv peer 2 tag 0 size 22 request 7",
		"0 waitall peer 0 tag 0 size 0 request 5",
		"0 end")
}

// The receive of a Sendrecv has a size of its own, and is waited for first. In a
// Sendrecv with itself, a rank waits for its send first.
func TestSendrecv(t *testing.T) {
	s := &keeper{}
	r := newRecorder(one(
		workloads.Op{Kind: workloads.Sendrecv, Peer: 1, From: 2, Tag: 3, Size: 4},
		workloads.Op{Kind: workloads.Sendrecv, Peer: 0, From: 0, Tag: 3, Size: 4},
	), s)
	next(t, r, workloads.Sendrecv)
	r.Received(0, 2, 3, 40)
	next(t, r, workloads.Sendrecv)
	r.Received(0, 0, 3, 4)
	next(t, r, 0)
	s.want(t,
		"0 isend peer 1 tag 3 size 4 request 2147483646",
		"0 irecv peer 2 tag 3 size 40 request 2147483647",
		"0 wait peer 0 tag 0 size 0 request 2147483647",
		"0 wait peer 0 tag 0 size 0 request 2147483646",
		"0 isend peer 0 tag 3 size 4 request 2147483646",
		"0 irecv peer 0 tag 3 size 4 request 2147483647",
		"0 wait peer 0 tag 0 size 0 request 2147483646",
		"0 wait peer 0 tag 0 size 0 request 2147483647",
		"0 end")
}

// What the keeper refuses ends the run, and is the error.
func TestRefused(t *testing.T) {
	p := one(workloads.Op{Kind: workloads.Compute}, workloads.Op{Kind: workloads.Compute})
	p.closed = errors.New("of the program")
	r := newRecorder(p, &keeper{refuse: workloads.Compute})
	for range 2 {
		var op workloads.Op
		expect.That(t, r.Next(0, &op) && op.Kind == 0,
			"the operation is %v; want that of a program that gives up", op.Kind)
	}
	err := r.Close()
	expect.That(t, err == errRefused && r.err == errRefused, "errors %v and %v", err, r.err)
	expect.Equal(t, newRecorder(p, &keeper{}).Close(), p.closed, "error of the program")
}

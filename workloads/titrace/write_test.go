package titrace_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// script is a program given by its operations.
type script [][]workloads.Op

func (s script) Ranks() int { return len(s) }

func (s script) Next(rank int, op *workloads.Op) bool {
	if len(s[rank]) == 0 {
		return false
	}
	*op, s[rank] = s[rank][0], s[rank][1:]
	return true
}

func TestWrite(t *testing.T) {
	s := script{
		{
			{Kind: workloads.Compute, Work: 1e9, Size: 5},
			{Kind: workloads.Delay, Time: 1.5e-3},
			{Kind: workloads.Send, Peer: 1, Tag: 7, Size: 1 << 40},
			{Kind: workloads.Recv, Peer: workloads.AnySource, Tag: workloads.AnyTag, Size: 1},
			{Kind: workloads.Isend, Request: 5, Peer: 1, Tag: 7, Size: 2},
			{Kind: workloads.Irecv, Request: 3, Peer: workloads.AnySource, Tag: 8, Size: 3},
			{Kind: workloads.Test, Request: 5},
			{Kind: workloads.Wait, Request: 3},
			{Kind: workloads.Sendrecv, Peer: 1, From: 0, Tag: workloads.CollectiveTag + 1, Size: 4},
			{Kind: workloads.Waitall},
			{Kind: workloads.Waitall}, // for nothing
			{Kind: workloads.Isend, Request: 5, Peer: 1, Tag: 1, Size: 2},
			{Kind: workloads.Isend, Request: 6, Peer: 1, Tag: 2, Size: 2},
			{Kind: workloads.Waitall, Request: 6},
		},
		{},
	}
	const want = `0 init
0 compute 1e+09
0 sleep 0.0015
0 send 1 7 1099511627776
0 recv -555 -444 1
0 isend 1 7 2
0 irecv -555 8 3
0 test 0 1 7
0 wait -555 0 8
0 isend 1 1073741822 4
0 irecv 0 1073741822 4
0 wait 0 1 1073741822
0 wait 0 0 1073741822
0 waitall
0 isend 1 1 2
0 isend 1 2 2
0 wait 0 1 2
0 finalize
1 init
1 finalize
`
	var got strings.Builder
	expect.Success(t, titrace.Write(&got, s))
	diff := cmp.Diff(want, got.String())
	expect.That(t, diff == "", "%v", diff)
}

func TestWriteErrors(t *testing.T) {
	isend := func(request int32) workloads.Op { return workloads.Op{Kind: workloads.Isend, Request: request} }
	wait := func(request int32) workloads.Op { return workloads.Op{Kind: workloads.Wait, Request: request} }
	for _, tt := range []struct {
		ops  []workloads.Op
		want string
	}{
		{[]workloads.Op{{Kind: workloads.Measured}}, "titrace: rank 0: there is no action for measured"},
		{[]workloads.Op{{}}, "titrace: rank 0: the program gave up"},
		{[]workloads.Op{wait(3)}, "titrace: rank 0: request 3 is not open"},
		{[]workloads.Op{isend(1), isend(2), wait(2)},
			"titrace: rank 0: request 2 from rank 0 to rank 0 with tag 0 has an older one of the same kind before it"},
		{[]workloads.Op{isend(1), isend(2), {Kind: workloads.Waitall, Request: 2}},
			"titrace: rank 0: request 2 from rank 0 to rank 0 with tag 0 has an older one of the same kind before it"},
	} {
		err := titrace.Write(&strings.Builder{}, script{tt.ops})
		expect.That(t, err != nil && err.Error() == tt.want, "error %v, want %s", err, tt.want)
	}
	p := expect.Value(titrace.Read("t", strings.NewReader("0 fly"), 0))(t)
	err := titrace.Write(&strings.Builder{}, p)
	expect.That(t, err != nil && strings.HasPrefix(err.Error(), "t:1:3: "), "error %v, want that of the trace", err)
	err = titrace.Write(full{}, script{make([]workloads.Op, 0)})
	expect.That(t, errors.Is(err, errFull), "error %v, want that of the writer", err)
}

var errFull = errors.New("no space")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// A trace that was read and written stays the same when it is read and written again.
// Its messages and work are those of the original, apart from tags of collective
// operations.
func TestWriteIsStable(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		text := merge(r, randomTrace(r, 1+r.IntN(6), 200))
		once := rewrite(t, text)
		expect.Equal(t, rewrite(t, once), once, "seed %d", seed)
		a, b := volume(read(t, text, 0)), volume(read(t, once, 0))
		expect.That(t, a == b, "seed %d: %v bytes and flop in the trace, %v in what was written", seed, a, b)
	}
}

func rewrite(t testing.TB, text string) string {
	t.Helper()
	p := expect.Value(titrace.Read("t", strings.NewReader(text), 0))(t)
	var out bytes.Buffer
	expect.Success(t, titrace.Write(&out, p))
	return out.String()
}

// volume is how much is sent and computed.
func volume(all [][]workloads.Op) (v [2]float64) {
	for _, ops := range all {
		for _, op := range ops {
			switch op.Kind {
			case workloads.Send, workloads.Isend, workloads.Sendrecv:
				v[0] += float64(op.Size)
			case workloads.Compute:
				v[1] += float64(op.Work)
			}
		}
	}
	return v
}

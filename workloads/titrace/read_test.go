package titrace_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// drain returns all operations of each rank, without their places, rank by rank, and closes p.
func drain(t testing.TB, p *titrace.Program) [][]workloads.Op {
	t.Helper()
	all := make([][]workloads.Op, p.Ranks())
	for rank := range all {
		var op workloads.Op
		for p.Next(rank, &op) {
			if op.Kind == 0 {
				t.Fatalf("rank %d: %v", rank, p.Close())
			}
			op.Place = 0
			all[rank] = append(all[rank], op)
			op = workloads.Op{}
		}
	}
	expect.Success(t, p.Close())
	return all
}

func read(t testing.TB, text string, ranks int) [][]workloads.Op {
	t.Helper()
	p := expect.Value(titrace.Read("t", strings.NewReader(text), ranks))(t)
	return drain(t, p)
}

// Rank 1 of three, whose default data type is a byte.
func TestActions(t *testing.T) {
	const w = 4 // size of a float, type 5
	isend := func(request, peer, tag int32, size units.Bytes) workloads.Op {
		return workloads.Op{Kind: workloads.Isend, Request: request, Peer: peer, Tag: tag, Size: size}
	}
	irecv := func(request, peer, tag int32, size units.Bytes) workloads.Op {
		return workloads.Op{Kind: workloads.Irecv, Request: request, Peer: peer, Tag: tag, Size: size}
	}
	wait := func(request int32) workloads.Op { return workloads.Op{Kind: workloads.Wait, Request: request} }
	test := func(request int32) workloads.Op { return workloads.Op{Kind: workloads.Test, Request: request} }
	compute := func(work units.Flops) workloads.Op {
		return workloads.Op{Kind: workloads.Compute, Work: work}
	}
	waitall := workloads.Op{Kind: workloads.Waitall}
	for _, tt := range []struct {
		name string
		text string // one action in each line, without the rank
		want []workloads.Op
	}{
		{"costs nothing", "finalize\ncomm_size 3\ncomm_split\ncomm_dup 1 2\nlocation a.c 7\ninit", nil},
		{"after finalize", "finalize\ncompute 7", []workloads.Op{compute(7)}},
		{"compute", "compute 1e9\ncompute 0\ncompute 2.5", []workloads.Op{compute(1e9), compute(0), compute(2.5)}},
		{"sleep", "sleep 1.5e-3", []workloads.Op{{Kind: workloads.Delay, Time: 1.5e-3}}},
		{"send", "send 0 7 1e3", []workloads.Op{{Kind: workloads.Send, Peer: 0, Tag: 7, Size: 1000}}},
		{"count cut off", "send 0 7 5.9", []workloads.Op{{Kind: workloads.Send, Tag: 7, Size: 5}}},
		{"send of a type", "send 2 0 10 5", []workloads.Op{{Kind: workloads.Send, Peer: 2, Size: 10 * w}}},
		{"send of doubles", "init 1\nsend 2 0 10", []workloads.Op{{Kind: workloads.Send, Peer: 2, Size: 80}}},
		{"recv", "recv 0 7 1000 5", []workloads.Op{{Kind: workloads.Recv, Peer: 0, Tag: 7, Size: 1000 * w}}},
		{"recv any", "recv -555 -444 8", []workloads.Op{{Kind: workloads.Recv, Peer: workloads.AnySource, Tag: workloads.AnyTag, Size: 8}}},
		{"nobody", "send -666 0 8\nrecv -666 0 8\nisend -666 0 8\nirecv -666 1 8\nwait 1 -666 0\nwait -666 1 1\ntest -666 1 1\nwaitall", nil},
		{"largest tag", "send 0 1073741823 1", []workloads.Op{{Kind: workloads.Send, Tag: 1<<30 - 1, Size: 1}}},

		{"isend, wait", "isend 2 7 10\nwait 1 2 7", []workloads.Op{isend(0, 2, 7, 10), wait(0)}},
		{"irecv, test, wait", "irecv 2 7 10 5\ntest 2 1 7\nwait 2 1 7", []workloads.Op{irecv(0, 2, 7, 40), test(0), wait(0)}},
		{"irecv any", "irecv -555 3 10\nirecv -555 -444 9\nirecv -555 3 8\nwait -555 1 3\nwait -555 1 -444\nwait -556 1 3",
			[]workloads.Op{irecv(0, -1, 3, 10), irecv(1, -1, -1, 9), irecv(2, -1, 3, 8), wait(0), wait(1), wait(2)}},
		{"first in, first out", "isend 2 7 10\nisend 2 7 11\nisend 2 7 12\nwait 1 2 7\nwait 1 2 7\nwait 1 2 7",
			[]workloads.Op{isend(0, 2, 7, 10), isend(1, 2, 7, 11), isend(2, 2, 7, 12), wait(0), wait(1), wait(2)}},
		{"a test makes it the last", "isend 2 7 10\nisend 2 7 11\nisend 2 7 12\ntest 1 2 7\ntest 1 2 7\nwait 1 2 7\nwait 1 2 7\nwait 1 2 7",
			[]workloads.Op{isend(0, 2, 7, 10), isend(1, 2, 7, 11), isend(2, 2, 7, 12), test(0), test(1), wait(2), wait(0), wait(1)}},
		{"to oneself", "isend 1 3 1\nirecv 1 3 1\nwait 1 1 3\nwait 1 1 3", []workloads.Op{isend(0, 1, 3, 1), irecv(1, 1, 3, 1), wait(0), wait(1)}},
		{"names are used again", "isend 2 0 1\nisend 2 1 1\nwait 1 2 0\nisend 2 2 1\nisend 2 3 1\nwait 1 2 1\nwaitall\nisend 2 4 1",
			[]workloads.Op{isend(0, 2, 0, 1), isend(1, 2, 1, 1), wait(0), isend(0, 2, 2, 1), isend(2, 2, 3, 1), wait(1), waitall, isend(0, 2, 4, 1)}},
		{"wait for none of several", "isend 2 7 10\nwait 1 2 8\nwait 1 0 7\nwait 2 1 7\ntest 1 2 8", []workloads.Op{isend(0, 2, 7, 10)}},
		{"test of nothing", "test 1 2 8", nil},
		{"waitall", "waitall\nirecv 0 0 1\nisend 0 0 2\nwaitall 1\nwaitall 2",
			[]workloads.Op{irecv(0, 0, 0, 1), isend(1, 0, 0, 2), waitall}},

		{"sendRecv", "sendRecv 10 2 20 0 5 6", []workloads.Op{{Kind: workloads.Sendrecv, Peer: 2, From: 0, Size: 40}}},
		{"sendRecv any", "sendRecv 10 2 20 -555 6 6", []workloads.Op{{Kind: workloads.Sendrecv, Peer: 2, From: -1, Size: 10}}},
		{"sendRecv with oneself", "sendRecv 10 1 20 1 6 6", nil},
		{"sendRecv with half oneself", "sendRecv 10 1 20 2 6 6", []workloads.Op{{Kind: workloads.Sendrecv, Peer: 1, From: 2, Size: 10}}},
		{"sendRecv to nobody", "sendRecv 10 -666 20 2 6 5", []workloads.Op{{Kind: workloads.Recv, Peer: 2, Size: 80}}},
		{"sendRecv from nobody", "isend 0 0 1\nsendRecv 10 2 20 -666 5 6\nwaitall",
			[]workloads.Op{isend(0, 0, 0, 1), isend(workloads.CollectiveTag-1, 2, 0, 40), wait(workloads.CollectiveTag - 1), waitall}},
		{"sendRecv with nobody at all", "sendRecv 10 -666 20 -666 6 6", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := strings.Split("init\n"+tt.text, "\n")
			got := read(t, "1 "+strings.Join(lines, "\n1 ")+"\n", 3)
			diff := cmp.Diff([][]workloads.Op{nil, tt.want, nil}, got)
			expect.That(t, diff == "", "%v", diff)
		})
	}
}

// A collective operation becomes the operations of package smpi, then the work.
func TestCollectives(t *testing.T) {
	const n = 3
	list := func(c ...int64) []int64 { return c }
	for _, tt := range []struct {
		text string
		call smpi.Call
		work units.Flops
	}{
		{"barrier", smpi.Call{Operation: smpi.Barrier}, 0},
		{"barrier 5", smpi.Call{Operation: smpi.Barrier}, 0},
		{"bcast 1e5", smpi.Call{Operation: smpi.Bcast, SendCount: 1e5, SendElement: 1}, 0},
		{"bcast 1e5 2", smpi.Call{Operation: smpi.Bcast, SendCount: 1e5, SendElement: 1, Root: 2}, 0},
		{"bcast 1e5 2 0", smpi.Call{Operation: smpi.Bcast, SendCount: 1e5, SendElement: 8, Root: 2}, 0},
		{"reduce 10 5e8", smpi.Call{Operation: smpi.Reduce, SendCount: 10, SendElement: 1}, 5e8},
		{"reduce 10 0 1 3", smpi.Call{Operation: smpi.Reduce, SendCount: 10, SendElement: 2, Root: 1}, 0},
		{"allreduce 10 7", smpi.Call{Operation: smpi.Allreduce, SendCount: 10, SendElement: 1}, 7},
		{"allreduce 10 7.5 1", smpi.Call{Operation: smpi.Allreduce, SendCount: 10, SendElement: 4}, 7.5},
		{"scan 10 7 1", smpi.Call{Operation: smpi.Scan, SendCount: 10, SendElement: 4}, 7},
		{"exscan 10 7", smpi.Call{Operation: smpi.Exscan, SendCount: 10, SendElement: 1}, 7},
		{"reducescatter 10 20 30 7 0", smpi.Call{Operation: smpi.ReduceScatter, RecvCounts: list(10, 20, 30), SendElement: 8}, 7},
		{"reducescatter 10 10 10 1e9", smpi.Call{Operation: smpi.ReduceScatter, RecvCounts: list(10, 10, 10), SendElement: 1}, 1e9},
		{"gather 10 20", smpi.Call{Operation: smpi.Gather, SendCount: 10, RecvCount: 20, SendElement: 1, RecvElement: 1}, 0},
		{"gather 10 20 2 0", smpi.Call{Operation: smpi.Gather, SendCount: 10, RecvCount: 20, SendElement: 8, RecvElement: 1, Root: 2}, 0},
		{"scatter 10 20 1 0 1", smpi.Call{Operation: smpi.Scatter, SendCount: 10, RecvCount: 20, SendElement: 8, RecvElement: 4, Root: 1}, 0},
		{"allgather 10 20 3 1", smpi.Call{Operation: smpi.Allgather, SendCount: 10, RecvCount: 20, SendElement: 2, RecvElement: 4}, 0},
		{"alltoall 10 20", smpi.Call{Operation: smpi.Alltoall, SendCount: 10, RecvCount: 20, SendElement: 1, RecvElement: 1}, 0},
		{"alltoall 10 20 3", smpi.Call{Operation: smpi.Alltoall, SendCount: 10, RecvCount: 20, SendElement: 2, RecvElement: 1}, 0},
		{"gatherv 5 10 20 30 2 3 1", smpi.Call{Operation: smpi.Gatherv, SendCount: 5, RecvCounts: list(10, 20, 30), SendElement: 2, RecvElement: 4, Root: 2}, 0},
		{"scatterv 10 20 30 5 2 3 1", smpi.Call{Operation: smpi.Scatterv, SendCounts: list(10, 20, 30), RecvCount: 5, SendElement: 2, RecvElement: 4, Root: 2}, 0},
		{"allgatherv 5 10 20 30", smpi.Call{Operation: smpi.Allgatherv, SendCount: 5, RecvCounts: list(10, 20, 30), SendElement: 1, RecvElement: 1}, 0},
		{"allgatherv 5 10 20 30 3 1", smpi.Call{Operation: smpi.Allgatherv, SendCount: 5, RecvCounts: list(10, 20, 30), SendElement: 2, RecvElement: 4}, 0},
		{"allgatherv 5 10 20 30 0 10 30", smpi.Call{Operation: smpi.Allgatherv, SendCount: 5, RecvCounts: list(10, 20, 30), SendElement: 1, RecvElement: 1, Displacements: list(0, 10, 30)}, 0},
		{"allgatherv 5 10 20 30 3 1 0 10 30", smpi.Call{Operation: smpi.Allgatherv, SendCount: 5, RecvCounts: list(10, 20, 30), SendElement: 2, RecvElement: 4, Displacements: list(0, 10, 30)}, 0},
		{"alltoallv 100 1 2 3 200 4 5 6", smpi.Call{Operation: smpi.Alltoallv, SendCounts: list(1, 2, 3), RecvCounts: list(4, 5, 6), SendElement: 1, RecvElement: 1}, 0},
		{"alltoallv 1e2 1 2 3 2e2 4 5 6 0 1", smpi.Call{Operation: smpi.Alltoallv, SendCounts: list(1, 2, 3), RecvCounts: list(4, 5, 6), SendElement: 8, RecvElement: 4}, 0},
	} {
		t.Run(tt.text, func(t *testing.T) {
			tt.call.Ranks, tt.call.Rank = n, 1
			sequence := expect.Value(new(smpi.Selector).Start(tt.call))(t)
			var want []workloads.Op
			for op := (workloads.Op{}); sequence.Next(&op); op = (workloads.Op{}) {
				want = append(want, op)
			}
			expect.Need(t, len(want) != 0, "the operation has no messages")
			if tt.work > 0 {
				want = append(want, workloads.Op{Kind: workloads.Compute, Work: tt.work})
			}
			want = append(want, workloads.Op{Kind: workloads.Compute, Work: 1})
			got := read(t, "1 init\n1 "+tt.text+"\n1 compute 1\n", n)
			diff := cmp.Diff(want, got[1])
			expect.That(t, diff == "", "%v", diff)
		})
	}
}

// A single rank has nobody to talk to but still does the work.
func TestCollectiveAlone(t *testing.T) {
	got := read(t, "0 init\n0 allreduce 10 7\n0 barrier\n0 alltoallv 1 1 1 1\n", 1)
	diff := cmp.Diff([][]workloads.Op{{{Kind: workloads.Compute, Work: 7}}}, got)
	expect.That(t, diff == "", "%v", diff)
}

func TestSelect(t *testing.T) {
	text := "0 init\n1 init\n2 init\n3 init\n3 allreduce 100 0\n"
	count := func(name string) int {
		t.Helper()
		p := expect.Value(titrace.Read("t", strings.NewReader(text), 4))(t)
		if name != "" {
			var s titrace.Algorithms
			expect.Success(t, s.Set("allreduce", name))
			p.Select(s)
		}
		return len(drain(t, p)[3])
	}
	// The default is isend and wait to rank 0, then a receive from rank 2;
	// recursive doubling has log2(4) exchanges.
	if a, b := count(""), count("rdb"); b != 2 || a == b {
		t.Errorf("%d operations by default and %d by recursive doubling, want others and 2", a, b)
	}
}

// Sizes in bytes of the data types 0 to 59, from the times that SimGrid 3.32
// gives for a million of each (smpirun -replay, network/model:CM02 without
// cross-traffic and TCP window, so that time - latency is proportional).
var oracleSizes = []float64{
	8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8,
	8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0, 1, 8, 8,
}

func TestDatatypes(t *testing.T) {
	var text strings.Builder
	for i := range oracleSizes {
		text.WriteString("0 send 0 0 1000 " + number(i) + "\n")
	}
	got := read(t, text.String(), 1)[0]
	expect.Need(t, len(got) == len(oracleSizes), "%d operations, want %d", len(got), len(oracleSizes))
	for i, op := range got {
		expect.Equal(t, op.Size, units.Bytes(1000*oracleSizes[i]), "1000 of type %d have", i)
	}
}

func TestDefaultDatatype(t *testing.T) {
	p := expect.Value(titrace.Read("t", strings.NewReader("0 init\n0 send 1 0 1\n0 send 1 0 1\n1 init x\n1 recv 0 0 1\n"), 0))(t)
	next := func(rank int) units.Bytes {
		var op workloads.Op
		if !p.Next(rank, &op) || op.Kind == 0 {
			t.Fatalf("no operation of rank %d: %v", rank, p.Close())
		}
		return op.Size
	}
	// The last init counts for all ranks, as in SimGrid: there the second send
	// of 1e6 takes eight times as long as the first.
	if a, b, c := next(0), next(1), next(0); a != 1 || b != 8 || c != 8 {
		t.Errorf("sizes %v, %v, %v; want 1, 8, 8", a, b, c)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{ // three ranks; rank 0 is read
		{"0 init\n0 fly 1", `t:2:3: "fly" is not an action; expected one of init, finalize, comm_size,`},
		{"0 Send 1 0 1", `t:1:3: "Send" is not an action; expected "send", written like this`},
		{"0 sendrecv 1 0 1", `t:1:3: "sendrecv" is not an action; expected "sendRecv", written like this`},
		{"0 " + strings.Repeat("x", 50), `t:1:3: "` + strings.Repeat("x", 37) + `..." is not an action;`},
		{"\n# comment\n  0\t", `t:3:5: the line ends before the action; expected one of`},
		{"0 send", "t:1:7: the line ends before the peer; expected send PEER TAG COUNT [TYPE]"},
		{"0 send 1", "t:1:9: the line ends before the tag; expected send PEER TAG COUNT [TYPE]"},
		{"0 send 1 0", "t:1:11: the line ends before the count; expected send PEER TAG COUNT [TYPE]"},
		{"0 send 1 0 5 6 7", `t:1:16: unexpected "7"; expected the end of the line: send PEER TAG COUNT [TYPE]`},
		{"0 send 3 0 5 6", `t:1:8: the peer is "3"; expected a rank from 0 to 2 or -666 for none`},
		{"0 send -555 0 5 6", `t:1:8: the peer is "-555"; expected a rank from 0 to 2 or -666 for none`},
		{"0 recv -1 0 5 6", `t:1:8: the peer is "-1"; expected a rank from 0 to 2, -555 for any or -666 for none`},
		{"0 send 1x 0 5 6", `t:1:8: the peer is "1x"; expected a rank from 0 to 2 or -666 for none`},
		{"0 send 99999999999 0 5 6", `t:1:8: the peer is "99999999999"; expected a rank from 0 to 2 or -666 for none`},
		{"0 send 99999999999999999999 0 5 6", `t:1:8: the peer is "99999999999999999999"; expected a rank from 0 to 2 or -666 for none`},
		{"0 send 1 -1 5 6", `t:1:10: the tag is "-1"; expected a whole number from 0 to 1073741823`},
		{"0 recv 1 -1 5 6", `t:1:10: the tag is "-1"; expected a whole number from 0 to 1073741823, or -444 for any`},
		{"0 send 1 1073741824 5 6", `t:1:10: the tag is "1073741824"; expected a whole number from 0 to 1073741823`},
		{"0 send 1 1.5 5 6", `t:1:10: the tag is "1.5"; expected a whole number from 0 to 1073741823`},
		{"0 recv 1 0 -1 6", `t:1:12: the count is "-1"; expected a finite number, at least 0`},
		{"0 send 1 0 nan 6", `t:1:12: the count is "nan"; expected a finite number, at least 0`},
		{"0 send 1 0 Inf 6", `t:1:12: the count is "Inf"; expected a finite number, at least 0`},
		{"0 send 1 0 1e999 6", `t:1:12: the count is "1e999"; expected a finite number, at least 0`},
		{"0 send 1 0 0x10 6", `t:1:12: the count is "0x10"; expected a finite number, at least 0`},
		{"0 send 1 0 1e 6", `t:1:12: the count is "1e"; expected a finite number, at least 0`},
		{"0 send 1 0 1e16 6", `t:1:12: the count is "1e16"; expected at most 9007199254740992`},
		{"0 send 1 0 5 60", `t:1:14: the data type is "60"; expected a number from 0 to 59`},
		{"0 send 1 0 5 -1", `t:1:14: the data type is "-1"; expected a number from 0 to 59`},
		{"0 send 1 0 5", "t:1:13: the size of what is counted is not known; expected a data type, or an init before this action"},
		{"0 allgatherv 5 1 2 3 1 2 3", "t:1:27: the size of what is counted is not known; expected a data type, or an init before this action"},
		{"0 compute", "t:1:10: the line ends before the work; expected compute FLOP"},
		{"0 compute -5", `t:1:11: the work is "-5"; expected a finite number, at least 0`},
		{"0 sleep -5", `t:1:9: the time is "-5"; expected a finite number, at least 0`},
		{"0 compute 1 2", `t:1:13: unexpected "2"; expected the end of the line: compute FLOP`},
		{"0 location", "t:1:11: the line ends before the file; expected location FILE LINE"},
		{"0 location f x", `t:1:14: the line is "x"; expected a whole number`},
		{"0 wait 0 1 7", "t:1:1: rank 0 waits and has no open request; expected an isend or irecv before it"},
		{"0 isend 1 7 1 6\n0 waitall\n 0 wait 0 1 7", "t:3:2: rank 0 waits and has no open request; expected an isend or irecv before it"},
		{"0 wait 0 1", "t:1:11: the line ends before the tag; expected wait SOURCE DESTINATION TAG"},
		{"0 test 0 3 1", `t:1:10: the destination is "3"; expected a rank from 0 to 2 or -666 for none`},
		{"0 test -1 0 1", `t:1:8: the source is "-1"; expected a rank from 0 to 2, -555 for any or -666 for none`},
		{"0 sendRecv 1 1 1 1", "t:1:19: the line ends before the data type sent; expected sendRecv COUNT PEER COUNT PEER TYPE TYPE"},
		{"0 sendRecv 1 1 1 1 6", "t:1:21: the line ends before the data type received; expected sendRecv COUNT PEER COUNT PEER TYPE TYPE"},
		{"0 bcast 1 3 6", `t:1:11: the root is "3"; expected a rank from 0 to 2`},
		{"0 bcast 1 -1 6", `t:1:11: the root is "-1"; expected a rank from 0 to 2`},
		{"0 bcast 3e9 0 6", `t:1:9: the count is "3e9"; expected at most 2147483647`},
		{"0 reduce 1", "t:1:11: the line ends before the work; expected reduce COUNT FLOP [ROOT [TYPE]]"},
		{"0 gather 1 1 0 6 6 6", `t:1:20: unexpected "6"; expected the end of the line: gather COUNT COUNT [ROOT [TYPE [TYPE]]]`},
		{"0 gatherv 1 1 1", "t:1:16: the line ends before the count to receive of every rank; expected 3 counts, one of each rank: gatherv COUNT COUNTS [ROOT [TYPE [TYPE]]]"},
		{"0 gatherv 1 1 1e6 1", `t:1:15: the count to receive is "1e6"; expected a whole number from 0 to 2147483647, without exponent`},
		{"0 allgatherv 1 1 1 1 6 6 0 0", "t:1:29: the line ends before the displacement of every rank; expected 3 displacements, one of each rank: allgatherv COUNT COUNTS"},
		{"0 alltoallv 1 1 1 1 1 1 1", "t:1:26: the line ends before the count to receive of every rank; expected 3 counts,"},
		{"0 bcast 1 0 55", `t:1:13: the data type is "55"; expected one whose elements have a size`},

		{"\ufeff0 init", "t:1:1: the text begins with a byte order mark; expected UTF-8 without one"},
		{"# " + strings.Repeat("x", 4<<20), "t:1:1: the line is longer than 4194304 bytes; expected shorter lines"},
	} {
		t.Run(strings.TrimRight(tt.text[:min(len(tt.text), 40)], "x"), func(t *testing.T) {
			text := tt.text + "\n"
			folder := write(t, map[string]string{"list": "t\n1\n2\n", "t": text, "1": "", "2": ""})
			for way, open := range map[string]func() (*titrace.Program, error){
				"merged": func() (*titrace.Program, error) { return titrace.Read("t", strings.NewReader(text), 3) },
				// While this is read, the number of ranks is not known.
				"merged, ranks counted": func() (*titrace.Program, error) {
					return titrace.Read("t", strings.NewReader(text+"1 init\n2 init\n"), 0)
				},
				"split": func() (*titrace.Program, error) { return titrace.Open(filepath.Join(folder, "list"), 3) },
			} {
				p, err := open()
				if err == nil {
					for op := (workloads.Op{}); p.Next(0, &op) && op.Kind != 0; {
						op = workloads.Op{}
					}
					err = p.Close()
				}
				expect.Need(t, err != nil, "%s: no error, want %q", way, tt.want)
				got := strings.TrimPrefix(err.Error(), folder+string(filepath.Separator))
				expect.That(t, strings.HasPrefix(got, tt.want), "%s: error\n%s\nwant\n%s", way, got, tt.want)
			}
		})
	}
}

// The rank of a line is looked at when a merged trace is opened.
func TestRankErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"3 init", `t:1:1: the rank is "3"; expected a rank from 0 to 2 at the beginning of the line`},
		{"0 init\n x init", `t:2:2: the rank is "x"; expected a rank from 0 to 2 at the beginning of the line`},
		{"-1 init", `t:1:1: the rank is "-1"; expected a rank from 0 to 2 at the beginning of the line`},
	} {
		_, err := titrace.Read("t", strings.NewReader(tt.text+"\n"), 3)
		expect.That(t, err != nil && err.Error() == tt.want, "%q: error\n%v\nwant\n%s", tt.text, err, tt.want)
	}
}

// The error is that of the first failure, and the operation stored has Kind 0.
func TestGivesUp(t *testing.T) {
	p := expect.Value(titrace.Read("t", strings.NewReader("0 init\n1 fly\n0 swim\n"), 0))(t)
	op := workloads.Op{}
	expect.Need(t, p.Next(0, &op) && op == (workloads.Op{}), "got %+v, want an operation of kind 0", op)
	expect.Need(t, p.Next(1, &op) && op == (workloads.Op{}), "got %+v, want an operation of kind 0", op)
	for range 2 {
		if err := p.Close(); err == nil || !strings.HasPrefix(err.Error(), `t:3:3: "swim"`) {
			t.Errorf("error %v, want that of line 3", err)
		}
	}
}

func TestReadRanks(t *testing.T) {
	for _, tt := range []struct {
		text  string
		ranks int
		want  string // error, or ""
	}{
		{"1 init\n0 init\n", 0, ""},
		{"1 init\n0 init\n", 2, ""},
		{"1 init\n0 init", 2, ""}, // the last line needs no end
		{"0\tinit\r\n\r\n  1 init\t\r\n", 2, ""},
		{"0 init\n", 2, ""}, // a rank may have nothing to do
		{"", 2, ""},
		{"", 0, "t: no action; expected a trace"},
		{"# nothing\n\n", 0, "t: no action; expected a trace"},
		{"0 init\n2 init\n", 0, "t: no action of rank 1, but one of rank 2; expected some of every rank, or the number of ranks"},
		{"16777216 init\n", 0, `t:1:1: the rank is "16777216"; expected a rank from 0 to 16777215 at the beginning of the line`},
		{"", -1, "titrace: -1 ranks; expected 1 to 16777216, or 0 for as many as are found"},
		{"", 1<<24 + 1, "titrace: 16777217 ranks; expected 1 to 16777216, or 0 for as many as are found"},
	} {
		p, err := titrace.Read("t", strings.NewReader(tt.text), tt.ranks)
		switch {
		case tt.want != "":
			expect.That(t, err != nil && err.Error() == tt.want, "%q: error %v, want %s", tt.text, err, tt.want)
		case err != nil:
			t.Errorf("%q: %v", tt.text, err)
		case p.Ranks() != 2:
			t.Errorf("%q: %d ranks, want 2", tt.text, p.Ranks())
		default:
			drain(t, p)
		}
	}
}

// randomTrace returns the lines of each rank of a trace that can be read to its
// end, without the ranks.
func randomTrace(r *rand.Rand, ranks, actions int) [][]string {
	all := make([][]string, ranks)
	for me := range all {
		lines := []string{"init"}
		for range r.IntN(actions + 1) {
			peer, tag, size := number(r.IntN(ranks)), number(r.IntN(3)), number(r.IntN(1<<r.IntN(31)))
			lines = append(lines, [...]string{
				"compute " + size,
				"sleep 0." + size,
				"send " + peer + " " + tag + " " + size,
				"recv " + peer + " " + tag + " " + size + " 4",
				"isend " + peer + " " + tag + " " + size,
				"irecv " + peer + " " + tag + " " + size,
				"test " + peer + " " + number(me) + " " + tag,
				"waitall",
				"bcast " + size + " " + peer,
				"allreduce " + size + " 5 2",
				"alltoallv 5" + strings.Repeat(" "+size, ranks) + " 6" + strings.Repeat(" 3", ranks),
				"isend " + peer + " 9 1e3\nwait " + number(me) + " " + peer + " 9",
				"# comment\n",
			}[r.IntN(13)])
		}
		all[me] = strings.Split(strings.Join(append(lines, "finalize"), "\n"), "\n")
	}
	return all
}

// merge shuffles the lines of the ranks and keeps the order of each.
func merge(r *rand.Rand, all [][]string) string {
	var order []int
	for rank, lines := range all {
		for range lines {
			order = append(order, rank)
		}
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	at := make([]int, len(all))
	var text strings.Builder
	for _, rank := range order {
		text.WriteString(line(rank, all[rank][at[rank]]))
		at[rank]++
	}
	return text.String()
}

func line(rank int, action string) string {
	if action == "" || action[0] == '#' {
		return action + "\n"
	}
	return number(rank) + " " + action + "\n"
}

func number(i int) string { return fmt.Sprint(i) }

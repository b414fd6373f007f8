package smpi_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

// The requests that SimGrid 3.32 posts. Each case is a trace of one collective call,
// with an init before and a finalize after it, which was replayed by
//
//	smpirun -replay LIST -platform P.xml -hostfile H -np P --cfg=smpi/OPERATION:ALGORITHM
//	        --log=smpi_request.thres:verbose
//
// on a crossbar of hosts. SMPI then reports every request that it makes; testdata/posts.txt has
// those of each rank in order.
func TestPostsOfSimGrid(t *testing.T) {
	cases := strings.Split(string(expect.Value(os.ReadFile("testdata/posts.txt"))(t)), "\n\n")[1:]
	for _, text := range cases {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		algorithm, keys, _ := strings.Cut(lines[0], " ")
		for r, want := range lines[1:] {
			sel, c := postedCall(t, algorithm, keys, r)
			got := posts(t, sel, c)
			expect.That(t, got == want && len(lines) == c.Ranks+1, "%s, rank %d of %d posts %q; SimGrid posts %q", lines[0], r, c.Ranks, got, want)
		}
	}
	expect.That(t, len(cases) >= 26, "%d cases, want 26 or more", len(cases))
}

// postedCall reads the call of a rank in posts.txt.
func postedCall(t *testing.T, algorithm, keys string, rank int) (*smpi.Selector, smpi.Call) {
	var sel smpi.Selector
	operation, name, _ := strings.Cut(algorithm, ":")
	expect.Success(t, sel.Set(operation, name))
	c := smpi.Call{Rank: rank}
	for c.Operation = smpi.Barrier; c.Operation.String() != operation; {
		c.Operation++
	}
	for _, field := range strings.Fields(keys) {
		key, text, _ := strings.Cut(field, "=")
		var list []int64
		for number := range strings.SplitSeq(text, ",") {
			list = append(list, expect.Value(strconv.ParseInt(number, 10, 64))(t))
		}
		switch n := list[0]; key {
		case "ranks":
			c.Ranks = int(n)
		case "root":
			c.Root = int(n)
		case "send":
			c.SendCount = n
		case "receive":
			c.RecvCount = n
		case "element":
			c.SendElement, c.RecvElement = units.Bytes(n), units.Bytes(n)
		case "counts":
			switch c.Operation {
			case smpi.Alltoallv:
				c.SendCounts = list[rank*c.Ranks : (rank+1)*c.Ranks]
				for source := range c.Ranks {
					c.RecvCounts = append(c.RecvCounts, list[source*c.Ranks+rank])
				}
			case smpi.Allgatherv:
				c.SendCount = list[rank]
				fallthrough
			default:
				c.RecvCounts = list
			}
		default:
			t.Fatalf("key %q", key)
		}
	}
	return &sel, c
}

// posts writes down what a rank posts in a call.
func posts(t *testing.T, sel *smpi.Selector, c smpi.Call) string {
	t.Helper()
	var words []string
	for _, op := range operations(t, sel, c) {
		switch op.Kind {
		case workloads.Send, workloads.Isend:
			words = append(words, fmt.Sprintf("s%d:%.0f", op.Peer, float64(op.Size)))
		case workloads.Recv, workloads.Irecv:
			words = append(words, fmt.Sprintf("r%d", op.Peer))
		case workloads.Sendrecv:
			words = append(words, fmt.Sprintf("s%d:%.0f r%d", op.Peer, float64(op.Size), op.From))
		}
	}
	return strings.Join(words, " ")
}

func operations(t *testing.T, sel *smpi.Selector, c smpi.Call) []workloads.Op {
	t.Helper()
	q := expect.Value(sel.Start(c))(t)
	var ops []workloads.Op
	for {
		var op workloads.Op
		if !q.Next(&op) {
			return ops
		}
		ops = append(ops, op)
	}
}

// SimGrid's report of requests does not show who waits for what. That follows from the
// times, which were compared for all algorithms when they were written. This test has
// one algorithm of each form.
func TestBlocking(t *testing.T) {
	for _, tt := range []struct {
		algorithm string
		call      smpi.Call
		want      string
	}{
		{"bcast:default", smpi.Call{Operation: smpi.Bcast, Ranks: 4, SendCount: 8}, "send send"},
		{"bcast:flattree", smpi.Call{Operation: smpi.Bcast, Ranks: 4, SendCount: 8}, "isend isend isend waitall"},
		{"reduce:default", smpi.Call{Operation: smpi.Reduce, Ranks: 4, SendCount: 8}, "irecv irecv irecv waitall"},
		{"reduce:default", smpi.Call{Operation: smpi.Reduce, Ranks: 4, Rank: 1, SendCount: 8}, "isend waitall"},
		{"reduce:flat_tree", smpi.Call{Operation: smpi.Reduce, Ranks: 4, Rank: 1, SendCount: 8}, "send"},
		{"allreduce:default", smpi.Call{Operation: smpi.Allreduce, Ranks: 3, Rank: 0, SendCount: 8}, "irecv irecv waitall send send"},
		{"scatter:ompi_binomial", smpi.Call{Operation: smpi.Scatter, Ranks: 4, SendCount: 8, RecvCount: 8}, "send send"},
		{"allgather:default", smpi.Call{Operation: smpi.Allgather, Ranks: 3, SendCount: 8, RecvCount: 8}, "isend irecv isend irecv waitall"},
		{"allgather:ring", smpi.Call{Operation: smpi.Allgather, Ranks: 3, SendCount: 8, RecvCount: 8}, "sendrecv sendrecv"},
		{"allgather:NTSLR_NB", smpi.Call{Operation: smpi.Allgather, Ranks: 3, SendCount: 8, RecvCount: 8}, "irecv irecv isend wait wait isend wait wait"},
		{"alltoall:default", smpi.Call{Operation: smpi.Alltoall, Ranks: 3, SendCount: 8, RecvCount: 8}, "irecv irecv isend isend waitall"},
		{"alltoall:ring_mpi_barrier", smpi.Call{Operation: smpi.Alltoall, Ranks: 2, SendCount: 8, RecvCount: 8}, "irecv waitall isend waitall irecv waitall isend waitall sendrecv"},
		{"barrier:default", smpi.Call{Operation: smpi.Barrier, Ranks: 3}, "irecv irecv waitall isend isend waitall"},
		{"barrier:ompi_tree", smpi.Call{Operation: smpi.Barrier, Ranks: 4, Rank: 2}, "recv send recv send"},
		{"barrier:ompi_bruck", smpi.Call{Operation: smpi.Barrier, Ranks: 4, Rank: 2}, "sendrecv sendrecv"},
		{"bcast:NTSL", smpi.Call{Operation: smpi.Bcast, Ranks: 3, Rank: 1, SendCount: 16384}, "irecv irecv wait isend wait isend waitall"},
		{"bcast:ompi_pipeline", smpi.Call{Operation: smpi.Bcast, Ranks: 3, Rank: 1, SendCount: 32768}, "irecv irecv wait isend wait wait isend wait"},
		{"reduce:ompi_binary", smpi.Call{Operation: smpi.Reduce, Ranks: 4, Rank: 1, SendCount: 65536}, "irecv irecv wait send wait send"},
		{"reduce:mvapich2_knomial", smpi.Call{Operation: smpi.Reduce, Ranks: 6, Rank: 4, SendCount: 8}, "irecv waitall isend waitall"},
		{"bcast:ompi_split_bintree", smpi.Call{Operation: smpi.Bcast, Ranks: 6, Rank: 1, SendCount: 4096}, "irecv irecv wait send send wait send send sendrecv"},
		{"bcast:ompi_split_bintree", smpi.Call{Operation: smpi.Bcast, Ranks: 6, Rank: 5, SendCount: 4096}, "recv recv recv"},
	} {
		var sel smpi.Selector
		operation, name, _ := strings.Cut(tt.algorithm, ":")
		expect.Success(t, sel.Set(operation, name))
		c := tt.call
		c.SendElement, c.RecvElement = 1, 1
		var kinds []string
		for _, op := range operations(t, &sel, c) {
			kinds = append(kinds, op.Kind.String())
		}
		expect.Equal(t, strings.Join(kinds, " "), tt.want, "%s, rank %d", tt.algorithm, c.Rank)
	}
}

// A rank in the middle of an all-to-all exchange among very many must find its
// next operation at once, and without allocation.
func TestNextDoesNotAllocate(t *testing.T) {
	var sel smpi.Selector
	for _, name := range []string{"basic_linear", "ring", "bruck"} {
		expect.Success(t, sel.Set("alltoall", name))
		q := expect.Value(sel.Start(smpi.Call{Operation: smpi.Alltoall, Ranks: 1 << 20, Rank: 5, SendCount: 8, RecvCount: 8, SendElement: 8, RecvElement: 8}))(t)
		var op workloads.Op
		if !q.Next(&op) { // sets up the first part
			t.Fatal("nothing to do")
		}
		n := testing.AllocsPerRun(10, func() { q.Next(&op) })
		expect.That(t, n == 0, "%s: %v allocations per operation; expected none", name, n)
	}
}

// Two sequences of one call are independent, as are those of different ranks, also if a
// sequence keeps its place.
func TestSequenceIsAValue(t *testing.T) {
	for algorithm, c := range map[string]smpi.Call{
		"allreduce:default":     {Operation: smpi.Allreduce, Ranks: 7, SendCount: 100},
		"allgatherv:mpich_ring": {Operation: smpi.Allgatherv, Ranks: 4, SendCount: 70000, RecvCounts: []int64{0, 100, 70000, 70000}},
	} {
		var sel smpi.Selector
		operation, name, _ := strings.Cut(algorithm, ":")
		expect.Success(t, sel.Set(operation, name))
		c.Rank, c.SendElement, c.RecvElement = 3, 8, 8
		want := operations(t, &sel, c)
		q := expect.Value(sel.Start(c))(t)
		var op workloads.Op
		q.Next(&op)
		copied := q
		var got, rest []workloads.Op
		got, rest = append(got, op), append(rest, op)
		for q.Next(&op) {
			got = append(got, op)
		}
		for copied.Next(&op) {
			rest = append(rest, op)
		}
		expect.That(t, slices.Equal(got, want) && slices.Equal(rest, want),
			"%s: a sequence gives %v and its copy %v; expected %v", algorithm, got, rest, want)
	}
}

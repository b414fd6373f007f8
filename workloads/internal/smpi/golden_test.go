package smpi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

// What SimGrid 3.32 posts. Each case is a trace of one collective call, with an
// init before and a finalize after it, that was replayed by
//
//	smpirun -replay LIST -platform P.xml -hostfile H -np P --cfg=smpi/OPERATION:ALGORITHM
//	        --log=smpi_request.thres:verbose
//
// on a crossbar of hosts. SMPI then reports every request that it makes; here
// stand those of each rank in order, sR:N for a message of N bytes to R, rR for a
// receive from R.
func TestPostsOfSimGrid(t *testing.T) {
	for _, tt := range []struct {
		algorithm string
		calls     func(rank int) smpi.Call
		posts     []string
	}{
		{"scatter:ompi_binomial", each(smpi.Call{Operation: smpi.Scatter, Ranks: 6, Root: 2, SendCount: 100, RecvCount: 100}, 8), []string{
			"r2 s1:800",
			"r0",
			"s3:800 s4:1600 s0:1600",
			"r2",
			"r2 s5:800",
			"r4",
		}},
		{"gather:ompi_binomial", each(smpi.Call{Operation: smpi.Gather, Ranks: 6, Root: 2, SendCount: 100, RecvCount: 100}, 8), []string{
			"r1 s2:1600",
			"s0:800",
			"r3 r4 r0",
			"s2:800",
			"r5 s2:1600",
			"s4:800",
		}},
		{"allreduce:rab_rdb", each(smpi.Call{Operation: smpi.Allreduce, Ranks: 6, SendCount: 13}, 4), []string{
			"s1:52 r1",
			"r0 s3:28 r3 s4:12 r4 s4:12 r4 s3:24 r3 s0:52",
			"s3:52 r3",
			"r2 s1:24 r1 s5:16 r5 s5:12 r5 s1:28 r1 s2:52",
			"s5:28 r5 s1:12 r1 s1:12 r1 s5:24 r5",
			"s4:24 r4 s3:12 r3 s3:16 r3 s4:28 r4",
		}},
		{"bcast:ompi_split_bintree", each(smpi.Call{Operation: smpi.Bcast, Ranks: 6, Root: 2, SendCount: 300}, 8), []string{
			"r4 r4 s5:1200 r5",
			"r3 r3 r2",
			"s3:1024 s4:1024 s3:176 s4:176 s1:1200",
			"r2 r2 s5:1024 s1:1024 s5:176 s1:176 s4:1200 r4",
			"r2 r2 s0:1024 s0:176 s3:1200 r3",
			"r3 r3 s0:1200 r0",
		}},
		{"bcast:ompi_split_bintree", each(smpi.Call{Operation: smpi.Bcast, Ranks: 5, Root: 4, SendCount: 300}, 8), []string{
			"r4 r4 s2:1024 s2:176 s1:1200 r1",
			"r4 r4 s3:1024 s3:176 s0:1200 r0",
			"r0 r0 s3:1200 r3",
			"r1 r1 s2:1200 r2",
			"s0:1024 s1:1024 s0:176 s1:176",
		}},
		{"reduce:rab", each(smpi.Call{Operation: smpi.Reduce, Ranks: 6, Root: 3, SendCount: 11}, 8), []string{
			"s1:48 r1 r1 s2:48 r2 s4:24 r4 s3:16",
			"s0:40 r0 s0:48",
			"s3:48 r3 r3 s0:40 r0 s5:24 r5 r5 s3:48",
			"s2:40 r2 s2:48 r0 r4 r2",
			"s5:48 r5 s0:16 r0 s3:24 r5",
			"s4:40 r4 s2:24 r2 s2:24 s4:48",
		}},
		{"reduce:rab", each(smpi.Call{Operation: smpi.Reduce, Ranks: 6, Root: 4, SendCount: 11}, 8), []string{
			"s1:48 r1 r1 s2:48 r2 s4:24 r4 s4:16 r2",
			"s0:40 r0 s0:48",
			"s3:48 r3 r3 s0:40 r0 s5:24 r5 s5:24 s0:48",
			"s2:40 r2 s2:48",
			"s5:48 r5 s0:16 r0 r0 r5",
			"s4:40 r4 s2:24 r2 r2 s4:48",
		}},
		{"reduce:mvapich2_knomial", each(smpi.Call{Operation: smpi.Reduce, Ranks: 7, Root: 2, SendCount: 11}, 8), []string{
			"s6:88",
			"s6:88",
			"r5 r4 r3 r6",
			"s2:88",
			"s2:88",
			"s2:88",
			"r1 r0 s2:88",
		}},
		{"allreduce:rab", each(smpi.Call{Operation: smpi.Allreduce, Ranks: 6, SendCount: 11}, 8), []string{
			"s1:48 r1 r1 s2:48 r2 s4:24 r4 s4:16 r4 s2:40 r2 s1:88",
			"s0:40 r0 s0:48 r0",
			"s3:48 r3 r3 s0:40 r0 s5:24 r5 s5:24 r5 s0:48 r0 s3:88",
			"s2:40 r2 s2:48 r2",
			"s5:48 r5 s0:16 r0 s0:24 r0 s5:40 r5",
			"s4:40 r4 s2:24 r2 s2:24 r2 s4:48 r4",
		}},
		{"allgatherv:mpich_ring", func(rank int) smpi.Call {
			counts := []int64{40000, 0, 10000, 70000, 5}
			return each(smpi.Call{Operation: smpi.Allgatherv, Ranks: 5, SendCount: counts[rank], RecvCounts: counts}, 8)(rank)
		}, []string{
			"s1:262144 r4 s1:57856 r4 s1:40 r4 s1:262144 r4 s1:262144 r4 s1:35712 s1:80000",
			"r0 s2:262144 r0 s2:57856 r0 s2:40 r0 s2:262144 r0 s2:262144 r0 s2:35712 r0",
			"s3:80000 r1 s3:262144 r1 s3:57856 r1 s3:40 r1 r1 r1",
			"s4:262144 r2 s4:262144 s4:35712 r2 s4:80000 r2 r2 s4:262144 s4:57856",
			"s0:40 r3 s0:262144 r3 s0:262144 r3 s0:35712 r3 s0:80000 r3 r3",
		}},
		{"alltoall:mvapich2_scatter_dest", each(smpi.Call{Operation: smpi.Alltoall, Ranks: 6, SendCount: 10, RecvCount: 10}, 8), []string{
			"r0 r1 r2 r3 s0:80 s5:80 s4:80 s3:80 r4 r5 s2:80 s1:80",
			"r1 r2 r3 r4 s1:80 s0:80 s5:80 s4:80 r5 r0 s3:80 s2:80",
			"r2 r3 r4 r5 s2:80 s1:80 s0:80 s5:80 r0 r1 s4:80 s3:80",
			"r3 r4 r5 r0 s3:80 s2:80 s1:80 s0:80 r1 r2 s5:80 s4:80",
			"r4 r5 r0 r1 s4:80 s3:80 s2:80 s1:80 r2 r3 s0:80 s5:80",
			"r5 r0 r1 r2 s5:80 s4:80 s3:80 s2:80 r3 r4 s1:80 s0:80",
		}},
		{"reduce_scatter:default", each(smpi.Call{Operation: smpi.ReduceScatter, Ranks: 5, RecvCounts: []int64{10, 20, 30, 40, 50}}, 8), []string{
			"s1:1120 r1 s2:960 r2 s4:400 r4 s2:800 s1:800",
			"s0:1040 r0 s3:960 r3 r0",
			"s3:960 r3 s0:640 r0 r0 s3:800",
			"s2:880 r2 s1:640 r1 r2",
			"s0:800 r0",
		}},
		{"reduce_scatter:default", each(smpi.Call{Operation: smpi.ReduceScatter, Ranks: 4, RecvCounts: []int64{275427, 275427, 275427, 204020}}, 8), []string{
			"s1:2203416 r3 s2:2203416 r2 s3:1632160 r1",
			"s2:2203416 r0 s3:1632160 r3 s0:2203416 r2",
			"s3:1632160 r1 s0:2203416 r0 s1:2203416 r3",
			"s0:2203416 r2 s1:2203416 r1 s2:2203416 r0",
		}},
		{"reduce_scatter:default", each(smpi.Call{Operation: smpi.ReduceScatter, Ranks: 4, RecvCounts: []int64{7, 7, 7, 7}}, 1), []string{
			"r1 r2 r3 s1:7 s2:7 s3:7",
			"s0:28 r0",
			"s0:28 r0",
			"s0:28 r0",
		}},
		{"reduce:scatter_gather", each(smpi.Call{Operation: smpi.Reduce, Ranks: 5, Root: 1, SendCount: 11}, 8), []string{
			"r1 s2:56 r2 s3:16 r3 s1:16",
			"s0:88 r0 r3 r2",
			"s0:32 r0 s4:40 r4 r4 s1:56",
			"s4:56 r4 s0:16 r0 s1:16",
			"s3:32 r3 s2:16 r2 s2:40",
		}},
		{"reduce:ompi_chain", each(smpi.Call{Operation: smpi.Reduce, Ranks: 5, Root: 1, SendCount: 70000}, 1), []string{
			"s4:65536 s4:4464",
			"r2 r4 r2 r4",
			"r3 r3 s1:65536 s1:4464",
			"s2:65536 s2:4464",
			"r0 r0 s1:65536 s1:4464",
		}},
		{"allgather:rdb", each(smpi.Call{Operation: smpi.Allgather, Ranks: 5, SendCount: 10, RecvCount: 10}, 1), []string{
			"s1:10 r1 s2:20 r2 s4:40 r4 s2:10 s1:10",
			"s0:10 r0 s3:20 r3 r0",
			"s3:10 r3 s0:20 r0 r0 s3:10",
			"s2:10 r2 s1:20 r1 r2",
			"s0:10 r0",
		}},
		{"allreduce:lr", each(smpi.Call{Operation: smpi.Allreduce, Ranks: 3, SendCount: 7}, 1), []string{
			"s1:2 r2 s1:2 r2 s1:2 r2 s1:2 r2 r1 r2 s2:1 s1:1",
			"s2:2 r0 s2:2 r0 s2:2 r0 s2:2 r0 s0:1 r0",
			"s0:2 r1 s0:2 r1 s0:2 r1 s0:2 r1 s0:1 r0",
		}},
		{"bcast:scatter_LR_allgather", each(smpi.Call{Operation: smpi.Bcast, Ranks: 5, Root: 3, SendCount: 7}, 1), []string{
			"r3 s1:1 s1:2 r4 s1:2 r4 s1:2 r4 s1:0 r4",
			"r0 s2:1 r0 s2:2 r0 s2:2 r0 s2:2 r0",
			"s3:0 r1 s3:1 r1 s3:2 r1 s3:2 r1",
			"s0:3 s4:2 s4:2 r2 s4:0 r2 s4:1 r2 s4:2 r2",
			"r3 s0:2 r3 s0:2 r3 s0:0 r3 s0:1 r3",
		}},
		{"bcast:NTSB", each(smpi.Call{Operation: smpi.Bcast, Ranks: 4, Root: 2, SendCount: 20000}, 1), []string{
			"r2 s1:8192 s2:8192 s1:8192 s2:8192 r2 s1:3616 s2:3616",
			"r0 r0 s3:8192 s3:8192 r0 s3:3616",
			"s0:20000 r0 r0 s0:3616 r0",
			"r1 r1 r1",
		}},
		{"alltoall:default", each(smpi.Call{Operation: smpi.Alltoall, Ranks: 3, SendCount: 100, RecvCount: 100}, 1), []string{
			"r1 r2 s2:100 s1:100",
			"r2 r0 s0:100 s2:100",
			"r0 r1 s1:100 s0:100",
		}},
		{"alltoallv:default", func(rank int) smpi.Call {
			counts := [][]int64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
			c := smpi.Call{Operation: smpi.Alltoallv, Ranks: 3, Rank: rank, SendElement: 1, RecvElement: 1, SendCounts: counts[rank]}
			for _, row := range counts {
				c.RecvCounts = append(c.RecvCounts, row[rank])
			}
			return c
		}, []string{
			"r1 r2 s1:2 s2:3",
			"r0 r2 s0:4 s2:6",
			"r0 r1 s0:7 s1:8",
		}},
		{"alltoall:ring_light_barrier", each(smpi.Call{Operation: smpi.Alltoall, Ranks: 4, SendCount: 100, RecvCount: 100}, 1), []string{
			"s1:100 r3 s2:1 r2 s2:100 r2 s1:1 r3 s3:100 r1",
			"s2:100 r0 s3:1 r3 s3:100 r3 s2:1 r0 s0:100 r2",
			"s3:100 r1 s0:1 r0 s0:100 r0 s3:1 r1 s1:100 r3",
			"s0:100 r2 s1:1 r1 s1:100 r1 s0:1 r2 s2:100 r0",
		}},
		{"allgatherv:ompi_neighborexchange", func(rank int) smpi.Call {
			return smpi.Call{Operation: smpi.Allgatherv, Ranks: 6, Rank: rank, SendElement: 1, RecvElement: 1,
				SendCount: 1 << rank, RecvCounts: []int64{1, 2, 4, 8, 16, 32}}
		}, []string{
			"s1:1 r1 s5:3 r5 s1:48 r1",
			"s0:2 r0 s2:3 r2 s0:12 r0",
			"s3:4 r3 s1:12 r1 s3:3 r3",
			"s2:8 r2 s4:12 r4 s2:48 r2",
			"s5:16 r5 s3:48 r3 s5:12 r5",
			"s4:32 r4 s0:48 r0 s4:3 r4",
		}},
		{"gather:ompi_linear_sync", each(smpi.Call{Operation: smpi.Gather, Ranks: 3, Root: 1, SendCount: 3000, RecvCount: 3000}, 1), []string{
			"r1 s1:1024 s1:1976",
			"r0 s0:0 r0 r2 s2:0 r2",
			"r1 s1:1024 s1:1976",
		}},
		{"barrier:default", each(smpi.Call{Operation: smpi.Barrier, Ranks: 3}, 1), []string{
			"r1 r2 s1:0 s2:0",
			"s0:0 r0",
			"s0:0 r0",
		}},
	} {
		var sel smpi.Selector
		operation, name, _ := strings.Cut(tt.algorithm, ":")
		succeed(t, sel.Set(operation, name))
		for r, want := range tt.posts {
			if got := posts(t, &sel, tt.calls(r)); got != want {
				t.Errorf("%s, rank %d of %d posts %q; SimGrid posts %q", tt.algorithm, r, len(tt.posts), got, want)
			}
		}
	}
}

// each is the same call for each rank, with elements of one size.
func each(c smpi.Call, element units.Bytes) func(rank int) smpi.Call {
	return func(rank int) smpi.Call {
		c := c
		c.Rank, c.SendElement, c.RecvElement = rank, element, element
		return c
	}
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
	q := must(sel.Start(c))(t)
	var ops []workloads.Op
	for {
		var op workloads.Op
		if !q.Next(&op) {
			return ops
		}
		ops = append(ops, op)
	}
}

// Who waits for what cannot be seen in SimGrid's report of requests; it follows
// from the times, which were compared for all algorithms when they were written.
// Here it is written down for one of each form.
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
		succeed(t, sel.Set(operation, name))
		c := tt.call
		c.SendElement, c.RecvElement = 1, 1
		var kinds []string
		for _, op := range operations(t, &sel, c) {
			kinds = append(kinds, op.Kind.String())
		}
		if got := strings.Join(kinds, " "); got != tt.want {
			t.Errorf("%s, rank %d: %s; expected %s", tt.algorithm, c.Rank, got, tt.want)
		}
	}
}

// A rank in the middle of an all-to-all exchange among very many must find its
// next operation at once, and without allocation.
func TestNextDoesNotAllocate(t *testing.T) {
	var sel smpi.Selector
	for _, name := range []string{"basic_linear", "ring", "bruck"} {
		succeed(t, sel.Set("alltoall", name))
		q, err := sel.Start(smpi.Call{Operation: smpi.Alltoall, Ranks: 1 << 20, Rank: 5, SendCount: 8, RecvCount: 8, SendElement: 8, RecvElement: 8})
		if err != nil {
			t.Fatal(err)
		}
		var op workloads.Op
		if !q.Next(&op) { // sets up the first part
			t.Fatal("nothing to do")
		}
		if n := testing.AllocsPerRun(10, func() { q.Next(&op) }); n != 0 {
			t.Errorf("%s: %v allocations per operation; expected none", name, n)
		}
	}
}

// Two sequences of one call are independent of each other, as are those of
// different ranks, also where a sequence keeps its place.
func TestSequenceIsAValue(t *testing.T) {
	for algorithm, c := range map[string]smpi.Call{
		"allreduce:default":     {Operation: smpi.Allreduce, Ranks: 7, SendCount: 100},
		"allgatherv:mpich_ring": {Operation: smpi.Allgatherv, Ranks: 4, SendCount: 70000, RecvCounts: []int64{0, 100, 70000, 70000}},
	} {
		var sel smpi.Selector
		operation, name, _ := strings.Cut(algorithm, ":")
		succeed(t, sel.Set(operation, name))
		c = each(c, 8)(3)
		want := operations(t, &sel, c)
		q := must(sel.Start(c))(t)
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
		if !slices.Equal(got, want) || !slices.Equal(rest, want) {
			t.Errorf("%s: a sequence gives %v and its copy %v; expected %v", algorithm, got, rest, want)
		}
	}
}

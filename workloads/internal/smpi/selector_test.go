package smpi_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

func TestSet(t *testing.T) {
	for _, tt := range []struct {
		operation, name string
		want            string // part of the error, or nothing
	}{
		{"allreduce", "rdb", ""},
		{"alltoall", "default", ""},
		{"reduce_scatter", "ompi_ring", ""},
		{"bcast", "binomial", `unknown algorithm "binomial" for bcast; known: NTSB, NTSL, NTSL_Isend, binomial_tree, default,`},
		{"bcast", "mpich", `algorithm "mpich" for bcast exists in SimGrid but not here; known: NTSB`},
		{"allgather", "loosely_lr", "exists in SimGrid but not here"},
		{"barrier", "", `unknown algorithm "" for barrier`},
		{"reducescatter", "default", `unknown collective operation "reducescatter"; known: barrier, bcast, reduce, allreduce, gather, scatter, allgather, allgatherv, alltoall, alltoallv, reduce_scatter`},
		{"gatherv", "default", `unknown collective operation "gatherv"`},
		{"", "default", `unknown collective operation ""`},
	} {
		var sel smpi.Selector
		expect.Outcome(t, sel.Set(tt.operation, tt.name), tt.want)
	}
}

func TestSetAll(t *testing.T) {
	barrier := smpi.Call{Operation: smpi.Barrier, Ranks: 8, Rank: 1}
	linear, bruck, doubling := "s0:0 r0", "s2:0 r0 s3:0 r7 s5:0 r5", "s0:0 r0 s3:0 r3 s5:0 r5"
	for _, tt := range []struct {
		set  func(s *smpi.Selector) error
		want string
	}{
		{func(s *smpi.Selector) error { return nil }, linear},
		{func(s *smpi.Selector) error { return s.SetAll("default") }, linear},
		{func(s *smpi.Selector) error { return s.SetAll("mpich") }, bruck},
		{func(s *smpi.Selector) error { return s.SetAll("mvapich2") }, doubling},
		{func(s *smpi.Selector) error { return s.SetAll("ompi") }, doubling},
		{func(s *smpi.Selector) error { return errors.Join(s.SetAll("ompi"), s.SetAll("mpich")) }, bruck},
		{func(s *smpi.Selector) error { return errors.Join(s.SetAll("mpich"), s.Set("barrier", "default")) }, linear},
		{func(s *smpi.Selector) error { return errors.Join(s.Set("barrier", "default"), s.SetAll("mpich")) }, linear},
		{func(s *smpi.Selector) error { return errors.Join(s.Set("bcast", "flattree"), s.SetAll("mpich")) }, bruck},
	} {
		var sel smpi.Selector
		expect.Success(t, tt.set(&sel))
		expect.Equal(t, posts(t, &sel, barrier), tt.want, "the barrier posts")
	}
	for name, want := range map[string]string{
		"impi":      `selector "impi" exists in SimGrid but not here; known: default, mpich, mvapich2, ompi`,
		"automatic": `selector "automatic" exists in SimGrid but not here`,
		"tree":      `unknown selector "tree"; known: default, mpich, mvapich2, ompi`,
		"":          `unknown selector ""`,
	} {
		expect.Failure(t, new(smpi.Selector).SetAll(name), want)
	}
}

// A selector can be chosen although it lacks some operations, which fail when they are
// called. This does not concern operations with a single algorithm.
func TestSetAllWithGaps(t *testing.T) {
	for name, want := range map[string][]smpi.Operation{
		"default":  nil,
		"ompi":     nil,
		"mpich":    {smpi.Bcast, smpi.Reduce, smpi.Allreduce},
		"mvapich2": {smpi.Bcast, smpi.Reduce, smpi.Allreduce, smpi.Scatter, smpi.Allgather},
	} {
		var sel smpi.Selector
		expect.Success(t, sel.SetAll(name))
		var failed []smpi.Operation
		for o := smpi.Barrier; o <= smpi.Exscan; o++ {
			_, err := sel.Start(calls(o, 4, 0, 10, false)[0])
			if err == nil {
				continue
			}
			failed = append(failed, o)
			expect.That(t, strings.Contains(err.Error(), "exists in SimGrid but not here; known: "),
				"%s, %v: %v", name, o, err)
		}
		expect.List(t, failed, want, "%s fails for", name)
	}
}

func TestNames(t *testing.T) {
	for o := smpi.Barrier; o <= smpi.Exscan; o++ {
		names := smpi.Names(o)
		expect.That(t, slices.IsSorted(names) && slices.Contains(names, "default") &&
			len(slices.Compact(slices.Clone(names))) == len(names),
			"names for %v are %v; expected each once, sorted, with default", o, names)
	}
	for o := smpi.Barrier; o <= smpi.ReduceScatter; o++ {
		for _, name := range smpi.Refused(o) {
			expect.Failure(t, new(smpi.Selector).Set(o.String(), name), "not here")
		}
	}
	names := smpi.Names(0)
	expect.That(t, names == nil, "names for no operation are %v", names)
}

// The defaults, and decisions by number of ranks and bytes, as seen in the operations that rank 1 posts.
func TestDefaultsAndDecisions(t *testing.T) {
	for _, tt := range []struct {
		operation      smpi.Operation
		ranks          int
		bytes          int64
		name, sameName string // what is set, and what it must be the same as
	}{
		{smpi.Barrier, 9, 0, "default", "ompi_basic_linear"},
		{smpi.Bcast, 9, 100, "default", "binomial_tree"},
		{smpi.Alltoall, 2, 1, "default", "pair"},
		{smpi.Alltoall, 2, 3, "default", "basic_linear"},
		{smpi.Alltoall, 2, 1 << 20, "default", "pair"},
		{smpi.Alltoall, 4, 100, "default", "basic_linear"},
		{smpi.Alltoall, 4, 524287, "default", "basic_linear"},
		{smpi.Alltoall, 4, 524288, "default", "pair"},
		{smpi.Alltoall, 4, 1 << 20, "default", "basic_linear"},
		{smpi.Alltoall, 15, 100, "default", "basic_linear"},
		{smpi.Alltoall, 16, 3, "default", "basic_linear"},
		{smpi.Alltoall, 16, 4, "default", "bruck"},
		{smpi.Alltoall, 31, 511, "default", "bruck"},
		{smpi.Alltoall, 16, 512, "default", "basic_linear"},
		{smpi.Alltoall, 32, 0, "default", "bruck"},
		{smpi.Alltoall, 63, 512, "default", "basic_linear"},
		{smpi.Alltoall, 64, 1023, "default", "bruck"},
		{smpi.Alltoall, 64, 262143, "default", "basic_linear"},
		{smpi.Alltoall, 64, 262144, "default", "pair"},
		{smpi.Alltoall, 9, 100, "ompi", "default"},
		{smpi.Barrier, 9, 0, "ompi", "ompi_recursivedoubling"},
		{smpi.Barrier, 5, 0, "ompi", "ompi_basic_linear"},
		{smpi.Allreduce, 6, 16, "ompi", "rdb"},
		{smpi.Allreduce, 6, 8192, "ompi", "rab_rdb"},
		{smpi.Allgather, 2, 10, "ompi", "pair"},
		{smpi.Allgather, 9, 10, "mpich", "bruck"},
		{smpi.Allgather, 9, 81920, "mpich", "ring"},
		{smpi.Allgather, 8, 10, "mpich", "rdb"},
		{smpi.Allgather, 10, 8192, "mpich", "bruck"},
		{smpi.Allgather, 10, 8193, "mpich", "ring"},
		{smpi.Allgather, 8, 65535, "mpich", "rdb"},
		{smpi.Allgather, 8, 65536, "mpich", "ring"},
		{smpi.Alltoall, 8, 255, "mpich", "bruck"},
		{smpi.Alltoall, 7, 255, "mpich", "mvapich2_scatter_dest"},
		{smpi.Alltoall, 8, 256, "mpich", "mvapich2_scatter_dest"},
		{smpi.Alltoall, 6, 32767, "mpich", "mvapich2_scatter_dest"},
		{smpi.Alltoall, 6, 32768, "mpich", "ring"},
		{smpi.Alltoallv, 8, 100, "mvapich2", "ring"},
		{smpi.Allgatherv, 8, 65535, "mpich", "mpich_rdb"},
		{smpi.Allgatherv, 8, 65536, "mpich", "mpich_ring"},
		{smpi.Allgatherv, 5, 16384, "mpich", "ompi_bruck"},
		{smpi.Allgatherv, 5, 16385, "mpich", "mpich_ring"},
		{smpi.Allgatherv, 8, 512, "mvapich2", "mpich_rdb"},
		{smpi.Allgatherv, 9, 512, "mvapich2", "ompi_bruck"},
		{smpi.Allgatherv, 8, 513, "mvapich2", "mpich_ring"},
		{smpi.Allgatherv, 33, 256, "mvapich2", "ompi_bruck"},
		{smpi.Allgatherv, 33, 257, "mvapich2", "mpich_ring"},
		{smpi.ReduceScatter, 16, 4, "mvapich2", "default"},
		{smpi.ReduceScatter, 13, 5, "mvapich2", "ompi_basic_recursivehalving"},
		{smpi.ReduceScatter, 16, 5, "mvapich2", "ompi_basic_recursivehalving"},
		{smpi.ReduceScatter, 16, 4097, "mvapich2", "mpich_pair"},
		{smpi.ReduceScatter, 17, 4096, "mvapich2", "ompi_basic_recursivehalving"},
		{smpi.ReduceScatter, 64, 16, "mvapich2", "default"},
		{smpi.Barrier, 8, 0, "mvapich2", "ompi_recursivedoubling"},
		{smpi.Bcast, 3, 31, "ompi", "ompi_pipeline"},
		{smpi.Bcast, 3, 32, "ompi", "NTSB"},
		{smpi.Bcast, 3, 1024, "ompi", "NTSL"},
		{smpi.Bcast, 3, 524288, "ompi", "binomial_tree"},
		{smpi.Bcast, 5, 2047, "ompi", "NTSB"},
		{smpi.Bcast, 5, 2048, "ompi", "binomial_tree"},
		{smpi.Bcast, 5, 8192, "ompi", "NTSL"},
		{smpi.Bcast, 7, 1 << 20, "ompi", "ompi_pipeline"},
		{smpi.Bcast, 9, 4096, "ompi", "NTSB"},
		{smpi.Bcast, 15, 16384, "ompi", "binomial_tree"},
		{smpi.Bcast, 15, 32768, "ompi", "NTSL"},
		{smpi.Bcast, 16, 4096, "ompi", "binomial_tree"},
		{smpi.Bcast, 31, 1 << 20, "ompi", "scatter_rdb_allgather"},
		{smpi.Bcast, 40, 2047, "ompi", "binomial_tree"},
		{smpi.Bcast, 128, 2, "ompi", "NTSB"},
		{smpi.Bcast, 600, 16384, "ompi", "ompi_split_bintree"},
		{smpi.Reduce, 16, 262145, "mvapich2", "binomial"},
		{smpi.Reduce, 16, 1<<20 + 1, "mvapich2", "scatter_gather"},
		{smpi.Reduce, 17, 65537, "mvapich2", "mvapich2_knomial"},
		{smpi.Reduce, 33, 262145, "mvapich2", "scatter_gather"},
		{smpi.Reduce, 65, 8193, "mvapich2", "mvapich2_knomial"},
		{smpi.Alltoall, 2, 10, "mvapich2", "pair"},
		{smpi.Alltoall, 4, 262144, "mvapich2", "mvapich2_scatter_dest"},
		{smpi.Alltoall, 4, 262145, "mvapich2", "pair"},
		{smpi.Alltoall, 5, 8, "mvapich2", "rdb"},
		{smpi.Alltoall, 8, 9, "mvapich2", "mvapich2_scatter_dest"},
		{smpi.Alltoall, 9, 512, "mvapich2", "bruck"},
		{smpi.Alltoall, 32, 32, "mvapich2", "rdb"},
		{smpi.Alltoall, 33, 1024, "mvapich2", "bruck"},
		{smpi.Alltoall, 33, 1025, "mvapich2", "mvapich2_scatter_dest"},
		{smpi.Allgatherv, 2, 2048, "ompi", "pair"},
		{smpi.Allgatherv, 6, 255, "ompi", "GB"},
		{smpi.Allgatherv, 6, 4096, "ompi", "mpich_ring"},
		{smpi.Allgatherv, 40, 8191, "ompi", "ompi_bruck"},
		{smpi.Allgatherv, 40, 8192, "ompi", "mpich_ring"},
	} {
		c := smpi.Call{Operation: tt.operation, Ranks: tt.ranks, Rank: 1, SendCount: tt.bytes, RecvCount: tt.bytes, SendElement: 1, RecvElement: 1}
		c.RecvCounts = slices.Repeat([]int64{tt.bytes}, tt.ranks)
		c.SendCounts = c.RecvCounts
		var one, other smpi.Selector
		expect.Success(t, one.Set(tt.operation.String(), tt.name))
		expect.Success(t, other.Set(tt.operation.String(), tt.sameName))
		expect.Equal(t, posts(t, &one, c), posts(t, &other, c), "%v %s of %d bytes among %d ranks posts as %s,", tt.operation, tt.name, tt.bytes, tt.ranks, tt.sameName)
	}
}

package smpi

import "math"

// band is the part of a table of decisions for fewer than so many ranks.
type band struct {
	ranks   int
	choices []choice
}

// choice is the algorithm for messages of fewer than so many bytes.
type choice struct {
	bytes int64
	name  string
}

const (
	anyRanks = math.MaxInt
	anyBytes = math.MaxInt64
)

// byOpenMPI plans an operation as SMPI's selector ompi does.
func byOpenMPI(o Operation) func(p *plan, d data) { return byTable(o, openMPI[o]) }

// byTable plans an operation by the first band and the first choice of a table that
// are large enough.
func byTable(o Operation, table []band) func(p *plan, d data) {
	return func(p *plan, d data) {
		size := decisive(o, p.call, d)
		for _, b := range table {
			if p.call.Ranks >= b.ranks {
				continue
			}
			for _, c := range b.choices {
				if size < c.bytes {
					p.named(o, c.name, d)
					return
				}
			}
		}
	}
}

// decisive returns the size in bytes that decides: what a rank gives or gets in a
// gather or scatter, as that rank sees it; what it has for one other in an
// all-to-all exchange; what it sends in an allgather; the mean of what ranks send
// in an allgatherv, in elements as they are sent; all data otherwise.
func decisive(o Operation, c *Call, d data) int64 {
	switch {
	case o == ReduceScatter:
		return sum(c.RecvCounts) * d.element
	case o == Allgatherv:
		return sum(c.RecvCounts) * d.element / int64(c.Ranks)
	case o == Gather && c.Rank == d.root, o == Scatter && c.Rank != d.root:
		return d.recvCount * d.recvElement
	}
	return d.count * d.element
}

// openMPI holds the decisions of SMPI's selector ompi, for operators that are
// commutative. Source: SimGrid 3.32, which follows the fixed decisions of Open
// MPI 4.1 with the algorithms that it has: several of Open MPI are the same one
// here.
var openMPI = [Exscan + 1][]band{
	Barrier: {
		{4, []choice{{anyBytes, "ompi_recursivedoubling"}}},
		{8, []choice{{anyBytes, "ompi_basic_linear"}}},
		{64, []choice{{anyBytes, "ompi_recursivedoubling"}}},
		{256, []choice{{anyBytes, "ompi_bruck"}}},
		{512, []choice{{anyBytes, "ompi_tree"}}},
		{1024, []choice{{anyBytes, "ompi_bruck"}}},
		{4096, []choice{{anyBytes, "ompi_tree"}}},
		{anyRanks, []choice{{anyBytes, "ompi_bruck"}}},
	},
	Bcast: {
		{4, []choice{{32, "ompi_pipeline"}, {256, "NTSB"}, {512, "ompi_pipeline"}, {1024, "mvapich2_knomial_intra_node"}, {32768, "NTSL"}, {131072, "NTSB"}, {262144, "ompi_pipeline"}, {524288, "NTSL"}, {1048576, "binomial_tree"}, {anyBytes, "NTSB"}}},
		{8, []choice{{64, "NTSB"}, {128, "binomial_tree"}, {2048, "NTSB"}, {8192, "binomial_tree"}, {1048576, "NTSL"}, {anyBytes, "ompi_pipeline"}}},
		{16, []choice{{8, "mvapich2_knomial_intra_node"}, {64, "NTSB"}, {4096, "mvapich2_knomial_intra_node"}, {16384, "NTSB"}, {32768, "binomial_tree"}, {anyBytes, "NTSL"}}},
		{32, []choice{{4096, "mvapich2_knomial_intra_node"}, {1048576, "binomial_tree"}, {anyBytes, "scatter_rdb_allgather"}}},
		{64, []choice{{2048, "binomial_tree"}, {anyBytes, "mvapich2_knomial_intra_node"}}},
		{128, []choice{{anyBytes, "mvapich2_knomial_intra_node"}}},
		{256, []choice{{2, "binomial_tree"}, {16384, "NTSB"}, {32768, "NTSL"}, {65536, "NTSB"}, {anyBytes, "mvapich2_knomial_intra_node"}}},
		{1024, []choice{{16384, "mvapich2_knomial_intra_node"}, {32768, "ompi_split_bintree"}, {anyBytes, "mvapich2_knomial_intra_node"}}},
		{2048, []choice{{524288, "mvapich2_knomial_intra_node"}, {anyBytes, "scatter_rdb_allgather"}}},
		{4096, []choice{{262144, "mvapich2_knomial_intra_node"}, {anyBytes, "scatter_rdb_allgather"}}},
		{anyRanks, []choice{{8192, "mvapich2_knomial_intra_node"}, {16384, "NTSB"}, {262144, "mvapich2_knomial_intra_node"}, {anyBytes, "scatter_rdb_allgather"}}},
	},
	Reduce: {
		{4, []choice{{8, "ompi_basic_linear"}, {16, "ompi_binary"}, {32, "ompi_pipeline"}, {262144, "ompi_basic_linear"}, {524288, "ompi_pipeline"}, {1048576, "ompi_chain"}, {anyBytes, "ompi_pipeline"}}},
		{8, []choice{{4096, "ompi_binary"}, {65536, "ompi_chain"}, {262144, "ompi_binomial"}, {524288, "ompi_basic_linear"}, {1048576, "ompi_binomial"}, {anyBytes, "ompi_basic_linear"}}},
		{16, []choice{{8192, "ompi_binary"}, {anyBytes, "ompi_binomial"}}},
		{32, []choice{{4096, "ompi_binary"}, {anyBytes, "ompi_binomial"}}},
		{256, []choice{{anyBytes, "ompi_binomial"}}},
		{512, []choice{{8192, "ompi_binomial"}, {16384, "ompi_in_order_binary"}, {anyBytes, "ompi_binomial"}}},
		{2048, []choice{{anyBytes, "ompi_binomial"}}},
		{4096, []choice{{512, "ompi_binomial"}, {1024, "ompi_in_order_binary"}, {8192, "ompi_binomial"}, {16384, "ompi_in_order_binary"}, {anyBytes, "ompi_binomial"}}},
		{anyRanks, []choice{{16, "ompi_binomial"}, {32, "ompi_in_order_binary"}, {1024, "ompi_binomial"}, {2048, "ompi_in_order_binary"}, {8192, "ompi_binomial"}, {16384, "ompi_in_order_binary"}, {anyBytes, "ompi_binomial"}}},
	},
	Allreduce: {
		{4, []choice{{8, "lr"}, {4096, "rdb"}, {8192, "lr"}, {16384, "rdb"}, {65536, "lr"}, {262144, "ompi_ring_segmented"}, {anyBytes, "rab_rdb"}}},
		{8, []choice{{16, "lr"}, {8192, "rdb"}, {anyBytes, "rab_rdb"}}},
		{16, []choice{{8192, "rdb"}, {anyBytes, "rab_rdb"}}},
		{32, []choice{{64, "ompi_ring_segmented"}, {4096, "rdb"}, {anyBytes, "rab_rdb"}}},
		{64, []choice{{128, "ompi_ring_segmented"}, {anyBytes, "rab_rdb"}}},
		{128, []choice{{262144, "rdb"}, {anyBytes, "rab_rdb"}}},
		{256, []choice{{131072, "redbcast"}, {262144, "rdb"}, {anyBytes, "rab_rdb"}}},
		{512, []choice{{4096, "redbcast"}, {anyBytes, "rab_rdb"}}},
		{2048, []choice{{2048, "redbcast"}, {16384, "rdb"}, {anyBytes, "rab_rdb"}}},
		{4096, []choice{{2048, "redbcast"}, {4096, "ompi_ring_segmented"}, {16384, "rdb"}, {anyBytes, "rab_rdb"}}},
		{anyRanks, []choice{{2048, "redbcast"}, {16384, "ompi_ring_segmented"}, {32768, "rdb"}, {anyBytes, "rab_rdb"}}},
	},
	Gather: {
		{4, []choice{{2, "ompi_linear_sync"}, {4, "ompi_basic_linear"}, {32768, "ompi_binomial"}, {65536, "ompi_basic_linear"}, {131072, "ompi_binomial"}, {anyBytes, "ompi_linear_sync"}}},
		{8, []choice{{1024, "ompi_binomial"}, {8192, "ompi_basic_linear"}, {32768, "ompi_binomial"}, {262144, "ompi_basic_linear"}, {anyBytes, "ompi_linear_sync"}}},
		{256, []choice{{anyBytes, "ompi_binomial"}}},
		{512, []choice{{2048, "ompi_binomial"}, {8192, "ompi_basic_linear"}, {anyBytes, "ompi_binomial"}}},
		{anyRanks, []choice{{anyBytes, "ompi_binomial"}}},
	},
	Scatter: {
		{4, []choice{{2, "ompi_linear_nb"}, {131072, "ompi_basic_linear"}, {262144, "ompi_linear_nb"}, {anyBytes, "ompi_basic_linear"}}},
		{8, []choice{{2048, "ompi_binomial"}, {4096, "ompi_basic_linear"}, {8192, "ompi_binomial"}, {32768, "ompi_basic_linear"}, {1048576, "ompi_linear_nb"}, {anyBytes, "ompi_basic_linear"}}},
		{16, []choice{{16384, "ompi_binomial"}, {1048576, "ompi_linear_nb"}, {anyBytes, "ompi_basic_linear"}}},
		{32, []choice{{16384, "ompi_binomial"}, {32768, "ompi_basic_linear"}, {anyBytes, "ompi_linear_nb"}}},
		{64, []choice{{512, "ompi_binomial"}, {8192, "ompi_linear_nb"}, {16384, "ompi_binomial"}, {anyBytes, "ompi_linear_nb"}}},
		{anyRanks, []choice{{512, "ompi_binomial"}, {anyBytes, "ompi_linear_nb"}}},
	},
	Allgather: {
		{3, []choice{{anyBytes, "pair"}}},
		{32, []choice{{anyBytes, "rdb"}}},
		{64, []choice{{1024, "rdb"}, {65536, "ompi_neighborexchange"}, {anyBytes, "ring"}}},
		{128, []choice{{512, "rdb"}, {65536, "ompi_neighborexchange"}, {anyBytes, "ring"}}},
		{256, []choice{{512, "rdb"}, {131072, "ompi_neighborexchange"}, {524288, "ring"}, {1048576, "ompi_neighborexchange"}, {anyBytes, "ring"}}},
		{512, []choice{{32, "rdb"}, {128, "bruck"}, {1024, "rdb"}, {131072, "ompi_neighborexchange"}, {524288, "ring"}, {1048576, "ompi_neighborexchange"}, {anyBytes, "ring"}}},
		{1024, []choice{{64, "rdb"}, {256, "bruck"}, {2048, "rdb"}, {anyBytes, "ompi_neighborexchange"}}},
		{2048, []choice{{4, "rdb"}, {8, "bruck"}, {16, "rdb"}, {32, "bruck"}, {256, "rdb"}, {512, "bruck"}, {4096, "rdb"}, {anyBytes, "ompi_neighborexchange"}}},
		{4096, []choice{{32, "bruck"}, {128, "rdb"}, {512, "bruck"}, {4096, "rdb"}, {anyBytes, "ompi_neighborexchange"}}},
		{anyRanks, []choice{{2, "rdb"}, {8, "bruck"}, {16, "rdb"}, {512, "bruck"}, {4096, "rdb"}, {anyBytes, "ompi_neighborexchange"}}},
	},
	Alltoall: {
		{3, []choice{{2, "pair"}, {4, "basic_linear"}, {16, "pair"}, {64, "basic_linear"}, {256, "pair"}, {4096, "basic_linear"}, {32768, "pair"}, {1048576, "basic_linear"}, {anyBytes, "pair"}}},
		{8, []choice{{524288, "basic_linear"}, {1048576, "pair"}, {anyBytes, "basic_linear"}}},
		{16, []choice{{anyBytes, "basic_linear"}}},
		{32, []choice{{4, "basic_linear"}, {512, "bruck"}, {anyBytes, "basic_linear"}}},
		{64, []choice{{512, "bruck"}, {anyBytes, "basic_linear"}}},
		{128, []choice{{1024, "bruck"}, {262144, "basic_linear"}, {anyBytes, "pair"}}},
		{256, []choice{{1024, "bruck"}, {262144, "basic_linear"}, {anyBytes, "pair"}}},
		{512, []choice{{1024, "bruck"}, {32768, "basic_linear"}, {anyBytes, "pair"}}},
		{1024, []choice{{512, "bruck"}, {262144, "basic_linear"}, {anyBytes, "pair"}}},
		{2048, []choice{{512, "bruck"}, {anyBytes, "basic_linear"}}},
		{4096, []choice{{1024, "bruck"}, {anyBytes, "basic_linear"}}},
		{anyRanks, []choice{{2048, "bruck"}, {anyBytes, "basic_linear"}}},
	},
	Allgatherv: {
		{3, []choice{{2048, "mpich_ring"}, {4096, "pair"}, {8192, "mpich_ring"}, {anyBytes, "pair"}}},
		{8, []choice{{256, "GB"}, {4096, "ompi_neighborexchange"}, {8192, "mpich_ring"}, {16384, "ompi_neighborexchange"}, {262144, "ompi_bruck"}, {anyBytes, "ompi_neighborexchange"}}},
		{16, []choice{{1024, "GB"}, {anyBytes, "ompi_bruck"}}},
		{32, []choice{{128, "GB"}, {262144, "ompi_bruck"}, {anyBytes, "mpich_ring"}}},
		{64, []choice{{256, "GB"}, {8192, "ompi_bruck"}, {anyBytes, "mpich_ring"}}},
		{128, []choice{{256, "GB"}, {4096, "ompi_bruck"}, {anyBytes, "mpich_ring"}}},
		{256, []choice{{1024, "ompi_bruck"}, {65536, "pair"}, {anyBytes, "mpich_ring"}}},
		{512, []choice{{1024, "ompi_bruck"}, {anyBytes, "mpich_ring"}}},
		{1024, []choice{{512, "ompi_bruck"}, {1024, "GB"}, {4096, "ompi_bruck"}, {1048576, "pair"}, {anyBytes, "mpich_ring"}}},
		{anyRanks, []choice{{4096, "ompi_bruck"}, {anyBytes, "pair"}}},
	},
	Alltoallv: {
		{4, []choice{{anyBytes, "pair"}}},
		{64, []choice{{anyBytes, "ompi_basic_linear"}}},
		{128, []choice{{anyBytes, "pair"}}},
		{256, []choice{{anyBytes, "ompi_basic_linear"}}},
		{1024, []choice{{anyBytes, "pair"}}},
		{anyRanks, []choice{{anyBytes, "ompi_basic_linear"}}},
	},
	ReduceScatter: {
		{4, []choice{{65536, "ompi_ring"}, {131072, "ompi_butterfly"}, {anyBytes, "ompi_ring"}}},
		{8, []choice{{8, "default"}, {262144, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_ring"}}},
		{32, []choice{{262144, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_ring"}}},
		{64, []choice{{64, "default"}, {2048, "ompi_basic_recursivehalving"}, {524288, "ompi_butterfly"}, {anyBytes, "ompi_ring"}}},
		{128, []choice{{256, "default"}, {512, "ompi_basic_recursivehalving"}, {2048, "ompi_butterfly"}, {4096, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_butterfly"}}},
		{256, []choice{{256, "default"}, {512, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_butterfly"}}},
		{512, []choice{{256, "default"}, {1024, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_butterfly"}}},
		{1024, []choice{{512, "default"}, {2048, "ompi_basic_recursivehalving"}, {8192, "ompi_butterfly"}, {16384, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_butterfly"}}},
		{2048, []choice{{512, "default"}, {4096, "ompi_basic_recursivehalving"}, {16384, "ompi_butterfly"}, {32768, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_butterfly"}}},
		{4096, []choice{{512, "default"}, {4096, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_butterfly"}}},
		{anyRanks, []choice{{1024, "default"}, {8192, "ompi_basic_recursivehalving"}, {anyBytes, "ompi_butterfly"}}},
	},
}

// planAllgatherMPICH is mpich: recursive doubling for a power of two and less
// than 512 KiB in all, otherwise Bruck's algorithm up to 80 KiB and beyond that
// what is called ring.
func planAllgatherMPICH(p *plan, d data) {
	total := d.count * d.element * int64(p.call.Ranks)
	switch {
	case powerOfTwo(p.call.Ranks) == nil && total < 524288:
		p.named(Allgather, "rdb", d)
	case total <= 81920:
		p.named(Allgather, "bruck", d)
	default:
		p.named(Allgather, "ring", d)
	}
}

// planAllgathervMPICH is mpich: as that of allgather, but by the number of elements
// in all, and with blocks around a ring.
func planAllgathervMPICH(p *plan, d data) {
	total := sum(p.call.RecvCounts)
	switch {
	case total == 0:
	case powerOfTwo(p.call.Ranks) == nil && total < 524288:
		p.named(Allgatherv, "mpich_rdb", d)
	case total <= 81920:
		p.named(Allgatherv, "ompi_bruck", d)
	default:
		p.named(Allgatherv, "mpich_ring", d)
	}
}

// planAlltoallMPICH is mpich: Bruck's algorithm for blocks below 256 byte among 8
// ranks or more, four distances at a time below 32 KiB, and beyond that pairs for
// an odd number of ranks, for which SMPI has no pairs and fails, and ring for an
// even one.
func planAlltoallMPICH(p *plan, d data) {
	switch block := d.count * d.element; {
	case block < 256 && p.call.Ranks >= 8:
		p.named(Alltoall, "bruck", d)
	case block < 32768:
		p.named(Alltoall, "mvapich2_scatter_dest", d)
	case p.call.Ranks%2 != 0:
		p.named(Alltoall, "pair", d)
	default:
		p.named(Alltoall, "ring", d)
	}
}

// planAllgathervMVAPICH2 is mvapich2: rings for more than 512 byte a rank, or 256
// byte among more than 32 ranks; otherwise recursive doubling for a power of two,
// and Bruck's algorithm.
func planAllgathervMVAPICH2(p *plan, d data) {
	limit := int64(512)
	if p.call.Ranks > 32 {
		limit = 256
	}
	switch {
	case sum(p.call.RecvCounts)*d.recvElement > int64(p.call.Ranks)*limit:
		p.named(Allgatherv, "mpich_ring", d)
	case powerOfTwo(p.call.Ranks) == nil:
		p.named(Allgatherv, "mpich_rdb", d)
	default:
		p.named(Allgatherv, "ompi_bruck", d)
	}
}

// The tables from here on hold the decisions of SMPI's selector mvapich2. Source:
// SimGrid 3.32, which has tables of MVAPICH2 for the machine Stampede.

// mvapich2Alltoall is that for one rank on each node, which SMPI takes however many
// there are.
var mvapich2Alltoall = []band{
	{3, []choice{{anyBytes, "pair"}}},
	{5, []choice{{262145, "mvapich2_scatter_dest"}, {anyBytes, "pair"}}},
	{9, []choice{{9, "rdb"}, {anyBytes, "mvapich2_scatter_dest"}}},
	{17, []choice{{65, "rdb"}, {513, "bruck"}, {anyBytes, "mvapich2_scatter_dest"}}},
	{33, []choice{{33, "rdb"}, {2049, "bruck"}, {anyBytes, "mvapich2_scatter_dest"}}},
	{anyRanks, []choice{{9, "rdb"}, {1025, "bruck"}, {anyBytes, "mvapich2_scatter_dest"}}},
}

var mvapich2Reduce = []band{
	{17, []choice{{262145, "mvapich2_two_level"}, {1048577, "binomial"}, {anyBytes, "scatter_gather"}}},
	{33, []choice{{65537, "mvapich2_two_level"}, {262145, "mvapich2_knomial"}, {1048577, "binomial"}, {anyBytes, "scatter_gather"}}},
	{65, []choice{{262145, "mvapich2_two_level"}, {anyBytes, "scatter_gather"}}},
	{129, []choice{{8193, "mvapich2_two_level"}, {16385, "mvapich2_knomial"}, {65537, "mvapich2_two_level"}, {262145, "mvapich2_knomial"}, {1048577, "mvapich2_two_level"}, {anyBytes, "scatter_gather"}}},
	{257, []choice{{32769, "mvapich2_two_level"}, {65537, "binomial"}, {1048577, "mvapich2_two_level"}, {anyBytes, "scatter_gather"}}},
	{513, []choice{{8193, "mvapich2_two_level"}, {16385, "mvapich2_knomial"}, {1048577, "mvapich2_two_level"}, {anyBytes, "scatter_gather"}}},
	{1025, []choice{{8193, "mvapich2_two_level"}, {16385, "mvapich2_knomial"}, {anyBytes, "mvapich2_two_level"}}},
	{anyRanks, []choice{{2049, "mvapich2_two_level"}, {4097, "mvapich2_knomial"}, {anyBytes, "mvapich2_two_level"}}},
}

var mvapich2ReduceScatter = []band{
	{17, []choice{{65, "default"}, {65537, "ompi_basic_recursivehalving"}, {anyBytes, "mpich_pair"}}},
	{33, []choice{{65, "default"}, {131073, "ompi_basic_recursivehalving"}, {anyBytes, "mpich_pair"}}},
	{65, []choice{{1025, "default"}, {262145, "ompi_basic_recursivehalving"}, {anyBytes, "mpich_pair"}}},
	{257, []choice{{129, "default"}, {anyBytes, "ompi_basic_recursivehalving"}}},
	{anyRanks, []choice{{257, "default"}, {anyBytes, "ompi_basic_recursivehalving"}}},
}

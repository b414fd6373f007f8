package smpi

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

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

// decisions holds tables by selector and operation. Source: SimGrid 3.32.
//
// ompi, for operators that are commutative, follows the fixed decisions of Open MPI 4.1 with
// the algorithms that SimGrid has: several of Open MPI are the same one here. mvapich2 has
// tables of MVAPICH2 for the machine Stampede; its alltoall is that for one rank on each
// node, which SMPI takes however many there are.
var decisions = readDecisions()

//go:embed decisions.txt
var decisionText string

func readDecisions() map[[2]string][]band {
	tables := map[[2]string][]band{}
	limit := func(text string) int64 {
		if text == "*" {
			return math.MaxInt64
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic("smpi: " + err.Error())
		}
		return n
	}
	for line := range strings.Lines(decisionText) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		b := band{ranks: int(limit(fields[2]))}
		for _, field := range fields[3:] {
			bytes, name, _ := strings.Cut(field, ":")
			b.choices = append(b.choices, choice{limit(bytes), name})
		}
		key := [2]string{fields[0], fields[1]}
		tables[key] = append(tables[key], b)
	}
	return tables
}

// byTable plans an operation by the first band and the first choice that are large enough in
// the table of a selector.
func byTable(selector string, o Operation) func(p *plan, d data) {
	table := decisions[[2]string{selector, o.String()}]
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

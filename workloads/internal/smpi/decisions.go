package smpi

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

// band is the part of a decision table for the numbers of ranks that satisfy holds.
type band struct {
	holds   func(ranks int) bool
	choices []choice
}

// choice is the algorithm for messages of fewer than this many bytes.
type choice struct {
	bytes int64
	name  string
}

// decisions holds tables by selector and operation. Source: SimGrid 3.32.
//
// ompi, for operators that are commutative, follows the fixed decisions of Open MPI 4.1 with
// the algorithms that SimGrid has: several of Open MPI are the same one here. mvapich2 has
// tables of MVAPICH2 for the machine Stampede; its alltoall is that for one rank per node,
// which SMPI uses for any number. mpich sends no messages without data; for an odd number of
// ranks it has no pairs, so alltoall fails.
var decisions = readDecisions()

//go:embed decisions.txt
var decisionText string

// ranksOf has the conditions of bands other than an upper limit of the ranks.
var ranksOf = map[string]func(ranks int) bool{
	"2^n": func(ranks int) bool { return powerOfTwo(ranks) == nil },
	"odd": func(ranks int) bool { return ranks%2 != 0 },
}

// nothing is the entry in a table for calls without messages.
const nothing = "nothing"

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
		b := band{holds: ranksOf[fields[2]]}
		if b.holds == nil {
			below := limit(fields[2])
			b.holds = func(ranks int) bool { return int64(ranks) < below }
		}
		for _, field := range fields[3:] {
			bytes, name, _ := strings.Cut(field, ":")
			b.choices = append(b.choices, choice{limit(bytes), name})
		}
		key := [2]string{fields[0], fields[1]}
		tables[key] = append(tables[key], b)
	}
	return tables
}

// byTable plans an operation by the table of a selector: by the first choice, in the first
// band for its ranks, that is large enough.
func byTable(selector string, o Operation) func(p *plan, d data) {
	table := decisions[[2]string{selector, o.String()}]
	return func(p *plan, d data) {
		size := decisive(selector, o, p.call, d)
		for _, b := range table {
			if !b.holds(p.call.Ranks) {
				continue
			}
			for _, c := range b.choices {
				if size < c.bytes {
					if c.name != nothing {
						p.named(o, c.name, d)
					}
					return
				}
			}
		}
	}
}

// decisive returns the size, mostly in bytes, that decides: what a rank gives or gets in a
// gather or scatter, as that rank sees it; what it has for one other rank in an all-to-all
// exchange; what it sends in an allgather; the mean of what ranks send in an allgatherv,
// in elements as they are sent; otherwise all data. For mpich it is all data of an
// allgather, and all elements if there is a list of counts.
func decisive(selector string, o Operation, c *Call, d data) int64 {
	switch {
	case selector == "mpich" && o == Allgather:
		return d.count * d.element * int64(c.Ranks)
	case selector == "mpich" && (o == Allgatherv || o == ReduceScatter):
		return sum(c.RecvCounts)
	case o == ReduceScatter:
		return sum(c.RecvCounts) * d.element
	case o == Allgatherv:
		return sum(c.RecvCounts) * d.element / int64(c.Ranks)
	case o == Gather && c.Rank == d.root, o == Scatter && c.Rank != d.root:
		return d.recvCount * d.recvElement
	}
	return d.count * d.element
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

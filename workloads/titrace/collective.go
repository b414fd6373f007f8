package titrace

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/smpi"
)

// collective reads what follows the name of a collective operation: the call, and
// the work after it in flop. It reports whether there is such an operation.
func (a *reader) collective() (c smpi.Call, flops float64, ok bool) {
	c.Ranks, c.Rank = len(a.p.ranks), int(a.me)
	counts := a.rank.counts[:0]
	switch string(a.name) {
	case "barrier":
		c.Operation = smpi.Barrier
		a.skip() // SimGrid does not look at arguments
	case "bcast":
		c.Operation = smpi.Bcast
		c.SendCount = a.elements("the count")
		c.Root = a.root()
		c.SendElement = a.element()
	case "reduce":
		c.Operation = smpi.Reduce
		c.SendCount = a.elements("the count")
		flops = a.number("the work")
		c.Root = a.root()
		c.SendElement = a.element()
	case "allreduce", "scan", "exscan":
		switch string(a.name) {
		case "allreduce":
			c.Operation = smpi.Allreduce
		case "scan":
			c.Operation = smpi.Scan
		default:
			c.Operation = smpi.Exscan
		}
		c.SendCount = a.elements("the count")
		flops = a.number("the work")
		c.SendElement = a.element()
	case "reducescatter":
		c.Operation = smpi.ReduceScatter
		counts = a.list(counts, "the count to receive", "counts")
		c.RecvCounts = counts
		flops = a.number("the work")
		c.SendElement = a.element()
	case "gather", "scatter":
		c.Operation = smpi.Gather
		if a.name[0] == 's' {
			c.Operation = smpi.Scatter
		}
		a.twoCounts(&c)
		c.Root = a.root()
		a.twoElements(&c)
	case "allgather", "alltoall":
		c.Operation = smpi.Allgather
		if a.name[3] == 't' {
			c.Operation = smpi.Alltoall
		}
		a.twoCounts(&c)
		a.twoElements(&c)
	case "gatherv":
		c.Operation = smpi.Gatherv
		c.SendCount = a.elements("the count to send")
		counts = a.list(counts, "the count to receive", "counts")
		c.RecvCounts = counts
		c.Root = a.root()
		a.twoElements(&c)
	case "scatterv":
		c.Operation = smpi.Scatterv
		counts = a.list(counts, "the count to send", "counts")
		c.SendCounts = counts
		c.RecvCount = a.elements("the count to receive")
		c.Root = a.root()
		a.twoElements(&c)
	case "allgatherv":
		c.Operation = smpi.Allgatherv
		c.SendCount = a.elements("the count to send")
		counts = a.list(counts, "the count to receive", "counts")
		n := len(counts)
		// Types and displacements may both be left out. How many fields there
		// are tells them apart.
		left := a.left()
		if left <= 2 || left != n {
			a.twoElements(&c)
		} else {
			c.SendElement = units.Bytes(a.lastInit())
			c.RecvElement = c.SendElement
		}
		if left > 2 {
			counts = a.list(counts, "the displacement", "displacements")
			c.Displacements = counts[n:]
		}
		c.RecvCounts = counts[:n]
	case "alltoallv":
		c.Operation = smpi.Alltoallv
		a.elements("the size of the buffer to send")
		counts = a.list(counts, "the count to send", "counts")
		n := len(counts)
		a.elements("the size of the buffer to receive")
		counts = a.list(counts, "the count to receive", "counts")
		c.SendCounts, c.RecvCounts = counts[:n], counts[n:]
		a.twoElements(&c)
	default:
		return c, 0, false
	}
	a.rank.counts = counts
	return c, flops, true
}

// elements reads a count of MPI, which has 31 bits.
func (a *reader) elements(what string) int64 {
	n := a.count(what)
	if n > math.MaxInt32 {
		a.bad(what, fmt.Sprintf("at most %d", math.MaxInt32))
		return 0
	}
	return int64(n)
}

// list appends one whole number for each rank.
func (a *reader) list(counts []int64, what, all string) []int64 {
	for range a.p.ranks {
		if a.err != nil {
			break
		}
		if !a.more() {
			a.word()
			a.fail("the line ends before "+what+" of every rank",
				fmt.Sprintf("%d %s, one of each rank: %s", len(a.p.ranks), all, usages[string(a.name)]))
			break
		}
		// SimGrid reads these in another way than single counts, and takes
		// 1e6 for 1.
		n, ok := a.integer(0, math.MaxInt32)
		if !ok {
			a.bad(what, fmt.Sprintf("a whole number from 0 to %d, without exponent", math.MaxInt32))
		}
		counts = append(counts, int64(n))
	}
	return counts
}

// root reads the root if there is one; otherwise it is 0.
func (a *reader) root() int {
	if a.err != nil || !a.more() {
		return 0
	}
	last := len(a.p.ranks) - 1
	n, ok := a.integer(0, int64(last))
	if !ok {
		a.bad("the root", fmt.Sprintf("a rank from 0 to %d", last))
	}
	return int(n)
}

// element reads a data type like elementSize.
func (a *reader) element() units.Bytes { return units.Bytes(a.elementSize()) }

func (a *reader) twoCounts(c *smpi.Call) {
	c.SendCount = a.elements("the count to send")
	c.RecvCount = a.elements("the count to receive")
}

func (a *reader) twoElements(c *smpi.Call) {
	c.SendElement = a.element()
	c.RecvElement = a.element()
}

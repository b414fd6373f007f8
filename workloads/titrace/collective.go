package titrace

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

// collectives are the operations by the names of their actions.
var collectives = map[string]smpi.Operation{
	"barrier":       smpi.Barrier,
	"bcast":         smpi.Bcast,
	"reduce":        smpi.Reduce,
	"allreduce":     smpi.Allreduce,
	"reducescatter": smpi.ReduceScatter,
	"scan":          smpi.Scan,
	"exscan":        smpi.Exscan,
	"gather":        smpi.Gather,
	"scatter":       smpi.Scatter,
	"allgather":     smpi.Allgather,
	"alltoall":      smpi.Alltoall,
	"gatherv":       smpi.Gatherv,
	"scatterv":      smpi.Scatterv,
	"allgatherv":    smpi.Allgatherv,
	"alltoallv":     smpi.Alltoallv,
}

// collective reads what follows the name of a collective operation: the call, and
// the work after it in flop. It reports whether there is such an operation.
func (a *reader) collective() (c smpi.Call, flops float64, ok bool) {
	if c.Operation, ok = collectives[string(a.name)]; !ok {
		return c, 0, false
	}
	c.Ranks, c.Rank = len(a.p.ranks), int(a.me)
	counts := a.rank.counts[:0]
	switch c.Operation {
	case smpi.Barrier:
		a.skip() // SimGrid does not look at arguments
	case smpi.Bcast:
		c.SendCount = a.elements("the count")
		c.Root = a.root()
		c.SendElement = a.element()
	case smpi.Reduce:
		c.SendCount = a.elements("the count")
		flops = a.number("the work")
		c.Root = a.root()
		c.SendElement = a.element()
	case smpi.Allreduce, smpi.Scan, smpi.Exscan:
		c.SendCount = a.elements("the count")
		flops = a.number("the work")
		c.SendElement = a.element()
	case smpi.ReduceScatter:
		counts = a.list(counts, "the count to receive", "counts")
		c.RecvCounts = counts
		flops = a.number("the work")
		c.SendElement = a.element()
	case smpi.Gather, smpi.Scatter:
		a.twoCounts(&c)
		c.Root = a.root()
		a.twoElements(&c)
	case smpi.Allgather, smpi.Alltoall:
		a.twoCounts(&c)
		a.twoElements(&c)
	case smpi.Gatherv:
		c.SendCount = a.elements("the count to send")
		counts = a.list(counts, "the count to receive", "counts")
		c.RecvCounts = counts
		c.Root = a.root()
		a.twoElements(&c)
	case smpi.Scatterv:
		counts = a.list(counts, "the count to send", "counts")
		c.SendCounts = counts
		c.RecvCount = a.elements("the count to receive")
		c.Root = a.root()
		a.twoElements(&c)
	case smpi.Allgatherv:
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
	case smpi.Alltoallv:
		a.elements("the size of the buffer to send")
		counts = a.list(counts, "the count to send", "counts")
		n := len(counts)
		a.elements("the size of the buffer to receive")
		counts = a.list(counts, "the count to receive", "counts")
		c.SendCounts, c.RecvCounts = counts[:n], counts[n:]
		a.twoElements(&c)
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

// Algorithms says by which of SMPI's algorithms the collective operations of a
// trace are carried out. The zero value has SMPI's defaults.
type Algorithms struct{ selector smpi.Selector }

// Operations returns the names of the operations that an algorithm can be chosen
// for, as in SMPI's configuration: "allreduce". The slice is the caller's.
func (Algorithms) Operations() []string {
	var names []string
	for o := smpi.Barrier; o <= smpi.ReduceScatter; o++ {
		names = append(names, o.String())
	}
	return names
}

// Names returns the algorithms for one of [Algorithms.Operations], in alphabetical
// order, capitals first, and those that SimGrid 3.32 has beyond them.
func (a Algorithms) Names(operation string) (known, refused []string) {
	o := smpi.Operation(1 + slices.Index(a.Operations(), operation))
	return smpi.Names(o), smpi.Refused(o)
}

// Set chooses the algorithm of an operation, as Set("allreduce", "rdb") for
// SMPI's setting smpi/allreduce:rdb. The error lists what is known.
func (a *Algorithms) Set(operation, name string) error { return a.selector.Set(operation, name) }

// SetAll chooses the algorithms of all operations that are not Set, before or
// after, as SMPI's setting smpi/coll-selector does: "ompi". A call that needs an
// algorithm which is not here then ends the program with an error.
func (a *Algorithms) SetAll(name string) error { return a.selector.SetAll(name) }

// Select says by which algorithms collective operations are carried out. It must
// be called before Next.
func (p *Program) Select(a Algorithms) { p.selector = a.selector }

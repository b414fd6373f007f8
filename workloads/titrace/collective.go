package titrace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

// collectives are the operations by the names of their actions.
var collectives = func() map[string]smpi.Operation {
	named := map[string]smpi.Operation{}
	for o := smpi.Barrier; o <= smpi.Exscan; o++ {
		named[strings.ReplaceAll(o.String(), "_", "")] = o
	}
	return named
}()

// collective reads the arguments of a collective operation: the call, and the work
// after it in flop. ok is false if the action is no collective operation.
func (a *reader) collective() (c smpi.Call, flops float64, ok bool) {
	if c.Operation, ok = collectives[string(a.name)]; !ok {
		return c, 0, false
	}
	c.Ranks, c.Rank = len(a.p.ranks), int(a.me)
	counts := a.rank.counts[:0]
	one := false // one element type for data sent and received
	switch c.Operation {
	case smpi.Barrier:
		a.skip() // SimGrid ignores arguments
		return c, 0, true
	case smpi.Bcast, smpi.Reduce, smpi.Allreduce, smpi.Scan, smpi.Exscan:
		c.SendCount, one = a.elements("the count"), true
	case smpi.ReduceScatter:
		counts, one = a.list(counts, "the count to receive", "counts"), true
		c.RecvCounts = counts
	case smpi.Gatherv, smpi.Allgatherv:
		c.SendCount = a.elements("the count to send")
		counts = a.list(counts, "the count to receive", "counts")
		c.RecvCounts = counts
	case smpi.Scatterv:
		counts = a.list(counts, "the count to send", "counts")
		c.SendCounts = counts
		c.RecvCount = a.elements("the count to receive")
	case smpi.Alltoallv:
		a.elements("the size of the buffer to send")
		counts = a.list(counts, "the count to send", "counts")
		n := len(counts)
		a.elements("the size of the buffer to receive")
		counts = a.list(counts, "the count to receive", "counts")
		c.SendCounts, c.RecvCounts = counts[:n], counts[n:]
	default:
		c.SendCount = a.elements("the count to send")
		c.RecvCount = a.elements("the count to receive")
	}
	switch c.Operation {
	case smpi.Reduce, smpi.Allreduce, smpi.ReduceScatter, smpi.Scan, smpi.Exscan:
		flops = a.number("the work")
	}
	if c.Operation.Rooted() {
		c.Root = a.root()
	}
	// Types and displacements of an allgatherv may both be left out; the number of
	// fields tells which are there.
	n, left := len(counts), 0
	if c.Operation == smpi.Allgatherv {
		left = a.left()
	}
	switch {
	case left > 2 && left == n:
		c.SendElement = units.Bytes(a.lastInit())
		c.RecvElement = c.SendElement
	case one:
		c.SendElement = a.element()
	default:
		c.SendElement = a.element()
		c.RecvElement = a.element()
	}
	if left > 2 {
		counts = a.list(counts, "the displacement", "displacements")
		c.RecvCounts, c.Displacements = counts[:n], counts[n:]
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
		// SimGrid reads these differently from single counts: it reads 1e6 as 1.
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

// element reads a data type like elementSize. Some have no size.
func (a *reader) element() units.Bytes {
	size := a.elementSize()
	if size == 0 {
		a.bad("the data type", "one whose elements have a size")
	}
	return units.Bytes(size)
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

// SetAll chooses the algorithms of all operations for which Set is not called, before
// or after, as SMPI's setting smpi/coll-selector does, for example "ompi". A call that
// needs an algorithm that does not exist here then ends the program with an error.
func (a *Algorithms) SetAll(name string) error { return a.selector.SetAll(name) }

// Select says by which algorithms collective operations are carried out. It must
// be called before Next.
func (p *Program) Select(a Algorithms) { p.selector = a.selector }

// entry returns the part of a call on which ranks must agree. In a gather or scatter, the
// root states the size by one count and the other ranks by the other; the count not used
// may be meaningless, as where the root has its data in place.
func entry(c *smpi.Call) collective.Entry {
	sent := units.Bytes(c.SendCount) * c.SendElement
	received := units.Bytes(c.RecvCount) * c.RecvElement
	e := collective.Entry{Name: c.Operation.String(), Root: -1, Size: -1, Rank: int32(c.Rank)}
	if c.Operation.Rooted() {
		e.Root = c.Root
	}
	switch c.Operation {
	case smpi.Bcast, smpi.Reduce, smpi.Allreduce, smpi.Scan, smpi.Exscan:
		e.Size = sent
	case smpi.Allgather, smpi.Alltoall:
		e.Size = received
	case smpi.Gather:
		if e.Size = sent; c.Rank == c.Root {
			e.Size = received
		}
	case smpi.Scatter:
		if e.Size = received; c.Rank == c.Root {
			e.Size = sent
		}
	}
	return e
}

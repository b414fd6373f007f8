package titrace

import (
	"slices"

	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

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

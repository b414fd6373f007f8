package smpi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Selector says by which algorithm each operation is carried out. The zero
// Selector has SMPI's defaults. It may be shared by all ranks; it must not be
// changed once a call has been started.
type Selector struct {
	all    string // for operations without their own choice; "": the default
	chosen [Exscan + 1]*algorithm
}

// name returns the name of the algorithm for an operation without its own choice.
func (s *Selector) name(o Operation) string {
	if s.all == "" || o > ReduceScatter {
		return "default"
	}
	return s.all
}

// Set chooses an algorithm by SMPI's names, as Set("allreduce", "rdb") for the
// configuration smpi/allreduce:rdb. The error distinguishes unknown operations or names
// from those that exist in SimGrid but not here, and lists the known ones.
func (s *Selector) Set(operation, name string) error {
	o := Operation(slices.Index(operationNames[:], operation))
	if operation == "" || o < Barrier || o > ReduceScatter {
		return fmt.Errorf("smpi: unknown collective operation %q; known: %s", operation, strings.Join(operationNames[Barrier:Gatherv], ", "))
	}
	a := lookup(o, name)
	if a != nil {
		s.chosen[o] = a
		return nil
	}
	if slices.Contains(missing[o], name) {
		return fmt.Errorf("smpi: %w", notHere(o, name))
	}
	return fmt.Errorf("smpi: unknown algorithm %q for %v; known: %s", name, o, strings.Join(Names(o), ", "))
}

// notHere is the error for an algorithm that exists in SimGrid but not here.
func notHere(o Operation, name string) error {
	return fmt.Errorf("algorithm %q for %v exists in SimGrid but not here; known: %s", name, o, strings.Join(Names(o), ", "))
}

// selectors are the names that SetAll takes.
var selectors = []string{"default", "mpich", "mvapich2", "ompi"}

// SetAll chooses the algorithms of all operations for which [Selector.Set] is not
// called, before or after, as SimGrid's configuration smpi/coll-selector does. The
// choice may need algorithms that do not exist here, such as mpich for reduce; then
// Start reports calls that need them.
func (s *Selector) SetAll(name string) error {
	known := strings.Join(selectors, ", ")
	switch {
	case slices.Contains(selectors, name):
		s.all = name
		return nil
	case name == "impi", name == "automatic":
		return fmt.Errorf("smpi: selector %q exists in SimGrid but not here; known: %s", name, known)
	}
	return fmt.Errorf("smpi: unknown selector %q; known: %s", name, known)
}

// Start returns the operations of one rank in a call. It returns an error if SMPI's
// algorithm fails for it (some exist only for certain numbers of ranks), or if it needs
// an algorithm that does not exist here.
func (s *Selector) Start(c Call) (Sequence, error) {
	if c.Ranks > 1 {
		p := plan{seek: seek{want: endOfPlan}, selector: s, call: &c}
		if p.whole(); p.err != nil {
			return Sequence{}, fmt.Errorf("smpi: %v: %w", c.Operation, p.err)
		}
	}
	return Sequence{selector: s, call: c}, nil
}

// endOfPlan is larger than the number of any part.
const endOfPlan = 1 << 30

// lookup returns the algorithm of that name for an operation, or nil.
func lookup(o Operation, name string) *algorithm {
	for i := range catalogue[o] {
		if a := &catalogue[o][i]; a.name == name {
			return a
		}
	}
	return nil
}

// Names returns the names of the algorithms for an operation in alphabetical
// order, capitals first. The slice is the caller's.
func Names(o Operation) []string {
	var names []string
	for _, a := range catalogue[o] {
		names = append(names, a.name)
	}
	slices.Sort(names)
	return names
}

// Refused returns the names of the algorithms that SimGrid 3.32 has for an operation
// beyond [Names], in alphabetical order, capitals first. The slice is the caller's.
func Refused(o Operation) []string { return slices.Sorted(slices.Values(missing[o])) }

// plan tells of which parts a call consists: mostly one algorithm, but some collective
// operations call others. Like an algorithm, it is written as if all parts were
// performed in order, but read part by part.
type plan struct {
	seek
	selector *Selector
	call     *Call
	err      error // why SMPI, or this package, cannot carry it out

	// The wanted part.
	run  func(q *Sequence)
	data data
}

// algorithm is an entry of the catalogue. It either performs a call itself (run)
// or says what to do instead (plan). check, if any, says whether the number of
// ranks suits it.
type algorithm struct {
	name  string
	run   func(q *Sequence)
	plan  func(p *plan, d data)
	check func(ranks int) error
}

// whole plans the whole call.
func (p *plan) whole() {
	c := p.call
	p.collective(c.Operation, data{
		count: c.SendCount, recvCount: c.RecvCount,
		element: int64(c.SendElement), recvElement: int64(c.RecvElement),
		root: c.Root,
	})
}

// collective performs an operation by the algorithm selected for it.
func (p *plan) collective(o Operation, d data) {
	if a := p.selector.chosen[o]; a != nil {
		p.by(a, d)
	} else {
		p.named(o, p.selector.name(o), d)
	}
}

// named performs an operation by the algorithm of that name. It fails if the catalogue
// lacks it, as [Selector.Set] does.
func (p *plan) named(o Operation, name string, d data) {
	if a := lookup(o, name); a != nil {
		p.by(a, d)
	} else {
		p.fail(notHere(o, name).Error())
	}
}

func (p *plan) by(a *algorithm, d data) {
	if p.err == nil && a.check != nil {
		if err := a.check(p.call.Ranks); err != nil {
			p.err = fmt.Errorf("algorithm %s: %w", a.name, err)
		}
	}
	if a.plan != nil {
		a.plan(p, d)
	} else {
		p.part(a.run, d)
	}
}

// part performs one part of the call.
func (p *plan) part(run func(q *Sequence), d data) {
	if p.here() {
		p.run, p.data = run, d
	}
}

// fail records why the call cannot be carried out.
func (p *plan) fail(reason string) {
	if p.err == nil {
		p.err = errors.New(reason)
	}
}

// verify checks the algorithm selected for an operation without performing it.
func (p *plan) verify(o Operation) {
	check := *p
	check.collective(o, data{})
	p.err = check.err
}

// sameElements plans an algorithm in which SMPI counts elements as if those sent and
// received had one size. It fails if the sizes differ.
func sameElements(run func(q *Sequence)) func(p *plan, d data) {
	return func(p *plan, d data) {
		if d.element != d.recvElement {
			p.fail(fmt.Sprintf("elements sent are %d byte, elements received %d byte; expected one size for this algorithm, as SMPI does", d.element, d.recvElement))
			return
		}
		p.part(run, d)
	}
}

// powerOfTwo is the check of algorithms that SMPI refuses for other numbers of ranks.
func powerOfTwo(ranks int) error {
	if ranks&(ranks-1) != 0 {
		return fmt.Errorf("%d ranks; expected a power of two, as SMPI does", ranks)
	}
	return nil
}

package smpi

import (
	"errors"
	"fmt"
)

// plan tells which parts a call consists of: mostly one algorithm, but some
// collective operations are carried out by calling others. Like an algorithm it
// is written as if all parts were performed in order, and read part by part.
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

// whole plans the call as it was stated.
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

// sameElements plans an algorithm in which SMPI counts what it passes on in
// elements, as if those sent and received were of one size. It fails otherwise.
func sameElements(run func(q *Sequence)) func(p *plan, d data) {
	return func(p *plan, d data) {
		if d.element != d.recvElement {
			p.fail(fmt.Sprintf("elements sent are %d byte, elements received %d byte; expected one size for this algorithm, as SMPI does", d.element, d.recvElement))
			return
		}
		p.part(run, d)
	}
}

// powerOfTwo checks for algorithms that SMPI refuses otherwise.
func powerOfTwo(ranks int) error {
	if ranks&(ranks-1) != 0 {
		return fmt.Errorf("%d ranks; expected a power of two, as SMPI does", ranks)
	}
	return nil
}

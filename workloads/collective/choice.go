package collective

import (
	"errors"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Choice tells how an operation is carried out: by an algorithm, by the algorithm that
// rules choose for each call, or at a measured cost. Exactly one of Algorithm, Rules
// and Cost must be set.
type Choice struct {
	Operation workloads.Collective
	Algorithm Algorithm
	Rules     *Rules
	Cost      *Cost
}

// defaults are plain algorithms that work with any number of ranks.
var defaults = [...]string{
	workloads.Barrier:       "dissemination",
	workloads.Bcast:         "binomial",
	workloads.Reduce:        "binomial",
	workloads.Gather:        "binomial",
	workloads.Scatter:       "binomial",
	workloads.Allreduce:     "recursive-doubling",
	workloads.Allgather:     "ring",
	workloads.Alltoall:      "pairwise",
	workloads.ReduceScatter: "pairwise",
	workloads.Scan:          "recursive-doubling",
}

// Default returns the choice of a plain algorithm: dissemination for barrier;
// binomial for bcast, reduce, gather and scatter; recursive-doubling for
// allreduce and scan; ring for allgather; pairwise for alltoall and
// reduce-scatter. op must be one of the operations.
func Default(op workloads.Collective) Choice {
	a, err := Lookup(op, defaults[op])
	if err != nil {
		panic("collective: " + err.Error())
	}
	return Choice{Operation: op, Algorithm: a}
}

// On returns the choice for a program whose ranks are at those places, on which some
// algorithms and the rules "tuned" depend. Nil, for unknown places, changes nothing.
func (ch Choice) On(p *Places) Choice {
	if p == nil {
		return ch
	}
	ch.Algorithm = placed(ch.Algorithm, p)
	if ch.Rules != nil && ch.Rules.tuned {
		ch.Rules = &Rules{name: ch.Rules.name, tuned: true, places: p}
	}
	return ch
}

// Validate reports everything that is wrong with the choice.
func (ch Choice) Validate() error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("choice for %v: "+format, append([]any{ch.Operation}, args...)...))
	}
	if ch.Operation < workloads.Barrier || ch.Operation > workloads.Scan {
		problems = append(problems, fmt.Errorf("choice: unknown operation %v", ch.Operation))
	}
	switch {
	case ch.Algorithm == nil && ch.Rules == nil && ch.Cost == nil:
		bad("nothing chosen; expected an algorithm, rules or a measured cost")
	case ch.Algorithm != nil && ch.Rules != nil:
		bad("both an algorithm and rules; expected one of them")
	case ch.Algorithm != nil && ch.Cost != nil:
		bad("both an algorithm and a measured cost; expected one of them")
	case ch.Rules != nil && ch.Cost != nil:
		bad("both rules and a measured cost; expected one of them")
	}
	if ch.Algorithm != nil && ch.Algorithm.Operation() != ch.Operation {
		bad("algorithm %q is one for %v", ch.Algorithm.Name(), ch.Algorithm.Operation())
	}
	if _, ok := ch.Algorithm.(Divider); ok && BlockCount(ch.Operation, 2) != 1 {
		bad("algorithm %q cuts one block into pieces; the data are not one block", ch.Algorithm.Name())
	}
	if ch.Rules != nil && !ch.Rules.Covers(ch.Operation) {
		bad("rules %s have nothing for it", ch.Rules.Name())
	}
	if ch.Cost != nil {
		if err := ch.Cost.Validate(); err != nil {
			bad("%w", err)
		}
	}
	return errors.Join(problems...)
}

// Cost is a measured cost of a collective operation, linear in the number of
// processes and in the bytes moved, as published for clusters whose
// collectives were timed instead of modelled:
//
//	T(p, m) = Base + p*PerProcess + m*PerByte
//
// The one who fits a Cost decides what m counts; [Next] passes the size of all blocks
// together.
type Cost struct {
	Base       units.Seconds // time of any call
	PerProcess units.Seconds // time for each process that takes part
	PerByte    units.Seconds // time for each byte
}

// Time returns the cost of a call among p processes on size bytes.
func (c Cost) Time(p int, size units.Bytes) units.Seconds {
	return c.Base + units.Seconds(units.Seconds(p)*c.PerProcess) + units.Seconds(units.Seconds(size)*c.PerByte)
}

// Validate reports every coefficient that is negative or not finite.
func (c Cost) Validate() error {
	var problems []error
	for _, f := range []struct {
		name  string
		value units.Seconds
	}{
		{"base", c.Base},
		{"per process", c.PerProcess},
		{"per byte", c.PerByte},
	} {
		if !(f.value >= 0) || math.IsInf(float64(f.value), 1) {
			problems = append(problems, fmt.Errorf("cost: %s is %v s; expected a finite number, at least 0", f.name, float64(f.value)))
		}
	}
	return errors.Join(problems...)
}

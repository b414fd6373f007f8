package collective

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// rule is one line of [Rules]: use the algorithm if none of the limits is
// exceeded.
type rule struct {
	Operation    workloads.Collective
	MaxProcesses int // at least 1; anyProcesses for no limit
	// MaxBytes is at least 0, or anyBytes for no limit. It limits all blocks of a call
	// together; in a gather or scatter what a process gives or gets, and in an
	// all-to-all exchange what it has for one other, both on average.
	MaxBytes   units.Bytes
	PowerOfTwo bool   // only if the number of processes is a power of two
	Algorithm  string // a name that Lookup knows for the operation
}

// anyProcesses and anyBytes stand for no limit in a rule.
const (
	anyProcesses             = math.MaxInt32
	anyBytes     units.Bytes = math.MaxFloat64
)

// decisiveSize returns the size that is held against the limits of a rule in a
// call among p processes with the given size of all blocks together. As in MPI
// libraries it is what a process gives or gets in a gather or scatter, and what
// it has for one other in an all-to-all exchange, both on average; for any other
// operation it is all blocks.
func decisiveSize(op workloads.Collective, p int, total units.Bytes) units.Bytes {
	switch op {
	case workloads.Gather, workloads.Scatter, workloads.Alltoall:
		return total / units.Bytes(BlockCount(op, p))
	}
	return total
}

// Rules choose an algorithm for each call by the number of processes and the
// size, as MPI libraries do. They are made by [LookupRules] and do not change.
type Rules struct {
	name string
	// of holds the rules of each operation, in order; the last one of each has
	// no limits.
	of [workloads.Scan + 1][]decision
}

// decision is a rule with its algorithm looked up.
type decision struct {
	rule
	algorithm Algorithm
}

// newRules returns the rules of a table, in which the first rule that matches a
// call decides. It reports everything that is wrong with the table. The last
// rule for each operation, and no other, must be without limits, so that there
// is an answer for every call. An operation without rules is one that [Choice]
// must not use them for. newRules keeps no reference to the table.
func newRules(name string, table []rule) (*Rules, error) {
	r := &Rules{name: name}
	var problems []error
	for i, rule := range table {
		bad := func(format string, args ...any) {
			problems = append(problems, fmt.Errorf("rules %s: rule %d: "+format, append([]any{name, i}, args...)...))
		}
		op := rule.Operation
		if op < workloads.Barrier || op > workloads.Scan {
			bad("unknown operation %v", op)
			continue
		}
		if rule.MaxProcesses < 1 {
			bad("at most %d processes; expected at least 1", rule.MaxProcesses)
		}
		if !(rule.MaxBytes >= 0) {
			bad("at most %v byte; expected at least 0", float64(rule.MaxBytes))
		}
		a, err := Lookup(op, rule.Algorithm)
		if err != nil {
			bad("%w", err)
		}
		if n := len(r.of[op]); n > 0 && r.of[op][n-1].unlimited() {
			bad("never reached: a rule for %v before it has no limits", op)
		}
		r.of[op] = append(r.of[op], decision{rule, a})
	}
	for op, rules := range r.of {
		if n := len(rules); n > 0 && !rules[n-1].unlimited() {
			problems = append(problems, fmt.Errorf("rules %s: the last rule for %v has limits; expected none", name, workloads.Collective(op)))
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return r, nil
}

func (r rule) unlimited() bool {
	return r.MaxProcesses >= anyProcesses && r.MaxBytes >= anyBytes && !r.PowerOfTwo
}

func (r rule) matches(p int, size units.Bytes) bool {
	return p <= r.MaxProcesses && size <= r.MaxBytes && !(r.PowerOfTwo && p&(p-1) != 0)
}

// Name returns the name of the rules, as "mpich".
func (r *Rules) Name() string { return r.name }

// Covers tells whether there are rules for op.
func (r *Rules) Covers(op workloads.Collective) bool { return int(op) < len(r.of) && len(r.of[op]) > 0 }

// Choose returns the algorithm for a call of op among p processes with the given
// size of all blocks together. The rules must cover op.
func (r *Rules) Choose(op workloads.Collective, p int, total units.Bytes) Algorithm {
	size := decisiveSize(op, p, total)
	rules := r.of[op]
	for i := range rules {
		if rules[i].matches(p, size) {
			return rules[i].algorithm
		}
	}
	panic(fmt.Sprintf("collective: rules %s have nothing for %v", r.name, op)) // ruled out by newRules and Choice.Validate
}

// presets are the rules that can be looked up, in alphabetical order.
var presets = [...]*Rules{
	mustRules("mpich", mpichRules()),
	mustRules("openmpi", openMPIRules()),
}

// mustRules is newRules for the tables of this package.
func mustRules(name string, table []rule) *Rules {
	r, err := newRules(name, table)
	if err != nil {
		panic("collective: " + err.Error())
	}
	return r
}

// LookupRules returns the preset rules of that name. The error for an unknown
// name lists the known ones.
func LookupRules(name string) (*Rules, error) {
	for _, r := range presets {
		if r.name == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown rules %q; known: %s", name, strings.Join(RulesNames(), ", "))
}

// RulesNames returns the names of the preset rules in alphabetical order. The
// slice is the caller's.
func RulesNames() []string {
	var names []string
	for _, r := range presets {
		names = append(names, r.name)
	}
	return names
}

package collective

import "github.com/isoscale/isoscale/workloads"

// scheme is the form of every algorithm of this package: a name and a step
// function. The function returns its step by value because a pointer passed
// through an interface escapes to the heap, which would cost [Next] an
// allocation per step.
type scheme struct {
	operation workloads.Collective
	name      string
	step      func(c Call, rank, k int) (Step, bool)
}

var _ Algorithm = (*scheme)(nil)

func (a *scheme) Name() string { return a.name }

func (a *scheme) Operation() workloads.Collective { return a.operation }

func (a *scheme) Step(c Call, rank, k int, s *Step) bool {
	step, ok := a.step(c, rank, k)
	*s = step
	return ok
}

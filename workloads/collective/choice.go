package collective

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/workloads"
)

// Choice tells how an operation is carried out: by an algorithm, or at a
// measured cost. Exactly one of Algorithm and Cost must be set.
type Choice struct {
	Operation workloads.Collective
	Algorithm Algorithm
	Cost      *Cost
}

// Validate reports everything that is wrong with the choice.
func (ch Choice) Validate() error {
	var problems []error
	if ch.Operation < workloads.Barrier || ch.Operation > workloads.Alltoall {
		problems = append(problems, fmt.Errorf("choice: unknown operation %v", ch.Operation))
	}
	switch {
	case ch.Algorithm == nil && ch.Cost == nil:
		problems = append(problems, fmt.Errorf("choice for %v: nothing chosen; expected an algorithm or a measured cost", ch.Operation))
	case ch.Algorithm != nil && ch.Cost != nil:
		problems = append(problems, fmt.Errorf("choice for %v: both an algorithm and a measured cost; expected one of them", ch.Operation))
	}
	if ch.Algorithm != nil && ch.Algorithm.Operation() != ch.Operation {
		problems = append(problems, fmt.Errorf("choice for %v: algorithm %q is one for %v", ch.Operation, ch.Algorithm.Name(), ch.Algorithm.Operation()))
	}
	if ch.Cost != nil {
		if err := ch.Cost.Validate(); err != nil {
			problems = append(problems, fmt.Errorf("choice for %v: %w", ch.Operation, err))
		}
	}
	return errors.Join(problems...)
}

package algorithm

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// checkChoices reports everything that is wrong with the choices of an
// algorithm, which must be for those operations.
func checkChoices(name string, choices []collective.Choice, operations ...workloads.Collective) error {
	var problems []error
	for i, ch := range choices {
		if err := ch.Validate(); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
		if ch.Operation != operations[i] {
			problems = append(problems, fmt.Errorf("%s: choice for %v where one for %v is needed", name, ch.Operation, operations[i]))
		}
	}
	return errors.Join(problems...)
}

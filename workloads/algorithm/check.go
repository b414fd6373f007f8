package algorithm

import (
	"errors"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// MaxOrder is the largest order of a matrix: rows are counted in 32 bits.
const MaxOrder = 1 << 30

func checkOrder(name string, n, least int) error {
	if n < least || n > MaxOrder {
		return fmt.Errorf("%s: n is %d; expected %d to %d", name, n, least, MaxOrder)
	}
	return nil
}

// Speeds outside this range could make a sum or a quotient of speeds overflow.
const (
	minSpeed units.FlopsPerSecond = 1e-30
	maxSpeed units.FlopsPerSecond = 1e30
)

func checkCommon(name string, speeds []units.FlopsPerSecond, startup units.Seconds, element units.Bytes) error {
	var problems []error
	if len(speeds) == 0 {
		problems = append(problems, fmt.Errorf("%s: no processes; expected at least 1 marked speed", name))
	}
	for q, c := range speeds {
		if !(c >= minSpeed && c <= maxSpeed) {
			problems = append(problems, fmt.Errorf("%s: marked speed of process %d is %v; expected %g to %g flop/s", name, q, c, float64(minSpeed), float64(maxSpeed)))
			break // the first one shows it; there may be a million
		}
	}
	if !(startup >= 0) || math.IsInf(float64(startup), 1) {
		problems = append(problems, fmt.Errorf("%s: startup is %v; expected a finite time of at least 0", name, startup))
	}
	if !(element > 0) || element > 1<<20 {
		problems = append(problems, fmt.Errorf("%s: element is %v; expected more than 0 B, at most 1 MiB", name, element))
	}
	return errors.Join(problems...)
}

func checkChoice(name string, ch collective.Choice, op workloads.Collective) error {
	var problems []error
	if err := ch.Validate(); err != nil {
		problems = append(problems, fmt.Errorf("%s: %w", name, err))
	}
	if ch.Operation != op {
		problems = append(problems, fmt.Errorf("%s: choice for %v where one for %v is needed", name, ch.Operation, op))
	}
	return errors.Join(problems...)
}

package input

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

// UnattainableError reports a target that a system does not reach.
type UnattainableError struct {
	Pos      yamldoc.Position // of the target
	System   string
	Target   float64
	Best     float64 // largest efficiency found
	BestN    int
	From, To int // sizes searched
	Note     string
	TooEasy  bool // already exceeded at From
	// Processes is the number of processes of the system.
	Processes int
}

func (e *UnattainableError) Error() string {
	if e.TooEasy && e.Processes == 1 {
		return fmt.Sprintf("%v: %s has a single process, which does not communicate: its efficiency is %.4g at n = %d already, above the target %g; expected a system of at least two processes",
			e.Pos, e.System, e.Best, e.BestN, e.Target)
	}
	if e.TooEasy {
		return fmt.Sprintf("%v: %s exceeds target efficiency %g at the smallest size searched: it has %.4g at n = %d; expected a higher target_efficiency or a smaller sizes.from",
			e.Pos, e.System, e.Target, e.Best, e.BestN)
	}
	return fmt.Sprintf("%v: target efficiency %g is not attainable on %s: the largest found is %.4g at n = %d, searching n from %d to %d%s; expected a lower target_efficiency or a larger sizes.to",
		e.Pos, e.Target, e.System, e.Best, e.BestN, e.From, e.To, e.Note)
}

// IsUnattainable returns what an error says of a target that is not reached, or
// "".
func IsUnattainable(err error) string {
	var u *UnattainableError
	if !errors.As(err, &u) {
		return ""
	}
	return fmt.Sprintf("a speed-efficiency of %g is not attainable: the largest found is %.4g at n = %d, searching from %d to %d%s",
		u.Target, u.Best, u.BestN, u.From, u.To, u.Note)
}

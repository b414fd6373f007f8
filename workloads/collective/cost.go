package collective

import (
	"errors"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Cost is a measured cost of a collective operation, linear in the number of
// processes and in the bytes moved, as published for clusters whose
// collectives were timed instead of modelled:
//
//	T(p, m) = Base + p*PerProcess + m*PerByte
//
// Whoever fits a Cost decides what m counts; [Next] passes the size of all
// blocks together.
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

package flow

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Factors is a step function of the message size: the Value of the last step
// whose Above is smaller than the size, and 1 if there is none. Steps are in
// ascending order.
type Factors []Factor

// Factor is a step of [Factors].
type Factor struct {
	Above units.Bytes // at least 0
	Value float64     // above 0
}

// Constant returns the same factor for every size above 0.
func Constant(value float64) Factors { return Factors{{0, value}} }

// At returns the factor for a size.
func (f Factors) At(size units.Bytes) float64 {
	value := 1.0
	for i := range f {
		if size <= f[i].Above {
			break
		}
		value = f[i].Value
	}
	return value
}

// validate reports what is wrong with the table.
func (f Factors) validate(what string) error {
	for i, step := range f {
		switch {
		case !(step.Value >= 1e-9 && step.Value <= 1e9):
			return fmt.Errorf("flow: %s above %v is %v; expected a number above 0, from 1e-9 to 1e9", what, step.Above, step.Value)
		case !(step.Above >= 0):
			return fmt.Errorf("flow: %s above %v; expected a size of at least 0", what, step.Above)
		case i > 0 && step.Above <= f[i-1].Above:
			return fmt.Errorf("flow: %s above %v after that above %v; expected ascending sizes", what, step.Above, f[i-1].Above)
		}
	}
	return nil
}

package scalability

import (
	"cmp"
	"fmt"
	"math"
)

// A DomainError reports a number for which a formula has no meaning.
type DomainError struct {
	Func   string  // the function that refused it
	Symbol string  // its symbol in the formula; C[2] is the third element of a list
	Value  float64 // the number, in base SI units
	Want   string  // what was expected
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("scalability: %s: %s = %g, want %s", e.Func, e.Symbol, e.Value, e.Want)
}

// positive returns a *DomainError unless 0 < v < +Inf.
func positive[T ~float64](fn, symbol string, v T) error {
	if v > 0 && !math.IsInf(float64(v), 1) {
		return nil
	}
	return &DomainError{fn, symbol, float64(v), "a positive finite number"}
}

// nonNegative returns a *DomainError unless 0 <= v < +Inf.
func nonNegative[T ~float64](fn, symbol string, v T) error {
	if v >= 0 && !math.IsInf(float64(v), 1) {
		return nil
	}
	return &DomainError{fn, symbol, float64(v), "a finite number not below 0"}
}

// positiveResult is the end of a function whose formula gives a positive finite
// number for all arguments it accepts: what is not one has left the range of
// float64. What is wrong with the arguments comes before that: the first error counts.
func positiveResult[T ~float64](fn, symbol string, v T, arguments ...error) (T, error) {
	if err := cmp.Or(cmp.Or(arguments...), positive(fn, symbol, v)); err != nil {
		return 0, err
	}
	return v, nil
}

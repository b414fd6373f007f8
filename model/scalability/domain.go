package scalability

import (
	"cmp"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
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

// demand returns a *DomainError unless ok.
func demand(ok bool, fn, symbol string, v float64, want string) error {
	if ok {
		return nil
	}
	return &DomainError{fn, symbol, v, want}
}

// positive returns a *DomainError unless 0 < v < +Inf.
func positive[T ~float64](fn, symbol string, v T) error {
	return demand(v > 0 && !math.IsInf(float64(v), 1), fn, symbol, float64(v), "a positive finite number")
}

// nonNegative returns a *DomainError unless 0 <= v < +Inf.
func nonNegative[T ~float64](fn, symbol string, v T) error {
	return demand(v >= 0 && !math.IsInf(float64(v), 1), fn, symbol, float64(v), "a finite number not below 0")
}

// positiveResult ends a function whose formula gives a positive finite number for all
// valid arguments: any other result has left the range of float64. Errors of the
// arguments come first.
func positiveResult[T ~float64](fn, symbol string, v T, arguments ...error) (T, error) {
	if err := cmp.Or(cmp.Or(arguments...), positive(fn, symbol, v)); err != nil {
		return 0, err
	}
	return v, nil
}

// finite returns a *DomainError unless v is neither infinite nor NaN.
func finite[T ~float64](fn, symbol string, v T) error {
	return demand(math.Abs(float64(v)) <= math.MaxFloat64, fn, symbol, float64(v), "a finite number")
}

// finiteResult is positiveResult for a formula that gives a number of either sign.
func finiteResult[T ~float64](fn, symbol string, v T, arguments ...error) (T, error) {
	if err := cmp.Or(cmp.Or(arguments...), finite(fn, symbol, v)); err != nil {
		return 0, err
	}
	return v, nil
}

// fraction returns a *DomainError unless 0 <= v <= 1.
func fraction(fn, symbol string, v float64) error {
	return demand(v >= 0 && v <= 1, fn, symbol, v, "a number from 0 to 1")
}

// properFraction returns a *DomainError unless 0 < v < 1.
func properFraction(fn, symbol string, v float64) error {
	return demand(v > 0 && v < 1, fn, symbol, v, "a number above 0 and below 1")
}

// count returns a *DomainError unless n >= least.
func count(fn, symbol string, n, least int) error {
	return demand(n >= least, fn, symbol, float64(n), fmt.Sprintf("%d or more", least))
}

// every returns the first error of check for the elements of a list.
func every[T ~float64](fn, symbol string, list []T, check func(fn, symbol string, v T) error) error {
	for i, v := range list {
		if err := check(fn, fmt.Sprintf("%s[%d]", symbol, i), v); err != nil {
			return err
		}
	}
	return nil
}

// sameLength returns a *DomainError unless a list is as long as the one it belongs to.
func sameLength(fn, symbol string, n int, other string, want int) error {
	return demand(n == want, fn, "len("+symbol+")", float64(n), fmt.Sprintf("len(%s) = %d", other, want))
}

// A CurrencyError reports an amount of money in another currency than the amounts
// it is to be compared with or added to.
type CurrencyError struct {
	Func     string // the function that refused it
	Symbol   string // the amount
	Currency string // its currency
	Want     string // the currency of the others
}

func (e *CurrencyError) Error() string {
	return fmt.Sprintf("scalability: %s: %s is in currency %q, want %q", e.Func, e.Symbol, e.Currency, e.Want)
}

// sameCurrency returns a *CurrencyError unless m is in the given currency. The zero
// Money is in every currency.
func sameCurrency(fn, symbol string, m units.Money, want string) error {
	if m.Currency == want || m == (units.Money{}) {
		return nil
	}
	return &CurrencyError{fn, symbol, m.Currency, want}
}

package yamldoc

import (
	"errors"
	"math"
)

// Range is the set of finite values that a quantity may have.
type Range uint8

const (
	Any         Range = iota // every finite value
	NonNegative              // zero and above
	Positive                 // above zero
)

// Quantity reads a number with a unit, such as "50 us", with one of the
// parsers of model/units. The parser sees the text as written, in quotes or not.
// NaN and infinities are always rejected.
func Quantity[T ~float64](d *Decoder, n *Node, parse func(string) (T, error), r Range, want string) T {
	if !d.scalar(n, want) {
		return 0
	}
	v, err := parse(n.text)
	if err != nil {
		d.problems = append(d.problems, &Error{Pos: n.pos, Path: n.Path(), Msg: err.Error(), Want: want, cause: err})
		return 0
	}
	if err := r.check(float64(v)); err != nil {
		d.Fail(n, Clip(n.text)+" is "+err.Error(), want)
		return 0
	}
	return v
}

func (r Range) check(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return errors.New("not a finite number")
	case r != Any && v < 0:
		return errors.New("negative")
	case r == Positive && v == 0:
		return errors.New("zero")
	}
	return nil
}

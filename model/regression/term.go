package regression

import (
	"fmt"
	"math"
	"strconv"
)

// A Term is a way to grow, p^(Numerator/Denominator) log2(p)^Log. The zero Term
// stands for no growth at all.
type Term struct {
	Numerator, Denominator int // i and j, in lowest terms
	Log                    int // k
}

// searchSpace are the 42 terms that the normal form may have, in the order in which
// they are tried.
//
// Source: the default search space of Extra-P; [Calotoiu2013] has the form, with
// another choice of exponents.
var searchSpace = [42]Term{
	{0, 1, 1}, {0, 1, 2},
	{1, 4, 0}, {1, 3, 0}, {1, 4, 1}, {1, 3, 1}, {1, 4, 2}, {1, 3, 2},
	{1, 2, 0}, {1, 2, 1}, {1, 2, 2},
	{2, 3, 0}, {3, 4, 0}, {2, 3, 1}, {3, 4, 1}, {4, 5, 0}, {2, 3, 2}, {3, 4, 2},
	{1, 1, 0}, {1, 1, 1}, {1, 1, 2},
	{5, 4, 0}, {5, 4, 1}, {4, 3, 0}, {4, 3, 1},
	{3, 2, 0}, {3, 2, 1}, {3, 2, 2},
	{5, 3, 0}, {7, 4, 0},
	{2, 1, 0}, {2, 1, 1}, {2, 1, 2},
	{9, 4, 0}, {7, 3, 0},
	{5, 2, 0}, {5, 2, 1}, {5, 2, 2},
	{8, 3, 0}, {11, 4, 0},
	{3, 1, 0}, {3, 1, 1},
}

// At returns the value of the term at p > 0; the zero Term is 1.
func (t Term) At(p float64) float64 {
	v := 1.0
	if t.Numerator != 0 {
		v = math.Pow(p, t.Exponent())
	}
	for range t.Log {
		v *= math.Log2(p)
	}
	return v
}

// Exponent returns that of p, i/j.
func (t Term) Exponent() float64 {
	if t.Numerator == 0 {
		return 0
	}
	return float64(t.Numerator) / float64(t.Denominator)
}

// String returns the term for p, such as "p^(3/2) log2(p)^2".
func (t Term) String() string { return t.of("p") }

func (t Term) of(name string) string {
	var s string
	switch {
	case t.Numerator == 0:
	case t.Numerator == 1 && t.Denominator == 1:
		s = name
	case t.Denominator == 1:
		s = name + "^" + strconv.Itoa(t.Numerator)
	default:
		s = fmt.Sprintf("%s^(%d/%d)", name, t.Numerator, t.Denominator)
	}
	if t.Log > 0 {
		if s != "" {
			s += " "
		}
		s += "log2(" + name + ")"
		if t.Log > 1 {
			s += "^" + strconv.Itoa(t.Log)
		}
	}
	if s == "" {
		return "1"
	}
	return s
}

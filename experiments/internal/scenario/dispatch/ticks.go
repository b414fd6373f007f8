package dispatch

import (
	"math"
	"math/big"
	"strconv"

	"github.com/isoscale/isoscale/model/units"
)

// ticks converts durations to multiples of the longest one, so that results do
// not depend on the unit of time. A duration of 0.3 s is not a float64: its
// nearest one, or that of 300 ms times 0.001, is off by a rounding or some. So
// what was meant is recovered: see ratio.
type ticks struct {
	unit float64 // seconds, above 0
}

// newTicks takes the longest of some durations as unit.
func newTicks(durations ...float64) ticks {
	longest := 0.0
	for _, d := range durations {
		longest = max(longest, d)
	}
	if longest == 0 {
		longest = 1
	}
	return ticks{longest}
}

func (t ticks) of(duration float64) exact {
	if duration == 0 {
		return exact{}
	}
	return exactRat(ratio(duration, t.unit))
}

func (t ticks) seconds(e exact) units.Seconds { return units.Seconds(e.scaled(t.unit)) }

const (
	// digits is the longest decimal that is recognised. Of arbitrary numbers
	// one in 2000 is within decimalSlack of one so long.
	digits       = 12
	decimalSlack = 0x1p-51 // four roundings
	// mostProduct bounds numerator times denominator of a fraction that is
	// recognised. Of arbitrary numbers one in 500 is within fractionSlack of one.
	mostProduct   = 1 << 40
	fractionSlack = 0x1p-50 // four roundings of each of two numbers
)

// ratio returns the number that x/y most likely stands for, with a relative error
// of at most 2^-50:
//
//  1. the exact quotient if both are decimals of at most 12 digits, give or take
//     four roundings;
//  2. else a simple fraction, such as that of 1 MB over 12 Mbit/s to 10 ms, or of
//     two durations given in an odd unit;
//  3. else the exact quotient of the two float64.
//
// Where the fraction is simple the first two agree: two different fractions whose
// numerators and denominators multiply to at most 2^40 are at least 2^-40 apart.
func ratio(x, y float64) *big.Rat {
	if a, ok := decimal(x); ok {
		if b, ok := decimal(y); ok {
			return a.Quo(a, b)
		}
	}
	if r, ok := simpleFraction(x / y); ok {
		return r
	}
	a, b := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
	return a.Quo(a, b)
}

// decimal returns the decimal of at most 12 digits that x is the float64 of.
func decimal(x float64) (*big.Rat, bool) {
	text := strconv.FormatFloat(x, 'e', digits-1, 64)
	near, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(near-x) > decimalSlack*x {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// simpleFraction returns the first convergent of the continued fraction of x
// that is within fractionSlack of it.
func simpleFraction(x float64) (*big.Rat, bool) {
	p, q := 1.0, 0.0 // the convergent
	lastP, lastQ := 0.0, 1.0
	for rest := x; ; rest = 1 / rest {
		whole := math.Floor(rest)
		p, lastP = float64(whole*p)+lastP, p
		q, lastQ = float64(whole*q)+lastQ, q
		switch {
		case !(p*q <= mostProduct && p <= mostProduct):
			return nil, false
		case p > 0 && math.Abs(p/q-x) <= fractionSlack*x:
			return big.NewRat(int64(p), int64(q)), true
		}
		rest -= whole
		if rest == 0 {
			return nil, false
		}
	}
}

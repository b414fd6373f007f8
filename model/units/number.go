package units

import (
	"regexp"
	"strconv"
)

// A decimal is a number of the grammar, its mantissa still as written.
type decimal struct {
	mantissa string
	exponent int
}

// quantityPattern is the grammar with the unit left open: mantissa, sign and
// digits of the exponent, rest.
var quantityPattern = regexp.MustCompile(`(?s)^([+-]?[0-9]+(?:\.[0-9]+)?)(?:[eE]([+-]?)([0-9]+))? ?(.*)$`)

// split cuts the text into its number and what follows, which may be empty. It
// reports whether there is a number.
func split(text string) (number decimal, rest string, ok bool) {
	parts := quantityPattern.FindStringSubmatch(text)
	if parts == nil {
		return decimal{}, "", false
	}
	mantissa, sign, exponent, rest := parts[1], parts[2], clampedInt(parts[3]), parts[4]
	if sign == "-" {
		exponent = -exponent
	}
	return decimal{mantissa, exponent}, rest, true
}

// clampedInt reads decimal digits; none are 0. It stops growing far beyond the
// exponents of a float64, where the exact exponent no longer matters, so that
// no text overflows it.
func clampedInt(digits string) int {
	n := 0
	for _, digit := range digits {
		if n < 1_000_000 {
			n = 10*n + int(digit-'0')
		}
	}
	return n
}

// timesPowerOfTen returns the float64 nearest to d * 10^shift. The shift is made
// in the decimal text, because 50 * 1e-6 in floating point is not 50e-6. The
// only possible error is overflow.
func (d decimal) timesPowerOfTen(shift int) (float64, error) {
	return strconv.ParseFloat(d.mantissa+"e"+strconv.Itoa(d.exponent+shift), 64)
}

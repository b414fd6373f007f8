package units

import (
	"math"
	"strconv"
)

// digits is the number of significant digits that are printed.
const digits = 6

// format prints a value in base units on a ladder of units in ascending order. Zero and
// non-finite values have no magnitude to choose a unit by and are printed with the
// symbol base.
func format(value float64, ladder []unit, base string) string {
	if value == 0 {
		return "0 " + base
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return significant(value) + " " + base
	}
	size := math.Abs(value)
	// Descend while the value is less than one of this unit. The test uses the number
	// as the unit below would print it: 999.9999 ms is "1 s" and not "1000 ms".
	i := len(ladder) - 1
	for i > 0 && rounded(size/ladder[i-1].scale()) < step(ladder[i-1], ladder[i]) {
		i--
	}
	mantissa := size / ladder[i].scale()
	if i > 0 {
		// 1023.999 KiB prints as 1024 KiB and so becomes 1 MiB, although
		// it would print as 0.999999 MiB.
		mantissa = max(mantissa, 1)
	}
	return significant(math.Copysign(mantissa, value)) + " " + ladder[i].symbol
}

// scale is the size of the unit in base units.
func (u unit) scale() float64 { return u.factor * math.Pow10(u.exponent) }

// step is how many of the lower unit make one of the upper, 1000 or 1024. It is
// rounded because negative powers of ten are not exact in floating point.
func step(lower, upper unit) float64 { return math.Round(upper.scale() / lower.scale()) }

// significant prints x to 6 significant digits without trailing zeros.
func significant(x float64) string { return strconv.FormatFloat(x, 'g', digits, 64) }

// rounded returns x as significant prints it.
func rounded(x float64) float64 {
	r, err := strconv.ParseFloat(significant(x), 64)
	if err != nil {
		panic("units: cannot read a printed number: " + err.Error())
	}
	return r
}

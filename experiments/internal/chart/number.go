package chart

import (
	"math"
	"strconv"
	"strings"
)

// exactTo is the largest integer up to which float64 has all integers.
const exactTo = 1 << 53

// Number writes a value for readers: an integer up to 2^53 with all its digits, other
// numbers with six significant ones.
func Number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) <= exactTo {
		return strconv.FormatInt(int64(v), 10)
	}
	return Short(v, 6)
}

// Short writes a value with at most so many significant digits and no zeros at the
// end, with an exponent only beyond 1e-4 and 1e6.
func Short(v float64, digits int) string {
	size := math.Abs(v)
	if v == 0 || size >= 1e-4 && size < 1e6 {
		rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		if err != nil { // it was written here
			panic("chart: " + err.Error())
		}
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	sign := ""
	if exponent[0] == '-' {
		sign = "-"
	}
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}

// full writes a value such that reading it gives the same float64.
func full(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// prefixes are those of SI that a label may have, from 1e-12 to 1e18.
var prefixes = []string{"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"}

const noPrefix = 4 // index in prefixes

// takesPrefix reports whether a unit is written with prefixes of SI. Seconds are
// written with those below one only: nobody says kiloseconds.
func takesPrefix(unit string) (below, above bool) {
	switch unit {
	case "s":
		return true, false
	case "B", "B/s", "bit/s", "flop", "flop/s", "Hz":
		return false, true
	case "W", "J":
		return true, true
	}
	return false, false
}

// prefixed writes a value with its unit and the prefix that makes it 1 to 999.
func prefixed(v float64, unit string, digits int) string {
	if v == 0 {
		return "0"
	}
	below, above := takesPrefix(unit)
	k := noPrefix
	for size := math.Abs(v) * (1 + 1e-12); size >= 1000 && above && k < len(prefixes)-1; size /= 1000 {
		k++
	}
	for size := math.Abs(v) * (1 + 1e-12); size < 1 && below && k > 0; size *= 1000 {
		k--
	}
	return Short(v/math.Pow(1000, float64(k-noPrefix)), digits) + " " + prefixes[k] + unit
}

package chart

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/isoscale/isoscale/internal/each"
)

// Clean prepares text of the caller for a page: one line, valid UTF-8, and U+FFFD
// for characters that a browser would drop or that would reorder the text around them
// (control and bidirectional control characters). A space between two digits, as
// in 400 000, does not break. It does not escape: HTML and JSON are
// escaped when they are written.
func Clean(s string) string {
	return joinDigits(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || isNoncharacter(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar))))
}

// joinDigits replaces each single space between digits by a no-break space (U+00A0).
func joinDigits(s string) string {
	digit := func(i int) bool { return 0 <= i && i < len(s) && '0' <= s[i] && s[i] <= '9' }
	var out strings.Builder
	from := 0
	for i := range len(s) {
		if s[i] == ' ' && digit(i-1) && digit(i+1) {
			out.WriteString(s[from:i] + "\u00a0")
			from = i + 1
		}
	}
	return out.String() + s[from:]
}

// isNoncharacter reports the 66 code points that Unicode keeps for internal
// use and HTML does not allow.
func isNoncharacter(r rune) bool {
	return r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF
}

// CleanAll is [Clean] for each of the texts.
func CleanAll(all []string) []string { return each.Of(all, Clean) }

// Titled appends a unit to a title, as in "Time (s)".
func Titled(title, unit string) string {
	if unit == "" || unit == Dimensionless {
		return Clean(title)
	}
	return Clean(title + " (" + unit + ")")
}

// DistinctOf returns the names of items as [Distinct] does.
func DistinctOf[T any](items []T, what string, name func(T) string, taken ...string) []string {
	return Distinct(each.Of(items, name), what, taken...)
}

// Distinct returns the names cleaned and made unique: charts identify a series by
// its name, so a second "C2" becomes "C2 (2)". An empty name becomes its kind and
// number, such as "series 1". Names that are taken mean something else in the data of the chart.
func Distinct(names []string, what string, taken ...string) []string {
	out := make([]string, len(names))
	used := make(map[string]bool)
	for _, name := range taken {
		used[name] = true
	}
	for i, name := range names {
		base := Clean(name)
		if strings.TrimSpace(base) == "" {
			base = what + " " + strconv.Itoa(i+1)
		}
		candidate := base
		for k := 2; used[candidate]; k++ {
			candidate = base + " (" + strconv.Itoa(k) + ")"
		}
		used[candidate] = true
		out[i] = candidate
	}
	return out
}

// exactTo is the integer up to which float64 represents every integer.
const exactTo = 1 << 53

// Number writes a value for readers: an integer up to 2^53 with all its digits, other
// numbers with six significant digits.
func Number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) <= exactTo {
		return strconv.FormatInt(int64(v), 10)
	}
	return Short(v, 6)
}

// Short writes a value with at most so many significant digits, without trailing zeros,
// and with an exponent only below 1e-4 and from 1e6.
func Short(v float64, digits int) string {
	size := math.Abs(v)
	if v == 0 || size >= 1e-4 && size < 1e6 {
		rounded := parsed(strconv.FormatFloat(v, 'g', digits, 64))
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

// full writes a value so that reading it gives the same float64.
func full(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// prefixes are the SI prefixes that a label may have, from 1e-12 to 1e18.
var prefixes = []string{"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"}

const noPrefix = 4 // index in prefixes

// takesPrefix reports whether a unit is written with SI prefixes below and above one.
// Seconds have only those below: nobody says kiloseconds.
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

package units

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// parse reads one quantity by the grammar in the package comment and returns it
// in base units. Every error is a *ParseError.
func (d *dimension) parse(text string) (float64, error) {
	fail := func(reason string) (float64, error) {
		return 0, &ParseError{Text: text, Quantity: d.name, Reason: reason, Example: d.example}
	}
	if text == "0" {
		return 0, nil
	}
	number, symbol, ok := split(text)
	if !ok {
		return fail(reasonNoNumber)
	}
	if symbol == "" {
		return fail("the unit is missing")
	}
	for _, u := range d.units {
		if u.symbol != symbol {
			continue
		}
		value, err := number.timesPowerOfTen(u.exponent)
		value *= u.factor
		if err != nil || math.IsInf(value, 0) {
			return fail(reasonTooLarge)
		}
		return value, nil
	}
	return fail(d.refusal(symbol))
}

// refusal says why the symbol is not a unit of this dimension and which unit may be
// meant, if it resembles one.
func (d *dimension) refusal(symbol string) string {
	if strings.ContainsFunc(symbol, func(r rune) bool { return r != '/' && !unicode.IsLetter(r) }) {
		// No unit has such characters, so the number or the spacing is wrong, as in
		// "1_000 B", "1,5 s", "0x10 B" and "50 us ".
		return fmt.Sprintf("%q after the number is not a unit", symbol)
	}
	if meant := d.meant(symbol); len(meant) > 0 {
		return fmt.Sprintf("unit %q is not accepted, perhaps %s is meant", symbol, strings.Join(meant, " or "))
	}
	return fmt.Sprintf("%q is not a unit of %s, use %s", symbol, d.name, d.accepts)
}

// meant lists, in quotes, the units that the refused symbol may mean. A listed
// spelling beats one that agrees only when upper and lower case are ignored:
// "MBps" means bytes although "Mbps" means bits.
func (d *dimension) meant(symbol string) []string {
	equalFold := func(s string) bool { return strings.EqualFold(s, symbol) }
	var listed, folded []string
	for _, u := range d.units {
		switch {
		case slices.Contains(u.sloppy, symbol):
			listed = append(listed, strconv.Quote(u.symbol))
		case equalFold(u.symbol), slices.ContainsFunc(u.sloppy, equalFold):
			folded = append(folded, strconv.Quote(u.symbol))
		}
	}
	if len(listed) > 0 {
		return listed
	}
	return folded
}

// A decimal is a number of the grammar, with its mantissa as written.
type decimal struct {
	mantissa string
	exponent int
}

// split cuts the text into its number and the rest, without one leading space; the rest
// may be empty. It reports whether there is a number: an optional sign, digits, then
// optionally a point with digits and an exponent. It uses no regular expression because a
// study parses texts for each of its points.
func split(text string) (number decimal, rest string, ok bool) {
	i := signed(text)
	if n := leadingDigits(text[i:]); n > 0 {
		i += n
	} else {
		return decimal{}, "", false
	}
	if i < len(text) && text[i] == '.' {
		if n := leadingDigits(text[i+1:]); n > 0 {
			i += 1 + n
		}
	}
	number.mantissa = text[:i]
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		from := i + 1 + signed(text[i+1:])
		if n := leadingDigits(text[from:]); n > 0 {
			number.exponent = clampedInt(text[from : from+n])
			if text[i+1] == '-' {
				number.exponent = -number.exponent
			}
			i = from + n
		}
	}
	return number, strings.TrimPrefix(text[i:], " "), true
}

// signed returns the length of the sign that the text begins with.
func signed(text string) int {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return 1
	}
	return 0
}

// leadingDigits returns how many decimal digits the text begins with.
func leadingDigits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// clampedInt reads decimal digits; without digits it returns 0. It stops growing far
// beyond the exponents of a float64, where the exact value no longer matters, so that
// no text makes it overflow.
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

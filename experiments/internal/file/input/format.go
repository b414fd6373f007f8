package input

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// OrDash prints a value, or a dash if it is unknown.
func OrDash(known bool, v any) string {
	if !known {
		return "-"
	}
	return fmt.Sprint(v)
}

// Capitalized returns a text as the beginning of a sentence.
func Capitalized(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Plural prints a count with its noun, as in "1 rank" or "2 ranks".
func Plural(n int, what string) string {
	switch {
	case n == 1 || what == "chassis":
	case strings.HasSuffix(what, "ch"), strings.HasSuffix(what, "ss"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Number prints a number with six significant digits, or, as it may be a count, a whole number with all that it has.
func Number(x float64) string {
	if x == math.Trunc(x) {
		return Figure(x, 12)
	}
	return Figure(x, 6)
}

// Figure prints a number with so many significant digits, without an exponent from 1 to 1e12: 16128000.
func Figure(x float64, digits int) string {
	if a := math.Abs(x); 1 <= a && a < 1e12 {
		return strconv.FormatFloat(Digits(x, digits), 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}

func List(names []string) string { return strings.Join(names, ", ") }

// Joined lists words, the last one behind "or" or "and": "a, b or c".
func Joined(words []string, by string) string {
	last := len(words) - 1
	if last < 1 {
		return List(words)
	}
	return List(words[:last]) + " " + by + " " + words[last]
}

// Digits rounds to so many significant digits.
func Digits(x float64, n int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64)
	if err != nil { // rounded up beyond the largest number
		return x
	}
	return rounded
}

// Rounded returns a time for running text: three significant digits.
func Rounded(seconds float64) units.Seconds { return units.Seconds(Digits(seconds, 3)) }

// Thousands prints a whole number, with spaces between thousands: "123 456".
func Thousands(x float64) string {
	digits := fmt.Sprintf("%.0f", math.Abs(x))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	if x < 0 && digits != "0" {
		digits = "-" + digits
	}
	return digits
}

// Optional prints a value that may be missing.
func Optional[T any](v *T, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}

// None is printed for a value that could not be computed.
const None = "-"

// ParameterText lists parameters in one line for a report.
func ParameterText(parameters []Parameter) string {
	parts := each.Append(nil, parameters, func(p Parameter) string { return p.Name + " " + p.Value })
	return strings.Join(parts, ", ")
}

// mostNames is how many names Suggestion compares at most.
const mostNames = 1 << 16

// Suggestion ends a message about an unknown name with similar known names, if there
// are any.
func Suggestion(name string, known []string) string {
	near := yamldoc.Nearest(name, known[:min(len(known), mostNames)])
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + List(near) + "?"
}

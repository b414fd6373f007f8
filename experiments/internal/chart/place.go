package chart

import (
	"fmt"
	"math"
)

// A place is a spot in a document, for saying where something is wrong. All
// places of one document share a list, so that one run shows every problem.
type place struct {
	path  string
	found *[]error
}

// in returns the place of a named part, such as chart "Time", or of an unnamed
// one, such as x axis.
func (p place) in(part, name string) place {
	step := part
	if name != "" {
		step = fmt.Sprintf("%s %q", part, shorten(name, 60))
	}
	return place{path: p.path + step + ": ", found: p.found}
}

func (p place) reportf(format string, args ...any) {
	*p.found = append(*p.found, fmt.Errorf("%s%s", p.path, fmt.Sprintf(format, args...)))
}

// The numbers that a chart can show. ECharts, which draws them, rounds positions
// on an axis to ten decimals and overflows near the ends of float64. Within these
// limits it draws correctly; a fitting unit brings any quantity there.
const (
	largest     = 1e30 // of all magnitudes
	smallestLog = 1e-9 // of the numbers on a logarithmic axis
)

// checkNumber reports a value that an axis cannot show. What names the value,
// for example y[3].
func (p place) checkNumber(what string, v float64, log bool) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		p.reportf("%s is %v; expected a finite number", what, v)
	case math.Abs(v) > largest:
		p.reportf("%s is %v; expected a magnitude of at most %g: take a larger unit", what, v, largest)
	case log && v <= 0:
		p.reportf("%s is %v; expected a number above 0, because the axis is logarithmic", what, v)
	case log && v < smallestLog:
		p.reportf("%s is %v; expected at least %g on a logarithmic axis: take a smaller unit", what, v, smallestLog)
	}
}

// checkNumbers is checkNumber for each of the values.
func (p place) checkNumbers(what string, values []float64, log bool) {
	for i, v := range values {
		p.checkNumber(fmt.Sprintf("%s[%d]", what, i), v, log)
	}
}

func (p place) checkPresent(what, text string) {
	if text == "" {
		p.reportf("%s is missing", what)
	}
}

// checkChart reports what all charts have in common.
func checkChart(at place, title string, height int, x, y *Axis) {
	at.checkPresent("title", title)
	at.checkHeight(height)
	x.check(at.in("x axis", ""))
	y.check(at.in("y axis", ""))
}

func (p place) checkHeight(height int) {
	if height < 0 {
		p.reportf("height is %d; expected pixels, or 0 for a default", height)
	}
}

// shorten cuts a text to at most n characters, for error messages.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

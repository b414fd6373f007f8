package overlay

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// largestRatio and smallestRatio bound the ratios that a chart can show.
const (
	largestRatio  = 1e30
	smallestRatio = 1e-9 // of their magnitudes, but for 0
)

// ratioOf returns b/a, and whether a chart can show it.
func ratioOf(a, b float64) (float64, bool) {
	r := b / a // not finite for a = 0
	size := math.Abs(r)
	return r, size <= largestRatio && (size >= smallestRatio || b == 0 && a != 0)
}

// left counts the points without a ratio.
type left struct {
	only     [2]int // points that one result has alone
	undrawn  int    // points of both whose ratio is not a number or out of range
	compared int
}

// add counts a point of both.
func (l *left) add(drawn bool) {
	if drawn {
		l.compared++
	} else {
		l.undrawn++
	}
}

// alone counts the points of a curve that one result has alone.
func (l *left) alone(of int, s report.Series) {
	if !s.Ideal {
		l.only[of] += len(s.X)
	}
}

// sentence says what has no ratio, "" if all points have one.
func (l *left) sentence(names [2]string) string {
	var parts []string
	for i, n := range l.only {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s of %s alone", input.Plural(n, "point"), names[i]))
		}
	}
	if l.undrawn > 0 {
		parts = append(parts, input.Plural(l.undrawn, "point")+" where "+names[0]+" is 0 or the ratio is out of range")
	}
	if parts == nil {
		return ""
	}
	return "Without a ratio: " + strings.Join(parts, ", ") + "."
}

// ratioCaption says what the numbers of a ratio mean.
func (l *left) ratioCaption(names [2]string) string {
	text := fmt.Sprintf("The value of %s divided by that of %s, at %s.", names[1], names[0], input.Plural(l.compared, "point"))
	if s := l.sentence(names); s != "" {
		text += " " + s
	}
	return text
}

// bothCaption says how the results are told apart, and what has no ratio.
func (l *left) bothCaption(how string, names [2]string) string {
	if l.compared == 0 {
		return how + " They have no point in common, and no ratio."
	}
	if s := l.sentence(names); s != "" {
		return how + " " + s
	}
	return how
}

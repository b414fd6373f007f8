package queue

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// timeUnit is a unit in which people tell the times of jobs.
type timeUnit struct {
	name    string
	seconds float64
}

var timeUnits = []timeUnit{{"d", 86400}, {"h", 3600}, {"min", 60}}

// unitFor returns the largest unit of which a time has two.
func unitFor(t units.Seconds) timeUnit {
	for _, u := range timeUnits {
		if float64(t) >= 2*u.seconds {
			return u
		}
	}
	return timeUnit{"s", 1}
}

// Span prints a time for people: three digits or, if it is long, whole units.
func Span(t units.Seconds) string {
	u := unitFor(t)
	if u.seconds == 1 {
		return input.Rounded(float64(t)).String()
	}
	x := float64(t) / u.seconds
	return fmt.Sprintf("%.*f %s", max(0, 2-int(math.Log10(x))), x, u.name)
}

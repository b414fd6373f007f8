package measurements

import (
	"errors"
	"regexp"
	"strconv"
)

// clockUnit is the unit of times as batch systems print them.
const clockUnit = "hh:mm:ss"

var errClock = errors.New("not a time of the clock")

var clockPattern = regexp.MustCompile(`^(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,6}(?:\.[0-9]{1,9})?)$`)

// parseClock reads [D-][HH:]MM:SS[.fraction], as sacct prints elapsed times.
func parseClock(text string) (float64, error) {
	parts := clockPattern.FindStringSubmatch(text)
	if parts == nil || parts[1] != "" && parts[2] == "" {
		return 0, errClock
	}
	var seconds float64
	for i, unit := range []float64{86400, 3600, 60, 1} {
		if digits := parts[i+1]; digits != "" {
			v, err := strconv.ParseFloat(digits, 64)
			if err != nil {
				return 0, errClock
			}
			seconds += float64(v * unit)
		}
	}
	return seconds, nil
}

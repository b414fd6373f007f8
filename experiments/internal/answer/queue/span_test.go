package queue

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// An interval is told in the unit of the mean, whatever units its ends would have alone.
func TestIntervalHasOneUnit(t *testing.T) {
	for _, x := range []struct {
		wait MeanWait
		want string
	}{
		{MeanWait{110, 59.6, 172, false}, "110 s (59.6 s to 172 s)"},
		{MeanWait{147, 60, 7200, false}, "2.45 min (1.00 min to 120 min)"},
		{MeanWait{147, 0, 300, false}, "2.45 min (0.00 min to 5.00 min)"},
		{MeanWait{2 * 3600, 900, 4 * 86400, false}, "2.00 h (0.25 h to 96.0 h)"},
	} {
		expect.Equal(t, x.wait.Text(), x.want, "%v", x.wait)
	}
}

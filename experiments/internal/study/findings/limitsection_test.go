package findings

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
)

// Two configurations, with two seeds that change nothing.
func TestMapOfWhatLimits(t *testing.T) {
	r := drawn(t, sweeptest.Probes)
	points := 0
	for _, b := range r.limitSection().Blocks {
		if c, ok := b.(*report.ScatterChart); ok {
			for _, s := range c.Series {
				points += len(s.Points)
			}
		}
	}
	if points != 4 {
		t.Errorf("%d points drawn", points)
	}
}

package findings

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

func TestMapOfLosses(t *testing.T) {
	if drawn(t, sweeptest.Losses).lossSection() == nil {
		t.Error("no map of the largest loss")
	}
}

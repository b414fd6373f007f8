package findings

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

func TestLossesAreCounted(t *testing.T) {
	r := finished(t, sweeptest.Losses)
	// n = 1, 2: only transfers. n = 3 takes 3 rounds of 3 s for 8 or 9 SIs, too.
	if got, want := strings.Join(r.LossesInWords(), ""), "Most time is lost to transfers at level 1 at 6 of 6 points."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

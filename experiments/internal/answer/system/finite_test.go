package system

import (
	"math"
	"strings"
	"testing"
)

// An outcome is finite, or absent where its entry says so: anything else is an error with
// its name, and never a value that breaks a file or a page.
func TestOutcomesAreFinite(t *testing.T) {
	entry := func(name, lacking string) outcome[float64] {
		return outcome[float64]{Outcome{Name: name, Traits: Traits{Lacking: lacking}}, func(x float64) float64 { return x }}
	}
	always, sometimes := entry("time", ""), entry("energy", "the nodes have no power")
	if all, err := values([]outcome[float64]{always, sometimes}, 5); err != nil || all[0] != 5 || all[1] != 5 {
		t.Errorf("finite: %v, %v", all, err)
	}
	if all, err := values([]outcome[float64]{sometimes}, math.NaN()); err != nil || !math.IsNaN(all[0]) {
		t.Errorf("absent: %v, %v", all, err)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if all, err := values([]outcome[float64]{always}, x); err == nil || !strings.Contains(err.Error(), "outcome time is ") {
			t.Errorf("%v gives %v, %v", x, all, err)
		}
	}
	if all, err := values([]outcome[float64]{sometimes}, math.Inf(1)); err == nil {
		t.Errorf("an infinite energy gives %v", all)
	}
}

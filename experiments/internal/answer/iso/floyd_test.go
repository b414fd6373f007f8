package iso

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// The efficiencies of [Bosque] Table 2, to all three digits printed, from whole
// rows. Where messages cost nothing, whole rows alone lower the efficiency by up
// to n_q/(n P_q/P_T): with n = 4216, a fast processor has 33 or 34 rows of 33.246,
// a slow one 13 or 14 of 13.550, and 14/13.550 = 1.0332.
func TestFloydExampleHasThePublishedEfficiencies(t *testing.T) {
	s, err := scenario.ReadStudy("../../../../examples/bosque-floyd.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	ideal, err := scenario.ReadStudy("../../../../examples/bosque-floyd.yaml", []input.Override{{Path: "network", Value: "ideal"}})
	if err != nil {
		t.Fatal(err)
	}
	published := map[string]string{"P2": "0.842", "P4": "0.841", "P8": "0.841", "P16": "0.841", "P32": "0.842", "P64": "0.842", "P128": "0.841"}
	if testing.Short() {
		delete(published, "P128") // takes as long as all the others
	}
	checked := 0
	for i, x := range s.Systems {
		if _, ok := published[x.Name]; !ok {
			continue
		}
		sys, err := system.New(s.Scenario(i))
		if err != nil {
			t.Fatal(err)
		}
		n := s.Compare.N[x.Name]
		a := sys.Algorithm(n)
		efficiency := func(time float64) float64 {
			return float64(a.Work()) / time / float64(sys.Placement.MarkedSpeed())
		}
		if got := fmt.Sprintf("%.3f", efficiency(float64(simulatedTime(t, s, i, n)))); got != published[x.Name] {
			t.Errorf("%s, n = %d: efficiency %s; published %s", x.Name, n, got, published[x.Name])
		}
		if x.Name == "P128" {
			if got := efficiency(float64(simulatedTime(t, ideal, i, n))); math.Abs(got-1/1.0332) > 1e-4 {
				t.Errorf("%s: efficiency %v without communication; expected %v for whole rows", x.Name, got, 1/1.0332)
			}
		}
		checked++
	}
	if checked != len(published) {
		t.Errorf("%d systems; expected the %d of Table 2", checked, len(published))
	}
}

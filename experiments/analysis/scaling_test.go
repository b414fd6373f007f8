package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/model/regression"
)

func TestFitScaling(t *testing.T) {
	// Serial fractions of 0.1 and 0.2 on two networks; the order of p is another.
	table := factorial([]Factor{numbers("p", 8, 1, 2, 4, 16, 32), words("network", "fast", "slow")}, 2,
		func(x []float64, r int) float64 {
			s := 0.1 * (1 + x[1])
			return 60 * (s + (1-s)/x[0]) * (1 + 0.01*(2*float64(r)-1))
		})
	s, err := FitScaling(table, "y", ScalingOptions{Factor: "p", Kind: regression.Time})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Fits) != 2 || s.LeftOut != 0 || s.Factor != 0 || s.Count.Repeated != 2 {
		t.Fatalf("%+v", s)
	}
	for i, f := range s.Fits {
		if !slices.Equal(f.Levels, []int{-1, i}) || f.Err != nil || len(f.Samples) != 6 || f.Samples[0].P != 1 || f.Samples[5].P != 32 {
			t.Errorf("%+v", f)
		}
		closeTo(t, "s", f.Models.Amdahl.Serial, 0.1*float64(i+1))
		if best := f.Models.Fits[0]; best.Model != "Amdahl" || best.Extrapolates(32) || !best.Extrapolates(64) {
			t.Errorf("%s is best", best.Formula)
		}
	}
	s, err = FitScaling(table, "y", ScalingOptions{Factor: "p", Kind: regression.Time, Limit: 1})
	if err != nil || len(s.Fits) != 1 || s.LeftOut != 1 {
		t.Errorf("%+v %v", s, err)
	}
	// On one of the networks too few rows are left.
	for i := range table.Rows {
		if l := table.Rows[i].Levels; l[1] == 1 && l[0] > 1 {
			table.Rows[i].Values[0] = math.NaN()
		}
	}
	s, err = FitScaling(table, "y", ScalingOptions{Factor: "p", Kind: regression.Time})
	if err != nil || s.Fits[0].Err != nil || s.Fits[1].Models != nil || !strings.Contains(s.Fits[1].Err.Error(), "needs points of at least 3 different p, have 2") {
		t.Errorf("%+v %v", s, err)
	}
}

package regression

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// y = 3 + 2 p q on p, q = 1 ... 5 with errors of +-e whose signs alternate like those
// of a chessboard. By symmetry, with m = sum over the grid of p q/25 = 9 and S = sum of
// (p q - 9)^2 = 55^2 - 25 81 = 1000, and with the errors sum e = e (13 of one sign, 12
// of the other) and sum e p q = 9 e (the alternating sum of 1 ... 5 is 3 in each):
//
//	slope = 2 + (9 e - 9 e)/S = 2,   constant = 3 + e/25
//	RSS = 25 e^2 - 25 (e/25)^2 = 24.96 e^2,   s^2 = RSS/23
//	leverage at p, q: 1/25 + (p q - 9)^2/1000
//
// The 97.5 % quantile of Student's t with 23 degrees of freedom is 2.0687 in tables.
func TestBandOfTwoParametersByHand(t *testing.T) {
	const e = 0.01
	var samples []Sample2
	for p := 1; p <= 5; p++ {
		for q := 1; q <= 5; q++ {
			samples = append(samples, Sample2{float64(p), float64(q), 3 + 2*float64(p*q) + e*float64(1-2*((p+q)%2))})
		}
	}
	m := expect.Value(FitNormalForm2(samples))(t)
	expect.Need(t, len(m.Products) == 1, "the form is %s", m.Formula)
	near := func(what string, got, want, tolerance float64) {
		t.Helper()
		expect.Near(t, got, want, tolerance, "%s", what)
	}
	near("RMSE", m.RMSE, e*math.Sqrt(24.96/25), 1e-9)
	for _, at := range []struct {
		p, q  float64
		extra bool
	}{{3, 3, false}, {5, 5, false}, {10, 2, true}, {1, 20, true}} {
		b := expect.Value(m.Band(at.p, at.q, 0.95))(t)
		x := at.p*at.q - 9
		half := 2.0687 * e * math.Sqrt(24.96/23*(1+1/25.0+x*x/1000))
		near("value", b.Value, 3+e/25+2*at.p*at.q, 1e-9)
		near("lower side", b.Prediction[0], b.Value-half, 1e-4*half)
		near("upper side", b.Prediction[1], b.Value+half, 1e-4*half)
		expect.Equal(t, b.Extrapolates, at.extra, "at %g, %g: extrapolates", at.p, at.q)
	}
	// A point left out is predicted with its residual over 1 - leverage, which at the
	// largest leverage, of p = q = 5, is 1 - 0.04 - 0.256: so all errors are between e
	// and 1.5 e, of values of 5 to 53.
	expect.That(t, m.CrossSMAPE >= 100*e/53*0.9 && m.CrossSMAPE <= 100*1.5*e/5,
		"the cross-validation error is %v %%", m.CrossSMAPE)
	for _, bad := range [][3]float64{{-1, 1, 0.9}, {1, math.NaN(), 0.9}, {1, math.Inf(1), 0.9}, {1, 1, 0}, {1, 1, 1}} {
		_, err := m.Band(bad[0], bad[1], bad[2])
		expect.That(t, err != nil, "Band(%v): no error", bad)
	}
}

// Without errors a point left out is met.
func TestExactPointsOfTwoParametersAreMet(t *testing.T) {
	m := expect.Value(FitNormalForm2(grid2(func(p, q float64) float64 { return 5 + 2*p*q })))(t)
	expect.That(t, m.CrossSMAPE <= 1e-6, "%s: cross-validation error %v %%", m.Formula, m.CrossSMAPE)
}

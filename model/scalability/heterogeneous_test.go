package scalability_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// The closed form for powers of n is the numerical solution of W = K T_o P_T.
func TestHIsoefficiencySizeAgainstSolver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(1.5, 4).Draw(t, "a")
		b := a - rapid.Float64Range(0.5, 3).Draw(t, "a - b") // an overhead may fall with n
		h := 1e-6
		draw := func(name string) scalability.OverheadPoint {
			return scalability.OverheadPoint{
				Power:  units.FlopsPerSecond(rapid.Float64Range(1e6, 1e8).Draw(t, "P_T"+name)),
				Factor: rapid.Float64Range(1, 10).Draw(t, "g"+name),
			}
		}
		base, scaled := draw("0"), draw("")
		model := func(p scalability.OverheadPoint) scalability.SizeModel {
			return scalability.SizeModel{
				Work:     func(n float64) units.Flops { return units.Flops(math.Pow(n, a)) },
				Overhead: func(n float64) units.Seconds { return units.Seconds(h * p.Factor * math.Pow(n, b)) },
				Speed:    p.Power,
			}
		}
		const n0 = 100
		eps := expect.Value(model(base).Efficiency(n0))(t)
		n := expect.Value(scalability.HIsoefficiencySize(n0, base, scaled, a, b))(t)
		solved := expect.Value(model(scaled).Size(eps, n/1.5, n*1.5))(t)
		// d ln n/d ln E is at most 2/(1 - E): a rounded E costs that many ulps.
		expect.Near(t, solved, n, n*2e-15/(1-eps)+1e-12*n, "n = %v, solved", n)
	})
}

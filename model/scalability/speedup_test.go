package scalability_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
)

// near allows the last few bits to differ.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-13*math.Abs(want) }

// A speedup beyond p means a negative fraction, a slowdown one above 1: p = 2 and
// S = 4 give (1/4 - 1/2)/(1/2) = -1/2, S = 1/2 gives (2 - 1/2)/(1/2) = 3.
func TestKarpFlattOutsideAmdahl(t *testing.T) {
	for _, test := range []struct{ s, want float64 }{{4, -0.5}, {0.5, 3}, {2, 0}, {1, 1}} {
		expect.Equal(t, expect.Value(scalability.KarpFlatt(test.s, 2))(t), test.want, "S = %v", test.s)
	}
}

// Memory-bounded speedup is Amdahl's where the work stays, Gustafson's where it grows
// as the processors do, and between 1 and p always.
func TestSunNiLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, p := rapid.Float64Range(0, 1).Draw(t, "f"), rapid.IntRange(1, 1<<20).Draw(t, "p")
		amdahl, err1 := scalability.Amdahl(f, p)
		gustafson, err2 := scalability.Gustafson(f, p)
		same, err3 := scalability.SunNi(f, p, 1)
		scaled, err4 := scalability.SunNi(f, p, float64(p))
		more, err5 := scalability.SunNi(f, p, math.Pow(float64(p), 1.5))
		for _, err := range []error{err1, err2, err3, err4, err5} {
			expect.Success(t, err)
		}
		expect.That(t, near(same, amdahl) && near(scaled, gustafson),
			"G = 1: %v, Amdahl %v; G = p: %v, Gustafson %v", same, amdahl, scaled, gustafson)
		const ulps = 1e-14
		expect.That(t, more >= scaled*(1-ulps) && scaled >= same*(1-ulps) && more <= float64(p)*(1+ulps) &&
			same >= 1-ulps,
			"not 1 <= %v <= %v <= %v <= p", same, scaled, more)
	})
}

package scalability_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// One program by hand: 100 tasks of 1 s, of which 10 must be done by one processor
// while the others wait, and 90 are dealt to 9 processors. On one processor it takes
// 100 s, on nine 10 + 90/9 = 20 s. So S = 5 and E = 5/9; of the parallel run one half
// is sequential; 8 processors waited 10 s each.
func TestOneProgramByEveryMeasure(t *testing.T) {
	const t1, t9 units.Seconds = 100, 20
	for _, test := range []struct {
		name string
		got  result
		want float64
	}{
		{"Speedup", of(scalability.Speedup(t1, t9)), 5},
		{"Efficiency", of(scalability.Efficiency(5, 9)), 5. / 9},
		{"KarpFlatt", of(scalability.KarpFlatt(5, 9)), 0.1},
		{"Amdahl", of(scalability.Amdahl(0.1, 9)), 5},
		{"Gustafson", of(scalability.Gustafson(0.5, 9)), 5},
		{"ProcessorsAtEfficiency", of(scalability.ProcessorsAtEfficiency(t1, 5./9, t9)), 9},
		{"TimeAtEfficiency", of(scalability.TimeAtEfficiency(t1, 5./9, 9)), 20},
		{"TotalOverhead", of(scalability.TotalOverhead(9, t9, t1)), 80},
		{"OverheadEfficiency", of(scalability.OverheadEfficiency(80, t1)), 5. / 9},
		{"AverageLatency", of(scalability.AverageLatency(9, t9, t1)), 80. / 9},
		// On an ideal machine the 10 tasks still wait for one processor, so the
		// machine lost nothing.
		{"IdealRatio", of(scalability.IdealRatio(5, 5)), 1},
		// Four times the parallel work: 10 + 360 s alone, 10 + 40 s on nine.
		{"SunNi", of(scalability.SunNi(0.1, 9, 4)), 370. / 50},
	} {
		expect.That(t, test.got.err == nil && near(test.got.v, test.want),
			"%s: %+v, want %v", test.name, test.got, test.want)
	}
}

// A result is what a call returned, for use in a table.
type result struct {
	v   float64
	err error
}

func of[T ~float64](v T, err error) result { return result{float64(v), err} }

// near allows the last few bits to differ.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-13*math.Abs(want) }

// The serial fraction of a speedup that Amdahl's law gives is Amdahl's f.
func TestKarpFlattInvertsAmdahl(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, p := rapid.Float64Range(0, 1).Draw(t, "f"), rapid.IntRange(2, 1<<20).Draw(t, "p")
		s := expect.Value(scalability.Amdahl(f, p))(t)
		e := expect.Value(scalability.KarpFlatt(s, p))(t)
		// 1/S - 1/p cancels for small f, which leaves rounding of about 1/p.
		expect.That(t, math.Abs(e-f) <= 1e-14, "e = %v, want %v", e, f)
	})
}

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

// With nothing sequential every law gives p, with all sequential 1.
func TestSpeedupLawsAtTheEnds(t *testing.T) {
	for p := 1; p < 100; p++ {
		for _, f := range []float64{0, 1} {
			want := float64(p)
			if f == 1 {
				want = 1
			}
			a, err1 := scalability.Amdahl(f, p)
			g, err2 := scalability.Gustafson(f, p)
			s, err3 := scalability.SunNi(f, p, 7)
			expect.That(t, err1 == nil && err2 == nil && err3 == nil && near(a, want) && near(g, want) &&
				near(s, want),
				"f = %v, p = %d: %v, %v, %v", f, p, a, g, s)
		}
	}
	// The limit of many processors is 1/f.
	s, err := scalability.Amdahl(0.25, math.MaxInt32)
	expect.That(t, err == nil && math.Abs(s-4) <= 1e-8, "%v, %v, want 4", s, err)
}

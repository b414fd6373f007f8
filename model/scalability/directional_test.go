package scalability_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/model/scalability"
)

// Quotients by hand: U = x^2 y at (3, 2), step 1. Along x: 4^2 2 - 3^2 2 = 14, the
// derivative is 2 x y = 12. Along y: 9. Along (3, 4)/5, which (6, 8) is too:
// 3.6^2 2.8 - 18 = 18.288, the derivative is (12 3 + 9 4)/5 = 14.4.
func TestDirectionalScalabilityByHand(t *testing.T) {
	var u scalability.Satisfaction = func(p []float64) float64 { return p[0] * p[0] * p[1] }
	for _, test := range []struct {
		direction         []float64
		value, derivative float64
	}{
		{[]float64{1, 0}, 14, 12},
		{[]float64{0, 1}, 9, 9},
		{[]float64{6, 8}, 18.288, 14.4},
		{[]float64{6e300, 8e300}, 18.288, 14.4}, // squares would overflow
		{[]float64{-1, 0}, -10, -12},            // 2^2 2 - 18
	} {
		s, err := u.Directional([]float64{3, 2}, test.direction, 1)
		if err != nil || !near(s.Value, test.value) {
			t.Errorf("along %v: %+v, %v, want %v", test.direction, s, err, test.value)
		}
		// Along the axes U is of second degree, where the extrapolation is exact.
		if test.direction[0]*test.direction[1] == 0 && (!near(s.Limit, test.derivative) ||
			math.Abs(s.Error-math.Abs(test.value-test.derivative)) > 1e-13) {
			t.Errorf("along %v: %+v, want limit %v", test.direction, s, test.derivative)
		}
	}
}

// Against derivatives known in closed form: the stated error is the real one, but for
// the next order in the step, and falls as the step does.
func TestDirectionalScalabilityError(t *testing.T) {
	for _, test := range []struct {
		name       string
		u          scalability.Satisfaction
		at         []float64
		direction  []float64
		derivative float64
	}{
		{"exp(x - y)", func(p []float64) float64 { return math.Exp(p[0] - p[1]) }, []float64{1, 1}, []float64{1, 0}, 1},
		{"Amdahl, f = 0.1, p = 2^r", func(p []float64) float64 { return 1 / (0.1 + 0.9*math.Exp2(-p[0])) }, []float64{3}, []float64{1},
			0.9 / 8 * math.Ln2 / (0.2125 * 0.2125)},
		{"log2(x/y)", func(p []float64) float64 { return math.Log2(p[0] / p[1]) }, []float64{4, 2}, []float64{1, 1},
			(0.25 - 0.5) / math.Ln2 / math.Sqrt2},
	} {
		last := math.Inf(1)
		for _, step := range []float64{1e-2, 1e-3, 1e-4} {
			s, err := test.u.Directional(test.at, test.direction, step)
			s = must(t, s, err)
			actual := math.Abs(s.Value - test.derivative)
			if actual < 0.98*s.Error || actual > 1.02*s.Error || s.Error > last/9 {
				t.Errorf("%s, step %g: error %g, stated %g", test.name, step, actual, s.Error)
			}
			if limit := math.Abs(s.Limit - test.derivative); limit > 0.02*s.Error {
				t.Errorf("%s, step %g: error of the limit %g, of the value %g", test.name, step, limit, s.Error)
			}
			last = s.Error
		}
	}
}

// Where the step is so small that rounding rules, the stated error covers it. U is
// linear, so there is no other error.
func TestDirectionalScalabilityRounding(t *testing.T) {
	var u scalability.Satisfaction = func(p []float64) float64 { return 1e6 + p[0]/3 }
	for e := -10; e > -40; e-- {
		s, err := u.Directional([]float64{7}, []float64{1}, math.Ldexp(1, e))
		if s = must(t, s, err); math.Abs(s.Value-1./3) > s.Error {
			t.Errorf("step 2^%d: %v is %g from 1/3, stated %g", e, s.Value, s.Value-1./3, s.Error)
		}
	}
}

// The slope along a direction is the gradient times the direction, in the limit.
func TestGradientGivesDirectionalScalability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, lo, hi float64) []float64 {
			return rapid.SliceOfN(rapid.Float64Range(lo, hi), 3, 3).Draw(t, name)
		}
		k, at, v := draw("k", 0.1, 1), draw("N", 0.5, 3), draw("V", 0.1, 1)
		var u scalability.Satisfaction = func(p []float64) float64 {
			return math.Pow(p[0], k[0]) * math.Pow(p[1], k[1]) * math.Pow(p[2], k[2])
		}
		const step = 1e-4
		slopes, err := u.Gradient(at, []float64{step, step, step})
		slopes = must(t, slopes, err)
		grad, length := make([]float64, 3), 0.0
		for i, s := range slopes {
			grad[i] = s.Limit
			length += v[i] * v[i]
			// dU/dx_i = k_i U/x_i.
			if want := k[i] * u(at) / at[i]; math.Abs(s.Limit-want) > 1e-6*want {
				t.Errorf("dimension %d: %v, want %v", i, s.Limit, want)
			}
		}
		gain, err := scalability.LinearGain(grad, v)
		gain = must(t, gain, err) / math.Sqrt(length)
		s, err := u.Directional(at, v, step)
		if s = must(t, s, err); math.Abs(s.Limit-gain) > 1e-6*math.Abs(gain) {
			t.Errorf("along V %v, by the gradient %v", s.Limit, gain)
		}
	})
}

// U may keep or change the slice that it gets; the caller's stays.
func TestSatisfactionOwnsItsPoint(t *testing.T) {
	at := []float64{1, 2}
	var u scalability.Satisfaction = func(p []float64) float64 { v := p[0] * p[1]; p[0], p[1] = -1, -1; return v }
	slopes, err := u.Gradient(at, []float64{1, 1})
	if slopes = must(t, slopes, err); slopes[0].Value != 2 || slopes[1].Value != 1 {
		t.Errorf("slopes %+v, want 2 and 1", slopes)
	}
	if !slices.Equal(at, []float64{1, 2}) {
		t.Errorf("N changed to %v", at)
	}
}

// Speedup x^2/y at x = 2 processors and size y = 1. Two more processors, by hand:
// (16 - 4)/2 = 6; with the size going to 4 along with them, (16/4 - 4)/2 = 0.
func TestDimensionScalability(t *testing.T) {
	var u scalability.Satisfaction = func(p []float64) float64 { return p[0] * p[0] / p[1] }
	at := []float64{2, 1}
	for _, test := range []struct {
		along []float64
		want  float64
	}{{nil, 6}, {[]float64{0, 0}, 6}, {[]float64{0, 3}, 0}} {
		if sc, err := u.Dimension(at, 0, 2, test.along); err != nil || sc != test.want {
			t.Errorf("dP = %v: %v, %v, want %v", test.along, sc, err, test.want)
		}
	}
}

package scalability_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
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
		expect.That(t, err == nil && near(s.Value, test.value),
			"along %v: %+v, %v, want %v", test.direction, s, err, test.value)
		// Along the axes U is of second degree, where the extrapolation is exact.
		expect.That(t, test.direction[0]*test.direction[1] != 0 || near(s.Limit, test.derivative) &&
			math.Abs(s.Error-math.Abs(test.value-test.derivative)) <= 1e-13,
			"along %v: %+v, want limit %v", test.direction, s, test.derivative)
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
			s := expect.Value(test.u.Directional(test.at, test.direction, step))(t)
			actual := math.Abs(s.Value - test.derivative)
			expect.That(t, actual >= 0.98*s.Error && actual <= 1.02*s.Error && s.Error <= last/9,
				"%s, step %g: error %g, stated %g", test.name, step, actual, s.Error)
			limit := math.Abs(s.Limit - test.derivative)
			expect.That(t, limit <= 0.02*s.Error,
				"%s, step %g: error of the limit %g, of the value %g", test.name, step, limit, s.Error)
			last = s.Error
		}
	}
}

// Where the step is so small that rounding rules, the stated error covers it. U is
// linear, so there is no other error.
func TestDirectionalScalabilityRounding(t *testing.T) {
	var u scalability.Satisfaction = func(p []float64) float64 { return 1e6 + p[0]/3 }
	for e := -10; e > -40; e-- {
		s := expect.Value(u.Directional([]float64{7}, []float64{1}, math.Ldexp(1, e)))(t)
		expect.That(t, math.Abs(s.Value-1./3) <= s.Error,
			"step 2^%d: %v is %g from 1/3, stated %g", e, s.Value, s.Value-1./3, s.Error)
	}
}

// U may keep or change the slice that it gets; the caller's stays.
func TestSatisfactionOwnsItsPoint(t *testing.T) {
	at := []float64{1, 2}
	var u scalability.Satisfaction = func(p []float64) float64 { v := p[0] * p[1]; p[0], p[1] = -1, -1; return v }
	slopes := expect.Value(u.Gradient(at, []float64{1, 1}))(t)
	expect.That(t, slopes[0].Value == 2 && slopes[1].Value == 1, "slopes %+v, want 2 and 1", slopes)
	expect.List(t, at, []float64{1, 2}, "N, which is not to change,")
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
		expect.Equal(t, expect.Value(u.Dimension(at, 0, 2, test.along))(t), test.want, "dP = %v", test.along)
	}
}

func eur(amounts ...float64) []units.Money {
	prices := make([]units.Money, len(amounts))
	for i, a := range amounts {
		prices[i] = units.Money{Amount: a, Currency: "EUR"}
	}
	return prices
}

// 2 nodes of 3000 EUR, 3 memories of 100 EUR and no switch of 5000 EUR cost 6300 EUR.
func TestUpdateCost(t *testing.T) {
	cost, err := scalability.UpdateCost(eur(3000, 100, 5000), []float64{2, 3, 0})
	want := (units.Money{Amount: 6300, Currency: "EUR"})
	expect.That(t, err == nil && cost == want, "%v, %v, want %v", cost, err, want)
	// What is free has no currency.
	free := append(eur(10), units.Money{})
	cost, err = scalability.UpdateCost(free, []float64{1, 4})
	want = (units.Money{Amount: 10, Currency: "EUR"})
	expect.That(t, err == nil && cost == want, "%v, %v, want %v", cost, err, want)
}

func TestCurrenciesDoNotMix(t *testing.T) {
	mixed := []units.Money{{Amount: 1, Currency: "EUR"}, {Amount: 1, Currency: "CHF"}}
	service := func(m units.Money) scalability.Service {
		return scalability.Service{Responses: 1, Value: 1, Cost: m}
	}
	for _, test := range []struct {
		fn, symbol string
		err        error
	}{
		{"UpdateCost", "Price[1]", second(scalability.UpdateCost(mixed, []float64{1, 1}))},
		{"EdgeScalability", "Price[1]", second(scalability.EdgeScalability([]float64{1, 1}, mixed))},
		{"Service.Scalability", "C'", second(service(mixed[0]).Scalability(service(mixed[1])))},
	} {
		currency := expect.Kind[*scalability.CurrencyError](t, test.err)
		want := (scalability.CurrencyError{Func: test.fn, Symbol: test.symbol, Currency: "CHF", Want: "EUR"})
		expect.That(t, *currency == want, "%+v, want %+v", *currency, want)
	}
}

// The theorem of the appendix of [Jin]: E(v) = (v . u)/(v . w) over v >= 0 is largest on
// the axis of the largest u_i/w_i. E(v) goes the way of any update here: gain, cost,
// efficiency.
func TestBestUpdateLiesOnAnAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		// 0, or large enough that no product of two underflows.
		zero, positive, negative := rapid.Just(0.), rapid.Float64Range(0.01, 10), rapid.Float64Range(-10, -0.01)
		u := rapid.SliceOfN(rapid.OneOf(positive, negative, zero), n, n).Draw(t, "u")
		w := rapid.SliceOfN(positive, n, n).Draw(t, "w")
		v := rapid.SliceOfN(rapid.OneOf(positive, zero), n, n).Draw(t, "v")
		edge := expect.Value(scalability.EdgeScalability(u, eur(w...)))(t)

		if slices.Max(v) > 0 {
			e, size := updateEfficiency(t, u, w, v)
			expect.That(t, e <= edge.Efficiency+1e-12*size,
				"E(v) = %v, more than %v on axis %v", e, edge.Efficiency, edge.Dimensions)
		}
		for _, k := range edge.Dimensions {
			axis := make([]float64, n)
			axis[k] = rapid.Float64Range(0.1, 10).Draw(t, "y")
			e, size := updateEfficiency(t, u, w, axis)
			expect.That(t, math.Abs(e-edge.Efficiency) <= 2e-12*size,
				"E = %v on axis %d, want %v", e, k, edge.Efficiency)
		}
		// Nothing is left out: every other axis is worse.
		for i := range n {
			expect.That(t, slices.Contains(edge.Dimensions, i) || u[i]/w[i] < edge.Efficiency,
				"axis %d has %v, best %v", i, u[i]/w[i], edge.Efficiency)
		}
	})
}

// updateEfficiency returns E(v) and the size of the terms that it is the sum of.
func updateEfficiency(t *rapid.T, u, w, v []float64) (e, size float64) {
	gain := expect.Value(scalability.LinearGain(u, v))(t)
	cost := expect.Value(scalability.UpdateCost(eur(w...), v))(t)
	e = expect.Value(scalability.UpdateEfficiency(gain, cost))(t)
	for i := range u {
		size = max(size, math.Abs(u[i]/w[i]))
	}
	return e, size
}

// 3 EUR and 4 EUR for gains of 6 and 4: the first, 2 for each EUR. With equal prices of
// 1 the efficiency is the largest scalability. Where all fall, the least bad is named.
func TestEdgeScalabilityByHand(t *testing.T) {
	for _, test := range []struct {
		sc, prices []float64
		want       scalability.Edge
	}{
		{[]float64{6, 4}, []float64{3, 4}, scalability.Edge{Dimensions: []int{0}, Efficiency: 2}},
		{[]float64{0.4, 0.9, 0.9}, []float64{1, 1, 1}, scalability.Edge{Dimensions: []int{1, 2}, Efficiency: 0.9}},
		{[]float64{0.3, 0.1}, []float64{3, 1}, scalability.Edge{Dimensions: []int{0, 1}, Efficiency: 0.1}}, // a tie but for rounding
		{[]float64{-6, -4}, []float64{1, 1}, scalability.Edge{Dimensions: []int{1}, Efficiency: -4}},
		{[]float64{0, 0}, []float64{1, 5}, scalability.Edge{Dimensions: []int{0, 1}, Efficiency: 0}},
	} {
		edge, err := scalability.EdgeScalability(test.sc, eur(test.prices...))
		expect.That(t, err == nil && slices.Equal(edge.Dimensions, test.want.Dimensions) &&
			near(edge.Efficiency, test.want.Efficiency),
			"%v for %v: %+v, %v, want %+v", test.sc, test.prices, edge, err, test.want)
	}
}

package scalability_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

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
	if want := (units.Money{Amount: 6300, Currency: "EUR"}); err != nil || cost != want {
		t.Errorf("%v, %v, want %v", cost, err, want)
	}
	// What is free has no currency.
	free := append(eur(10), units.Money{})
	cost, err = scalability.UpdateCost(free, []float64{1, 4})
	if want := (units.Money{Amount: 10, Currency: "EUR"}); err != nil || cost != want {
		t.Errorf("%v, %v, want %v", cost, err, want)
	}
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
		var currency *scalability.CurrencyError
		if !errors.As(test.err, &currency) {
			t.Errorf("%s: error %v, want a CurrencyError", test.fn, test.err)
			continue
		}
		if want := (scalability.CurrencyError{Func: test.fn, Symbol: test.symbol, Currency: "CHF", Want: "EUR"}); *currency != want {
			t.Errorf("%+v, want %+v", *currency, want)
		}
	}
	err := &scalability.CurrencyError{Func: "UpdateCost", Symbol: "Price[1]", Currency: "CHF", Want: "EUR"}
	if want := `scalability: UpdateCost: Price[1] is in currency "CHF", want "EUR"`; err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
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
		edge, err := scalability.EdgeScalability(u, eur(w...))
		edge = must(t, edge, err)

		if slices.Max(v) > 0 {
			e, size := updateEfficiency(t, u, w, v)
			if e > edge.Efficiency+1e-12*size {
				t.Errorf("E(v) = %v, more than %v on axis %v", e, edge.Efficiency, edge.Dimensions)
			}
		}
		for _, k := range edge.Dimensions {
			axis := make([]float64, n)
			axis[k] = rapid.Float64Range(0.1, 10).Draw(t, "y")
			if e, size := updateEfficiency(t, u, w, axis); math.Abs(e-edge.Efficiency) > 2e-12*size {
				t.Errorf("E = %v on axis %d, want %v", e, k, edge.Efficiency)
			}
		}
		// Nothing is left out: every other axis is worse.
		for i := range n {
			if !slices.Contains(edge.Dimensions, i) && u[i]/w[i] >= edge.Efficiency {
				t.Errorf("axis %d has %v, best %v", i, u[i]/w[i], edge.Efficiency)
			}
		}
	})
}

// The second part of the theorem: where several axes tie, so does all they span.
func TestTiedUpdatesMix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		best := float64(rapid.IntRange(-50, 50).Draw(t, "10 x")) / 10
		w := rapid.SliceOfN(rapid.Float64Range(0.01, 10), 4, 4).Draw(t, "w")
		v := rapid.SliceOfN(rapid.Float64Range(0.01, 10), 4, 4).Draw(t, "v")
		// Axes 0 and 2 have u/w = x, but for rounding; the others are below it.
		u := []float64{best * w[0], (best - 1) * w[1], best * w[2], (best - 2) * w[3]}
		edge, err := scalability.EdgeScalability(u, eur(w...))
		if edge = must(t, edge, err); !slices.Equal(edge.Dimensions, []int{0, 2}) {
			t.Fatalf("%+v, want dimensions 0 and 2", edge)
		}
		v[1], v[3] = 0, 0
		if e, size := updateEfficiency(t, u, w, v); math.Abs(e-edge.Efficiency) > 1e-12*size {
			t.Errorf("E(v) = %v, want %v", e, edge.Efficiency)
		}
	})
}

// updateEfficiency returns E(v) and the size of the terms that it is the sum of.
func updateEfficiency(t *rapid.T, u, w, v []float64) (e, size float64) {
	gain, err := scalability.LinearGain(u, v)
	gain = must(t, gain, err)
	cost, err := scalability.UpdateCost(eur(w...), v)
	cost = must(t, cost, err)
	e, err = scalability.UpdateEfficiency(gain, cost)
	e = must(t, e, err)
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
		if err != nil || !slices.Equal(edge.Dimensions, test.want.Dimensions) || !near(edge.Efficiency, test.want.Efficiency) {
			t.Errorf("%v for %v: %+v, %v, want %+v", test.sc, test.prices, edge, err, test.want)
		}
	}
}

package scalability_test

import (
	"errors"
	"math"
	"testing"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)

	notPositive = []float64{0, math.Copysign(0, -1), -1, nan, inf, -inf}
	negative    = []float64{-1, -1e-300, nan, inf, -inf}
	notFraction = []float64{-1e-300, 1.0000001, nan, inf, -inf}
)

// TestDomains replaces each argument of each function in turn by every kind of bad
// number and expects a DomainError that names the function, the symbol and the
// number. The other arguments are good: the same call with a good value succeeds.
func TestDomains(t *testing.T) {
	type (
		flops = units.Flops
		speed = units.FlopsPerSecond
		secs  = units.Seconds
		pt    = scalability.Point
		seq   = scalability.Sequential
	)
	good := pt{MarkedSpeed: 100, Work: 1000}
	part := seq{Fraction: 0.1, Speed: 10}
	tests := []struct {
		fn, symbol string
		bad        []float64
		call       func(v float64) error
	}{
		{"AchievedSpeed", "W", notPositive, func(v float64) error { return second(scalability.AchievedSpeed(flops(v), 1)) }},
		{"AchievedSpeed", "T", notPositive, func(v float64) error { return second(scalability.AchievedSpeed(1, secs(v))) }},
		{"SystemMarkedSpeed", "C[1]", notPositive, func(v float64) error { return second(scalability.SystemMarkedSpeed([]speed{1, speed(v)})) }},
		{"SpeedEfficiency", "W", notPositive, func(v float64) error { return second(scalability.SpeedEfficiency(flops(v), 1, 1)) }},
		{"SpeedEfficiency", "T", notPositive, func(v float64) error { return second(scalability.SpeedEfficiency(1, secs(v), 1)) }},
		{"SpeedEfficiency", "C", notPositive, func(v float64) error { return second(scalability.SpeedEfficiency(1, 1, speed(v))) }},
		{"RequiredTime", "W", notPositive, func(v float64) error { return second(scalability.RequiredTime(flops(v), 1, 1)) }},
		{"RequiredTime", "E_s", notPositive, func(v float64) error { return second(scalability.RequiredTime(1, v, 1)) }},
		{"RequiredTime", "C", notPositive, func(v float64) error { return second(scalability.RequiredTime(1, 1, speed(v))) }},
		{"IsospeedEfficiency", "C", notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(pt{MarkedSpeed: speed(v), Work: 1}, good))
		}},
		{"IsospeedEfficiency", "W", notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(pt{MarkedSpeed: 1, Work: flops(v)}, good))
		}},
		{"IsospeedEfficiency", "C'", notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(good, pt{MarkedSpeed: speed(v), Work: 1}))
		}},
		{"IsospeedEfficiency", "W'", notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(good, pt{MarkedSpeed: 1, Work: flops(v)}))
		}},
		{"Ladder.Psi", "C[1]", notPositive, func(v float64) error {
			return second(scalability.Ladder{good, {MarkedSpeed: speed(v), Work: 1}}.Psi())
		}},
		{"Ladder.Psi", "W[0]", notPositive, func(v float64) error {
			return second(scalability.Ladder{{MarkedSpeed: 1, Work: flops(v)}, good}.Psi())
		}},
		{"Isospeed", "p", []float64{0, -1}, func(v float64) error { return second(scalability.Isospeed(int(v), 1, 2, 1)) }},
		{"Isospeed", "W", notPositive, func(v float64) error { return second(scalability.Isospeed(1, flops(v), 2, 1)) }},
		{"Isospeed", "p'", []float64{0, -1}, func(v float64) error { return second(scalability.Isospeed(1, 1, int(v), 1)) }},
		{"Isospeed", "W'", notPositive, func(v float64) error { return second(scalability.Isospeed(1, 1, 2, flops(v))) }},
		{"Sequential.Time", "W", notPositive, func(v float64) error { return second(part.Time(flops(v))) }},
		{"Sequential.Time", "alpha", notFraction, func(v float64) error {
			return second(seq{Fraction: v, Speed: 1}.Time(1))
		}},
		{"Sequential.Time", "C_j", notPositive, func(v float64) error {
			return second(seq{Fraction: 1, Speed: speed(v)}.Time(1))
		}},
		{"Point.Overhead", "C", notPositive, func(v float64) error {
			return second(pt{MarkedSpeed: speed(v), Work: 1}.Overhead(1, seq{}))
		}},
		{"Point.Overhead", "W", notPositive, func(v float64) error {
			return second(pt{MarkedSpeed: 1, Work: flops(v)}.Overhead(1, seq{}))
		}},
		{"Point.Overhead", "T", notPositive, func(v float64) error { return second(good.Overhead(secs(v), part)) }},
		{"Point.Overhead", "alpha", notFraction, func(v float64) error {
			return second(good.Overhead(1, seq{Fraction: v, Speed: 1}))
		}},
		// 101 is above C = 100.
		{"Point.Overhead", "C_j", append([]float64{101}, notPositive...), func(v float64) error {
			return second(good.Overhead(1, seq{Fraction: 0.1, Speed: speed(v)}))
		}},
		{"Theorem1", "t_0", negative, func(v float64) error { return second(scalability.Theorem1(secs(v), 1, 1, 1)) }},
		{"Theorem1", "T_o", negative, func(v float64) error { return second(scalability.Theorem1(1, secs(v), 1, 1)) }},
		{"Theorem1", "t_0'", negative, func(v float64) error { return second(scalability.Theorem1(1, 1, secs(v), 1)) }},
		{"Theorem1", "T_o'", negative, func(v float64) error { return second(scalability.Theorem1(1, 1, 1, secs(v))) }},
		{"Theorem1", "t_0 + T_o", []float64{0}, func(v float64) error { return second(scalability.Theorem1(0, secs(v), 1, 1)) }},
		{"Theorem1", "t_0' + T_o'", []float64{0}, func(v float64) error { return second(scalability.Theorem1(1, 1, secs(v), 0)) }},
		{"Corollary2", "T_o", notPositive, func(v float64) error { return second(scalability.Corollary2(secs(v), 1)) }},
		{"Corollary2", "T_o'", notPositive, func(v float64) error { return second(scalability.Corollary2(1, secs(v))) }},
		{"Theorem2", "C", notPositive, func(v float64) error {
			return second(scalability.Theorem2(pt{MarkedSpeed: speed(v), Work: 1000}, 1, seq{}, 1, 1))
		}},
		{"Theorem2", "W", notPositive, func(v float64) error {
			return second(scalability.Theorem2(pt{MarkedSpeed: 100, Work: flops(v)}, 100, part, 1, 1))
		}},
		{"Theorem2", "C'", notPositive, func(v float64) error { return second(scalability.Theorem2(good, speed(v), seq{}, 1, 1)) }},
		{"Theorem2", "alpha", notFraction, func(v float64) error {
			return second(scalability.Theorem2(good, 100, seq{Fraction: v, Speed: 10}, 1, 1))
		}},
		// 51 is above C' = 50, 101 is above both.
		{"Theorem2", "C_j", append([]float64{51, 101}, notPositive...), func(v float64) error {
			return second(scalability.Theorem2(good, 50, seq{Fraction: 0.1, Speed: speed(v)}, 1, 1))
		}},
		{"Theorem2", "T_o", negative, func(v float64) error { return second(scalability.Theorem2(good, 100, part, secs(v), 1)) }},
		{"Theorem2", "beta W + T_o", []float64{0}, func(v float64) error { return second(scalability.Theorem2(good, 100, seq{}, secs(v), 1)) }},
		{"Theorem2", "T_o'", notPositive, func(v float64) error { return second(scalability.Theorem2(good, 100, part, 1, secs(v))) }},
		{"ReachLimit", "C", notPositive, func(v float64) error {
			return second(scalability.ReachLimit(pt{MarkedSpeed: speed(v), Work: 1}, seq{}, 1))
		}},
		{"ReachLimit", "W", notPositive, func(v float64) error {
			return second(scalability.ReachLimit(pt{MarkedSpeed: 1, Work: flops(v)}, seq{}, 1))
		}},
		{"ReachLimit", "alpha", notFraction, func(v float64) error {
			return second(scalability.ReachLimit(good, seq{Fraction: v, Speed: 10}, 1))
		}},
		{"ReachLimit", "C_j", append([]float64{101}, notPositive...), func(v float64) error {
			return second(scalability.ReachLimit(good, seq{Fraction: 0.1, Speed: speed(v)}, 1))
		}},
		{"ReachLimit", "T_o", negative, func(v float64) error { return second(scalability.ReachLimit(good, part, secs(v))) }},
		{"ReachLimit", "beta W + T_o", []float64{0}, func(v float64) error { return second(scalability.ReachLimit(good, seq{}, secs(v))) }},
		{"FitTrend", "d", []float64{0, -1}, func(v float64) error { return second(scalability.FitTrend(int(v), line)) }},
		{"FitTrend", "N[1]", notPositive, func(v float64) error {
			return second(scalability.FitTrend(1, []scalability.Sample{line[0], {N: v, Efficiency: 0.2}, line[2]}))
		}},
		{"FitTrend", "E_s[2]", notPositive, func(v float64) error {
			return second(scalability.FitTrend(1, []scalability.Sample{line[0], line[1], {N: 3, Efficiency: v}}))
		}},
		{"Trend.ReadOff", "E_s", notPositive, func(v float64) error {
			trend, err := scalability.FitTrend(1, line)
			if err != nil {
				t.Fatal(err)
			}
			return second(trend.ReadOff(v))
		}},
	}
	// A value that is good in every place above: within the sampled efficiencies,
	// below every marked speed, and 1 for whole numbers.
	goodValue := func(fn, symbol string) float64 {
		switch symbol {
		case "p", "p'", "d":
			return 1
		}
		return 0.25
	}
	checked := 0
	for _, test := range tests {
		if err := test.call(goodValue(test.fn, test.symbol)); err != nil {
			var unreachable *scalability.UnreachableError
			if !errors.As(err, &unreachable) {
				t.Errorf("%s: good %s: %v", test.fn, test.symbol, err)
			}
		}
		for _, v := range test.bad {
			err := test.call(v)
			var domain *scalability.DomainError
			if !errors.As(err, &domain) {
				t.Errorf("%s: %s = %g: error %v, want a DomainError", test.fn, test.symbol, v, err)
				continue
			}
			same := domain.Value == v || math.IsNaN(domain.Value) && math.IsNaN(v)
			if domain.Func != test.fn || domain.Symbol != test.symbol || !same || domain.Want == "" {
				t.Errorf("%s: %s = %g: error %+v", test.fn, test.symbol, v, *domain)
			}
			checked++
		}
	}
	if checked < 4*len(tests) {
		t.Errorf("checked %d numbers for %d arguments", checked, len(tests))
	}
}

// line holds samples on E_s = N/10.
var line = []scalability.Sample{{N: 1, Efficiency: 0.1}, {N: 2, Efficiency: 0.2}, {N: 3, Efficiency: 0.3}}

func TestNoNodes(t *testing.T) {
	_, err := scalability.SystemMarkedSpeed(nil)
	var domain *scalability.DomainError
	if !errors.As(err, &domain) || domain.Symbol != "C" {
		t.Errorf("error %v, want a DomainError for C", err)
	}
}

// A result outside the range of float64 is an error, not an infinity or a zero.
func TestResultsOutOfRange(t *testing.T) {
	const huge, tiny = 1e300, 1e-300
	faraway := scalability.Point{MarkedSpeed: huge, Work: tiny}
	near := scalability.Point{MarkedSpeed: tiny, Work: huge}
	for _, test := range []struct {
		symbol string
		err    error
	}{
		{"S", second(scalability.AchievedSpeed(huge, tiny))},
		{"S", second(scalability.AchievedSpeed(tiny, huge))},
		{"C", second(scalability.SystemMarkedSpeed([]units.FlopsPerSecond{1.7e308, 1.7e308}))},
		{"E_s", second(scalability.SpeedEfficiency(huge, tiny, 1))},
		{"T", second(scalability.RequiredTime(huge, tiny, 1))},
		{"psi", second(scalability.IsospeedEfficiency(near, faraway))},
		{"psi[0]", second(scalability.Ladder{faraway, near}.Psi())},
		{"psi", second(scalability.Isospeed(1, huge, 1, tiny))},
		{"t_0", second(scalability.Sequential{Fraction: 1, Speed: tiny}.Time(huge))},
		{"T_o", second(near.Overhead(1, scalability.Sequential{}))},
		{"psi", second(scalability.Theorem1(huge, huge, 0, tiny))},
		{"psi", second(scalability.Corollary2(huge, tiny))},
		{"psi", second(scalability.Theorem2(scalability.Point{MarkedSpeed: 1, Work: 1}, 1, scalability.Sequential{}, huge, tiny))},
	} {
		var domain *scalability.DomainError
		if !errors.As(test.err, &domain) || domain.Symbol != test.symbol {
			t.Errorf("error %v, want a DomainError for %s", test.err, test.symbol)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{second(scalability.SpeedEfficiency(1, -2, 3)),
			"scalability: SpeedEfficiency: T = -2, want a positive finite number"},
		{second(scalability.Theorem2(scalability.Point{MarkedSpeed: 1e8, Work: 1e9}, 4e8, scalability.Sequential{Fraction: 0.01, Speed: 2e7}, 1, 1)),
			"scalability: no work holds the speed-efficiency at C' = 4e+08 flop/s; the sequential part asks for C' < 3e+08 flop/s"},
		{second(scalability.FitTrend(3, line)),
			"scalability: a trend line of degree 3 needs samples of at least 4 different sizes, have 3"},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", test.err, test.want)
		}
	}
}

// second drops the value of a call.
func second[T any](_ T, err error) error { return err }

package scalability_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var nan, inf = math.NaN(), math.Inf(1)

// refused has, by range, numbers outside it.
var refused = map[string][]float64{
	">0":     {0, math.Copysign(0, -1), -1, nan, inf, -inf},
	">=0":    {-1, -1e-300, nan, inf, -inf},
	"[0,1]":  {-1e-300, 1.0000001, nan, inf, -inf},
	"(0,1)":  {0, 1, -0.5, 1.5, nan, inf, -inf},
	"finite": {nan, inf, -inf},
	">=1":    {0.5, 0, math.Copysign(0, -1), -1, nan, inf, -inf},
	"count":  {0, -1},
	"pair":   {1, 0, -1}, // a count of at least 2
	"all":    nil,
}

// A domain is a function with good arguments, and for each number in them its symbol and
// range, with further numbers that it must refuse beside these others. A _ is not looked at.
type domain struct {
	name    string
	fn      any
	args    []any
	symbols string
}

// domains has all functions of the package with a domain.
func domains(t *testing.T) []domain {
	type (
		flops = units.Flops
		speed = units.FlopsPerSecond
		secs  = units.Seconds
		pt    = scalability.Point
		seq   = scalability.Sequential
		level = scalability.Level
		list  = []float64
	)
	of := func(args ...any) []any { return args }
	good, part := pt{MarkedSpeed: 100, Work: 1000}, seq{Fraction: 0.1, Speed: 10}
	money := func(v float64) units.Money { return units.Money{Amount: v, Currency: "EUR"} }
	prices := func(v float64) []units.Money { return []units.Money{money(v)} }
	var square scalability.Satisfaction = func(p []float64) float64 { return p[0] * p[0] }
	model := scalability.SizeModel{
		Work: func(n float64) flops { return flops(n) }, Overhead: func(n float64) secs { return 1 }, Speed: 1,
	}
	withWork, withOverhead := model, model
	two := level{Nodes: 2, Work: 10, Imbalance: 1}
	levels := scalability.Levels{two, {Nodes: 1, Work: 1}}
	gain := scalability.Service{Responses: 1, Value: 1, Cost: money(2)}
	overhead := scalability.OverheadPoint{Power: 1, Factor: 1}
	return []domain{
		{"AchievedSpeed", scalability.AchievedSpeed, of(flops(0.25), secs(1)), "W >0, T >0"},
		{"SystemMarkedSpeed", scalability.SystemMarkedSpeed, of([]speed{1, 0.25}), "C[0] >0, C[1] >0"},
		{"SpeedEfficiency", scalability.SpeedEfficiency, of(flops(1), secs(1), speed(1)), "W >0, T >0, C >0"},
		{"RequiredTime", scalability.RequiredTime, of(flops(1), 0.25, speed(1)), "W >0, E_s >0, C >0"},
		{"IsospeedEfficiency", scalability.IsospeedEfficiency, of(pt{MarkedSpeed: 1, Work: 1}, good), "C >0, W >0, C' >0, W' >0"},
		{"Ladder.Psi", scalability.Ladder.Psi, of(scalability.Ladder{good, {MarkedSpeed: 1, Work: 1}}), "C[0] >0, W[0] >0, C[1] >0, W[1] >0"},
		{"Isospeed", scalability.Isospeed, of(1, flops(1), 2, flops(1)), "p count, W >0, p' count, W' >0"},
		{"Sequential.Time", seq.Time, of(seq{Fraction: 1, Speed: 1}, flops(1)), "alpha [0,1], C_j >0, W >0"},
		{"Point.Overhead", pt.Overhead, of(pt{MarkedSpeed: 1, Work: 1}, secs(1), seq{}), "C >0, W >0, T >0, _, _"},
		// 101 is above C = 100.
		{"Point.Overhead", pt.Overhead, of(good, secs(1), part), "_, _, T >0, alpha [0,1], C_j >0 101"},
		{"Theorem1", scalability.Theorem1, of(secs(1), secs(1), secs(1), secs(1)), "t_0 >=0, T_o >=0, t_0' >=0, T_o' >=0"},
		{"Theorem1", scalability.Theorem1, of(secs(0), secs(1), secs(1), secs(1)), "_, t_0 + T_o all 0, _, _"},
		{"Theorem1", scalability.Theorem1, of(secs(1), secs(1), secs(1), secs(0)), "_, _, t_0' + T_o' all 0, _"},
		{"Corollary2", scalability.Corollary2, of(secs(1), secs(1)), "T_o >0, T_o' >0"},
		{"Theorem2", scalability.Theorem2, of(good, speed(100), part, secs(0.25), secs(1)), "C >0, W >0, C' >0, alpha [0,1], C_j >0, T_o >=0, T_o' >0"},
		// 51 is above C' = 50, 101 is above both.
		{"Theorem2", scalability.Theorem2, of(good, speed(50), part, secs(1), secs(1)), "_, _, _, _, C_j >0 51 101, _, _"},
		{"Theorem2", scalability.Theorem2, of(good, speed(100), seq{}, secs(1), secs(1)), "_, _, _, _, _, beta W + T_o all 0, _"},
		{"ReachLimit", scalability.ReachLimit, of(good, part, secs(0.25)), "C >0, W >0, alpha [0,1], C_j >0 101, T_o >=0"},
		{"ReachLimit", scalability.ReachLimit, of(good, seq{}, secs(1)), "_, _, _, _, beta W + T_o all 0"},
		{"FitTrend", scalability.FitTrend, of(1, line), "d count, N[0] >0, E_s[0] >0, N[1] >0, E_s[1] >0, N[2] >0, E_s[2] >0"},
		{"Trend.ReadOff", expect.Value(scalability.FitTrend(1, line))(t).ReadOff, of(0.25), "E_s >0"},

		{"Speedup", scalability.Speedup, of(secs(2), secs(2)), "T_1 >0, T_p >0"},
		{"Efficiency", scalability.Efficiency, of(2.0, 1), "S >0, p count"},
		{"TimeAtEfficiency", scalability.TimeAtEfficiency, of(secs(2), 2.0, 1), "T_1 >0, E >0, p count"},
		{"ProcessorsAtEfficiency", scalability.ProcessorsAtEfficiency, of(secs(2), 2.0, secs(2)), "T_1 >0, E >0, T_p >0"},
		{"IdealRatio", scalability.IdealRatio, of(2.0, 2.0), "S >0, S_I >0"},
		{"KarpFlatt", scalability.KarpFlatt, of(2.0, 2), "S >0, p pair"},
		{"Amdahl", scalability.Amdahl, of(1.0, 1), "f [0,1], p count"},
		{"Gustafson", scalability.Gustafson, of(1.0, 1), "f [0,1], p count"},
		{"SunNi", scalability.SunNi, of(1.0, 1, 2.0), "f [0,1], p count, G >0"},

		{"TotalOverhead", scalability.TotalOverhead, of(1, secs(2), secs(2)), "p count, T_p >0, T_1 >0"},
		{"OverheadEfficiency", scalability.OverheadEfficiency, of(secs(0), secs(2)), "T_o >=0, T_1 >0"},
		{"IsoefficiencyConstant", scalability.IsoefficiencyConstant, of(0.5), "E (0,1)"},
		{"IsoefficiencyWork", scalability.IsoefficiencyWork, of(0.5, secs(2), speed(2)), "E (0,1), T_o >0, C_1 >0"},
		{"SizeModel.Efficiency", scalability.SizeModel.Efficiency, of(model, 2.0), "C >0, n >0"},
		{"SizeModel.Efficiency", func(v float64) (float64, error) {
			withWork.Work = func(float64) flops { return flops(v) }
			return withWork.Efficiency(3)
		}, of(2.0), "W(3) >0"},
		{"SizeModel.Efficiency", func(v float64) (float64, error) {
			withOverhead.Overhead = func(float64) secs { return secs(v) }
			return withOverhead.Efficiency(3)
		}, of(0.0), "T_o(3) >=0"},
		{"SizeModel.Size", scalability.SizeModel.Size, of(model, 0.7, 2.0, 10.0), "C >0, E (0,1), low >0 10 11, high >0"},

		{"HeterogeneousEfficiency", scalability.HeterogeneousEfficiency, of(flops(2), secs(2), speed(2)), "W >0, T_R >0, P_T >0"},
		{"ClassicEfficiency", scalability.ClassicEfficiency, of(2.0, 1, speed(2), speed(2)), "eps >0, P count, P_T >0, P_q >0"},
		{"HIsoefficiencyWork", scalability.HIsoefficiencyWork, of(0.5, secs(2), speed(2)), "eps (0,1), T_o >0, P_T >0"},
		{"HIsoefficiencySize", scalability.HIsoefficiencySize, of(2.0, overhead, overhead, 3.0, 2.0), "n_0 >0, P_T0 >0, g0 >0, P_T >0, g >0, a finite, b finite 3 4"},

		{"ReferenceFactor", scalability.ReferenceFactor, of(1, secs(2), secs(2)), "n count, T_ref(1) >0, T_ref(set) >0"},
		{"ExtendedEfficiency", scalability.ExtendedEfficiency, of(secs(2), 2.0, secs(2)), "T >0, rf >0, T_p >0"},
		{"ExtendedSpeed", scalability.ExtendedSpeed, of(flops(2), 2.0, secs(2)), "W >0, rf >0, T_p >0"},
		{"ExtendedIsospeed", scalability.ExtendedIsospeed, of(2.0, flops(2), 2.0, flops(2)), "rf >0, W >0, rf' >0, W' >0"},
		// 4.5 s of computation do not fit into 2 times 2 s.
		{"AverageLatency", scalability.AverageLatency, of(2, secs(2), secs(4)), "n count, T_p >0, T_calc >0 4.5"},
		{"LatencyScale", scalability.LatencyScale, of(secs(2), secs(2)), "L_e >0, L_e' >0"},
		{"TimeScale", scalability.TimeScale, of(secs(2), secs(2)), "T_p >0, T_p' >0"},

		// The spacing of numbers at 1 is 2e-16.
		{"Satisfaction.Directional", square.Directional, of(list{1, 2}, list{1, 0}, 1.0), "N[0] finite, N[1] finite, V[0] finite, V[1] finite, delta >0 1e-17"},
		{"Satisfaction.Directional", square.Directional, of(list{1}, list{1}, 1.0), "_, |V| all 0, _"},
		{"Satisfaction.Directional", func(v float64) (scalability.Slope, error) {
			return scalability.Satisfaction(func([]float64) float64 { return v }).Directional(list{2}, list{1}, 1)
		}, of(3.0), "U([2]) finite"},
		{"Satisfaction.Gradient", square.Gradient, of(list{2}, list{1}), "N[0] finite, delta[0] >0"},
		{"Satisfaction.Dimension", square.Dimension, of(list{2}, 0, 2.0, list{2}), "N[0] finite, i all -1 1, dr >0, dP[0] finite"},

		{"UpdateCost", scalability.UpdateCost, of(prices(0), list{0}), "Price[0] >=0, dr[0] >=0"},
		{"LinearGain", scalability.LinearGain, of(list{-1}, list{-1}), "Sc[0] finite, dr[0] finite"},
		{"UpdateEfficiency", scalability.UpdateEfficiency, of(-1.0, money(2)), "dU finite, cost >0"},
		{"EdgeScalability", scalability.EdgeScalability, of(list{-1}, prices(2)), "Sc[0] finite, Price[0] >0"},

		{"Level.Complexity", level.Complexity, of(level{Nodes: 1, Work: 1}), "n >=1, w >0, c >=0"},
		{"Levels.Time", scalability.Levels.Time, of(levels, secs(1)), "n[0] >=1, w[0] >0, c[0] >=0, n[1] >=1, w[1] >0, c[1] >=0, t >0"},
		{"Levels.Log2Speedup", scalability.Levels.Log2Speedup, of(levels), "n[0] >=1, w[0] >0, c[0] >=0, n[1] >=1, w[1] >0, c[1] >=0"},
		// Two nodes are no more than two.
		{"Level.Scalability", level.Scalability, of(two, level{Nodes: 3, Work: 1}), "n >=1, w >0, c >=0, n' >=1 2 1, w' >0, c' >=0"},
		{"BoundsApply", scalability.BoundsApply, of(-1.0, list{1, -1}), "Sc_0 finite, Sc[0] finite, Sc[1] finite"},
		{"SpeedupBound", scalability.SpeedupBound, of(2.0, 0.0), "Sp_0 >0, r >=0"},
		{"EfficiencyBound", scalability.EfficiencyBound, of(2.0, 0.0), "Sp_0 >0, r >=0"},

		{"Service.Productivity", scalability.Service.Productivity, of(gain), "lambda >0, f >0, C >0"},
		{"Service.Scalability", scalability.Service.Scalability, of(gain, gain), "lambda >0, f >0, C >0, lambda' >0, f' >0, C' >0"},
		{"ResponseValue", scalability.ResponseValue, of(secs(0), secs(2)), "T >=0, T_target >0"},
	}
}

// numbers are the places of numbers in a value that can be set: a copy, with its own lists.
func numbers(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	switch v.Kind() {
	case reflect.Float64, reflect.Int:
		return []reflect.Value{v}
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, numbers(v.Field(i))...)
		}
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
		for i := range v.Len() {
			all = append(all, numbers(v.Index(i))...)
		}
	}
	return all
}

// call calls the function with its good arguments, after a change of their numbers.
func (d domain) call(change func(numbers []reflect.Value)) error {
	args := make([]reflect.Value, len(d.args))
	var all []reflect.Value
	for i, a := range d.args {
		args[i] = reflect.New(reflect.TypeOf(a)).Elem()
		args[i].Set(reflect.ValueOf(a))
		all = append(all, numbers(args[i])...)
	}
	change(all)
	results := reflect.ValueOf(d.fn).Call(args)
	err, _ := results[len(results)-1].Interface().(error)
	return err
}

// TestDomains replaces each number in the arguments of each function in turn by every kind
// of bad number and expects a DomainError that names the function, the symbol and the
// number. With the good ones the call succeeds, or says that no work holds the efficiency.
func TestDomains(t *testing.T) {
	checked := 0
	for _, d := range domains(t) {
		symbols := strings.Split(d.symbols, ", ")
		err := d.call(func(all []reflect.Value) { expect.Equal(t, len(all), len(symbols), "%s: numbers", d.name) })
		expect.That(t, err == nil || errors.As(err, new(*scalability.UnreachableError)),
			"%s%v: %v", d.name, d.args, err)
		for i, s := range symbols {
			symbol, bad := ranged(t, s)
			for _, v := range bad {
				err := d.call(func(all []reflect.Value) {
					if all[i].CanInt() {
						all[i].SetInt(int64(v))
					} else {
						all[i].SetFloat(v)
					}
				})
				domain, ok := errors.AsType[*scalability.DomainError](err)
				expect.Need(t, ok, "%s: %s = %g: error %v, want a DomainError", d.name, symbol, v, err)
				same := domain.Value == v || math.IsNaN(domain.Value) && math.IsNaN(v)
				expect.That(t, domain.Func == d.name && domain.Symbol == symbol && same && domain.Want != "",
					"%s: %s = %g: error %+v", d.name, symbol, v, *domain)
				checked++
			}
		}
	}
	expect.That(t, checked >= 1000, "checked %d numbers", checked)
}

// ranged divides a symbol from its range and further numbers, as in "C_j >0 51 101".
func ranged(t *testing.T, text string) (symbol string, bad []float64) {
	fields := strings.Fields(text)
	for i, f := range fields {
		if numbers, ok := refused[f]; ok {
			bad = slices.Clone(numbers)
			for _, more := range fields[i+1:] {
				bad = append(bad, expect.Value(strconv.ParseFloat(more, 64))(t))
			}
			return strings.Join(fields[:i], " "), bad
		}
	}
	expect.Equal(t, text, "_", "a symbol without a range")
	return text, nil
}

// line holds samples on E_s = N/10.
var line = []scalability.Sample{{N: 1, Efficiency: 0.1}, {N: 2, Efficiency: 0.2}, {N: 3, Efficiency: 0.3}}

// A result outside the range of float64 is an error, not an infinity or a zero.
func TestResultsOutOfRange(t *testing.T) {
	const huge, tiny = 1e300, 1e-300
	faraway := scalability.Point{MarkedSpeed: huge, Work: tiny}
	near := scalability.Point{MarkedSpeed: tiny, Work: huge}
	level := func(work, c float64) scalability.Level {
		return scalability.Level{Nodes: 1e100, Work: work, Imbalance: c}
	}
	service := func(responses, cost float64) scalability.Service {
		return scalability.Service{Responses: responses, Value: 1, Cost: units.Money{Amount: cost, Currency: "EUR"}}
	}
	eurHuge, eurTiny := units.Money{Amount: huge, Currency: "EUR"}, units.Money{Amount: tiny, Currency: "EUR"}
	var steep scalability.Satisfaction = func(p []float64) float64 {
		if p[0] > 0 {
			return huge
		}
		return 0
	}
	expectSymbols(t, []wrongSymbol{
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
		{"S", second(scalability.Speedup(huge, tiny))},
		{"E", second(scalability.Efficiency(5e-324, 3))},
		{"T_p", second(scalability.TimeAtEfficiency(huge, tiny, 1))},
		{"p", second(scalability.ProcessorsAtEfficiency(huge, 1, tiny))},
		{"Sc", second(scalability.IdealRatio(huge, tiny))},
		{"e", second(scalability.KarpFlatt(5e-324, 2))},
		{"S", second(scalability.SunNi(0, 1000, 5e-324))},
		{"T_o", second(scalability.TotalOverhead(1e9, huge, 1))},
		{"E", second(scalability.OverheadEfficiency(huge, tiny))},
		{"W", second(scalability.IsoefficiencyWork(0.5, huge, huge))},
		{"eps", second(scalability.HeterogeneousEfficiency(huge, tiny, 1))},
		{"E", second(scalability.ClassicEfficiency(1, 1, huge, tiny))},
		{"W", second(scalability.HIsoefficiencyWork(0.5, tiny, tiny))},
		{"n", second(scalability.HIsoefficiencySize(1, scalability.OverheadPoint{Power: tiny, Factor: 1}, scalability.OverheadPoint{Power: huge, Factor: 1}, 3, 1))},
		{"rf", second(scalability.ReferenceFactor(1, huge, tiny))},
		{"E", second(scalability.ExtendedEfficiency(huge, 1, tiny))},
		{"V", second(scalability.ExtendedSpeed(huge, 1, tiny))},
		{"psi", second(scalability.ExtendedIsospeed(tiny, 1, huge, 1))},
		{"scale", second(scalability.LatencyScale(huge, tiny))},
		{"time_scale", second(scalability.TimeScale(tiny, huge))},
		{"Sc", second(steep.Directional([]float64{0}, []float64{1}, tiny))},
		{"Sc", second(scalability.Satisfaction(func(p []float64) float64 { return 1.7e308 * p[0] }).Dimension([]float64{-1}, 0, 2, nil))},
		{"cost", second(scalability.UpdateCost([]units.Money{eurHuge}, []float64{huge}))},
		{"dU", second(scalability.LinearGain([]float64{huge, -huge}, []float64{huge, huge}))},
		{"E", second(scalability.UpdateEfficiency(huge, eurTiny))},
		{"E[0]", second(scalability.EdgeScalability([]float64{huge}, []units.Money{eurTiny}))},
		{"C", second(level(1, huge).Complexity())},
		{"T", second(scalability.Levels{{Nodes: 1, Work: huge}, {Nodes: 1, Work: huge}}.Time(1))},
		{"log2 S", second(scalability.Levels{level(1, huge)}.Log2Speedup())},
		{"Sc", second(scalability.Level{Nodes: 1, Work: 1}.Scalability(level(1, huge)))},
		{"S", second(scalability.SpeedupBound(2, 1e4))},
		{"E", second(scalability.EfficiencyBound(1, 1e4))},
		{"F", second(service(huge, tiny).Productivity())},
		{"psi", second(service(tiny, huge).Scalability(service(1, 1)))},
	})
}

// wrongSymbol is what a call must complain about.
type wrongSymbol struct {
	symbol string
	err    error
}

func expectSymbols(t *testing.T, tests []wrongSymbol) {
	t.Helper()
	for _, test := range tests {
		domain, ok := errors.AsType[*scalability.DomainError](test.err)
		expect.That(t, ok && domain.Symbol == test.symbol, "error %v, want a DomainError for %s", test.err, test.symbol)
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
		{&scalability.NotEnclosedError{Target: 0.6, Low: 1, High: 10, AtLow: 0.25, AtHigh: 0.5},
			"scalability: the efficiency does not rise to 0.6 for sizes from 1 to 10; it is 0.25 and 0.5 at these ends"},
		{second(fit(t, 1, line).ReadOff(0.5)),
			"scalability: the trend line does not rise to E_s = 0.5 for N from 1 to 3; there E_s is from 0.1 to 0.3"},
		{&scalability.CurrencyError{Func: "UpdateCost", Symbol: "Price[1]", Currency: "CHF", Want: "EUR"},
			`scalability: UpdateCost: Price[1] is in currency "CHF", want "EUR"`},
	} {
		expect.That(t, test.err != nil && test.err.Error() == test.want, "got  %v\nwant %s", test.err, test.want)
	}
}

// second drops the value of a call.
func second[T any](_ T, err error) error { return err }

// Lists that belong together are equally long, and not empty where that means nothing.
func TestLengths(t *testing.T) {
	var u scalability.Satisfaction = func([]float64) float64 { return 1 }
	price := []units.Money{{Amount: 1, Currency: "EUR"}}
	expectSymbols(t, []wrongSymbol{
		{"C", second(scalability.SystemMarkedSpeed(nil))},
		{"len(N)", second(u.Directional(nil, nil, 1))},
		{"len(V)", second(u.Directional([]float64{1}, nil, 1))},
		{"len(N)", second(u.Gradient(nil, nil))},
		{"len(delta)", second(u.Gradient([]float64{1}, []float64{1, 1}))},
		{"len(N)", second(u.Dimension(nil, 0, 1, nil))},
		{"len(dP)", second(u.Dimension([]float64{1}, 0, 1, []float64{}))},
		{"len(dr)", second(scalability.UpdateCost(price, nil))},
		{"len(dr)", second(scalability.LinearGain([]float64{1}, nil))},
		{"len(Sc)", second(scalability.EdgeScalability(nil, nil))},
		{"len(Price)", second(scalability.EdgeScalability([]float64{1, 2}, price))},
		{"k", second(scalability.Levels(nil).Time(1))},
		{"k", second(scalability.Levels(nil).Log2Speedup())},
	})
}

package scalability_test

import (
	"errors"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
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
// number. The other arguments are good: the same call with a good value in the place of the
// bad one succeeds, or says that no work holds the efficiency.
func TestDomains(t *testing.T) {
	type (
		flops   = units.Flops
		speed   = units.FlopsPerSecond
		secs    = units.Seconds
		pt      = scalability.Point
		seq     = scalability.Sequential
		overh   = scalability.OverheadPoint
		level   = scalability.Level
		service = scalability.Service
	)
	good := pt{MarkedSpeed: 100, Work: 1000}
	part := seq{Fraction: 0.1, Speed: 10}
	money := func(v float64) units.Money { return units.Money{Amount: v, Currency: "EUR"} }
	var square scalability.Satisfaction = func(p []float64) float64 { return p[0] * p[0] }
	model := scalability.SizeModel{
		Work:     func(n float64) flops { return flops(n) },
		Overhead: func(n float64) secs { return 1 },
		Speed:    1,
	}
	withSpeed := func(v float64) scalability.SizeModel { m := model; m.Speed = speed(v); return m }
	withWork := func(v float64) scalability.SizeModel {
		m := model
		m.Work = func(float64) flops { return flops(v) }
		return m
	}
	withOverhead := func(v float64) scalability.SizeModel {
		m := model
		m.Overhead = func(float64) secs { return secs(v) }
		return m
	}
	one, two := overh{Power: 1, Factor: 1}, level{Nodes: 2, Work: 10, Imbalance: 1}
	gain := service{Responses: 1, Value: 1, Cost: money(1)}
	below1 := append([]float64{0.5}, notPositive...)
	few, fewer := []float64{0, -1}, []float64{1, 0, -1}

	tests := []struct {
		fn, symbol string
		good       float64
		bad        []float64
		call       func(v float64) error
	}{
		{"AchievedSpeed", "W", 0.25, notPositive, func(v float64) error { return second(scalability.AchievedSpeed(flops(v), 1)) }},
		{"AchievedSpeed", "T", 0.25, notPositive, func(v float64) error { return second(scalability.AchievedSpeed(1, secs(v))) }},
		{"SystemMarkedSpeed", "C[1]", 0.25, notPositive, func(v float64) error { return second(scalability.SystemMarkedSpeed([]speed{1, speed(v)})) }},
		{"SpeedEfficiency", "W", 0.25, notPositive, func(v float64) error { return second(scalability.SpeedEfficiency(flops(v), 1, 1)) }},
		{"SpeedEfficiency", "T", 0.25, notPositive, func(v float64) error { return second(scalability.SpeedEfficiency(1, secs(v), 1)) }},
		{"SpeedEfficiency", "C", 0.25, notPositive, func(v float64) error { return second(scalability.SpeedEfficiency(1, 1, speed(v))) }},
		{"RequiredTime", "W", 0.25, notPositive, func(v float64) error { return second(scalability.RequiredTime(flops(v), 1, 1)) }},
		{"RequiredTime", "E_s", 0.25, notPositive, func(v float64) error { return second(scalability.RequiredTime(1, v, 1)) }},
		{"RequiredTime", "C", 0.25, notPositive, func(v float64) error { return second(scalability.RequiredTime(1, 1, speed(v))) }},
		{"IsospeedEfficiency", "C", 0.25, notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(pt{MarkedSpeed: speed(v), Work: 1}, good))
		}},
		{"IsospeedEfficiency", "W", 0.25, notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(pt{MarkedSpeed: 1, Work: flops(v)}, good))
		}},
		{"IsospeedEfficiency", "C'", 0.25, notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(good, pt{MarkedSpeed: speed(v), Work: 1}))
		}},
		{"IsospeedEfficiency", "W'", 0.25, notPositive, func(v float64) error {
			return second(scalability.IsospeedEfficiency(good, pt{MarkedSpeed: 1, Work: flops(v)}))
		}},
		{"Ladder.Psi", "C[1]", 0.25, notPositive, func(v float64) error { return second(scalability.Ladder{good, {MarkedSpeed: speed(v), Work: 1}}.Psi()) }},
		{"Ladder.Psi", "W[0]", 0.25, notPositive, func(v float64) error { return second(scalability.Ladder{{MarkedSpeed: 1, Work: flops(v)}, good}.Psi()) }},
		{"Isospeed", "p", 1, []float64{0, -1}, func(v float64) error { return second(scalability.Isospeed(int(v), 1, 2, 1)) }},
		{"Isospeed", "W", 0.25, notPositive, func(v float64) error { return second(scalability.Isospeed(1, flops(v), 2, 1)) }},
		{"Isospeed", "p'", 1, []float64{0, -1}, func(v float64) error { return second(scalability.Isospeed(1, 1, int(v), 1)) }},
		{"Isospeed", "W'", 0.25, notPositive, func(v float64) error { return second(scalability.Isospeed(1, 1, 2, flops(v))) }},
		{"Sequential.Time", "W", 0.25, notPositive, func(v float64) error { return second(part.Time(flops(v))) }},
		{"Sequential.Time", "alpha", 0.25, notFraction, func(v float64) error { return second(seq{Fraction: v, Speed: 1}.Time(1)) }},
		{"Sequential.Time", "C_j", 0.25, notPositive, func(v float64) error { return second(seq{Fraction: 1, Speed: speed(v)}.Time(1)) }},
		{"Point.Overhead", "C", 0.25, notPositive, func(v float64) error { return second(pt{MarkedSpeed: speed(v), Work: 1}.Overhead(1, seq{})) }},
		{"Point.Overhead", "W", 0.25, notPositive, func(v float64) error { return second(pt{MarkedSpeed: 1, Work: flops(v)}.Overhead(1, seq{})) }},
		{"Point.Overhead", "T", 0.25, notPositive, func(v float64) error { return second(good.Overhead(secs(v), part)) }},
		{"Point.Overhead", "alpha", 0.25, notFraction, func(v float64) error { return second(good.Overhead(1, seq{Fraction: v, Speed: 1})) }},
		// 101 is above C = 100.
		{"Point.Overhead", "C_j", 0.25, append([]float64{101}, notPositive...), func(v float64) error { return second(good.Overhead(1, seq{Fraction: 0.1, Speed: speed(v)})) }},
		{"Theorem1", "t_0", 0.25, negative, func(v float64) error { return second(scalability.Theorem1(secs(v), 1, 1, 1)) }},
		{"Theorem1", "T_o", 0.25, negative, func(v float64) error { return second(scalability.Theorem1(1, secs(v), 1, 1)) }},
		{"Theorem1", "t_0'", 0.25, negative, func(v float64) error { return second(scalability.Theorem1(1, 1, secs(v), 1)) }},
		{"Theorem1", "T_o'", 0.25, negative, func(v float64) error { return second(scalability.Theorem1(1, 1, 1, secs(v))) }},
		{"Theorem1", "t_0 + T_o", 0.25, []float64{0}, func(v float64) error { return second(scalability.Theorem1(0, secs(v), 1, 1)) }},
		{"Theorem1", "t_0' + T_o'", 0.25, []float64{0}, func(v float64) error { return second(scalability.Theorem1(1, 1, secs(v), 0)) }},
		{"Corollary2", "T_o", 0.25, notPositive, func(v float64) error { return second(scalability.Corollary2(secs(v), 1)) }},
		{"Corollary2", "T_o'", 0.25, notPositive, func(v float64) error { return second(scalability.Corollary2(1, secs(v))) }},
		{"Theorem2", "C", 0.25, notPositive, func(v float64) error {
			return second(scalability.Theorem2(pt{MarkedSpeed: speed(v), Work: 1000}, 1, seq{}, 1, 1))
		}},
		{"Theorem2", "W", 0.25, notPositive, func(v float64) error {
			return second(scalability.Theorem2(pt{MarkedSpeed: 100, Work: flops(v)}, 100, part, 1, 1))
		}},
		{"Theorem2", "C'", 0.25, notPositive, func(v float64) error { return second(scalability.Theorem2(good, speed(v), seq{}, 1, 1)) }},
		{"Theorem2", "alpha", 0.25, notFraction, func(v float64) error {
			return second(scalability.Theorem2(good, 100, seq{Fraction: v, Speed: 10}, 1, 1))
		}},
		// 51 is above C' = 50, 101 is above both.
		{"Theorem2", "C_j", 0.25, append([]float64{51, 101}, notPositive...), func(v float64) error {
			return second(scalability.Theorem2(good, 50, seq{Fraction: 0.1, Speed: speed(v)}, 1, 1))
		}},
		{"Theorem2", "T_o", 0.25, negative, func(v float64) error { return second(scalability.Theorem2(good, 100, part, secs(v), 1)) }},
		{"Theorem2", "beta W + T_o", 0.25, []float64{0}, func(v float64) error { return second(scalability.Theorem2(good, 100, seq{}, secs(v), 1)) }},
		{"Theorem2", "T_o'", 0.25, notPositive, func(v float64) error { return second(scalability.Theorem2(good, 100, part, 1, secs(v))) }},
		{"ReachLimit", "C", 0.25, notPositive, func(v float64) error {
			return second(scalability.ReachLimit(pt{MarkedSpeed: speed(v), Work: 1}, seq{}, 1))
		}},
		{"ReachLimit", "W", 0.25, notPositive, func(v float64) error {
			return second(scalability.ReachLimit(pt{MarkedSpeed: 1, Work: flops(v)}, seq{}, 1))
		}},
		{"ReachLimit", "alpha", 0.25, notFraction, func(v float64) error { return second(scalability.ReachLimit(good, seq{Fraction: v, Speed: 10}, 1)) }},
		{"ReachLimit", "C_j", 0.25, append([]float64{101}, notPositive...), func(v float64) error {
			return second(scalability.ReachLimit(good, seq{Fraction: 0.1, Speed: speed(v)}, 1))
		}},
		{"ReachLimit", "T_o", 0.25, negative, func(v float64) error { return second(scalability.ReachLimit(good, part, secs(v))) }},
		{"ReachLimit", "beta W + T_o", 0.25, []float64{0}, func(v float64) error { return second(scalability.ReachLimit(good, seq{}, secs(v))) }},
		{"FitTrend", "d", 1, []float64{0, -1}, func(v float64) error { return second(scalability.FitTrend(int(v), line)) }},
		{"FitTrend", "N[1]", 0.25, notPositive, func(v float64) error {
			return second(scalability.FitTrend(1, []scalability.Sample{line[0], {N: v, Efficiency: 0.2}, line[2]}))
		}},
		{"FitTrend", "E_s[2]", 0.25, notPositive, func(v float64) error {
			return second(scalability.FitTrend(1, []scalability.Sample{line[0], line[1], {N: 3, Efficiency: v}}))
		}},
		{"Trend.ReadOff", "E_s", 0.25, notPositive, func(v float64) error {
			trend := expect.Value(scalability.FitTrend(1, line))(t)
			return second(trend.ReadOff(v))
		}},
		{"Speedup", "T_1", 2, notPositive, func(v float64) error { return second(scalability.Speedup(secs(v), 1)) }},
		{"Speedup", "T_p", 2, notPositive, func(v float64) error { return second(scalability.Speedup(1, secs(v))) }},
		{"Efficiency", "S", 2, notPositive, func(v float64) error { return second(scalability.Efficiency(v, 1)) }},
		{"Efficiency", "p", 1, few, func(v float64) error { return second(scalability.Efficiency(1, int(v))) }},
		{"TimeAtEfficiency", "T_1", 2, notPositive, func(v float64) error { return second(scalability.TimeAtEfficiency(secs(v), 1, 1)) }},
		{"TimeAtEfficiency", "E", 2, notPositive, func(v float64) error { return second(scalability.TimeAtEfficiency(1, v, 1)) }},
		{"TimeAtEfficiency", "p", 1, few, func(v float64) error { return second(scalability.TimeAtEfficiency(1, 1, int(v))) }},
		{"ProcessorsAtEfficiency", "T_1", 2, notPositive, func(v float64) error { return second(scalability.ProcessorsAtEfficiency(secs(v), 1, 1)) }},
		{"ProcessorsAtEfficiency", "E", 2, notPositive, func(v float64) error { return second(scalability.ProcessorsAtEfficiency(1, v, 1)) }},
		{"ProcessorsAtEfficiency", "T_p", 2, notPositive, func(v float64) error { return second(scalability.ProcessorsAtEfficiency(1, 1, secs(v))) }},
		{"IdealRatio", "S", 2, notPositive, func(v float64) error { return second(scalability.IdealRatio(v, 1)) }},
		{"IdealRatio", "S_I", 2, notPositive, func(v float64) error { return second(scalability.IdealRatio(1, v)) }},
		{"KarpFlatt", "S", 2, notPositive, func(v float64) error { return second(scalability.KarpFlatt(v, 2)) }},
		{"KarpFlatt", "p", 2, fewer, func(v float64) error { return second(scalability.KarpFlatt(1, int(v))) }},
		{"Amdahl", "f", 1, notFraction, func(v float64) error { return second(scalability.Amdahl(v, 2)) }},
		{"Amdahl", "p", 1, few, func(v float64) error { return second(scalability.Amdahl(0.5, int(v))) }},
		{"Gustafson", "f", 1, notFraction, func(v float64) error { return second(scalability.Gustafson(v, 2)) }},
		{"Gustafson", "p", 1, few, func(v float64) error { return second(scalability.Gustafson(0.5, int(v))) }},
		{"SunNi", "f", 1, notFraction, func(v float64) error { return second(scalability.SunNi(v, 2, 2)) }},
		{"SunNi", "p", 1, few, func(v float64) error { return second(scalability.SunNi(0.5, int(v), 2)) }},
		{"SunNi", "G", 2, notPositive, func(v float64) error { return second(scalability.SunNi(0.5, 2, v)) }},

		{"TotalOverhead", "p", 1, few, func(v float64) error { return second(scalability.TotalOverhead(int(v), 1, 1)) }},
		{"TotalOverhead", "T_p", 2, notPositive, func(v float64) error { return second(scalability.TotalOverhead(1, secs(v), 1)) }},
		{"TotalOverhead", "T_1", 2, notPositive, func(v float64) error { return second(scalability.TotalOverhead(1, 1, secs(v))) }},
		{"OverheadEfficiency", "T_o", 0, negative, func(v float64) error { return second(scalability.OverheadEfficiency(secs(v), 1)) }},
		{"OverheadEfficiency", "T_1", 2, notPositive, func(v float64) error { return second(scalability.OverheadEfficiency(1, secs(v))) }},
		{"IsoefficiencyConstant", "E", 0.5, notProper, func(v float64) error { return second(scalability.IsoefficiencyConstant(v)) }},
		{"IsoefficiencyWork", "E", 0.5, notProper, func(v float64) error { return second(scalability.IsoefficiencyWork(v, 1, 1)) }},
		{"IsoefficiencyWork", "T_o", 2, notPositive, func(v float64) error { return second(scalability.IsoefficiencyWork(0.5, secs(v), 1)) }},
		{"IsoefficiencyWork", "C_1", 2, notPositive, func(v float64) error { return second(scalability.IsoefficiencyWork(0.5, 1, speed(v))) }},
		{"SizeModel.Efficiency", "n", 2, notPositive, func(v float64) error { return second(model.Efficiency(v)) }},
		{"SizeModel.Efficiency", "C", 2, notPositive, func(v float64) error { return second(withSpeed(v).Efficiency(1)) }},
		{"SizeModel.Efficiency", "W(3)", 2, notPositive, func(v float64) error { return second(withWork(v).Efficiency(3)) }},
		{"SizeModel.Efficiency", "T_o(3)", 0, negative, func(v float64) error { return second(withOverhead(v).Efficiency(3)) }},
		{"SizeModel.Size", "E", 0.7, notProper, func(v float64) error { return second(model.Size(v, 1, 10)) }},
		{"SizeModel.Size", "C", 2, notPositive, func(v float64) error { return second(withSpeed(v).Size(0.7, 1, 10)) }},
		{"SizeModel.Size", "low", 2, append([]float64{10, 11}, notPositive...), func(v float64) error { return second(model.Size(0.7, v, 10)) }},
		{"SizeModel.Size", "high", 10, notPositive, func(v float64) error { return second(model.Size(0.7, 1, v)) }},

		{"HeterogeneousEfficiency", "W", 2, notPositive, func(v float64) error { return second(scalability.HeterogeneousEfficiency(flops(v), 1, 1)) }},
		{"HeterogeneousEfficiency", "T_R", 2, notPositive, func(v float64) error { return second(scalability.HeterogeneousEfficiency(1, secs(v), 1)) }},
		{"HeterogeneousEfficiency", "P_T", 2, notPositive, func(v float64) error { return second(scalability.HeterogeneousEfficiency(1, 1, speed(v))) }},
		{"ClassicEfficiency", "eps", 2, notPositive, func(v float64) error { return second(scalability.ClassicEfficiency(v, 1, 1, 1)) }},
		{"ClassicEfficiency", "P", 1, few, func(v float64) error { return second(scalability.ClassicEfficiency(1, int(v), 1, 1)) }},
		{"ClassicEfficiency", "P_T", 2, notPositive, func(v float64) error { return second(scalability.ClassicEfficiency(1, 1, speed(v), 1)) }},
		{"ClassicEfficiency", "P_q", 2, notPositive, func(v float64) error { return second(scalability.ClassicEfficiency(1, 1, 1, speed(v))) }},
		{"HIsoefficiencyWork", "eps", 0.5, notProper, func(v float64) error { return second(scalability.HIsoefficiencyWork(v, 1, 1)) }},
		{"HIsoefficiencyWork", "T_o", 2, notPositive, func(v float64) error { return second(scalability.HIsoefficiencyWork(0.5, secs(v), 1)) }},
		{"HIsoefficiencyWork", "P_T", 2, notPositive, func(v float64) error { return second(scalability.HIsoefficiencyWork(0.5, 1, speed(v))) }},
		{"HIsoefficiencySize", "n_0", 2, notPositive, func(v float64) error { return second(scalability.HIsoefficiencySize(v, one, one, 3, 1)) }},
		{"HIsoefficiencySize", "P_T0", 2, notPositive, func(v float64) error {
			return second(scalability.HIsoefficiencySize(1, overh{Power: speed(v), Factor: 1}, one, 3, 1))
		}},
		{"HIsoefficiencySize", "g0", 2, notPositive, func(v float64) error {
			return second(scalability.HIsoefficiencySize(1, overh{Power: 1, Factor: v}, one, 3, 1))
		}},
		{"HIsoefficiencySize", "P_T", 2, notPositive, func(v float64) error {
			return second(scalability.HIsoefficiencySize(1, one, overh{Power: speed(v), Factor: 1}, 3, 1))
		}},
		{"HIsoefficiencySize", "g", 2, notPositive, func(v float64) error {
			return second(scalability.HIsoefficiencySize(1, one, overh{Power: 1, Factor: v}, 3, 1))
		}},
		{"HIsoefficiencySize", "a", 2, notFinite, func(v float64) error { return second(scalability.HIsoefficiencySize(1, one, one, v, 1)) }},
		{"HIsoefficiencySize", "b", 2, append([]float64{3, 4}, notFinite...), func(v float64) error { return second(scalability.HIsoefficiencySize(1, one, one, 3, v)) }},

		{"ReferenceFactor", "n", 1, few, func(v float64) error { return second(scalability.ReferenceFactor(int(v), 1, 1)) }},
		{"ReferenceFactor", "T_ref(1)", 2, notPositive, func(v float64) error { return second(scalability.ReferenceFactor(1, secs(v), 1)) }},
		{"ReferenceFactor", "T_ref(set)", 2, notPositive, func(v float64) error { return second(scalability.ReferenceFactor(1, 1, secs(v))) }},
		{"ExtendedEfficiency", "T", 2, notPositive, func(v float64) error { return second(scalability.ExtendedEfficiency(secs(v), 1, 1)) }},
		{"ExtendedEfficiency", "rf", 2, notPositive, func(v float64) error { return second(scalability.ExtendedEfficiency(1, v, 1)) }},
		{"ExtendedEfficiency", "T_p", 2, notPositive, func(v float64) error { return second(scalability.ExtendedEfficiency(1, 1, secs(v))) }},
		{"ExtendedSpeed", "W", 2, notPositive, func(v float64) error { return second(scalability.ExtendedSpeed(flops(v), 1, 1)) }},
		{"ExtendedSpeed", "rf", 2, notPositive, func(v float64) error { return second(scalability.ExtendedSpeed(1, v, 1)) }},
		{"ExtendedSpeed", "T_p", 2, notPositive, func(v float64) error { return second(scalability.ExtendedSpeed(1, 1, secs(v))) }},
		{"ExtendedIsospeed", "rf", 2, notPositive, func(v float64) error { return second(scalability.ExtendedIsospeed(v, 1, 1, 1)) }},
		{"ExtendedIsospeed", "W", 2, notPositive, func(v float64) error { return second(scalability.ExtendedIsospeed(1, flops(v), 1, 1)) }},
		{"ExtendedIsospeed", "rf'", 2, notPositive, func(v float64) error { return second(scalability.ExtendedIsospeed(1, 1, v, 1)) }},
		{"ExtendedIsospeed", "W'", 2, notPositive, func(v float64) error { return second(scalability.ExtendedIsospeed(1, 1, 1, flops(v))) }},
		{"AverageLatency", "n", 1, few, func(v float64) error { return second(scalability.AverageLatency(int(v), 1, 1)) }},
		{"AverageLatency", "T_p", 2, notPositive, func(v float64) error { return second(scalability.AverageLatency(2, secs(v), 1)) }},
		// 4.5 s of computation do not fit into 2 times 2 s.
		{"AverageLatency", "T_calc", 4, append([]float64{4.5}, notPositive...), func(v float64) error { return second(scalability.AverageLatency(2, 2, secs(v))) }},
		{"LatencyScale", "L_e", 2, notPositive, func(v float64) error { return second(scalability.LatencyScale(secs(v), 1)) }},
		{"LatencyScale", "L_e'", 2, notPositive, func(v float64) error { return second(scalability.LatencyScale(1, secs(v))) }},
		{"TimeScale", "T_p", 2, notPositive, func(v float64) error { return second(scalability.TimeScale(secs(v), 1)) }},
		{"TimeScale", "T_p'", 2, notPositive, func(v float64) error { return second(scalability.TimeScale(1, secs(v))) }},

		{"Satisfaction.Directional", "N[1]", 2, notFinite, func(v float64) error { return second(square.Directional([]float64{1, v}, []float64{1, 0}, 1)) }},
		{"Satisfaction.Directional", "V[1]", 0, notFinite, func(v float64) error { return second(square.Directional([]float64{1, 1}, []float64{1, v}, 1)) }},
		{"Satisfaction.Directional", "|V|", 1, []float64{0}, func(v float64) error { return second(square.Directional([]float64{1}, []float64{v}, 1)) }},
		// The spacing of numbers at 1 is 2e-16.
		{"Satisfaction.Directional", "delta", 1, append([]float64{1e-17}, notPositive...), func(v float64) error { return second(square.Directional([]float64{1}, []float64{1}, v)) }},
		{"Satisfaction.Directional", "U([2])", 3, notFinite, func(v float64) error {
			return second(scalability.Satisfaction(func([]float64) float64 { return v }).Directional([]float64{2}, []float64{1}, 1))
		}},
		{"Satisfaction.Gradient", "N[0]", 2, notFinite, func(v float64) error { return second(square.Gradient([]float64{v}, []float64{1})) }},
		{"Satisfaction.Gradient", "delta[0]", 1, notPositive, func(v float64) error { return second(square.Gradient([]float64{1}, []float64{v})) }},
		{"Satisfaction.Dimension", "N[0]", 2, notFinite, func(v float64) error { return second(square.Dimension([]float64{v}, 0, 1, nil)) }},
		{"Satisfaction.Dimension", "i", 0, []float64{-1, 1}, func(v float64) error { return second(square.Dimension([]float64{1}, int(v), 1, nil)) }},
		{"Satisfaction.Dimension", "dr", 2, notPositive, func(v float64) error { return second(square.Dimension([]float64{1}, 0, v, nil)) }},
		{"Satisfaction.Dimension", "dP[0]", 2, notFinite, func(v float64) error { return second(square.Dimension([]float64{1}, 0, 1, []float64{v})) }},

		{"UpdateCost", "Price[0]", 0, negative, func(v float64) error { return second(scalability.UpdateCost([]units.Money{money(v)}, []float64{1})) }},
		{"UpdateCost", "dr[0]", 0, negative, func(v float64) error { return second(scalability.UpdateCost([]units.Money{money(1)}, []float64{v})) }},
		{"LinearGain", "Sc[0]", -1, notFinite, func(v float64) error { return second(scalability.LinearGain([]float64{v}, []float64{1})) }},
		{"LinearGain", "dr[0]", -1, notFinite, func(v float64) error { return second(scalability.LinearGain([]float64{1}, []float64{v})) }},
		{"UpdateEfficiency", "dU", -1, notFinite, func(v float64) error { return second(scalability.UpdateEfficiency(v, money(1))) }},
		{"UpdateEfficiency", "cost", 2, notPositive, func(v float64) error { return second(scalability.UpdateEfficiency(1, money(v))) }},
		{"EdgeScalability", "Sc[0]", -1, notFinite, func(v float64) error {
			return second(scalability.EdgeScalability([]float64{v}, []units.Money{money(1)}))
		}},
		{"EdgeScalability", "Price[0]", 2, notPositive, func(v float64) error {
			return second(scalability.EdgeScalability([]float64{1}, []units.Money{money(v)}))
		}},

		{"Level.Complexity", "n", 1, below1, func(v float64) error { return second(level{Nodes: v, Work: 1}.Complexity()) }},
		{"Level.Complexity", "w", 1, notPositive, func(v float64) error { return second(level{Nodes: 1, Work: v}.Complexity()) }},
		{"Level.Complexity", "c", 0, negative, func(v float64) error { return second(level{Nodes: 1, Work: 1, Imbalance: v}.Complexity()) }},
		{"Levels.Time", "n[1]", 1, below1, func(v float64) error { return second(scalability.Levels{two, {Nodes: v, Work: 1}}.Time(1)) }},
		{"Levels.Time", "t", 1, notPositive, func(v float64) error { return second(scalability.Levels{two}.Time(secs(v))) }},
		{"Levels.Log2Speedup", "w[1]", 1, notPositive, func(v float64) error { return second(scalability.Levels{two, {Nodes: 1, Work: v}}.Log2Speedup()) }},
		{"Level.Scalability", "c", 0, negative, func(v float64) error { return second(level{Nodes: 1, Work: 1, Imbalance: v}.Scalability(two)) }},
		// Two nodes are no more than two.
		{"Level.Scalability", "n'", 3, append([]float64{2, 1}, below1...), func(v float64) error { return second(two.Scalability(level{Nodes: v, Work: 1})) }},
		{"BoundsApply", "Sc_0", -1, notFinite, func(v float64) error { return second(scalability.BoundsApply(v, nil)) }},
		{"BoundsApply", "Sc[1]", -1, notFinite, func(v float64) error { return second(scalability.BoundsApply(1, []float64{1, v})) }},
		{"SpeedupBound", "Sp_0", 2, notPositive, func(v float64) error { return second(scalability.SpeedupBound(v, 1)) }},
		{"SpeedupBound", "r", 0, negative, func(v float64) error { return second(scalability.SpeedupBound(2, v)) }},
		{"EfficiencyBound", "Sp_0", 2, notPositive, func(v float64) error { return second(scalability.EfficiencyBound(v, 1)) }},
		{"EfficiencyBound", "r", 0, negative, func(v float64) error { return second(scalability.EfficiencyBound(2, v)) }},

		{"Service.Productivity", "lambda", 2, notPositive, func(v float64) error { return second(service{Responses: v, Value: 1, Cost: money(1)}.Productivity()) }},
		{"Service.Productivity", "f", 2, notPositive, func(v float64) error { return second(service{Responses: 1, Value: v, Cost: money(1)}.Productivity()) }},
		{"Service.Productivity", "C", 2, notPositive, func(v float64) error { return second(service{Responses: 1, Value: 1, Cost: money(v)}.Productivity()) }},
		{"Service.Scalability", "f", 2, notPositive, func(v float64) error {
			return second(service{Responses: 1, Value: v, Cost: money(1)}.Scalability(gain))
		}},
		{"Service.Scalability", "C'", 2, notPositive, func(v float64) error {
			return second(gain.Scalability(service{Responses: 1, Value: 1, Cost: money(v)}))
		}},
		{"ResponseValue", "T", 0, negative, func(v float64) error { return second(scalability.ResponseValue(secs(v), 1)) }},
		{"ResponseValue", "T_target", 2, notPositive, func(v float64) error { return second(scalability.ResponseValue(1, secs(v))) }},
	}
	checked := 0
	for _, test := range tests {
		if err, beyond := test.call(test.good), new(*scalability.UnreachableError); err != nil && !errors.As(err, beyond) {
			t.Errorf("%s: good %s = %g: %v", test.fn, test.symbol, test.good, err)
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
		if domain, ok := errors.AsType[*scalability.DomainError](test.err); !ok || domain.Symbol != test.symbol {
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

// notProper holds what is not above 0 and below 1.
var notProper = []float64{0, 1, -0.5, 1.5, nan, inf, -inf}

// notFinite holds what has either sign and is not a number.
var notFinite = []float64{nan, inf, -inf}

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

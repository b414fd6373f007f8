package scalability

import (
	"cmp"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// TotalOverhead returns the time that all processors together spend on anything
// but the work of the sequential program,
//
//	T_o = p T_p - T_1
//
//	p    number of equal processors, >= 1
//	T_p  parallel time, s, > 0
//	T_1  sequential time, s, > 0
//
// It is a sum over processors, unlike [Point.Overhead], which is a time on the clock. It
// is negative where the speedup exceeds p. That is a finding, but the functions below
// refuse it.
//
// Source: [Grama1993]; [Jin] Eq. 6 with T_1 = W_ideal t_0 and T_o = W_overhead t_0;
// [He2004] 2, where it is called T_comm. Deviations: none.
func TotalOverhead(p int, parallel, sequential units.Seconds) (units.Seconds, error) {
	const fn = "TotalOverhead"
	return finiteResult(fn, "T_o", units.Seconds(units.Seconds(p)*parallel)-sequential,
		count(fn, "p", p, 1), positive(fn, "T_p", parallel), positive(fn, "T_1", sequential))
}

// OverheadEfficiency returns the efficiency from the overhead,
//
//	E = 1/(1 + T_o/T_1)
//
//	T_o  total overhead of all processors, s, >= 0, see [TotalOverhead]
//	T_1  useful computation of all processors, s, > 0
//
// Source: [Grama1993]; [He2004] 2, where T_1 is called T_calc. Deviations: none.
func OverheadEfficiency(overhead, useful units.Seconds) (float64, error) {
	const fn = "OverheadEfficiency"
	return positiveResult(fn, "E", 1/float64(1+overhead/useful), nonNegative(fn, "T_o", overhead),
		positive(fn, "T_1", useful))
}

// IsoefficiencyConstant returns the factor between overhead and work that holds an
// efficiency,
//
//	K = E/(1 - E)
//
//	E  efficiency to hold, above 0 and below 1
//
// Source: [Grama1993], [Bosque] 3.2. Deviations: none.
func IsoefficiencyConstant(efficiency float64) (float64, error) {
	const fn = "IsoefficiencyConstant"
	return positiveResult(fn, "K", efficiency/(1-efficiency), properFraction(fn, "E", efficiency))
}

// IsoefficiencyWork returns the work that holds an efficiency at a known overhead,
//
//	W = K T_o C_1,   K = E/(1 - E)
//
//	E    efficiency to hold, above 0 and below 1
//	T_o  total overhead of all processors, s, > 0, see [TotalOverhead]
//	C_1  speed of one processor on this problem, > 0
//
// T_o changes with the work, so this is one side of an equation, which [SizeModel.Size]
// solves.
//
// Source: [Grama1993]. Deviations: there W counts operations that take one unit of
// time; here C_1 turns time into work.
func IsoefficiencyWork(efficiency float64, overhead units.Seconds, speed units.FlopsPerSecond) (units.Flops, error) {
	return requiredWork("IsoefficiencyWork", "E", efficiency, overhead, "C_1", speed)
}

// requiredWork is K T_o C, for isoefficiency and H-isoefficiency, which have other
// symbols for efficiency and speed.
func requiredWork(
	fn, symbolE string, efficiency float64, overhead units.Seconds, symbolC string, speed units.FlopsPerSecond,
) (units.Flops, error) {
	return positiveResult(fn, "W", units.Flops(efficiency/(1-efficiency)*float64(overhead)*float64(speed)),
		properFraction(fn, symbolE, efficiency), positive(fn, "T_o", overhead), positive(fn, symbolC, speed))
}

// A SizeModel says how work and overhead of one system depend on the problem size
// n. There are two ways to fill it:
//
//	isoefficiency    T_o(n) over all processors, s    C_1, speed of one processor
//	H-isoefficiency  T_o(n) on the clock, s           P_T, power of the system
//
// For p equal processors both give the same, as the first T_o is p times the second and
// C_1 = P_T/p. Both functions must be set, and pure.
type SizeModel struct {
	Work     func(n float64) units.Flops   // W(n), > 0
	Overhead func(n float64) units.Seconds // T_o(n), >= 0
	Speed    units.FlopsPerSecond          // C_1 or P_T, > 0
}

// Efficiency returns the efficiency at a size,
//
//	E(n) = W(n)/(W(n) + T_o(n) C)
//
//	n  problem size, > 0
//	C  C_1 or P_T, see [SizeModel]
//
// Source: [Grama1993], [Bosque] 3.2. Deviations: none.
func (m SizeModel) Efficiency(n float64) (float64, error) {
	const fn = "SizeModel.Efficiency"
	if err := cmp.Or(positive(fn, "n", n), positive(fn, "C", m.Speed)); err != nil {
		return 0, err
	}
	return m.efficiency(fn, n)
}

// efficiency is Efficiency for a checked n and speed.
func (m SizeModel) efficiency(fn string, n float64) (float64, error) {
	work, overhead := m.Work(n), m.Overhead(n)
	if err := cmp.Or(
		positive(fn, fmt.Sprintf("W(%g)", n), work),
		nonNegative(fn, fmt.Sprintf("T_o(%g)", n), overhead),
	); err != nil {
		return 0, err
	}
	lost := float64(overhead) / float64(work) * float64(m.Speed)
	return positiveResult(fn, fmt.Sprintf("E(%g)", n), 1/(1+lost))
}

// Size returns the problem size from which on the efficiency is held,
//
//	n with W(n) = K T_o(n) C,   K = E/(1 - E)
//
//	E          efficiency to hold, above 0 and below 1
//	low, high  where to look, 0 < low < high; the efficiency must be below E at low
//	           and not below it at high, else the error is a [*NotEnclosedError]
//
// If the efficiency crosses E more than once in between, the result is one of the
// places where it rises to E. Bisection continues until float64 has no number in
// between, so the error is one part in 10^15 of n, or what rounding in the two
// functions makes of it.
//
// Source: the equation is that of [Grama1993] and [Bosque] Eq. 5. Deviations: both
// solve it for the order of growth, here it is solved for a number.
func (m SizeModel) Size(efficiency, low, high float64) (float64, error) {
	const fn = "SizeModel.Size"
	if err := cmp.Or(
		properFraction(fn, "E", efficiency), positive(fn, "C", m.Speed),
		positive(fn, "low", low), positive(fn, "high", high),
		demand(low < high, fn, "low", low, fmt.Sprintf("less than high = %g", high)),
	); err != nil {
		return 0, err
	}
	var failed error
	at := func(n float64) float64 {
		e, err := m.efficiency(fn, n)
		failed = cmp.Or(failed, err)
		return e
	}
	if atLow, atHigh := at(low), at(high); failed == nil && (atLow >= efficiency || atHigh < efficiency) {
		return 0, &NotEnclosedError{Target: efficiency, Low: low, High: high, AtLow: atLow, AtHigh: atHigh}
	}
	for failed == nil {
		mid := low + (high-low)/2
		switch {
		case mid <= low || mid >= high:
			return high, nil
		case at(mid) < efficiency:
			low = mid
		default:
			high = mid
		}
	}
	return 0, failed
}

// A NotEnclosedError reports that the efficiencies at the two ends of a range of
// sizes do not enclose the one asked for: look at smaller sizes when both are
// above Target, at larger ones when both are below it. An algorithm whose
// efficiency has a bound below Target has no such size.
type NotEnclosedError struct {
	Target        float64 // the efficiency asked for
	Low, High     float64 // the range of sizes
	AtLow, AtHigh float64 // the efficiencies there
}

func (e *NotEnclosedError) Error() string {
	return fmt.Sprintf("scalability: the efficiency does not rise to %g for sizes from %g to %g; it is %.6g and %.6g at these ends",
		e.Target, e.Low, e.High, e.AtLow, e.AtHigh)
}

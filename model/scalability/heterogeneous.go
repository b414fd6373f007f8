package scalability

import (
	"cmp"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// HeterogeneousEfficiency returns the ideal time on the total power over the real
// time,
//
//	eps = W/(T_R P_T)
//
//	W    work, > 0
//	T_R  time of the slowest processor, T_R = max_i T_i, s, > 0
//	P_T  power of the system, P_T = sum_i P_i, > 0
//	P_i  power of processor i, its [AchievedSpeed] W/T_i alone on this problem
//
// The formula is that of [SpeedEfficiency]. The difference is what the speeds are
// of: P_i of this algorithm, marked speeds of a benchmark. So eps holds only what
// is lost in parallel, while E_s also holds how the algorithm suits the processors.
//
// W may count any operation, such as updated cells, as long as P_T counts the same
// for each second.
//
// Source: [Bosque] Eq. 1-4. Deviations: none.
func HeterogeneousEfficiency(w units.Flops, t units.Seconds, power units.FlopsPerSecond) (float64, error) {
	const fn = "HeterogeneousEfficiency"
	return positiveResult(fn, "eps", float64(w)/float64(t)/float64(power),
		positive(fn, "W", w), positive(fn, "T_R", t), positive(fn, "P_T", power))
}

// ClassicEfficiency returns the efficiency that S/p gives in a heterogeneous
// system, with the sequential time on reference processor q,
//
//	E(q) = eps P_T/(P P_q)
//
//	eps  heterogeneous efficiency, > 0, see [HeterogeneousEfficiency]
//	P    number of processors, >= 1
//	P_T  power of the system, > 0
//	P_q  power of the reference processor, > 0
//
// It depends on q and passes 1 where q is slower than the mean. That is why eps
// was put in its place.
//
// Source: derived from [Bosque] Eq. 4, which uses it in section 5 without a formula:
// E(q) = T_q/(P T_R) with T_q = W/P_q. Deviations: none.
func ClassicEfficiency(eps float64, p int, power, reference units.FlopsPerSecond) (float64, error) {
	const fn = "ClassicEfficiency"
	return positiveResult(fn, "E", eps*float64(power/reference)/float64(p),
		positive(fn, "eps", eps), count(fn, "P", p, 1),
		positive(fn, "P_T", power), positive(fn, "P_q", reference))
}

// HIsoefficiencyWork returns the work that holds a heterogeneous efficiency at a
// known overhead,
//
//	W = K T_o P_T,   K = eps/(1 - eps)
//
//	eps  heterogeneous efficiency to hold, above 0 and below 1
//	T_o  overhead on the clock, T_R = W/P_T + T_o, s, > 0
//	P_T  power of the system, > 0
//
// It holds where work is shared in proportion to power. T_o changes with the work,
// so this is one side of an equation: [SizeModel.Size] solves it for given
// functions, [HIsoefficiencySize] for powers of n.
//
// Source: [Bosque] Eq. 5. Deviations: none.
func HIsoefficiencyWork(eps float64, overhead units.Seconds, power units.FlopsPerSecond) (units.Flops, error) {
	return requiredWork("HIsoefficiencyWork", "eps", eps, overhead, "P_T", power)
}

// An OverheadPoint is what H-isoefficiency knows of a system when the overhead is a
// power of the size times a factor of the system, T_o = h n^b g.
type OverheadPoint struct {
	Power  units.FlopsPerSecond // P_T, > 0
	Factor float64              // g, > 0: how the overhead depends on the system, e.g. log2 p
}

func (p OverheadPoint) check(fn, suffix string) error {
	return cmp.Or(positive(fn, "P_T"+suffix, p.Power), positive(fn, "g"+suffix, p.Factor))
}

// HIsoefficiencySize returns the problem size that holds the efficiency of a base
// when work and overhead are powers of the size, W = k n^a and T_o = h n^b g,
//
//	n = n_0 (P_T g/(P_T0 g_0))^(1/(a - b))
//
//	n_0       size on the base, > 0
//	P_T0, g_0 power and overhead factor of the base, see [OverheadPoint]
//	P_T, g    those of the scaled system
//	a         exponent of the work
//	b         exponent of the overhead, < a
//
// With b >= a no size holds the efficiency, or any size does. For Floyd's
// algorithm a = 3, b = 1 and g = log2 p, so n = n_0 sqrt(P_T log2 p/(P_T0 log2 p_0)).
// On p equal processors, with P_T = p P_1, it is the isoefficiency size.
//
// Source: [Bosque] Eq. 5, 9 and 10. Deviations: the source has Floyd's exponents
// only; the general form follows from W = K T_o P_T with K and both constants
// cancelled. An overhead with several terms of different powers needs
// [SizeModel.Size].
func HIsoefficiencySize(n0 float64, base, scaled OverheadPoint, a, b float64) (float64, error) {
	const fn = "HIsoefficiencySize"
	if err := cmp.Or(
		positive(fn, "n_0", n0), base.check(fn, "0"), scaled.check(fn, ""),
		finite(fn, "a", a), finite(fn, "b", b),
	); err != nil {
		return 0, err
	}
	if b >= a {
		return 0, &DomainError{fn, "b", b, fmt.Sprintf("less than a = %g", a)}
	}
	growth := float64(scaled.Power/base.Power) * (scaled.Factor / base.Factor)
	return positiveResult(fn, "n", n0*math.Pow(growth, 1/(a-b)))
}

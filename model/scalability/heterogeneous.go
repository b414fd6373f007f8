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
// The formula is that of [SpeedEfficiency]. The difference is in the speeds: P_i are
// speeds of this algorithm, marked speeds those of a benchmark. So eps contains only
// parallel losses, while E_s also contains how well the algorithm suits the processors.
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
// It depends on q, and exceeds 1 where P_q < eps P_T/P. That is why eps replaces it.
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
// It holds where work is shared in proportion to power. T_o changes with the work, so
// this is one side of an equation, which [SizeModel.Size] solves for given functions
// and [HIsoefficiencySize] for powers of n.
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
// system if work and overhead are powers of the size, W = k n^a and T_o = h n^b g,
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
	growth := float64(scaled.Power/base.Power) * (scaled.Factor / base.Factor)
	return positiveResult(fn, "n", n0*math.Pow(growth, 1/(a-b)),
		positive(fn, "n_0", n0), base.check(fn, "0"), scaled.check(fn, ""),
		finite(fn, "a", a), finite(fn, "b", b), demand(b < a, fn, "b", b, fmt.Sprintf("less than a = %g", a)))
}

// ReferenceFactor returns the performance reference factor of a set of n
// processors: how many lone processors the set is worth,
//
//	rf(set) = V_ref(set)/V_ref(1) = n T_ref(1)/T_ref(set)
//
//	n           number of processors in the set, >= 1
//	T_ref(1)    time of the reference program on one processor, s, > 0
//	T_ref(set)  its time on the set with n times the work, s, > 0
//
// Sets of equal n differ by where their processors are: processors of one node share
// its memory, those of different nodes have the network between them. In the extended
// metrics rf replaces n.
//
// The reference program must do n times the work on n processors, and the ratio of
// computation to communication must not change with the work.
//
// Source: [He2004] 4. Deviations: none.
func ReferenceFactor(n int, alone, set units.Seconds) (float64, error) {
	const fn = "ReferenceFactor"
	return positiveResult(fn, "rf", float64(n)*float64(alone/set),
		count(fn, "n", n, 1), positive(fn, "T_ref(1)", alone), positive(fn, "T_ref(set)", set))
}

// ExtendedEfficiency returns the efficiency of a processor set, which the extended
// isoefficiency, latency and time-scale metrics hold constant,
//
//	E = T/(rf T_p) = 1/((T_ref(1)/T_ref(set)) (1 + T_comm/T_calc))
//
//	T    for isoefficiency T_calc, the useful computation of all processors; for
//	     latency and time-scale T_p(W, 1), the time on one processor; s, > 0
//	rf   performance reference factor, > 0, see [ReferenceFactor]
//	T_p  time on the set, s, > 0
//
// The second form holds for T = T_calc with n T_p = T_calc + T_comm. With rf = n it
// is the usual efficiency. On one processor rf = 1, and with T = T_p(W, 1) the
// efficiency is 1 whatever W is.
//
// Source: [He2004] 5. Deviations: none.
func ExtendedEfficiency(useful units.Seconds, rf float64, t units.Seconds) (float64, error) {
	const fn = "ExtendedEfficiency"
	return positiveResult(fn, "E", float64(useful/t)/rf,
		positive(fn, "T", useful), positive(fn, "rf", rf), positive(fn, "T_p", t))
}

// ExtendedSpeed returns the average speed of a processor set, which extended
// isospeed holds constant,
//
//	V = W/(rf T_p)
//
//	W    work, > 0
//	rf   performance reference factor, > 0, see [ReferenceFactor]
//	T_p  time on the set, s, > 0
//
// Source: [He2004] 5. Deviations: none.
func ExtendedSpeed(w units.Flops, rf float64, t units.Seconds) (units.FlopsPerSecond, error) {
	const fn = "ExtendedSpeed"
	return positiveResult(fn, "V", units.FlopsPerSecond(float64(w)/float64(t)/rf),
		positive(fn, "W", w), positive(fn, "rf", rf), positive(fn, "T_p", t))
}

// ExtendedIsospeed returns the scalability from one processor set to another,
//
//	psi(set, set') = rf' W/(rf W')   where   W/(rf T_p) = W'/(rf' T_p')
//
//	rf, W    performance reference factor and work of the base, > 0
//	rf', W'  those of the scaled set
//
// The caller must ensure the second equation; while it holds, psi = T_p/T_p'. With rf =
// n it is [Isospeed].
//
// Source: [He2004] 5. Deviations: none.
func ExtendedIsospeed(rf float64, w units.Flops, rfScaled float64, wScaled units.Flops) (float64, error) {
	return isospeed("ExtendedIsospeed", "rf", rf, w, rfScaled, wScaled)
}

// AverageLatency returns the average time that a processor spends on anything but
// useful computation,
//
//	L_e = T_p - T_calc/n
//
//	n       number of processors, >= 1
//	T_p     parallel time, s, > 0
//	T_calc  useful computation of all processors, s, > 0, at most n T_p
//
// It may be 0.
//
// Source: the T_comm of [He2004] 2, for one processor: n T_p = T_calc + T_comm.
// Deviations: [Zhang1994] adds up, for each processor, its latencies and its wait
// for the last one. That sum is the same where nothing else takes time.
func AverageLatency(n int, t, calculation units.Seconds) (units.Seconds, error) {
	const fn = "AverageLatency"
	share := calculation / units.Seconds(n)
	return finiteResult(fn, "L_e", t-share,
		count(fn, "n", n, 1), positive(fn, "T_p", t), positive(fn, "T_calc", calculation),
		demand(share <= t, fn, "T_calc", float64(calculation), fmt.Sprintf("at most n T_p = %g", float64(n)*float64(t))))
}

// LatencyScale returns the latency scalability,
//
//	scale(E, (n, n')) = L_e(W, n)/L_e(W', n')
//
//	L_e   average latency of the base, s, > 0, see [AverageLatency]
//	L_e'  that of the scaled system at the work W' that holds the efficiency, s, > 0
//
// 1 is ideal: holding the efficiency then costs each processor no more latency. On
// processor sets, the efficiency to hold is [ExtendedEfficiency]. The caller must
// ensure that it is held.
//
// Source: [Zhang1994]; [He2004] 2 and, for processor sets, 5. Deviations: none.
func LatencyScale(latency, scaled units.Seconds) (float64, error) {
	return ratio("LatencyScale", "scale", "L_e", latency, "L_e'", scaled)
}

// TimeScale returns the time-scale scalability,
//
//	time_scale(E, (n, n')) = T_p(W, n)/T_p(W', n')
//
//	T_p   time of the base, s, > 0
//	T_p'  time of the scaled system at the work W' that holds the efficiency, s, > 0
//
// 1 is ideal: holding the efficiency then costs no more time. On processor sets, the
// efficiency to hold is [ExtendedEfficiency]. The caller must ensure that it is held.
//
// Source: [He2004] 2 and, for processor sets, 5. Deviations: none.
func TimeScale(t, scaled units.Seconds) (float64, error) {
	return ratio("TimeScale", "time_scale", "T_p", t, "T_p'", scaled)
}

package scalability

import (
	"cmp"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// ReferenceFactor returns the performance reference factor of a set of n
// processors: how many lone processors the set is worth,
//
//	rf(set) = V_ref(set)/V_ref(1) = n T_ref(1)/T_ref(set)
//
//	n           number of processors in the set, >= 1
//	T_ref(1)    time of the reference program on one processor, s, > 0
//	T_ref(set)  its time on the set with n times the work, s, > 0
//
// Sets of equal n differ by where their processors are: those of one node share
// its memory, those of different nodes have the network between them. In the
// extended metrics rf stands where n stood.
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
// The second equation is the caller's to hold; while it holds, psi = T_p/T_p'. With
// rf = n it is [Isospeed].
//
// Source: [He2004] 5. Deviations: none.
func ExtendedIsospeed(rf float64, w units.Flops, rfScaled float64, wScaled units.Flops) (float64, error) {
	return isospeed("ExtendedIsospeed", "rf", rf, w, rfScaled, wScaled)
}

// AverageLatency returns the time that a processor spends on average on anything
// but useful computation,
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
	if err := cmp.Or(
		count(fn, "n", n, 1), positive(fn, "T_p", t), positive(fn, "T_calc", calculation),
	); err != nil {
		return 0, err
	}
	share := calculation / units.Seconds(n)
	if share > t {
		return 0, &DomainError{fn, "T_calc", float64(calculation), fmt.Sprintf("at most n T_p = %g", float64(n)*float64(t))}
	}
	return t - share, nil
}

// LatencyScale returns the latency scalability,
//
//	scale(E, (n, n')) = L_e(W, n)/L_e(W', n')
//
//	L_e   average latency of the base, s, > 0, see [AverageLatency]
//	L_e'  that of the scaled system at the work W' that holds the efficiency, s, > 0
//
// 1 is ideal: a held efficiency then costs each processor no more latency. On
// processor sets, the efficiency to hold is [ExtendedEfficiency]. Holding it is the
// caller's.
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
// 1 is ideal: a held efficiency then costs no more time. On processor sets, the
// efficiency to hold is [ExtendedEfficiency]. Holding it is the caller's.
//
// Source: [He2004] 2 and, for processor sets, 5. Deviations: none.
func TimeScale(t, scaled units.Seconds) (float64, error) {
	return ratio("TimeScale", "time_scale", "T_p", t, "T_p'", scaled)
}

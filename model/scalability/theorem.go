package scalability

import (
	"cmp"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Theorem1 returns the scalability from the times that do not shrink with the
// machine,
//
//	psi(C, C') = (t_0 + T_o)/(t_0' + T_o')
//
//	t_0, t_0'  time of the sequential part, >= 0, see [Sequential.Time]
//	T_o, T_o'  overhead, >= 0, see [Point.Overhead]
//
// The primed times are those at the work W' that holds the speed-efficiency. Both
// sums must be positive: a system that loses no time has E_s = 1 at every W, so
// no W' is singled out. With alpha = 0 and an overhead that never changes, psi is
// 1 (Corollary 1 of the source).
//
// It holds where load is balanced by marked speed and every node computes at
// marked speed: T = (1 - alpha) W/C + t_0 + T_o.
//
// Source: [Sun2005] and [Chen2008], Theorem 1. Deviations: none from the theorem.
// The bracket after "Hence" in its printed proof lacks T_o on both sides.
func Theorem1(t0, overhead, t0Scaled, overheadScaled units.Seconds) (float64, error) {
	const fn = "Theorem1"
	return positiveResult(fn, "psi", float64((t0+overhead)/(t0Scaled+overheadScaled)),
		nonNegative(fn, "t_0", t0), nonNegative(fn, "T_o", overhead),
		nonNegative(fn, "t_0'", t0Scaled), nonNegative(fn, "T_o'", overheadScaled),
		positive(fn, "t_0 + T_o", t0+overhead), positive(fn, "t_0' + T_o'", t0Scaled+overheadScaled))
}

// Corollary2 returns the scalability of an algorithm without a sequential part,
//
//	psi(C, C') = T_o/T_o'
//
//	T_o, T_o'  overhead, > 0, see [Point.Overhead]; T_o' at the work that holds the
//	           speed-efficiency
//
// It holds where [Theorem1] holds and alpha is 0.
//
// Source: [Sun2005] and [Chen2008], Corollary 2. Deviations: none.
func Corollary2(overhead, overheadScaled units.Seconds) (float64, error) {
	return ratio("Corollary2", "psi", "T_o", overhead, "T_o'", overheadScaled)
}

// Theorem2 returns the scalability when the same node runs the sequential part
// before and after scaling,
//
//	psi(C, C') = (C beta W - C' beta W + C T_o)/(C T_o'),   beta = alpha/C_j
//
//	C, W   marked speed and work of the base, > 0
//	C'     marked speed of the scaled system, > 0
//	alpha  sequential fraction of the work, 0 to 1
//	C_j    marked speed of the node that runs it, > 0, at most C and at most C'
//	T_o    overhead of the base, >= 0, and beta W + T_o > 0
//	T_o'   overhead of the scaled system at the work W' that holds the
//	       speed-efficiency, > 0
//
// W' itself is C' W/(C psi). From [ReachLimit] on there is no such work, and the
// error is an [*UnreachableError].
//
// It holds where [Theorem1] holds.
//
// Source: [Chen2008] Theorem 2, where C_j is written C_i. Deviations: C is divided
// out. The source states no limit for C'; it follows from psi > 0.
func Theorem2(base Point, scaled units.FlopsPerSecond, seq Sequential, overhead, overheadScaled units.Seconds) (float64, error) {
	const fn = "Theorem2"
	if err := cmp.Or(
		checkReach(fn, base, seq, overhead),
		positive(fn, "C'", scaled), seq.checkNodeOf(fn, "C'", scaled),
		positive(fn, "T_o'", overheadScaled),
	); err != nil {
		return 0, err
	}
	growth := units.Seconds(scaled/base.MarkedSpeed - 1)
	left := overhead - units.Seconds(growth*seq.time(base.Work))
	if left <= 0 {
		return 0, &UnreachableError{MarkedSpeed: scaled, Limit: reachLimit(base, seq, overhead)}
	}
	return positiveResult(fn, "psi", float64(left/overheadScaled))
}

// ReachLimit returns the marked speed that no system can reach at the base's
// speed-efficiency while one node runs the sequential part,
//
//	C' < C (1 + T_o/(beta W)),   beta = alpha/C_j
//
// with the symbols and ranges of [Theorem2]. It is +Inf when alpha is 0, or too
// small to matter: then the sequential part sets no limit.
//
// Source: derived from [Chen2008] Theorem 2, which does not state it: psi > 0 asks
// for C beta W - C' beta W + C T_o > 0. The same limit follows from the efficiency:
// as W' grows, E_s' cannot pass 1/(1 - alpha + beta C').
func ReachLimit(base Point, seq Sequential, overhead units.Seconds) (units.FlopsPerSecond, error) {
	if err := checkReach("ReachLimit", base, seq, overhead); err != nil {
		return 0, err
	}
	return reachLimit(base, seq, overhead), nil
}

// reachLimit is ReachLimit for arguments that passed checkReach, so the
// denominator is 0 only where the numerator is not.
func reachLimit(base Point, seq Sequential, overhead units.Seconds) units.FlopsPerSecond {
	return base.MarkedSpeed * units.FlopsPerSecond(1+overhead/seq.time(base.Work))
}

// checkReach checks what Theorem2 and ReachLimit have in common: the base system.
func checkReach(fn string, base Point, seq Sequential, overhead units.Seconds) error {
	if err := cmp.Or(
		base.check(fn, ""), seq.check(fn), seq.checkNodeOf(fn, "C", base.MarkedSpeed),
		nonNegative(fn, "T_o", overhead),
	); err != nil {
		return err
	}
	return positive(fn, "beta W + T_o", seq.time(base.Work)+overhead)
}

// An UnreachableError reports a system so large that, with one node running the
// sequential part, no amount of work holds the efficiency of the base.
type UnreachableError struct {
	MarkedSpeed units.FlopsPerSecond // C', the system asked for
	Limit       units.FlopsPerSecond // see [ReachLimit]
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("scalability: no work holds the speed-efficiency at C' = %g flop/s; the sequential part asks for C' < %g flop/s",
		float64(e.MarkedSpeed), float64(e.Limit))
}

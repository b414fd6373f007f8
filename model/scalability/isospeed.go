package scalability

import (
	"cmp"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// A Point is a system together with the work that it does at the held
// efficiency.
type Point struct {
	MarkedSpeed units.FlopsPerSecond // C, > 0
	Work        units.Flops          // W, > 0
}

// check returns an error unless both numbers are positive and finite; suffix
// tells the points of one formula apart.
func (p Point) check(fn, suffix string) error {
	return cmp.Or(positive(fn, "C"+suffix, p.MarkedSpeed), positive(fn, "W"+suffix, p.Work))
}

// IsospeedEfficiency returns the scalability from a base to a scaled system,
//
//	psi(C, C') = C' W/(C W')   where   W/(T C) = W'/(T' C')
//
//	C, W    marked speed and work of the base, > 0
//	C', W'  marked speed and work of the scaled system, > 0
//
// 1 is ideal: the work need only grow as the machine does. The caller must ensure the
// second equation: times do not enter here, so two points of different efficiency give
// a number that is not a scalability.
//
// Source: [Sun2005] 3.3, [Chen2008] 3.3. Deviations: none. C' < C is accepted.
func IsospeedEfficiency(base, scaled Point) (float64, error) {
	const fn = "IsospeedEfficiency"
	return positiveResult(fn, "psi", psi(base, scaled), base.check(fn, ""), scaled.check(fn, "'"))
}

// psi is C' W/(C W'), as a product of ratios so that it does not overflow early.
func psi(base, scaled Point) float64 {
	return float64(scaled.MarkedSpeed/base.MarkedSpeed) * float64(base.Work/scaled.Work)
}

// A Ladder is a series of systems that all work at the same speed-efficiency, as
// in the tables of [Chen2008]: C_2, C_4, C_8 and so on.
type Ladder []Point

// Psi returns psi between neighbours: element i is [IsospeedEfficiency] from point i to
// point i+1. There is one element less than points, and none for an empty ladder. Psi
// between systems further apart is the product.
func (l Ladder) Psi() ([]float64, error) {
	const fn = "Ladder.Psi"
	var steps []float64
	for i, p := range l {
		if err := p.check(fn, fmt.Sprintf("[%d]", i)); err != nil {
			return nil, err
		}
		if i == 0 {
			continue
		}
		step, err := positiveResult(fn, fmt.Sprintf("psi[%d]", i-1), psi(l[i-1], p))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// Isospeed returns the scalability of a system of equal processors,
//
//	psi(p, p') = p' W/(p W')   where   W/(p T) = W'/(p' T')
//
//	p, W    processors (> 0) and work (> 0) of the base
//	p', W'  processors and work of the scaled system
//
// It is [IsospeedEfficiency] with C = p C_1. The caller must ensure the second
// equation.
//
// Source: [SunRover1994]; [Chen2008] Table 1. Deviations: none.
func Isospeed(p int, w units.Flops, pScaled int, wScaled units.Flops) (float64, error) {
	return isospeed("Isospeed", "p", float64(p), w, float64(pScaled), wScaled)
}

// isospeed is psi for isospeed and extended isospeed; symbol names the size of a
// system.
func isospeed(
	fn, symbol string, size float64, w units.Flops, sizeScaled float64, wScaled units.Flops,
) (float64, error) {
	return positiveResult(fn, "psi", sizeScaled/size*float64(w/wScaled),
		positive(fn, symbol, size), positive(fn, "W", w),
		positive(fn, symbol+"'", sizeScaled), positive(fn, "W'", wScaled))
}

// AchievedSpeed returns the speed at which work was done,
//
//	S = W/T
//
//	W  work, > 0
//	T  time from the start to the end of the last process, > 0
//
// Source: [Sun2005] 3.2, [Chen2008] 3.2. Deviations: none.
func AchievedSpeed(w units.Flops, t units.Seconds) (units.FlopsPerSecond, error) {
	const fn = "AchievedSpeed"
	return positiveResult(fn, "S", units.FlopsPerSecond(float64(w)/float64(t)), positive(fn, "W", w),
		positive(fn, "T", t))
}

// SystemMarkedSpeed returns the marked speed of a system of nodes,
//
//	C = sum_i C_i
//
//	C_i  marked speed of node i, > 0: its sustained speed in a benchmark that is
//	     the same for all nodes
//
// There must be at least one node.
//
// Source: [Sun2005] Def. 2, [Chen2008] Def. 1. Deviations: none. As in the papers,
// a node counts with the processors that it lends, not with all it has.
func SystemMarkedSpeed(nodes []units.FlopsPerSecond) (units.FlopsPerSecond, error) {
	const fn = "SystemMarkedSpeed"
	var sum units.FlopsPerSecond
	for _, c := range nodes {
		sum += c
	}
	return positiveResult(fn, "C", sum, every(fn, "C", nodes, positive))
}

// SpeedEfficiency returns the share of the marked speed that was achieved,
//
//	E_s = S/C = W/(T C)
//
//	W  work, > 0
//	T  time, > 0
//	C  marked speed of the system, > 0
//
// It may exceed 1: a marked speed is an average over benchmarks, and a program
// can be kinder to the processor than they are.
//
// Source: [Sun2005] Def. 3, [Chen2008] Def. 2. Deviations: none.
func SpeedEfficiency(w units.Flops, t units.Seconds, c units.FlopsPerSecond) (float64, error) {
	const fn = "SpeedEfficiency"
	return positiveResult(fn, "E_s", float64(w)/float64(t)/float64(c),
		positive(fn, "W", w), positive(fn, "T", t), positive(fn, "C", c))
}

// RequiredTime returns the time in which a system must do work W to hold a
// speed-efficiency,
//
//	T = W/(E_s C)
//
//	W    work, > 0
//	E_s  speed-efficiency, > 0
//	C    marked speed of the system, > 0
//
// Source: [Chen2008] Def. 2, solved for T. Deviations: none.
func RequiredTime(w units.Flops, efficiency float64, c units.FlopsPerSecond) (units.Seconds, error) {
	const fn = "RequiredTime"
	return positiveResult(fn, "T", units.Seconds(float64(w)/efficiency/float64(c)),
		positive(fn, "W", w), positive(fn, "E_s", efficiency), positive(fn, "C", c))
}

// Sequential describes the part of an algorithm that cannot be parallelized. The
// zero value says that there is none.
type Sequential struct {
	Fraction float64              // alpha, its share of the work, 0 to 1
	Speed    units.FlopsPerSecond // C_j, marked speed of the node that runs it, > 0; ignored if alpha is 0
}

// check returns an error unless the fraction and, if it matters, the speed are in
// range.
func (s Sequential) check(fn string) error {
	if err := fraction(fn, "alpha", s.Fraction); err != nil || s.Fraction == 0 {
		return err
	}
	return positive(fn, "C_j", s.Speed)
}

// checkNodeOf returns an error if the node is faster than the system that
// contains it: C is the sum of its nodes.
func (s Sequential) checkNodeOf(fn, symbol string, c units.FlopsPerSecond) error {
	return demand(s.Fraction == 0 || s.Speed <= c, fn, "C_j", float64(s.Speed), fmt.Sprintf("at most %s = %g", symbol, float64(c)))
}

// time returns t_0 = alpha W/C_j.
func (s Sequential) time(w units.Flops) units.Seconds {
	if s.Fraction == 0 {
		return 0
	}
	return units.Seconds(s.Fraction * float64(w) / float64(s.Speed))
}

// Time returns the time of the sequential part,
//
//	t_0 = alpha W/C_j
//
//	alpha  sequential fraction of the work, 0 to 1
//	W      work, > 0
//	C_j    marked speed of the node that runs it, > 0
//
// It is 0 when alpha is.
//
// Source: [Chen2008] Theorem 1, proof. Deviations: in the proof the scaled
// system's t_0' is printed with C' below the line; like the text around it, the
// code uses the speed of one node.
func (s Sequential) Time(w units.Flops) (units.Seconds, error) {
	const fn = "Sequential.Time"
	return finiteResult(fn, "t_0", s.time(w), positive(fn, "W", w), s.check(fn))
}

// Overhead returns the time that computing at marked speed does not explain,
//
//	T_o = T - (1 - alpha) W/C - t_0,   t_0 = alpha W/C_j
//
//	T      total time, > 0
//	alpha  sequential fraction of the work, 0 to 1
//	W      work, > 0
//	C      marked speed of the system, > 0
//	C_j    marked speed of the node that runs the sequential part, 0 < C_j <= C
//
// It contains all losses: communication, waiting, imbalance, and any difference between
// the marked speed and the speed sustained on this algorithm. So it is negative when
// the machine is faster than marked. That is a finding, not an error, but the theorems
// do not hold for it and refuse it.
//
// Source: [Chen2008] Theorem 1, analysis, solved for T_o. Deviations: T_o of the paper
// is communication only, which is the same where load is balanced by marked speed and
// marked speed is reached.
func (p Point) Overhead(t units.Seconds, seq Sequential) (units.Seconds, error) {
	const fn = "Point.Overhead"
	parallel := units.Seconds((1 - seq.Fraction) * float64(p.Work) / float64(p.MarkedSpeed))
	return finiteResult(fn, "T_o", t-parallel-seq.time(p.Work),
		p.check(fn, ""), positive(fn, "T", t), seq.check(fn), seq.checkNodeOf(fn, "C", p.MarkedSpeed))
}

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
// W' itself is C' W/(C psi). If C' is at or above [ReachLimit], there is no such work,
// and the error is an [*UnreachableError].
//
// It holds where [Theorem1] holds.
//
// Source: [Chen2008] Theorem 2, where C_j is written C_i. Deviations: C is divided
// out. The source states no limit for C'; it follows from psi > 0.
func Theorem2(
	base Point, scaled units.FlopsPerSecond, seq Sequential, overhead, overheadScaled units.Seconds,
) (float64, error) {
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

package scalability

import (
	"cmp"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Sequential describes the part of an algorithm that cannot be parallelized. The
// zero value says that there is none.
type Sequential struct {
	Fraction float64              // alpha, its share of the work, 0 to 1
	Speed    units.FlopsPerSecond // C_j, marked speed of the node that runs it, > 0; not looked at when alpha is 0
}

// check returns an error unless the fraction and, where it matters, the speed are
// in their ranges.
func (s Sequential) check(fn string) error {
	if err := fraction(fn, "alpha", s.Fraction); err != nil || s.Fraction == 0 {
		return err
	}
	return positive(fn, "C_j", s.Speed)
}

// checkNodeOf returns an error if the node is faster than the system that
// contains it: C is the sum of its nodes.
func (s Sequential) checkNodeOf(fn, symbol string, c units.FlopsPerSecond) error {
	if s.Fraction == 0 || s.Speed <= c {
		return nil
	}
	return &DomainError{fn, "C_j", float64(s.Speed), fmt.Sprintf("at most %s = %g", symbol, float64(c))}
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
	if err := cmp.Or(positive(fn, "W", w), s.check(fn)); err != nil {
		return 0, err
	}
	t := s.time(w)
	if err := nonNegative(fn, "t_0", t); err != nil {
		return 0, err
	}
	return t, nil
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
// It holds everything lost: communication, waiting, imbalance, and any difference
// between the marked speed and the speed sustained on this algorithm. So it can
// be negative, when the machine is faster than marked. That is a finding and not
// an error, but the theorems do not hold for it and refuse it.
//
// Source: [Chen2008] Theorem 1, analysis, solved for T_o. Deviations: the paper
// means by T_o communication only, which is the same where load is balanced by
// marked speed and marked speed is reached.
func (p Point) Overhead(t units.Seconds, seq Sequential) (units.Seconds, error) {
	const fn = "Point.Overhead"
	if err := cmp.Or(
		p.check(fn, ""), positive(fn, "T", t),
		seq.check(fn), seq.checkNodeOf(fn, "C", p.MarkedSpeed),
	); err != nil {
		return 0, err
	}
	parallel := units.Seconds((1 - seq.Fraction) * float64(p.Work) / float64(p.MarkedSpeed))
	overhead := t - parallel - seq.time(p.Work)
	if math.IsInf(float64(overhead), 0) || math.IsNaN(float64(overhead)) {
		return 0, &DomainError{fn, "T_o", float64(overhead), "a finite number"}
	}
	return overhead, nil
}

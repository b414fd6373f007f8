package scalability

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A Satisfaction is the performance U(N) of a problem on a system at the point N =
// (r_1, r_2, ...; p_1, p_2, ...) of resources and problem sizes: any number that is
// larger when the user is served better, such as 1/T, the speedup or log2(1/T). It must
// be a pure function and give a finite number wherever it is asked. The slice belongs
// to the callee.
//
// The scale of each coordinate is the caller's. [Jin] takes r = log2 of a count, so
// that a step of 1 doubles it.
type Satisfaction func(point []float64) float64

// at evaluates U at N + delta V, and returns an error if the value is not finite.
func (u Satisfaction) at(fn string, n []float64, delta float64, v []float64) (float64, error) {
	point := slices.Clone(n)
	for i := range v {
		point[i] += float64(delta * v[i])
	}
	text := fmt.Sprintf("U(%g)", point)
	return finiteResult(fn, text, u(point))
}

// A Slope is a difference quotient and how far it may be from the derivative.
type Slope struct {
	Value float64 // (U(N + delta V) - U(N))/delta, at the step given
	Limit float64 // an estimate of the derivative, the limit for delta -> 0
	Error float64 // an estimate of |Value - derivative|
}

// Directional returns the robust scalability: the gain in satisfaction for a step in
// one direction of resource and problem space,
//
//	Sc(V, R, P) = (U(N + delta V) - U(N))/delta,   N = (R, P)
//
//	U      satisfaction
//	N      resources and problem sizes, finite
//	V      direction, finite, not all 0; only its direction counts, it is divided
//	       by its length
//	delta  step, > 0, in the units of the coordinates
//
// The pair is locally scalable in that direction where Sc > 0. The direction may change
// resources alone, or problem sizes with them. The length of V mixes the units of the
// coordinates, so compare Sc along the axes first.
//
// Step and error: the quotient D(delta) is the one-sided one of the source, whose
// error is of first order. D(delta/2) is computed too; where U is smooth, Limit =
// 2 D(delta/2) - D(delta) is the derivative but for terms of second order, and Error
// is |Value - Limit| plus what rounding in U and N may contribute. With a large step,
// such as a doubling, Value is the number of interest and Error says how far the
// curve bends. A step too small to change N is refused.
//
// Source: [Jin] Eq. 8. Deviations: the source leaves delta and its error open.
func (u Satisfaction) Directional(n, v []float64, delta float64) (Slope, error) {
	const fn = "Satisfaction.Directional"
	if err := cmp.Or(
		checkPoint(fn, "N", n), sameLength(fn, "V", len(v), "N", len(n)), checkPoint(fn, "V", v),
		positive(fn, "delta", delta),
	); err != nil {
		return Slope{}, err
	}
	// The largest component is divided out first, so that no square overflows.
	largest := floats.Norm(v, math.Inf(1))
	if largest == 0 {
		return Slope{}, &DomainError{fn, "|V|", 0, "a direction that is not 0"}
	}
	unit := slices.Clone(v)
	floats.Scale(1/largest, unit)
	floats.Scale(1/floats.Norm(unit, 2), unit)
	return u.slope(fn, n, unit, delta)
}

// Gradient returns the scalability in each dimension by itself, with a step for
// each,
//
//	Sc_i = (U(N + delta_i e_i) - U(N))/delta_i
//
// with symbols, steps and errors as in [Satisfaction.Directional].
//
// Source: [Jin] Eq. 12 and 13. Deviations: as there.
func (u Satisfaction) Gradient(n, delta []float64) ([]Slope, error) {
	const fn = "Satisfaction.Gradient"
	if err := cmp.Or(
		checkPoint(fn, "N", n), sameLength(fn, "delta", len(delta), "N", len(n)), every(fn, "delta", delta, positive),
	); err != nil {
		return nil, err
	}
	slopes := make([]Slope, len(n))
	for i, d := range delta {
		axis := make([]float64, len(n))
		axis[i] = 1
		var err error
		if slopes[i], err = u.slope(fn, n, axis, d); err != nil {
			return nil, err
		}
	}
	return slopes, nil
}

// slope returns the difference quotient along a unit vector.
func (u Satisfaction) slope(fn string, n, unit []float64, delta float64) (Slope, error) {
	reach := 0.0 // the largest coordinate that moves: it determines the rounding of N + delta V
	moves := false
	for i, v := range unit {
		if v != 0 {
			reach = max(reach, math.Abs(n[i])+delta)
			moves = moves || n[i]+float64(delta/2*v) != n[i]
		}
	}
	if !moves {
		return Slope{}, &DomainError{fn, "delta", delta, "a step large enough to change N"}
	}
	here, err := u.at(fn, n, 0, unit)
	if err != nil {
		return Slope{}, err
	}
	half, err := u.at(fn, n, delta/2, unit)
	if err != nil {
		return Slope{}, err
	}
	full, err := u.at(fn, n, delta, unit)
	if err != nil {
		return Slope{}, err
	}
	s := Slope{Value: (full - here) / delta}
	s.Limit = 2*(half-here)/(delta/2) - s.Value
	const ulp = 0x1p-52
	rounding := ulp / delta * (max(math.Abs(here), math.Abs(full)) + float64(math.Abs(s.Value)*reach))
	s.Error = math.Abs(s.Value-s.Limit) + rounding
	if err := cmp.Or(
		finite(fn, "Sc", s.Value), finite(fn, "Sc", s.Limit), finite(fn, "Sc", s.Error),
	); err != nil {
		return Slope{}, err
	}
	return s, nil
}

// Dimension returns the gain from more of one resource while the problem changes along
// with it,
//
//	Sc_i = (U(R + dr_i, P + dP) - U(R, P))/dr_i
//
//	U     satisfaction
//	R, P  resources and problem sizes, N = (R, P), finite
//	i     the dimension of the resource, from 0
//	dr    how much it grows, > 0
//	dP    how N changes along with it, finite, as long as N; nil for not at all
//
// It is a finite difference: no limit is taken.
//
// Source: [Jin] Eq. 13. Deviations: dP may touch resources too.
func (u Satisfaction) Dimension(n []float64, i int, dr float64, dp []float64) (float64, error) {
	const fn = "Satisfaction.Dimension"
	if dp == nil {
		dp = make([]float64, len(n))
	}
	if err := cmp.Or(checkPoint(fn, "N", n), positive(fn, "dr", dr),
		demand(i >= 0 && i < len(n), fn, "i", float64(i), fmt.Sprintf("a dimension from 0 to %d", len(n)-1)),
		sameLength(fn, "dP", len(dp), "N", len(n)), checkPoint(fn, "dP", dp),
	); err != nil {
		return 0, err
	}
	change := slices.Clone(dp)
	change[i] += dr
	before, err := u.at(fn, n, 0, change)
	if err != nil {
		return 0, err
	}
	after, err := u.at(fn, n, 1, change)
	if err != nil {
		return 0, err
	}
	return finiteResult(fn, "Sc", (after-before)/dr)
}

// checkPoint returns an error unless there is a coordinate and all are finite.
func checkPoint(fn, symbol string, point []float64) error {
	return cmp.Or(count(fn, "len("+symbol+")", len(point), 1), every(fn, symbol, point, finite))
}

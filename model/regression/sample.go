package regression

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Sample is a measured or simulated point. Several samples of one P are
// repetitions.
type Sample struct {
	P float64 // number of processors or another size, >= 1; for the normal form >= 0
	Y float64 // what was measured there, in the unit of the caller
}

// A Sample2 is a point over two parameters. Several samples of one P and Q are
// repetitions.
type Sample2 struct {
	P, Q float64 // >= 0
	Y    float64 // in the unit of the caller
}

// A DomainError reports a number for which a fit is not defined.
type DomainError struct {
	Function string // that was called
	Name     string // of the number
	Value    float64
	Expected string
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("regression: %s: %s is %g; expected %s", e.Function, e.Name, e.Value, e.Expected)
}

// A TooFewPointsError reports that the samples do not determine a model.
type TooFewPointsError struct {
	Model string // that was asked for
	Have  int    // different p
	Need  int    // different p, at least
}

func (e *TooFewPointsError) Error() string {
	return fmt.Sprintf("regression: %s needs points of at least %d different p, have %d", e.Model, e.Need, e.Have)
}

// points are samples in ascending order of p, then q, with repetitions averaged. With one
// parameter, q is 0.
type points []Sample2

// over returns samples of one parameter as points with q = 0.
func over(samples []Sample) []Sample2 {
	all := make([]Sample2, len(samples))
	for i, s := range samples {
		all[i] = Sample2{P: s.P, Y: s.Y}
	}
	return all
}

// without returns all points but one.
func (d points) without(i int) points { return slices.Concat(d[:i], d[i+1:]) }

func (d points) y() []float64 {
	y := make([]float64, len(d))
	for i, s := range d {
		y[i] = s.Y
	}
	return y
}

// least is the smallest y.
func (d points) least() float64 { return slices.Min(d.y()) }

const (
	// rounding is the relative size below which a difference counts as rounding:
	// results may have gone through files with 10 digits.
	rounding = 1e-9
	// leastSquaresRounding is the rounding that least squares leave at every point,
	// however small the value there, as a part of the largest value.
	leastSquaresRounding = 1e-14
)

// flatten makes points equal if they differ only by rounding.
func (d points) flatten() {
	low, high := d.least(), slices.Max(d.y())
	if low == high || !(float64(high/2)-float64(low/2) <= rounding/2*max(math.Abs(low), math.Abs(high))) {
		return
	}
	mean := float64(low/2) + float64(high/2)
	for i := range d {
		d[i].Y = mean
	}
}

// domain says for which samples a model is defined.
type domain int

const (
	laws        domain = iota // p >= 1, y > 0
	normalForms               // p >= 0, q >= 0
)

// average checks and averages samples. It sorts a copy, also by y, because a mean must
// not depend on the order of its terms. Means that differ only by rounding become
// equal.
func average(function, model string, samples []Sample2, need int, of domain) (points, error) {
	least := 0.0
	if of == laws {
		least = 1
	}
	for i, s := range samples {
		bad := func(name string, v float64, expected string) (points, error) {
			return nil, &DomainError{function, fmt.Sprintf("%s[%d]", name, i), v, expected}
		}
		switch {
		case !(s.P >= least) || math.IsInf(s.P, 0):
			return bad("p", s.P, fmt.Sprintf("a finite number of at least %g", least))
		case !(s.Q >= 0) || math.IsInf(s.Q, 0):
			return bad("q", s.Q, "a finite number of at least 0")
		case math.IsNaN(s.Y) || math.IsInf(s.Y, 0):
			return bad("y", s.Y, "a finite number")
		case of == laws && s.Y <= 0:
			return bad("y", s.Y, "more than 0")
		}
	}
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b Sample2) int {
		return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.Q, b.Q), cmp.Compare(a.Y, b.Y))
	})
	var d points
	for i := 0; i < len(sorted); {
		s := sorted[i]
		var repeated []float64
		for ; i < len(sorted) && sorted[i].P == s.P && sorted[i].Q == s.Q; i++ {
			repeated = append(repeated, sorted[i].Y)
		}
		d = append(d, Sample2{s.P, s.Q, stat.Mean(repeated, nil)})
	}
	if len(d) < need {
		return nil, &TooFewPointsError{model, len(d), need}
	}
	if len(d) > 0 {
		d.flatten()
	}
	return d, nil
}

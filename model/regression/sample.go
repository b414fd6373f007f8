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

// A TooFewPointsError reports that the samples do not settle a model.
type TooFewPointsError struct {
	Model string // that was asked for
	Have  int    // different p
	Need  int    // different p, at least
}

func (e *TooFewPointsError) Error() string {
	return fmt.Sprintf("regression: %s needs points of at least %d different p, have %d", e.Model, e.Need, e.Have)
}

// points are the samples in ascending order of p with repetitions averaged.
type points struct {
	p, y []float64
}

func (d points) len() int { return len(d.p) }

// without returns the points but for one.
func (d points) without(i int) points {
	return points{
		append(append(make([]float64, 0, len(d.p)-1), d.p[:i]...), d.p[i+1:]...),
		append(append(make([]float64, 0, len(d.y)-1), d.y[:i]...), d.y[i+1:]...),
	}
}

const (
	// rounding is the relative size below which a difference is taken for
	// rounding, of results that went through files with 10 digits or more.
	rounding = 1e-9
	// leastSquaresRounding is how much of the largest value least squares leave as
	// rounding at every point, however small the value there.
	leastSquaresRounding = 1e-14
)

// noise reports whether a part of a value is rounding at all points.
func (d points) noise(value, part func(p float64) float64) bool {
	most := 0.0
	for _, p := range d.p {
		most = max(most, math.Abs(value(p)))
	}
	for _, p := range d.p {
		if !(math.Abs(part(p)) <= max(rounding*math.Abs(value(p)), leastSquaresRounding*most)) {
			return false
		}
	}
	return true
}

// flatten makes points equal that are so but for rounding.
func (d points) flatten() {
	low, high := slices.Min(d.y), slices.Max(d.y)
	if low == high || !(float64(high/2)-float64(low/2) <= rounding/2*max(math.Abs(low), math.Abs(high))) {
		return
	}
	mean := float64(low/2) + float64(high/2)
	for i := range d.y {
		d.y[i] = mean
	}
}

func (d points) from(a, b int) points { return points{d.p[a:b], d.y[a:b]} }

// domain says for which samples a model is defined.
type domain int

const (
	laws        domain = iota // p >= 1, y > 0
	normalForms               // p >= 0
)

// average checks and averages samples. It sorts a copy, by y too: a mean must not
// depend on the order in which its terms came. Means that are equal but for
// rounding become equal.
func average(function, model string, samples []Sample, need int, of domain) (points, error) {
	for i, s := range samples {
		least := 0.0
		if of == laws {
			least = 1
		}
		if !(s.P >= least) || math.IsInf(s.P, 0) {
			return points{}, &DomainError{function, fmt.Sprintf("p[%d]", i), s.P,
				fmt.Sprintf("a finite number of at least %g", least)}
		}
		if math.IsNaN(s.Y) || math.IsInf(s.Y, 0) {
			return points{}, &DomainError{function, fmt.Sprintf("y[%d]", i), s.Y, "a finite number"}
		}
		if of == laws && s.Y <= 0 {
			return points{}, &DomainError{function, fmt.Sprintf("y[%d]", i), s.Y, "more than 0"}
		}
	}
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.Y, b.Y))
	})
	var d points
	for i := 0; i < len(sorted); {
		j := i
		var repeated []float64
		for ; j < len(sorted) && sorted[j].P == sorted[i].P; j++ {
			repeated = append(repeated, sorted[j].Y)
		}
		d.p = append(d.p, sorted[i].P)
		d.y = append(d.y, stat.Mean(repeated, nil))
		i = j
	}
	if d.len() < need {
		return points{}, &TooFewPointsError{model, d.len(), need}
	}
	if d.len() > 0 {
		d.flatten()
	}
	return d, nil
}

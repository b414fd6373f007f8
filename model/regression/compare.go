package regression

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Comparison holds the models of this package fitted to the same points.
type Comparison struct {
	// Fits are in the order of CrossSMAPE: first the model with the least error at
	// points that it was not fitted to. Below 1e-7 % that error is rounding, and the
	// model with the fewest parameters comes first. Models that are not Sound come
	// after all that are. By the other figures of Quality the order may be different.
	Fits []*Fit
	// Amdahl, USL and NormalForm are the same fits with their own parameters; nil where
	// the points did not determine the model.
	Amdahl     *Amdahl
	USL        *USL
	NormalForm *NormalForm
	// Segments are those of y, of times that fall those of p y; nil if there were too few points to look for them.
	Segments *Segmented
	// Left says for each model that is not among Fits why.
	Left []error
	// Warnings are about the comparison as a whole; each fit has its own.
	Warnings []string
}

// Compare fits Amdahl's law, the Universal Scalability Law and the normal form to the
// same points, all of which must have p >= 1 and y > 0, and orders them by how well
// they predict points that were left out, with laws that cannot hold at the end. A
// model for which there are too few points is omitted. If that is true for all models,
// the error is the [*TooFewPointsError] of the one that needs the fewest.
func Compare(kind Kind, samples []Sample) (*Comparison, error) {
	if _, err := averageOf("Compare", "any model", kind, samples, 1); err != nil {
		return nil, err
	}
	c := &Comparison{}
	var err error
	keep := func(fit func() *Fit) {
		if err == nil {
			c.Fits = append(c.Fits, fit())
		} else {
			c.Left = append(c.Left, err)
		}
	}
	c.NormalForm, err = FitNormalForm(samples)
	keep(func() *Fit { return c.NormalForm.Fit })
	c.Amdahl, err = FitAmdahl(kind, samples)
	keep(func() *Fit { return c.Amdahl.Fit })
	c.USL, err = FitUSL(kind, samples)
	keep(func() *Fit { return c.USL.Fit })
	if len(c.Fits) == 0 {
		return nil, fewest(c.Left)
	}
	slices.SortStableFunc(c.Fits, func(a, b *Fit) int {
		return cmp.Or(unsound(a)-unsound(b), cmp.Compare(rank(a), rank(b)),
			cmp.Compare(len(a.Parameters), len(b.Parameters)))
	})
	y, one := "y", rank(c.Fits[0])
	byP := func(a, b Sample) int { return cmp.Compare(a.P, b.P) }
	if kind == Time && slices.MaxFunc(samples, byP).Y < slices.MinFunc(samples, byP).Y {
		// No normal form falls, but the time of all processors together rises.
		y, samples = "p y", slices.Clone(samples)
		for i := range samples {
			samples[i].Y *= samples[i].P
		}
		if fit, err := FitNormalForm(samples); err == nil {
			one = min(one, rank(fit.Fit))
		}
	}
	c.Segments, err = fitSegmented(samples)
	if _, few := errors.AsType[*TooFewPointsError](err); err != nil && !few {
		return nil, err
	}
	if err == nil && c.Segments.Detected && 2*c.Segments.rank() < one { // two may be somewhat better by chance
		c.Warnings = append(c.Warnings, c.Segments.warning(y))
	}
	return c, nil
}

func unsound(f *Fit) int {
	if f.Sound {
		return 0
	}
	return 1
}

// rank orders fits; one that could not be cross-validated comes last.
func rank(f *Fit) float64 {
	switch {
	case math.IsNaN(f.Quality.CrossSMAPE):
		return math.Inf(1)
	case f.Quality.CrossSMAPE < 100*rounding:
		return 0
	}
	return f.Quality.CrossSMAPE
}

// fewest returns the error of the model that needs the fewest points, or the first
// error of another kind.
func fewest(errs []error) error {
	need := func(err error) int {
		if few, ok := errors.AsType[*TooFewPointsError](err); ok {
			return few.Need
		}
		return 0
	}
	return slices.MinFunc(errs, func(a, b error) int { return cmp.Compare(need(a), need(b)) })
}

// rank is that of the parts together, for comparison with a fit to all points; without parts it is the error from which
// on a fit does not describe the points.
func (s *Segmented) rank() float64 {
	if len(s.Parts) == 0 {
		return 100 * noticeable
	}
	sum, n := 0.0, 0
	for _, x := range s.Parts {
		sum += float64(rank(x.Fit) * float64(len(x.d)))
		n += len(x.d)
	}
	return sum / float64(n)
}

// warning tells what y is, in the words of a caller, on either side.
func (s *Segmented) warning(y string) string {
	if len(s.Parts) == 0 {
		return "one model does not describe these points: they change their behaviour near an end of their range"
	}
	a, b := s.Parts[0], s.Parts[1]
	return fmt.Sprintf("two models predict these points better than one: %s = %s for p = %.6g to %.6g, and %s = %s for p = %.6g to %.6g",
		y, a.Formula, a.Low, a.High, y, b.Formula, b.Low, b.High)
}

// Segmented says whether one normal form describes the points over their whole range
// and, if not, which two do.
type Segmented struct {
	// Detected is true if the points change their behaviour somewhere, so that a single
	// model would mislead.
	Detected bool
	// Parts are the models of the two sides, in ascending order of p; nil if no change
	// was detected, or one side has too few points for a model.
	Parts []segment
	// Worst is the largest relative residual of any five neighbouring points under
	// the model that fits them best.
	Worst float64
}

// A segment is a range of p with a model of its own.
type segment struct {
	Low, High float64 // p of the first and the last point
	*NormalForm
}

const (
	// worstResidual is the relative residual of a window, and worstRise its ratio to
	// that of the previous window, above which there is a change.
	worstResidual = 0.5
	worstRise     = 4
	// leastRise is the relative residual below which a rise does not count: residuals
	// of exact data are rounding, and one may be many times another.
	leastRise = 1e-3
	// noticeable is the relative residual above which a window is taken to contain the
	// change, once there is one.
	noticeable = 0.1
)

// fitSegmented looks for a place where the points change from one behaviour to another.
// It fits a normal form to every window of five neighbouring points; windows across the
// change fit badly. A residual above 0.5 of the mean, or of more than four times that
// of the previous window, is a change. If exactly three windows are bad, the point that
// they share belongs to both sides; otherwise the change is between two points in the
// middle of them.
//
// It needs points of 9 different p, five for either side with one in common.
//
// Source: the segmented modeler of Extra-P, [Ilyas2017]. Deviations: a side with fewer
// than three points gets no model, whereas Extra-P makes one; and a rise counts only to
// a residual of 0.001 or more, whereas for Extra-P one among rounding errors counts
// too.
func fitSegmented(samples []Sample) (*Segmented, error) {
	d, err := average("FitSegmented", "a search for segments", over(samples), 2*fewestPoints-1, normalForms)
	if err != nil {
		return nil, err
	}
	windows := len(d) - fewestPoints + 1
	residuals := make([]float64, windows)
	var bad []int
	s := &Segmented{}
	var mostRise float64
	for i := range residuals {
		residuals[i] = math.Abs(choose(leaveOneOut, d[i:i+fewestPoints]).nrss)
		s.Worst = max(s.Worst, residuals[i])
		var rise float64
		if i > 0 && residuals[i] >= leastRise {
			rise = residuals[i] / (residuals[i-1] + 1e-16)
		}
		mostRise = max(mostRise, rise)
		if residuals[i] >= noticeable || rise > worstRise {
			bad = append(bad, i)
		}
	}
	s.Detected = s.Worst > worstResidual || mostRise > worstRise
	if !s.Detected {
		return s, nil
	}
	middle := bad[len(bad)/2]
	left, right := middle+fewestPoints/2, middle+fewestPoints/2 // last and first point of the sides
	if len(bad) != fewestPoints-2 {
		left = max(middle-1, 0) + fewestPoints/2
		right = left + 1
	}
	for _, part := range []points{d[:left+1], d[right:]} {
		const fewest = 3 // two parameters and a residual
		if len(part) < fewest {
			s.Parts = nil
			break
		}
		fit, err := chosenNormalForm(leaveOneOut, part)
		if err != nil {
			return nil, err
		}
		s.Parts = append(s.Parts, segment{part[0].P, part[len(part)-1].P, fit})
	}
	return s, nil
}

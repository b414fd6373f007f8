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
	// Fits are in the order of CrossSMAPE, the best first: the model that predicts
	// points it was not fitted to with the least error. Below 1e-7 % it is rounding,
	// and the model with the fewest parameters comes first. Models that are not
	// Sound come after all that are. The other figures of Quality may order them
	// otherwise.
	Fits []*Fit
	// Amdahl, USL and NormalForm are the same fits with their own figures; nil if
	// the points did not settle one.
	Amdahl     *Amdahl
	USL        *USL
	NormalForm *NormalForm
	// Segments is nil if there were too few points to look for segments.
	Segments *Segmented
	// Left says of each model that is not among Fits why.
	Left []error
	// Warnings are about the comparison as a whole; each fit has its own.
	Warnings []string
}

// Compare fits Amdahl's law, the Universal Scalability Law and the normal form to
// the same points, all of which must have p >= 1 and y > 0, and orders them by how
// well they predict points that were left out, laws that cannot hold last. A model for
// which there are too few points is left out; the error is the [*TooFewPointsError]
// of the one that needs the fewest when that holds for all.
func Compare(kind Kind, samples []Sample) (*Comparison, error) {
	if _, err := average("Compare", "any model", samples, 1, laws); err != nil {
		return nil, err
	}
	c := &Comparison{}
	var err error
	keep := func(fit *Fit) { c.Fits = append(c.Fits, fit) }
	if c.NormalForm, err = FitNormalForm(samples); err == nil {
		keep(c.NormalForm.Fit)
	} else {
		c.Left = append(c.Left, err)
	}
	if c.Amdahl, err = FitAmdahl(kind, samples); err == nil {
		keep(c.Amdahl.Fit)
	} else {
		c.Left = append(c.Left, err)
	}
	if c.USL, err = FitUSL(kind, samples); err == nil {
		keep(c.USL.Fit)
	} else {
		c.Left = append(c.Left, err)
	}
	if len(c.Fits) == 0 {
		return nil, fewest(c.Left)
	}
	slices.SortStableFunc(c.Fits, func(a, b *Fit) int {
		return cmp.Or(unsound(a)-unsound(b), cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.Parameters), len(b.Parameters)))
	})
	var few *TooFewPointsError
	c.Segments, err = FitSegmented(samples)
	switch {
	case errors.As(err, &few):
	case err != nil:
		return nil, err
	case c.Segments.Detected:
		c.Warnings = append(c.Warnings, c.Segments.warning())
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
// error if it is of another kind.
func fewest(errs []error) error {
	best := errs[0]
	for _, err := range errs[1:] {
		var a, b *TooFewPointsError
		if errors.As(best, &a) && (!errors.As(err, &b) || b.Need < a.Need) {
			best = err
		}
	}
	return best
}

func (s *Segmented) warning() string {
	if len(s.Parts) == 0 {
		return "one model does not describe these points: they change their behaviour near an end of their range"
	}
	a, b := s.Parts[0], s.Parts[1]
	return fmt.Sprintf("no single model fits these points: y = %s for p = %.6g to %.6g, and y = %s for p = %.6g to %.6g",
		a.Formula, a.Low, a.High, b.Formula, b.Low, b.High)
}

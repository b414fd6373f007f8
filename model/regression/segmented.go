package regression

import "math"

// Segmented says whether one normal form describes points over their whole range,
// and if not, which two do.
type Segmented struct {
	// Detected is true if the points change their behaviour somewhere, so that one
	// model for all of them misleads.
	Detected bool
	// Parts are the models of either side, in ascending order of p; nil if nothing
	// was detected, or too few points are left on one side for a model.
	Parts []Segment
	// Worst is the largest relative residual of any five neighbouring points under
	// the model that fits them best.
	Worst float64
}

// A Segment is a range of p with a model of its own.
type Segment struct {
	Low, High float64 // p of the first and the last point
	*NormalForm
}

const (
	// worstResidual and worstRise are from where on the relative residual of a
	// window, and its ratio to that of the window before, speak of a change.
	worstResidual = 0.5
	worstRise     = 4
	// leastRise is the relative residual below which a rise is none: exact data
	// have residuals of rounding, any of which may be many times another.
	leastRise = 1e-3
	// noticeable is the relative residual from which on a window is taken to hold
	// the change, once there is one.
	noticeable = 0.1
)

// FitSegmented looks for a place where the points change from one behaviour to
// another. It fits a normal form to every window of five neighbouring points: those
// across the change are described badly. A residual above 0.5 of the mean, or more
// than four times that of the window before, is a change. If exactly three windows
// are bad, the point that they share belongs to both sides; otherwise the change is
// between two points in the middle of them.
//
// It needs points of 9 different p, five for either side with one in common.
//
// Source: the segmented modeler of Extra-P, [Ilyas2017]. Deviations: a side with fewer
// than three points gets no model, where Extra-P makes one; and a rise counts only
// to a residual of 0.001 or more, where for Extra-P it is a rise among rounding
// errors too.
func FitSegmented(samples []Sample) (*Segmented, error) {
	d, err := average("FitSegmented", "a search for segments", samples, 2*fewestPoints-1, normalForms)
	if err != nil {
		return nil, err
	}
	windows := d.len() - fewestPoints + 1
	residuals := make([]float64, windows)
	var bad []int
	s := &Segmented{}
	var mostRise float64
	for i := range residuals {
		residuals[i] = math.Abs(choose(leaveOneOut, d.from(i, i+fewestPoints)).nrss)
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
	for _, part := range []points{d.from(0, left+1), d.from(right, d.len())} {
		const fewest = 3 // two parameters and a residual
		if part.len() < fewest {
			s.Parts = nil
			break
		}
		fit, err := chosenNormalForm(leaveOneOut, part)
		if err != nil {
			return nil, err
		}
		s.Parts = append(s.Parts, Segment{part.p[0], part.p[part.len()-1], fit})
	}
	return s, nil
}

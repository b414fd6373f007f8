package search

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
)

// The grid of length scales, in half powers of two: from a sixteenth of the width of a
// dimension, at which neighbours of 16 have little in common, to 8 times its width, at
// which the results are almost a parabola along it.
const (
	shortest = -8 // 2^-4
	longest  = 6  // 2^3
)

// The grid of nuggets with noise, in powers of 4: from a thousandth of the standard
// deviation to as much noise as signal.
const (
	leastNoise = -10 // 4^-10
	mostNoise  = 0
)

// resolution is the least difference at which a log-likelihood counts as larger. It is far below the difference that
// distinguishes two models, about 2, and far above rounding.
const resolution = 1e-3

// Options say what is known before there are results.
type Options struct {
	Nominal []bool // dimensions whose values have no order; nil for none
	Noise   bool   // results are not reproducible, so that the nugget is estimated
}

// Fit returns the process whose length scales and nugget, taken from grids, have the largest likelihood. Starting from
// the best equal length scale for all dimensions, it changes one parameter at a time until none improves: a local
// maximum. Differences below a thousandth do not count; then the longer scale stays.
func Fit(x [][]float64, y []float64, o Options) (*Process, error) {
	f := &fitter{x: x, y: y, options: o, lengths: make([]int, len(x[0])), nugget: leastNoise}
	if slices.Min(y) == slices.Max(y) {
		// Nothing distinguishes length scales.
		f.level(-2)
		return f.process()
	}
	most := leastNoise
	if o.Noise {
		most = mostNoise
	}
	nugget := f.nugget
	for f.nugget = leastNoise; f.nugget <= most; f.nugget++ {
		for l := longest; l >= shortest; l-- {
			if f.level(l); f.try() {
				nugget = f.nugget
			}
		}
	}
	if f.best == nil {
		return nil, ErrSingular
	}
	f.lengths, f.nugget = slices.Clone(f.at), nugget
	for changed := true; changed; {
		changed = false
		for k := range f.lengths {
			changed = f.along(&f.lengths[k], shortest, longest) || changed
		}
		if o.Noise {
			changed = f.along(&f.nugget, leastNoise, mostNoise) || changed
		}
	}
	return f.best, nil
}

type fitter struct {
	x       [][]float64
	y       []float64
	options Options
	lengths []int // exponents
	nugget  int   // exponent

	best *Process
	at   []int // lengths of the best
}

func (f *fitter) level(l int) {
	for k := range f.lengths {
		f.lengths[k] = l
	}
}

// along tries all values of a parameter and leaves it at the best one.
func (f *fitter) along(parameter *int, from, to int) bool {
	before, best := f.best, *parameter
	for v := to; v >= from; v-- {
		if *parameter = v; f.try() {
			best = v
		}
	}
	*parameter = best
	return f.best != before
}

// try reports whether the parameters are better than all before.
func (f *fitter) try() bool {
	p, err := f.process()
	if err != nil || f.best != nil && p.LogLikelihood <= f.best.LogLikelihood+resolution {
		return false
	}
	f.best, f.at = p, slices.Clone(f.lengths)
	return true
}

func (f *fitter) process() (*Process, error) {
	k := Kernel{Nominal: f.options.Nominal, Lengths: each.Of(f.lengths, halfPower)}
	if f.options.Noise {
		k.Nugget = math.Ldexp(1, 2*f.nugget)
	}
	return New(f.x, f.y, k)
}

// halfPower is 2^(n/2), the same on all processors.
func halfPower(n int) float64 {
	v := math.Ldexp(1, n>>1)
	if n&1 != 0 {
		v *= math.Sqrt2
	}
	return v
}

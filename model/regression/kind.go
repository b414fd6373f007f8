package regression

import (
	"fmt"
	"math"
)

// Kind says what the y of the samples are, and so which form of a law is fitted.
//
// Whatever they are, a law is fitted to times t: those of the samples, or one over
// their throughputs or speedups. The sum of squares that is least is that of the
// relative errors,
//
//	sum over the points of (T(p)/t - 1)^2
//
// because errors of measured times are relative: a run that takes ten times as long
// is disturbed ten times as much. If the relative errors are normal and of one
// variance, this is the maximum likelihood [Tofallis2008]; least squares in y would
// look at little else than the longest times or the largest speedups. Since only
// ratios of times count, the times of some runs, their throughputs and their
// speedups give one and the same law.
type Kind int

const (
	// Time is the time of the same work on p processors, > 0.
	Time Kind = iota
	// Throughput is work per time on p processors, > 0.
	Throughput
	// Speedup is Throughput over that measured on one processor, > 0.
	Speedup
)

// times returns the points as times.
func (k Kind) times(d points) points {
	if k == Time {
		return d
	}
	t := points{d.p, make([]float64, d.len())}
	for i, y := range d.y {
		t.y[i] = 1 / y
	}
	return t
}

// ofTime returns the y of a time.
func (k Kind) ofTime(t float64) float64 {
	if k == Time {
		return t
	}
	return 1 / t
}

// miss returns the relative error of the time where a law has value for y, and its
// derivative by value.
func (k Kind) miss(value, y float64) (miss, slope float64) {
	if k == Time {
		return value/y - 1, 1 / y
	}
	return y/value - 1, -y / (value * value)
}

// exactSingle takes a fitted speedup of one processor for 1 if the rest is rounding.
func (k Kind) exactSingle(single *float64) {
	if k == Speedup && math.Abs(*single-1) <= rounding {
		*single = 1
	}
}

// factor writes the y of one processor before a p; nothing for a speedup of 1.
func (k Kind) factor(single float64) string {
	if k == Speedup && single == 1 {
		return ""
	}
	return fmt.Sprintf("%.6g ", single)
}

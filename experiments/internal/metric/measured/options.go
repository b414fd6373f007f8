package measured

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// An Average says how the repetitions of a point become one time.
type Average string

// Averages of the times of a point.
const (
	AverageMean   Average = "mean"
	AverageMedian Average = "median"
	AverageMin    Average = "min"
)

// of averages values; the average of none is 0.
func (how Average) of(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	switch {
	case n == 0:
		return 0
	case how == AverageMin:
		return sorted[0]
	case how == AverageMedian:
		return sorted[(n-1)/2]/2 + sorted[n/2]/2
	}
	sum := each.Total(sorted)
	// Rounding must not move the mean of equal values away from them.
	return min(max(sum/float64(n), sorted[0]), sorted[n-1])
}

// A Baseline says what speed-ups are relative to.
type Baseline string

const (
	// BaselineOne is the time on one process or of a sequential program.
	BaselineOne Baseline = "one"
	// BaselineSmallest is, for sizes without such a time, the time on the smallest number of processes measured.
	BaselineSmallest Baseline = "smallest"
)

// Options are the user's choices for [Compute]. [DefaultOptions] returns the usual ones.
type Options struct {
	// Efficiency is the value, above 0, that metrics hold if they hold an efficiency; 0 lets the measurements choose
	// it.
	Efficiency float64
	// Tolerance is the relative difference up to which two measured efficiencies
	// count as equal where no trend line can be drawn.
	Tolerance float64
	// Degree is that of the trend line, 1 to 9; lower if there are too few sizes.
	Degree  int
	Average Average
	// Baseline is what speed-ups are relative to.
	Baseline Baseline
	// ResponseTarget is the time at which a run has half its value, for productivity; 0: every run has the value 1.
	ResponseTarget units.Seconds
}

// DefaultOptions returns a tolerance of 2 %, trend lines of degree 3 as in studies, means, and speed-ups against one
// process.
func DefaultOptions() Options {
	return Options{Tolerance: 0.02, Degree: 3, Average: AverageMean, Baseline: BaselineOne}
}

func (o Options) check() error {
	switch {
	case !(o.Efficiency >= 0 && o.Efficiency <= measurements.MostQuantity):
		return input.Errorf("--efficiency %g; expected an efficiency above 0", o.Efficiency)
	case !(o.Tolerance >= 0 && o.Tolerance < 1):
		return input.Errorf("--tolerance %g; expected a relative difference of at least 0 and below 1, such as 0.02", o.Tolerance)
	case o.Degree < 1 || o.Degree > 9:
		return input.Errorf("--degree %d; expected the degree of a polynomial, 1 to 9", o.Degree)
	case !slices.Contains([]Average{AverageMean, AverageMedian, AverageMin}, o.Average):
		return input.Errorf("--average %q; expected mean, median or min", o.Average)
	case o.Baseline != BaselineOne && o.Baseline != BaselineSmallest:
		return input.Errorf("--baseline %q; expected one or smallest", o.Baseline)
	case !(o.ResponseTarget >= 0 && o.ResponseTarget <= measurements.MostQuantity):
		return input.Errorf("--response-target %v; expected a time above 0", o.ResponseTarget)
	}
	return nil
}

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

// of averages values; that of none is 0.
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
	// Rounding must not put the mean of equal values beside them.
	return min(max(sum/float64(n), sorted[0]), sorted[n-1])
}

// A Baseline says what speed-ups are relative to.
type Baseline string

const (
	// BaselineOne is the time on one process or of a sequential program.
	BaselineOne Baseline = "one"
	// BaselineSmallest is, for sizes without such a time, the time on the smallest
	// number of processes that was measured.
	BaselineSmallest Baseline = "smallest"
)

// Options are the choices of a user of [Compute]. [DefaultOptions]
// has the usual ones.
type Options struct {
	// Efficiency is what the metrics that hold an efficiency hold, above 0; 0 lets
	// the measurements choose it.
	Efficiency float64
	// Tolerance is the relative difference up to which two measured efficiencies
	// count as equal where no trend line can be drawn.
	Tolerance float64
	// Degree is that of the trend line, 1 to 9; less where there are too few sizes.
	Degree  int
	Average Average
	// Baseline is what speed-ups are relative to.
	Baseline Baseline
	// ResponseTarget is the time at which a run is worth half, for productivity; 0:
	// every run is worth 1.
	ResponseTarget units.Seconds
}

// DefaultOptions returns a tolerance of 2 %, trend lines of degree 3 as in
// studies, means, speed-ups against one process, and nothing else.
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

package measured

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// fromTimes says how a metric is computed of measured times: of each point, or of
// steps between systems that hold something, or, with says, of the result as a whole.
type fromTimes struct {
	needs string // what the file must have
	point *pointValue
	hold  *held
	says  func(*Result) string // a sentence; "" if it could not be computed; nil: the usual one
}

// pointValue is a metric that has a value at each point.
type pointValue struct {
	key    string                  // in JSON, with the unit
	of     func(at place) *float64 // nil if something is missing
	format func(v float64) string  // as in tables and sentences
	phrase string                  // what the sentence says after the values
}

// A place is a point with all that is known around it.
type place struct {
	result *Result
	system *System
	point  *Point
}

// What several metrics need of a file.
const (
	needsSequential = "for every size a row with processes = 1 or sequential = yes, and runs on more than one process"
	needsBaseline   = needsSequential + "; or --baseline smallest"
	needsReference  = "column reference_time, also for one process"
)

// PointMetrics lists the metrics with a value at each point.
func PointMetrics() []*Metric {
	var all []*Metric
	for _, m := range Metrics() {
		if m.times != nil && m.times.point != nil {
			all = append(all, m)
		}
	}
	return all
}

// Format writes a value that the metric has at a point.
func (m *Metric) Format(v float64) string { return m.times.point.format(v) }

// computeValues computes all metrics of all points. A metric may use those before it.
func (r *Result) computeValues() {
	metrics := PointMetrics()
	compute := func(s *System, p *Point) {
		for _, m := range metrics {
			if v := m.times.point.of(place{r, s, p}); v != nil {
				if p.values == nil {
					p.values = make(map[string]float64)
				}
				p.values[m.Name] = *v
			}
		}
	}
	for s, p := range r.Points() {
		compute(s, p)
	}
	for i := range r.Baselines {
		compute(&System{System: r.Baselines[i].System, Processes: 1}, &r.Baselines[i])
	}
}

// valueOf returns a function for the value of a metric at a point.
func valueOf(metric string) func(*System, *Point) *float64 {
	return func(_ *System, p *Point) *float64 { return p.Value(metric) }
}

// inParallel returns the same for runs on more processes than the baseline.
func inParallel(metric string) func(*System, *Point) *float64 {
	return func(s *System, p *Point) *float64 {
		if !p.parallel(s) {
			return nil
		}
		return p.Value(metric)
	}
}

// defined drops a number that a formula does not have.
func defined[T ~float64](v T, err error) *float64 {
	if err != nil {
		return nil
	}
	f := float64(v)
	return &f
}

// value of a number that may be missing; 0 if it is.
func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

func threeDecimals(v float64) string { return fmt.Sprintf("%.3f", v) }
func threeDigits(v float64) string   { return fmt.Sprintf("%.3g", v) }
func fourDigits(v float64) string    { return fmt.Sprintf("%.4g", v) }

func timeText(seconds float64) string { return input.Rounded(seconds).String() }

// speedText writes a speed with four digits, if it has a size that suits them.
func speedText(v float64) string {
	if math.Abs(v) >= 1e-3 && v < 1e21 {
		scale := math.Pow(10, 3-math.Floor(math.Log10(v)))
		v = math.Round(v*scale) / scale
	}
	return units.FlopsPerSecond(v).String()
}

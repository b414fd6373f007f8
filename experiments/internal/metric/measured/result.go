package measured

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// Result is what the metrics say about measured times; its JSON form is a contract (docs/formats/measurements.md).
// Quantities are above 0, so 0 means unknown, as in [measurements.Row].
type Result struct {
	Systems    []System           `json:"systems"`
	Baselines  []Point            `json:"sequential,omitempty"` // times of sequential programs
	Scaling    []Scaling          `json:"scaling"`
	Fits       []Fit              `json:"fits"`
	Models     []laws.Performance `json:"models"`
	Energies   []EnergyFit        `json:"energies,omitempty"` // with the column energy
	Metrics    []Summary          `json:"metrics"`
	Currency   string             `json:"currency,omitempty"`
	Notes      []string           `json:"notes"`
	Warnings   []string           `json:"warnings"`
	Provenance input.Provenance   `json:"provenance"`

	// For texts of the result:
	Options Options `json:"-"`
	File    string  `json:"-"` // of the measurements
	HasN    bool    `json:"-"` // sizes are of n; otherwise of work

	oneSize map[string]bool // metrics without steps, because no system has two sizes

	deviation float64        // of a run, relative to its point's average
	misses    bool           // points deviate from a trend line by more than runs explain
	chance    func() float64 // of a draw for intervals; otherwise nil
}

// System is a named system with a number of processes, and its points by size.
type System struct {
	System          string  `json:"system"`
	Processes       int     `json:"processes"`
	Label           string  `json:"label"`                        // distinguishes it from all others
	MarkedSpeed     float64 `json:"marked_speed_flops,omitempty"` // C
	ReferenceTime   float64 `json:"reference_time_s,omitempty"`
	ReferenceFactor float64 `json:"reference_factor,omitempty"` // rf
	Points          []Point `json:"points"`
}

// Point is one problem size on one system.
type Point struct {
	System         string    `json:"system,omitempty"` // only for a sequential program
	N              float64   `json:"n,omitempty"`
	Work           float64   `json:"work_flop,omitempty"`
	Runs           int       `json:"runs"`
	Time           float64   `json:"time_s"` // averaged over the runs
	Min            float64   `json:"min_s"`
	Max            float64   `json:"max_s"`
	Times          []float64 `json:"times_s,omitempty"` // of several runs, ascending
	SequentialTime float64   `json:"sequential_time_s,omitempty"`
	// Relative is the number of processes that speed-up, efficiency, serial fraction and overhead are relative to, if
	// it is not one.
	Relative int     `json:"relative_to_processes,omitempty"`
	Power    float64 `json:"power_flops,omitempty"`
	Cost     float64 `json:"cost,omitempty"`     // of one run
	Energy   float64 `json:"energy_j,omitempty"` // of one run

	Size float64 `json:"-"` // n, or the work where there is no n, or 0

	baseline baseline
	values   map[string]float64 // of metrics, by name
}

// Value returns the value of a metric at the point; NaN if it could not be computed.
func (p *Point) Value(metric string) float64 {
	if v, ok := p.values[metric]; ok {
		return v
	}
	return math.NaN()
}

// MarshalJSON writes the metrics after the fields.
func (p Point) MarshalJSON() ([]byte, error) {
	type fields Point
	out, err := json.Marshal(fields(p))
	if err != nil {
		return nil, err
	}
	out = bytes.TrimSuffix(out, []byte("}"))
	for _, m := range pointMetrics() {
		v, ok := p.values[m.Name]
		if !ok {
			continue
		}
		number, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, ",%q:%s", m.Key, number)
	}
	return append(out, '}'), nil
}

// byName groups the systems by name, with all their numbers of processes.
func (r *Result) byName() (all [][]System) {
	for i := range r.Systems {
		if i == 0 || r.Systems[i-1].System != r.Systems[i].System {
			all = append(all, r.Systems[i:i])
		}
		last := &all[len(all)-1]
		*last = (*last)[:len(*last)+1]
	}
	return all
}

// A place is a point with everything known around it.
type place struct {
	result *Result
	system *System
	point  *Point
}

// places returns all points in order.
func (r *Result) places() (all []place) {
	for i := range r.Systems {
		s := &r.Systems[i]
		for k := range s.Points {
			all = append(all, place{r, s, &s.Points[k]})
		}
	}
	return all
}

// name distinguishes a point from all others; with stands between its system and its size.
func (at place) name(with string) string {
	if at.point.Size == 0 {
		return at.system.Label
	}
	return at.system.Label + with + at.result.sizeName(at.point.Size)
}

// spread returns how far apart the runs are, relative to their average.
func (p *Point) spread() float64 { return (p.Max - p.Min) / p.Time }

// sizeName names a size: n or, where there is no n, work.
func (r *Result) sizeName(size float64) string {
	switch {
	case size == 0:
		return "the size measured"
	case r.HasN:
		return "n = " + input.Number(size)
	}
	return units.Flops(size).String()
}

// warn adds a warning unless it is there already.
func (r *Result) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

// Compute computes all metrics for which the measurements have what is needed, and says for the others what is missing.
func Compute(m *measurements.Table, o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	stop := input.Stopwatch("metrics", m.Inputs, nil, 0)
	r := &Result{
		Scaling: []Scaling{}, Fits: []Fit{}, Models: []laws.Performance{}, Notes: []string{}, Warnings: []string{},
		Currency: m.Currency, Options: o, File: m.File, HasN: m.Has(measurements.ColN),
		oneSize: make(map[string]bool),
	}
	r.Notes = append(r.Notes, m.Notes...)
	groups, err := m.Runs()
	if err != nil {
		return nil, err
	}
	r.addPoints(groups, m)
	r.nameSystems()
	r.findReferenceFactors(groups)
	r.findBaselines()
	r.computeValues()
	freedom := 0
	r.deviation, freedom = r.noise()
	r.scale()
	r.findIntervals(freedom)
	r.fit()
	r.Metrics = r.summaries()
	stop(&r.Provenance)
	return r, nil
}

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

package measured

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// An Average says how the repetitions of a point become one time.
type Average string

const (
	AverageMean   Average = "mean"
	AverageMedian Average = "median"
	AverageMin    Average = "min"
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
	// ResponseTarget is the time at which a run is worth half, for productivity; 0:
	// every run is worth 1.
	ResponseTarget units.Seconds
}

// DefaultOptions returns a tolerance of 2 %, trend lines of degree 3 as in
// studies, means, and nothing else.
func DefaultOptions() Options {
	return Options{Tolerance: 0.02, Degree: 3, Average: AverageMean}
}

func (o Options) check() error {
	switch {
	case !(o.Efficiency >= 0 && o.Efficiency <= mostQuantity):
		return input.Errorf("--efficiency %g; expected an efficiency above 0", o.Efficiency)
	case !(o.Tolerance >= 0 && o.Tolerance < 1):
		return input.Errorf("--tolerance %g; expected a relative difference of at least 0 and below 1, such as 0.02", o.Tolerance)
	case o.Degree < 1 || o.Degree > 9:
		return input.Errorf("--degree %d; expected the degree of a polynomial, 1 to 9", o.Degree)
	case !slices.Contains([]Average{AverageMean, AverageMedian, AverageMin}, o.Average):
		return input.Errorf("--average %q; expected mean, median or min", o.Average)
	case !(o.ResponseTarget >= 0 && o.ResponseTarget <= mostQuantity):
		return input.Errorf("--response-target %v; expected a time above 0", o.ResponseTarget)
	}
	return nil
}

// Result is what the metrics say of measured times; its JSON form is a
// contract (docs/formats/measurements.md). What could not be computed is nil.
type Result struct {
	Systems    []System         `json:"systems"`
	Baselines  []Point          `json:"sequential,omitempty"` // times of sequential programs
	Scaling    []Scaling        `json:"scaling"`
	Fits       []Fit            `json:"fits"`
	Metrics    []Summary        `json:"metrics"`
	Currency   string           `json:"currency,omitempty"`
	Notes      []string         `json:"notes"`
	Warnings   []string         `json:"warnings"`
	Provenance input.Provenance `json:"provenance"`

	options Options
	file    string
	hasN    bool
	warned  map[string]bool
	spreads int // points with a large spread
}

// System is a number of processes of a named system, with its points by
// size.
type System struct {
	System          string   `json:"system"`
	Processes       int      `json:"processes"`
	Label           string   `json:"label"`                        // tells it from all others
	MarkedSpeed     *float64 `json:"marked_speed_flops,omitempty"` // C
	ReferenceTime   *float64 `json:"reference_time_s,omitempty"`
	ReferenceFactor *float64 `json:"reference_factor,omitempty"` // rf
	Points          []Point  `json:"points"`
}

// Point is one problem size on one system.
type Point struct {
	System string   `json:"system,omitempty"` // of a sequential program only
	N      *float64 `json:"n,omitempty"`
	Work   *float64 `json:"work_flop,omitempty"`
	Runs   int      `json:"runs"`
	Time   float64  `json:"time_s"` // averaged over the runs
	Min    float64  `json:"min_s"`
	Max    float64  `json:"max_s"`

	SequentialTime          *float64 `json:"sequential_time_s,omitempty"`
	Speedup                 *float64 `json:"speedup,omitempty"`
	Efficiency              *float64 `json:"efficiency,omitempty"`
	KarpFlatt               *float64 `json:"karp_flatt,omitempty"`
	TotalOverhead           *float64 `json:"total_overhead_s,omitempty"`
	AchievedSpeed           *float64 `json:"achieved_speed_flops,omitempty"`
	SpeedEfficiency         *float64 `json:"speed_efficiency,omitempty"`
	Power                   *float64 `json:"power_flops,omitempty"`
	HeterogeneousEfficiency *float64 `json:"heterogeneous_efficiency,omitempty"`
	ExtendedEfficiency      *float64 `json:"extended_efficiency,omitempty"`
	Cost                    *float64 `json:"cost,omitempty"`         // of one run
	Productivity            *float64 `json:"productivity,omitempty"` // value for one unit of the currency

	size float64 // n, or the work where there is no n, or 0
}

// spread is how far the runs are apart, relative to their average.
func (p *Point) spread() float64 { return (p.Max - p.Min) / p.Time }

// largeSpread is what a reader should know of: differences between systems of that
// order mean nothing then.
const largeSpread = 0.1

// mostSpreads is how many points with a large spread are named.
const mostSpreads = 10

// Compute computes all metrics for which the measurements have what is needed, and
// says what is missing for the others.
func Compute(m *Measurements, o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	stop := input.Stopwatch("metrics", m.inputs, nil, 0)
	r := &Result{
		Scaling: []Scaling{}, Fits: []Fit{}, Notes: []string{}, Warnings: []string{},
		Currency: m.currency, options: o, file: m.file, hasN: m.has[colN], warned: make(map[string]bool),
	}
	r.Notes = append(r.Notes, m.notes...)
	groups, err := groupRuns(m)
	if err != nil {
		return nil, err
	}
	r.buildSystems(groups, m)
	if more := r.spreads - mostSpreads; more > 0 {
		r.warn("%s more with runs that are over %g %% apart", input.Plural(more, "point"), 100*largeSpread)
	}
	r.relateToSequential()
	r.scale()
	r.fit()
	r.Metrics = r.summaries()
	stop(&r.Provenance)
	return r, nil
}

// buildSystems averages repetitions and computes what a point needs no other for.
func (r *Result) buildSystems(groups []runs, m *Measurements) {
	processes := make(map[string]int) // of a system, how many numbers of them
	type config struct {
		system    string
		processes int
	}
	counted := make(map[config]bool)
	reference := make(map[config][]float64)
	for _, g := range groups {
		c := config{g.key.system, g.key.processes}
		if !g.key.sequential && !counted[c] {
			counted[c] = true
			processes[c.system]++
		}
		for _, row := range g.rows {
			if t := row.quantity[colReferenceTime]; t > 0 {
				reference[c] = append(reference[c], t)
			}
		}
	}
	for _, g := range groups {
		p := r.point(g, m)
		if g.key.sequential {
			p.System = g.key.system
			r.Baselines = append(r.Baselines, p)
			continue
		}
		last := len(r.Systems) - 1
		if last < 0 || r.Systems[last].System != g.key.system || r.Systems[last].Processes != g.key.processes {
			s := System{System: g.key.system, Processes: g.key.processes, Label: g.key.system}
			if processes[g.key.system] > 1 || g.key.system == "" {
				s.Label = fmt.Sprintf("p=%d", g.key.processes)
				if g.key.system != "" {
					s.Label = g.key.system + " " + s.Label
				}
			}
			r.Systems = append(r.Systems, s)
			last++
		}
		s := &r.Systems[last]
		for _, row := range g.rows {
			if c := row.quantity[colMarkedSpeed]; c > 0 {
				s.MarkedSpeed = &c
			}
		}
		s.Points = append(s.Points, p)
	}
	for i := range r.Systems {
		s := &r.Systems[i]
		c := config{s.System, s.Processes}
		if len(reference[c]) == 0 {
			continue
		}
		set := average(AverageMean, reference[c])
		s.ReferenceTime = &set
		alone := reference[config{s.System, 1}]
		if len(alone) == 0 {
			alone = reference[config{"", 1}]
		}
		if len(alone) > 0 {
			s.ReferenceFactor = defined(scalability.ReferenceFactor(s.Processes, units.Seconds(average(AverageMean, alone)), units.Seconds(set)))
		}
	}
	for i := range r.Systems {
		s := &r.Systems[i]
		for k := range s.Points {
			s.Points[k].speeds(s.MarkedSpeed)
		}
	}
}

// point averages the runs of a point.
func (r *Result) point(g runs, m *Measurements) Point {
	p := Point{Runs: len(g.rows), size: g.key.size}
	var times, costs []float64
	for _, row := range g.rows {
		times = append(times, row.quantity[colTime])
		if c := row.quantity[colCost]; c > 0 {
			if m.costRate {
				c *= row.quantity[colTime]
			}
			costs = append(costs, c)
		}
	}
	p.Time, p.Min, p.Max = average(r.options.Average, times), slices.Min(times), slices.Max(times)
	given := func(c column) *float64 {
		if v := g.rows[0].quantity[c]; v > 0 {
			return &v
		}
		return nil
	}
	p.N, p.Work, p.Power = given(colN), given(colWork), given(colPower)
	if len(costs) > 0 {
		c := average(r.options.Average, costs)
		p.Cost = &c
		if s, ok := r.service(&p); ok {
			p.Productivity = defined(s.Productivity())
		}
	}
	if p.spread() > largeSpread {
		r.spreads++
	}
	if p.spread() > largeSpread && r.spreads <= mostSpreads {
		r.warn("%s: the %d runs are from %v to %v, %.0f %% of their %s apart: what differs by less than that is noise",
			r.placeName(g.key), p.Runs, input.Rounded(p.Min), input.Rounded(p.Max), 100*p.spread(), r.options.Average)
	}
	return p
}

// placeName names a point in a message.
func (r *Result) placeName(k pointKey) string {
	s := k.system
	if s != "" {
		s += ", "
	}
	if k.sequential {
		s += "sequential"
	} else {
		s += input.ProcessCount(k.processes)
	}
	if k.size > 0 {
		s += ", " + r.sizeName(k.size)
	}
	return s
}

// sizeName names a size: of n, or of work where there is no n.
func (r *Result) sizeName(size float64) string {
	switch {
	case size == 0:
		return "the size measured"
	case r.hasN:
		return "n = " + input.Number(size)
	}
	return units.Flops(size).String()
}

// warn adds a warning, once.
func (r *Result) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !r.warned[text] {
		r.warned[text] = true
		r.Warnings = append(r.Warnings, text)
	}
}

// service is a run of a point as what productivity looks at.
func (r *Result) service(p *Point) (scalability.Service, bool) {
	if p.Cost == nil {
		return scalability.Service{}, false
	}
	s := scalability.Service{Responses: 1, Value: 1, Cost: units.Money{Amount: *p.Cost, Currency: r.Currency}}
	if r.options.ResponseTarget > 0 {
		v, err := scalability.ResponseValue(units.Seconds(p.Time), r.options.ResponseTarget)
		if err != nil {
			return s, false
		}
		s.Value = v
	}
	return s, true
}

// speeds computes what needs work.
func (p *Point) speeds(marked *float64) {
	if p.Work == nil {
		return
	}
	w, t := units.Flops(*p.Work), units.Seconds(p.Time)
	p.AchievedSpeed = defined(scalability.AchievedSpeed(w, t))
	if marked != nil {
		p.SpeedEfficiency = defined(scalability.SpeedEfficiency(w, t, units.FlopsPerSecond(*marked)))
	}
	if p.Power != nil {
		p.HeterogeneousEfficiency = defined(scalability.HeterogeneousEfficiency(w, t, units.FlopsPerSecond(*p.Power)))
	}
}

// relateToSequential computes what needs a sequential time of the same size. The
// sequential program of a system goes before one of no named system, and that
// before the parallel program on one process.
func (r *Result) relateToSequential() {
	type key struct {
		system string
		size   float64
	}
	own := make(map[key]float64)
	parallel := make(map[key]float64)
	for _, b := range r.Baselines {
		own[key{b.System, b.size}] = b.Time
	}
	for _, s := range r.Systems {
		if s.Processes == 1 {
			for _, p := range s.Points {
				parallel[key{s.System, p.size}] = p.Time
			}
		}
	}
	for i := range r.Systems {
		s := &r.Systems[i]
		for k := range s.Points {
			p := &s.Points[k]
			t, ok := own[key{s.System, p.size}]
			if !ok {
				t, ok = own[key{"", p.size}]
			}
			if !ok {
				t, ok = parallel[key{s.System, p.size}]
			}
			if ok {
				p.SequentialTime = &t
				p.speedup(s)
			}
		}
	}
}

func (p *Point) speedup(s *System) {
	t1, tp := units.Seconds(*p.SequentialTime), units.Seconds(p.Time)
	p.Speedup = defined(scalability.Speedup(t1, tp))
	p.TotalOverhead = defined(scalability.TotalOverhead(s.Processes, tp, t1))
	if p.Speedup == nil {
		return
	}
	p.Efficiency = defined(scalability.Efficiency(*p.Speedup, s.Processes))
	if s.Processes > 1 {
		p.KarpFlatt = defined(scalability.KarpFlatt(*p.Speedup, s.Processes))
	}
	if s.ReferenceFactor != nil {
		p.ExtendedEfficiency = defined(scalability.ExtendedEfficiency(t1, *s.ReferenceFactor, tp))
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

// average of at least one value.
func average(how Average, values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	switch how {
	case AverageMin:
		return sorted[0]
	case AverageMedian:
		return sorted[(n-1)/2]/2 + sorted[n/2]/2
	}
	sum := 0.0
	for _, v := range sorted {
		sum += v
	}
	// Rounding must not put the mean of equal values beside them.
	return min(max(sum/float64(n), sorted[0]), sorted[n-1])
}

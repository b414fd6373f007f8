package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// computation is how a metric follows from measured times: at each point, or of steps
// between systems that hold something, or, with says, from the result as a whole.
type computation struct {
	name string // of the metric

	of     func(at place) *float64 // at a point; nil if something is missing
	format func(v float64) string  // as in tables and sentences

	says func(*Result) string // a sentence; "" if it could not be computed; nil: the usual one

	value    func(at place) *float64                   // what is held
	capacity func(*System) float64                     // that it goes with
	psi      func(from, to operation) (float64, error) // nil: the metric has none
}

// A place is a point with all that is known around it.
type place struct {
	result *Result
	system *System
	point  *Point
}

// computations has the metrics for which times suffice. Those of points are computed in
// the order of the documentation, and may use what comes before them.
var computations = []computation{
	{name: "speedup", of: speedup, format: fourDigits, says: most("speedup", "The largest speedup is %s (%s).", fourDigits)},
	{name: "efficiency", of: efficiency, format: threeDecimals, says: efficiencyRange},
	{name: "karp_flatt", of: karpFlatt, format: threeDigits, says: karpFlattTrend},
	{name: "amdahl", says: func(r *Result) string { return r.fitsSay("amdahl") }},
	{name: "gustafson", says: func(r *Result) string { return r.fitsSay("gustafson") }},
	{
		name: "total_overhead", of: totalOverhead, format: timeText,
		says: most("total_overhead", "At most %s of process time is not useful work (%s).", timeText),
	},
	{name: "isoefficiency", value: absoluteEfficiency, capacity: processes},
	{name: "achieved_speed", of: achievedSpeed, format: speedText},
	{name: "isospeed", value: speedEach, capacity: processes, psi: func(a, b operation) (float64, error) {
		return scalability.Isospeed(a.system.Processes, a.flops(), b.system.Processes, b.flops())
	}},
	{name: "speed_efficiency", of: speedEfficiency, format: threeDecimals},
	{
		name:     "isospeed_efficiency",
		value:    valueOf("speed_efficiency"),
		capacity: func(s *System) float64 { return value(s.MarkedSpeed) },
		psi: func(a, b operation) (float64, error) {
			return scalability.IsospeedEfficiency(
				scalability.Point{MarkedSpeed: units.FlopsPerSecond(a.capacity), Work: a.flops()},
				scalability.Point{MarkedSpeed: units.FlopsPerSecond(b.capacity), Work: b.flops()})
		},
	},
	{name: "heterogeneous_efficiency", of: heterogeneousEfficiency, format: threeDecimals},
	{name: "h_isoefficiency", value: valueOf("heterogeneous_efficiency"), capacity: firstPower},
	{name: "extended_efficiency", of: extendedEfficiency, format: threeDecimals},
	{
		name: "extended_isospeed", value: extendedSpeed, capacity: referenceFactor,
		psi: func(a, b operation) (float64, error) {
			return scalability.ExtendedIsospeed(a.capacity, a.flops(), b.capacity, b.flops())
		},
	},
	{name: "extended_isoefficiency", value: valueOf("extended_efficiency"), capacity: referenceFactor},
	{name: "productivity", of: productivity, format: fourDigits, says: bestForTheMoney},
}

// computeValues computes all metrics of all points.
func (r *Result) computeValues() {
	compute := func(s *System, p *Point) {
		for _, m := range pointMetrics() {
			if v := m.of(place{r, s, p}); v != nil {
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
func valueOf(metric string) func(place) *float64 {
	return func(at place) *float64 { return at.point.Value(metric) }
}

// inParallel returns the same for runs on more processes than the baseline.
func inParallel(metric string) func(place) *float64 {
	return func(at place) *float64 {
		if !at.parallel() {
			return nil
		}
		return at.point.Value(metric)
	}
}

// defined drops a number that a formula does not have.
func defined[T ~float64](v T, err error) *float64 {
	if err != nil {
		return nil
	}
	return new(float64(v))
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

func speedup(at place) *float64 {
	b := at.point.baseline
	if b == nil {
		return nil
	}
	return defined(scalability.Speedup(units.Seconds(b.time), at.time()))
}

func efficiency(at place) *float64 {
	s := at.point.Value("speedup")
	if s == nil {
		return nil
	}
	if b := at.point.baseline; b.processes > 1 {
		return new(*s / b.ratio(at.system)) // of groups of so many processes
	}
	return defined(scalability.Efficiency(*s, at.system.Processes))
}

// absoluteEfficiency is that against one process: efficiencies of two sizes that are
// relative to more processes cannot be equal in a meaningful way.
func absoluteEfficiency(at place) *float64 {
	if at.point.Relative != nil {
		return nil
	}
	return at.point.Value("efficiency")
}

func karpFlatt(at place) *float64 {
	s := at.point.Value("speedup")
	if s == nil || !at.parallel() {
		return nil
	}
	if b := at.point.baseline; b.processes > 1 {
		// The formula for p/p0 processors, which need not be a whole number.
		q := b.ratio(at.system)
		return new((1 / *s - 1/q) / (1 - 1/q))
	}
	return defined(scalability.KarpFlatt(*s, at.system.Processes))
}

func totalOverhead(at place) *float64 {
	b := at.point.baseline
	if b == nil {
		return nil
	}
	useful := units.Seconds(float64(b.processes) * b.time)
	return defined(scalability.TotalOverhead(at.system.Processes, at.time(), useful))
}

func processes(s *System) float64 { return float64(s.Processes) }

func achievedSpeed(at place) *float64 {
	if at.point.Work == nil {
		return nil
	}
	return defined(scalability.AchievedSpeed(at.work(), at.time()))
}

func speedEach(at place) *float64 {
	v := at.point.Value("achieved_speed")
	if v != nil {
		*v /= float64(at.system.Processes)
	}
	return v
}

func speedEfficiency(at place) *float64 {
	if at.point.Work == nil || at.system.MarkedSpeed == nil {
		return nil
	}
	return defined(scalability.SpeedEfficiency(at.work(), at.time(), units.FlopsPerSecond(*at.system.MarkedSpeed)))
}

func heterogeneousEfficiency(at place) *float64 {
	if at.point.Work == nil || at.point.Power == nil {
		return nil
	}
	return defined(scalability.HeterogeneousEfficiency(at.work(), at.time(), units.FlopsPerSecond(*at.point.Power)))
}

// firstPower is the power at the smallest size that has one: it orders systems.
func firstPower(s *System) float64 {
	for _, p := range s.Points {
		if p.Power != nil {
			return *p.Power
		}
	}
	return 0
}

func referenceFactor(s *System) float64 { return value(s.ReferenceFactor) }

func extendedEfficiency(at place) *float64 {
	if at.point.SequentialTime == nil || at.system.ReferenceFactor == nil {
		return nil
	}
	alone := units.Seconds(*at.point.SequentialTime)
	return defined(scalability.ExtendedEfficiency(alone, *at.system.ReferenceFactor, at.time()))
}

func extendedSpeed(at place) *float64 {
	if at.point.Work == nil || at.system.ReferenceFactor == nil {
		return nil
	}
	return defined(scalability.ExtendedSpeed(at.work(), *at.system.ReferenceFactor, at.time()))
}

func productivity(at place) *float64 {
	s, ok := at.result.service(at.point)
	if !ok {
		return nil
	}
	return defined(s.Productivity())
}

// service is a run of a point as productivity sees it.
func (r *Result) service(p *Point) (scalability.Service, bool) {
	if p.Cost == nil {
		return scalability.Service{}, false
	}
	s := scalability.Service{Responses: 1, Value: 1, Cost: units.Money{Amount: *p.Cost, Currency: r.Currency}}
	if r.Options.ResponseTarget > 0 {
		v, err := scalability.ResponseValue(units.Seconds(p.Time), r.Options.ResponseTarget)
		if err != nil {
			return s, false
		}
		s.Value = v
	}
	return s, true
}

// time and work are those of the point, which must have a work.
func (at place) time() units.Seconds { return units.Seconds(at.point.Time) }
func (at place) work() units.Flops   { return units.Flops(*at.point.Work) }

// parallel reports whether the point is on more processes than its baseline.
func (at place) parallel() bool {
	if b := at.point.baseline; b != nil {
		return at.system.Processes > b.processes
	}
	return at.system.Processes > 1
}

// most names the largest value of a metric on more than one process in a sentence.
func most(metric, sentence string, show func(float64) string) func(*Result) string {
	return func(r *Result) string {
		e, ok := r.extremes(inParallel(metric))
		if !ok {
			return ""
		}
		return fmt.Sprintf(sentence, show(e.high), e.atHigh)
	}
}

// efficiencyRange names the smallest and the largest efficiency on more than one
// process.
func efficiencyRange(r *Result) string {
	e, ok := r.extremes(inParallel("efficiency"))
	if !ok {
		return ""
	}
	says := e.span(threeDecimals) + "."
	if e.high > 1.02 {
		says += " Above 1: the parts fit into caches that the whole does not fit into, or the sequential time is too long."
	}
	return says
}

// karpFlattTrend tells how e changes with p, for the system and size where it ends
// largest.
func karpFlattTrend(r *Result) string {
	type trend struct {
		problem
		first, last float64
		p, q        int // of first and last
	}
	trends := make(map[problem]*trend)
	var order []*trend
	for s, p := range r.Points() {
		e := p.Value("karp_flatt")
		if e == nil {
			continue
		}
		k := problem{s.System, p.Size}
		t := trends[k]
		if t == nil {
			t = &trend{problem: k, first: *e, p: s.Processes}
			trends[k] = t
			order = append(order, t)
		}
		t.last, t.q = *e, s.Processes
	}
	if len(order) == 0 {
		return ""
	}
	t := slices.MaxFunc(order, func(a, b *trend) int { return cmp.Compare(a.last, b.last) })
	where := ""
	if t.size > 0 {
		where = " for " + r.sizeName(t.size)
	}
	if t.system != "" {
		where += " on " + t.system
	}
	if t.p == t.q {
		return fmt.Sprintf("e is %.3g on %s%s. One number of processes does not tell sequential work from overhead.",
			t.first, input.ProcessCount(t.p), where)
	}
	says := fmt.Sprintf("e goes from %.3g on %d to %.3g on %d processes%s", t.first, t.p, t.last, t.q, where)
	switch {
	case t.last > 1.2*t.first && t.last > 0:
		return says + ". It grows: overhead limits the speedup rather than sequential work."
	case t.last < 0.8*t.first:
		return says + ". It falls: the losses grow more slowly than p, or the first points are noisy."
	}
	return says + ". It is nearly constant, as for sequential work."
}

// bestForTheMoney names the most and the least productive system at the largest size
// that has a cost.
func bestForTheMoney(r *Result) string {
	largest := 0.0
	for _, p := range r.Points() {
		if p.Value("productivity") != nil {
			largest = max(largest, p.Size)
		}
	}
	e, ok := r.extremes(func(at place) *float64 {
		if at.point.Size < largest {
			return nil
		}
		return at.point.Value("productivity")
	})
	if !ok {
		return ""
	}
	return fmt.Sprintf("At the largest size the most productive is %s with %.4g for one %s, the least %s with %.4g.",
		e.atHigh, e.high, r.Currency, e.atLow, e.low)
}

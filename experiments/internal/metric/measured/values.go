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

// computation is how a metric follows from measured times: at each point, or for steps between systems that hold
// something, or, with says, from the result as a whole. A value is NaN if something is missing: unknown quantities are
// 0, which the formulas refuse.
type computation struct {
	name string // of the metric

	of     func(at place) float64 // at a point
	format func(v float64) string // as in tables and sentences

	says func(*Result) string // returns a sentence; "" if it could not be computed; nil: the usual one

	value    func(at place) float64                    // what is held
	capacity func(*System) float64                     // to which the held value refers
	psi      func(from, to operation) (float64, error) // nil: the metric has none
}

// computations lists the metrics for which times suffice. Those of points are computed in the order of the
// documentation, and may use earlier ones.
var computations = []computation{
	{
		name: "speedup", format: fourDigits, says: most("speedup", "The largest speedup is %s (%s).", threeDigits),
		of: func(at place) float64 { return defined(scalability.Speedup(at.point.baseline.time, at.time())) },
	},
	{
		name: "efficiency", format: threeDecimals, says: efficiencyRange,
		of: func(at place) float64 { return at.point.Value("speedup") / at.ratio() },
	},
	{name: "karp_flatt", of: karpFlatt, format: threeDigits, says: karpFlattTrend},
	{name: "amdahl", says: func(r *Result) string { return r.fitsSay("amdahl") }},
	{name: "gustafson", says: func(r *Result) string { return r.fitsSay("gustafson") }},
	{
		name: "total_overhead", format: timeText,
		says: most("total_overhead", "At most %s of process time is not useful work (%s).", timeText),
		of: func(at place) float64 {
			b := at.point.baseline
			return defined(scalability.TotalOverhead(at.system.Processes, at.time(), units.Seconds(b.processes)*b.time))
		},
	},
	{name: "isoefficiency", value: absoluteEfficiency, capacity: processes},
	{
		name: "achieved_speed", format: speedText,
		of: func(at place) float64 { return defined(scalability.AchievedSpeed(at.work(), at.time())) },
	},
	{
		name:     "isospeed",
		value:    func(at place) float64 { return at.point.Value("achieved_speed") / processes(at.system) },
		capacity: processes,
		psi: func(a, b operation) (float64, error) {
			return scalability.Isospeed(a.system.Processes, a.flops(), b.system.Processes, b.flops())
		},
	},
	{
		name: "speed_efficiency", format: threeDecimals,
		of: func(at place) float64 {
			c := units.FlopsPerSecond(at.system.MarkedSpeed)
			return defined(scalability.SpeedEfficiency(at.work(), at.time(), c))
		},
	},
	{
		name:     "isospeed_efficiency",
		value:    valueOf("speed_efficiency"),
		capacity: func(s *System) float64 { return s.MarkedSpeed },
		psi: func(a, b operation) (float64, error) {
			return scalability.IsospeedEfficiency(
				scalability.Point{MarkedSpeed: units.FlopsPerSecond(a.capacity), Work: a.flops()},
				scalability.Point{MarkedSpeed: units.FlopsPerSecond(b.capacity), Work: b.flops()})
		},
	},
	{
		name: "heterogeneous_efficiency", format: threeDecimals,
		of: func(at place) float64 {
			power := units.FlopsPerSecond(at.point.Power)
			return defined(scalability.HeterogeneousEfficiency(at.work(), at.time(), power))
		},
	},
	{name: "h_isoefficiency", value: valueOf("heterogeneous_efficiency"), capacity: firstPower},
	{
		name: "extended_efficiency", format: threeDecimals,
		of: func(at place) float64 {
			alone := units.Seconds(at.point.SequentialTime)
			return defined(scalability.ExtendedEfficiency(alone, at.system.ReferenceFactor, at.time()))
		},
	},
	{
		name: "extended_isospeed", capacity: referenceFactor,
		value: func(at place) float64 {
			return defined(scalability.ExtendedSpeed(at.work(), at.system.ReferenceFactor, at.time()))
		},
		psi: func(a, b operation) (float64, error) {
			return scalability.ExtendedIsospeed(a.capacity, a.flops(), b.capacity, b.flops())
		},
	},
	{name: "extended_isoefficiency", value: valueOf("extended_efficiency"), capacity: referenceFactor},
	{
		name: "productivity", format: fourDigits, says: bestForTheMoney,
		of: func(at place) float64 { return defined(at.service().Productivity()) },
	},
}

// computeValues computes all metrics of all points.
func (r *Result) computeValues() {
	places := r.places()
	for i := range r.Baselines {
		places = append(places, place{r, &System{System: r.Baselines[i].System, Processes: 1}, &r.Baselines[i]})
	}
	for _, at := range places {
		at.point.values = make(map[string]float64)
		for _, m := range pointMetrics() {
			if v := m.of(at); !math.IsNaN(v) {
				at.point.values[m.Name] = v
			}
		}
	}
}

// valueOf returns a function for the value of a metric at a point.
func valueOf(metric string) func(place) float64 {
	return func(at place) float64 { return at.point.Value(metric) }
}

// inParallel is valueOf for runs on more processes than the baseline.
func inParallel(metric string) func(place) float64 {
	return func(at place) float64 {
		if !at.parallel() {
			return math.NaN()
		}
		return at.point.Value(metric)
	}
}

// defined replaces an undefined result of a formula by NaN.
func defined[T ~float64](v T, err error) float64 {
	if err != nil {
		return math.NaN()
	}
	return float64(v)
}

func threeDecimals(v float64) string { return fmt.Sprintf("%.3f", v) }
func threeDigits(v float64) string   { return fmt.Sprintf("%.3g", v) }
func fourDigits(v float64) string    { return fmt.Sprintf("%.4g", v) }

func timeText(seconds float64) string { return input.Rounded(seconds).String() }

// speedText writes a speed with four digits, unless it is too small or too large for them.
func speedText(v float64) string {
	if math.Abs(v) >= 1e-3 && v < 1e21 {
		scale := math.Pow(10, 3-math.Floor(math.Log10(v)))
		v = math.Round(v*scale) / scale
	}
	return units.FlopsPerSecond(v).String()
}

// absoluteEfficiency is the efficiency against one process: efficiencies relative to more processes cannot be compared
// between sizes.
func absoluteEfficiency(at place) float64 {
	if at.point.Relative > 0 {
		return math.NaN()
	}
	return at.point.Value("efficiency")
}

// karpFlatt writes out the formula because p/p0 need not be a whole number.
func karpFlatt(at place) float64 {
	switch {
	case !at.parallel():
		return math.NaN()
	case at.point.baseline.processes > 1:
		return at.serialFraction(at.point.Time, float64(at.point.baseline.time))
	}
	return defined(scalability.KarpFlatt(at.point.Value("speedup"), at.system.Processes))
}

func processes(s *System) float64 { return float64(s.Processes) }

// firstPower returns the power at the smallest size that has one; it orders systems.
func firstPower(s *System) float64 {
	var power float64
	for _, p := range s.Points {
		power = cmp.Or(power, p.Power)
	}
	return power
}

func referenceFactor(s *System) float64 { return s.ReferenceFactor }

// service returns a run in the terms of productivity.
func (at place) service() scalability.Service {
	r := at.result
	s := scalability.Service{Responses: 1, Value: 1, Cost: units.Money{Amount: at.point.Cost, Currency: r.Currency}}
	if r.Options.ResponseTarget > 0 {
		s.Value = defined(scalability.ResponseValue(at.time(), r.Options.ResponseTarget))
	}
	return s
}

func (at place) time() units.Seconds { return units.Seconds(at.point.Time) }
func (at place) work() units.Flops   { return units.Flops(at.point.Work) }

// ratio returns the system's number of processes relative to the baseline's.
func (at place) ratio() float64 { return processes(at.system) / float64(at.point.baseline.processes) }

// parallel reports whether the point is on more processes than its baseline.
func (at place) parallel() bool { return at.system.Processes > max(1, at.point.baseline.processes) }

// faster returns the marked speed of a process relative to the baseline's; 1 if that is not known.
func (at place) faster() float64 {
	for _, s := range at.result.Systems {
		if s.System == at.system.System && s.Processes == at.point.baseline.processes && s.MarkedSpeed > 0 && at.system.MarkedSpeed > 0 {
			return at.system.MarkedSpeed / s.MarkedSpeed / at.ratio()
		}
	}
	return 1
}

// most returns a sentence about the largest value of a metric on more than one process.
func most(metric, sentence string, show func(float64) string) func(*Result) string {
	return func(r *Result) string {
		e, ok := r.extremes(inParallel(metric))
		if !ok {
			return ""
		}
		return fmt.Sprintf(sentence, show(max(0, e.high)), e.atHigh)
	}
}

// efficiencyRange names the smallest and the largest efficiency on more than one
// process.
func efficiencyRange(r *Result) string {
	e, ok := r.extremes(inParallel("efficiency"))
	if !ok {
		return ""
	}
	above := func(of func(place) float64) bool { // compares the slowest run with the baseline's fastest
		least, _ := r.extremes(func(at place) float64 {
			b := at.point.baseline.point
			if b == nil || !at.parallel() {
				return math.NaN()
			}
			return b.Min / at.point.Max / of(at)
		})
		return least.high > 1.02
	}
	says := e.span(threeDecimals) + "."
	switch {
	case above(func(at place) float64 { return at.ratio() * at.faster() }):
		says += " Above 1: the parts fit into caches that the whole does not fit into, or the sequential time is too long."
	case above(place.ratio):
		says += " Above 1: the processes have a larger marked speed than what they are compared with."
	}
	return says
}

// karpFlattTrend describes how e changes with p, for the system and size with the largest final e, over the points
// whose runs agree well enough on it.
func karpFlattTrend(r *Result) string {
	e := valueOf("karp_flatt")
	var problems []problem
	of := make(map[problem][]place)
	for _, at := range r.places() {
		if math.IsNaN(e(at)) {
			continue
		}
		own := at.problem()
		if len(of[own]) == 0 {
			problems = append(problems, own)
		}
		of[own] = append(of[own], at)
	}
	if len(problems) == 0 {
		return ""
	}
	end := func(own problem) place { return of[own][len(of[own])-1] }
	list := of[slices.MaxFunc(problems, func(a, b problem) int { return cmp.Compare(e(end(a)), e(end(b))) })]
	told := slices.DeleteFunc(slices.Clone(list), func(at place) bool {
		b := at.point.baseline.point
		return at.serialFraction(at.point.Max, b.Min)-at.serialFraction(at.point.Min, b.Max) > mostOfSerialFraction*math.Abs(e(at))
	})
	if len(told) == 0 {
		return "The runs of each number of processes are too far apart to determine e."
	}
	first, last, where := told[0], told[len(told)-1], ""
	if size := first.point.Size; size > 0 {
		where = " for " + r.sizeName(size)
	}
	if name := first.system.System; name != "" {
		where += " on " + name
	}
	if few := len(list) - len(told); few > 0 {
		on := "others"
		if list[few] == first && list[few-1].system.Processes < first.system.Processes {
			on = "fewer"
		}
		where += "; on " + on + ", runs are too far apart to determine it"
	}
	p, q := first.system.Processes, last.system.Processes
	if p == q {
		return fmt.Sprintf("e is %.3g on %s%s. One number of processes does not distinguish sequential work from overhead.",
			e(first), input.Plural(p, "process"), where)
	}
	// The time that speed-ups are relative to is the same for both.
	above := func(a, b place) bool {
		t := a.point.baseline.point
		return a.serialFraction(a.point.Min, t.Min) > b.serialFraction(b.point.Max, t.Min) &&
			a.serialFraction(a.point.Min, t.Max) > b.serialFraction(b.point.Max, t.Max)
	}
	says, change := fmt.Sprintf("e goes from %.3g on %d to %.3g on %d processes%s", e(first), p, e(last), q, where), e(last)-e(first)
	beyond := func(at place) float64 { // both ends
		return max(e(at)-max(e(first), e(last)), min(e(first), e(last))-e(at))
	}
	mid := slices.MaxFunc(told, func(a, b place) int { return cmp.Compare(beyond(a), beyond(b)) })
	bends, base := beyond(mid) > mostOfConstant*math.Abs(e(first)), last.point.baseline.point
	switch {
	case slices.ContainsFunc(list, func(at place) bool { return math.Abs(at.faster()-1) > sameWorkEach }):
		return says + ". The marked speeds of the processes differ, so it indicates neither sequential work nor overhead."
	case last.serialFraction(last.point.Max, base.Min) < 0:
		return says + ". Below 0 the speedup exceeds p: neither sequential work nor overhead limits it."
	case last.serialFraction(last.point.Min, base.Max) > 1:
		return says + ". Above 1 more processes are slower: overhead limits the speedup, not sequential work alone."
	case bends && (above(mid, first) && above(mid, last) || above(first, mid) && above(last, mid)):
		return says + fmt.Sprintf(", but is %.3g on %d: neither sequential work nor a growing overhead alone.", e(mid), mid.system.Processes)
	case !bends && math.Abs(change) <= mostOfConstant*math.Abs(e(first)):
		return says + ". It is nearly constant, as for sequential work."
	case change > 0 && above(last, first):
		return says + ". It grows: overhead limits the speedup rather than sequential work."
	case change < 0 && above(first, last):
		return says + ". It falls: the losses grow more slowly than p, or the first points are noisy."
	}
	return says + ". That is within the spread of the runs."
}

// The runs of a point agree on e if their range is at most mostOfSerialFraction of it; e is constant if it changes by
// at most mostOfConstant of itself.
const mostOfSerialFraction, mostOfConstant = 0.4, 0.2

// serialFraction is e for the times of one run and of a run of its baseline.
func (at place) serialFraction(time, base float64) float64 {
	q := at.ratio()
	return (time/base - 1/q) / (1 - 1/q)
}

// bestForTheMoney names the most and the least productive system at the largest size with a cost.
func bestForTheMoney(r *Result) string {
	productivity, largest := valueOf("productivity"), 0.0
	for _, at := range r.places() {
		if !math.IsNaN(productivity(at)) {
			largest = max(largest, at.point.Size)
		}
	}
	e, ok := r.extremes(func(at place) float64 {
		if at.point.Size < largest {
			return math.NaN()
		}
		return productivity(at)
	})
	if !ok {
		return ""
	}
	return fmt.Sprintf("At the largest size the most productive is %s with %.4g per %s, the least productive %s with %.4g.",
		e.atHigh, e.high, r.Currency, e.atLow, e.low)
}

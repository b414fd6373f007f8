package measured

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Scaling compares systems with the next larger ones, while something is
// held.
type Scaling struct {
	Metric string `json:"metric"`
	Title  string `json:"title"`
	Holds  string `json:"holds"` // what is the same on both systems, in words
	Steps  []Step `json:"steps"`

	kind *holdKind
}

// Step is a comparison of two systems. Where there is none, Reason says why.
type Step struct {
	From         string   `json:"from"`
	To           string   `json:"to"`
	Held         *float64 `json:"held,omitempty"` // an efficiency, or a speed in flop/s
	How          string   `json:"how,omitempty"`  // where the sizes come from
	SizeFrom     *float64 `json:"size_from,omitempty"`
	SizeTo       *float64 `json:"size_to,omitempty"`
	WorkFrom     *float64 `json:"work_from_flop,omitempty"`
	WorkTo       *float64 `json:"work_to_flop,omitempty"`
	TimeFrom     *float64 `json:"time_from_s,omitempty"`
	TimeTo       *float64 `json:"time_to_s,omitempty"`
	Psi          *float64 `json:"psi,omitempty"`
	TimeScale    *float64 `json:"time_scale,omitempty"`
	LatencyScale *float64 `json:"latency_scale,omitempty"`
	Reason       string   `json:"reason,omitempty"`
}

// A holdKind is a metric that holds something while systems grow: with a capacity
// of the system, such as its marked speed, and a value of each point, such as its
// speed-efficiency.
type holdKind struct {
	metric, title, holds string
	symbol               string // of what is held
	speed                bool   // what is held is a speed, not an efficiency
	capacity             func(*System) float64
	value                func(*System, *Point) *float64
	psi                  func(from, to rungPoint) (float64, error) // nil: the metric has none
	latency              bool                                      // time and latency scale belong to it
}

// A rungPoint is a system at the size that holds the value.
type rungPoint struct {
	system   *System
	capacity float64
	size     float64
	work     float64 // 0: not known
	time     float64
}

var holdKinds = []*holdKind{
	{
		metric: "isospeed_efficiency", title: "Isospeed-efficiency", symbol: "E_s", holds: "speed-efficiency W/(T C)",
		capacity: func(s *System) float64 { return value(s.MarkedSpeed) },
		value:    func(_ *System, p *Point) *float64 { return p.SpeedEfficiency },
		psi: func(a, b rungPoint) (float64, error) {
			return scalability.IsospeedEfficiency(
				scalability.Point{MarkedSpeed: units.FlopsPerSecond(a.capacity), Work: units.Flops(a.work)},
				scalability.Point{MarkedSpeed: units.FlopsPerSecond(b.capacity), Work: units.Flops(b.work)})
		},
	},
	{
		metric: "isospeed", title: "Isospeed", symbol: "S/p", holds: "speed of a process W/(p T)", speed: true,
		capacity: func(s *System) float64 { return float64(s.Processes) },
		value: func(s *System, p *Point) *float64 {
			if p.AchievedSpeed == nil {
				return nil
			}
			v := *p.AchievedSpeed / float64(s.Processes)
			return &v
		},
		psi: func(a, b rungPoint) (float64, error) {
			return scalability.Isospeed(a.system.Processes, units.Flops(a.work), b.system.Processes, units.Flops(b.work))
		},
	},
	{
		metric: "extended_isospeed", title: "Extended isospeed", symbol: "V", holds: "speed W/(rf T)", speed: true,
		capacity: func(s *System) float64 { return value(s.ReferenceFactor) },
		value: func(s *System, p *Point) *float64 {
			if p.Work == nil || s.ReferenceFactor == nil {
				return nil
			}
			return defined(scalability.ExtendedSpeed(units.Flops(*p.Work), *s.ReferenceFactor, units.Seconds(p.Time)))
		},
		psi: func(a, b rungPoint) (float64, error) {
			return scalability.ExtendedIsospeed(a.capacity, units.Flops(a.work), b.capacity, units.Flops(b.work))
		},
	},
	{
		metric: "isoefficiency", title: "Isoefficiency", symbol: "E", holds: "efficiency S/p", latency: true,
		capacity: func(s *System) float64 { return float64(s.Processes) },
		value:    func(_ *System, p *Point) *float64 { return p.Efficiency },
	},
	{
		metric: "extended_isoefficiency", title: "Extended isoefficiency", symbol: "E_rf", holds: "extended efficiency S/rf", latency: true,
		capacity: func(s *System) float64 { return value(s.ReferenceFactor) },
		value:    func(_ *System, p *Point) *float64 { return p.ExtendedEfficiency },
	},
	{
		metric: "h_isoefficiency", title: "H-isoefficiency", symbol: "eps", holds: "heterogeneous efficiency W/(T P_T)",
		capacity: func(s *System) float64 {
			for _, p := range s.Points {
				if p.Power != nil {
					return *p.Power
				}
			}
			return 0
		},
		value: func(_ *System, p *Point) *float64 { return p.HeterogeneousEfficiency },
	},
}

// format prints a value of what is held.
func (k *holdKind) format(v float64) string {
	if k.speed {
		return optionalSpeed(&v)
	}
	return fmt.Sprintf("%.4g", v)
}

// value of a number that may be missing; 0 if it is.
func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// ladders are the systems to compare with each other: the numbers of processes of
// one system; and systems that were measured with one number of processes each,
// such as the C2, C4, C8 of [Chen2008].
func (r *Result) ladders() [][]*System {
	var ladders [][]*System
	var single []*System
	for i := 0; i < len(r.Systems); {
		k := i
		var ladder []*System
		for ; k < len(r.Systems) && r.Systems[k].System == r.Systems[i].System; k++ {
			ladder = append(ladder, &r.Systems[k])
		}
		if k-i == 1 {
			single = append(single, ladder...)
		} else {
			ladders = append(ladders, ladder)
		}
		i = k
	}
	if len(single) > 1 {
		ladders = append(ladders, single)
	}
	return ladders
}

// scale makes all comparisons between systems.
func (r *Result) scale() {
	ladders := r.ladders()
	for _, kind := range holdKinds {
		s := Scaling{Metric: kind.metric, Title: kind.title, Holds: kind.holds, kind: kind}
		for _, ladder := range ladders {
			s.Steps = append(s.Steps, r.hold(kind, ladder)...)
		}
		if len(s.Steps) > 0 {
			r.Scaling = append(r.Scaling, s)
		}
	}
	s := Scaling{Metric: "productivity", Title: "Productivity", Holds: "problem size"}
	for _, ladder := range ladders {
		for i := range len(ladder) - 1 {
			s.Steps = append(s.Steps, r.productivity(ladder[i], ladder[i+1])...)
		}
	}
	if len(s.Steps) > 0 {
		r.Scaling = append(r.Scaling, s)
	}
}

// A rung is a system with the points that have a value to hold.
type rung struct {
	system   *System
	capacity float64
	points   []rungPoint
	values   []float64
	trend    *scalability.Trend // over position of the size; nil: too few sizes
	sizes    [2]float64         // smallest and largest
	degree   int
	low      float64 // of values
	high     float64
	flat     bool // several sizes, but the values are the same within the tolerance
}

func newRung(kind *holdKind, s *System, o Options) *rung {
	g := &rung{system: s, capacity: kind.capacity(s)}
	if g.capacity == 0 {
		return nil
	}
	var samples []scalability.Sample
	sizes := make(map[float64]bool)
	for k := range s.Points {
		p := &s.Points[k]
		v := kind.value(s, p)
		if v == nil {
			continue
		}
		g.points = append(g.points, rungPoint{system: s, capacity: g.capacity, size: p.size, work: value(p.Work), time: p.Time})
		g.values = append(g.values, *v)
		if p.size > 0 {
			if len(samples) == 0 {
				g.sizes[0] = p.size // points are in the order of sizes
			}
			g.sizes[1] = p.size
			samples = append(samples, scalability.Sample{N: g.position(p.size), Efficiency: *v})
			sizes[p.size] = true
		}
	}
	if len(g.points) == 0 {
		return nil
	}
	g.low, g.high = slices.Min(g.values), slices.Max(g.values)
	// A size read off a line that hardly rises would be one of the noise.
	g.flat = len(sizes) > 1 && g.high-g.low <= o.Tolerance*g.high
	if g.degree = min(o.Degree, len(sizes)-1); g.degree >= 1 && !g.flat {
		if t, err := scalability.FitTrend(g.degree, samples); err == nil {
			g.trend = t
		}
	}
	return g
}

// position is where a size is on the axis of the trend line, 1 for the smallest. The
// axis is logarithmic: sizes are mostly chosen by doubling, efficiency levels off,
// and a polynomial of the size itself then turns down between the last two.
func (g *rung) position(size float64) float64 { return 1 + math.Log(size/g.sizes[0]) }

// size is the inverse of position.
func (g *rung) size(position float64) float64 {
	return min(max(g.sizes[0]*math.Exp(position-1), g.sizes[0]), g.sizes[1])
}

// hold compares the neighbours of a ladder.
func (r *Result) hold(kind *holdKind, ladder []*System) []Step {
	var rungs []*rung
	for _, s := range ladder {
		if g := newRung(kind, s, r.options); g != nil {
			rungs = append(rungs, g)
		}
	}
	slices.SortStableFunc(rungs, func(a, b *rung) int { return cmp.Compare(a.capacity, b.capacity) })
	low, high := 0.0, math.Inf(1) // what all trend lines have in common
	for _, g := range rungs {
		if g.trend != nil {
			low, high = max(low, g.low), min(high, g.high)
		}
	}
	target := 0.0 // 0: each step has its own
	switch {
	case r.options.Efficiency > 0 && !kind.speed:
		target = r.options.Efficiency
	case low < high && !math.IsInf(high, 1):
		target = low + (high-low)/2
	}
	var steps []Step
	for i := range len(rungs) - 1 {
		steps = append(steps, r.step(kind, rungs[i], rungs[i+1], target))
	}
	return steps
}

// step compares two systems at equal values: at that of the trend lines where there
// are some, else at two measured points that are equal within the tolerance.
func (r *Result) step(kind *holdKind, a, b *rung, target float64) Step {
	s := Step{From: a.system.Label, To: b.system.Label}
	given := r.options.Efficiency > 0 && !kind.speed
	held := target
	for _, g := range []*rung{a, b} {
		if g.flat {
			s.Reason = fmt.Sprintf("%s of %s is the same for all sizes within %.3g %%, so it tells no size", kind.symbol, g.system.Label, 100*r.options.Tolerance)
			return s
		}
	}
	switch {
	case a.trend != nil && b.trend != nil:
		if low, high := max(a.low, b.low), min(a.high, b.high); held == 0 && low < high {
			held = low + (high-low)/2
		}
	case !given && a.trend != nil && len(b.points) == 1:
		held = b.values[0]
	case !given && b.trend != nil && len(a.points) == 1:
		held = a.values[0]
	}
	if held > 0 && (a.trend != nil || b.trend != nil) {
		from, howA, errA := r.at(kind, a, held)
		to, howB, errB := r.at(kind, b, held)
		if err := cmp.Or(errA, errB); err == nil {
			s.How = howA
			if howB != howA {
				s.How += ", " + howB
			}
			s.fill(kind, held, from, to)
			return s
		} else if given || a.trend != nil && b.trend != nil {
			s.Reason = err.Error()
			return s
		}
	}
	if a.trend != nil && b.trend != nil {
		s.Reason = fmt.Sprintf("%s is from %s to %s on the one and from %s to %s on the other: nothing in common; measure larger sizes on the system where it is lower",
			kind.symbol, kind.format(a.low), kind.format(a.high), kind.format(b.low), kind.format(b.high))
		return s
	}
	i, k, difference := closest(a, b, held, given, r.options.Tolerance)
	if i < 0 {
		s.Reason = fmt.Sprintf("%s is from %s to %s on the one and from %s to %s on the other: no two points within %.3g %%",
			kind.symbol, kind.format(a.low), kind.format(a.high), kind.format(b.low), kind.format(b.high), 100*r.options.Tolerance)
		return s
	}
	s.How = fmt.Sprintf("measured points, %s equal to %.2g %%", kind.symbol, 100*difference)
	s.fill(kind, a.values[i]/2+b.values[k]/2, a.points[i], b.points[k])
	return s
}

// at is the point of a system that holds a value: read off its trend line, or a
// measured point within the tolerance.
func (r *Result) at(kind *holdKind, g *rung, held float64) (p rungPoint, how string, err error) {
	if g.trend == nil {
		for k, v := range g.values {
			if math.Abs(v/held-1) <= r.options.Tolerance {
				return g.points[k], "a measured point", nil
			}
		}
		return p, "", fmt.Errorf("%s: %s is not measured within %.3g %%, and there are too few sizes for a trend line", g.system.Label, kind.format(held), 100*r.options.Tolerance)
	}
	reading, err := g.trend.ReadOff(held)
	if err != nil {
		var not *scalability.NotReachedError
		if errors.As(err, &not) {
			err = fmt.Errorf("the trend line of %s does not rise to %s: it is from %s to %s for sizes from %s to %s",
				g.system.Label, kind.format(held), kind.format(not.Lowest), kind.format(not.Highest), input.Number(g.sizes[0]), input.Number(g.sizes[1]))
		}
		return p, "", err
	}
	if reading.Warning != "" {
		r.warn("%s: %s", g.system.Label, reading.Warning)
	}
	how = fmt.Sprintf("trend lines of degree %d", g.degree)
	if g.degree == 1 {
		how = "straight trend lines"
		if ratio := g.sizes[1] / g.sizes[0]; len(g.points) == 2 && ratio > 1.5 {
			r.warn("%s has two sizes, %.3g times apart: a straight line between them is a rough guide to the size that holds a value; measure sizes in between", g.system.Label, ratio)
		}
	}
	p = rungPoint{system: g.system, capacity: g.capacity, size: g.size(reading.N)}
	p.work = between(g.points, p.size, func(q rungPoint) float64 { return q.work })
	if kind.psi != nil {
		p.time = p.work / (held * g.capacity) // what is held is W/(T capacity)
	} else {
		p.time = between(g.points, p.size, func(q rungPoint) float64 { return q.time })
	}
	return p, how, nil
}

// between reads a quantity at a size between two measured ones, as if it were a
// power of the size there; 0 if it is not known on both sides. Points are in the
// order of their sizes.
func between(points []rungPoint, size float64, quantity func(rungPoint) float64) float64 {
	for k := range len(points) - 1 {
		a, b := points[k], points[k+1]
		if size < a.size || size > b.size || a.size == b.size {
			continue
		}
		qa, qb := quantity(a), quantity(b)
		if qa == 0 || qb == 0 {
			return 0
		}
		return qa * math.Pow(qb/qa, math.Log(size/a.size)/math.Log(b.size/a.size))
	}
	return 0
}

// closest returns the two points whose values differ least, or -1 if that is more
// than the tolerance, and by how much they differ.
func closest(a, b *rung, held float64, given bool, tolerance float64) (i, k int, difference float64) {
	i, k, difference = -1, -1, math.Inf(1)
	// Both in the order of their values, so that neighbours are found in one pass.
	order := func(g *rung) []int {
		is := make([]int, 0, len(g.values))
		for i, v := range g.values {
			if !given || math.Abs(v/held-1) <= tolerance {
				is = append(is, i)
			}
		}
		slices.SortStableFunc(is, func(x, y int) int { return cmp.Compare(g.values[x], g.values[y]) })
		return is
	}
	as, bs := order(a), order(b)
	for x, y := 0, 0; x < len(as) && y < len(bs); {
		u, v := a.values[as[x]], b.values[bs[y]]
		if d := math.Abs(u-v) / max(u, v); d < difference {
			i, k, difference = as[x], bs[y], d
		}
		if u <= v {
			x++
		} else {
			y++
		}
	}
	if difference > tolerance {
		return -1, -1, 0
	}
	return i, k, difference
}

// fill computes what the metric says of two points that hold the same value.
func (s *Step) fill(kind *holdKind, held float64, a, b rungPoint) {
	s.Held = &held
	known := func(v float64) *float64 {
		if v == 0 {
			return nil
		}
		return &v
	}
	s.SizeFrom, s.SizeTo = known(a.size), known(b.size)
	s.WorkFrom, s.WorkTo = known(a.work), known(b.work)
	s.TimeFrom, s.TimeTo = known(a.time), known(b.time)
	if kind.psi != nil && a.work > 0 && b.work > 0 {
		s.Psi = defined(kind.psi(a, b))
	}
	if !kind.latency || a.time == 0 || b.time == 0 {
		return
	}
	from, to := units.Seconds(a.time), units.Seconds(b.time)
	s.TimeScale = defined(scalability.TimeScale(from, to))
	// T_1 = E times the capacity times T_p.
	la, errA := scalability.AverageLatency(a.system.Processes, from, units.Seconds(held*a.capacity*a.time))
	lb, errB := scalability.AverageLatency(b.system.Processes, to, units.Seconds(held*b.capacity*b.time))
	if errA == nil && errB == nil {
		s.LatencyScale = defined(scalability.LatencyScale(la, lb))
	}
}

// productivity compares two systems at every size that both have with a cost.
func (r *Result) productivity(a, b *System) []Step {
	var steps []Step
	k := 0
	for i := range a.Points {
		p := &a.Points[i]
		for k < len(b.Points) && b.Points[k].size < p.size {
			k++
		}
		if k == len(b.Points) || b.Points[k].size != p.size {
			continue
		}
		q := &b.Points[k]
		base, okA := r.service(p)
		scaled, okB := r.service(q)
		if !okA || !okB {
			continue
		}
		s := Step{From: a.Label, To: b.Label, How: "measured points", TimeFrom: &p.Time, TimeTo: &q.Time}
		if p.size > 0 {
			s.SizeFrom, s.SizeTo = &p.size, &q.size
		}
		if s.Psi = defined(scalability.ProductivityScalability(base, scaled)); s.Psi != nil {
			steps = append(steps, s)
		}
	}
	return steps
}

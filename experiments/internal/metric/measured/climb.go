package measured

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/model/regression"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// operation is a system at a size, measured or read off a trend line. Unknown quantities are 0.
type operation struct {
	system   *System
	capacity float64 // that the held value refers to, such as the marked speed
	size     float64
	work     float64
	time     float64
	value    float64 // the held one; measured points only nearly have it
}

func (x operation) flops() units.Flops { return units.Flops(x.work) }

// A profile is a system with the value to hold at each of its points, and its trend line.
type profile struct {
	system    *System
	capacity  float64
	points    []operation        // in the order of sizes
	low, high float64            // of values
	sizes     [2]float64         // smallest and largest
	trend     *scalability.Trend // over the position of sizes; nil: too few sizes, or flat
	degree    int
	runs      []int // of the points of the trend line
	flat      bool  // several sizes, but the same value within the tolerance
}

// profile returns nil for a system without values or capacity.
func (c *comparison) profile(s *System) *profile {
	g := &profile{system: s, capacity: c.capacity(s), low: math.Inf(1), high: math.Inf(-1)}
	var samples []scalability.Sample
	sizes := make(map[float64]bool)
	for k := range s.Points {
		p := &s.Points[k]
		v := c.value(place{c.r, s, p})
		if math.IsNaN(v) {
			continue
		}
		g.points = append(g.points, operation{s, g.capacity, p.Size, p.Work, p.Time, v})
		g.low, g.high = min(g.low, v), max(g.high, v)
		if p.Size > 0 {
			if len(samples) == 0 {
				g.sizes[0] = p.Size
			}
			g.sizes[1] = p.Size
			samples, g.runs = append(samples, scalability.Sample{N: g.position(p.Size), Efficiency: v}), append(g.runs, p.Runs)
			sizes[p.Size] = true
		}
	}
	if g.capacity == 0 || len(g.points) == 0 {
		return nil
	}
	// On a line that hardly rises, noise would decide the size.
	g.flat = len(sizes) > 1 && g.high-g.low <= c.r.Options.Tolerance*g.high
	if g.degree = min(c.r.Options.Degree, len(sizes)-1); g.degree >= 1 && !g.flat {
		g.trend, _ = scalability.FitTrend(g.degree, samples)
	}
	if g.trend != nil {
		off := c.missed(g, samples)
		c.r.misses = c.r.misses || off > 0
		if c.r.chance != nil && off > 0 {
			for i, s := range samples {
				samples[i].Efficiency = max(s.Efficiency*math.SmallestNonzeroFloat32, g.trend.Eval(s.N)+float64(off*c.r.chance()))
			}
			g.trend, _ = scalability.FitTrend(g.degree, samples)
		}
	}
	return g
}

// position is the place of a size on the axis of the trend line, 1 for the smallest. The axis is logarithmic: sizes
// mostly double, efficiency levels off, and a polynomial of the size itself would turn down between the last two.
func (g *profile) position(size float64) float64 { return 1 + math.Log(size/g.sizes[0]) }

// size is the inverse of position.
func (g *profile) size(position float64) float64 {
	return min(max(g.sizes[0]*math.Exp(position-1), g.sizes[0]), g.sizes[1])
}

// between interpolates a quantity at a size between two measured ones as a power of the size; 0 if it is not known on
// both sides.
func (g *profile) between(size float64, quantity func(operation) float64) float64 {
	for k := range len(g.points) - 1 {
		a, b := g.points[k], g.points[k+1]
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

// A comparison makes the steps of a ladder for one metric, at one value.
type comparison struct {
	*Metric
	r      *Result
	given  bool    // the user chose the target
	target float64 // value to hold; 0: each step has its own
}

// Growth is the work W = K x^a, in flop, that holds a value on the systems of a ladder: its isoefficiency function. x
// is the capacity in units of one process's capacity on the smallest system: the number of processes p if all processes
// are equal, or taken to be.
type Growth struct {
	From string  `json:"from_system"`
	To   string  `json:"to_system"`
	Held float64 `json:"held"`
	*laws.Power

	processes bool // x is the number of processes
}

func (g *Growth) says(h *held) string {
	x, is := "x", "capacity in processes of "+g.From
	if g.processes {
		x, is = "p", "processes"
	}
	return fmt.Sprintf("From %s to %s the work that holds %s grows as %s^a, with an exponent a of %s, %[4]s: %[6]s.",
		g.From, g.To, h.format(g.Held), x, g.Power.Says(), is)
}

// growth fits the steps of a ladder that hold one value, the smallest system first; nil for fewer than three systems.
func (c *comparison) growth(profiles []*profile, steps []Step) *Growth {
	works := make([]float64, len(profiles)) // of each system once, although two steps use it
	first, last := -1, 0
	for i, s := range steps {
		if s.Held != c.target || s.WorkFrom == 0 || s.WorkTo == 0 {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
		works[i], works[i+1] = s.WorkFrom, s.WorkTo
	}
	var samples []regression.Sample
	processes := true
	for i, work := range works {
		if p := profiles[i]; work > 0 {
			x := p.capacity * float64(profiles[first].system.Processes) / profiles[first].capacity
			processes = processes && math.Abs(x/float64(p.system.Processes)-1) <= 1e-9
			samples = append(samples, regression.Sample{P: x, Y: work})
		}
	}
	f, err := laws.FitPower(samples, 0)
	if err != nil {
		return nil
	}
	return &Growth{steps[first].From, steps[last].To, c.target, f, processes}
}

// climb compares each system of a ladder with the next larger one, by capacity. It reports oneSize if there are several
// steps, but each system has only one size and no two systems have the same value.
func (r *Result) climb(m *Metric, ladder []*System) (all []Step, _ *Growth, oneSize bool) {
	c := comparison{Metric: m, r: r}
	if !m.Holds.Speed {
		c.given, c.target = r.Options.Efficiency > 0, r.Options.Efficiency
	}
	var profiles []*profile
	for _, s := range ladder {
		if p := c.profile(s); p != nil {
			profiles = append(profiles, p)
		}
	}
	slices.SortStableFunc(profiles, func(a, b *profile) int { return cmp.Compare(a.capacity, b.capacity) })
	if !c.given {
		c.target = middle(profiles...)
	}
	oneSize = len(profiles) > 2 // for a single step its reason suffices
	for i := range len(profiles) - 1 {
		a, b := profiles[i], profiles[i+1]
		step := c.step(a, b)
		oneSize = oneSize && step.Reason != "" && len(a.points) == 1 && len(b.points) == 1
		all = append(all, step)
	}
	return all, c.growth(profiles, all), oneSize
}

// middle returns the middle of the range of values that all trend lines share; 0 if there is none.
func middle(profiles ...*profile) float64 {
	low, high := 0.0, math.Inf(1)
	for _, p := range profiles {
		if p.trend != nil {
			low, high = max(low, p.low), min(high, p.high)
		}
	}
	if low < high && !math.IsInf(high, 1) {
		return low + (high-low)/2
	}
	return 0
}

// span writes the range of values of a system.
func (c *comparison) span(p *profile) string {
	if p.low == p.high {
		return c.Holds.format(p.low)
	}
	return c.Holds.format(p.low) + " to " + c.Holds.format(p.high)
}

// step compares two systems at equal values: on the trend lines where there are some, else at two measured points that
// are equal within the tolerance.
func (c *comparison) step(a, b *profile) Step {
	s := Step{From: a.system.Label, To: b.system.Label}
	symbol, tolerance := c.Holds.Symbol, 100*c.r.Options.Tolerance
	for _, p := range []*profile{a, b} {
		if p.flat {
			s.Reason = fmt.Sprintf("%s of %s is the same at all sizes within %.3g %%, so no size can be read off it",
				symbol, p.system.Label, tolerance)
			return s
		}
	}
	lines := a.trend != nil && b.trend != nil
	if target := c.targetOf(a, b); target > 0 && (a.trend != nil || b.trend != nil) {
		from, howA, errA := c.at(a, target)
		to, howB, errB := c.at(b, target)
		err := cmp.Or(errA, errB)
		switch {
		case err == nil:
			s.How = howA
			if howB != howA {
				s.How += ", " + howB
			}
			s.fill(c.Metric, target, from, to)
			return s
		case c.given || lines:
			s.Reason = err.Error()
			return s
		}
	}
	if lines {
		s.Reason = fmt.Sprintf("the systems have no %s in common: %s has %s, %s has %s; measure larger sizes on the system where it is lower",
			symbol, s.From, c.span(a), s.To, c.span(b))
		return s
	}
	x, y, difference := c.closest(a, b)
	if x == nil {
		s.Reason = fmt.Sprintf("no two points have an equal %s within %.3g %%: %s has %s, %s has %s",
			symbol, tolerance, s.From, c.span(a), s.To, c.span(b))
		return s
	}
	s.How = fmt.Sprintf("measured points, %s equal to %.2g %%", symbol, 100*difference)
	s.fill(c.Metric, x.value/2+y.value/2, *x, *y)
	return s
}

// targetOf returns the value to hold in a step; 0 if nothing suggests one.
func (c *comparison) targetOf(a, b *profile) float64 {
	switch {
	case a.trend != nil && b.trend != nil:
		if c.target == 0 {
			return middle(a, b)
		}
	case !c.given && a.trend != nil && len(b.points) == 1:
		return b.points[0].value
	case !c.given && b.trend != nil && len(a.points) == 1:
		return a.points[0].value
	}
	return c.target
}

// near reports whether a value equals the target within the tolerance.
func (c *comparison) near(p operation, target float64) bool {
	return math.Abs(p.value/target-1) <= c.r.Options.Tolerance
}

// at returns the operation at which a system holds a value: read off its trend line, or a measured point within the
// tolerance.
func (c *comparison) at(p *profile, target float64) (_ operation, how string, err error) {
	if p.trend == nil {
		k := slices.IndexFunc(p.points, func(x operation) bool { return c.near(x, target) })
		if k >= 0 {
			return p.points[k], "a measured point", nil
		}
		return operation{}, "", fmt.Errorf("no point of %s has %s within %.3g %%, and there are too few sizes for a trend line",
			p.system.Label, c.Holds.format(target), 100*c.r.Options.Tolerance)
	}
	x, warning, err := c.readOff(p, target)
	if err != nil {
		return x, "", err
	}
	if warning != "" {
		c.r.warn("%s: %s", p.system.Label, warning)
	}
	if p.degree > 1 {
		return x, fmt.Sprintf("trend lines of degree %d", p.degree), nil
	}
	if ratio := p.sizes[1] / p.sizes[0]; len(p.points) == 2 && ratio > 1.5 {
		c.r.warn("%s has two sizes, %.3g times apart: a straight line between them is a rough guide to the size that holds a value; "+
			"measure sizes in between", p.system.Label, ratio)
	}
	return x, "straight trend lines", nil
}

// readOff returns the operation at which the trend line has a value. Its time is known where the work or the times are.
func (c *comparison) readOff(g *profile, target float64) (x operation, warning string, err error) {
	reading, err := g.trend.ReadOff(target)
	if err != nil {
		if not, ok := errors.AsType[*scalability.NotReachedError](err); ok {
			err = fmt.Errorf("the trend line of %s does not reach %s: it goes from %s to %s for sizes from %s to %s",
				g.system.Label, c.Holds.format(target), c.Holds.format(not.Lowest), c.Holds.format(not.Highest),
				input.Number(g.sizes[0]), input.Number(g.sizes[1]))
		}
		return x, "", err
	}
	x = operation{system: g.system, capacity: g.capacity, size: g.size(reading.N), value: target}
	x.work = g.between(x.size, func(q operation) float64 { return q.work })
	if c.psi != nil {
		x.time = x.work / (target * g.capacity) // the held value is W/(T capacity)
	} else {
		x.time = g.between(x.size, func(q operation) float64 { return q.time })
	}
	return x, reading.Warning, nil
}

// closest returns the two points whose values differ least, and the difference; nil if it exceeds the tolerance.
func (c *comparison) closest(a, b *profile) (best, mate *operation, difference float64) {
	difference = math.Inf(1)
	// Sorted by value, closest points are neighbours: one pass finds them.
	as, bs := c.byValue(a), c.byValue(b)
	for x, y := 0, 0; x < len(as) && y < len(bs); {
		u, v := as[x].value, bs[y].value
		if d := math.Abs(u-v) / max(u, v); d < difference {
			best, mate, difference = &as[x], &bs[y], d
		}
		if u <= v {
			x++
		} else {
			y++
		}
	}
	if difference > c.r.Options.Tolerance {
		return nil, nil, 0
	}
	return best, mate, difference
}

// byValue lists the points of a system by value; if a target was chosen, only those near it.
func (c *comparison) byValue(g *profile) []operation {
	far := func(p operation) bool { return c.given && !c.near(p, c.target) }
	points := slices.DeleteFunc(slices.Clone(g.points), far)
	slices.SortStableFunc(points, func(x, y operation) int { return cmp.Compare(x.value, y.value) })
	return points
}

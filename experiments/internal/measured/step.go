package measured

import (
	"cmp"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Step is a comparison of two systems. Where there is no result, Reason says why.
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

// A comparison makes the steps of a ladder.
type comparison struct {
	*held
	result *Result
	given  bool    // the user chose the target
	target float64 // value to hold; 0: each step has its own
}

// step compares two systems at equal values: at that of the trend lines where there
// are some, else at two measured points that are equal within the tolerance.
func (c *comparison) step(a, b *profile) Step {
	s := Step{From: a.system.Label, To: b.system.Label}
	for _, p := range []*profile{a, b} {
		if p.flat {
			s.Reason = fmt.Sprintf("%s of %s is the same at all sizes within %.3g %%, so no size can be read off it", c.symbol, p.system.Label, 100*c.result.Options.Tolerance)
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
			s.fill(c.held, target, from, to)
			return s
		case c.given || lines:
			s.Reason = err.Error()
			return s
		}
	}
	if lines {
		s.Reason = fmt.Sprintf("the systems have no %s in common: %s has %s, %s has %s; measure larger sizes on the system where it is lower",
			c.symbol, s.From, c.formatRange(a), s.To, c.formatRange(b))
		return s
	}
	i, k, difference := c.closest(a, b)
	if i < 0 {
		s.Reason = fmt.Sprintf("no two points have an equal %s within %.3g %%: %s has %s, %s has %s",
			c.symbol, 100*c.result.Options.Tolerance, s.From, c.formatRange(a), s.To, c.formatRange(b))
		return s
	}
	s.How = fmt.Sprintf("measured points, %s equal to %.2g %%", c.symbol, 100*difference)
	s.fill(c.held, a.values[i]/2+b.values[k]/2, a.points[i], b.points[k])
	return s
}

// targetOf is the value to hold in a step; 0 if nothing suggests one.
func (c *comparison) targetOf(a, b *profile) float64 {
	switch {
	case a.trend != nil && b.trend != nil:
		if c.target == 0 {
			return middle([]*profile{a, b})
		}
	case !c.given && a.trend != nil && len(b.points) == 1:
		return b.values[0]
	case !c.given && b.trend != nil && len(a.points) == 1:
		return a.values[0]
	}
	return c.target
}

// at is the operating point of a system that holds a value: read off its trend line,
// or a measured point within the tolerance.
func (c *comparison) at(p *profile, target float64) (_ operatingPoint, how string, err error) {
	if p.trend == nil {
		if k := p.within(target, c.result.Options.Tolerance); k >= 0 {
			return p.points[k], "a measured point", nil
		}
		return operatingPoint{}, "", fmt.Errorf("no point of %s has %s within %.3g %%, and there are too few sizes for a trend line", p.system.Label, c.format(target), 100*c.result.Options.Tolerance)
	}
	x, warning, err := p.readOff(c.held, target)
	if err != nil {
		return x, "", err
	}
	if warning != "" {
		c.result.warn("%s: %s", p.system.Label, warning)
	}
	if p.degree > 1 {
		return x, fmt.Sprintf("trend lines of degree %d", p.degree), nil
	}
	if ratio := p.sizes[1] / p.sizes[0]; len(p.points) == 2 && ratio > 1.5 {
		c.result.warn("%s has two sizes, %.3g times apart: a straight line between them is a rough guide to the size that holds a value; measure sizes in between", p.system.Label, ratio)
	}
	return x, "straight trend lines", nil
}

// closest returns the two points whose values differ least, or -1 if that is more
// than the tolerance, and by how much they differ.
func (c *comparison) closest(a, b *profile) (i, k int, difference float64) {
	target := 0.0
	if c.given {
		target = c.target
	}
	i, k, difference = -1, -1, math.Inf(1)
	// In the order of values neighbours are found in one pass.
	as, bs := a.byValue(target, c.result.Options.Tolerance), b.byValue(target, c.result.Options.Tolerance)
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
	if difference > c.result.Options.Tolerance {
		return -1, -1, 0
	}
	return i, k, difference
}

// fill computes what the metric says of two points that hold the same value.
func (s *Step) fill(h *held, target float64, a, b operatingPoint) {
	s.Held = &target
	known := func(v float64) *float64 {
		if v == 0 {
			return nil
		}
		return &v
	}
	s.SizeFrom, s.SizeTo = known(a.size), known(b.size)
	s.WorkFrom, s.WorkTo = known(a.work), known(b.work)
	s.TimeFrom, s.TimeTo = known(a.time), known(b.time)
	if h.psi != nil && a.work > 0 && b.work > 0 {
		s.Psi = defined(h.psi(a, b))
	}
	if !h.scales || a.time == 0 || b.time == 0 {
		return
	}
	from, to := units.Seconds(a.time), units.Seconds(b.time)
	s.TimeScale = defined(scalability.TimeScale(from, to))
	// T_1 = E times the capacity times T_p.
	la, errA := scalability.AverageLatency(a.system.Processes, from, units.Seconds(target*a.capacity*a.time))
	lb, errB := scalability.AverageLatency(b.system.Processes, to, units.Seconds(target*b.capacity*b.time))
	if errA == nil && errB == nil {
		s.LatencyScale = defined(scalability.LatencyScale(la, lb))
	}
}

// figure is what steps are ranked by, the larger the better; nil without a result.
func (s *Step) figure() *float64 {
	switch {
	case s.Psi != nil:
		return s.Psi
	case s.TimeScale != nil:
		return s.TimeScale
	case s.WorkFrom != nil && s.WorkTo != nil:
		v := *s.WorkFrom / *s.WorkTo
		return &v
	}
	return nil
}

// says tells the figure of a step that has one.
func (s *Step) says() string {
	between := fmt.Sprintf("from %s to %s", s.From, s.To)
	switch {
	case s.Psi != nil:
		return fmt.Sprintf("psi = %.3f %s", *s.Psi, between)
	case s.TimeScale != nil && s.WorkFrom != nil && s.WorkTo != nil:
		return fmt.Sprintf("%.3g times the work in %.3g times the time %s", *s.WorkTo / *s.WorkFrom, 1 / *s.TimeScale, between)
	case s.TimeScale != nil:
		return fmt.Sprintf("%.3g times the time %s", 1 / *s.TimeScale, between)
	}
	return fmt.Sprintf("%.3g times the work %s", *s.WorkTo / *s.WorkFrom, between)
}

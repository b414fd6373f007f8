package steps

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// System is a system with what is held at each of its points.
type System struct {
	Label     string
	Processes int
	Capacity  float64 // what the value goes with, such as the marked speed; 0: not known
	Points    []Point // in the order of sizes
}

// Point is a measured size.
type Point struct {
	Value float64 // what is held
	Size  float64 // 0: not known
	Work  float64 // likewise
	Time  float64
}

// Held is what systems have in common while they grow.
type Held struct {
	Symbol string
	Format func(v float64) string
	Psi    func(from, to Operation) (float64, error) // nil: what is held has none
	Scales bool                                      // time and latency scale belong to it
}

// Operation is a system at a size, measured or read off a trend line.
type Operation struct {
	*System
	Size float64
	Work float64 // 0: not known
	Time float64
}

// Options say how values are compared.
type Options struct {
	Target    float64 // value to hold; 0: the measurements choose it
	Tolerance float64 // relative difference up to which two values are equal
	Degree    int     // of trend lines; less where there are too few sizes
}

// Climb compares each system with the next larger one, by capacity. It reports oneSize
// if there are several steps, but each system has one size only and no two hold the same.
func Climb(h Held, systems []System, o Options, warn func(format string, args ...any)) (all []Step, oneSize bool) {
	var profiles []*profile
	for i := range systems {
		if p := newProfile(&systems[i], o); p != nil {
			profiles = append(profiles, p)
		}
	}
	slices.SortStableFunc(profiles, func(a, b *profile) int { return cmp.Compare(a.system.Capacity, b.system.Capacity) })
	c := comparison{Held: &h, tolerance: o.Tolerance, given: o.Target > 0, target: o.Target, warn: warn}
	if !c.given {
		c.target = middle(profiles)
	}
	oneSize = len(profiles) > 2 // the reason of a single step is said once
	for i := range len(profiles) - 1 {
		step := c.step(profiles[i], profiles[i+1])
		oneSize = oneSize && step.Reason != "" && len(profiles[i].system.Points) == 1 && len(profiles[i+1].system.Points) == 1
		all = append(all, step)
	}
	return all, oneSize
}

// middle is the middle of the values that all trend lines have in common; 0 if
// there are none.
func middle(profiles []*profile) float64 {
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

// formatRange writes the values of a system.
func (h *Held) formatRange(p *profile) string {
	if p.low == p.high {
		return h.Format(p.low)
	}
	return h.Format(p.low) + " to " + h.Format(p.high)
}

// A comparison makes the steps of a ladder.
type comparison struct {
	*Held
	tolerance float64
	given     bool    // the user chose the target
	target    float64 // value to hold; 0: each step has its own
	warn      func(format string, args ...any)
}

// step compares two systems at equal values: at that of the trend lines where there
// are some, else at two measured points that are equal within the tolerance.
func (c *comparison) step(a, b *profile) Step {
	s := Step{From: a.system.Label, To: b.system.Label}
	for _, p := range []*profile{a, b} {
		if p.flat {
			s.Reason = fmt.Sprintf("%s of %s is the same at all sizes within %.3g %%, so no size can be read off it", c.Symbol, p.system.Label, 100*c.tolerance)
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
			s.fill(c.Held, target, from, to)
			return s
		case c.given || lines:
			s.Reason = err.Error()
			return s
		}
	}
	if lines {
		s.Reason = fmt.Sprintf("the systems have no %s in common: %s has %s, %s has %s; measure larger sizes on the system where it is lower",
			c.Symbol, s.From, c.formatRange(a), s.To, c.formatRange(b))
		return s
	}
	i, k, difference := c.closest(a, b)
	if i < 0 {
		s.Reason = fmt.Sprintf("no two points have an equal %s within %.3g %%: %s has %s, %s has %s",
			c.Symbol, 100*c.tolerance, s.From, c.formatRange(a), s.To, c.formatRange(b))
		return s
	}
	s.How = fmt.Sprintf("measured points, %s equal to %.2g %%", c.Symbol, 100*difference)
	s.fill(c.Held, a.system.Points[i].Value/2+b.system.Points[k].Value/2, a.operation(i), b.operation(k))
	return s
}

// targetOf is the value to hold in a step; 0 if nothing suggests one.
func (c *comparison) targetOf(a, b *profile) float64 {
	switch {
	case a.trend != nil && b.trend != nil:
		if c.target == 0 {
			return middle([]*profile{a, b})
		}
	case !c.given && a.trend != nil && len(b.system.Points) == 1:
		return b.system.Points[0].Value
	case !c.given && b.trend != nil && len(a.system.Points) == 1:
		return a.system.Points[0].Value
	}
	return c.target
}

// at is the operating point of a system that holds a value: read off its trend line,
// or a measured point within the tolerance.
func (c *comparison) at(p *profile, target float64) (_ Operation, how string, err error) {
	if p.trend == nil {
		if k := p.within(target, c.tolerance); k >= 0 {
			return p.operation(k), "a measured point", nil
		}
		return Operation{}, "", fmt.Errorf("no point of %s has %s within %.3g %%, and there are too few sizes for a trend line", p.system.Label, c.Format(target), 100*c.tolerance)
	}
	x, warning, err := p.readOff(c.Held, target)
	if err != nil {
		return x, "", err
	}
	if warning != "" {
		c.warn("%s: %s", p.system.Label, warning)
	}
	if p.degree > 1 {
		return x, fmt.Sprintf("trend lines of degree %d", p.degree), nil
	}
	if ratio := p.sizes[1] / p.sizes[0]; len(p.system.Points) == 2 && ratio > 1.5 {
		c.warn("%s has two sizes, %.3g times apart: a straight line between them is a rough guide to the size that holds a value; measure sizes in between", p.system.Label, ratio)
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
	as, bs := a.byValue(target, c.tolerance), b.byValue(target, c.tolerance)
	for x, y := 0, 0; x < len(as) && y < len(bs); {
		u, v := a.system.Points[as[x]].Value, b.system.Points[bs[y]].Value
		if d := math.Abs(u-v) / max(u, v); d < difference {
			i, k, difference = as[x], bs[y], d
		}
		if u <= v {
			x++
		} else {
			y++
		}
	}
	if difference > c.tolerance {
		return -1, -1, 0
	}
	return i, k, difference
}

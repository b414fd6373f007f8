package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/input"
)

// Scaling compares systems with the next larger ones, while something is held.
type Scaling struct {
	Metric string `json:"metric"`
	Title  string `json:"title"`
	Holds  string `json:"holds"` // what is the same on both systems, in words
	Steps  []Step `json:"steps"`

	hold *held // nil: the problem size
}

// held is what a metric holds while systems grow: a value of points, such as the
// speed-efficiency, that goes with a capacity of the system, such as the marked speed.
type held struct {
	symbol   string // of the value
	what     string // the value in words
	speed    bool   // the value is a speed, not an efficiency
	capacity func(*System) float64
	value    func(*System, *Point) *float64
	psi      func(from, to operatingPoint) (float64, error) // nil: the metric has none
	scales   bool                                           // time and latency scale belong to it
}

// format writes a value that is held.
func (h *held) format(v float64) string {
	if h.speed {
		return speedText(v)
	}
	return fourDigits(v)
}

// Format writes a value that is held.
func (s *Scaling) Format(v float64) string {
	if s.hold == nil {
		return fourDigits(v)
	}
	return s.hold.format(v)
}

// formatRange writes the values of a system.
func (h *held) formatRange(p *profile) string {
	if p.low == p.high {
		return h.format(p.low)
	}
	return h.format(p.low) + " to " + h.format(p.high)
}

// scale makes all comparisons between systems.
func (r *Result) scale() {
	ladders := r.ladders()
	for _, m := range Metrics() {
		if m.times != nil && m.times.hold != nil {
			s := Scaling{Metric: m.Name, Title: input.Capitalized(m.Title), Holds: m.times.hold.what, hold: m.times.hold}
			r.oneSize[m.Name] = len(ladders) > 0
			for _, ladder := range ladders {
				steps, oneSize := r.climb(m.times.hold, ladder)
				s.Steps = append(s.Steps, steps...)
				r.oneSize[m.Name] = r.oneSize[m.Name] && oneSize
			}
			if r.oneSize[m.Name] {
				continue // every step would lack the same, which the summary says once
			}
			r.addScaling(s)
		}
	}
	s := Scaling{Metric: "productivity", Title: "Productivity", Holds: "problem size"}
	for _, ladder := range ladders {
		for i := range len(ladder) - 1 {
			s.Steps = append(s.Steps, r.compareProductivity(ladder[i], ladder[i+1])...)
		}
	}
	r.addScaling(s)
}

func (r *Result) addScaling(s Scaling) {
	if len(s.Steps) > 0 {
		r.Scaling = append(r.Scaling, s)
	}
}

// ladders are the systems to compare with each other: the numbers of processes of
// one system; and systems that were measured with one number of processes each,
// such as the C2, C4, C8 of [Chen2008].
func (r *Result) ladders() [][]*System {
	var ladders [][]*System
	var single []*System
	for _, systems := range r.byName() {
		var ladder []*System
		for i := range systems {
			ladder = append(ladder, &systems[i])
		}
		if len(ladder) == 1 {
			single = append(single, ladder...)
		} else {
			ladders = append(ladders, ladder)
		}
	}
	if len(single) > 1 {
		ladders = append(ladders, single)
	}
	return ladders
}

// climb compares each system of a ladder with the next larger one. It reports oneSize
// if there are several steps, but each system has one size only and no two hold the same.
func (r *Result) climb(h *held, ladder []*System) (steps []Step, oneSize bool) {
	var profiles []*profile
	for _, s := range ladder {
		if p := newProfile(h, s, r.Options); p != nil {
			profiles = append(profiles, p)
		}
	}
	slices.SortStableFunc(profiles, func(a, b *profile) int { return cmp.Compare(a.capacity, b.capacity) })
	c := comparison{held: h, result: r, given: r.Options.Efficiency > 0 && !h.speed, target: middle(profiles)}
	if c.given {
		c.target = r.Options.Efficiency
	}
	oneSize = len(profiles) > 2 // the reason of a single step is said once
	for i := range len(profiles) - 1 {
		step := c.step(profiles[i], profiles[i+1])
		oneSize = oneSize && step.Reason != "" && len(profiles[i].points) == 1 && len(profiles[i+1].points) == 1
		steps = append(steps, step)
	}
	return steps, oneSize
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

// says sums up the steps in a sentence; "" if none has a result.
func (s *Scaling) says() string {
	var best, worst *Step
	missing := 0
	for i := range s.Steps {
		x := &s.Steps[i]
		v := x.figure()
		if v == nil {
			missing++
			continue
		}
		if best == nil || *v > *best.figure() {
			best = x
		}
		if worst == nil || *v < *worst.figure() {
			worst = x
		}
	}
	if best == nil {
		return ""
	}
	says := worst.says() + "."
	if best != worst {
		says = "The hardest step: " + worst.says() + "; the easiest: " + best.says() + "."
	}
	if missing > 0 {
		says += fmt.Sprintf(" No result for %d of %s.", missing, input.Plural(len(s.Steps), "step"))
	}
	return says
}

// scaling returns the steps of a metric, or nil.
func (r *Result) scaling(metric string) *Scaling {
	for i := range r.Scaling {
		if r.Scaling[i].Metric == metric {
			return &r.Scaling[i]
		}
	}
	return nil
}

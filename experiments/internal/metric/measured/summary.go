package measured

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured/steps"
)

// Summary is one metric: what it says of these measurements and when it
// misleads, or what it needs.
type Summary struct {
	Metric   string `json:"metric"`
	Title    string `json:"title"`
	Computed bool   `json:"computed"`
	Says     string `json:"says,omitempty"`
	Misleads string `json:"misleads"`        // when
	Needs    string `json:"needs,omitempty"` // what is missing in the file
}

// summaries has all metrics that times may suffice for, in the order of the
// documentation.
func (r *Result) summaries() []Summary {
	var all []Summary
	for _, m := range Metrics() {
		if m.times == nil {
			continue
		}
		s := Summary{Metric: m.Name, Title: input.Capitalized(m.Label()), Misleads: m.Misleads, Says: r.says(m)}
		switch s.Computed = s.Says != ""; {
		case s.Computed:
		case r.oneSize[m.Name]:
			s.Needs = "several sizes on each system, so that neighbouring systems can have the same " + m.times.hold.symbol
		case m.times.hold != nil && r.scaling(m.Name) != nil:
			s.Needs = "sizes at which neighbouring systems reach the same value: larger ones on the larger system"
		default:
			s.Needs = m.times.needs
		}
		all = append(all, s)
	}
	return all
}

// Lacking is metrics that could not be computed for the same reason.
type Lacking struct {
	Titles []string
	Needs  string
}

// Missing groups the metrics that were not computed by what they need, which is then
// said once.
func Missing(all []Summary) []Lacking {
	var groups []Lacking
	for _, s := range all {
		if s.Computed {
			continue
		}
		i := slices.IndexFunc(groups, func(g Lacking) bool { return g.Needs == s.Needs })
		if i < 0 {
			i, groups = len(groups), append(groups, Lacking{Needs: s.Needs})
		}
		groups[i].Titles = append(groups[i].Titles, s.Title)
	}
	return groups
}

// says tells in a sentence what a metric says; "" if it could not be computed.
func (r *Result) says(m *Metric) string {
	switch t := m.times; {
	case t.says != nil:
		return t.says(r)
	case t.hold != nil:
		if s := r.scaling(m.Name); s != nil {
			return steps.Say(s.Steps)
		}
	default:
		if e, ok := r.extremes(valueOf(m.Name)); ok {
			return e.span(t.point.format) + t.point.phrase + "."
		}
	}
	return ""
}

// extremes are the smallest and the largest value of a metric and where they are.
type extremes struct {
	low, high     float64
	atLow, atHigh string
}

// extremes of a value over the points; false if no point has it.
func (r *Result) extremes(of func(*System, *Point) *float64) (e extremes, ok bool) {
	e.low, e.high = math.Inf(1), math.Inf(-1)
	for s, p := range r.Points() {
		v := of(s, p)
		if v == nil {
			continue
		}
		ok = true
		if *v >= e.low && *v <= e.high {
			continue
		}
		place := s.Label
		if p.Size > 0 {
			place += " at " + r.SizeName(p.Size)
		}
		if *v < e.low {
			e.low, e.atLow = *v, place
		}
		if *v > e.high {
			e.high, e.atHigh = *v, place
		}
	}
	return e, ok
}

// Largest returns the largest value of a metric in runs on more processes than it is
// relative to, and where that is; false if there is none.
func (r *Result) Largest(metric string) (value float64, at string, ok bool) {
	e, ok := r.extremes(inParallel(metric))
	return e.high, e.atHigh, ok
}

// span tells where a value is smallest and largest.
func (e extremes) span(format func(float64) string) string {
	if e.atLow == e.atHigh {
		return fmt.Sprintf("%s (%s)", format(e.low), e.atLow)
	}
	return fmt.Sprintf("From %s (%s) to %s (%s)", format(e.low), e.atLow, format(e.high), e.atHigh)
}

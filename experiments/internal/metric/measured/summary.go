package measured

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Summary describes one metric: what it says about these measurements and when it misleads, or what it needs.
type Summary struct {
	Metric   string `json:"metric"`
	Title    string `json:"title"`
	Computed bool   `json:"computed"`
	Says     string `json:"says,omitempty"`
	Misleads string `json:"misleads"`        // when
	Needs    string `json:"needs,omitempty"` // what is missing in the file
}

// summaries describes all metrics for which times may suffice, in the order of the documentation.
func (r *Result) summaries() []Summary {
	var all []Summary
	for _, m := range Metrics() {
		if m.InTimes == "" {
			continue
		}
		s := Summary{Metric: m.Name, Title: input.Capitalized(m.Label()), Misleads: m.Misleads, Says: r.says(m)}
		switch s.Computed = s.Says != ""; {
		case s.Computed:
		case r.oneSize[m.Name]:
			s.Needs = "several sizes on each system, so that neighbouring systems can have the same " + m.Holds.Symbol
		case m.Holds != nil && r.scaling(m.Name) != nil:
			s.Needs = "sizes at which neighbouring systems reach the same value: larger ones on the larger system"
		default:
			s.Needs = m.InTimes
		}
		all = append(all, s)
	}
	return all
}

// Lacking is a group of metrics that could not be computed for the same reason.
type Lacking struct {
	Titles []string
	Needs  string
}

// Missing groups the metrics that were not computed by what they need, so that it is said only once.
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

// says describes the values of a metric in a sentence; "" if it could not be computed.
func (r *Result) says(m *Metric) string {
	switch {
	case m.says != nil:
		return m.says(r)
	case m.Holds != nil:
		if s := r.scaling(m.Name); s != nil {
			return saySteps(s.Steps)
		}
	default:
		if e, ok := r.extremes(valueOf(m.Name)); ok {
			return e.span(m.format) + m.Phrase + "."
		}
	}
	return ""
}

// extremes are the smallest and the largest value of a metric and where they are.
type extremes struct {
	low, high     float64
	atLow, atHigh string
}

// extremes returns the extremes of a value over the points; false if no point has it.
func (r *Result) extremes(of func(place) float64) (e extremes, ok bool) {
	e.low, e.high = math.Inf(1), math.Inf(-1)
	for _, at := range r.places() {
		v := of(at)
		if v < e.low {
			e.low, e.atLow = v, at.name(" at ")
		}
		if v > e.high {
			e.high, e.atHigh = v, at.name(" at ")
		}
	}
	return e, e.low <= e.high
}

// span names the smallest and the largest value, and where they are.
func (e extremes) span(format func(float64) string) string {
	if e.atLow == e.atHigh {
		return fmt.Sprintf("%s (%s)", format(e.low), e.atLow)
	}
	return fmt.Sprintf("From %s (%s) to %s (%s)", format(e.low), e.atLow, format(e.high), e.atHigh)
}

package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Limit is a change of the scenario and what it saves.
type Limit struct {
	Probe  string  `json:"probe"`
	Sets   string  `json:"sets"`
	AtBest float64 `json:"saved_at_best"` // share of the time of the best point
	// Most is the number of configurations at which no other probe saves more, and
	// Mean the mean share over all.
	Most int     `json:"most"`
	Mean float64 `json:"mean"`

	column int
}

// LimitsAt are the limits of the points with one level of a factor without order.
type LimitsAt struct {
	Factor string  `json:"factor,omitempty"` // none: of all points
	Level  string  `json:"level,omitempty"`
	Of     int     `json:"of"` // configurations that some probe makes faster
	Limits []Limit `json:"limits"`

	Number int `json:"-"` // of the level
}

// findLimits finds what the probes say: of each level of the factors without order,
// such as networks, or of all points if there are none.
func (r *Result) findLimits() {
	if len(r.Study.Probes) == 0 {
		return
	}
	for i := range r.Study.Design.Factors {
		f := &r.Study.Design.Factors[i]
		if f.Numeric || f.Len() < 2 {
			continue
		}
		for l := range f.Len() {
			if x, ok := r.limitsWhere(i, l); ok {
				r.Limits = append(r.Limits, x)
			}
		}
	}
	if x, ok := r.limitsWhere(-1, 0); ok && r.Limits == nil {
		r.Limits = []LimitsAt{x}
	}
}

// limitsWhere are the limits of the points with a level of a factor; of all if the
// factor is -1. ok is false if there are no such points.
func (r *Result) limitsWhere(factor, level int) (x LimitsAt, ok bool) {
	x.Number = level
	if factor >= 0 {
		x.Factor, x.Level = r.Table.Factors[factor].Name, r.LevelText(factor, level)
	}
	goal := slices.Clone(r.Reference.At)
	if factor >= 0 {
		goal[factor] = level
	}
	for i := range r.Study.Probes {
		p := &r.Study.Probes[i]
		column, err := r.Table.ResponseIndex(p.Column())
		if err != nil {
			return x, false
		}
		x.Limits = append(x.Limits, Limit{Probe: p.Name, Sets: p.Sets(), column: column})
	}
	n := 0
	for _, row := range r.Table.Rows {
		v := row.Values[x.Limits[0].column]
		if v != v || factor >= 0 && row.Levels[factor] != level {
			continue
		}
		n++
		for i := range x.Limits {
			x.Limits[i].Mean += row.Values[x.Limits[i].column]
			if slices.Equal(row.Levels, goal) {
				x.Limits[i].AtBest = row.Values[x.Limits[i].column]
			}
		}
		if i, _ := x.MostSaved(row); i >= 0 {
			x.Of++
			x.Limits[i].Most++
		}
	}
	for i := range x.Limits {
		x.Limits[i].Mean /= float64(max(n, 1))
	}
	slices.SortStableFunc(x.Limits, func(a, b Limit) int { return cmp.Or(b.Most-a.Most, cmp.Compare(b.Mean, a.Mean)) })
	return x, n > 0
}

// worthSaving is the share of the time from which on a change counts.
const worthSaving = 0.001

// MostSaved returns the probe that saves most at a point, the first of equal ones, and
// the share of the time that it saves; -1 if none saves enough.
func (x *LimitsAt) MostSaved(row studytable.Row) (probe int, share float64) {
	probe, share = -1, worthSaving
	for i, l := range x.Limits {
		if v := row.Values[l.column]; v > share {
			probe, share = i, v
		}
	}
	return probe, share
}

// LimitsInWords says what limits.
func (r *Result) LimitsInWords() []string {
	var lines []string
	for _, x := range r.Limits {
		text := "What limits"
		if x.Factor != "" {
			text += fmt.Sprintf(" with %s = %s", x.Factor, x.Level)
		}
		var most, means []string
		for _, l := range x.Limits {
			switch {
			case l.Most == 0:
			case most == nil:
				most = append(most, fmt.Sprintf("%s at %d of %s", l.Probe, l.Most, input.Plural(x.Of, "point")))
			default:
				most = append(most, fmt.Sprintf("%s at %d", l.Probe, l.Most))
			}
			means = append(means, fmt.Sprintf("%s %.1f %%", l.Probe, 100*l.Mean))
		}
		if most == nil {
			lines = append(lines, text+": no change saves a thousandth of the time of any point.")
			continue
		}
		lines = append(lines, text+": "+strings.Join(most, ", ")+". Of the time, the changes save on average: "+strings.Join(means, ", ")+".")
	}
	return lines
}

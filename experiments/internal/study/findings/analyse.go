package findings

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// scan looks for failures and the best point without keeping the rows.
func (r *Result) scan() error {
	value := r.Study.ValueOf(r.Response.Name)
	for row, err := range r.Study.Dir.Rows() {
		if err != nil {
			return err
		}
		v, err := value(row)
		if err != nil {
			return err
		}
		switch {
		case math.IsNaN(v):
			r.Failed++
		case r.Reference == nil || r.Goal == studytable.Maximize && v > r.Reference.Value || r.Goal == studytable.Minimize && v < r.Reference.Value:
			p, err := r.Study.PointOf(row)
			if err != nil {
				return err
			}
			r.Reference = &Best{Configuration: *r.configuration(p.Levels, v)}
		}
	}
	r.Best = r.Reference
	r.warnFailed()
	return nil
}

// analyse answers all questions.
func (r *Result) analyse() error {
	t, err := r.Study.Subject()
	if err != nil {
		return err
	}
	r.Table = t
	response, err := t.ResponseIndex(r.Response.Name)
	if err != nil {
		return err
	}
	for _, row := range t.Rows {
		if math.IsNaN(row.Values[response]) {
			r.Failed++
		}
	}
	r.warnFailed()
	if r.Failed == len(t.Rows) {
		return nil
	}
	if r.Ranking, err = analysis.Rank(t, r.Response.Name, r.Goal, len(t.Rows)); err != nil {
		return err
	}
	first := r.Ranking[0]
	r.Reference = &Best{Configuration: *r.configuration(first.Levels, first.Mean), StdErr: known(first.StdErr), Tied: first.Tied}
	if r.findUnequal(); r.Unequal == "" {
		r.Best = r.Reference
	}
	r.findRounded()
	if r.Study.Search != nil {
		// What the search chose says little of effects, and neighbours are missing.
		return r.findPredictions()
	}
	r.findDifference()
	r.findLosses()
	r.Relation = analysis.FindRelation(t)
	r.findLimits()
	r.findEffects()
	switch {
	case r.Study.Design.Kind != design.Factorial:
		// Neighbours were not simulated, so there are no steps.
	case r.Size == r.Response:
		r.findSpending()
		r.warn("%s is both the objective and the size, so there is no growth path", r.Size.Name)
	default:
		r.findGrowth()
		r.findSpending()
		r.findScaling()
	}
	return nil
}

func (r *Result) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

func (r *Result) warnFailed() {
	if r.Failed > 0 {
		r.warn("%d of %d points failed; see the column error of the results", r.Failed, r.Points)
	}
}

func (r *Result) configuration(levels []int, value float64) *Configuration {
	c := &Configuration{Levels: map[string]string{}, Value: value, At: levels}
	for i, l := range levels {
		c.Levels[r.Study.Design.Factors[i].Name] = r.LevelText(i, l)
	}
	return c
}

// LevelText returns a level of a factor, both by number, with its unit.
func (r *Result) LevelText(factor, level int) string {
	return r.Study.Design.Factors[factor].Text(level)
}

// Describe returns a configuration in words; factors whose level is -1 are left out.
func (r *Result) Describe(levels []int) string { return r.Study.Design.Describe(levels) }

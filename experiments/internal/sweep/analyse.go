package sweep

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/analysis"
	"github.com/isoscale/isoscale/experiments/internal/design"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/studytable"
)

// scan looks for failures and the best point without keeping the rows.
func (r *Result) scan() error {
	value := r.study.valueOf(r.response.Name)
	for row, err := range r.study.Dir.Rows() {
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
		case r.best == nil || r.goal == studytable.Maximize && v > r.best.Value || r.goal == studytable.Minimize && v < r.best.Value:
			p, err := r.study.pointOf(row)
			if err != nil {
				return err
			}
			r.best = &Best{Configuration: *r.configuration(p.Levels, v)}
		}
	}
	r.Best = r.best
	r.warnFailed()
	return nil
}

// analyse answers all questions.
func (r *Result) analyse() error {
	t, err := r.study.Table()
	if err != nil {
		return err
	}
	r.study.express(t, r.response.Name, r.size.Name, r.cost.Name)
	for _, x := range r.study.only {
		if t, err = t.Fix(t.Factors[x.factor].Name, x.level); err != nil {
			return err
		}
	}
	r.table = t
	response, err := t.ResponseIndex(r.response.Name)
	if err != nil {
		return err
	}
	values := make([]float64, len(t.Rows))
	for i, row := range t.Rows {
		if values[i] = row.Values[response]; math.IsNaN(values[i]) {
			r.Failed++
		}
	}
	r.shown = page.Display(r.response.Unit, values...)
	r.warnFailed()
	if r.Failed == len(t.Rows) {
		return nil
	}
	if r.everyone, err = analysis.Rank(t, r.response.Name, r.goal, len(t.Rows)); err != nil {
		return err
	}
	r.ranked = r.everyone[:min(ranked, len(r.everyone))]
	first := r.ranked[0]
	r.best = &Best{Configuration: *r.configuration(first.Levels, first.Mean), StdErr: known(first.StdErr), Tied: first.Tied}
	if r.findUnequal(); r.unequal == "" {
		r.Best = r.best
	}
	r.findRounded()
	if r.study.search != nil {
		// What the search chose says little of effects, and neighbours are missing.
		return r.findPredictions()
	}
	r.findDifference()
	r.findLosses()
	r.relation = analysis.FindRelation(t)
	r.findLimits()
	r.findSensitivity()
	r.findEffects()
	switch {
	case r.study.Design.Kind != design.Factorial:
		// Neighbours were not simulated, so there are no steps.
	case r.size == r.response:
		r.findSpending()
		r.warn("%s is both the objective and the size, so there is no growth path", r.size.Name)
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
	c := &Configuration{Levels: map[string]string{}, Value: value, levels: levels}
	for i, l := range levels {
		c.Levels[r.study.Design.Factors[i].Name] = r.levelText(i, l)
	}
	return c
}

func (r *Result) levelText(factor, level int) string {
	return levelText(&r.study.Design.Factors[factor], level)
}

func (r *Result) describe(levels []int) string { return describe(r.study.Design, levels) }

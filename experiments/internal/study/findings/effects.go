package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/effects"
)

func (r *Result) findSensitivity() {
	s, err := effects.Sensitivity(r.Table, r.Response.Name)
	if err != nil {
		r.warn("the sensitivity could not be computed: %v", err)
		return
	}
	for _, w := range s.Warnings {
		r.warn("%s", w)
	}
	for _, f := range s.Factors {
		if !f.Varied {
			continue
		}
		r.Sensitivity = append(r.Sensitivity, Sensitivity{
			Factor: r.Table.Factors[f.Factor].Name,
			Lowest: f.Lowest, LowestAt: r.where(&f, f.LowestLevel, &f.LowestBin),
			Highest: f.Highest, HighestAt: r.where(&f, f.HighestLevel, &f.HighestBin),
			Elasticity: known(f.Elasticity), Share: f.Share, LogShare: known(f.LogShare), TotalShare: known(f.TotalShare),
			NoEffect: f.NoEffect, Confounded: f.Confounded, ByChance: f.Binned && f.Chance > 0.05,
		})
	}
	r.findTotals(s.Method)
}

// mostForTotals bounds the rows of which total indices are computed that do not follow
// from the sums of squares.
const mostForTotals = 20_000

// findTotals adds the total indices of designs in which they do not follow from the
// sums of squares alone, and intervals.
func (r *Result) findTotals(method effects.Method) {
	exact := method == effects.FullFactorial && r.Study.Design.Repetitions == 1
	if exact || len(r.Sensitivity) < 2 || len(r.Table.Rows) > mostForTotals {
		return
	}
	totals, err := effects.TotalIndices(r.Table, r.Response.Name, uint64(r.Study.Design.Seed))
	if err != nil {
		r.Totals = err.Error()
		return
	}
	if totals.Degree > 0 {
		r.Totals = fmt.Sprintf("Shares with interactions are total Sobol indices of a polynomial of degree %d, which predicts %.1f %% of the variance of configurations left out.", totals.Degree, 100*totals.Explained)
	}
	for _, x := range totals.Indices {
		name := r.Table.Factors[x.Factor].Name
		if i := slices.IndexFunc(r.Sensitivity, func(s Sensitivity) bool { return s.Factor == name }); i >= 0 {
			s := &r.Sensitivity[i]
			s.TotalShare, s.TotalLow, s.TotalHigh = known(x.Share), known(x.Low), known(x.High)
		}
	}
}

// where is a level, or the range that the levels of a sampled factor were taken
// together in.
func (r *Result) where(f *effects.FactorSensitivity, level int, bin *effects.Bin) string {
	if !f.Binned {
		return r.LevelText(f.Factor, level)
	}
	text := fmt.Sprintf("%.3g to %.3g", bin.Low, bin.High)
	if u := r.Study.Design.Factors[f.Factor].Unit; u != "" {
		text += " " + u
	}
	return text
}

// known returns nil for a number that does not exist.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func (r *Result) findEffects() {
	varied := 0
	for i := range r.Study.Design.Factors {
		if r.Study.Design.Factors[i].Len() > 1 {
			varied++
		}
	}
	e, err := effects.Of(r.Table, r.Response.Name, varied <= effects.MaxInteractionFactors)
	if err != nil {
		r.warn("effects could not be computed: %v", err)
		return
	}
	r.effects = e
	for _, w := range e.Warnings {
		if !slices.Contains(r.Warnings, w) {
			r.warn("%s", w)
		}
	}
	x := &Effects{Method: e.Method.String(), Mean: e.Mean, Main: []Effect{}, HigherShare: e.Higher.Share, ErrorShare: e.Error.Share}
	for _, m := range e.Main {
		one := Effect{Factor: r.Table.Factors[m.Factor].Name, Share: m.Share, Range: m.Range}
		for _, l := range m.Levels {
			one.Levels = append(one.Levels, LevelEffect{r.LevelText(m.Factor, l.Level), l.Effect})
		}
		x.Main = append(x.Main, one)
	}
	for _, i := range e.Interactions {
		x.Interactions = append(x.Interactions, Interaction{
			[2]string{r.Table.Factors[i.Factors[0]].Name, r.Table.Factors[i.Factors[1]].Name}, i.Share})
	}
	r.Effects = x
}

package effects

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// significance is how often an effect that is none may stand out.
const significance = 0.05

// repeated are the responses of the repetitions that all configurations have.
type repeated struct {
	means []float64   // of the configurations, as deviations from the mean of all
	off   [][]float64 // by repetition: deviations from those means and from the mean of the repetition
	scale float64     // of the responses
}

// repeatedOf returns nil with fewer than two such repetitions.
func repeatedOf(c *analysis.Cells) *repeated {
	have := map[int]int{}
	for i := range c.List {
		for _, row := range c.List[i].Rows {
			have[row.Repetition]++
		}
	}
	r := &repeated{means: make([]float64, len(c.List))}
	place := map[int]int{} // of a repetition in off
	for i := range c.List {
		for _, row := range c.List[i].Rows {
			if have[row.Repetition] < len(c.List) {
				continue
			}
			k, known := place[row.Repetition]
			if !known {
				k = len(r.off)
				place[row.Repetition] = k
				r.off = append(r.off, make([]float64, len(c.List)))
			}
			r.off[k][i] = row.Values[c.Column]
		}
	}
	if len(r.off) < 2 {
		return nil
	}
	for _, of := range r.off {
		floats.AddScaled(r.means, 1/float64(len(r.off)), of)
		r.scale = max(r.scale, floats.Norm(of, math.Inf(1)))
	}
	for _, of := range r.off {
		floats.Sub(of, r.means)
		floats.AddConst(-stat.Mean(of, nil), of)
	}
	floats.AddConst(-stat.Mean(r.means, nil), r.means)
	return r
}

// standsOut reports whether a part of the variance of the means, of so many degrees of freedom, is more than the
// noise of repetitions would cause. What the draws of a repetition do to all configurations alike cancels, so with
// two levels the answer is that of the paired t-test.
//
// Source: the F-test of a factor against its interaction with the repetitions, in [Montgomery2017]'s chapter on blocks.
func (r *repeated) standsOut(df int, part func(deviations []float64) float64) bool {
	signal, noise := part(r.means), 0.0
	for _, of := range r.off {
		noise += part(of)
	}
	rounding := noEffect * r.scale
	if df == 0 || signal <= rounding*rounding {
		return false
	}
	if noise <= rounding*rounding {
		return true
	}
	n := float64(len(r.off))
	return distuv.F{D1: float64(df), D2: float64(df) * (n - 1)}.Survival(n*(n-1)*signal/noise) <= significance
}

package effects

import (
	"math"
	"math/rand/v2"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// significance is how often an effect that does not exist may stand out.
const significance = 0.05

// repeated are the responses of the repetitions that all configurations have.
type repeated struct {
	means  []float64   // of the configurations, as deviations from the mean of all
	off    [][]float64 // by repetition: deviations from the configuration's mean and the repetition's mean
	common []float64   // by repetition: its mean over the configurations, relative to the mean of all
	scale  float64     // of the responses
	// noise is the variance of a single run that configurations do not share: the residual of configurations and
	// repetitions.
	noise float64
}

// repeatedOf returns nil if all configurations share fewer than two repetitions.
func repeatedOf(c *analysis.Cells) *repeated {
	have := map[int]int{}
	for i := range c.List {
		for _, row := range c.List[i].Rows {
			have[row.Repetition]++
		}
	}
	r := &repeated{means: make([]float64, len(c.List))}
	place := map[int]int{} // of a repetition's number in off
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
	squares := 0.0
	for _, of := range r.off {
		floats.Sub(of, r.means)
		r.common = append(r.common, stat.Mean(of, nil))
		floats.AddConst(-r.common[len(r.common)-1], of)
		squares += floats.Dot(of, of)
	}
	r.noise = r.pooled(squares)
	floats.AddConst(-stat.Mean(r.means, nil), r.means)
	return r
}

// halves returns half the 95 % intervals of the mean at each of n levels less the mean of all, by Student's t over the
// repetitions: what a repetition does to all configurations alike cancels. places are the configurations' levels.
func (r *repeated) halves(places []int, n int) (halves []float64) {
	for level := range n {
		var means []float64
		for _, of := range r.off {
			var at []float64
			for i, place := range places {
				if place == level {
					at = append(at, of[i])
				}
			}
			means = append(means, stat.Mean(at, nil))
		}
		half := float64(analysis.IntervalOf(0, stat.StdErr(stat.StdDev(means, nil), float64(len(means))), len(means))[1])
		if half <= noEffect*r.scale {
			half = 0
		}
		halves = append(halves, half)
	}
	return halves
}

// pooled returns the variance of residuals with this sum of squares.
func (r *repeated) pooled(squares float64) float64 {
	return squares / float64(max(len(r.means)-1, 1)*(len(r.off)-1))
}

// resampled returns means of configurations with as many new draws as they have, and the noise of a run. What a
// repetition does to all alike is drawn for all together. A resample of n draws has (n - 1)/n of their variance, which
// is corrected.
func (r *repeated) resampled(c *analysis.Cells, noise float64, random *rand.Rand) (means []float64, of float64) {
	n, squares := len(r.off), 0.0
	scale := math.Sqrt(float64(len(r.means)) / float64(max(len(r.means)-1, 1)) / float64(n-1))
	for i := range r.means {
		sum := 0.0
		for range n {
			x := r.off[random.IntN(n)][i]
			sum += x
			squares += float64(x * x)
		}
		means = append(means, c.List[i].Mean+sum*scale/math.Sqrt(float64(len(c.List[i].Rows))))
	}
	drawn := make([]float64, n)
	for k := range drawn {
		drawn[k] = r.common[random.IntN(n)]
	}
	noise += r.pooled(squares) - r.noise
	return means, noise + stat.Variance(drawn, nil)*float64(n)/float64(n-1) - stat.Variance(r.common, nil)
}

// standsOut reports whether a part of the variance of the means, with df degrees of freedom, is more than the noise of
// repetitions would cause. What the draws of a repetition do to all configurations alike cancels, so for two levels
// this is the paired t-test.
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

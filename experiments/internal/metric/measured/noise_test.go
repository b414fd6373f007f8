package measured

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// tableOf are times n^3/p + 4 n^2 log2(p) in ns, with some runs each of a relative error.
func tableOf(t *testing.T, runs int, deviation float64, rng *rand.Rand) *Result {
	var text strings.Builder
	text.WriteString("processes,n,work [flop],time [s]\n")
	for _, p := range []float64{2, 4, 8, 16} {
		for _, n := range []float64{20, 40, 80, 160, 320} {
			for range runs {
				time := 1e-9 * (n*n*n/p + 4*n*n*math.Log2(p))
				fmt.Fprintf(&text, "%g,%g,%g,%g\n", p, n, n*n*n, time*math.Exp(deviation*rng.NormFloat64()))
			}
		}
	}
	return metricsOf(t, text.String())
}

// The intervals of psi hold what times without errors give in some 95 of 100 tables of times with errors, and they are no
// wider than they must be: of runs that are as many times as many they are half as wide.
func TestIntervalsHoldPsi(t *testing.T) {
	expect.Long(t, "fits hundreds of tables")
	rng := rand.New(rand.NewPCG(7, 7))
	truth := tableOf(t, 1, 0, rng).scaling("isospeed").Steps
	width := map[int]float64{}
	for _, runs := range []int{3, 12} {
		held, all := 0, 0
		for range 25 {
			for i, s := range tableOf(t, runs, 0.03, rng).scaling("isospeed").Steps {
				expect.Need(t, truth[i].Psi > 0 && s.Psi > 0 && s.Interval != nil, "step %d: %+v", i, s)
				if all++; s.Interval.Low <= truth[i].Psi && truth[i].Psi <= s.Interval.High {
					held++
				}
				width[runs] += math.Log(s.Interval.High / s.Interval.Low)
			}
		}
		share := float64(held) / float64(all)
		t.Logf("%d runs: %d of %d intervals hold psi, a factor of %.3f from end to end", runs, held, all, math.Exp(width[runs]/float64(all)))
		expect.That(t, share >= 0.88, "%d runs: %d of %d intervals hold psi", runs, held, all)
	}
	ratio := width[3] / width[12]
	expect.That(t, ratio > 1.7 && ratio < 2.4, "three runs have intervals %.2f times as wide as twelve, expected 2", ratio)
}

// Times without overhead hold any speed at any size: psi of their errors has an interval around 1, and no step is the hardest.
func TestNoiseIsNoStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var text strings.Builder
	text.WriteString("processes,n,work [flop],time [s]\n")
	for _, p := range []float64{1, 2, 4, 8, 16, 32} {
		for _, n := range []float64{1000, 2000, 4000} {
			for range 5 {
				fmt.Fprintf(&text, "%g,%g,%g,%g\n", p, n, n*n*n, 1e-9*n*n*n/p*math.Exp(0.05*rng.NormFloat64()))
			}
		}
	}
	r := metricsOf(t, text.String())
	found := ranked(r.scaling("isospeed").Steps)
	expect.Need(t, len(found) > 1, "%d steps have a result", len(found))
	for _, s := range found {
		expect.That(t, s.Interval.Low < 1 && s.Interval.High > 1, "psi = %g is 1 but for noise: %+v", s.Psi, s.Interval)
	}
	_, m := FindMetric("isospeed")
	says := r.says(m)
	expect.That(t, strings.Contains(says, "; the runs do not tell the ") && !strings.Contains(says, "hardest"), "%s", says)
}

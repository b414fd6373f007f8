package analysis_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"github.com/isoscale/isoscale/internal/expect"
)

// In at most 5 % of 1000 tables of equal configurations, plus two standard errors of that, 1.4 %, are some told apart
// from the best. Their noise is normal, partly common to a repetition. This includes six configurations, where the best
// is the one that noise favours.
func TestEqualConfigurationsAreToldApartSeldom(t *testing.T) {
	for _, names := range [][]string{{"a", "b"}, {"a", "b", "c", "d", "e", "f"}} {
		wrong := 0
		for seed := range uint64(1000) {
			r := rand.New(rand.NewPCG(seed, 9))
			common := make([]float64, 5)
			for k := range common {
				common[k] = 100 + 20*r.NormFloat64()
			}
			c := expect.Value(kit.Factorial([]Factor{kit.Words("m", names...)}, 5, func(_ []float64, repetition int) float64 {
				return common[repetition] + r.NormFloat64()
			}).Gather("y", Minimize))(t)
			for _, x := range c.Rank() {
				if !x.WithinNoise {
					wrong++
					break
				}
			}
		}
		t.Logf("%d of 1000 tables of %d", wrong, len(names))
		expect.That(t, wrong <= 64, "%d of 1000 tables of %d configurations", wrong, len(names))
	}
}

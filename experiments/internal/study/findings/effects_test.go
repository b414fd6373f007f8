package findings

import (
	"math"
	"strings"
	"testing"
)

// A design says what matters, or why it cannot.
func TestEffectsInWords(t *testing.T) {
	const scenario = "scenario: {workload: super-program, levels: [1, 1], tasks: [16, 16], imbalance: [0, 0]}\n"
	const factors = "factors: {n1: {path: \"levels[0]\", values: [1, 2, 4, 8]}, n2: {path: \"levels[1]\", values: [1, 2, 4]}}\n"
	for name, test := range map[string]struct{ plan, want string }{
		"grid":     {scenario + factors, "Of the variance of log2_speedup, n1 has a share of"},
		"excluded": {scenario + factors + "exclude: [n1*n2 > 8]\n", "Of the variance of log2_speedup, n1 has a share of"},
		"paired": {scenario + "design: paired\nfactors: {\"levels[0]\": [1, 2, 4], \"levels[1]\": [1, 2, 4]}\n",
			"What matters is unknown: the 3 configurations have 3 levels of levels[0]"},
		"hypercube": {scenario + "design: {latin_hypercube: 6}\nfactors: {a: {path: \"tasks[0]\", from: 10, to: 60}, b: {path: \"tasks[1]\", from: 10, to: 60}}\nexclude: [a > 50]\n",
			"What matters is unknown: the plan excludes a part of the hypercube"},
	} {
		r := finished(t, test.plan)
		text := strings.Join(r.EffectsInWords(), "\n")
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: %q; want %q", name, text, test.want)
		}
		if (r.Effects == nil) != (r.Unknown != "") || len(r.Strongest()) != 2 {
			t.Errorf("%s: effects %v, unknown %q, strongest %v", name, r.Effects, r.Unknown, r.Strongest())
		}
		if r.Effects == nil {
			continue
		}
		sum := r.Effects.NoiseShare
		for _, f := range r.Effects.Factors {
			sum += f.Share
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: shares add up to %v", name, sum)
		}
	}
}

package effects

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

func mustSensitivity(t studytabletest.Tester, table *studytable.Table) *Sensitivities {
	t.Helper()
	s, err := Sensitivity(table, "y")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// y = x^2/sqrt(z), which w does not enter: elasticities 2 and -1/2.
func TestSensitivity(t *testing.T) {
	law := func(x []float64, _ int) float64 { return x[0] * x[0] / math.Sqrt(x[1]) }
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("x", 1, 2, 4), studytabletest.Numbers("z", 1, 9), studytabletest.Numbers("w", 5, 6), studytabletest.Words("kind", "u", "v"), studytabletest.Numbers("one", 3)}, 1, law)
	s := mustSensitivity(t, table)
	if s.Method != FullFactorial || s.Factors[0].Factor != 0 || s.Factors[1].Factor != 1 {
		t.Fatalf("%+v", s)
	}
	byFactor := make(map[int]FactorSensitivity)
	for _, f := range s.Factors {
		byFactor[f.Factor] = f
	}
	x, z, w := byFactor[0], byFactor[1], byFactor[2]
	studytabletest.CloseTo(t, "elasticity of x", x.Elasticity, 2)
	studytabletest.CloseTo(t, "elasticity of z", z.Elasticity, -0.5)
	studytabletest.CloseTo(t, "elasticity of w", w.Elasticity, 0)
	if !math.IsNaN(byFactor[3].Elasticity) || !math.IsNaN(byFactor[4].Elasticity) {
		t.Error("an elasticity of words, or of one level")
	}
	// Means over z of 1, 4, 16: the mean of 1 and 1/3 is 2/3.
	studytabletest.CloseTo(t, "lowest", x.Lowest, 2.0/3)
	studytabletest.CloseTo(t, "highest", x.Highest, 32.0/3)
	if x.LowestLevel != 0 || x.HighestLevel != 2 || x.NoEffect || x.Warning != "" || !x.Varied {
		t.Errorf("%+v", x)
	}
	// By hand: x^2 is 7 + (-6, -3, 9), z^-1/2 is 2/3 +- 1/3, in units of 1/3 2 +- 1. In
	// those units variances are 42 * 4 of x, 49 of z, 42 of both: 259 in all.
	studytabletest.CloseTo(t, "share of x", x.Share, 168.0/259)
	studytabletest.CloseTo(t, "share of z", z.Share, 49.0/259)
	studytabletest.CloseTo(t, "total share of x", x.TotalShare, 210.0/259)
	studytabletest.CloseTo(t, "total share of z", z.TotalShare, 91.0/259)
	for k, want := range map[int]string{2: "w has no effect", 3: "kind has no effect", 4: "only one level of one"} {
		if f := byFactor[k]; !strings.Contains(f.Warning, want) || f.NoEffect != (k != 4) || f.Varied != (k != 4) {
			t.Errorf("%+v, want a warning of %q", f, want)
		}
	}
	if len(s.Warnings) != 3 {
		t.Errorf("%q", s.Warnings)
	}
}

// A factor that acts only together with another has no main effect, but it has one.
func TestSensitivityOfInteraction(t *testing.T) {
	s := mustSensitivity(t, studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", -1, 1), studytabletest.Numbers("b", -1, 1)}, 1, func(x []float64, _ int) float64 { return x[0] * x[1] }))
	for _, f := range s.Factors {
		if f.Share != 0 || f.TotalShare != 1 || f.NoEffect {
			t.Errorf("%+v", f)
		}
	}
}

// Differences of the last bits are none; those of a part in 1e11 are some.
func TestNoEffectAllowsForRounding(t *testing.T) {
	for difference, want := range map[float64]bool{0: true, 1e-13: true, 1e-11: false} {
		s := mustSensitivity(t, studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 0, 1), studytabletest.Numbers("b", 1, 2, 3)}, 1, func(x []float64, _ int) float64 { return x[1] * (1 + difference*x[0]) }))
		for _, f := range s.Factors {
			if f.Factor == 0 && f.NoEffect != want {
				t.Errorf("%v: %+v", difference, f)
			}
		}
	}
	// No two rows of a Latin hypercube agree in all factors but one.
	s := mustSensitivity(t, studytabletest.LatinHypercube(40, 3, func(x []float64) float64 { return 3*x[0] - x[1] }))
	for _, f := range s.Factors {
		if f.NoEffect != (f.Factor == 2) || !math.IsNaN(f.TotalShare) {
			t.Errorf("%+v", f)
		}
	}
}

// Elasticities of a Latin hypercube are those of the law, although its factors are
// not quite uncorrelated.
func TestElasticityOfLatinHypercube(t *testing.T) {
	s := mustSensitivity(t, studytabletest.LatinHypercube(30, 3, func(x []float64) float64 { return 7 * math.Pow(x[0], 1.5) / x[2] }))
	for _, f := range s.Factors {
		studytabletest.CloseTo(t, "elasticity", f.Elasticity, []float64{1.5, 0, -1}[f.Factor])
	}
	// Two factors in step cannot be told apart: each gets all.
	table := &studytable.Table{Factors: []studytable.Factor{studytabletest.Numbers("a", 1, 2, 4), studytabletest.Numbers("b", 10, 20, 40)}, Responses: []studytable.Response{{Name: "y"}}}
	for i, y := range []float64{1, 8, 64} {
		table.Rows = append(table.Rows, studytable.Row{Levels: []int{i, i}, Values: []float64{y}})
	}
	for _, f := range mustSensitivity(t, table).Factors {
		studytabletest.CloseTo(t, "elasticity", f.Elasticity, 3)
	}
}

// Factor a does nothing but for noise. Each of two tests at 5 % takes noise for an
// effect once in twenty times, so of 400 draws at least 90 % and at most 95 % are
// recognized, give or take four standard deviations of 6. b and c stand out always,
// c although it acts through b alone.
func TestWithinNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	recognized := 0
	for range 400 {
		table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 0, 1), studytabletest.Numbers("b", 0, 1, 2), studytabletest.Numbers("c", 0, 1)}, 5, func(x []float64, _ int) float64 {
			return 100 + 5*x[1] + (2*x[2]-1)*(2*x[1]-2) + rng.NormFloat64()
		})
		for _, f := range mustSensitivity(t, table).Factors {
			if (f.Warning != "") != f.WithinNoise || f.NoEffect || f.WithinNoise && f.Factor != 0 {
				t.Errorf("%+v", f)
			}
			if f.WithinNoise {
				recognized++
			}
		}
	}
	if recognized < 360-24 || recognized > 380+24 {
		t.Errorf("recognized %d of 400", recognized)
	}
}

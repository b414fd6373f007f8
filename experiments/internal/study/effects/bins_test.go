package effects

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
	"pgregory.net/rapid"
)

// sampled returns a Latin hypercube of n points over factors of given quantiles.
func sampled(n int, seed uint64, f func(x []float64) float64, quantiles ...func(u float64) float64) *studytable.Table {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := &studytable.Table{Responses: []studytable.Response{{Name: "y"}}, Rows: make([]studytable.Row, n)}
	for k, quantile := range quantiles {
		var x []float64
		for i := range n {
			x = append(x, quantile((float64(i)+rng.Float64())/float64(n)))
		}
		t.Factors = append(t.Factors, studytabletest.Numbers(string(rune('a'+k)), x...))
		for i, l := range rng.Perm(n) {
			t.Rows[i].Levels = append(t.Rows[i].Levels, l)
		}
	}
	for i := range t.Rows {
		t.Rows[i].Values = []float64{f(studytabletest.ValuesOf(t, t.Rows[i].Levels))}
	}
	return t
}

func decades(low, high float64) func(float64) float64 {
	return func(u float64) float64 { return low * math.Pow(high/low, u) }
}

// A time of work over speed and of volume over bandwidth, with latency, on machines
// that are more or less loaded: over four factors by ratio and one by distance, from
// near 0. No number in the answer may lie outside the data, and each is the mean that
// a look at the rows gives.
func TestSensitivityOfSamples(t *testing.T) {
	for seed := range uint64(20) {
		table := sampled(200, seed, func(x []float64) float64 { return (x[0]/x[1] + x[2]/x[3]) / (1 - x[4]) },
			decades(1e9, 1e12), decades(1e9, 1e11), decades(1e3, 1e8), decades(1e7, 1e10), func(u float64) float64 { return 0.9 * u })
		s := mustSensitivity(t, table)
		if s.Method != Binned || !s.Wide || s.Confounded {
			t.Fatalf("%v, wide %v, confounded %v, %q", s.Method, s.Wide, s.Confounded, s.Warnings)
		}
		for _, f := range s.Factors {
			// Levels are in order and there is one for each row: fifths are by level / 40.
			var sums [5]float64
			for _, row := range table.Rows {
				sums[row.Levels[f.Factor]/40] += row.Values[0] / 40
			}
			low, high := slices.Index(sums[:], slices.Min(sums[:])), slices.Index(sums[:], slices.Max(sums[:]))
			studytabletest.CloseTo(t, "lowest", f.Lowest, sums[low])
			studytabletest.CloseTo(t, "highest", f.Highest, sums[high])
			levels := table.Factors[f.Factor].Levels
			if !f.Binned || f.LowestBin.LowLevel != 40*low || f.LowestBin.Low != levels[40*low].Value || f.HighestBin.High != levels[40*high+39].Value ||
				f.LowestLevel != 40*low+19 || f.HighestLevel != 40*high+19 {
				t.Errorf("%+v", f)
			}
			if f.Share < 0 || f.Share > 1 || f.LogShare < 0 || f.LogShare > 1 {
				t.Errorf("%s: shares %v and %v", table.Factors[f.Factor].Name, f.Share, f.LogShare)
			}
		}
	}
}

// Of y = a b with a and b log-uniform over d decades and independent, E y = m^2 and
// E y^2 = q^2, where with L = d ln 10 and the least value 1, m = (10^d - 1)/L and q =
// (10^2d - 1)/(2 L). The first-order indices are m^2 (q - m^2)/(q^2 - m^4); c has none.
// Of the logarithm they are a half each.
func TestSharesOfSamples(t *testing.T) {
	const d = 1.5
	l := d * math.Ln10
	m, q := (math.Pow(10, d)-1)/l, (math.Pow(10, 2*d)-1)/(2*l)
	want := m * m * (q - m*m) / (q*q - m*m*m*m)
	const draws, n = 30, 1000
	var sums, logs [3]float64
	rejected := 0
	for seed := range uint64(draws) {
		s := mustSensitivity(t, sampled(n, seed, func(x []float64) float64 { return x[0] * x[1] }, decades(1, math.Pow(10, d)), decades(1, math.Pow(10, d)), decades(1, 10)))
		if s.Method != Binned {
			t.Fatal(s.Method)
		}
		for _, f := range s.Factors {
			sums[f.Factor] += f.Share / draws
			logs[f.Factor] += f.LogShare / draws
			if f.Factor == 2 && f.Chance < 0.05 {
				rejected++
			}
			if f.Factor != 2 && f.Chance > 1e-6 {
				t.Errorf("chance %v of a factor that matters", f.Chance)
			}
		}
	}
	// The 22 bins of a thousand take 1.5 decades in steps of a factor of 1.17: what
	// varies within them is below 1 % of the index. A share below 0 is taken for 0, so
	// that of c is sqrt(2*21)/1000/sqrt(2 pi) = 0.003 on average.
	for k, w := range []float64{want, want, 0} {
		if math.Abs(sums[k]-w) > 0.02 {
			t.Errorf("share of factor %d is %v, want %v", k, sums[k], w)
		}
	}
	if sums[2] > 0.006 {
		t.Errorf("share of a factor that does nothing: %v", sums[2])
	}
	// A sample has correlations of about 1/sqrt(1000) = 0.03, so one share of 0.5 has a
	// standard deviation of about 0.016, and the mean of 30 of 0.003.
	for k, w := range []float64{0.5, 0.5, 0} {
		if math.Abs(logs[k]-w) > 0.012 {
			t.Errorf("share of the logarithm of factor %d is %v, want %v", k, logs[k], w)
		}
	}
	// Of 30 draws at 5 % more than 6 come once in a thousand times.
	if rejected > 6 {
		t.Errorf("%d of %d", rejected, draws)
	}
}

// Whatever the response, means over bins are within it, and shares are shares.
func TestSamplesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(7, 60).Draw(t, "n")
		value := rapid.OneOf(rapid.Float64Range(1e-6, 1e6), rapid.Just(1.0))
		table := sampled(n, uint64(n), func([]float64) float64 { return value.Draw(t, "y") }, decades(1, 1e6), func(u float64) float64 { return u })
		// A third factor of two words, and some rows that are there twice.
		table.Factors = append(table.Factors, studytabletest.Words("w", "u", "v"))
		for i := range table.Rows {
			table.Rows[i].Levels = append(table.Rows[i].Levels, i%2)
		}
		for _, row := range table.Rows[:rapid.IntRange(0, n).Draw(t, "repeated")] {
			table.Rows = append(table.Rows, studytable.Row{Levels: row.Levels, Values: []float64{value.Draw(t, "y")}})
		}
		least, most := math.Inf(1), math.Inf(-1)
		for _, row := range table.Rows {
			least, most = min(least, row.Values[0]), max(most, row.Values[0])
		}
		slack := 1e-12 * most
		e := mustEffects(t, table, false)
		for _, m := range e.Main {
			for _, b := range m.Bins {
				if b.Mean < least-slack || b.Mean > most+slack || b.Low > b.High {
					t.Fatalf("%+v", b)
				}
			}
			if (m.Bins != nil) != (m.Factor < 2) {
				t.Fatalf("%d bins of factor %d", len(m.Bins), m.Factor)
			}
			for _, l := range m.Levels {
				if y := e.Mean + l.Effect; y < least-slack || y > most+slack {
					t.Fatalf("%v outside %v to %v", y, least, most)
				}
			}
			if m.Share < 0 || m.Share > 1+1e-9 {
				t.Fatalf("share %v", m.Share)
			}
		}
	})
}

// A grid with a hole keeps its levels, whose effects are the means of its rows. Its
// shares are nearly those of the full grid although no curve goes through the levels.
func TestGridWithHole(t *testing.T) {
	bumps := []float64{3, -7, 5, 1, -4, 9, 0, 2}
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2, 4, 8, 16, 32, 64, 128), studytabletest.Numbers("b", 0, 1, 2, 3), studytabletest.Numbers("c", 0, 1, 2)}, 1,
		func(x []float64, _ int) float64 { return bumps[int(math.Log2(x[0]))] + x[1] })
	full := mustEffects(t, table, false)
	table.Rows = table.Rows[1:]
	e := mustEffects(t, table, false)
	if e.Method != LeastSquares || e.Main[0].Bins != nil || e.Main[0].DF != 7 || len(e.Warnings) > 0 || e.Confounded {
		t.Fatalf("%+v", e)
	}
	for i := range full.Main {
		if math.Abs(e.Main[i].Share-full.Main[i].Share) > 0.02 {
			t.Errorf("share %v, of the full grid %v", e.Main[i].Share, full.Main[i].Share)
		}
	}
	// At a = 1 b is 1.5 on average; without (1, 0, 0) it is 18/11. The mean of all is
	// (9/8 + 3/2)*96 = 252, less the 3 that are gone.
	studytabletest.CloseTo(t, "mean", e.Mean, 249.0/95)
	studytabletest.CloseTo(t, "effect", e.Main[0].Levels[0].Effect, 3+18.0/11-249.0/95)
	studytabletest.CloseTo(t, "effect", e.Main[0].Levels[1].Effect, -7+1.5-249.0/95)
}

func TestConfounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	three := func(third func(a, b float64) float64) *studytable.Table {
		table := &studytable.Table{Factors: []studytable.Factor{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Responses: []studytable.Response{{Name: "y"}}}
		for i := range 60 {
			a, b := rng.Float64(), rng.Float64()
			for k, v := range []float64{a, b, third(a, b)} {
				table.Factors[k].Levels = append(table.Factors[k].Levels, studytable.Level{Value: v, Numeric: true})
			}
			table.Rows = append(table.Rows, studytable.Row{Levels: []int{i, i, i}, Values: []float64{a + b}})
		}
		return table
	}
	triangle := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2, 3, 4), studytabletest.Numbers("b", 1, 2, 3, 4)}, 1, func(x []float64, _ int) float64 { return x[0] + x[1] })
	triangle.Rows = slices.DeleteFunc(triangle.Rows, func(r studytable.Row) bool { return r.Levels[0]+r.Levels[1] > 3 })
	named := &studytable.Table{Factors: []studytable.Factor{studytabletest.Words("name", "u", "v", "w"), studytabletest.Numbers("x", 1, 2, 3), studytabletest.Numbers("z", 1, 2)}, Responses: []studytable.Response{{Name: "y"}}}
	for i := range 6 {
		named.Rows = append(named.Rows, studytable.Row{Levels: []int{i % 3, i % 3, i / 3}, Values: []float64{float64(i)}})
	}
	for name, tt := range map[string]struct {
		table *studytable.Table
		want  []bool
	}{
		"full factorial":         {studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 1, studytabletest.Listed(1, 2, 3, 5)), []bool{false, false}},
		"independent":            {three(func(_, _ float64) float64 { return rng.Float64() }), []bool{false, false, false}},
		"one with another":       {three(func(a, _ float64) float64 { return 2*a + 1 }), []bool{true, false, true}},
		"nearly":                 {three(func(a, _ float64) float64 { return a + 0.02*rng.NormFloat64() }), []bool{true, false, true}},
		"half":                   {three(func(a, b float64) float64 { return a + b + 0.6*rng.Float64() }), []bool{false, false, false}},
		"one with two":           {three(func(a, b float64) float64 { return a + b }), []bool{true, true, true}},
		"limited in sum":         {triangle, []bool{false, false}},
		"a name with its number": {named, []bool{true, true, false}},
	} {
		s := mustSensitivity(t, tt.table)
		for _, f := range s.Factors {
			if f.Confounded != tt.want[f.Factor] {
				t.Errorf("%s: factor %d %v", name, f.Factor, f.Confounded)
			}
		}
		if s.Confounded != slices.Contains(tt.want, true) {
			t.Errorf("%s: %v", name, s.Confounded)
		}
		if said := strings.Contains(strings.Join(s.Warnings, "\n"), "separate"); said != s.Confounded {
			t.Errorf("%s: %q", name, s.Warnings)
		}
	}
}

// Of y = x^3/z over x = 1, 4, 16 and z = 1, 2, 4 logarithms are 3 times -2, 0, 2 and
// -1, 0, 1, whose variances are as 36 to 1. A response within a decade is not wide.
func TestLogShares(t *testing.T) {
	factors := []studytable.Factor{studytabletest.Numbers("x", 1, 4, 16), studytabletest.Numbers("z", 1, 2, 4)}
	s := mustSensitivity(t, studytabletest.Factorial(factors, 2, func(x []float64, _ int) float64 { return x[0] * x[0] * x[0] / x[1] }))
	for _, f := range s.Factors {
		studytabletest.CloseTo(t, "share of the logarithm", f.LogShare, []float64{36.0 / 37, 1.0 / 37}[f.Factor])
	}
	if !s.Wide || s.Method != FullFactorial {
		t.Errorf("%+v", s)
	}
	for name, y := range map[string]func(x []float64, _ int) float64{
		"up to ten times": func(x []float64, _ int) float64 { return 1 + 0.6*x[0]*x[0]/256*15 },
		"with 0":          func(x []float64, _ int) float64 { return x[0] - 1 },
		"below 0":         func(x []float64, _ int) float64 { return -x[0] },
	} {
		if s := mustSensitivity(t, studytabletest.Factorial(factors, 1, y)); s.Wide || !math.IsNaN(s.Factors[0].LogShare) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

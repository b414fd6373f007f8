package effects

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// of returns the effects of a table with their factors in the order of the table.
func of(t expect.TB, table *analysis.Table, sample bool) *Effects {
	t.Helper()
	e := expect.Value(Of(gathered(t, table), sample, 1))(t)
	slices.SortFunc(e.Factors, func(a, b Factor) int { return a.Index - b.Index })
	return e
}

// gathered returns the configurations of a table.
func gathered(t expect.TB, table *analysis.Table) *analysis.Cells {
	t.Helper()
	return expect.Value(table.Gather("y", analysis.Maximize))(t)
}

// admitted returns the table of those combinations of levels from 0 up that a condition admits.
func admitted(sizes []int, y func(x []float64, _ int) float64, admits func(x []int) bool) *analysis.Table {
	var factors []analysis.Factor
	for k, n := range sizes {
		factors = append(factors, kit.Numbers(fmt.Sprintf("r%d", k+1), kit.Linspace(0, float64(n-1), n)...))
	}
	return kit.Where(kit.Factorial(factors, 1, y), admits)
}

// shapleyByOrders follows the definition: what each factor adds to the variance of the mean given the factors before
// it, averaged over all orders, over the variance.
func shapleyByOrders(t *analysis.Table) []float64 {
	explained := func(of []int) float64 {
		sums, counts := map[string]float64{}, map[string]float64{}
		mean := 0.0
		key := func(row analysis.Row) string {
			text := ""
			for _, k := range slices.Sorted(slices.Values(of)) {
				text += fmt.Sprint(row.Levels[k], " ")
			}
			return text
		}
		for _, row := range t.Rows {
			sums[key(row)] += row.Values[0]
			counts[key(row)]++
			mean += row.Values[0] / float64(len(t.Rows))
		}
		variance := 0.0
		for k, sum := range sums {
			d := sum/counts[k] - mean
			variance += d * d * counts[k] / float64(len(t.Rows))
		}
		return variance
	}
	values, orders := make([]float64, len(t.Factors)), 0.0
	var extend func(order []int)
	extend = func(order []int) {
		if len(order) == len(t.Factors) {
			orders++
			for i, k := range order {
				values[k] += explained(order[:i+1]) - explained(order[:i])
			}
			return
		}
		for k := range t.Factors {
			if !slices.Contains(order, k) {
				extend(append(order[:len(order):len(order)], k))
			}
		}
	}
	extend(nil)
	total := each.Total(values)
	for k := range values {
		values[k] /= total
	}
	return values
}

// Shares equal the definition evaluated with other code, for grids that are complete or not, and add up to 1; random
// orders come close.
func TestSharesByBruteForce(t *testing.T) {
	y := func(x []float64, _ int) float64 { return 2*x[0] + 3*x[1] + 0.2*x[0]*x[1] - 0.1*x[2]*x[2] }
	for name, table := range map[string]*analysis.Table{
		"complete": admitted([]int{4, 3, 5}, y, func([]int) bool { return true }),
		"corner":   admitted([]int{6, 6, 6}, y, func(x []int) bool { return x[0]+x[1]+x[2] <= 6 }),
		"plane":    admitted([]int{7, 7, 7}, y, func(x []int) bool { return x[0]+x[1]+x[2] == 6 }),
	} {
		e := of(t, table, false)
		sum := 0.0
		for k, want := range shapleyByOrders(table) {
			expect.Near(t, e.Factors[k].Share, want, 1e-9, "%s: share", name)
			sum += e.Factors[k].Share
		}
		expect.Near(t, sum, 1, 1e-9, "%s: sum of shares", name)
		said := strings.Contains(strings.Join(e.Warnings, "\n"), "r1, r2, r3 depend on each other")
		expect.That(t, said != (name == "complete") && (e.Pairs == nil) != (name == "complete"),
			"%s: warnings %q, pairs %v", name, e.Warnings, e.Pairs)
		p := populationOf(gathered(t, table))
		exact, _, _ := p.shapley(nil)
		near, low, high := p.inRandomOrders(rand.New(rand.NewPCG(1, 1)))
		for a, v := range exact {
			reach := (high[a] - low[a]) / 2
			expect.That(t, math.Abs(v-near[a]) <= 2*reach+1e-9 && reach <= 0.2*p.variance(),
				"%s: %v, in random orders %v, from %v to %v", name, v, near[a], low[a], high[a])
		}
	}
}

// Functions whose shares are known in closed form.
func TestSharesOfKnownFunctions(t *testing.T) {
	// Ishigami's function with a = 7, b = 0.1 over [-pi, pi]: the variances of its terms are
	// those of [Sobol2001]; x1 and x3 share theirs.
	const n = 48
	middles := kit.Linspace(-math.Pi+math.Pi/n, math.Pi-math.Pi/n, n)
	ishigami := kit.Factorial([]analysis.Factor{kit.Numbers("x1", middles...), kit.Numbers("x2", middles...), kit.Numbers("x3", middles...)}, 1,
		func(x []float64, _ int) float64 {
			return math.Sin(x[0]) + 7*math.Pow(math.Sin(x[1]), 2) + 0.1*math.Pow(x[2], 4)*math.Sin(x[0])
		})
	pi4 := math.Pow(math.Pi, 4)
	v1, v2, v13 := 0.5*math.Pow(1+pi4/50, 2), 49./8, 0.01*pi4*pi4*(1./18-1./50)
	all := v1 + v2 + v13
	// By hand: x^2 is 7 + (-6, -3, 9), z^-1/2 is 2/3 +- 1/3, in units of 1/3 2 +- 1. In those
	// units variances are 42 * 4 of x, 49 of z, 42 of both: 259 in all.
	power := kit.Factorial([]analysis.Factor{kit.Numbers("x", 1, 2, 4), kit.Numbers("z", 1, 9), kit.Numbers("w", 5, 6)}, 1,
		func(x []float64, _ int) float64 { return x[0] * x[0] / math.Sqrt(x[1]) })
	uniform := 1./3 + 4./45 + 1./9 // of a + b^2 + a c over [-1, 1]
	polynomial := kit.LatinHypercube([]string{"a", "b", "c", "idle"}, -1, 1, 300, 7, func(x []float64, _ *rand.Rand) float64 { return x[0] + x[1]*x[1] + x[0]*x[2] })
	for name, test := range map[string]struct {
		table        *analysis.Table
		sample       bool
		tolerance    float64
		share, alone []float64
		with         int     // the factor with which the first one interacts
		pair         float64 // their share
	}{
		"Ishigami":   {ishigami, false, 2e-3, []float64{(v1 + v13/2) / all, v2 / all, v13 / 2 / all}, []float64{v1 / all, v2 / all, 0}, 2, v13 / all},
		"power law":  {power, false, 1e-12, []float64{(168 + 21.) / 259, (49 + 21.) / 259, 0}, []float64{168. / 259, 49. / 259, 0}, 1, 42. / 259},
		"product":    {kit.Factorial([]analysis.Factor{kit.Numbers("a", -1, 1), kit.Numbers("b", -1, 1)}, 1, func(x []float64, _ int) float64 { return x[0] * x[1] }), false, 1e-12, []float64{0.5, 0.5}, []float64{0, 0}, 1, 1},
		"dependent":  {admitted([]int{4, 4}, func(x []float64, _ int) float64 { return x[0] + x[1] }, func(x []int) bool { return x[0]+x[1] <= 3 }), false, 1e-12, []float64{0.5, 0.5}, []float64{0.25, 0.25}, 0, 0},
		"polynomial": {polynomial, true, 0.02, []float64{(1./3 + 1./18) / uniform, 4. / 45 / uniform, 1. / 18 / uniform, 0}, []float64{1. / 3 / uniform, 4. / 45 / uniform, 0, 0}, 2, 1. / 9 / uniform},
	} {
		e := of(t, test.table, test.sample)
		for k, f := range e.Factors {
			expect.That(t, math.Abs(f.Share-test.share[k]) <= test.tolerance &&
				math.Abs(f.Alone-test.alone[k]) <= test.tolerance,
				"%s: %s has %v, alone %v; want %v and %v", name, test.table.Factors[k].Name, f.Share, f.Alone, test.share[k], test.alone[k])
			expect.That(t, f.NoEffect == (test.share[k] == 0),
				"%s: no effect of %s: %v", name, test.table.Factors[k].Name, f.NoEffect)
			expect.That(t, (!test.sample || float64(f.Low) <= f.Share+1e-9 && f.Share <= float64(f.High)+1e-9) &&
				(test.sample || !f.Low.Exists()),
				"%s: interval from %v to %v", name, f.Low, f.High)
		}
		for _, p := range e.Pairs {
			want := 0.0
			if names := test.table.Factors; p.Factors == [2]string{names[0].Name, names[test.with].Name} {
				want = test.pair
			}
			expect.That(t, math.Abs(p.Share-want) <= test.tolerance, "%s: pair %v, want %v", name, p, want)
		}
	}
	x := of(t, power, false).Factors
	expect.Near(t, float64(x[0].Elasticity), 2, 1e-9, "elasticity of x")
	expect.Near(t, float64(x[1].Elasticity), -0.5, 1e-9, "elasticity of z")
	// Means over z of 1, 4, 16: the mean of 1 and 1/3 is 2/3.
	expect.Near(t, x[0].Lowest, 2.0/3, 1e-9, "lowest")
	expect.Near(t, x[0].Highest, 32.0/3, 1e-9, "highest")
	expect.That(t, x[0].LowestAt == "1" && x[0].HighestAt == "4",
		"lowest at %s, highest at %s", x[0].LowestAt, x[0].HighestAt)
}

// The expansion of full degree divides the variance of a complete grid exactly as means do.
func TestExpansionAgreesWithMeans(t *testing.T) {
	table := kit.Factorial([]analysis.Factor{kit.Numbers("a", 1, 2, 5), kit.Numbers("b", 1, 3), kit.Words("c", "u", "v", "w")}, 1,
		func(x []float64, _ int) float64 { return x[0]*x[1] + math.Sqrt(x[0]+7*x[2]) })
	c := gathered(t, table)
	p := populationOf(c)
	x := p.expand(4, 1000) // 2 + 1 + 1, which is all products
	y := each.Append(nil, c.List, func(one analysis.Cell) float64 { return one.Mean })
	coefficients, _, ok := x.fit(y, each.Ascending(len(y)))
	expect.Need(t, ok && len(x.terms) == 18, "an expansion of %d terms, want 18", len(x.terms))
	values, variance := x.divide(coefficients)
	expect.Near(t, variance, p.variance(), 1e-9, "variance")
	exact, _, _ := p.shapley(nil)
	for a := range values {
		expect.Near(t, values[a], exact[a], 1e-9, "value")
	}
}

// y = e^a (1 + b/2) with noise of variance 0.09. E[e^2a] = sinh(2)/2 = s, E[e^a] = sinh(1), and the mean square of 1 +
// b/2 is 13/12: V_a = s - sinh^2(1), V_b = sinh^2(1)/12, V_ab = (s - sinh^2(1))/12. Intervals of 95 % should contain the share in about
// 95 of 100 samples; with few points the bootstrap is known to fall somewhat short.
func TestIntervalsCover(t *testing.T) {
	s, m := math.Sinh(2)/2, math.Sinh(1)*math.Sinh(1)
	all := 13./12*s - m + 0.09
	want := []float64{(s - m + (s-m)/24) / all, (m/12 + (s-m)/24) / all}
	const samples = 60
	covered := 0
	for seed := range samples {
		e := of(t, kit.LatinHypercube([]string{"a", "b"}, -1, 1, 60, uint64(seed), func(x []float64, r *rand.Rand) float64 {
			return math.Exp(x[0])*(1+x[1]/2) + 0.3*r.NormFloat64()
		}), true)
		for i, w := range want {
			if f := e.Factors[i]; float64(f.Low) <= w && w <= float64(f.High) {
				covered++
			}
		}
	}
	share := float64(covered) / (2 * samples)
	expect.That(t, share >= 0.85 && share != 1, "%.0f %% of the intervals hold the share, want about 95 %%", 100*share)
}

// What no polynomial follows is in no share, but may belong to any factor: of y = 3 b +- 1, by the parity of the stratum
// of a, a quarter is due to a and three quarters to b.
func TestWhatAPolynomialLeavesIsUnexplained(t *testing.T) {
	const strata, samples = 60, 20
	covered := 0
	for seed := range samples {
		e := of(t, kit.LatinHypercube([]string{"a", "b"}, 0, 1, strata, uint64(seed), func(x []float64, _ *rand.Rand) float64 {
			return 6*x[1] + 1 - 2*math.Mod(math.Floor(strata*x[0]), 2)
		}), true)
		sum := e.Unexplained
		for i, want := range []float64{0.25, 0.75} {
			f := e.Factors[i]
			sum += f.Share
			if float64(f.Low) <= want && want <= float64(f.High) {
				covered++
			}
		}
		expect.Near(t, sum, 1, 1e-9, "sum of shares")
		expect.Near(t, e.Unexplained, 0.25, 0.1, "unexplained")
	}
	expect.That(t, covered >= 0.85*2*samples, "%d of %d intervals hold the share", covered, 2*samples)
}

// With a response of 3 a + b over two levels each and noise of variance 1, variances are 9/4, 1/4 and 1. Two
// repetitions leave half of the noise in a mean; its expectation is not part of the shares. Averaged over many tables
// the shares are those of the variances, give or take four standard errors, and mostly within their intervals.
func TestNoiseHasItsOwnShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var sums [3]float64
	const tables = 400
	covered := 0
	for range tables {
		e := of(t, kit.Factorial([]analysis.Factor{kit.Numbers("a", 0, 1), kit.Numbers("b", 0, 1), kit.Numbers("c", 0, 1, 2)}, 2, func(x []float64, _ int) float64 {
			return 3*x[0] + x[1] + rng.NormFloat64()
		}), false)
		expect.Near(t, e.Factors[0].Share+e.Factors[1].Share+e.Factors[2].Share+e.Noise, 1, 1e-9, "sum of shares")
		sums[0] += e.Noise / tables
		sums[1] += e.Factors[1].Share / tables
		sums[2] += e.Factors[2].Share / tables
		if f := e.Factors[0]; f.Low <= 2.25/3.5 && 2.25/3.5 <= f.High {
			covered++
		}
	}
	for i, want := range []float64{1 / 3.5, 0.25 / 3.5, 0} {
		expect.That(t, math.Abs(sums[i]-want) <= 0.03, "%d: the mean of the shares is %v, want %v", i, sums[i], want)
	}
	expect.That(t, covered >= tables*85/100 && covered != tables, "%d of %d intervals hold the share", covered, tables)
}

// Factor a does nothing, apart from noise. Each of two tests at 5 % takes noise for an effect once in twenty times, so
// at least 90 % and at most 95 % of 400 draws are recognized, give or take four standard deviations of 6. b and c
// always stand out, c although it acts only through b.
func TestWithinNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	recognized := 0
	for range 400 {
		table := kit.Factorial([]analysis.Factor{kit.Numbers("a", 0, 1), kit.Numbers("b", 0, 1, 2), kit.Numbers("c", 0, 1)}, 5, func(x []float64, _ int) float64 {
			return 100 + 5*x[1] + (2*x[2]-1)*(2*x[1]-2) + rng.NormFloat64()
		})
		e := expect.Value(populationOf(gathered(t, table)).effects(false, false, 1))(t)
		for _, f := range e.Factors {
			expect.That(t, !f.NoEffect && (!f.WithinNoise || f.Index == 0), "%+v", f)
			if f.WithinNoise {
				recognized++
			}
		}
	}
	expect.That(t, recognized >= 360-24 && recognized <= 380+24, "recognized %d of 400", recognized)
}

// Differences in the last bits do not count; those of a part in 1e11 do.
func TestNoEffectAllowsForRounding(t *testing.T) {
	for difference, want := range map[float64]bool{0: true, 1e-13: true, 1e-11: false} {
		table := kit.Factorial([]analysis.Factor{kit.Numbers("a", 0, 1), kit.Numbers("b", 1, 2, 3)}, 1, func(x []float64, _ int) float64 { return x[1] * (1 + difference*x[0]) })
		e := of(t, table, false)
		changes := Changes(gathered(t, table))
		expect.That(t, e.Factors[0].NoEffect == want && changes[0] != want && changes[1],
			"%v: %+v, changes %v", difference, e.Factors[0], changes)
		expect.Equal(t, strings.Contains(strings.Join(e.Warnings, "\n"), "a has no effect"), want, "%v: %q", difference, e.Warnings)
	}
	// A response that is the same everywhere has no variance to divide, although the mean of eight equal numbers is
	// rounded.
	for _, y := range []float64{0.1, 7.7e-5, 3e9 + 0.1, 0} {
		e := of(t, admitted([]int{3, 3}, func([]float64, int) float64 { return y }, func(x []int) bool { return x[0]+x[1] < 4 }), false)
		f := e.Factors[0]
		expect.That(t, f.Share == 0 && f.Alone == 0 && f.NoEffect, "%v: %+v", y, f)
	}
}

// For y = x^3/z over x = 1, 4, 16 and z = 1, 2, 4 the logarithms are 3 times -2, 0, 2 and -1, 0, 1, with variances in
// the ratio 36 to 1. A response within a decade is not wide.
func TestLogShares(t *testing.T) {
	factors := []analysis.Factor{kit.Numbers("x", 1, 4, 16), kit.Numbers("z", 1, 2, 4)}
	e := of(t, kit.Factorial(factors, 2, func(x []float64, _ int) float64 { return x[0] * x[0] * x[0] / x[1] }), false)
	expect.Near(t, float64(e.Factors[0].LogShare), 36.0/37, 1e-9, "share of the logarithm")
	for name, y := range map[string]func(x []float64, _ int) float64{
		"up to ten times": func(x []float64, _ int) float64 { return 1 + 0.6*x[0]*x[0]/256*15 },
		"with 0":          func(x []float64, _ int) float64 { return x[0] - 1 },
		"below 0":         func(x []float64, _ int) float64 { return -x[0] },
	} {
		e := of(t, kit.Factorial(factors, 1, y), false)
		expect.That(t, !e.Factors[0].LogShare.Exists(), "%s: %+v", name, e)
	}
	// The elasticities of a sample are those of the law.
	e = of(t, kit.LatinHypercube([]string{"a", "b", "c"}, 1, 2, 60, 7, func(x []float64, _ *rand.Rand) float64 { return 7 * math.Pow(x[0], 1.5) / x[2] }), true)
	for _, f := range e.Factors {
		want := []float64{1.5, 0, -1}[f.Index]
		expect.That(t, math.Abs(float64(f.Elasticity)-want) <= 1e-3, "elasticity %v, want %v", f.Elasticity, want)
	}
}

// Where the table cannot tell, the error says why.
func TestRefusals(t *testing.T) {
	paired := &analysis.Table{Factors: []analysis.Factor{kit.Numbers("a", 1, 2, 3), kit.Numbers("b", 10, 20, 30)}, Responses: []analysis.Response{{Name: "y"}}}
	for i, y := range []float64{4, 5, 9} {
		paired.Rows = append(paired.Rows, analysis.Row{Levels: []int{i, i}, Values: []float64{y}})
	}
	noise := func(_ []float64, r *rand.Rand) float64 { return r.NormFloat64() }
	for want, test := range map[string]struct {
		table  *analysis.Table
		sample bool
	}{
		"3 configurations have 3 levels of a":                {paired, false},
		"of the variance of configurations left out":         {kit.LatinHypercube([]string{"a", "b"}, -1, 1, 50, 1, noise), true},
		"5 configurations are too few to separate 3 factors": {kit.LatinHypercube([]string{"a", "b", "c"}, -1, 1, 5, 1, func(x []float64, _ *rand.Rand) float64 { return x[0] }), true},
	} {
		expect.Refusal(Of(gathered(t, test.table), test.sample, 1))(t, want)
	}
	// One factor, or none that varies.
	e := of(t, kit.Factorial([]analysis.Factor{kit.Numbers("a", 1, 2), kit.Numbers("b", 3)}, 1, kit.Listed(3, 4)), false)
	expect.That(t, len(e.Factors) == 1 && e.Factors[0].Share == 1, "%+v", e)
	e = of(t, kit.Factorial([]analysis.Factor{kit.Numbers("a", 1)}, 1, kit.Listed(3)), false)
	expect.That(t, e.Mean == 3 && len(e.Factors) == 0, "%+v", e)
}

// No answer depends on the order of the rows, to the last bit.
func TestOrderOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0.1, 10), rapid.Just(math.NaN()), rapid.Just(1.0))
		table := kit.Factorial([]analysis.Factor{kit.Numbers("p", 4, 1, 2), kit.Numbers("b", 1, 2, 3), kit.Words("c", "u", "v")}, 2,
			func([]float64, int) float64 { return value.Draw(t, "y") })
		table.Rows[0].Values[0] = 1 // not all fail
		permuted := &analysis.Table{Factors: table.Factors, Responses: table.Responses, Rows: rapid.Permutation(table.Rows).Draw(t, "order")}
		for _, sample := range []bool{false, true} {
			e, errE := Of(gathered(t, table), sample, 1)
			again, err := Of(gathered(t, permuted), sample, 1)
			a, b := fmt.Sprintf("%+v %v", e, errE), fmt.Sprintf("%+v %v", again, err)
			expect.Need(t, a == b, "%s\nin another order: %s", a, b)
		}
	})
}

func BenchmarkEffects(b *testing.B) {
	kit.Benchmark(b, map[string]func(*analysis.Cells){
		"Of": func(c *analysis.Cells) {
			expect.Value(Of(c, len(c.Table.Factors) == 12, 1))(b)
		},
	})
}

// What a repetition does to all configurations alike does not hide a factor: a causes 1 % among draws that change
// everything by 30 %. What it does to the levels of a factor alike in all configurations is noise of the factor: b
// changes only by its own draws, and stands out once in twenty times.
func TestRepetitionsArePaired(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found, claimed := 0, 0
	const tables = 400
	for range tables {
		common, own := map[int]float64{}, map[int]float64{}
		for r := range 6 {
			common[r], own[r] = 30*rng.NormFloat64(), rng.NormFloat64()
		}
		table := kit.Factorial([]analysis.Factor{kit.Numbers("a", 0, 1), kit.Numbers("b", 0, 1), kit.Numbers("c", 0, 1, 2)}, 6, func(x []float64, r int) float64 {
			return 100 + x[0] + common[r] + x[1]*own[r] + 0.1*rng.NormFloat64()
		})
		p := populationOf(gathered(t, table))
		e := expect.Value(p.effects(false, false, 1))(t)
		if !e.Factors[0].WithinNoise {
			found++
		}
		r := repeatedOf(p.cells)
		one := p.by(1)
		if r.standsOut(1, func(x []float64) float64 { return between(one, x) }) {
			claimed++
		}
	}
	expect.Equal(t, found, tables, "tables in which a stands out")
	expect.That(t, claimed >= 20-18 && claimed <= 20+18, "b stands out in %d of %d, want 5 %%, give or take four deviations", claimed, tables)
}

// With two levels the answer is that of the paired t-test.
func TestTwoLevelsAreAPairedTest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	said := map[bool]int{}
	for range 300 {
		var gains []float64
		size := rng.Float64()
		var y [2][5]float64
		for r := range 5 {
			common := 10 * rng.NormFloat64()
			y[0][r], y[1][r] = common+rng.NormFloat64(), common+size+rng.NormFloat64()
			gains = append(gains, y[1][r]-y[0][r])
		}
		p := populationOf(gathered(t, kit.Factorial([]analysis.Factor{kit.Numbers("a", 0, 1)}, 5, func(x []float64, r int) float64 {
			return y[int(x[0])][r]
		})))
		one := p.by(0)
		mean, deviation := stat.MeanStdDev(gains, nil)
		want := 2*distuv.StudentsT{Sigma: 1, Nu: 4}.Survival(math.Abs(mean)/deviation*math.Sqrt(5)) <= significance
		got := repeatedOf(p.cells).standsOut(1, func(x []float64) float64 { return between(one, x) })
		expect.Equal(t, got, want, "differences %v", gains)
		said[got]++
	}
	expect.That(t, said[true] > 10 && said[false] > 10, "%v", said)
}

// Intervals contain the share of a factor of variance 1/4, whether repetitions draw for all configurations together,
// nearly so, or for each alone: in 95 % of cases, less what few repetitions and four standard deviations explain.
func TestIntervalsOfPairedRepetitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const tables = 200
	for _, common := range []float64{1, 0.2, 0} {
		share := 0.25 / (0.25 + common*common + 0.09)
		held, sum := 0, 0.0
		for range tables {
			draws := make([]float64, 10)
			for r := range draws {
				draws[r] = common * rng.NormFloat64()
			}
			e := of(t, kit.Factorial([]analysis.Factor{kit.Numbers("a", 0, 1), kit.Numbers("b", 0, 1, 2)}, len(draws),
				func(x []float64, r int) float64 { return 100 + x[0] + draws[r] + 0.3*rng.NormFloat64() }), false)
			f := e.Factors[0]
			expect.Near(t, f.Share+e.Factors[1].Share+e.Noise, 1, 1e-9, "sum of shares")
			if float64(f.Low) <= share && share <= float64(f.High) {
				held++
			}
			sum += f.Share / tables
		}
		expect.That(t, held >= tables*80/100 && held != tables, "common draws of %v: %d of %d intervals hold the share", common, held, tables)
		expect.That(t, math.Abs(sum-share) <= 0.04, "common draws of %v: the mean share is %v, want %v", common, sum, share)
	}
}

// Two levels each, three repetitions. At a = 0 the means of the repetitions, relative to all, are -1, 0, 1, whatever
// they do to all alike: half the interval is t s/sqrt(3) = 4.302653/sqrt(3) at both levels. For b nothing differs.
func TestIntervalsOfLevels(t *testing.T) {
	table := kit.Factorial([]analysis.Factor{kit.Numbers("a", 0, 1), kit.Numbers("b", 0, 1)}, 3, func(x []float64, r int) float64 {
		return 10 + 3*x[1] + 7*float64(r*r) + (1-2*x[0])*float64(r-1)
	})
	for _, f := range expect.Value(Of(gathered(t, table), false, 1))(t).Factors {
		want := map[string]float64{"a": 4.302653 / math.Sqrt(3), "b": 0}[f.Factor]
		for _, l := range f.Levels {
			expect.That(t, math.Abs(l.Half-want) < 1e-5, "%s = %s: half %v, want %v", f.Factor, l.Level, l.Half, want)
		}
	}
}

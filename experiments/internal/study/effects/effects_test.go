package effects

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func mustEffects(t studytabletest.Tester, table *studytable.Table, interactions bool) *ANOVA {
	t.Helper()
	e, err := Of(table, "y", interactions)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// 1 3 / 5 11: mean 5; means of rows 2, 8, of columns 3, 7; what is left is 1.
func TestEffects2x2(t *testing.T) {
	e := mustEffects(t, studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "u", "v")}, 1, studytabletest.Listed(1, 3, 5, 11)), true)
	want := &ANOVA{
		Method: FullFactorial, Mean: 5,
		Main: []MainEffect{
			{Factor: 0, Levels: []LevelEffect{{0, -3}, {1, 3}}, Range: 6, Source: Source{36, 36.0 / 56, 1}},
			{Factor: 1, Levels: []LevelEffect{{0, -2}, {1, 2}}, Range: 4, Source: Source{16, 16.0 / 56, 1}},
		},
		Interactions: []Interaction{{Factors: [2]int{0, 1}, Effects: [][]float64{{1, -1}, {-1, 1}}, Source: Source{4, 4.0 / 56, 1}}},
		Total:        Source{56, 1, 3},
	}
	for i := range e.Main {
		if !math.IsNaN(e.Main[i].P) || !math.IsNaN(e.Main[i].Chance) {
			t.Error("a probability without repetitions, or of bins")
		}
		e.Main[i].P, e.Main[i].Chance = 0, 0
	}
	e.Interactions[0].P = 0
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v\nwant %+v", e, want)
	}
	// Without interactions theirs is what is left.
	e = mustEffects(t, studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "u", "v")}, 1, studytabletest.Listed(1, 3, 5, 11)), false)
	if e.Interactions != nil || e.Higher != (Source{4, 4.0 / 56, 1}) {
		t.Errorf("%+v", e)
	}
}

// 2x3 with interaction: 4 6 2 / 8 4 12. Mean 6; rows 4, 8; columns 6, 5, 7.
// Effects -2, 2 and 0, -1, 1; sums of squares 6*4 = 24 and 2*2 = 4. Interaction of
// the first row 4-4-6+6 = 0, 6-4-5+6 = 3, 2-4-7+6 = -3; 2*18 = 36. In all 64.
func TestEffects2x3(t *testing.T) {
	// b stands in the plan in another order.
	e := mustEffects(t, studytabletest.Factorial([]studytable.Factor{studytabletest.Words("a", "u", "v"), studytabletest.Numbers("b", 20, 10, 30)}, 1, studytabletest.Listed(6, 4, 2, 4, 8, 12)), true)
	if !reflect.DeepEqual(e.Main[1].Levels, []LevelEffect{{1, 0}, {0, -1}, {2, 1}}) {
		t.Errorf("%+v", e.Main[1])
	}
	for name, v := range map[string][2]float64{
		"mean": {e.Mean, 6}, "a": {e.Main[0].SumOfSquares, 24}, "b": {e.Main[1].SumOfSquares, 4},
		"ab": {e.Interactions[0].SumOfSquares, 36}, "total": {e.Total.SumOfSquares, 64}, "higher": {e.Higher.SumOfSquares, 0},
		"share": {e.Interactions[0].Share, 36.0 / 64}, "first": {e.Interactions[0].Effects[0][1], 3},
	} {
		studytabletest.CloseTo(t, name, v[0], v[1])
	}
	if e.Main[1].DF != 2 || e.Interactions[0].DF != 2 || e.Total.DF != 5 {
		t.Errorf("%+v", e)
	}
}

// The 2x2 of above with two repetitions at +-1 each: sums of squares double, and
// the error is 4 * 2 with 4 degrees of freedom.
func TestEffectsWithRepetitions(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "u", "v")}, 2, studytabletest.Listed(0, 2, 2, 4, 6, 4, 10, 12))
	e := mustEffects(t, table, true)
	for name, v := range map[string][2]float64{
		"a": {e.Main[0].SumOfSquares, 72}, "ab": {e.Interactions[0].SumOfSquares, 8}, "error": {e.Error.SumOfSquares, 8},
		"total": {e.Total.SumOfSquares, 120}, "share of error": {e.Error.Share, 8.0 / 120},
		// F(1, 4) = t(4)^2, so P is that of both tails of t = 6 and 2.
		"P of a":  {e.Main[0].P, 2 * distuv.StudentsT{Sigma: 1, Nu: 4}.Survival(6)},
		"P of ab": {e.Interactions[0].P, 2 * distuv.StudentsT{Sigma: 1, Nu: 4}.Survival(2)},
	} {
		studytabletest.CloseTo(t, name, v[0], v[1])
	}
	if e.Error.DF != 4 || e.Total.DF != 7 || e.Method != FullFactorial {
		t.Errorf("%+v", e)
	}
	// One repetition fails: the mean of its configuration is its other, and
	// the factorial is still full. Harmonic mean 4/(1+1/2+1/2+1/2) = 1.6.
	table.Rows[1].Values[0] = math.NaN()
	e = mustEffects(t, table, true)
	studytabletest.CloseTo(t, "mean", e.Mean, (0.0+3+5+11)/4)
	a := (16.0 - 3) / 2 / 2 // half the difference of the means of rows
	studytabletest.CloseTo(t, "a", e.Main[0].SumOfSquares, 1.6*4*a*a)
	if e.Method != FullFactorial || e.Error.DF != 3 {
		t.Errorf("%+v", e)
	}
}

func TestEffectsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var factors []studytable.Factor
		for k := range rapid.IntRange(1, 4).Draw(t, "factors") {
			factors = append(factors, studytabletest.Numbers(string(rune('a'+k)), studytabletest.Linspace(0, 5, rapid.IntRange(2, 4).Draw(t, "levels"))...))
		}
		repetitions := rapid.IntRange(1, 3).Draw(t, "repetitions")
		value := rapid.Float64Range(-100, 100)
		table := studytabletest.Factorial(factors, repetitions, func([]float64, int) float64 { return value.Draw(t, "y") })
		e := mustEffects(t, table, true)
		var squares, mean float64
		for _, row := range table.Rows {
			mean += row.Values[0] / float64(len(table.Rows))
		}
		for _, row := range table.Rows {
			squares += (row.Values[0] - mean) * (row.Values[0] - mean)
		}
		studytabletest.CloseTo(t, "total", e.Total.SumOfSquares, squares)
		shares, df := e.Higher.Share+e.Error.Share, e.Higher.DF+e.Error.DF
		for _, m := range e.Main {
			var sum float64
			for _, l := range m.Levels {
				sum += l.Effect
			}
			studytabletest.CloseTo(t, "sum of effects", sum, 0)
			shares, df = shares+m.Share, df+m.DF
		}
		for _, x := range e.Interactions {
			for _, row := range x.Effects {
				var sum float64
				for _, v := range row {
					sum += v
				}
				studytabletest.CloseTo(t, "sum of an interaction", sum, 0)
			}
			shares, df = shares+x.Share, df+x.DF
		}
		// With two factors there is nothing higher: the sum is no matter of course.
		if len(factors) <= 2 && e.Higher.SumOfSquares != 0 || e.Higher.SumOfSquares < 0 {
			t.Fatalf("higher: %+v", e.Higher)
		}
		if squares > 0 {
			studytabletest.CloseTo(t, "sum of shares", shares, 1)
		}
		if df != e.Total.DF || df != len(table.Rows)-1 {
			t.Fatalf("%d degrees of freedom, %d in all", df, e.Total.DF)
		}
		same(t, table, e)
	})
}

// same checks that another order of the rows gives the same to the last bit.
func same(t *rapid.T, table *studytable.Table, e *ANOVA) {
	permuted := *table
	permuted.Rows = rapid.Permutation(table.Rows).Draw(t, "order")
	again := mustEffects(t, &permuted, true)
	blank := func(e *ANOVA) {
		for i := range e.Main {
			if math.IsNaN(e.Main[i].P) {
				e.Main[i].P = -1
			}
			e.Main[i].Chance = 0
		}
		for i := range e.Interactions {
			if math.IsNaN(e.Interactions[i].P) {
				e.Interactions[i].P = -1
			}
		}
	}
	blank(e)
	blank(again)
	if !reflect.DeepEqual(e, again) {
		t.Fatalf("%+v, in another order %+v", e, again)
	}
}

// Sums of functions of one factor have no interactions; products of two have no
// higher ones.
func TestEffectsOfSums(t *testing.T) {
	factors := []studytable.Factor{studytabletest.Numbers("a", 1, 2, 4), studytabletest.Numbers("b", 1, 3), studytabletest.Numbers("c", 0, 1, 5)}
	e := mustEffects(t, studytabletest.Factorial(factors, 1, func(x []float64, _ int) float64 { return math.Exp(x[0]) + x[1]*x[1] - 3*x[2] }), true)
	for _, x := range e.Interactions {
		if x.Share > 1e-25 {
			t.Errorf("%+v", x)
		}
	}
	e = mustEffects(t, studytabletest.Factorial(factors, 1, func(x []float64, _ int) float64 { return x[0]*x[1] + x[1]*x[2] }), true)
	if e.Higher.Share != 0 || e.Interactions[0].Share < 1e-3 || e.Interactions[1].Share > 1e-25 || e.Interactions[2].Share < 1e-3 {
		t.Errorf("%+v", e)
	}
}

// A quadratic of a Latin hypercube is found exactly, and so are its shares. Effects
// are means over fifths.
func TestEffectsOfLatinHypercube(t *testing.T) {
	table := studytabletest.LatinHypercube(60, 4, func(x []float64) float64 { return 3*x[0] - x[1] + x[0]*x[2] + 2*x[2]*x[2] })
	e := mustEffects(t, table, true)
	if e.Method != LeastSquares || len(e.Interactions) != 6 || e.Higher.SumOfSquares > 1e-20*e.Total.SumOfSquares || e.Higher.DF != 60-1-8-6 {
		t.Fatalf("%v, higher %+v", e.Method, e.Higher)
	}
	for _, x := range e.Interactions {
		if got := x.SumOfSquares > 1e-9; got != (x.Factors == [2]int{0, 2}) {
			t.Errorf("%+v", x)
		}
	}
	e = mustEffects(t, studytabletest.LatinHypercube(60, 3, func(x []float64) float64 { return 3*x[0] - x[1] }), false)
	if e.Main[2].Share > 1e-20 || e.Main[2].Range == 0 {
		t.Errorf("%+v", e.Main[2])
	}
	// The levels are in order, so each fifth has twelve of them.
	table = studytabletest.LatinHypercube(60, 3, func(x []float64) float64 { return 3*x[0] - x[1] })
	for k, m := range e.Main {
		var sums [5]float64
		for _, row := range table.Rows {
			sums[row.Levels[k]/12] += row.Values[0]
		}
		if len(m.Bins) != 5 {
			t.Fatalf("%d bins", len(m.Bins))
		}
		for b, bin := range m.Bins {
			studytabletest.CloseTo(t, "mean of a fifth", bin.Mean, sums[b]/12)
			studytabletest.CloseTo(t, "low", bin.Low, 1+12*float64(b)/59)
			studytabletest.CloseTo(t, "high", bin.High, 1+(12*float64(b)+11)/59)
			if bin.LowLevel != 12*b || bin.HighLevel != 12*b+11 {
				t.Errorf("%+v", bin)
			}
			studytabletest.CloseTo(t, "effect", m.Levels[12*b+3].Effect, bin.Mean-e.Mean)
		}
	}
}

// The sum of squares of a factor is what the model loses without it: the difference
// of the residuals of two fits.
func TestLossOfFactor(t *testing.T) {
	table := studytabletest.LatinHypercube(30, 3, func(x []float64) float64 { return math.Exp(x[0]) * x[1] / x[2] })
	e := mustEffects(t, table, false)
	for k := range table.Factors {
		without := &studytable.Table{Responses: table.Responses}
		for i, f := range table.Factors {
			if i != k {
				without.Factors = append(without.Factors, f)
			}
		}
		for _, row := range table.Rows {
			levels := append(append([]int(nil), row.Levels[:k]...), row.Levels[k+1:]...)
			without.Rows = append(without.Rows, studytable.Row{Levels: levels, Values: row.Values})
		}
		loss := mustEffects(t, without, false).Higher.SumOfSquares - e.Higher.SumOfSquares
		studytabletest.CloseTo(t, "loss", e.Main[k].SumOfSquares, loss)
		if loss <= 0 || e.Main[k].DF != 2 {
			t.Errorf("%+v", e.Main[k])
		}
	}
}

// In an orthogonal table least squares and exact sums of squares are the same;
// leaving out a configuration makes it Shapley values of least squares: what is lost
// without each factor then misses 15 % of what all explain.
func TestLeastSquaresAgreesWithFactorial(t *testing.T) {
	factors := []studytable.Factor{studytabletest.Words("a", "u", "v", "w"), studytabletest.Numbers("b", 1, 2), studytabletest.Numbers("c", 10, 20, 30)}
	table := studytabletest.Factorial(factors, 2, func(x []float64, r int) float64 { return 5*x[0]*x[0] + x[1]*x[2] + float64(r) })
	exact := mustEffects(t, table, true)
	c, err := table.Gather("y", -1)
	if err != nil {
		t.Fatal(err)
	}
	squares := &ANOVA{Error: Source{SumOfSquares: exact.Error.SumOfSquares, DF: exact.Error.DF}}
	variedFactors(c).unbalanced(squares, true)
	squares.finish()
	if squares.Method != LeastSquares || squares.Warnings != nil {
		t.Fatalf("%v %q", squares.Method, squares.Warnings)
	}
	studytabletest.CloseTo(t, "total", squares.Total.SumOfSquares, exact.Total.SumOfSquares)
	for i := range exact.Main {
		studytabletest.CloseTo(t, "main", squares.Main[i].SumOfSquares, exact.Main[i].SumOfSquares)
		for l := range exact.Main[i].Levels {
			studytabletest.CloseTo(t, "effect", squares.Main[i].Levels[l].Effect, exact.Main[i].Levels[l].Effect)
		}
	}
	// b times c acts through slopes alone.
	studytabletest.CloseTo(t, "interaction", squares.Interactions[2].SumOfSquares, exact.Interactions[2].SumOfSquares)

	table.Rows = table.Rows[2:]
	if e := mustEffects(t, table, true); e.Method != Shapley {
		t.Errorf("%v", e.Method)
	}
}

func TestEffectsOfFactorsThatVaryTogether(t *testing.T) {
	table := &studytable.Table{Factors: []studytable.Factor{studytabletest.Numbers("a", 1, 2, 3), studytabletest.Numbers("b", 10, 20, 30), studytabletest.Numbers("c", 5)}, Responses: []studytable.Response{{Name: "y"}}}
	for i, y := range []float64{4, 5, 9} {
		table.Rows = append(table.Rows, studytable.Row{Levels: []int{i, i, 0}, Values: []float64{y}})
	}
	e := mustEffects(t, table, true)
	if e.Method != OneAtATime || len(e.Main) != 2 || e.Main[0].Share != 1 || e.Main[1].Share != 1 || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "cannot separate the effects of a, b:") {
		t.Errorf("%+v", e)
	}
	if want := []LevelEffect{{0, -2}, {1, -1}, {2, 3}}; !reflect.DeepEqual(e.Main[1].Levels, want) {
		t.Errorf("%+v", e.Main[1])
	}
	// Too few configurations for interactions, but enough for the rest. In so few, one
	// factor follows from the others to 79 %.
	e = mustEffects(t, studytabletest.LatinHypercube(8, 3, func(x []float64) float64 { return x[0] + x[1] }), true)
	if e.Method != Shapley || e.Interactions != nil || len(e.Warnings) != 2 || !strings.Contains(e.Warnings[1], "a, b, c depend on each other") || !strings.Contains(e.Warnings[0], "omitted") {
		t.Errorf("%+v", e)
	}
}

func TestEffectsLimits(t *testing.T) {
	var factors []studytable.Factor
	for k := range 13 {
		factors = append(factors, studytabletest.Numbers(string(rune('a'+k)), 0, 1))
	}
	table := studytabletest.Factorial(factors, 1, func(x []float64, _ int) float64 { return x[12] })
	if _, err := Of(table, "y", true); err == nil || !strings.Contains(err.Error(), "at most 12") {
		t.Errorf("of 13 factors: %v", err)
	}
	if e := mustEffects(t, table, false); e.Main[12].Share != 1 {
		t.Errorf("%+v", e.Main[12])
	}
	// Nothing varies, or there is one row.
	e := mustEffects(t, studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2)}, 2, studytabletest.Listed(3, 3, 3, 3)), true)
	if e.Total.SumOfSquares != 0 || e.Main[0].Share != 0 || e.Main[0].P != 1 {
		t.Errorf("%+v", e)
	}
	e = mustEffects(t, studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1)}, 1, studytabletest.Listed(3)), true)
	if e.Mean != 3 || len(e.Main) != 0 {
		t.Errorf("%+v", e)
	}
	// A name for each of a thousand rows is too much to tell anything.
	var names []string
	for i := range 1000 {
		names = append(names, string(rune('A'+i)))
	}
	wide := &studytable.Table{Factors: []studytable.Factor{studytabletest.Words("name", names...), studytabletest.Numbers("x", 0, 1)}, Responses: []studytable.Response{{Name: "y"}}}
	for i := range names {
		wide.Rows = append(wide.Rows, studytable.Row{Levels: []int{i, i % 2}, Values: []float64{float64(i)}})
	}
	if e := mustEffects(t, wide, true); e.Method != OneAtATime {
		t.Errorf("%v", e.Method)
	}
}

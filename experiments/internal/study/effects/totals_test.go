package effects

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

// sampledTable has rows at random in [-1, 1] of each factor.
func sampledTable(names []string, rows int, seed uint64, y func(x []float64, r *rand.Rand) float64) *studytable.Table {
	r := rand.New(rand.NewPCG(seed, 1))
	t := &studytable.Table{Responses: []studytable.Response{{Name: "y"}}}
	for _, name := range names {
		f := studytable.Factor{Name: name}
		order := r.Perm(rows) // a stratum each
		for i := range rows {
			f.Levels = append(f.Levels, studytable.Level{Text: "v", Value: 2*(float64(order[i])+r.Float64())/float64(rows) - 1, Numeric: true})
		}
		t.Factors = append(t.Factors, f)
	}
	for i := range rows {
		row := studytable.Row{Point: i}
		var x []float64
		for _, f := range t.Factors {
			row.Levels, x = append(row.Levels, i), append(x, f.Levels[i].Value)
		}
		row.Values = []float64{y(x, r)}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// y = a + b^2 + a c has variances 1/3, 4/45 and 1/9 of its terms over uniform factors.
func TestTotalIndicesOfAPolynomial(t *testing.T) {
	table := sampledTable([]string{"a", "b", "c", "idle"}, 300, 7, func(x []float64, _ *rand.Rand) float64 { return x[0] + x[1]*x[1] + x[0]*x[2] })
	got, err := TotalIndices(table, "y", 1)
	if err != nil {
		t.Fatal(err)
	}
	const all = 1./3 + 4./45 + 1./9
	for i, want := range []float64{(1./3 + 1./9) / all, 4. / 45 / all, 1. / 9 / all, 0} {
		if x := got.Indices[i]; math.Abs(x.Share-want) > 0.02 || x.Low > x.Share+1e-9 || x.High < x.Share-1e-9 {
			t.Errorf("factor %d: %+v, want %v", i, x, want)
		}
	}
	if got.Explained < 1-1e-9 || got.Degree < 2 {
		t.Errorf("degree %d predicts %v of what it contains", got.Degree, got.Explained)
	}
	again, err := TotalIndices(table, "y", 1)
	if err != nil || !slices.Equal(got.Indices, again.Indices) {
		t.Errorf("the same seed gives %+v, then %+v", got.Indices, again.Indices)
	}
}

// y = e^a (1 + b/2) with noise. E[e^2a] = sinh(2)/2 = s, E[e^a] = sinh(1), and 13/12 is
// the mean square of 1 + b/2: T_a = 13/12 (s - sinh^2(1))/V, T_b = s/12/V, with
// V = 13/12 s - sinh^2(1). Intervals of 95 % should hold the truth in about 95 of 100
// samples; the bootstrap of few points is known to fall short somewhat.
func TestTotalIntervalsCover(t *testing.T) {
	s, m := math.Sinh(2)/2, math.Sinh(1)*math.Sinh(1)
	v := 13./12*s - m
	want := []float64{13. / 12 * (s - m) / v, s / 12 / v}
	const samples = 60
	covered := 0
	for seed := range samples {
		table := sampledTable([]string{"a", "b"}, 60, uint64(seed), func(x []float64, r *rand.Rand) float64 {
			return math.Exp(x[0])*(1+x[1]/2) + 0.3*r.NormFloat64()
		})
		got, err := TotalIndices(table, "y", 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			if x := got.Indices[i]; x.Low <= w && w <= x.High {
				covered++
			}
		}
	}
	if share := float64(covered) / (2 * samples); share < 0.85 || share == 1 {
		t.Errorf("%.0f %% of the intervals hold the index, want about 95 %%", 100*share)
	}
}

// In a full factorial the indices are those of the sums of squares, and an expansion of
// full degree has the same.
func TestTotalIndicesOfAFactorial(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2, 5), studytabletest.Numbers("b", 1, 3), studytabletest.Words("c", "u", "v", "w")}, 1,
		func(x []float64, _ int) float64 { return x[0]*x[1] + math.Sqrt(x[0]+7*x[2]) })
	got, err := TotalIndices(table, "y", 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Sensitivity(table, "y")
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]float64{}
	for _, f := range s.Factors {
		want[f.Factor] = f.TotalShare
	}
	c, err := table.Gather("y", -1)
	if err != nil {
		t.Fatal(err)
	}
	v := variedFactors(c)
	x := v.expand(4, 1000) // 2 + 1 + 1, which is all products
	var y []float64
	of := make([]int, len(v.List))
	for i, one := range v.List {
		y, of[i] = append(y, one.Mean), i
	}
	expanded, ok := x.shares(y, of)
	if !ok || len(x.terms) != 18 {
		t.Fatalf("an expansion of %d terms, want 18", len(x.terms))
	}
	for i, index := range got.Indices {
		if math.Abs(index.Share-want[index.Factor]) > 1e-12 || math.Abs(expanded[i]-index.Share) > 1e-12 {
			t.Errorf("factor %d: exact %v, sums of squares %v, expanded %v", index.Factor, index.Share, want[index.Factor], expanded[i])
		}
		if !math.IsNaN(index.Low) {
			t.Errorf("factor %d has an interval without repetitions: %+v", index.Factor, index)
		}
	}
	// With repetitions that differ, there are intervals.
	noise := rand.New(rand.NewPCG(3, 3))
	table = studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 5, func(x []float64, _ int) float64 { return x[0] + noise.NormFloat64() })
	if got, err = TotalIndices(table, "y", 1); err != nil || !(got.Indices[0].Low < got.Indices[0].High) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTotalIndicesRefuse(t *testing.T) {
	// Under a + b <= 4 factors depend on each other.
	if _, err := TotalIndices(studytabletest.Related(false, func(a, b, c int) bool { return a+b <= 4 }), "y", 1); !errors.Is(err, ErrDependent) {
		t.Errorf("%v, want %v", err, ErrDependent)
	}
	noise := sampledTable([]string{"a", "b"}, 50, 1, func(_ []float64, r *rand.Rand) float64 { return r.NormFloat64() })
	if got, err := TotalIndices(noise, "y", 1); err == nil {
		t.Errorf("noise has indices %+v", got)
	}
	few := sampledTable([]string{"a", "b", "c"}, 5, 1, func(x []float64, _ *rand.Rand) float64 { return x[0] })
	if got, err := TotalIndices(few, "y", 1); err == nil {
		t.Errorf("5 points have indices %+v", got)
	}
}

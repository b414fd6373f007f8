package expression

import (
	"errors"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// sample returns names with k = 10, and their values on a grid of 3 x 2 processes.
func sample(t *testing.T) (*Names, func() *Values) {
	t.Helper()
	a := NewNames()
	a.AddNumber("k")
	a.AddAxis("x", nil)
	a.AddAxis("y", nil)
	must := func(e *Expression, err error) *Expression {
		expect.Success(t, err)
		return e
	}
	a.Distributions = []*Distribution{
		{Name: "rows", Of: must(a.Scope().Number("k")), Along: AllAxes},
		{Name: "dealt", Of: must(a.Scope().Number("k+1")), Along: 0, Block: Constant(2, "2")},
	}
	a.AddLet("twice", must(a.Scope().Number("2*k")))
	a.AddLet("mine", must(a.Scope().Number("share(k, all)")))
	return a, func() *Values {
		return expect.Value(a.On([]units.FlopsPerSecond{1, 1, 2, 1, 1, 4}, 7, map[string]float64{"k": 10}))(t)
	}
}

// Values on process 4, which has place 1 along x and place 1 along y of a grid of 3 x 2.
func TestExpressions(t *testing.T) {
	for _, tt := range []struct {
		text string
		want float64
	}{
		{"2*k^2 - -k/4", 202.5},
		{"k^3 + 2^k", 2024},
		{"-2^2", -4},
		{"k % 4 + mod(-1, 4)", 5},
		{"max(k, 3, 12) + min(2) + floor(2.5) + sqrt(16)", 20},
		{"p + x + y", 11},
		{"rank + coord(x) + coord(y) + coord(all)", 10},
		{"speed", 1},
		{"twice + mine", 21},        // the fifth has 1 of 10: 2 2 2 2 1 1
		{"of(mine, 0)", 2},          // the first four have one more
		{"of(twice, 5)", 20},        //
		{"share(k, x)", 3},          // 4 + 3 + 3
		{"share(k, y)", 5},          //
		{"share(k, all)", 2 - 1},    //
		{"share(k, all, speed)", 1}, // 10 in proportion to 1 1 2 1 1 4
		{"share(k, x, speed)", 2},   // along x the planes have 2, 2 and 6
		{"share(rows)", 1},
		{"owner(rows, 3)", 1}, // 0 0 1 1 2 2 3 3 4 5
		{"owner(rows, k)", -1},
		{"after(rows, 7)", 1},
		{"after(rows, 8)", 0},
		{"share(dealt)", 4}, // 11 items in blocks of 2: 0 1 2 0 1 2 owns 00 11 22 00 11 2
		{"owner(dealt, 9)", 1},
		{"after(dealt, 3)", 2}, // items 8 and 9
		{"at(1, 0)", 5},
		{"at(1, 1)", -1},
		{"at(0, 1)", -1},
		{"around(1, 1)", 2},
		{"around(2, 0)", 3},
		{"around(-1, -1)", 0},
		{"rank == 4 and not (k < 3) ? 1 : 2", 1},
		{"rank > 4 or k == 10 ? 1 : 2", 1},
		{"rank > 4 or k == 11 ? 1 : 2", 2},
		{"rank in [1, 2*2] ? 1 : 2", 1},
		{"rank in [1, 2] ? 1 : 2", 2},
		{"rank not in [1, 2] ? 1 : 2", 1},
		{"rank in [3] and true ? 1 : 2", 2},
		{"1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2 and 1 != 2 ? 1 : 2", 1},
		{"k > 5 ? (k > 20 ? 1 : 2) : 3", 2},
		{"share(2.5, x)", math.NaN()},
		{"log2(k - 10)", math.NaN()},
		{"of(mine, 6)", math.NaN()},
	} {
		a, build := sample(t)
		e, err := a.Scope().Number(tt.text)
		expect.Need(t, err == nil, "%s: %v", tt.text, err)
		x := build()
		x.Tabulate()
		f := x.At(4)
		got := f.Eval(e)
		expect.That(t, got == tt.want || math.IsNaN(got) && math.IsNaN(tt.want), "%s is %v, want %v", tt.text, got, tt.want)
		n := testing.AllocsPerRun(10, func() { f.Eval(e) })
		expect.That(t, n <= 0 || tt.want != tt.want, "%s: %v allocations", tt.text, n)
	}
}

// Nothing comes after the last item or beyond it. Of 11 items in blocks of 2 the process at place 2 has the last, and
// with one more it would have that too.
func TestAfterTheLast(t *testing.T) {
	a, build := sample(t)
	for _, text := range []string{"after(dealt, k)", "after(dealt, k+1)", "after(dealt, 100)"} {
		f := build().At(5)
		expect.Equal(t, f.Eval(expect.Value(a.Scope().Number(text))(t)), 0, "%s", text)
	}
}

// What a value depends on decides how often it is computed.
func TestDependence(t *testing.T) {
	for _, tt := range []struct {
		text             string
		constant, steady bool
	}{
		{"2*k", true, true},
		{"p*x", true, true},
		{"twice", true, true},
		{"of(twice, rank)", true, true},
		{"rank", false, true},
		{"mine", false, true},
		{"speed", false, true},
		{"coord(x)", false, true},
		{"i", false, false},
		{"owner(rows, i)", false, false},
		{"owner(rows, 1)", true, true},
		{"after(rows, 1)", false, true},
		{"of(mine, i)", false, false},
		{"of(mine, 0)", true, true},
		{"random()", false, false}, // another one in each round
	} {
		a, _ := sample(t)
		e := expect.Value(a.Scope().Loop("i").Number(tt.text))(t)
		expect.That(t, e.Constant() == tt.constant && e.Steady() == tt.steady,
			"%s: constant %v, steady %v; want %v, %v", tt.text, e.Constant(), e.Steady(), tt.constant, tt.steady)
	}
}

// Draws have the mean and the variance of their distribution, and differ between
// seeds, ranks, rounds and places.
func TestDraws(t *testing.T) {
	for _, tt := range []struct {
		text           string
		mean, variance float64
	}{{"random()", 0.5, 1.0 / 12}, {"normal()", 0, 1}, {"exponential()", 1, 1}} {
		a, build := sample(t)
		e := expect.Value(a.Scope().Loop("i").Number(tt.text))(t)
		x := build()
		f := x.At(0)
		f.Counters = []int32{0}
		const n = 40_000
		sum, squares := 0.0, 0.0
		seen := map[float64]bool{}
		for i := range n {
			f.Row, f.Counters[0] = int32(i%4), int32(i/4)
			v := f.Eval(e)
			seen[v] = true
			sum += v
			squares += v * v
		}
		mean := sum / n
		variance := squares/n - mean*mean
		// Six standard deviations of the mean; the variance within a tenth.
		expect.That(t, math.Abs(mean-tt.mean) <= 6*math.Sqrt(tt.variance/n) &&
			math.Abs(variance-tt.variance) <= 0.1*tt.variance,
			"%s: mean %v, variance %v; want %v, %v", tt.text, mean, variance, tt.mean, tt.variance)
		expect.That(t, len(seen) >= n-5, "%s: only %d of %d draws differ", tt.text, len(seen), n)
		once := f.Eval(e)
		x.seed++
		expect.That(t, f.Eval(e) != once, "%s does not depend on the seed", tt.text)
	}
}

// Errors of expressions are those of the language.
func TestExpressionErrors(t *testing.T) {
	a, _ := sample(t)
	_, err := a.Scope().Number("2*kk")
	var f *formula.Error
	expect.That(t, errors.As(err, &f) && f.Character == 3 && f.Unknown == "kk", "got %#v", err)
}

package analysis_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"github.com/isoscale/isoscale/internal/expect"
)

// jinTable1 is the printed surface of log2 speedup over r1, r2 = 0...9.
func jinTable1(t *testing.T) *Table {
	t.Helper()
	file := expect.Value(os.Open("../../paper/data/jin_table1.csv"))(t)
	defer func() {
		expect.Success(t, file.Close())
	}()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	records := expect.Value(reader.ReadAll())(t)
	return kit.Factorial([]Factor{r("r1"), r("r2")}, 1, func(x []float64, _ int) float64 {
		return expect.Value(strconv.ParseFloat(records[1+int(x[1])][1+int(x[0])], 64))(t)
	}, nodes)
}

func r(name string) Factor {
	return kit.Numbers(name, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
}

func nodes(x []float64, _ int) float64 { return math.Exp2(x[0] + x[1]) }

// jin returns log2 speedup of two levels with n_i nodes, w_i work and imbalance c_i:
// the product of n_i w_i/(w_i + c_i (n_i - 1)), [Jin] Eq. 24 to 26.
func jin(w1, w2 func(n1, n2 float64) float64) *Table {
	return kit.Factorial([]Factor{r("r1"), r("r2")}, 1, func(x []float64, _ int) float64 {
		n1, n2 := math.Exp2(x[0]), math.Exp2(x[1])
		a, b := w1(n1, n2), w2(n1, n2)
		return math.Log2(n1*a/(a+0.9*(n1-1))) + math.Log2(n2*b/(b+0.7*(n2-1)))
	}, nodes)
}

func fixedWork(n1, n2 float64) float64 { return 512 }

// sized gathers the response of a table, with sizes.
func sized(t expect.TB, table *Table, goal Goal, size string) *Cells {
	t.Helper()
	c, err := table.Gather("y", goal)
	if err == nil {
		c, err = c.By(size)
	}
	expect.Success(t, err)
	return c
}

// Each error says what was expected.
func TestBadQuestions(t *testing.T) {
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Words("b", "x", "z")}, 1, kit.Listed(1, 2, 3, 4))
	c := sized(t, table, Maximize, "a")
	for want, ask := range map[string]func() (any, error){
		`no response "z"; expected one of y`:     func() (any, error) { return table.Gather("z", Maximize) },
		`no factor "z"; expected one of a, b`:    func() (any, error) { return table.FactorIndex("z") },
		`no factor or response "z"`:              func() (any, error) { return c.By("z") },
		"b cannot be a size: not all its levels": func() (any, error) { return c.By("b") },
	} {
		_, err := ask()
		expect.That(t, err != nil && strings.Contains(err.Error(), want) && strings.Count(err.Error(), "expected") <= 1,
			"%v, want %q", err, want)
	}
}

func TestFailedRows(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Numbers("b", 1, 2)}, 2, kit.Listed(1, 3, nan, 5, nan, inf, 7, 9))
	c := expect.Value(table.Gather("y", Maximize))(t)
	expect.Need(t, len(c.List) == 3, "%d configurations, want 3", len(c.List))
	// Means are over values that did not fail, never over zeros.
	for i, want := range []float64{2, 5, 8} {
		expect.Near(t, c.List[i].Mean, want, 1e-9, "mean")
	}
	// A size that is no number excludes a configuration; a size of 0 does not.
	sizes := kit.Factorial([]Factor{kit.Numbers("a", 1, 2, 3)}, 2, kit.Listed(1, 2, 3, 4, 5, 6), kit.Listed(nan, nan, 0, 0, nan, 7))
	by := sized(t, sizes, Maximize, "size").List
	expect.That(t, len(by) == 2 && by[0].Size == 0 && by[1].Size == 7 && by[1].Mean == 5.5, "%+v", by)
	all := kit.Factorial([]Factor{kit.Numbers("a", 1, 2)}, 1, kit.Listed(nan, nan), kit.Listed(1, 2))
	other := kit.Factorial([]Factor{kit.Numbers("a", 1, 2)}, 1, kit.Listed(1, 2), kit.Listed(nan, nan))
	expect.Refusal(all.Gather("y", Maximize))(t, "all 2 rows failed: none has a finite value of y")
	expect.Refusal(sized(t, other, Maximize, "a").By("size"))(t, "all 2 rows failed: none has a finite value of size")
}

// Configurations in any order are found, also in tables with more combinations than an integer can count, here 1000^8.
func TestManyLevels(t *testing.T) {
	many := make([]float64, 1000)
	for i := range many {
		many[i] = float64(i)
	}
	table := &Table{Responses: []Response{{Name: "y"}}}
	for k := range 8 {
		table.Factors = append(table.Factors, kit.Numbers(fmt.Sprint("f", k), many...))
	}
	for i := range 1000 {
		row := Row{Values: []float64{float64(i)}}
		for k := range 8 {
			row.Levels = append(row.Levels, (i*(2*k+1)*7)%1000)
		}
		table.Rows = append(table.Rows, row)
	}
	c := expect.Value(table.Gather("y", Maximize))(t)
	for _, row := range table.Rows {
		i := c.Find(row.Levels)
		expect.Need(t, i >= 0 && c.List[i].Mean == row.Values[0], "%v is not found", row)
	}
}

// Repetitions 4 6, 7 7, 5 5, 9 nan: means 5, 7, 5, 9; standard errors sqrt(2)/sqrt(2) = 1
// and 0.
func TestRank(t *testing.T) {
	nan := math.NaN()
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Words("b", "u", "v")}, 2, kit.Listed(4, 6, 7, 7, 5, 5, 9, nan))
	// Points need not follow the order of rows.
	slices.Reverse(table.Rows)
	for goal, want := range map[Goal][]string{
		Minimize: {
			"1 [0 0] 5 +- 1 [0 1] 1 true", "1 [1 0] 5 +- 0 [4 5] 1 true",
			// Two standard errors of the difference are 2, and so is the difference.
			"3 [0 1] 7 +- 0 [2 3] 0 true", "4 [1 1] 9 +- NaN [6] 0 false",
		},
		Maximize: {
			"1 [1 1] 9 +- NaN [6] 0 true", "2 [0 1] 7 +- 0 [2 3] 0 false",
			"3 [0 0] 5 +- 1 [0 1] 1 false", "3 [1 0] 5 +- 0 [4 5] 1 false",
		},
	} {
		c := expect.Value(table.Gather("y", goal))(t)
		for i, x := range c.Rank() {
			var points []int
			for _, row := range x.Rows {
				points = append(points, row.Point)
			}
			expect.Equal(t, fmt.Sprintf("%d %v %g +- %g %v %d %v", x.Place, x.Levels, x.Mean, x.StdErr(), points, x.Tied, x.WithinNoise), want[i], "number %d", i)
		}
	}
}

// No answer depends on the order of the rows, to the last bit.
func TestOrderOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0.1, 10), rapid.Just(math.NaN()), rapid.Just(1.0))
		table := kit.Factorial([]Factor{kit.Numbers("p", 4, 1, 2, 8, 16), kit.Numbers("b", 1, 2, 3), kit.Words("c", "u", "v")}, 2,
			func([]float64, int) float64 { return value.Draw(t, "y") },
			func(x []float64, _ int) float64 { return x[0] * x[1] })
		table.Rows[0].Values[0] = 1 // not all fail
		permuted := &Table{Factors: table.Factors, Responses: table.Responses, Rows: rapid.Permutation(table.Rows).Draw(t, "order")}
		answers := func(t expect.TB, table *Table) string {
			c := sized(t, table, Minimize, "size")
			text := fmt.Sprintf("%+v %+v %+v", c.Growth(), c.UpTo(), c.Ascend(&Growth{}))
			s := sized(t, table, Maximize, "size").Spend()
			for _, p := range s.Walk[1:] {
				text += fmt.Sprintf(" %+v %+v", p.Priced, *p.Update)
			}
			return text + fmt.Sprintf(" %+v %+v %+v", s.Frontier, s.Budgets, c.Grid(1, 0, []int{0, 0, 1}))
		}
		x, y := answers(t, table), answers(t, permuted)
		expect.Need(t, x == y, "%s\nin another order: %s", x, y)
	})
}

func BenchmarkAnalysis(b *testing.B) {
	kit.Benchmark(b, map[string]func(*Cells){
		"Growth": func(c *Cells) { c.Growth() },
		"Ascend": func(c *Cells) { c.Ascend(&Growth{}) },
	})
}

func TestSpacing(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	stratified := func(n int, f func(u float64) float64) (x []float64) {
		for i := range n {
			x = append(x, f((float64(i)+rng.Float64())/float64(n)))
		}
		return x
	}
	for name, tt := range map[string]struct {
		values []float64
		ratio  bool
	}{
		"powers of two":           {[]float64{1, 2, 4, 8}, true},
		"powers of ten":           {[]float64{1e-6, 1e-5, 1e-4}, true},
		"three by ratio":          {[]float64{1, 2, 4}, true},
		"three by distance":       {[]float64{1, 2, 3}, false},
		"one to eight":            {[]float64{1, 2, 3, 4, 5, 6, 7, 8}, false},
		"wide by distance":        {[]float64{1, 100, 199, 298}, false},
		"two":                     {[]float64{1, 1000}, false},
		"with 0":                  {[]float64{0, 1, 2, 4, 8, 16}, false},
		"below 0":                 {[]float64{-4, -2, -1}, false},
		"huge":                    {[]float64{1e307, 1e308, 1.7e308}, false},
		"200 samples by distance": {stratified(200, func(u float64) float64 { return 0.9 * u }), false},
		"one of them near 0":      {append([]float64{1e-12}, stratified(199, func(u float64) float64 { return 0.01 + 0.9*u })...), false},
		"200 samples by ratio":    {stratified(200, func(u float64) float64 { return 1e-6 * math.Pow(1e4, u) }), true},
		"a factor of three":       {stratified(200, func(u float64) float64 { return math.Pow(3, u) }), true},
	} {
		expect.Equal(t, SpacedByRatio(tt.values), tt.ratio, "%s", name)
	}
}

func TestRelation(t *testing.T) {
	for _, tt := range []struct {
		name   string
		powers bool
		admits func(a, b, c int) bool
		want   string
	}{
		{"a plane", false, func(a, b, c int) bool { return a+b+c == 6 }, "a + b + c = 6"},
		{"weights", false, func(a, b, c int) bool { return 2*a+b == c+2 }, "2 a + b - c = 2"},
		{"two of three", false, func(a, b, c int) bool { return a+c == 4 }, "a + c = 4"},
		{"a product", true, func(a, b, c int) bool { return a+b+c == 6 }, "a * b * c = 64"},
		{"powers", true, func(a, b, c int) bool { return a+2*b+c == 6 }, "a * b^2 * c = 64"},
		{"none", false, func(a, b, c int) bool { return true }, ""},
		{"an inequality", false, func(a, b, c int) bool { return a+b+c <= 6 }, ""},
		{"almost", false, func(a, b, c int) bool { return a+b+c == 6 || a+b+c == 7 && a == 4 }, ""},
		{"two equations", false, func(a, b, c int) bool { return a+b+c == 6 && a == b }, ""},
	} {
		got := ""
		values := []float64{0, 1, 2, 3, 4}
		if tt.powers {
			values = []float64{1, 2, 4, 8, 16}
		}
		factors := []Factor{kit.Numbers("a", values...), kit.Numbers("b", values...), kit.Numbers("c", values...)}
		table := kit.Where(kit.Factorial(factors, 1), func(l []int) bool { return tt.admits(l[0], l[1], l[2]) })
		if r := table.Relation(); r != nil {
			got = r.Describe(table)
		}
		expect.That(t, got == tt.want, "%s: %q, want %q", tt.name, got, tt.want)
	}
}

// The mean of 4 and 6 is 5 with a standard error of 1: with t_1 = 12.706 the interval is from -7.706 to 17.706. For
// paired differences 1, 1.5 and 2 of means that repetitions move by ten times as much, t = 1.5/(0.5/sqrt 3) = 5.196 and
// p = 0.0351 with two degrees of freedom: a single pair is told apart at 5 %. Among three configurations that is not
// enough, 5 %/3; nor is it if the question was asked at one, two and four repetitions, 12 p. With such a p, half of the
// interval is t times the standard error 0.5/sqrt 3, with t = (1 - p) sqrt(2/(1 - (1 - p)^2)).
func TestPairedDifferences(t *testing.T) {
	two := expect.Value(kit.Factorial([]Factor{kit.Words("m", "a", "b")}, 2, kit.Listed(4, 6, 7, 7)).Gather("y", Minimize))(t)
	x := two.List[0].Interval()
	expect.That(t, math.Abs(float64(x[0])+7.706) <= 1e-3 && math.Abs(float64(x[1])-17.706) <= 1e-3, "%v", x)
	for _, tt := range []struct {
		names []string
		least int
		apart bool
		p     float64
	}{{[]string{"a", "b"}, 0, true, 0.05}, {[]string{"a", "b", "c"}, 0, false, 0.05 / 3}, {[]string{"a", "b"}, 1, false, 0.05 / 12}} {
		table := kit.Factorial([]Factor{kit.Words("m", tt.names...)}, 3, kit.Listed(10, 20, 30, 11, 21.5, 32, 11, 21.5, 32))
		c := expect.Value(table.Gather("y", Minimize))(t)
		c.Least = tt.least
		second := c.Rank()[1]
		half := (1 - tt.p) * math.Sqrt(2/(1-(1-tt.p)*(1-tt.p))) * 0.5 / math.Sqrt(3)
		expect.That(t, second.WithinNoise != tt.apart && math.Abs(second.Behind.Gain-1.5) <= 1e-12 &&
			math.Abs(second.Behind.Half-half) <= 1e-9, "%v after %d: %+v", tt.names, tt.least, second)
	}
	// Differences of 8, 9.99 and 9.21 have t = 15.66 and p = 1 - t/sqrt(2 + t^2) = 0.00405, too much for 5 % over 15
	// pairs; their logarithms ln 9, ln 11/1.01 and ln 10.2/0.99 have t = 40.7 and p = 0.0006, which is enough.
	far := kit.Factorial([]Factor{kit.Words("m", "a", "b", "c", "d", "e", "f")}, 3,
		kit.Listed(1, 1.01, 0.99, 9, 11, 10.2, 9, 11, 10.2, 9, 11, 10.2, 9, 11, 10.2, 9, 11, 10.2))
	for i, x := range expect.Value(far.Gather("y", Minimize))(t).Rank() {
		expect.That(t, x.WithinNoise == (i == 0), "%d: %+v", i, x)
	}
}

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

// Twelve configurations are worse than the first by 0, 1 to 11 %, of which the noise tells few apart: those that it
// favours. The interval of the first that is told apart holds its true difference in at least 95 % of 1000 tables, less
// two standard errors of that; intervals of each pair by itself hold it in 47 %.
func TestIntervalsHoldWhatIsToldApart(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
	told, held := 0, 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 10))
		c := expect.Value(kit.Factorial([]Factor{kit.Words("m", names...)}, 5, func(at []float64, _ int) float64 {
			return 100 + at[0] + 4*r.NormFloat64()
		}).Gather("y", Minimize))(t)
		ranking := c.Rank()
		for _, x := range ranking {
			if !x.WithinNoise {
				told++
				if truth := float64(x.Levels[0] - ranking[0].Levels[0]); math.Abs(x.Behind.Gain-truth) <= x.Behind.Half {
					held++
				}
				break
			}
		}
	}
	t.Logf("%d of %d", held, told)
	expect.That(t, told >= 200 && float64(held) >= (0.95-2*math.Sqrt(0.95*0.05/float64(told)))*float64(told), "%d of %d", held, told)
}

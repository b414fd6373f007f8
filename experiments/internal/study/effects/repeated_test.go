package effects

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"github.com/isoscale/isoscale/internal/expect"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

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

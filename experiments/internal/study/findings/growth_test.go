package findings

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// Of misses of 0.5, 20 and 3 % the first is not reported, and the worst is named.
func TestSmallMissesAreNotTold(t *testing.T) {
	miss := func(size, percent float64) analysis.Miss {
		return analysis.Miss{Size: size, Shortfall: analysis.Shortfall{By: percent, Percent: analysis.Number(percent)}}
	}
	r := &Result{
		Evidence: Evidence{Study: &sweep.Study{Design: &design.Design{}}, Response: store.Column{Name: "time", Unit: "s"}, Size: store.Column{Name: "nodes"}, Path: &analysis.Growth{}},
		Growth:   []analysis.Optimum{{Size: 1}, {Size: 8}},
		Ascent:   &analysis.Ascent{Steps: make([]analysis.AscentStep, 3), Misses: []analysis.Miss{miss(2, 0.5), miss(4, 20), miss(8, 3)}},
	}
	told := r.misses()
	expect.That(t, len(told) == 2 && told[0].Size == 4 && told[1].Size == 8, "told %+v", told)
	text := strings.Join(r.GrowthInWords(), "\n")
	expect.Says(t, text, "misses the optimum by 1 % or more at 2 sizes, most at 4 nodes, by 20 %")
	r.Ascent.Misses = r.Ascent.Misses[:1]
	if text := strings.Join(r.GrowthInWords(), "\n"); !strings.Contains(text, "within 1 % of the optimum") {
		t.Error(text)
	}
	r.Ascent.Misses = nil
	text = strings.Join(r.GrowthInWords(), "\n")
	expect.That(t, strings.HasSuffix(text, "is optimal at every size that it reaches."), "%q", text)
}

// Without costs 8 SIs of 8 on n1 x n2 nodes, all powers of two, take the same time however a size is divided: 1, 2, 4,
// 8, 16, 32 and 64 nodes have 1, 2, 3, 4, 3, 2 and 1 configurations, so at five of seven sizes the path is one of
// several.
func TestTiesOfGrowthAreTold(t *testing.T) {
	r := finished(t, sweeptest.Ties)
	for i, tied := range []int{0, 1, 2, 3, 2, 1, 0} {
		o := r.Growth[i]
		expect.That(t, o.Tied == tied && o.WithinNoise == tied && !o.StdErr.Exists(), "%+v, want %d tied", o, tied)
	}
	const want = "The path is one of several: of 7 sizes, at 5 sizes others are as good."
	expect.Says(t, strings.Join(r.GrowthInWords(), "\n"), want)
}

// Six seeds: scatter decides which configuration of a size is first, and the text says that others are within the
// noise.
func TestNoiseOfGrowthIsTold(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [16, 16], method: dispatch, scatter: 0.9}
repetitions: 6
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 2}
  r2: {path: "log2_levels[1]", from: 0, to: 2}
objective: {maximize: log2_speedup, size: nodes}
`)
	alike := 0
	for _, o := range r.Growth {
		expect.That(t, o.StdErr.Exists() && o.StdErr >= 0, "no standard error: %+v", o)
		alike += o.WithinNoise
	}
	whiskers := 0 // of the curves over r1 and r2, and of the growth path
	for _, s := range r.Report().Sections {
		for _, b := range s.Blocks {
			if c, ok := b.(*report.LineChart); ok && c.Series[0].Low != nil {
				whiskers++
				expect.That(t, len(c.Series[0].Low) == len(c.Series[0].Y) && c.Series[0].Low[1] < c.Series[0].Y[1], "%s: %+v", c.Title, c.Series[0])
			}
		}
	}
	expect.Equal(t, whiskers, 3, "charts with whiskers")
	text := r.rivalsInWords()
	expect.That(t, alike != 0 && strings.Contains(text, "others may be as good as the best"),
		"%d within the noise: %q", alike, text)
}

// Without imbalance n1 n2 nodes are n1 n2 times as fast, so doubling either gains the same in Mflop/s: 1 on one node
// and 8 on eight of 16. The map says so with the prefix of the objective; the map by cost names the amount of money, 1
// EUR: on one node 10 EUR more gain 1 Mflop/s.
func TestStepsAreInTheUnitOfTheObjective(t *testing.T) {
	r := drawn(t, strings.Replace(sweeptest.Costs, "}}\n", "}, rate: {formula: 1e6*speedup, unit: flop/s}}\nobjective: {maximize: rate, size: nodes, cost: cost}\n", 1))
	blocks := r.updateSection().Blocks
	gains, priced := blocks[0].(*report.Surface), blocks[1].(*report.Surface)
	expect.That(t, gains.Value.Unit == "Mflop/s" && *gains.Value.Min == 1 && *gains.Value.Max == 8 && gains.Values[0][0] == 1, "%+v: %v", gains.Value, gains.Values)
	expect.That(t, priced.Value.Title == "gain per 1 EUR" && priced.Values[0][0] == 1e5, "%+v: %v", priced.Value, priced.Values)
}

// 64 x 64 SIs without imbalance: the speedup is the number of nodes, so every doubling
// gains 1. With 3 for a doubling of level 1 and 1 for one of level 2 growth by cost
// raises r2 first, and the frontier does the same.
func TestGrowthByPricesOfDoublings(t *testing.T) {
	r := drawn(t, sweeptest.Prices)
	// All scalabilities are 1, so there is no map of them.
	expect.That(t, r.spendingSection() != nil && len(r.updateSection().Blocks) == 2, "%+v", r.updateSection())
	var walk, frontier []float64
	for _, p := range r.Spending.Walk {
		walk = append(walk, p.Cost, p.Value)
	}
	for _, p := range r.Spending.Frontier {
		frontier = append(frontier, p.Cost, p.Value)
	}
	want := []float64{0, 0, 1, 1, 2, 2, 5, 3, 8, 4}
	expect.That(t, slices.Equal(walk, want) && slices.Equal(frontier, want), "walk %v, frontier %v, want %v", walk, frontier, want)
	first := r.Growth[0].Updates
	expect.That(t, len(first) == 2 && first[0].Raised == "r2" && first[0].Scalability == 1 &&
		first[0].Efficiency == 1 && first[1].Raised == "r1" && math.Abs(float64(first[1].Efficiency)-1./3) <= 1e-15,
		"updates %+v", first)
	expect.Equal(t, strings.Join(r.SpendingInWords(), "\n"),
		"Growth by the largest gain of log2 speedup per unit of price raises r2 twice, then r1 twice. At 24 budgets from 0 to 8 it is within 1 % of the best that the budget buys.", "text")
	var steps strings.Builder
	expect.Success(t, ExportSteps(r.Study, &steps, "csv"))
	for _, want := range []string{
		"point,r1,r2,raised,gain,scalability,added [price],efficiency\n0,0,0,r1,1,1,3,0.3333333333333333\n0,0,0,r2,1,1,1,1\n1,0,1,r1,1,1,3,",
		"\n7,2,1,r2,1,1,1,1\n", // nothing but r2 is left to raise
	} {
		expect.Says(t, steps.String(), want)
	}
	expect.Lacks(t, steps.String(), "\n8,")
}

// An objective may be an expression. A node for 5 has a speed-up of 1 per 5, two of one cluster for 6 have 2 per 6, of two
// clusters for 10 again 2 per 10.
func TestStepsOfAnExpression(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [8, 8], imbalance: [0, 0], method: formula}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 1}
  r2: {path: "log2_levels[1]", from: 0, to: 1}
derived: {price: 4*2^r1 + 2^(r1 + r2)}
objective: {maximize: speedup/price, size: nodes, cost: price}
`)
	var steps strings.Builder
	expect.Success(t, ExportSteps(r.Study, &steps, "csv"))
	one, two := 1./5, 2./6 // rounded before they are subtracted
	expect.Says(t, steps.String(), fmt.Sprintf("0,0,0,r1,0,0,5,0\n0,0,0,r2,%[1]v,%[1]v,1,%[1]v\n", two-one))
}

// Without imbalance the speed-up of 2^r1 x 2^r2 nodes is their number, for each level up to its 8 tasks. With a price
// of 4 per cluster and 1 per node, the most per unit of the price is one cluster of 8 nodes, 8/12. More clusters have
// the same, or less if they are idle at the end, so growth ends at 8 nodes.
func TestWhereGrowthEnds(t *testing.T) {
	const plan = `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [8, 8], imbalance: [%s, 0], method: formula}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
derived: {price: 4*2^r1 + 2^(r1 + r2), for_price: speedup/price}
objective: {maximize: for_price, size: nodes, cost: price}
`
	for _, imbalance := range []string{"0", "0.5"} {
		r := finished(t, fmt.Sprintf(plan, imbalance))
		expect.Says(t, r.pathInWords(), " No size above nodes = 8 is better.")
		expect.Says(t, strings.Join(r.SpendingInWords(), " "), " raises r2 3 times: no further step makes for price better. At ")
		r.Unequal = "The times of sizes are not compared."
		expect.Lacks(t, r.pathInWords(), "No size")
	}
}

// The best of 7 or 11 nodes has nothing in common with that of 6 or 10: the path jumps at most sizes. Up to a size it
// does not: with free subclusters, the best is the largest up to the size, with at most eight jumps for nine bounds.
// Map and table have these.
func TestManySizesAreToldByTheBestUpToASize(t *testing.T) {
	r := drawn(t, sweeptest.Sizes)
	expect.Need(t, len(r.Growth) > maxSizes && r.Path.Jumps >= len(r.Growth)/2,
		"%d sizes, %d jumps", len(r.Growth), r.Path.Jumps)
	bounds := each.Append(nil, r.UpTo, func(o analysis.Optimum) float64 { return o.Bound })
	expect.List(t, bounds, []float64{1, 2, 4, 8, 16, 32, 64, 128, 256}, "bounds")
	expect.Says(t, strings.Join(r.GrowthInWords(), "\n"), "the best configuration up to a size, at 9 sizes from 1 to 256 nodes")
	jumps := 0
	for _, l := range r.mapSection().Blocks[0].(*report.Surface).Layers {
		if l.Mark == report.MarkDashes {
			jumps += len(l.Traces)
		}
	}
	expect.That(t, jumps == r.Envelope.Jumps && jumps <= 2, "%d jumps drawn, %d found", jumps, r.Envelope.Jumps)
	table := r.growthSection().Blocks[1].(*report.Table)
	expect.Equal(t, table.Title, "Best configuration up to each size", "title")
	expect.Equal(t, len(table.Rows), 9, "rows of the table")
}

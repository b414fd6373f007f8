package findings

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// The surface of Table I passes through storing, reading and analysing.
func TestAnalysisOfTableI(t *testing.T) {
	r := drawn(t, sweeptest.Jin)
	// Table I has 16.31 at (9, 9), and its optima form a path.
	expect.That(t, r.Best != nil && math.Abs(r.Best.Value-16.31) <= 0.005 && r.Best.Levels["r1"] == "9" &&
		r.Best.Levels["r2"] == "9",
		"best %+v", r.Best)
	expect.That(t, len(r.Growth) == 19 && r.Path.Jumps == 0,
		"%d sizes with %d jumps, want 19 with none", len(r.Growth), r.Path.Jumps)
	of, linear := r.linear()
	expect.That(t, of.Name == "speedup" && linear(3) == 8,
		"a value of 3 is %v of %s, want a speedup of 8", linear(3), of.Name)
	var page bytes.Buffer
	expect.Success(t, html.Write(&page, r.Report()))
	expect.Says(t, page.String(), "Map of the objective", "Growth path", "What matters", "Scalability", "The best configurations")
}

// drawn carries out a plan and returns the sections of its report.
func drawn(t *testing.T, plan string) *sections {
	t.Helper()
	return sectionsOf(finished(t, plan))
}

func TestNamesInWords(t *testing.T) {
	for name, want := range map[string]string{
		"time":                             "time",
		"achieved_speed":                   "achieved speed",
		"network.latency":                  "network latency",
		"scenario.machine.network.latency": "network latency",
		"machine.nodes[0].node_count":      "nodes[0] node count",
		"achieved_speed/price":             "achieved speed/price",
		"50*n1":                            "50*n1",
	} {
		expect.Equal(t, inWords(name), want, "words for %s", name)
	}
}

// Labels appear on axes, in legends and in the heads of tables, also when the stored study is read again, but in no
// row.
func TestLabels(t *testing.T) {
	const plain = `scenario:
  machine: sunwulf
  nodes: {server: 1, blade: 1}
  network: hockney
  workload: {name: gauss, n: 40}
factors:
  blades: {path: nodes.blade, values: [1, 2, 4]}
  network.latency: [10 us, 100 us, 1 ms]
  n: {path: workload.n, values: [40, 80, 160]}
`
	r := drawn(t, plain+"labels: {blades: number of blades, time: time of a run}\n")
	s := expect.Value(sweep.Open(r.Study.Dir.Path()))(t)
	again := expect.Value(Of(s, nil, 0))(t)
	for _, r := range []*Result{r.Result, again} {
		seen := make(map[string]bool)
		for _, section := range r.Report().Sections {
			for _, b := range section.Blocks {
				switch b := b.(type) {
				case *report.LineChart:
					seen["axis "+b.X.Title], seen["axis "+b.Y.Title] = true, true
					for _, s := range b.Series {
						name, _, _ := strings.Cut(s.Name, " = ")
						seen["legend "+name] = true
					}
				case *report.Table:
					for _, c := range b.Columns {
						seen["column "+c.Title] = true
					}
				case *report.Parallel:
					for _, a := range b.Axes {
						name, _, _ := strings.Cut(a.Name, " (")
						seen["axis "+name] = true
					}
				}
			}
		}
		for _, want := range []string{"axis number of blades", "axis time of a run", "axis network latency", "legend network latency", "column number of blades", "column network latency", "column time of a run", "column achieved speed"} {
			expect.That(t, seen[want], "no %s", want)
		}
		for _, old := range []string{"axis blades", "axis time", "axis network.latency", "column blades", "column achieved_speed"} {
			expect.That(t, !seen[old], "%s is there", old)
		}
	}
	var labelled, unlabelled strings.Builder
	for text, r := range map[*strings.Builder]*sections{&labelled: r, &unlabelled: drawn(t, plain)} {
		expect.Success(t, r.Study.Export(text, "csv", false))
	}
	expect.That(t, labelled.String() == unlabelled.String(), "labels change rows")
}

// Of the 18 configurations of the plan, w SIs on n nodes take w/n rounds by formula and
// ceil(w/n) by dispatch. The fewest rounds of n = 1, 2, 3 nodes are 6, 3 and 2, with
// w = 6.
func TestParallelAxes(t *testing.T) {
	r := drawn(t, sweeptest.Methods)
	section := r.parallelSection()
	expect.Need(t, section != nil, "three factors have no parallel axes")
	c := section.Blocks[0].(*report.Parallel)
	expect.That(t, c.Least && len(c.Axes) == 3 && c.Axes[0].Name == "n" &&
		slices.Equal(c.Axes[1].Levels, []string{"6", "7", "9"}) &&
		slices.Equal(c.Axes[2].Levels, []string{"formula", "dispatch"}),
		"axes are %+v", c.Axes)
	round := *c.Value.Max / 9 // the most: 9 SIs on one node
	seen := map[[3]int]bool{}
	var best []float64
	last := math.Inf(1)
	for _, l := range c.Lines {
		at := [3]int(l.At)
		w, n := []float64{6, 7, 9}[at[1]], float64(at[0]+1)
		rounds := w / n
		if at[2] == 1 {
			rounds = math.Ceil(rounds)
		}
		expect.That(t, !seen[at] && math.Abs(l.Value/round-rounds) <= 1e-9,
			"line %v is %v rounds, want %v, once", at, l.Value/round, rounds)
		seen[at] = true
		if l.Marked {
			best = append(best, math.Round(l.Value/round))
			expect.That(t, w == 6, "w = %v is the best of %v nodes", w, n)
			continue
		}
		expect.That(t, l.Value <= last, "%v is in front of the better %v", l.Value, last)
		last = l.Value
	}
	expect.That(t, len(seen) == 18 && slices.Equal(best, []float64{6, 3, 2}),
		"%d lines, the best of the sizes with %v rounds, want 18 and 6, 3, 2", len(seen), best)
	expect.Lacks(t, c.Caption, "are drawn")
}

// Two factors have a map instead of parallel axes; of very many configurations a part is drawn, including the best and
// the worst.
func TestParallelAxesOfFewAndMany(t *testing.T) {
	r := drawn(t, strings.Replace(sweeptest.Methods, "  method: [formula, dispatch]\n", "", 1))
	expect.That(t, r.parallelSection() == nil, "two factors have parallel axes")
	part := drawn(t, sweeptest.Methods)
	part.Ranking = slices.DeleteFunc(part.Ranking, func(x analysis.Ranked) bool { return x.Levels[2] == 0 })
	expect.That(t, part.parallelSection() == nil, "with one method, two factors have parallel axes")
	r = drawn(t, strings.NewReplacer("values: [1, 2, 3]", "from: 1, to: 20", "values: [6, 7, 9]", "from: 1, to: 20").Replace(sweeptest.Methods))
	c := r.parallelSection().Blocks[0].(*report.Parallel)
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range c.Lines {
		low, high = min(low, l.Value), max(high, l.Value)
	}
	n := len(c.Lines)
	expect.That(t, n <= mostLines && n >= mostLines/2 && low == *c.Value.Min && high == *c.Value.Max,
		"%d lines from %v to %v of %v to %v", n, low, high, *c.Value.Min, *c.Value.Max)
	expect.Says(t, c.Caption, "Of 800 configurations, ")
}

// Of 45 levels 40 are shown, as the caption says. The best at the sixth level and the worst at the last are among them,
// wherever equal distances fall.
func TestThinnedLevelsKeepTheBestAndTheWorst(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [0]}
factors: {n: {path: "tasks[0]", role: machine, from: 1, to: 45}}
derived: {bowl: "(n - 6)^2"}
objective: {minimize: bowl, size: nodes}
`)
	for _, most := range []int{8, 40} {
		levels, caption := r.levelsShown(0, most)
		expect.That(t, len(levels) <= most && slices.Contains(levels, 5) && slices.Contains(levels, 44) &&
			slices.IsSorted(levels),
			"at most %d: %v", most, levels)
		expect.Says(t, caption, "of the 45 levels of n are shown")
	}
	r.Table.Factors[0].Numeric = false // so there are bars
	c := r.chartOver(0).(*report.BarChart)
	expect.That(t, len(c.Categories) >= 36 && len(c.Categories) <= 40 && slices.Contains(c.Categories, "45") &&
		strings.Contains(c.Caption, "of the 45 levels"),
		"%d bars, want about 40 of the 45 with the worst: %q, %q", len(c.Categories), c.Categories, c.Caption)
	levels, caption := r.levelsShown(0, 45)
	expect.That(t, len(levels) == 45 && caption == "", "%v, %q", levels, caption)
}

// (n-2)^2 + 2m + k is best at n = 2, m = 0, k = 1, where m = 2 is excluded: its curve over n is unlisted, as the
// caption says.
func TestCurvesWithoutPointsAreNotListed(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [0]}
factors: {n: {path: "tasks[0]", role: machine, values: [1, 2, 3]}, m: {role: machine, values: [0, 1, 2]}, k: {role: machine, values: [1, 2]}}
derived: {bowl: (n-2)^2 + 2*m + k}
exclude: [m == 2 and k == 1]
objective: {minimize: bowl, size: nodes}
`)
	c := r.chartOver(0).(*report.LineChart)
	names := each.Append(nil, c.Series, func(s chart.Series) string { return s.Name })
	expect.List(t, names, []string{"m = 0", "m = 1"}, "curves")
	expect.Equal(t, c.Caption, "No point has m = 2.", "caption")
}

// Trees of 1 or 2 times 1, 2 or 4 nodes, of 100 W: 1, 2, 4 and 8 processes, where 2 and 4 occur in two ways each. Every
// bar is as high as the shortest time with its processes on the links of the best point, and the energy is from the
// same row.
func TestTimeOverProcessesAddsUp(t *testing.T) {
	r := drawn(t, `scenario:
  machine:
    node_types: {node: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W}}
    nodes: [{type: node, count: 1}]
    network: {latency: 20 us, bandwidth: 1 Gbit/s, topology: {name: tree, levels: [1, 1], uplinks: [{latency: 90 us, bandwidth: 1 Gbit/s}]}}
  network: hockney
  workload: {name: gauss, n: 60}
factors:
  n1: [1, 2]
  n2: [4, 1, 2]
  links: {path: machine.network.bandwidth, values: [100 Mbit/s, 1 Gbit/s]}
derived:
  "machine.network.topology.levels[0]": n2
  "machine.network.topology.levels[1]": n1
  "machine.nodes[0].count": n1*n2
`)
	// The rows on these links, by their processes.
	column := func(name string) int {
		return expect.Value(r.Table.ResponseIndex(name))(t)
	}
	shortest, energy := make(map[float64]float64), make(map[float64]float64)
	for _, row := range r.Table.Rows {
		p, time := row.Values[column("processes")], row.Values[column("time")]
		if old, known := shortest[p]; row.Levels[2] == r.Reference.At[2] && (!known || time < old) {
			shortest[p], energy[p] = time, row.Values[column("energy")]
		}
	}
	s := r.timeSection()
	expect.Need(t, s != nil && len(s.Blocks) >= 3, "section %+v; want bars, energy, energy times time", s)
	bars := s.Blocks[0].(*report.BarChart)
	want := []string{"p = 1", "p = 2", "p = 4", "p = 8"}
	expect.Need(t, slices.Equal(bars.Categories, want), "bars %v; want %v", bars.Categories, want)
	factor := map[string]float64{"s": 1, "ms": 1e3, "us": 1e6}[bars.Y.Unit]
	for k, p := range []float64{1, 2, 4, 8} {
		high := each.Sum(bars.Series, func(part chart.BarSeries) float64 { return part.Values[k] })
		want := shortest[p] * factor
		expect.That(t, math.Abs(high-want) <= 1e-9*want, "%s: a bar of %v %s; want the time, %v", bars.Categories[k], high, bars.Y.Unit, want)
	}
	drawn := s.Blocks[len(s.Blocks)-2].(*report.LineChart)
	joules := map[string]float64{"J": 1, "kJ": 1e-3}[drawn.Y.Unit]
	for k, p := range drawn.Series[0].X {
		want := energy[p] * joules
		expect.That(t, math.Abs(drawn.Series[0].Y[k]-want) <= 1e-9*want,
			"energy on %v processes is %v %s; want %v", p, drawn.Series[0].Y[k], drawn.Y.Unit, want)
	}
	product := s.Blocks[len(s.Blocks)-1].(*report.LineChart)
	expect.That(t, product.Y.Unit == "J s" && len(product.Series[0].X) == 4, "energy times time: %+v", product)
}

// With draws the whole bar has Student's interval over the times of five repetitions, t = 2.776.
func TestTimeOverProcessesHasWhiskers(t *testing.T) {
	r := drawn(t, strings.Replace(imbalanced, "workload.n: {values: [2, 3], role: machine}", "p: {path: nodes.blade, values: [2, 4]}", 1))
	bars := r.timeSection().Blocks[0].(*report.BarChart)
	top := bars.Series[len(bars.Series)-1]
	factor := map[string]float64{"s": 1, "ms": 1e3, "us": 1e6}[bars.Y.Unit]
	time := expect.Value(r.Table.ResponseIndex("time"))(t)
	for k, p := range []int{0, 1} { // 2 and 4 nodes
		var sum, squares float64
		for _, row := range r.Table.Rows {
			if v := row.Values[time] * factor; row.Levels[0] == p && row.Levels[1] == 0 { // sizes of messages do nothing
				sum, squares = sum+v, squares+v*v
			}
		}
		half := 2.776445 * math.Sqrt((squares-sum*sum/5)/4/5)
		expect.Close(t, top.Low[k], sum/5-half, 1e-5, "lower end of %s", bars.Categories[k])
		expect.Close(t, top.High[k], sum/5+half, 1e-5, "upper end of %s", bars.Categories[k])
	}
}

// A plan with a fixed number of processes, or of super-programs, has no such section.
func TestNoTimeOverOneNumberOfProcesses(t *testing.T) {
	for _, plan := range []string{
		"scenario: {machine: sunwulf, nodes: {blade: 2}, network: hockney, workload: {name: gauss, n: 50}}\nfactors: {n: {path: workload.n, values: [20, 30, 40]}}\n",
		"scenario: {workload: super-program, log2_levels: [0], tasks: [64], imbalance: [0]}\nfactors: {r1: {path: \"log2_levels[0]\", from: 0, to: 2}}\n",
	} {
		s := drawn(t, plan).timeSection()
		expect.That(t, s == nil, "%s has a section %+v", plan, s)
	}
}

package findings

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

func TestIncomplete(t *testing.T) {
	s := created(t, sweeptest.Jin, 4)
	expect.Success(t, s.Shard(context.Background(), 1, 1, nil))
	expect.Refusal(Of(s, nil, 0))(t, "3 of 4 shards are missing: 0,2-3;")
}

// finished carries out a plan and analyses it. Each finding must rest on a field of the JSON that is not empty.
func finished(t *testing.T, plan string) *Result {
	t.Helper()
	r := expect.Value(Of(done(t, plan), nil, 0))(t)
	evident(t, r)
	return r
}

func evident(t *testing.T, r *Result) {
	t.Helper()
	var fields map[string]any
	expect.Success(t, json.Unmarshal(expect.Value(json.Marshal(r))(t), &fields))
	for _, f := range r.Findings {
		expect.That(t, fields[f.Evidence] != nil, "no field %s, on which it rests that %s", f.Evidence, f.Text)
	}
	expect.That(t, len(r.Summary()) <= mostTold+1, "%d findings are told", len(r.Summary()))
}

// done carries out a plan.
func done(t *testing.T, plan string) *sweep.Study {
	t.Helper()
	s := created(t, plan, 0)
	expect.Success(t, s.Run(t.Context(), 2, nil))
	return s
}

// created makes a directory of a plan.
func created(t *testing.T, plan string, shards int) *sweep.Study {
	t.Helper()
	p := expect.Value(sweep.Read(expect.File(t, "plan.yaml", plan), nil))(t)
	return expect.Value(p.Create(filepath.Join(t.TempDir(), "out"), shards))(t)
}

// The findings of small plans: how many points fail, what is best, and what the summary or a warning says about it.
func TestFindings(t *testing.T) {
	for name, tt := range map[string]struct {
		plan   string
		failed int
		at     string // the best configuration
		best   float64
		says   []string
	}{
		"a column without a value at two points, which have n1 = 2": {
			strings.Replace(sweeptest.Derived, "2*cost + n2", "1/(n1 - 2)", 1), 2, "", 0, []string{"2 of 6 points failed"}},
		"six points that cost 60, 80, 120, 160, 240 and 320": {
			sweeptest.Derived, 0, "", 0, []string{"The largest per cost is", "Over 6 sizes from 60 to 320 cost"}},
		"a point with less than one SI": {`scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [2, 4]}
  tasks: {path: "tasks[0]", role: machine, values: [4, n1 - 2]}
`, 1, "n = 4, tasks = 4", 0, []string{"1 of 4 points failed"}},
		"a search that goes on where points fail": {`scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [1, 2, 3, 4]}
  tasks: {path: "tasks[0]", values: [n1 - 2, n1 - 3, n1 + 1]}
search: {points: 12, start: 4}
`, 5, "", 0, []string{"12 of 12 configurations were simulated"}},
		"a derived field that is set in its unit, 4 SIs of 2 to 10 ms, which are three problems": {`scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [0]}
factors: {ms: [1, 2, 5]}
derived: {time: {formula: 2*ms, unit: ms}}
objective: {minimize: time, size: nodes}
`, 0, "none", 4 * 10e-3, []string{"The smallest time of each of 3 problems: 8 ms with ms = 1; 16 ms with ms = 2; 40 ms with ms = 5."}},
		// With c = 0, w SIs on 8 nodes take w/8 of the time of one: half of it for 4.
		"too few SIs for the formula": {`scenario: {workload: super-program, levels: [8], tasks: [8], imbalance: [0]}
factors: {w: {path: "tasks[0]", values: [4, 6, 8]}}
objective: {maximize: speedup}
`, 0, "none", 8, []string{
			"at 2 points there are too few SIs for the formula; furthest off is w = 4, where 4 SIs of level 1 on 8 nodes take 0.5 of the time of one by the formula, which does not hold for so few"}},
		// 8 and 12.5 SIs; the second is simulated as 13, 4 % more. So times are for neither equal work nor the work
		// that the plan asks for.
		"parts of SIs": {`scenario: {workload: super-program, levels: [2], tasks: [8], method: dispatch}
factors:
  tasks: {path: "tasks[0]", role: machine, values: [8, 12.5]}
objective: {minimize: time}
`, 0, "none", 0, []string{
			"at 1 point the plan asks for parts of SIs; furthest off is tasks = 12.5, where 12.5 SIs are simulated as 13 whole ones, which changes the work by +4 %",
			"Points are not compared by time: their work differs",
		}},
		// n = 1, 2: only transfers. n = 3 also takes 3 rounds of 3 s for 8 or 9 SIs.
		"losses": {sweeptest.Losses, 0, "", 0, []string{"The largest loss is to transfers at level 1 at 6 of 6 points."}},
	} {
		r := finished(t, tt.plan)
		expect.Equal(t, sectionsOf(r).lossSection() != nil, tt.plan == sweeptest.Losses, "%s: a map of the largest loss", name)
		at := "none"
		if r.Best != nil {
			at = r.Describe(r.Best.At)
		}
		expect.That(t, r.Failed == tt.failed && (tt.at == "" || at == tt.at) && (tt.best == 0 ||
			r.Reference.Value == tt.best),
			"%s: %d failed, best %+v with %s", name, r.Failed, r.Best, at)
		said := strings.Join(append(r.Summary(), r.Warnings...), "\n")
		for _, want := range tt.says {
			expect.That(t, strings.Contains(said, want), "%s: %q is not in\n%s", name, want, said)
		}
	}
}

func TestObjectiveIsAnExpression(t *testing.T) {
	r := finished(t, sweeptest.Costs+"objective: {maximize: speedup/cost, size: n1*n2}\n")
	// n1 n2/(50 n1 + 10 n1 n2) = n2/(50 + 10 n2), which grows with n2: 4/90 for every n1.
	expect.Need(t, r.Best != nil && r.Best.Value >= 4./90*(1-1e-12) && r.Best.Value <= 4./90*(1+1e-12) &&
		r.Best.Levels["n2"] == "4" && r.Best.Tied == 2,
		"best %+v, want 4/90 at n2 = 4 for three n1", r.Best)
	sizes := each.Append(nil, r.Growth, func(o analysis.Optimum) float64 { return o.Size })
	expect.That(t, len(sizes) == 5 && sizes[0] == 1 && sizes[4] == 16, "sizes %v, want 1, 2, 4, 8 and 16", sizes)
	text := r.Summary()[0]
	expect.That(t, strings.Contains(text, "The largest speedup/cost is 0.0444, with") &&
		strings.HasSuffix(text, "; 2 other configurations have the same value."), "%v", text)
	// The rows do not depend on the objective, and the column has its unit.
	s := done(t, sweeptest.Costs+"objective: {maximize: speedup/cost, size: n1*n2}\n")
	var rows strings.Builder
	expect.Success(t, s.Export(&rows, "csv", false))
	header, _, _ := strings.Cut(rows.String(), "\n")
	expect.That(t, strings.Contains(header, "cost [EUR]") && !strings.Contains(header, "speedup/cost"), "%v", header)
	expect.Success(t, s.Aim("", "cost/speedup", "nodes", ""))
	r = expect.Value(Of(s, nil, 0))(t)
	expect.Close(t, r.Best.Value, 90./4, 1e-12, "the best")
	// The same without the table.
	want := r.Best.Value
	r.Reference, r.Best, r.Failed = nil, nil, 0
	expect.Success(t, r.scan())
	expect.That(t, r.Best != nil && r.Best.Value == want, "scanned %+v, want %v", r.Best, want)
}

// The best is the best mean, not the luckiest run, and the walk is compared with the true best.
func TestBestIsOfMeans(t *testing.T) {
	r := finished(t, `scenario:
  machine: sunwulf
  nodes: {blade: 4}
  network: ideal
  workload: {name: pattern, n: 4, compute: 1 Mflop, imbalance: 0.9}
repetitions: 6
objective: {minimize: time}
factors: {workload.imbalance: [0.5, 0.9], nodes.blade: [2, 4]}
`)
	expect.Need(t, len(r.Growth) == 2, "%d sizes", len(r.Growth))
	best := min(r.Growth[0].Value, r.Growth[1].Value)
	expect.That(t, r.Reference.Value == best && r.Reference.StdErr.Exists(),
		"best %v, and the growth table has %v", r.Reference, best)
}

func TestOnly(t *testing.T) {
	s := done(t, sweeptest.Gauss)
	expect.Failure(t, s.Only([]string{"bandwidth=1 Gbit/s"}), "")
	expect.Success(t, s.Only([]string{"bandwidth=1000", "n=30"}))
	r := expect.Value(Of(s, nil, 0))(t)
	expect.Equal(t, r.Best.Levels["n"], "30", "n of the best")
	expect.Equal(t, len(r.Table.Rows), 96/4/2, "rows")
	best := r.Best.Value
	r.Reference, r.looked, r.Failed = nil, 0, 0
	expect.Success(t, r.scan())
	expect.That(t, r.Best.Value == best && r.looked == 96/4/2, "scanned: %v of %d points, want %v of 12", r.Best.Value, r.looked, best)
	for _, bad := range []string{"colour=red", "n=31", "n"} {
		expect.Failure(t, s.Only([]string{bad}), "")
	}
}

// A pattern does the same on each of 2 or 4 nodes of 1 Gflop/s: the times are equal, 1 s for 10 rounds of 0.1 Gflop,
// but the work is not. The study compares work per time, 4 Gflop/s on four nodes, unless it is told to compare times.
func TestUnequalWorkIsComparedPerUnit(t *testing.T) {
	const text = `scenario:
  machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 0 s, bandwidth: 1 GB/s}}
  network: ideal
  workload: {name: pattern, n: 10, COMPUTE}
factors: {p: {path: nodes.w, values: [2, 4]}}
`
	result := func(compute, more string) *Result {
		return finished(t, strings.Replace(text, "COMPUTE", compute, 1)+more)
	}
	r := result("compute: 0.1 Gflop", "")
	expect.That(t, r.Objective.Response == "achieved_speed" && r.Best.Levels["p"] == "4" &&
		math.Abs(r.Best.Value/4e9-1) <= 1e-9 && len(r.Warnings) <= 0,
		"per process: %+v, best %+v, warnings %q", r.Objective, r.Best, r.Warnings)
	for cores, want := range map[string]bool{"1": false, "3": true} {
		r := finished(t, strings.NewReplacer("COMPUTE", "total_compute: 1 flop", "{marked_speed", "{cores: "+cores+", marked_speed").Replace(text))
		expect.Equal(t, strings.Contains(strings.Join(r.Summary(), " "), "It uses 4 of the 12 cores of its nodes."), want, "%s cores: %q", cores, r.Summary())
	}
	r = result("total_compute: 0.1 Gflop", "")
	expect.That(t, r.Objective.Response == "time" && r.Best.Levels["p"] == "4" &&
		math.Abs(r.Best.Value/0.25-1) <= 1e-9 && len(r.Warnings) <= 0,
		"in total: %+v, best %+v, warnings %q", r.Objective, r.Best, r.Warnings)
	const reason = "the work of workload pattern grows with the number of processes"
	for _, r := range []*Result{result("compute: 0.1 Gflop", "objective: {minimize: time}\n"), result("size: 1 kB", "")} {
		text := strings.Join(r.Summary(), " ")
		expect.That(t, strings.Contains(text, reason) && !strings.Contains(text, "smallest time"), "the summary compares times: %s", text)
		expect.That(t, r.Best == nil, "there is a best point of unequal work: %+v", r.Best)
	}
}

// A design says what matters, or why it cannot.
func TestEffectsInWords(t *testing.T) {
	const scenario = "scenario: {workload: super-program, levels: [1, 1], tasks: [16, 16], imbalance: [0, 0]}\n"
	const factors = "factors: {n1: {path: \"levels[0]\", values: [1, 2, 4, 8]}, n2: {path: \"levels[1]\", values: [1, 2, 4]}}\n"
	for name, test := range map[string]struct{ plan, want string }{
		"grid":     {scenario + factors, "Of the variance of log2 speedup, n1 has a share of"},
		"excluded": {scenario + factors + "exclude: [n1*n2 > 8]\n", "Of the variance of log2 speedup, n1 has a share of"},
		"paired": {scenario + "design: paired\nfactors: {\"levels[0]\": [1, 2, 4], \"levels[1]\": [1, 2, 4]}\n",
			"What matters is unknown: the 3 configurations have 3 levels of levels[0]"},
		"hypercube": {scenario + "design: {latin_hypercube: 6}\nfactors: {a: {path: \"tasks[0]\", from: 10, to: 60}, b: {path: \"tasks[1]\", from: 10, to: 60}}\nexclude: [a > 50]\n",
			"What matters is unknown: the plan excludes a part of the hypercube"},
	} {
		r := finished(t, test.plan)
		text := strings.Join(r.EffectsInWords(), "\n")
		expect.That(t, strings.Contains(text, test.want), "%s: %q; want %q", name, text, test.want)
		expect.That(t, (r.Effects == nil) == (r.Unknown != "") && len(r.Strongest()) == 2,
			"%s: effects %v, unknown %q, strongest %v", name, r.Effects, r.Unknown, r.Strongest())
		if r.Effects == nil {
			continue
		}
		sum := r.Effects.Noise
		for _, f := range r.Effects.Factors {
			sum += f.Share
		}
		expect.That(t, math.Abs(sum-1) <= 1e-9, "%s: shares add up to %v", name, sum)
	}
}

// One node with the dispatch unit on it and no dispatch time executes 8 SIs of 1 s one after another: SIs twice as fast
// save half of the time, a faster network nothing. On two nodes with one place each the remote node gets an SI after 10
// s, executes it and frees the place at 21 s. By 8 s the first has executed the other seven, one by one. So the
// makespan is 10 + 1 + 10 s = 21 s; half the latency saves 10 s of it, faster SIs 0.5 s.
func TestProbesFindWhatLimits(t *testing.T) {
	r := drawn(t, sweeptest.Probes)
	want := map[string][2]float64{"nodes": {0.5, 0.5 / 21}, "network": {0, 10. / 21}}
	for _, row := range r.Table.Rows {
		for name, saved := range want {
			k := expect.Value(r.Table.ResponseIndex("saved_" + name))(t)
			got := row.Values[k]
			expect.That(t, got-saved[row.Levels[0]] <= 1e-15 && saved[row.Levels[0]]-got <= 1e-15,
				"%s saves %v of %v, want %v", name, got, row.Levels, saved[row.Levels[0]])
		}
	}
	expect.That(t, len(r.Limits) == 1 && r.Limits[0].Of == 4 && r.Limits[0].Limits[0].Most == 2 &&
		r.Limits[0].Limits[1].Most == 2,
		"%+v", r.Limits)
	const text = "Of the changes that were tried, the one that saves most is nodes at 2 of 4 points, network at 2. Average share of the time saved: nodes 26.2 %, network 23.8 %."
	expect.Equal(t, strings.Join(r.LimitsInWords(), "\n"), text, "what limits")
	points := 0 // of two configurations, with two seeds that change nothing
	for _, b := range r.limitSection().Blocks {
		if c, ok := b.(*report.ScatterChart); ok {
			for _, s := range c.Series {
				points += len(s.Points)
			}
		}
	}
	expect.Equal(t, points, 4, "points drawn")
}

func TestDifference(t *testing.T) {
	product, equal := 1.0, 0
	for _, n := range []int{1, 2, 3} {
		for _, w := range []int{6, 7, 9} {
			ratio := math.Ceil(float64(w)/float64(n)) * float64(n) / float64(w)
			product *= ratio
			if ratio == 1 {
				equal++
			}
		}
	}
	r := finished(t, sweeptest.Methods)
	d := r.Difference
	expect.Need(t, d != nil, "two methods are not compared")
	expect.That(t, d.By == sweep.ByRatio && d.Pairs == 9 && d.Equal == equal &&
		math.Abs(d.Mean-math.Pow(product, 1./9)) <= 1e-12,
		"%+v, want 9 ratios with %d equal and the mean %v", d, equal, math.Pow(product, 1./9))
	// 7 SIs on 3 nodes: 3 rounds instead of 7/3.
	expect.That(t, math.Abs(d.Highest.Value-9./7) <= 1e-12 && d.Highest.Levels["n"] == "3" &&
		d.Highest.Levels["w"] == "7" && d.Highest.Levels["method"] == "",
		"the highest is %+v, want 9/7 at n = 3, w = 7", d.Highest)
	expect.Says(t, strings.Join(r.DifferenceInWords(), " "), "From method formula to dispatch, time changes by a factor of 1 (", "to 1.286 (n = 3, w = 7)")
}

// The difference of another outcome in the other direction: the signs change, and a line of zero exists only where
// values have both signs.
func TestDifferenceTheOtherWay(t *testing.T) {
	there := finished(t, sweeptest.Methods+"compare: {factor: method, by: difference}\n").Difference
	back := finished(t, sweeptest.Methods+"compare: {factor: method, levels: [dispatch, formula], by: difference}\n").Difference
	expect.That(t, there.Lowest.Value == -back.Highest.Value && there.Highest.Value == -back.Lowest.Value &&
		math.Abs(there.Mean+back.Mean) <= 1e-15,
		"there %+v, back %+v", there, back)
	// 7 SIs on 3 nodes take 3 s in place of 7/3 s.
	expect.That(t, math.Abs(there.Highest.Value-2./3) <= 1e-12, "the highest is %v, want 2/3", there.Highest.Value)
}

// At r1 + r2 = 6 one factor follows from the other: curves over one are drawn through all points, not as seven curves
// of one point each. A size that is a factor has one configuration, so nothing is said about growth, and nothing fails.
func TestFactorsThatFollowFromEachOther(t *testing.T) {
	const plan = `scenario: {workload: super-program, log2_levels: [2, 2], tasks: [128, 512], imbalance: [0.9, 0.7]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 6}
  r2: {path: "log2_levels[1]", from: 0, to: 6}
exclude: ["r1 + r2 != 6"]
objective: {maximize: log2_speedup, size: r1}
`
	r := finished(t, plan)
	expect.That(t, len(r.Warnings) == 0, "warnings %q", r.Warnings)
	expect.Lacks(t, strings.Join(r.Summary(), " "), "single steps")
	lines := 0
	for _, s := range r.Report().Sections {
		for _, b := range s.Blocks {
			c, ok := b.(*report.LineChart)
			if !ok || s.Heading != "Curves" {
				continue
			}
			lines++
			expect.That(t, len(c.Series) == 1 && len(c.Series[0].X) == 7, "%s: %d curves, the first of %d points", c.Title,
				len(c.Series), len(c.Series[0].X))
			expect.Says(t, c.Caption, "differs from point to point.")
		}
	}
	expect.Equal(t, lines, 2, "charts of curves")
}

// If there are several ways to grow, a size that is a factor is named with that factor.
func TestSizeIsAFactor(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, log2_levels: [2, 2], tasks: [128, 512], imbalance: [0.9, 0.7]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 4}
  r2: {path: "log2_levels[1]", from: 0, to: 4}
objective: {maximize: log2_speedup, size: r1}
`)
	expect.That(t, len(r.Warnings) == 0, "warnings %q", r.Warnings)
	expect.Says(t, strings.Join(r.Summary(), "\n"), "Over 5 sizes, r1 = 0 to 4, the best configuration ")
}

// A factor that decides what fits has an effect, even if everything that fits takes equally long.
func TestMemoryThatDecidesWhatIsFeasible(t *testing.T) {
	r := finished(t, sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s, memory: 1 GB", 4, "20 us",
		"{name: matmul, n: 4000}")+`factors:
  mem: {path: machine.node_types.n.memory, values: [300 MB, 500 MB, 1000 MB]}
  nodes: {path: nodes.n, values: [2, 3, 4]}
`)
	all := strings.Join(r.Warnings, "\n")
	expect.Says(t, all, "nothing is feasible at mem = 300 MB; among its other levels mem has no effect")
	expect.Lacks(t, all, "check that the scenario uses it")
}

// Machines are those of the levels: memory counts even if the scenario is complete only with the factors, and some
// levels state none.
func TestMemoryOfLevels(t *testing.T) {
	r := finished(t, sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s", 4, "20 us", "{name: matmul}")+`factors:
  workload.n: [1000, 4000]
  node:
    path: machine.node_types.n
    values: [{marked_speed: 1 Gflop/s}, {marked_speed: 2 Gflop/s, memory: 1 MB}]
    labels: [slow, fast]
`)
	text := strings.Join(append(r.Summary(), r.Warnings...), "\n")
	expect.That(t, r.Infeasible == 2, "%d infeasible", r.Infeasible)
	expect.Lacks(t, text, "node = fast:")
}

// Conditions on outcomes exclude points from being the best. Process 0 of matmul keeps all of three matrices of 128 MB,
// and 2, 4 and 8 nodes take slightly more than 64, 32 and 16 s for the 128 Gflop.
func TestConditionsOfFeasiblePoints(t *testing.T) {
	plan := func(conditions string) string {
		return sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s, memory: 1 GB", 8, "20 us",
			"{name: matmul, n: 4000}") + `factors:
  nodes: {path: nodes.n, values: [2, 4, 8]}
infeasible: ` + conditions + "\n"
	}
	r := finished(t, plan("[memory > 383 MB]"))
	expect.List(t, r.Summary(), []string{"No point is feasible."}, "summary")
	r = finished(t, plan("[memory > 385 MB and nodes > 1, time < 20 s or nodes > 9]"))
	text := strings.Join(append(r.Summary(), r.Warnings...), "\n")
	expect.That(t, r.Infeasible == 1 && r.Ranking[0].Levels[0] == 1, "%d infeasible, %v", r.Infeasible, r.Ranking)
	expect.Says(t, text, "1 of 3 points are infeasible, by their memory or the conditions of the plan")
}

// Times that differ by less than the effect of small changes of the machine are not told apart; larger differences are.
func TestDifferencesWithinSmallChanges(t *testing.T) {
	plan := func(bandwidths string) string {
		return sweeptest.Cluster("marked_speed: 1 Gflop/s", 8, "10 us",
			"{name: stencil3d, n: 60}") + `factors: {machine.network.bandwidth: [` + bandwidths + `]}
perturb: {fields: [machine.network.bandwidth], by: 0.001}
`
	}
	once, _, _ := strings.Cut(plan("0.9999 GB/s, 1 GB/s, 1.0001 GB/s], machine.network.latency: [9.999 us, 10 us"), "perturb")
	text := strings.Join(finished(t, once).Summary(), "\n")
	expect.That(t, strings.Contains(text, "all values are within 0.0") && !strings.Contains(text, "share"), "%s", text)
	text = strings.Join(finished(t, plan("0.9999 GB/s, 1 GB/s, 1.0001 GB/s")).Summary(), "\n")
	expect.Says(t, text, "2 other configurations may be as good", "with changes of machine.network.bandwidth by up to 0.1 %")
	expect.Lacks(t, text, "share")
	text = strings.Join(finished(t, plan("0.8 GB/s, 1 GB/s, 1.2 GB/s")).Summary(), "\n")
	expect.Says(t, text, "it is told apart from all others")
}

// The shipped sweep under dispatch with all times multiplied: every speedup is the same to the last bit, and so are the
// optimum, growth, its misses and the statements about the factors.
func TestUnitOfTimeChangesNothing(t *testing.T) {
	expect.Long(t, "simulates a study again and again")
	analysed := func(k float64) *Result {
		seconds := func(t float64) string { return fmt.Sprintf("%v s", t*k) }
		p := expect.Value(sweep.Read("../../../../examples/hierarchy-sweep.yaml", []input.Override{
			{Path: "scenario.method", Value: "dispatch"},
			{Path: "scenario.time", Value: seconds(1)},
			{Path: "scenario.dispatch[0].time", Value: seconds(0.1)},
			{Path: "scenario.dispatch[0].latency", Value: seconds(0.05)},
			{Path: "scenario.dispatch[1].time", Value: seconds(0.001)},
			{Path: "scenario.dispatch[1].latency", Value: seconds(0.005)},
		}))(t)
		s := expect.Value(p.Create(t.TempDir()+"/out", 0))(t)
		expect.Success(t, s.Run(t.Context(), 1, nil))
		return expect.Value(Of(s, nil, 0))(t)
	}
	want := analysed(1)
	equal := cmp.Comparer(func(a, b analysis.Number) bool { return a == b || !a.Exists() && !b.Exists() })
	for _, k := range []float64{1. / 7, 1000, 0.001, 3} {
		got := analysed(k)
		d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Result{}, Loss{}, LimitsAt{}, effects.LevelEffect{}, analysis.Update{}), equal, cmpopts.IgnoreFields(Result{}, "Evidence", "Directory", "File", "Provenance"))
		expect.That(t, d == "", "times multiplied by %v (-before +after):\n%s", k, d)
		for j, response := range want.Table.Responses {
			factor := 1.0
			if response.Unit == "s" {
				factor = k
			}
			for i, row := range want.Table.Rows {
				a, b := row.Values[j], got.Table.Rows[i].Values[j]
				expect.That(t, (factor != 1 || a == b) && math.Abs(b-a*factor) <= 1e-15*math.Abs(b),
					"times multiplied by %v: %s of row %d is %v, was %v", k, response.Name, i, b, a)
			}
		}
	}
}

package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/internal/expect"
)

// superOf is a plan of super-programs without losses, whose speedup is the number of nodes: level i has 1 to 2^last[i]
// nodes.
func superOf(objective string, last ...int) string {
	zeros := strings.TrimSuffix(strings.Repeat("0, ", len(last)), ", ")
	plan := fmt.Sprintf("scenario: {workload: super-program, log2_levels: [%s], tasks: [%s], imbalance: [%s]}\nfactors:\n",
		zeros, strings.ReplaceAll(zeros, "0", "64"), zeros)
	for i, n := range last {
		plan += fmt.Sprintf("  r%d: {path: \"log2_levels[%d]\", from: 0, to: %d}\n", i+1, i, n)
	}
	return plan + "objective: {maximize: " + objective + ", size: nodes}\n"
}

// strongestFact is the fact of a report about the strongest factor, "" if it has none.
func strongestFact(r *Result) string {
	for _, f := range (&sections{Result: r}).facts() {
		if f.Label == "Strongest factor" {
			return f.Value + " " + f.Note
		}
	}
	return ""
}

// Values and texts by hand. For log2 S = r1 + r2 + ..., a factor of n levels has the variance (n^2 - 1)/12. S = 2^(r1 +
// r2) of two levels is 1, 2, 2, 4 with the variance 1.1875, of which the means at the levels of each factor, 1.5 and 3,
// explain 0.5625.
func TestSharesInWords(t *testing.T) {
	for _, tt := range []struct {
		objective string
		last      []int
		text      string
		fact      string
	}{
		{"log2_speedup", []int{2, 2}, "r1 has a share of 50 %, r2 50 %.", ""},
		{"log2_speedup", []int{2, 1}, "r1 has a share of 73 %, r2 27 %.", "r1 has a share of 73 % of the variance"},
		{"log2_speedup", []int{1, 1, 1, 1, 1, 1},
			"r1 has a share of 17 %, r2 17 %, r3 17 %, r4 17 %, 2 other factors 33 %.", ""},
		{"speedup", []int{1, 1}, "r1 has a share of 50 %, r2 50 %. Interactions are 5 % of it, divided equally among their factors.", ""},
	} {
		r := finished(t, superOf(tt.objective, tt.last...))
		expect.Equal(t, strings.Join(r.EffectsInWords(), "|"), "Of the variance of "+inWords(tt.objective)+", "+tt.text, "%v", tt.last)
		expect.Equal(t, strongestFact(r), tt.fact, "%v: the strongest", tt.last)
	}
}

// A factor is the strongest if its interval is above that of the next.
func TestTheStrongestIsBeyondDoubt(t *testing.T) {
	of := func(name string, share, low, high float64) effects.Factor {
		return effects.Factor{Factor: name, Share: share, Low: analysis.Number(low), High: analysis.Number(high)}
	}
	for want, next := range map[bool]effects.Factor{true: of("b", 0.3, 0.2, 0.4), false: of("b", 0.4, 0.3, 0.6)} {
		r := &Result{Effects: &effects.Effects{Factors: []effects.Factor{of("a", 0.6, 0.5, 0.7), next}}}
		expect.Equal(t, r.strongest() != nil, want, "beside %+v", next)
	}
	near := []effects.Factor{of("a", 0.503, math.NaN(), math.NaN()), of("b", 0.497, math.NaN(), math.NaN())} // 50 % each
	expect.That(t, (&Result{Effects: &effects.Effects{Factors: near}}).strongest() == nil, "a factor of 50 %% is the strongest beside one of 50 %%")
	// No interval is printed beyond what a share can be.
	all := []effects.Factor{of("a", 0.96, 0.86, 1.04), of("b", 0.04, -0.02, 0.1)}
	r := &Result{Evidence: Evidence{Study: &sweep.Study{}, Response: store.Column{Name: "time"}}, Effects: &effects.Effects{Factors: all}}
	expect.List(t, r.EffectsInWords(),
		[]string{"Of the variance of time, a has a share of 96 % (86 to 100 %), b 4 % (0 to 10 %)."}, "intervals")
}

// What a polynomial leaves unexplained is told, and is no interaction.
func TestWhatIsUnexplainedIsTold(t *testing.T) {
	for unexplained, said := range map[float64]string{0: "", 0.001: "", 0.2: "; a polynomial of the factors leaves 20 % unexplained"} {
		none := analysis.Number(math.NaN())
		of := func(name string, share float64) effects.Factor {
			return effects.Factor{Factor: name, Share: share, Alone: share, Low: none, High: none}
		}
		r := &Result{Evidence: Evidence{Study: &sweep.Study{}, Response: store.Column{Name: "time"}}, Effects: &effects.Effects{
			Unexplained: unexplained, Pairs: []effects.Pair{}, Factors: []effects.Factor{of("a", 0.5), of("b", 0.5-unexplained)}}}
		expect.List(t, r.EffectsInWords(),
			[]string{fmt.Sprintf("Of the variance of time, a has a share of 50 %%, b %.0f %%%s.", 50-100*unexplained, said)}, "%v", unexplained)
	}
}

// Probes that save the same are both reported, and so are points that no probe makes faster. Halving the time of an SI
// saves half of the time on one node and 0.5 s of 21 on two; the latency saves nothing on one node, and 10 s of 21 on
// two. Each case has two seeds.
func TestTiesOfProbesAreTold(t *testing.T) {
	head, _, _ := strings.Cut(sweeptest.Probes, "probes:")
	for probes, want := range map[string]string{
		"{a: {time: 0.5 s}, b: {time: 0.5 s}}": "Of the changes that were tried, the one that saves most is a at 4 of 4 points, b at 4; at 4 of them several save as much. " +
			"Average share of the time saved: a 26.2 %, b 26.2 %.",
		"{network: {dispatch.latency: 5 s}}": "Of the changes that were tried, the one that saves most is network at 2 of 2 points; at 2 more none saves a thousandth of the time. " +
			"Average share of the time saved: network 23.8 %.",
		"{nothing: {dispatch.latency: 10 s}}": "Of the changes that were tried, none saves a thousandth of the time of any point.",
	} {
		r := finished(t, head+"probes: "+probes+"\n")
		expect.Equal(t, strings.Join(r.LimitsInWords(), "|"), want, "%s", probes)
	}
	// What is saved at the best, one node, is a mean over repetitions.
	best := finished(t, sweeptest.Probes+"repetitions: 2\n").Limits[0].Limits[0]
	expect.That(t, best.Probe == "nodes" && best.AtBest == 0.5, "%+v, want half of the time saved", best)
}

// If there is no difference anywhere, the text says so: 6 and 12 SIs on 1, 2 and 3 nodes take whole rounds.
func TestNoDifferenceIsTold(t *testing.T) {
	r := finished(t, strings.Replace(sweeptest.Methods, "[6, 7, 9]", "[6, 12]", 1))
	expect.Equal(t, strings.Join(r.DifferenceInWords(), "|"),
		"For method, formula and dispatch agree at 6 configurations.", "text")
}

// A map with all values on one side says that it has no line without a difference: 7 and 11 SIs are divisible by no
// number of nodes but one.
func TestMapsWithoutALineOfNoDifference(t *testing.T) {
	for nodes, want := range map[string]bool{"[1, 2, 3]": false, "[2, 3, 4]": true} {
		plan := strings.NewReplacer("[1, 2, 3]", nodes, "[6, 7, 9]", "[7, 11]").Replace(sweeptest.Methods)
		blocks := drawn(t, plan).differenceSection().Blocks
		caption := captionOf(t, blocks[0])
		expect.That(t, strings.Contains(caption, "There is no line of no difference") == want, "nodes %s: %q", nodes, caption)
	}
}

// Ties at most sizes: at each, a configuration on the diagonal is as good as any. Table I of [Jin] follows the
// diagonal, and its case 2 leaves it at 4 nodes: (2,0) has 1.99999 and (1,1) 1.95604.
func TestTheDiagonalInWords(t *testing.T) {
	const leaves = "The best configurations leave the diagonal, on which r1 and r2 are at most a level apart, at 4 nodes, " +
		"with r1 = 2, r2 = 0."
	for _, tt := range []struct{ plan, want string }{
		{sweeptest.Ties, ""},
		{sweeptest.Jin, "The best configurations stay on the diagonal: r1 and r2 are never more than a level apart."},
		{strings.Replace(sweeptest.Jin, "[512, 512]", "[262144 / n2^1.5, 8 * n2^1.5]", 1), leaves},
	} {
		expect.Equal(t, finished(t, tt.plan).diagonalInWords(), tt.want, "%s", tt.plan)
	}
}

// Statements about a path appear only if their condition holds.
func TestPathInWords(t *testing.T) {
	for _, tt := range []struct {
		jumps, switches int
		last            analysis.Optimum
		want, not       string
	}{
		{0, 0, analysis.Optimum{Move: analysis.Step}, "a system can grow along the optimum.", "stays"},
		{0, 0, analysis.Optimum{Move: analysis.Stay}, "It stays the same 1 time: a larger size does not help.", "cannot"},
		{0, 1, analysis.Optimum{Move: analysis.Switch}, "1 time another level of a factor without order", "can grow"},
		{1, 0, analysis.Optimum{Move: analysis.Jump, Tied: 1, WithinNoise: 1},
			"is 1 time more than one step from that of the previous size: growth by single steps cannot follow the optimum.", "can grow"},
		// A rival within the noise may be one step away.
		{1, 0, analysis.Optimum{Move: analysis.Jump, WithinNoise: 1},
			"is 1 time more than one step from that of the previous size.", "cannot"},
	} {
		optima := []analysis.Optimum{{Size: 1, Move: analysis.First}, tt.last}
		r := &Result{Growth: optima, Evidence: Evidence{One: &analysis.Cells{},
			Path: &analysis.Growth{Optima: optima, Jumps: tt.jumps, Switches: tt.switches}, Size: store.Column{Name: "nodes"}}}
		text := r.pathInWords()
		expect.That(t, strings.Contains(text, tt.want) && !strings.Contains(text, tt.not),
			"%q, want %q and not %q", text, tt.want, tt.not)
	}
}

// By uncertainty the next configuration is not the one expected to be better, so nothing follows about the others.
func TestOnlyTheLargestImprovementSpeaksForAll(t *testing.T) {
	for criterion, want := range map[search.Criterion]string{
		search.Improvement: "No other configuration is expected to be better; next would be ",
		search.Uncertainty: "Next would be ",
	} {
		next := &Surrogate{Next: &Candidate{StdErr: 1}}
		r := &Result{Search: &Search{Simulated: 2, Start: 2, Criterion: criterion, Surrogate: next},
			Evidence: Evidence{Study: &sweep.Study{Design: &design.Design{}}, Model: &search.Model{}}}
		lines := r.searchInWords()
		expect.That(t, strings.HasPrefix(lines[len(lines)-2], want), "%v: %q", criterion, lines)
		r.Search.Surrogate = nil
		lines = r.searchInWords()
		expect.Equal(t, lines[len(lines)-1], "Nothing can be predicted from them.", "without a process")
	}
}

// If the start has no result, the first configuration after it is not chosen by predictions. 5 of the 12 configurations
// have no SI.
func TestASearchThatStartsBlind(t *testing.T) {
	const seeds = 20
	told := 0
	for seed := range seeds {
		r := finished(t, fmt.Sprintf(`scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [1, 2, 3, 4]}
  tasks: {path: "tasks[0]", values: [n1 - 3, n1 - 2, n1]}
search: {points: 4, start: 2}
seed: %d
`, seed))
		if r.Search == nil {
			continue // nothing has a result
		}
		column := expect.Value(r.Table.ResponseIndex(r.Response.Name))(t)
		blind := math.IsNaN(r.Table.Rows[0].Values[column]) && math.IsNaN(r.Table.Rows[1].Values[column])
		const words = "then 2, the first of them not by predictions, because the start has no result"
		says := strings.Contains(r.searchInWords()[0], words)
		expect.Equal(t, says, blind, "seed %d: %q", seed, r.searchInWords())
		if says {
			told++
		}
	}
	expect.That(t, 0 < told && told < seeds, "%d of %d seeds start blind, want some and not all", told, seeds)
}

// The best over repetitions, also by a scan that keeps no rows: the mean, over how many runs, and which others may be
// as good, all from the rows. Of three pairs the first differs if t of the six differences exceeds t_5 at 5 %/3, 3.534,
// and then the second if it exceeds that at 5 %/2, 3.163.
func TestTheBestInTheMeanOfRepetitions(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [16, 16], method: dispatch, scatter: 0.9}
repetitions: 6
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 2}
  r2: {path: "log2_levels[1]", from: 0, to: 2}
exclude: [r1 + r2 != 2]
objective: {maximize: log2_speedup, size: nodes}
`)
	column := expect.Value(r.Table.ResponseIndex("log2_speedup"))(t)
	value := func(of, k int) float64 { return r.Table.Rows[6*of+k].Values[column] }
	mean := func(of func(k int) float64) (sum float64) {
		for k := range 6 {
			sum += of(k) / 6
		}
		return sum
	}
	of := []int{0, 1, 2}
	means := func(x int) float64 { return mean(func(k int) float64 { return value(x, k) }) }
	slices.SortFunc(of, func(a, b int) int { return cmp.Compare(means(b), means(a)) })
	best := means(of[0])
	var ts []float64
	for _, x := range of[1:] {
		gain := func(k int) float64 { return value(of[0], k) - value(x, k) }
		square := mean(func(k int) float64 { return math.Pow(gain(k)-mean(gain), 2) }) * 6 / 5
		ts = append(ts, mean(gain)/math.Sqrt(square/6))
	}
	slices.Sort(ts)
	near := 2
	for k, critical := range []float64{3.534, 3.163} {
		if near == 2-k && ts[1-k] > critical {
			near--
		}
	}
	text := r.Summary()[0]
	expect.That(t, near == 1 && math.Abs(r.Best.Value-best) <= 1e-12 &&
		strings.HasPrefix(text, fmt.Sprintf("The largest log2 speedup is on average over 6 repetitions %.4g (95 %%: ", best)) &&
		strings.Contains(text, "; 1 other configuration may be as good, which repetitions: {least: 6, more: 100} would look into;"),
		"%v of %d near %v: %q", r.Best.Value, near, best, text)
	expect.Says(t, text, fmt.Sprintf("r1 = 0, r2 = 2 is worse by %.3g %% (95 %%: ", 100*(1-math.Exp2(means(of[2])-best)))) // of the speedup
	r.Reference, r.runs, r.Failed = nil, 0, 0
	expect.Success(t, r.scan())
	expect.That(t, math.Abs(r.Best.Value-best) <= 1e-12 && r.runs == 6, "scanned: %v of %d runs", r.Best.Value, r.runs)
}

// Without a result the text says only that.
func TestNothingIsSaidOfFailedPoints(t *testing.T) {
	r := new(Result)
	r.find()
	expect.List(t, r.Summary(), []string{"No point could be simulated."}, "summary")
}

// If there are more than seven findings, the first seven are shown, with the number of the others.
func TestSevenFindingsAreTold(t *testing.T) {
	for n, want := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 8} {
		r := &Result{Findings: make([]Finding, n)}
		lines := r.Summary()
		expect.That(t, len(lines) == want && (n != 8 || lines[7] == "One more finding is in the report and the JSON.") && (n != 9 || lines[7] == "2 more findings are in the report and the JSON."), "of %d: %q", n, lines)
	}
}

// Laws assume one problem: 8 SIs on any number of nodes, or 8 for each node.
func TestNoLawOfDifferentWork(t *testing.T) {
	for tasks, want := range map[string]bool{"8": false, "8*n1": true} {
		r := finished(t, fmt.Sprintf(`scenario: {workload: super-program, levels: [1], tasks: [%s], imbalance: [1]}
factors: {n: {path: "levels[0]", values: [1, 2, 4, 8, 16]}}
objective: {maximize: speedup, size: nodes}
`, tasks))
		words := strings.Join(r.ScalingInWords(), "|")
		const none = "No scaling law is fitted: the best configurations of the sizes do different amounts of work"
		expect.That(t, words != "" && strings.HasPrefix(words, none) == want, "%s SIs: %q", tasks, words)
	}
}

// What draws add to the work of a point does not make it another problem, even if a formula sets a part of it.
func TestDrawsAreNoOtherWork(t *testing.T) {
	for derived, same := range map[string]bool{"{}": true, "{workload.size: {formula: 1000*p, unit: B}}": true, "{workload.n: 10*p}": false} {
		r := finished(t, `scenario:
  machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 16}], network: {latency: 1 us, bandwidth: 1 GB/s}}
  network: hockney
  workload: {name: pattern, shape: ring, n: 10, total_compute: 0.1 Gflop, imbalance: 0.2}
factors: {p: {path: nodes.w, values: [1, 2, 4, 8, 16]}}
objective: {minimize: time}
derived: `+derived+"\n")
		words := strings.Join(r.ScalingInWords(), "|")
		expect.That(t, (r.Best != nil) == same && strings.HasPrefix(words, "The law") == same, "%s: best %+v, %q, unequal %q", derived, r.Best, words, r.Unequal)
	}
}

// One problem on nodes of one speed, or of two speeds, where nodes of the second kind are added to those of the first.
func TestLawsSayThatProcessesDiffer(t *testing.T) {
	for speed, want := range map[string]bool{"1 Gflop/s": false, "2 Gflop/s": true} {
		r := finished(t, `scenario:
  machine: {node_types: {n: {marked_speed: 1 Gflop/s}, m: {marked_speed: `+speed+`}}, nodes: [{type: n, count: 2}, {type: m, count: 16}], network: {latency: 1 us, bandwidth: 1 GB/s}}
  network: hockney
  nodes: {n: 1, m: 1}
  workload: {name: matmul, n: 100}
factors: {nodes.m: [1, 2, 4, 8, 16]}
objective: {minimize: time, size: processes}
`)
		words := strings.Join(r.ScalingInWords(), "|")
		expect.That(t, strings.HasPrefix(words, "The law") && strings.Contains(words, "However, laws assume that processes are alike, and these differ in marked speed.") == want, "%s: %q", speed, words)
	}
}

// The place of the best is that of its row, because rows are in the order of simulation.
func TestPlaceOfTheBestInASearch(t *testing.T) {
	for _, repetitions := range []int{1, 2} {
		r := finished(t, sweeptest.Bowl+fmt.Sprintf("search: {points: 15, start: 8}\nrepetitions: %d\n", repetitions))
		row := r.Table.Rows[repetitions*(r.Search.FoundAs-1)]
		expect.That(t, slices.Equal(row.Levels, r.Best.At) && len(r.Table.Rows) == 15*repetitions &&
			strings.Contains(strings.Join(r.Summary(), " "), fmt.Sprintf(" The best is number %d of them.", r.Search.FoundAs)),
			"%d repetitions: the best is at %v, and number %d is %v", repetitions, r.Best.At, r.Search.FoundAs, row.Levels)
	}
}

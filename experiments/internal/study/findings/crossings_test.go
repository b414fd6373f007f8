package findings

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
)

// Three networks carry out an allreduce of m bytes on 16 nodes by recursive doubling, 4 (L + m/B): two of them are
// equally good at m = (L' - L)/(1/B - 1/B').
func TestCrossingsOfNetworks(t *testing.T) {
	r := finished(t, sweeptest.Cluster("marked_speed: 1 Gflop/s", 16, "10 us",
		"{name: collective, op: allreduce, n: 1, size: 8 B}")+`factors:
  network:
    path: machine.network
    values: [{latency: 1 us, bandwidth: 1 GB/s}, {latency: 4 us, bandwidth: 4 GB/s}, {latency: 20 us, bandwidth: 40 GB/s}]
    labels: [near, middle, far]
  size: {path: workload.size, values: [100 B, 10 kB, 1 MB]}
`)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	expect.Failure(t, r.FindCrossings(stopped), "network = near at size = 1000: context canceled") // between 100 B and 10 kB
	expect.Success(t, r.FindCrossings(t.Context()))
	want := []float64{3e-6 / (1e-9 - 0.25e-9), 16e-6 / (0.25e-9 - 0.025e-9)}
	expect.Need(t, len(r.Crossings) == len(want), "%d crossings", len(r.Crossings))
	for i, x := range r.Crossings {
		expect.That(t, x.Interval[0] <= want[i] && want[i] <= x.Interval[1] && math.Abs(x.At/want[i]-1) < 0.002,
			"crossing %v in %v, want %v", x.At, x.Interval, want[i])
	}
	expect.Says(t, strings.Join(r.Summary(), "\n"), "network = middle is better than network = near.")
	evident(t, r)

	// Each network is the best somewhere, and where it crosses another both are nearly as good.
	chart := sectionsOf(r).crossingSection().Blocks[0].(*report.LineChart)
	expect.Need(t, len(chart.Series) == 3, "%d series", len(chart.Series))
	for i, x := range r.Crossings {
		for _, line := range chart.Series[i : i+2] {
			at := slices.Index(line.X, x.Interval[1])
			expect.That(t, at >= 0 && line.Y[at] < 0.2, "%s at the crossing at %v: %v of %v", line.Name, x.At, line.Y, line.X)
		}
	}
}

// Blocks of n/8 particles of 32 B go around a ring of 8 processes while these compute the forces of the blocks they have.
// A block of 32 particles, with n = 256, takes 1 + 51.2 us or 50 + 2.6 us, and one of 33, with n = 257, 1 + 52.8 us or
// 50 + 2.6 us. With n = 1600 the computation takes 20 ns 200^2 = 800 us, longer than both.
func TestCrossingsEndWhereMachinesAreEqual(t *testing.T) {
	r := finished(t, sweeptest.Cluster("marked_speed: 1 Gflop/s", 8, "1 us", "{name: nbody, n: 100}")+`factors:
  network:
    path: machine.network
    values: [{latency: 1 us, bandwidth: 20 MB/s}, {latency: 50 us, bandwidth: 400 MB/s}]
    labels: [near, far]
  n: {path: workload.n, values: [100, 400, 1600]}
`)
	expect.Success(t, r.FindCrossings(t.Context()))
	expect.List(t, r.CrossingsInWords(), []string{"From n = 256.5 on (256 to 257), network = far is better than network = near; at n = 1600 they are equally good."}, "crossings")
}

// In 30 random studies of nested clusters by formula, with 64 nodes in all shapes, the crossings over the idle time c1
// at the outer level equal those of an enumeration at 4000 values: every shape between the best at the ends is found.
func TestCrossingsEqualEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 10))
	crossed := 0
	for range 30 {
		w := [2]float64{math.Exp2(float64(6 + rng.IntN(4))), math.Exp2(float64(6 + rng.IntN(4)))}
		c2 := 0.1 + 0.8*rng.Float64()
		low, high := 0.05, 4.0
		r := finished(t, fmt.Sprintf(`scenario: {workload: super-program, log2_levels: [2, 2], tasks: [%v, %v], imbalance: [0.9, %v]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 6}
  r2: {path: "log2_levels[1]", from: 0, to: 6}
  c1: {path: "imbalance[0]", values: [%v, %v], role: condition}
exclude: ["r1 + r2 != 6"]
`, w[0], w[1], c2, low, high))
		expect.Success(t, r.FindCrossings(t.Context()))
		// [Jin] Eq. 24-26.
		log2Speedup := func(c1 float64, r1 int) (s float64) {
			for i, c := range []float64{c1, c2} {
				n := math.Exp2(float64([]int{r1, 6 - r1}[i]))
				s += math.Log2(w[i] * n / (w[i] + c*(n-1)))
			}
			return s
		}
		best := func(c1 float64) (shape int) {
			most := math.Inf(-1)
			for r1 := range 7 {
				if s := log2Speedup(c1, r1); s > most+1e-12 {
					most, shape = s, r1
				}
			}
			return shape
		}
		// The number of shapes, besides the two at a crossing, that reach all but a share of the best speedup.
		near := func(c1, share float64) int {
			n := -2
			for r1 := range 7 {
				if log2Speedup(c1, r1) >= log2Speedup(c1, best(c1))+math.Log2(1-share) {
					n++
				}
			}
			return n
		}
		var want []float64
		var shapes []string
		const steps = 4000
		at := func(k int) float64 { return low * math.Pow(high/low, float64(k)/steps) }
		for k := 1; k <= steps; k++ {
			if b := best(at(k)); b != best(at(k-1)) {
				want, shapes = append(want, at(k)), append(shapes, fmt.Sprint(b))
			}
		}
		expect.Need(t, len(r.Crossings) == len(want), "w = %v, c2 = %v: %d crossings, want %v", w, c2, len(r.Crossings), want)
		for i, x := range r.Crossings {
			expect.That(t, math.Abs(x.At/want[i]-1) < 0.004 && x.To.Levels["r1"] == shapes[i],
				"crossing to r1 = %s at %v, want %s at %v", x.To.Levels["r1"], x.At, shapes[i], want[i])
			at := x.Interval[1]
			expect.That(t, near(at, 0.0099) <= x.Near && x.Near <= near(at, 0.0101), "at %v, %d others are within 1 %%, want %d",
				at, x.Near, near(at, 0.01))
			crossed++
		}
	}
	expect.That(t, crossed >= 30, "only %d crossings in all", crossed)
}

func TestNoCrossings(t *testing.T) {
	for plan, want := range map[string]string{
		"factors: {r1: {path: \"log2_levels[0]\", from: 0, to: 2}}\n":                                                     "one factor that is a problem or a condition",
		"factors: {r1: {path: \"log2_levels[0]\", from: 0, to: 2}, seed: {path: seed, values: [1, 2]}}\nrepetitions: 3\n": "without repetitions",
	} {
		r := finished(t, "scenario: {workload: super-program, log2_levels: [2, 2], tasks: [64, 64], imbalance: [0.9, 0.7]}\n"+
			strings.Replace(plan, "seed: {path", "draws: {path", 1))
		expect.Failure(t, r.FindCrossings(t.Context()), want)
	}
	r := finished(t, `scenario: {workload: super-program, log2_levels: [2, 2], tasks: [64, 64], imbalance: [0.9, 0.7]}
factors: {r1: {path: "log2_levels[0]", from: 0, to: 2}, c1: {path: "imbalance[0]", values: [0.1, 0.2], role: condition}}
`)
	expect.Success(t, r.FindCrossings(t.Context()))
	text := strings.Join(r.Summary(), "\n")
	expect.That(t, len(r.Crossings) == 0 && strings.Contains(text, "no crossing was looked for"), "%s", text)
}

// Crossings by closed forms. Few fast nodes against many slow ones, which finally reduce 8 B along a binomial tree:
//
//	T = 200 n/(p S) + log2(p) (L + 8/B)
//
// and a stencil on 2 x 2 processes of two machines, with two exchanges of each side per step:
//
//	T = 6 (n/2)^2/S + 4 (L + 8 n/2/B)
func TestCrossingsByClosedForms(t *testing.T) {
	const B = 1e9
	plan := func(latency, workload, machines, over string) string {
		return fmt.Sprintf(`scenario:
  machine:
    node_types: {few: {marked_speed: 1 Gflop/s}, many: {marked_speed: 0.1 Gflop/s}}
    nodes: [{type: few, count: 4}, {type: many, count: 64}]
    network: {latency: %s, bandwidth: 1 GB/s}
  network: hockney
  workload: %s
factors:
%s
%s
`, latency, workload, machines, over)
	}
	nodes := "  nodes: {path: nodes, values: [{few: 4}, {many: 64}], labels: [few, many]}"
	// The work for which few and many nodes are equally good at a latency.
	work := func(L float64) float64 { return 4 * (L + 8/B) / (200/4e9 - 200/6.4e9) }
	fast := "  machine: {path: machine.network, values: [{latency: 1 us, bandwidth: 1 GB/s}, {latency: 40 us, bandwidth: 100 GB/s}], labels: [near, far]}"
	for _, c := range []struct {
		name, plan string
		want       float64
	}{
		{"samples", plan("1 ms", "{name: montecarlo}", nodes, "  n: {path: workload.n, values: [10, 10000000]}"), work(1e-3)},
		{"samples, slower network", plan("300 us", "{name: montecarlo}", nodes, "  n: {path: workload.n, values: [10, 10000000]}"), work(300e-6)},
		{"latency", plan("1 us", "{name: montecarlo, n: 100000}", nodes,
			"  latency: {path: machine.network.latency, values: [1 us, 10 ms], role: condition}"),
			1e6 * (1e5*(200/4e9-200/6.4e9)/4 - 8/B)},
		{"stencil", plan("10 us", "{name: stencil2d, residual_every: 100}", fast+"\n  nodes: {path: nodes, values: [{few: 4}]}",
			"  n: {path: workload.n, values: [16, 65536]}"), 39e-6 / (4 * (1e-9 - 1e-11))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := finished(t, c.plan)
			expect.Success(t, r.FindCrossings(t.Context()))
			expect.Need(t, len(r.Crossings) == 1, "%d crossings", len(r.Crossings))
			x := r.Crossings[0]
			expect.That(t, math.Abs(x.At/c.want-1) < 0.02 && x.Interval[0] <= 1.0001*c.want && c.want <= 1.0001*x.Interval[1],
				"crossing %v in %v, want %v", x.At, x.Interval, c.want)
		})
	}
}

// A machine whose memory the problem exceeds is worse than one that can hold it, whatever its time before: fast nodes
// of 100 MB hold 3 n^2 numbers of 8 bytes up to n = 2041.
func TestCrossingsWhereMemoryEnds(t *testing.T) {
	r := finished(t, sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s", 1, "20 us", "{name: matmul}")+`factors:
  node:
    path: machine.node_types.n
    values: [{marked_speed: 2 Gflop/s, memory: 100 MB}, {marked_speed: 1 Gflop/s, memory: 10 GB}]
    labels: [fast, large]
  n: {path: workload.n, values: [1000, 4000]}
`)
	expect.Success(t, r.FindCrossings(t.Context()))
	expect.Need(t, len(r.Crossings) == 1, "%v", r.Crossings)
	x := r.Crossings[0]
	expect.That(t, x.Interval[0] <= 2041 && 2041 < x.Interval[1] && x.Interval[1]-x.Interval[0] < 8, "in %v", x.Interval)
	expect.That(t, x.From.Levels["node"] == "fast" && !x.From.Value.Exists() && x.To.Value.Exists(), "%v", x)
	_, err := json.Marshal(x)
	expect.Success(t, err)
}

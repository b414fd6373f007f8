package iso

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// onCurve is an algorithm for one process whose speed-efficiency at problem
// size n is a given number: it computes n flop on a core of 1 flop/s, which takes
// n seconds, and then delays the rest of n/E seconds. So W/(T C) = n/(n/E) = E.
type onCurve struct {
	n          int
	efficiency float64 // above 0, at most 1
}

var _ algorithm.Algorithm = onCurve{}

func (a onCurve) Validate() error                        { return nil }
func (a onCurve) Work() units.Flops                      { return units.Flops(a.n) }
func (a onCurve) SequentialWork() units.Flops            { return 0 }
func (a onCurve) Footprints() []units.Bytes              { return []units.Bytes{0} }
func (a onCurve) Overhead(algorithm.Costs) units.Seconds { return a.rest() }
func (a onCurve) Choices() []collective.Choice           { return nil }
func (a onCurve) Program() workloads.Program             { return &onCurveRun{onCurve: a} }

func (a onCurve) rest() units.Seconds {
	return units.Seconds(float64(a.n)/a.efficiency - float64(a.n))
}

type onCurveRun struct {
	onCurve
	done int
}

func (r *onCurveRun) Ranks() int { return 1 }

func (r *onCurveRun) Next(_ int, op *workloads.Op) bool {
	r.done++
	switch r.done {
	case 1:
		*op = workloads.Op{Kind: workloads.Compute, Work: r.Work()}
	case 2:
		*op = workloads.Op{Kind: workloads.Delay, Time: r.rest()}
	default:
		return false
	}
	return true
}

// studyOf is a study of one system S whose efficiency is a function of n.
func studyOf(target float64, sizes scenario.SizeRange, efficiency func(n int) float64) *scenario.Study {
	machine := &topology.Machine{
		Name:   "m",
		Types:  []topology.NodeType{{Name: "w", Cores: 1, MarkedSpeed: 1}},
		Groups: []topology.Group{{Type: "w", Count: 1, Name: "w"}},
	}
	s := &scenario.Study{
		Target:  target,
		Machine: machine,
		Network: networks.Network{Network: cluster.Network{Kind: &cluster.Ideal, Base: network.Ideal{}}},
		Workload: workload.Workload{Name: "curve", Sustained: 1, Build: func(n int, _ []units.FlopsPerSecond, _ int64) algorithm.Algorithm {
			return onCurve{n, efficiency(n)}
		}},
		Systems: []scenario.StudySystem{{Name: "S"}},
		Sizes:   sizes,
		Trend:   scenario.TrendPlan{Degree: 3, Points: 8},
	}
	// It has no collective operations to choose for.
	s.Workload.Choosing = func(func(collective.Choice) collective.Choice) workload.Workload { return s.Workload }
	return s
}

// saturating is E(n) = limit n/(n + c): computation at a fraction of the marked
// speed and a constant overhead.
func saturating(limit, c float64) func(int) float64 {
	return func(n int) float64 { return limit * float64(n) / (float64(n) + c) }
}

func mustIso(t *testing.T, s *scenario.Study) *Result {
	t.Helper()
	return expect.Value(Run(context.Background(), s, nil, nil))(t)
}

// made returns system i of a study, ready to run.
func made(t *testing.T, s *scenario.Study, i int) *system.System {
	t.Helper()
	return expect.Value(system.New(s.Scenario(i)))(t)
}

var anySize = scenario.SizeRange{From: 4, To: 1 << 20}

// E(n) = n/(n+c) is the target at n* = c target/(1-target). N is the neighbour
// of n* whose efficiency is nearer, which is computed here from the closed form.
// The closed form of T_o is exact for this algorithm, so the prediction agrees.
func TestIsoFindsTheAnalyticSolution(t *testing.T) {
	for _, tt := range []struct{ c, target float64 }{
		{1000, 0.75},  // n* = 3000
		{1000, 0.3},   // 428.57
		{1000, 0.9},   // 9000
		{17, 0.5},     // 17
		{10.5, 0.5},   // 10.5
		{1e7, 0.01},   // 101010.1: begins at E(4) = 4e-7 and gains little for long
		{250000, 0.8}, // 1e6, beyond the last doubling of 4, which is 2^19
		{5, 0.999},    // 4995
	} {
		t.Run(fmt.Sprintf("c=%g target=%g", tt.c, tt.target), func(t *testing.T) {
			e := saturating(1, tt.c)
			exact := tt.c * tt.target / (1 - tt.target)
			want := int(math.Floor(exact))
			if e(want+1)-tt.target <= tt.target-e(want) {
				want++
			}
			r := mustIso(t, studyOf(tt.target, anySize, e))
			s := r.Systems[0]
			// Where both neighbours are equally near but for rounding, or n* is
			// whole, either side may win by the last bit.
			expect.That(t, s.N == want || math.Abs(math.Abs(e(s.N)-tt.target)-math.Abs(e(want)-tt.target)) <= 1e-12,
				"n = %d, want %d (%.6g)", s.N, want, exact)
			expect.That(t, math.Abs(s.SpeedEfficiency-e(s.N)) <= 1e-12,
				"speed-efficiency %v at n = %d, want %v", s.SpeedEfficiency, s.N, e(s.N))
			expect.That(t, s.NPredicted != nil && *s.NPredicted == s.N,
				"predicted %v, want %d", input.Optional(s.NPredicted, "%d"), s.N)
			for _, w := range r.Warnings {
				expect.Lacks(t, w, "monotone in n")
			}
		})
	}
}

// A search whose curve is not drawn simulates few large sizes. The sizes up to the solution n, in steps of 1.25 to
// 2.25, add up to at most 5 n, which is n/(1-1/1.25); the one beyond it is 1.5 n; and two are next to the solution, as
// the prediction is exact here. A curve of 20 sizes alone would add up to 19 n.
func TestIsoSimulatesFewLargeSizes(t *testing.T) {
	for _, c := range []float64{1000, 1100, 1300, 1600, 1900} {
		s := studyOf(0.4, anySize, saturating(1, c))
		s.Trend = scenario.TrendPlan{}
		r := expect.Value(RunExplained(t.Context(), s, nil, system.Explained{}, false, nil))(t)
		n, sum := r.Systems[0].N, 0
		for _, x := range r.details[0].curve.Points() {
			sum += x.N
		}
		expect.That(t, n == int(math.Round(c*0.4/0.6)) && r.Systems[0].NTrend == nil, "n = %d for c = %g", n, c)
		expect.That(t, sum <= 9*n, "sizes of %.3g n", float64(sum)/float64(n))
	}
}

// All sizes simulated lie in the range, also where that cuts off the curve.
func TestIsoStaysWithinTheSizes(t *testing.T) {
	for _, sizes := range []scenario.SizeRange{{From: 4, To: 1 << 20}, {From: 400, To: 450}, {From: 428, To: 430}, {From: 3, To: 429}, {From: 425, To: 1 << 20}} {
		low, high := math.MaxInt, 0
		s := studyOf(0.3, sizes, func(n int) float64 {
			low, high = min(low, n), max(high, n)
			return saturating(1, 1000)(n)
		})
		s.Trend = scenario.TrendPlan{Degree: 1, Points: 3}
		expect.Equal(t, mustIso(t, s).Systems[0].N, 429, "sizes %v: n, see {1000, 0.3} above", sizes)
		expect.That(t, low >= sizes.From && high <= sizes.To, "sizes %v: simulated %d to %d", sizes, low, high)
	}
}

// The efficiency climbs to 0.4 at n = 100, falls to 0.1 at n = 130 and climbs again:
//
//	E = 0.004 n             up to 100
//	E = 0.4 - 0.01 (n-100)  up to 130
//	E = 0.1 + 0.002 (n-130) beyond, at most 0.9
//
// It passes 0.3 upward at 75, downward at 110, upward at 230. The nearest that never falls has
// v from a = v/0.004 to b = 130 + (v-0.1)/0.002, where the mean of E there is v: v = 0.23 within
// 0.001. So it passes 0.3 at 230.
func TestIsoTakesTheCrossingNearestToTheTrend(t *testing.T) {
	r := mustIso(t, studyOf(0.3, anySize, func(n int) float64 {
		x := float64(n)
		switch {
		case n <= 100:
			return 0.004 * x
		case n <= 130:
			return 0.4 - 0.01*(x-100)
		}
		return min(0.1+0.002*(x-130), 0.9)
	}))
	s := r.Systems[0]
	expect.That(t, s.N == 230, "n = %d, want 230", s.N)
	expect.Need(t, s.NRange != nil, "no range")
	// The range ends beside crossings: within a step of what was simulated.
	expect.That(t, 75 <= s.NRange[0] && s.NRange[0] <= 82 && 230 <= s.NRange[1] && s.NRange[1] <= 240, "range %v", *s.NRange)
	const want = "the speed-efficiency crosses the target several times: S from n = "
	expect.Says(t, strings.Join(r.Warnings, "\n"), want)
	expect.Lacks(t, strings.Join(r.Warnings, "\n"), "divides unevenly")
}

// A fall that does not cross the target does not matter: the size is that of the curve without it.
func TestIsoOfAFallElsewhere(t *testing.T) {
	r := mustIso(t, studyOf(0.3, anySize, func(n int) float64 {
		e := saturating(1, 1000)(n)
		if n > 700 {
			e -= 0.02
		}
		return e
	}))
	s := r.Systems[0]
	expect.That(t, s.N == 429 && s.NRange == nil, "n = %d (%v), want 429 = 0.3/0.7 1000", s.N, s.NRange)
	expect.Lacks(t, strings.Join(r.Warnings, "\n"), "several times")
}

// A stencil on k x k x k processes has the same efficiency if processes have the same number of points and these
// divide evenly: without the sum of the residual every 10 steps, psi is 1. With it, psi differs by at most the
// cube of one point in 32. A warning that all systems share is given once.
func TestPsiAcrossDivisibility(t *testing.T) {
	sizes := []int{8, 27, 64, 216, 512}
	r := ladder(t, 0.7, "20 us", "100 MB/s", "hockney", "{name: stencil3d, steps: 5}", sizes, nil)
	for i, s := range r.Systems {
		k := int(math.Round(math.Cbrt(float64(s.Processes))))
		expect.That(t, 2*s.N == k*r.Systems[0].N, "n = %d on %d processes, %d on 8", s.N, sizes[i], r.Systems[0].N)
		expect.That(t, s.NRange != nil && s.NRange[0] <= s.N && s.N < s.NRange[1], "n = %d, range %v", s.N, s.NRange)
	}
	for _, p := range append(r.Psi, *r.Ends) {
		expect.That(t, math.Abs(p.Psi-1) < 1e-9, "psi %v from %s to %s", p.Psi, p.From, p.To)
		expect.That(t, p.Range != nil && p.Range[0] < 1 && 1 < p.Range[1], "range %v from %s to %s", p.Range, p.From, p.To)
	}
	all := strings.Join(r.Warnings, "\n")
	expect.That(t, strings.Count(all, "several times") == 1 && strings.Count(all, "grids of processes") == 1 &&
		strings.Contains(all, "at multiples of 2 on p8, 3 on p27, 4 on p64, 6 on p216, 8 on p512 it does not fall"), "warnings %q", r.Warnings)
	expect.That(t, !strings.Contains(all, "shape"), "warnings %q", r.Warnings)
	expect.That(t, strings.Count(all, "no prediction") == 1 && strings.Contains(all, "p8, p27, p64, p216, p512: no prediction: "),
		"warnings %q", r.Warnings)
	says := strings.Join(r.Function.Says(), "\n")
	expect.That(t, strings.Count(says, "In theory W grows as p, if messages cost only their") == 1 &&
		strings.Contains(says, "only their latency or only their bytes and share no links."), "says %s", says)
	for _, p := range ladder(t, 0.7, "10 us", "1 GB/s", "hockney", "{name: stencil3d}", sizes, nil).Psi {
		expect.That(t, math.Abs(p.Psi-1) <= math.Pow(33./32, 3)-1, "psi %v from %s to %s", p.Psi, p.From, p.To)
	}
}

// A prime number of processes makes a line, which a warning says, and its length must divide the sizes.
func TestPsiAcrossShapesOfGrids(t *testing.T) {
	r := ladder(t, 0.7, "10 us", "1 GB/s", "hockney", "{name: stencil3d}", []int{8, 13, 64, 211}, nil)
	expect.Says(t, strings.Join(r.Warnings, "\n"), "p8 2 x 2 x 2, but p13 13 x 1 x 1, p211 211 x 1 x 1")
	for _, i := range []int{1, 3} {
		s := r.Systems[i]
		expect.That(t, s.N%s.Processes == 0, "n = %d on a line of %d", s.N, s.Processes)
	}
}

// Every size around the range is simulated on its own: none before it holds the target, and within the
// range some do and some do not.
func TestRangeOfCrossingsIsThatOfAllSizes(t *testing.T) {
	r := ladder(t, 0.7, "20 us", "100 MB/s", "hockney", "{name: stencil3d, steps: 5}", []int{27}, nil)
	s, d := r.Systems[0], &r.details[0]
	var holds, misses int
	for n := s.NRange[0] - 30; n < s.NRange[1]; n++ {
		e := expect.Value(d.curve.System.Simulate(context.Background(), n))(t).SpeedEfficiency
		switch {
		case n < s.NRange[0]:
			expect.That(t, e < 0.7, "E = %v at n = %d, before the range %v", e, n, *s.NRange)
		case e < 0.7:
			misses++
		default:
			holds++
		}
	}
	expect.That(t, holds > 0 && misses > 0, "%d sizes of the range hold the target, %d do not", holds, misses)
}

// The blocks of columns of HPL are dealt out one by one and not on a grid of parts: the load balance shows the cause.
func TestCauseOfCrossingsWithoutAGrid(t *testing.T) {
	r := ladder(t, 0.5, "10 us", "1 GB/s", "hockney", "{name: hpl, nb: 64}", []int{9, 16}, nil)
	all := strings.Join(r.Warnings, "\n")
	expect.That(t, strings.Contains(all, "The cause is work that divides unevenly among processes: on p9") &&
		!strings.Contains(all, "grids of processes"), "warnings %q", r.Warnings)
}

func TestIsoTargetNotAttainable(t *testing.T) {
	peak := func(n int) float64 { // 0.5 at 64, less elsewhere
		return 0.5 / (1 + math.Abs(math.Log2(float64(n)/64)))
	}
	for _, tt := range []struct {
		name       string
		target     float64
		sizes      scenario.SizeRange
		efficiency func(int) float64
		bestN      int // 0: whatever, within sizes
		says       string
	}{
		{"at the end of the sizes", 0.6, scenario.SizeRange{From: 4, To: 100}, saturating(1, 1000), 100, "searching n from 4 to 100;"},
		{"just below the end", 0.5, scenario.SizeRange{From: 4, To: 999}, saturating(1, 1000), 999, "searching n from 4 to 999;"},
		{"above the limit", 0.6, anySize, saturating(0.5, 100), 0, "where it has stopped growing"},
		{"above a peak", 0.6, anySize, peak, 64, "is not attained on S at the sizes tried: the largest found is 0.5 at n = 64, searching"},
		{"sizes end where it grows", 0.9, scenario.SizeRange{From: 5, To: 6}, saturating(1, 1e7), 6, "searching n from 5 to 6;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Run(context.Background(), studyOf(tt.target, tt.sizes, tt.efficiency), nil, nil)
			u := expect.Kind[*fault.UnattainableError](t, err)
			expect.That(t, !u.TooEasy && u.System == "S" && u.Target == tt.target && u.From == tt.sizes.From &&
				u.To <= tt.sizes.To,
				"got %+v", u)
			expect.That(t, tt.bestN <= 0 || u.BestN == tt.bestN, "best at n = %d, want %d", u.BestN, tt.bestN)
			want := tt.efficiency(u.BestN)
			expect.That(t, math.Abs(u.Best-want) <= 1e-12 && u.Best < tt.target,
				"best is %v at n = %d, want %v", u.Best, u.BestN, want)
			expect.That(t, strings.Contains(u.Error(), tt.says), "%v\ndoes not say %q", u, tt.says)
			expect.That(t, !input.IsError(err), "an unattainable target counts as bad input")
		})
	}
}

func TestIsoTargetBelowTheFirstSize(t *testing.T) {
	e := saturating(1, 1000)
	// E(2000) = 2/3.
	_, err := Run(context.Background(), studyOf(0.5, scenario.SizeRange{From: 2000, To: 3000}, e), nil, nil)
	var u *fault.UnattainableError
	expect.That(t, errors.As(err, &u) && u.TooEasy && u.BestN == 2000 && math.Abs(u.Best-2.0/3) <= 1e-12,
		"got %v (%+v)", err, u)
	// Within the tolerance of 0.002 the first size holds the target.
	s := studyOf(2.0/3-0.0019, scenario.SizeRange{From: 2000, To: 3000}, e)
	expect.Equal(t, mustIso(t, s).Systems[0].N, 2000, "n")
}

// A trend line of degree 3 through samples of a cubic is that cubic, so the size
// read off is the exact root. With x = (n-1000)/1000 the efficiency
// 0.3 + 0.2 x + 0.05 x^3 rises through 0.3 at n = 1000, and is above 0 from n = 4 on.
// (At 0.9 it is cut off, far beyond the samples, which end at 1700.)
func TestTrendLineOfACubicIsExact(t *testing.T) {
	s := mustIso(t, studyOf(0.3, anySize, func(n int) float64 {
		x := (float64(n) - 1000) / 1000
		return min(0.3+0.2*x+0.05*x*x*x, 0.9)
	})).Systems[0]
	expect.That(t, s.N == 1000 && s.NTrend != nil && math.Abs(*s.NTrend-1000) <= 1e-6,
		"n = %d, trend line %v, want 1000 for both", s.N, input.Optional(s.NTrend, "%v"))
}

// The best cubic to E = 1 - c/(n+c) for n from 0.3 N to 1.7 N, where N = 3 c holds 0.75: with y = n
// + c = 4c + 2.1c x the error of the best polynomial of degree 3 to 1/(a - x), a = 4/2.1 = 1.905,
// is (a - sqrt(a^2-1))^3/(a^2-1) = 0.0087 [Chebyshev], times c/(2.1 c) = 0.0041. Least squares are
// worse, at the 8 samples by a factor of at most 1 + sqrt(8) (an orthogonal projection does not
// lengthen a vector of 8 errors), so the line is off by less than 0.016 there. As E' = c/(4c)^2 =
// 1/(16 c) this moves N by less than 0.26 c: 9 %.
func TestTrendLineIsCloseToTheSolution(t *testing.T) {
	s := mustIso(t, studyOf(0.75, anySize, saturating(1, 1000))).Systems[0]
	expect.That(t, s.N == 3000 && s.NTrend != nil && math.Abs(*s.NTrend-3000) <= 0.09*3000,
		"n = %d, trend line %v, want 3000 and that within 9 %%", s.N, input.Optional(s.NTrend, "%v"))
}

// What has no value is null or an empty list, never a missing key.
func TestIsoDocumentOfOneSystem(t *testing.T) {
	s := studyOf(0.3, anySize, saturating(1, 1000))
	s.Trend = scenario.TrendPlan{Degree: 9, Points: 2} // too few points for a trend line
	answer := mustIso(t, s)
	lead := answer.lead()[0] // 429/1429 is the nearest to 0.3
	expect.Says(t, lead, " runs at a speed-efficiency of 0.300 with a problem of size 429, in ")
	data := expect.Value(json.Marshal(answer))(t)
	var r map[string]any
	expect.Success(t, json.Unmarshal(data, &r))
	psi, ok := r["psi"].([]any)
	expect.That(t, ok && len(psi) == 0, "psi is %v, want an empty list", r["psi"])
	system := r["systems"].([]any)[0].(map[string]any)
	v, ok := system["n_trend"]
	expect.That(t, ok && v == nil, "n_trend is %v (present: %v), want null", v, ok)
	w := r["warnings"].([]any)
	expect.That(t, len(w) == 1 && strings.Contains(w[0].(string), "no trend line"), "warnings %v", w)
}

// The examples' fitted parameters must be what their files say: the minimum of the root mean square
// relative deviation from the values they were fitted to. The minimum is searched for again here,
// by the simplex method of Nelder and Mead over whole simulations.

// calibrated demands that the parameters of a file minimise the root mean square of deviations. The minimum is
// searched over positive parameters, varied on a logarithmic scale around start, until it is no smaller for so many
// steps; set makes settings of parameters.
func calibrated(t *testing.T, file string, start []float64, steps int, set func(x []float64) []input.Override,
	deviations func(*scenario.Study) []float64) {
	t.Helper()
	off := func(values []input.Override) float64 { return rms(deviations(withParameters(t, file, values))) }
	params := func(logs []float64) []float64 {
		x := make([]float64, len(logs))
		for i := range x {
			x[i] = start[i] * math.Exp(logs[i])
		}
		return x
	}
	res := expect.Value(optimize.Minimize(
		optimize.Problem{Func: func(logs []float64) float64 { return off(set(params(logs))) }},
		make([]float64, len(start)),
		&optimize.Settings{FuncEvaluations: 600, Converger: &optimize.FunctionConverge{Absolute: 1e-7, Iterations: steps}},
		&optimize.NelderMead{}))(t)
	example, best := off(nil), res.F
	t.Logf("example: rms %.4f; fitted: rms %.4f at %.4g", example, best, params(res.X))
	expect.That(t, best > 0 && example <= fitTolerance*best,
		"example deviates by %.4f rms, the best fit found by %.4f at %v", example, best, params(res.X))
}

func rms(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

// fitTolerance is how much larger than the minimum the deviation of an example
// may be: its parameters are rounded to three digits.
const fitTolerance = 1.005

// Twelve measured times of [Chen2008] Tables 3 and 4, three parameters. With ISOSCALE_LONG the minimum
// is found from a distant start, otherwise from the example's parameters, which are nearly the minimum.
func TestGaussExampleIsCalibrated(t *testing.T) {
	deviations := func(s *scenario.Study) []float64 {
		expect.Need(t, len(s.Compare.Times) == 12,
			"%d measured times, want the 12 of Tables 3 and 4", len(s.Compare.Times))
		var d []float64
		for _, m := range s.Compare.Times {
			d = append(d, float64(simulatedTime(t, s, m.System, m.N)/m.Time)-1)
		}
		return d
	}
	start, steps := []float64{0.894, 32.9e-3, 0.219e-3}, 12
	if expect.IsLong() {
		start, steps = []float64{0.6, 50e-3, 0.5e-3}, 60
	}
	calibrated(t, "../../../../examples/sunwulf-ge.yaml", start, steps, func(x []float64) []input.Override {
		return []input.Override{
			{Path: "workload.sustained", Value: input.Number(x[0])},
			{Path: "workload.startup_per_process", Value: input.Number(x[1]) + " s"},
			{Path: "workload.barrier.per_process", Value: input.Number(x[2]) + " s"},
		}
	}, deviations)
}

// Five problem sizes of [Chen2008] Table 8, one parameter.
func TestMatMulExampleIsCalibrated(t *testing.T) {
	deviations := func(s *scenario.Study) []float64 {
		expect.Need(t, len(s.Compare.N) == 5, "%d problem sizes, want the 5 of Table 8", len(s.Compare.N))
		// N is a whole number, so its deviation is a step function of the parameter. The time that
		// a size of the table implies at the target, W/(E C), is not; near the solution T grows
		// like W at fixed E, so a deviation of the time is three of N.
		var d []float64
		for i, x := range s.Systems {
			sys := made(t, s, i)
			n := s.Compare.N[x.Name]
			implied := float64(sys.Algorithm(n).Work()) / (s.Target * float64(sys.Placement.MarkedSpeed()))
			d = append(d, float64(simulatedTime(t, s, i, n))/implied-1)
		}
		return d
	}
	calibrated(t, "../../../../examples/sunwulf-mm.yaml", []float64{0.5}, 60, func(x []float64) []input.Override {
		return []input.Override{{Path: "workload.startup_per_process", Value: input.Number(x[0]) + " s"}}
	}, deviations)
}

func withParameters(t *testing.T, file string, values []input.Override) *scenario.Study {
	t.Helper()
	return expect.Value(scenario.Disk.ReadStudy(file, values))(t)
}

func simulatedTime(t *testing.T, s *scenario.Study, of, n int) units.Seconds {
	t.Helper()
	sys := made(t, s, of)
	x := expect.Value(sys.Simulate(context.Background(), n))(t)
	return x.Makespan
}

// The efficiencies of [Bosque] Table 2, to all three digits printed, from whole
// rows. Where messages cost nothing, whole rows alone lower the efficiency, by up to
// n_q/(n P_q/P_T): with n = 4216, a fast processor has 33 or 34 rows where its share is
// 33.246, a slow one 13 or 14 where it is 13.550, and 14/13.550 = 1.0332.
func TestFloydExampleHasThePublishedEfficiencies(t *testing.T) {
	s := withParameters(t, "../../../../examples/bosque-floyd.yaml", nil)
	ideal := withParameters(t, "../../../../examples/bosque-floyd.yaml", []input.Override{{Path: "network", Value: "ideal"}})
	published := map[string]string{"P2": "0.842", "P4": "0.841", "P8": "0.841", "P16": "0.841", "P32": "0.842", "P64": "0.842", "P128": "0.841"}
	if !expect.IsLong() {
		delete(published, "P128") // takes as long as all the others
	}
	checked := 0
	for i, x := range s.Systems {
		if _, ok := published[x.Name]; !ok {
			continue
		}
		sys := made(t, s, i)
		n := s.Compare.N[x.Name]
		a := sys.Algorithm(n)
		efficiency := func(time float64) float64 {
			return float64(a.Work()) / time / float64(sys.Placement.MarkedSpeed())
		}
		expect.Equal(t, fmt.Sprintf("%.3f", efficiency(float64(simulatedTime(t, s, i, n)))), published[x.Name],
			"%s, n = %d: efficiency", x.Name, n)
		if x.Name == "P128" {
			expect.Near(t, efficiency(float64(simulatedTime(t, ideal, i, n))), 1/1.0332, 1e-4,
				"%s: efficiency without communication, for whole rows", x.Name)
		}
		checked++
	}
	expect.That(t, checked == len(published), "%d systems; expected the %d of Table 2", checked, len(published))
}

// Where a process has hundreds of points per side, one point more than divides evenly costs less than the tolerance, or
// falls between the sizes of the chart. The range of crossings is found all the same: it contains the crossings found
// by trying all sizes.
func TestRangeOfSmallFalls(t *testing.T) {
	r := ladder(t, 0.8, "50 us", "10 GB/s", "hockney", "{name: stencil2d, residual_every: 100}", []int{4, 16}, nil)
	for i, s := range r.Systems {
		expect.Need(t, s.NRange != nil, "%s: n = %d without a range", s.Name, s.N)
		curve := r.details[i].curve
		var seen []int
		before := false
		for n := s.NRange[0] - 20; n <= s.NRange[1]+20; n++ {
			x := expect.Value(curve.At(t.Context(), n))(t)
			if above := !below(x, 0.8); n > s.NRange[0]-20 && above != before {
				seen = append(seen, n)
			}
			before = !below(x, 0.8)
		}
		expect.That(t, len(seen) > 1 && seen[0] >= s.NRange[0] && seen[len(seen)-1] <= s.NRange[1], "%s: crossings at %v, range %v",
			s.Name, seen, *s.NRange)
	}
}

// Rows of an application are dealt out whole, ceil(n/p) of n flop, beside 100 us and 8 n bytes at 100 MB/s, so one row more
// costs all of them one. Of the sizes at which n^2/(p S T) crosses 0.6, by enumeration, the range has the first and the last.
func TestRangeOfRowsOfAnApplication(t *testing.T) {
	const application = "application: rows\nparameters: {n: 1}\nwork: n^2\nprogram:\n  - compute: ceil(n/p)*n\n" +
		"  - when: p > 1\n    do: [{sendrecv: {to: (rank + 1) % p, from: (rank + p - 1) % p, size: 8*n}}]\n"
	sizes := []int{3, 5, 12, 29, 64}
	text := "target_efficiency: 0.6\nmachine: {node_types: {w: {marked_speed: 10 Mflop/s}}, nodes: [{type: w, count: 64}], " +
		"network: {latency: 100 us, bandwidth: 100 MB/s}}\nnetwork: hockney\nworkload: {application: rows.yaml}\nsystems:\n"
	for _, p := range sizes {
		text += fmt.Sprintf("  - {name: p%d, nodes: {w: %[1]d}}\n", p)
	}
	r := mustIso(t, expect.Value(scenario.Documents{"rows.yaml": []byte(application), "study.yaml": []byte(text)}.ReadStudy("study.yaml", nil))(t))
	for i, p := range sizes {
		holds := func(n int) bool {
			of := float64(n)
			return of*of/float64(p)/(math.Ceil(of/float64(p))*of+1000+0.8*of) >= 0.6
		}
		var crossed []int
		for n := 2; n < 1000; n++ {
			if holds(n) != holds(n-1) {
				crossed = append(crossed, n)
			}
		}
		n := r.Systems[i].N // or the size before the first crossing, if that is nearer to the target
		want := [2]int{min(n, crossed[0]), crossed[len(crossed)-1]}
		expect.That(t, slices.Contains(crossed, n) || slices.Contains(crossed, n+1), "p = %d: n = %d is at none of the crossings %v", p, n, crossed)
		expect.That(t, len(crossed) > 1 && r.Systems[i].NRange != nil && *r.Systems[i].NRange == want, "p = %d: range %v, want %v", p, r.Systems[i].NRange, want)
	}
}

// The size of a system lies within the range of those that cross the target, and psi within theirs, also if the size
// nearest to the target is next to the first or the last of them, and if the work is random.
func TestRangesHoldWhatTheyAreOf(t *testing.T) {
	const application = "application: noisy\nparameters: {n: 1}\ngrid: {x: auto}\nwork: 40 * n^2\nprogram:\n" +
		"  - noise: {exponential: 0.2}\n  - repeat: 20\n    do:\n      - compute: {flop: \"2*n*share(n, all)\"}\n" +
		"      - exchange: {with: neighbours, size: 8*n, periodic: true}\n      - allreduce: 8 B\n"
	for _, tt := range []struct{ workload, speed, latency, efficiency string }{
		{"{application: noisy.yaml}", "2", "20", "0.5"},
		{"{name: lcs}", "1.7", "20", "0.4"},
		{"{name: convolution, bytes_per_flop: 1}", "1", "100", "0.5"},
	} {
		r := mustIso(t, expect.Value(scenario.Documents{"noisy.yaml": []byte(application), "study.yaml": []byte(
			"target_efficiency: " + tt.efficiency + "\nmachine:\n  node_types:\n" +
				"    a: {cores: 2, marked_speed: 1 Gflop/s, memory_bandwidth: 3 GB/s}\n    b: {marked_speed: " + tt.speed +
				" Gflop/s}\n  nodes: [{type: a, count: 8}, {type: b, count: 8}]\n  network: {latency: " + tt.latency +
				" us, bandwidth: 1 GB/s}\nnetwork: hockney\nplacement: {a: 2}\nworkload: " + tt.workload +
				"\nsystems:\n  - {name: s2, nodes: {a: 2, b: 2}}\n  - {name: s4, nodes: {a: 4, b: 8}}\n")}.ReadStudy("study.yaml", nil))(t))
		ranges := 0
		for _, s := range r.Systems {
			if s.NRange != nil {
				ranges++
				expect.That(t, s.NRange[0] <= s.N && s.N <= s.NRange[1], "%s, %s: n = %d, range %v", tt.workload, s.Name, s.N, *s.NRange)
			}
		}
		p := r.Psi[0]
		expect.Need(t, ranges > 0 && p.Range != nil, "%s: no range", tt.workload)
		expect.That(t, p.Range[0] <= p.Psi && p.Psi <= p.Range[1], "%s: psi = %v, range %v", tt.workload, p.Psi, *p.Range)
		// So is the work at other efficiencies: that of runs of these sizes, but for uneven shares.
		others, _ := r.otherWork(r.byMarkedSpeed())
		expect.Need(t, len(others) > 0, "%s: no other efficiencies", tt.workload)
		for _, s := range others {
			e := expect.Value(strconv.ParseFloat(s.Name, 64))(t)
			for k := range s.X {
				i := slices.IndexFunc(r.Systems, func(x System) bool { return x.MarkedSpeed == s.X[k] })
				curve := r.details[i].curve
				run := expect.Value(curve.At(t.Context(), sizeAt(e, curve.Points())))(t)
				expect.Close(t, s.Y[k], float64(run.Work), 0.02, "%s at %s: work", tt.workload, s.Name)
			}
		}
	}
}

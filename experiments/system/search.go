package system

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Point is one simulation on the way to a solution.
type Point struct {
	N          int
	Work       units.Flops
	Efficiency float64
	Result     *sim.Result
}

func (p Point) At() (n int, efficiency float64) { return p.N, p.Efficiency }

// Solver finds the problem size at which one system reaches an efficiency. It
// remembers every simulation, so none is done twice.
type Solver struct {
	name   string
	Sys    *System
	Points map[int]Point
	Events int64
}

func NewSolver(name string, sys *System) *Solver {
	return &Solver{name: name, Sys: sys, Points: map[int]Point{}}
}

// Simulate simulates problem size n.
func (s *Solver) Simulate(ctx context.Context, n int) (Point, error) {
	if p, ok := s.Points[n]; ok {
		return p, nil
	}
	a := s.Sys.Algorithm(n)
	res, err := Simulate(ctx, s.Sys, a)
	if err != nil {
		return Point{}, fmt.Errorf("system %s at n = %d: %w", s.name, n, err)
	}
	e, err := scalability.SpeedEfficiency(a.Work(), res.Makespan, s.Sys.Placement.MarkedSpeed())
	if err != nil {
		return Point{}, fmt.Errorf("system %s at n = %d: %w", s.name, n, err)
	}
	p := Point{N: n, Work: a.Work(), Efficiency: e, Result: res}
	s.Points[n] = p
	s.Events += res.Events
	return p, nil
}

// Sorted returns all points by problem size.
func (s *Solver) Sorted() []Point {
	all := make([]Point, 0, len(s.Points))
	for _, p := range s.Points {
		all = append(all, p)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].N < all[j].N })
	return all
}

// Solve returns the point whose efficiency is nearest to the target, at the
// first place where the efficiency rises through it.
//
// The problem size is a whole number and the efficiency is known only where it
// was simulated, so this is a bisection on the integers: doubling finds a size
// that reaches the target, halving the interval finds the first that does, and
// of that and its predecessor the nearer one is taken. Bisection needs no
// derivative and no smoothness, only a change of sign; gonum, which isoscale
// uses for numerics, has no scalar root finder.
//
// Where the efficiency is not monotone there may be several solutions. A later
// scan of the curve that finds the target reached earlier restarts the search
// there (see refine).
func (s *Solver) Solve(ctx context.Context, target float64, r scenario.SizeRange) (Point, error) {
	low, err := s.Simulate(ctx, r.From)
	if err != nil {
		return Point{}, err
	}
	if low.Efficiency >= target {
		if low.Efficiency-target <= HoldTolerance(target) {
			return low, nil
		}
		return Point{}, &input.UnattainableError{System: s.name, Target: target, Best: low.Efficiency, BestN: low.N, From: r.From, To: r.From, TooEasy: true, Processes: len(s.Sys.Speeds)}
	}
	best := low
	for {
		if low.N == r.To {
			return Point{}, &input.UnattainableError{System: s.name, Target: target, Best: best.Efficiency, BestN: best.N, From: r.From, To: r.To}
		}
		high, err := s.Simulate(ctx, min(2*low.N, r.To))
		if err != nil {
			return Point{}, err
		}
		if high.Efficiency >= target {
			return s.bisect(ctx, target, low, high)
		}
		if high.Efficiency > best.Efficiency {
			best = high
		}
		// T = k W/C + T_o gives an efficiency whose distance from its limit at
		// least halves with each doubling of n once the curve is flat: once the
		// gain is a small part of the efficiency too, for a curve that is still
		// near 0 gains little as well. Stop when ten times the last gain would
		// not reach the target.
		gain := high.Efficiency - low.Efficiency
		if len(s.Points) > 8 && gain < flat && gain < high.Efficiency/4 && high.Efficiency+10*max(gain, 0) < target {
			return Point{}, &input.UnattainableError{System: s.name, Target: target, Best: best.Efficiency, BestN: best.N, From: r.From, To: high.N, Note: " (it has stopped growing)"}
		}
		low = high
	}
}

// HoldTolerance is how far from the target an efficiency may be to count as
// holding it where no size comes nearer.
func HoldTolerance(target float64) float64 { return min(0.002, target/100) }

const (
	// flat is the gain of efficiency per doubling of n below which the curve may
	// be taken to have reached its limit.
	flat = 0.001
)

// bisect narrows low, below the target, and high, at or above it, to neighbours,
// and returns the nearer one.
func (s *Solver) bisect(ctx context.Context, target float64, low, high Point) (Point, error) {
	return Narrow(target, low, high, func(n int) (Point, error) { return s.Simulate(ctx, n) })
}

// sized is an efficiency that is known at a problem size.
type sized interface {
	At() (n int, efficiency float64)
}

// Narrow halves the sizes between low, whose efficiency is below the target, and
// high, at or above it, until they are neighbours, and returns the nearer one.
func Narrow[P sized](target float64, low, high P, probe func(n int) (P, error)) (P, error) {
	for {
		lowN, lowE := low.At()
		highN, highE := high.At()
		if highN-lowN <= 1 {
			if target-lowE < highE-target {
				return low, nil
			}
			return high, nil
		}
		mid, err := probe(lowN + (highN-lowN)/2)
		if err != nil {
			return mid, err
		}
		if _, e := mid.At(); e >= target {
			high = mid
		} else {
			low = mid
		}
	}
}

// curvePoints is how many sizes the efficiency curve of a system is drawn from.
const curvePoints = 20

// Curve simulates sizes from a tenth of the solution to nearly twice it.
func (s *Solver) Curve(ctx context.Context, solution int, r scenario.SizeRange) error {
	for i := range curvePoints {
		n := int(math.Round(float64(solution) * (0.1 + 1.7*float64(i)/(curvePoints-1))))
		if n < r.From || n > r.To {
			continue
		}
		if _, err := s.Simulate(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// Refine looks at all points simulated so far. If the target is reached before
// the solution, the first such crossing is the solution.
func (s *Solver) Refine(ctx context.Context, target float64, solution Point) (Point, error) {
	all := s.Sorted()
	for i := 1; i < len(all) && all[i].N < solution.N; i++ {
		if all[i-1].Efficiency < target && all[i].Efficiency >= target {
			return s.bisect(ctx, target, all[i-1], all[i])
		}
	}
	return solution, nil
}

// Monotony describes where the efficiency falls although the problem grows, or
// returns "".
func (s *Solver) Monotony(target float64, solution Point) string {
	all := s.Sorted()
	var worst float64
	var from, to Point
	crossings := 0
	for i := 1; i < len(all); i++ {
		if fall := all[i-1].Efficiency - all[i].Efficiency; fall > worst {
			worst, from, to = fall, all[i-1], all[i]
		}
		if (all[i-1].Efficiency < target) != (all[i].Efficiency < target) {
			crossings++
		}
	}
	if worst <= 1e-12 {
		return ""
	}
	text := fmt.Sprintf("%s: speed-efficiency is not monotone in n: it falls from %.5f at n = %d to %.5f at n = %d",
		s.name, from.Efficiency, from.N, to.Efficiency, to.N)
	if crossings > 1 {
		text += fmt.Sprintf("; it crosses the target %d times, and the first rise through it, n = %d, is used", crossings, solution.N)
	}
	return text
}

// Trend reads the problem size off a polynomial through sampled points, as the
// papers do. It returns 0 and the reason where that is not possible.
func (s *Solver) Trend(ctx context.Context, target float64, plan scenario.TrendPlan, solution int, r scenario.SizeRange) (n float64, samples []scalability.Sample, line *scalability.Trend, warning string, err error) {
	for i := range plan.Points {
		// From 0.3 to 1.7 times the solution: the papers sample 100 to 500 around 310.
		size := int(math.Round(float64(solution) * (0.3 + 1.4*float64(i)/float64(plan.Points-1))))
		size = min(max(size, r.From), r.To)
		if len(samples) > 0 && samples[len(samples)-1].N == float64(size) {
			continue
		}
		p, err := s.Simulate(ctx, size)
		if err != nil {
			return 0, nil, nil, "", err
		}
		samples = append(samples, scalability.Sample{N: float64(size), Efficiency: p.Efficiency})
	}
	line, err = scalability.FitTrend(plan.Degree, samples)
	if err != nil {
		return 0, samples, nil, fmt.Sprintf("%s: no trend line: %v", s.name, err), nil
	}
	reading, err := line.ReadOff(target)
	if err != nil {
		return 0, samples, line, fmt.Sprintf("%s: nothing to read off the trend line: %v", s.name, err), nil
	}
	if reading.Warning != "" {
		warning = fmt.Sprintf("%s: trend line: %v", s.name, reading.Warning)
	}
	return reading.N, samples, line, warning, nil
}

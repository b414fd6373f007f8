package experiments

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// point is one simulation on the way to a solution.
type point struct {
	n          int
	work       units.Flops
	efficiency float64
	result     *sim.Result
}

func (p point) at() (n int, efficiency float64) { return p.n, p.efficiency }

// solver finds the problem size at which one system reaches an efficiency. It
// remembers every simulation, so none is done twice.
type solver struct {
	name   string
	sys    *system
	points map[int]point
	events int64
}

func newSolver(name string, sys *system) *solver {
	return &solver{name: name, sys: sys, points: map[int]point{}}
}

// at simulates problem size n.
func (s *solver) at(ctx context.Context, n int) (point, error) {
	if p, ok := s.points[n]; ok {
		return p, nil
	}
	a := s.sys.algorithm(n)
	res, err := simulate(ctx, s.sys, a)
	if err != nil {
		return point{}, fmt.Errorf("system %s at n = %d: %w", s.name, n, err)
	}
	e, err := scalability.SpeedEfficiency(a.Work(), res.Makespan, s.sys.placement.MarkedSpeed())
	if err != nil {
		return point{}, fmt.Errorf("system %s at n = %d: %w", s.name, n, err)
	}
	p := point{n: n, work: a.Work(), efficiency: e, result: res}
	s.points[n] = p
	s.events += res.Events
	return p, nil
}

// sorted returns all points by problem size.
func (s *solver) sorted() []point {
	all := make([]point, 0, len(s.points))
	for _, p := range s.points {
		all = append(all, p)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].n < all[j].n })
	return all
}

// UnattainableError reports a target that a system does not reach.
type UnattainableError struct {
	Pos      yamldoc.Position // of the target
	System   string
	Target   float64
	Best     float64 // largest efficiency found
	BestN    int
	From, To int // sizes searched
	Note     string
	TooEasy  bool // already exceeded at From
	// Processes is the number of processes of the system.
	Processes int
}

func (e *UnattainableError) Error() string {
	if e.TooEasy && e.Processes == 1 {
		return fmt.Sprintf("%v: %s has a single process, which does not communicate: its efficiency is %.4g at n = %d already, above the target %g; expected a system of at least two processes",
			e.Pos, e.System, e.Best, e.BestN, e.Target)
	}
	if e.TooEasy {
		return fmt.Sprintf("%v: %s exceeds target efficiency %g at the smallest size searched: it has %.4g at n = %d; expected a higher target_efficiency or a smaller sizes.from",
			e.Pos, e.System, e.Target, e.Best, e.BestN)
	}
	return fmt.Sprintf("%v: target efficiency %g is not attainable on %s: the largest found is %.4g at n = %d, searching n from %d to %d%s; expected a lower target_efficiency or a larger sizes.to",
		e.Pos, e.Target, e.System, e.Best, e.BestN, e.From, e.To, e.Note)
}

// solve returns the point whose efficiency is nearest to the target, at the
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
func (s *solver) solve(ctx context.Context, target float64, r SizeRange) (point, error) {
	low, err := s.at(ctx, r.From)
	if err != nil {
		return point{}, err
	}
	if low.efficiency >= target {
		if low.efficiency-target <= holdTolerance(target) {
			return low, nil
		}
		return point{}, &UnattainableError{System: s.name, Target: target, Best: low.efficiency, BestN: low.n, From: r.From, To: r.From, TooEasy: true, Processes: len(s.sys.speeds)}
	}
	best := low
	for {
		if low.n == r.To {
			return point{}, &UnattainableError{System: s.name, Target: target, Best: best.efficiency, BestN: best.n, From: r.From, To: r.To}
		}
		high, err := s.at(ctx, min(2*low.n, r.To))
		if err != nil {
			return point{}, err
		}
		if high.efficiency >= target {
			return s.bisect(ctx, target, low, high)
		}
		if high.efficiency > best.efficiency {
			best = high
		}
		// T = k W/C + T_o gives an efficiency whose distance from its limit at
		// least halves with each doubling of n once the curve is flat: once the
		// gain is a small part of the efficiency too, for a curve that is still
		// near 0 gains little as well. Stop when ten times the last gain would
		// not reach the target.
		gain := high.efficiency - low.efficiency
		if len(s.points) > 8 && gain < flat && gain < high.efficiency/4 && high.efficiency+10*max(gain, 0) < target {
			return point{}, &UnattainableError{System: s.name, Target: target, Best: best.efficiency, BestN: best.n, From: r.From, To: high.n, Note: " (it has stopped growing)"}
		}
		low = high
	}
}

// holdTolerance is how far from the target an efficiency may be to count as
// holding it where no size comes nearer.
func holdTolerance(target float64) float64 { return min(0.002, target/100) }

const (
	// flat is the gain of efficiency per doubling of n below which the curve may
	// be taken to have reached its limit.
	flat = 0.001
)

// bisect narrows low, below the target, and high, at or above it, to neighbours,
// and returns the nearer one.
func (s *solver) bisect(ctx context.Context, target float64, low, high point) (point, error) {
	return narrow(target, low, high, func(n int) (point, error) { return s.at(ctx, n) })
}

// sized is an efficiency that is known at a problem size.
type sized interface {
	at() (n int, efficiency float64)
}

// narrow halves the sizes between low, whose efficiency is below the target, and
// high, at or above it, until they are neighbours, and returns the nearer one.
func narrow[P sized](target float64, low, high P, probe func(n int) (P, error)) (P, error) {
	for {
		lowN, lowE := low.at()
		highN, highE := high.at()
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
		if _, e := mid.at(); e >= target {
			high = mid
		} else {
			low = mid
		}
	}
}

// curvePoints is how many sizes the efficiency curve of a system is drawn from.
const curvePoints = 20

// curve simulates sizes from a tenth of the solution to nearly twice it.
func (s *solver) curve(ctx context.Context, solution int, r SizeRange) error {
	for i := range curvePoints {
		n := int(math.Round(float64(solution) * (0.1 + 1.7*float64(i)/(curvePoints-1))))
		if n < r.From || n > r.To {
			continue
		}
		if _, err := s.at(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// refine looks at all points simulated so far. If the target is reached before
// the solution, the first such crossing is the solution.
func (s *solver) refine(ctx context.Context, target float64, solution point) (point, error) {
	all := s.sorted()
	for i := 1; i < len(all) && all[i].n < solution.n; i++ {
		if all[i-1].efficiency < target && all[i].efficiency >= target {
			return s.bisect(ctx, target, all[i-1], all[i])
		}
	}
	return solution, nil
}

// monotony describes where the efficiency falls although the problem grows, or
// returns "".
func (s *solver) monotony(target float64, solution point) string {
	all := s.sorted()
	var worst float64
	var from, to point
	crossings := 0
	for i := 1; i < len(all); i++ {
		if fall := all[i-1].efficiency - all[i].efficiency; fall > worst {
			worst, from, to = fall, all[i-1], all[i]
		}
		if (all[i-1].efficiency < target) != (all[i].efficiency < target) {
			crossings++
		}
	}
	if worst <= 1e-12 {
		return ""
	}
	text := fmt.Sprintf("%s: speed-efficiency is not monotone in n: it falls from %.5f at n = %d to %.5f at n = %d",
		s.name, from.efficiency, from.n, to.efficiency, to.n)
	if crossings > 1 {
		text += fmt.Sprintf("; it crosses the target %d times, and the first rise through it, n = %d, is used", crossings, solution.n)
	}
	return text
}

// trend reads the problem size off a polynomial through sampled points, as the
// papers do. It returns 0 and the reason where that is not possible.
func (s *solver) trend(ctx context.Context, target float64, plan TrendPlan, solution int, r SizeRange) (n float64, samples []scalability.Sample, line *scalability.Trend, warning string, err error) {
	for i := range plan.Points {
		// From 0.3 to 1.7 times the solution: the papers sample 100 to 500 around 310.
		size := int(math.Round(float64(solution) * (0.3 + 1.4*float64(i)/float64(plan.Points-1))))
		size = min(max(size, r.From), r.To)
		if len(samples) > 0 && samples[len(samples)-1].N == float64(size) {
			continue
		}
		p, err := s.at(ctx, size)
		if err != nil {
			return 0, nil, nil, "", err
		}
		samples = append(samples, scalability.Sample{N: float64(size), Efficiency: p.efficiency})
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

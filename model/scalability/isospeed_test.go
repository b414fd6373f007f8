package scalability_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

var (
	anySpeed      = rapid.Float64Range(1e6, 1e15)
	anyProcessors = rapid.IntRange(1, 1_000_000)
)

// With p equal processors of speed C_1 isospeed-efficiency is isospeed.
func TestHomogeneousIsIsospeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c1 := anySpeed.Draw(t, "C_1")
		p, pScaled := anyProcessors.Draw(t, "p"), anyProcessors.Draw(t, "p'")
		w, wScaled := units.Flops(anyWork.Draw(t, "W")), units.Flops(anyWork.Draw(t, "W'"))

		general := expect.Value(scalability.IsospeedEfficiency(
			scalability.Point{MarkedSpeed: units.FlopsPerSecond(float64(p) * c1), Work: w},
			scalability.Point{MarkedSpeed: units.FlopsPerSecond(float64(pScaled) * c1), Work: wScaled}))(t)
		expect.Close(t, expect.Value(scalability.Isospeed(p, w, pScaled, wScaled))(t), general, 1e-14, "psi(p,p')")
	})
}

// Work that grows as the machine does is ideal; psi back is the inverse of psi;
// over several rungs psi is the product.
func TestIsospeedEfficiencyAlgebra(t *testing.T) {
	anyPoint := rapid.Custom(func(t *rapid.T) scalability.Point {
		return scalability.Point{
			MarkedSpeed: units.FlopsPerSecond(anySpeed.Draw(t, "C")),
			Work:        units.Flops(anyWork.Draw(t, "W")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		ladder := scalability.Ladder(rapid.SliceOfN(anyPoint, 2, 8).Draw(t, "ladder"))
		first, last := ladder[0], ladder[len(ladder)-1]
		psi := func(a, b scalability.Point) float64 {
			return expect.Value(scalability.IsospeedEfficiency(a, b))(t)
		}
		expect.Close(t, psi(first, last)*psi(last, first), 1, 1e-14, "psi there and back")

		k := rapid.Float64Range(0.01, 100).Draw(t, "k")
		ideal := scalability.Point{
			MarkedSpeed: first.MarkedSpeed * units.FlopsPerSecond(k), Work: first.Work * units.Flops(k),
		}
		expect.Close(t, psi(first, ideal), 1, 1e-14, "psi at W/C held")

		steps := expect.Value(ladder.Psi())(t)
		expect.Need(t, len(steps) == len(ladder)-1, "%d steps on %d rungs", len(steps), len(ladder))
		product := 1.0
		for _, s := range steps {
			product *= s
		}
		expect.Close(t, product, psi(first, last), 1e-13, "product of the steps")
	})
}

// Where the efficiency is held, psi is also T/T': W = E_s T C on both sides.
func TestPsiIsRatioOfTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.Float64Range(0.01, 1.5).Draw(t, "E_s")
		var ladder scalability.Ladder
		var times []units.Seconds
		for range 2 {
			p := scalability.Point{
				MarkedSpeed: units.FlopsPerSecond(anySpeed.Draw(t, "C")), Work: units.Flops(anyWork.Draw(t, "W")),
			}
			d := expect.Value(scalability.RequiredTime(p.Work, e, p.MarkedSpeed))(t)
			back := expect.Value(scalability.SpeedEfficiency(p.Work, d, p.MarkedSpeed))(t)
			expect.Close(t, back, e, 1e-14, "E_s at the required time")
			ladder, times = append(ladder, p), append(times, d)
		}
		steps := expect.Value(ladder.Psi())(t)
		expect.Close(t, steps[0], float64(times[0]/times[1]), 1e-14, "psi")
	})
}

func TestShortLadders(t *testing.T) {
	for _, l := range []scalability.Ladder{nil, {{MarkedSpeed: 1, Work: 1}}} {
		steps, err := l.Psi()
		expect.That(t, err == nil && len(steps) == 0,
			"ladder of %d: %v, %v; want no steps and no error", len(l), steps, err)
	}
	// Even a single rung must be a valid one.
	_, err := (scalability.Ladder{{MarkedSpeed: 1, Work: units.Flops(math.NaN())}}).Psi()
	expect.That(t, err != nil, "a rung with W = NaN passed")
}

// A machine is a synthetic system for which the assumptions of the theorems hold:
//
//	T(W) = (1 - alpha) W/c + alpha W/cj + a + b W^(2/3)
//
// so the overhead a + b W^(2/3) grows more slowly than the work, and E_s rises with W.
// It is computed in plain float64, without code of the package.
type machine struct {
	alpha, c, cj float64
	a, b         float64
}

func (m machine) overhead(w float64) float64   { return m.a + m.b*math.Pow(w, 2./3) }
func (m machine) sequential(w float64) float64 { return m.alpha * w / m.cj }

func (m machine) time(w float64) float64 {
	return (1-m.alpha)*w/m.c + m.sequential(w) + m.overhead(w)
}

func (m machine) efficiency(w float64) float64 { return w / (m.time(w) * m.c) }

// workAt solves E_s(W) = e by bisection over ln W. The root must lie between 1e-20
// and 1e40 flop.
func (m machine) workAt(t *rapid.T, e float64) float64 {
	lo, hi := math.Log(1e-20), math.Log(1e40)
	expect.Need(t, m.efficiency(math.Exp(lo)) < e && m.efficiency(math.Exp(hi)) > e, "E_s = %g is not bracketed", e)
	for range 100 {
		mid := (lo + hi) / 2
		if m.efficiency(math.Exp(mid)) < e {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp(hi)
}

// ceiling is the marked speed at which E_s cannot exceed e however large the work:
// as W grows, 1/E_s falls to 1 - alpha + alpha c/cj.
func ceiling(alpha, cj, e float64) float64 {
	if alpha == 0 {
		return math.Inf(1)
	}
	return (1/e - (1 - alpha)) * cj / alpha
}

var (
	anyAlpha = rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-6, 0.5))
	anyWork  = rapid.Float64Range(1e6, 1e12)
	// A share of the computing time. Not too small: where E_s is 1 to seven digits,
	// the condition determines W' only to as few digits as are left.
	anyShare  = rapid.Float64Range(0.01, 10)
	anyFactor = rapid.Float64Range(0.1, 10)
)

// drawBase draws a machine with a node that runs the sequential part, and a work
// for which its overheads are of the order of the computing time.
func drawBase(t *rapid.T) (m machine, w float64) {
	w = anyWork.Draw(t, "W")
	m = machine{alpha: anyAlpha.Draw(t, "alpha"), c: rapid.Float64Range(1e7, 1e10).Draw(t, "C")}
	m.cj = m.c * rapid.Float64Range(0.01, 1).Draw(t, "C_j/C")
	m.a = anyShare.Draw(t, "a C/W") * w / m.c
	m.b = anyShare.Draw(t, "b C/W^(1/3)") * math.Cbrt(w) / m.c
	return m, w
}

// drawOverhead draws the overhead of the scaled machine.
func drawOverhead(t *rapid.T, base machine) (a, b float64) {
	return base.a * anyFactor.Draw(t, "a'/a"), base.b * anyFactor.Draw(t, "b'/b")
}

// drawScaledSpeed draws a marked speed above the node's and clearly below the
// ceiling, so that the work that holds e exists and is well determined.
func drawScaledSpeed(t *rapid.T, m machine, cj, e float64) float64 {
	high := min(0.9*ceiling(m.alpha, cj, e), 100*m.c)
	if high <= cj {
		t.Skip("no system between the node and the ceiling")
	}
	return rapid.Float64Range(cj, high).Draw(t, "C'")
}

func psiByDefinition(base machine, w float64, scaled machine, wScaled float64) float64 {
	return scaled.c * w / (base.c * wScaled)
}

func TestTheorem1AgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, w := drawBase(t)
		e := base.efficiency(w)
		scaled := base
		// Another node may run the sequential part.
		scaled.cj = base.cj * rapid.Float64Range(0.5, 2).Draw(t, "C_j'/C_j")
		scaled.c = drawScaledSpeed(t, base, scaled.cj, e)
		scaled.a, scaled.b = drawOverhead(t, base)
		wScaled := scaled.workAt(t, e)

		got := expect.Value(scalability.Theorem1(
			units.Seconds(base.sequential(w)), units.Seconds(base.overhead(w)),
			units.Seconds(scaled.sequential(wScaled)), units.Seconds(scaled.overhead(wScaled))))(t)
		expect.Close(t, got, psiByDefinition(base, w, scaled, wScaled), 1e-9, "psi")
	})
}

func TestTheorem2AgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, w := drawBase(t)
		e := base.efficiency(w)
		scaled := base
		scaled.c = drawScaledSpeed(t, base, base.cj, e)
		scaled.a, scaled.b = drawOverhead(t, base)
		wScaled := scaled.workAt(t, e)

		got := expect.Value(scalability.Theorem2(
			point(base, w), units.FlopsPerSecond(scaled.c), sequential(base),
			units.Seconds(base.overhead(w)), units.Seconds(scaled.overhead(wScaled))))(t)
		expect.Close(t, got, psiByDefinition(base, w, scaled, wScaled), 1e-9, "psi")
	})
}

func TestCorollary2AgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, w := drawBase(t)
		base.alpha = 0
		scaled := base
		scaled.c = base.c * rapid.Float64Range(1, 100).Draw(t, "C'/C")
		scaled.a, scaled.b = drawOverhead(t, base)
		wScaled := scaled.workAt(t, base.efficiency(w))

		got := expect.Value(scalability.Corollary2(
			units.Seconds(base.overhead(w)), units.Seconds(scaled.overhead(wScaled))))(t)
		expect.Close(t, got, psiByDefinition(base, w, scaled, wScaled), 1e-9, "psi")
	})
}

// From [Chen2008] Table 5 to Table 6 another way: a machine that holds E_s = 0.3 has
// T = W/(0.3 C), hence an overhead T - W/C, and the ratio of two overheads must be psi. The
// server has two CPUs of 20.88 Mflop/s, a blade one of 20.29.
func TestCorollary2OfPublishedSizes(t *testing.T) {
	var before units.Seconds
	for _, row := range []struct{ blades, n, psi float64 }{
		{1, 310, 0}, {3, 480, 0.445}, {7, 1000, 0.198}, {15, 1700, 0.383}, {31, 3200, 0.290},
	} {
		c := units.FlopsPerSecond(2*20.88e6 + row.blades*20.29e6)
		w := units.Flops((4*row.n*row.n*row.n - 3*row.n*row.n - 19*row.n + 18) / 6)
		total := expect.Value(scalability.RequiredTime(w, 0.3, c))(t)
		overhead := expect.Value(scalability.Point{MarkedSpeed: c, Work: w}.Overhead(total, scalability.Sequential{}))(t)
		if row.psi > 0 { // one unit in the last place: 0.290 is truncated
			expect.Near(t, expect.Value(scalability.Corollary2(before, overhead))(t), row.psi, 1e-3, "%v blades: psi", row.blades)
		}
		before = overhead
	}
}

// The limit must be the ceiling of the efficiency of the synthetic machine, which knows
// nothing of Theorem 2. Just below it some work holds the efficiency; just above it
// none does, and Theorem2 returns an error.
func TestReachLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, w := drawBase(t)
		base.alpha = rapid.Float64Range(1e-6, 0.5).Draw(t, "alpha > 0")
		e := base.efficiency(w)
		overhead := units.Seconds(base.overhead(w))

		limit := expect.Value(scalability.ReachLimit(point(base, w), sequential(base), overhead))(t)
		expect.Close(t, float64(limit), ceiling(base.alpha, base.cj, e), 1e-9, "limit")

		const enormous = 1e60 // flop; the overhead is then far below the rest
		for _, factor := range []float64{1 - 1e-3, 1 + 1e-3} {
			scaled := base
			scaled.c = factor * float64(limit)
			if scaled.c < base.cj {
				t.Skip("the system would be slower than its node")
			}
			held := scaled.efficiency(enormous) > e
			expect.Equal(t, held, factor < 1, "C' = %g limit: efficiency held", factor)
			_, err := scalability.Theorem2(point(base, w), units.FlopsPerSecond(scaled.c), sequential(base), overhead, 1)
			var unreachable *scalability.UnreachableError
			got := errors.As(err, &unreachable)
			expect.That(t, got != held && (err == nil || got), "C' = %g limit: error %v", factor, err)
			expect.That(t, unreachable == nil || unreachable.Limit == limit && float64(unreachable.MarkedSpeed) == scaled.c,
				"error reports %+v, want limit %g", unreachable, limit)
		}
	})
}

// At the limit itself, 300 Mflop/s for the numbers of TestReachLimitCases, W' would
// have to be infinite.
func TestTheorem2AtTheLimit(t *testing.T) {
	base := scalability.Point{MarkedSpeed: 100e6, Work: 1e9}
	_, err := scalability.Theorem2(base, 300e6, scalability.Sequential{Fraction: 0.01, Speed: 20e6}, 1, 1)
	expect.Kind[*scalability.UnreachableError](t, err)
}

func TestReachLimitCases(t *testing.T) {
	base := scalability.Point{MarkedSpeed: 100e6, Work: 1e9}
	for _, test := range []struct {
		name     string
		seq      scalability.Sequential
		overhead units.Seconds
		want     float64
	}{
		{"nothing sequential", scalability.Sequential{}, 1, math.Inf(1)},
		// alpha = 0.01 and C_j = 20 Mflop/s give beta W = 0.5 s: 100*(1 + 1/0.5).
		{"by hand", scalability.Sequential{Fraction: 0.01, Speed: 20e6}, 1, 300e6},
		// No overhead to shed: only the sequential part costs, and it costs more on
		// any larger machine.
		{"no overhead", scalability.Sequential{Fraction: 0.01, Speed: 20e6}, 0, 100e6},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := expect.Value(scalability.ReachLimit(base, test.seq, test.overhead))(t)
			if math.IsInf(test.want, 1) {
				expect.That(t, math.IsInf(float64(got), 1), "limit = %g, want +Inf", got)
				return
			}
			expect.Close(t, float64(got), test.want, 1e-14, "limit")
		})
	}
}

// The parts of the time must add up again.
func TestOverheadAndSequentialTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := drawBase(t)
		total := m.time(w)
		overhead := expect.Value(point(m, w).Overhead(units.Seconds(total), sequential(m)))(t)
		// The overhead is a difference: its error is that of the total.
		expect.That(t, math.Abs(float64(overhead)-m.overhead(w)) <= 1e-15*total,
			"T_o = %.15g, want %.15g of T = %g", overhead, m.overhead(w), total)
		t0 := expect.Value(sequential(m).Time(units.Flops(w)))(t)
		expect.Close(t, float64(t0), m.sequential(w), 1e-15, "t_0")
	})
}

// A machine faster than marked has a negative overhead: 1 Gflop at 100 Mflop/s
// should take 10 s and took 8.
func TestOverheadMayBeNegative(t *testing.T) {
	got := expect.Value(scalability.Point{MarkedSpeed: 100e6, Work: 1e9}.Overhead(8, scalability.Sequential{}))(t)
	expect.Equal(t, got, -2, "T_o")
}

func point(m machine, w float64) scalability.Point {
	return scalability.Point{MarkedSpeed: units.FlopsPerSecond(m.c), Work: units.Flops(w)}
}

func sequential(m machine) scalability.Sequential {
	return scalability.Sequential{Fraction: m.alpha, Speed: units.FlopsPerSecond(m.cj)}
}

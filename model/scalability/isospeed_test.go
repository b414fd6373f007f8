package scalability_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

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

		general, err := scalability.IsospeedEfficiency(
			scalability.Point{MarkedSpeed: units.FlopsPerSecond(float64(p) * c1), Work: w},
			scalability.Point{MarkedSpeed: units.FlopsPerSecond(float64(pScaled) * c1), Work: wScaled})
		if err != nil {
			t.Fatal(err)
		}
		special, err := scalability.Isospeed(p, w, pScaled, wScaled)
		if err != nil {
			t.Fatal(err)
		}
		approx(t, "psi(p,p')", special, general, 1e-14)
	})
}

// From 4 processors at 10 Gflop to 8 at 40: 8*10/(4*40) = 0.5.
func TestIsospeedByHand(t *testing.T) {
	got, err := scalability.Isospeed(4, 10e9, 8, 40e9)
	if err != nil {
		t.Fatal(err)
	}
	if got != 0.5 {
		t.Errorf("psi = %g, want 0.5", got)
	}
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
			v, err := scalability.IsospeedEfficiency(a, b)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		approx(t, "psi there and back", psi(first, last)*psi(last, first), 1, 1e-14)

		k := rapid.Float64Range(0.01, 100).Draw(t, "k")
		ideal := scalability.Point{MarkedSpeed: first.MarkedSpeed * units.FlopsPerSecond(k), Work: first.Work * units.Flops(k)}
		approx(t, "psi at W/C held", psi(first, ideal), 1, 1e-14)

		steps, err := ladder.Psi()
		if err != nil {
			t.Fatal(err)
		}
		if len(steps) != len(ladder)-1 {
			t.Fatalf("%d steps on %d rungs", len(steps), len(ladder))
		}
		product := 1.0
		for _, s := range steps {
			product *= s
		}
		approx(t, "product of the steps", product, psi(first, last), 1e-13)
	})
}

// Where the efficiency is held, psi is also T/T': W = E_s T C on both sides.
func TestPsiIsRatioOfTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.Float64Range(0.01, 1.5).Draw(t, "E_s")
		var ladder scalability.Ladder
		var times []units.Seconds
		for range 2 {
			p := scalability.Point{MarkedSpeed: units.FlopsPerSecond(anySpeed.Draw(t, "C")), Work: units.Flops(anyWork.Draw(t, "W"))}
			d, err := scalability.RequiredTime(p.Work, e, p.MarkedSpeed)
			if err != nil {
				t.Fatal(err)
			}
			back, err := scalability.SpeedEfficiency(p.Work, d, p.MarkedSpeed)
			if err != nil {
				t.Fatal(err)
			}
			approx(t, "E_s at the required time", back, e, 1e-14)
			ladder, times = append(ladder, p), append(times, d)
		}
		steps, err := ladder.Psi()
		if err != nil {
			t.Fatal(err)
		}
		approx(t, "psi", steps[0], float64(times[0]/times[1]), 1e-14)
	})
}

func TestShortLadders(t *testing.T) {
	for _, l := range []scalability.Ladder{nil, {{MarkedSpeed: 1, Work: 1}}} {
		steps, err := l.Psi()
		if err != nil || len(steps) != 0 {
			t.Errorf("ladder of %d: %v, %v; want no steps and no error", len(l), steps, err)
		}
	}
	// Even a single rung must be a valid one.
	if _, err := (scalability.Ladder{{MarkedSpeed: 1, Work: units.Flops(math.NaN())}}).Psi(); err == nil {
		t.Error("a rung with W = NaN passed")
	}
}

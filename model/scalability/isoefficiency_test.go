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

// Adding n numbers on p processors, the usual example of isoefficiency: each adds n/p,
// then log2 p times sends a number and adds one, all at one unit of time. So
// T_p = n/p + 2 log2 p, T_o = 2 p log2 p, and E = 0.8 with K = 4 asks for
// n = 8 p log2 p: 64, 192 and 512 numbers on 4, 8 and 16 processors.
func TestAddingNumbers(t *testing.T) {
	for _, test := range []struct {
		p    int
		want float64
	}{{4, 64}, {8, 192}, {16, 512}} {
		p := float64(test.p)
		parallel := func(n float64) units.Seconds { return units.Seconds(n/p + 2*math.Log2(p)) }
		overhead := func(n float64) units.Seconds {
			return expect.Value(scalability.TotalOverhead(test.p, parallel(n), units.Seconds(n)))(t)
		}
		w, err := scalability.IsoefficiencyWork(0.8, overhead(test.want), 1)
		expect.That(t, err == nil && near(float64(w), test.want),
			"p = %d: W = %v, %v, want %v", test.p, w, err, test.want)
		m := scalability.SizeModel{
			Work:     func(n float64) units.Flops { return units.Flops(n) },
			Overhead: overhead,
			Speed:    1,
		}
		n, err := m.Size(0.8, 1, 1e6)
		// T_o is a difference of times up to 10^7, so a little is lost.
		expect.That(t, err == nil && math.Abs(n-test.want) <= 1e-9,
			"p = %d: n = %v, %v, want %v", test.p, n, err, test.want)
		// And by the definition of efficiency.
		s, err1 := scalability.Speedup(units.Seconds(test.want), parallel(test.want))
		e, err2 := scalability.Efficiency(s, test.p)
		expect.That(t, err1 == nil && err2 == nil && near(e, 0.8),
			"p = %d: E = %v, %v, %v, want 0.8", test.p, e, err1, err2)
	}
}

// Work a n^3 and overhead b n^2 at speed c balance at n = K b c/a.
func TestSizeClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(0.1, 10).Draw(t, "a")
		b := rapid.Float64Range(1e-6, 1e-3).Draw(t, "b")
		c := rapid.Float64Range(1e6, 1e9).Draw(t, "c")
		e := rapid.Float64Range(0.05, 0.95).Draw(t, "E")
		m := scalability.SizeModel{
			Work:     func(n float64) units.Flops { return units.Flops(a * n * n * n) },
			Overhead: func(n float64) units.Seconds { return units.Seconds(b * n * n) },
			Speed:    units.FlopsPerSecond(c),
		}
		want := e / (1 - e) * b * c / a
		n := expect.Value(m.Size(e, want/1e3, want*1e5))(t)
		expect.Close(t, n, want, 1e-13, "n")
		// The result is the first number at which the efficiency is held.
		at := expect.Value(m.Efficiency(n))(t)
		below := expect.Value(m.Efficiency(math.Nextafter(n, 0)))(t)
		expect.That(t, at >= e && below < e, "efficiency %v at n and %v below, want %v in between", at, below, e)
	})
}

// For p equal processors, overhead summed over processors with the speed of one and
// overhead on the clock with the power of all are the same condition.
func TestSizeHomogeneousBothWays(t *testing.T) {
	const p, speed, each = 12, 3e8, 2e-5
	work := func(n float64) units.Flops { return units.Flops(2 * n * n * n) }
	sum := scalability.SizeModel{
		Work: work, Speed: speed,
		Overhead: func(n float64) units.Seconds { return units.Seconds(p * each * n) },
	}
	clock := scalability.SizeModel{
		Work: work, Speed: p * speed,
		Overhead: func(n float64) units.Seconds { return units.Seconds(each * n) },
	}
	n := expect.Value(sum.Size(0.7, 1, 1e5))(t)
	same := expect.Value(clock.Size(0.7, 1, 1e5))(t)
	expect.That(t, near(n, same), "%v and %v", n, same)
	// By hand: 2 n^2 = K p each speed.
	expect.Close(t, n, math.Sqrt(0.7/0.3*p*each*speed/2), 1e-13, "n")
}

// An overhead that grows as the work does bounds the efficiency: 1/(1 + 1) here. And
// a range that lies beyond the size does not enclose it.
func TestSizeNotEnclosed(t *testing.T) {
	linear := func(n float64) units.Flops { return units.Flops(n) }
	for _, test := range []struct {
		name     string
		overhead func(n float64) units.Seconds
		at       [2]float64
	}{
		{"never", func(n float64) units.Seconds { return units.Seconds(n) }, [2]float64{0.5, 0.5}},
		{"below", func(float64) units.Seconds { return 0.5 }, [2]float64{2. / 3, 20. / 21}},
	} {
		m := scalability.SizeModel{Work: linear, Overhead: test.overhead, Speed: 1}
		_, err := m.Size(0.6, 1, 10)
		notEnclosed := expect.Kind[*scalability.NotEnclosedError](t, err)
		expect.That(t, near(notEnclosed.AtLow, test.at[0]) && near(notEnclosed.AtHigh, test.at[1]) &&
			notEnclosed.Target == 0.6 && notEnclosed.Low == 1 && notEnclosed.High == 10,
			"%s: %+v", test.name, *notEnclosed)
	}
}

// A function that gives no time is reported with the size at which it did.
func TestSizeBadFunction(t *testing.T) {
	m := scalability.SizeModel{
		Work: func(n float64) units.Flops { return units.Flops(n * n) },
		Overhead: func(n float64) units.Seconds {
			if n > 4 && n < 6 {
				return units.Seconds(nan)
			}
			return 1
		},
		Speed: 1,
	}
	_, err := m.Size(0.9, 1, 9) // halves at 5 first
	var domain *scalability.DomainError
	expect.That(t, errors.As(err, &domain) && domain.Symbol == "T_o(5)" && domain.Func == "SizeModel.Size",
		"error %v, want a DomainError for T_o(5)", err)
}

func TestNotEnclosedErrorText(t *testing.T) {
	err := &scalability.NotEnclosedError{Target: 0.6, Low: 1, High: 10, AtLow: 0.25, AtHigh: 0.5}
	const want = "scalability: the efficiency does not rise to 0.6 for sizes from 1 to 10; it is 0.25 and 0.5 at these ends"
	expect.That(t, err.Error() == want, "got  %v\nwant %s", err, want)
}

// E/(1 - E) undone is K/(1 + K).
func TestIsoefficiencyConstant(t *testing.T) {
	for _, test := range []struct{ e, want float64 }{{0.5, 1}, {0.75, 3}, {0.2, 0.25}} {
		expect.Close(t, expect.Value(scalability.IsoefficiencyConstant(test.e))(t), test.want, 1e-13, "E = %v", test.e)
	}
}

// More speedup than processors leaves a negative overhead: 4 s for 10 s of work on 2.
func TestTotalOverheadSuperlinear(t *testing.T) {
	to, err := scalability.TotalOverhead(2, 4, 10)
	expect.That(t, err == nil && to == -2, "%v, %v, want -2 s", to, err)
}

// At n = 3 and T_o = 1 the efficiency is 3/4 exactly: held at the upper end of a range
// it is found there, at the lower end it is not known to rise.
func TestSizeAtTheEnds(t *testing.T) {
	m := scalability.SizeModel{
		Work:     func(n float64) units.Flops { return units.Flops(n) },
		Overhead: func(float64) units.Seconds { return 1 },
		Speed:    1,
	}
	expect.Close(t, expect.Value(m.Size(0.75, 1, 3))(t), 3, 1e-13, "n")
	var notEnclosed *scalability.NotEnclosedError
	_, err := m.Size(0.75, 3, 9)
	expect.That(t, errors.As(err, &notEnclosed), "error %v, want a NotEnclosedError", err)
}

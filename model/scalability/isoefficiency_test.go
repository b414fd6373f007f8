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

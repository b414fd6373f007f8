package steps

import (
	"fmt"
	"math"
	"testing"
)

// climb compares two systems, with psi as for a speed-efficiency W/(T C).
func climb(t *testing.T, a, b System, o Options) Step {
	t.Helper()
	h := Held{Symbol: "E", Format: func(v float64) string { return fmt.Sprint(v) }, Psi: func(from, to Operation) (float64, error) {
		return to.Capacity * from.Work / (from.Capacity * to.Work), nil
	}}
	all, _ := Climb(h, []System{b, a}, o, t.Logf) // in any order
	if len(all) != 1 || all[0].From != a.Label || all[0].To != b.Label {
		t.Fatalf("%+v; want one step from the smaller system to the larger", all)
	}
	return all[0]
}

// Values that grow by 0.1 with each doubling of the size: 0.2 to 0.4 for sizes of 1 to 4
// on the one, for 2 to 8 on the other. Both have the middle, 0.3, in the middle: at
// sizes of 2 and 4. With works of 10 and 30 for each unit of size and capacities of 1 and
// 2, psi is 2 20/(1 120) = 1/3, and T = W/(E C) is 20/0.3 and 120/0.6.
func TestStepAtEqualValuesOfTrendLines(t *testing.T) {
	a, b := System{Label: "a", Processes: 1, Capacity: 1}, System{Label: "b", Processes: 2, Capacity: 2}
	for k, size := range []float64{1, 2, 4} {
		value := 0.2 + 0.1*float64(k)
		a.Points = append(a.Points, Point{Value: value, Size: size, Work: 10 * size, Time: 10 * size / value})
		b.Points = append(b.Points, Point{Value: value, Size: 2 * size, Work: 60 * size, Time: 30 * size / value})
	}
	s := climb(t, a, b, Options{Tolerance: 0.02, Degree: 1})
	for _, x := range []struct {
		what string
		got  *float64
		want float64
	}{
		{"held", s.Held, 0.3}, {"size of a", s.SizeFrom, 2}, {"size of b", s.SizeTo, 4},
		{"work of a", s.WorkFrom, 20}, {"work of b", s.WorkTo, 120},
		{"time of a", s.TimeFrom, 20 / 0.3}, {"time of b", s.TimeTo, 200}, {"psi", s.Psi, 1.0 / 3},
	} {
		if x.got == nil || math.Abs(*x.got/x.want-1) > 1e-9 {
			t.Errorf("%s: %v, want %v (%s)", x.what, x.got, x.want, s.Reason)
		}
	}
	if s := climb(t, a, b, Options{Target: 0.5, Tolerance: 0.02, Degree: 1}); s.Psi != nil || s.Reason == "" {
		t.Errorf("no system reaches 0.5, but %+v", s)
	}
}

// One size each: the values must be equal within the tolerance.
func TestStepAtEqualPoints(t *testing.T) {
	a := System{Label: "a", Processes: 1, Capacity: 1, Points: []Point{{Value: 0.5, Work: 10, Time: 20}}}
	b := System{Label: "b", Processes: 2, Capacity: 2, Points: []Point{{Value: 0.495, Work: 40, Time: 40}}}
	if s := climb(t, a, b, Options{Tolerance: 0.02, Degree: 1}); s.Psi == nil || *s.Psi != 0.5 {
		t.Errorf("%+v; want psi = 2 10/(1 40) = 0.5", s)
	}
	if s := climb(t, a, b, Options{Tolerance: 0.005, Degree: 1}); s.Psi != nil || s.Reason != "no two points have an equal E within 0.5 %: a has 0.5, b has 0.495" {
		t.Errorf("%+v; want no psi", s)
	}
}

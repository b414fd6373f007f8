package measured

import (
	"math"
	"testing"
)

// climbing compares two systems of capacities 1 and 2, whose points have the value "E", with
// psi as for a speed-efficiency W/(T C).
func climbing(t *testing.T, a, b []Point, o Options) Step {
	t.Helper()
	r := &Result{Options: o, warned: make(map[string]bool)}
	m := &Metric{Holds: &held{Symbol: "E"}, computation: computation{
		value: valueOf("E"), capacity: processes,
		psi: func(from, to operation) (float64, error) {
			return to.capacity * from.work / (from.capacity * to.work), nil
		},
	}}
	systems := []*System{{Label: "b", Processes: 2, Points: b}, {Label: "a", Processes: 1, Points: a}} // in any order
	all, _ := r.climb(m, systems)
	if len(all) != 1 || all[0].From != "a" || all[0].To != "b" {
		t.Fatalf("%+v; want one step from the smaller system to the larger", all)
	}
	return all[0]
}

func pointOf(value, size, work, time float64) Point {
	return Point{Size: size, Work: &work, Time: time, values: map[string]float64{"E": value}}
}

// Values that grow by 0.1 with each doubling of the size: 0.2 to 0.4 for sizes of 1 to 4
// on the one, for 2 to 8 on the other. Both have the middle, 0.3, in the middle: at
// sizes of 2 and 4. With works of 10 and 30 for each unit of size and capacities of 1 and
// 2, psi is 2 20/(1 120) = 1/3, and T = W/(E C) is 20/0.3 and 120/0.6.
func TestStepAtEqualValuesOfTrendLines(t *testing.T) {
	var a, b []Point
	for k, size := range []float64{1, 2, 4} {
		value := 0.2 + 0.1*float64(k)
		a = append(a, pointOf(value, size, 10*size, 10*size/value))
		b = append(b, pointOf(value, 2*size, 60*size, 30*size/value))
	}
	s := climbing(t, a, b, Options{Tolerance: 0.02, Degree: 1})
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
	if s := climbing(t, a, b, Options{Efficiency: 0.5, Tolerance: 0.02, Degree: 1}); s.Psi != nil || s.Reason == "" {
		t.Errorf("no system reaches 0.5, but %+v", s)
	}
}

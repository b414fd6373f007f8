package chart

import (
	"slices"
	"testing"
)

func TestLogBase(t *testing.T) {
	for _, test := range []struct {
		name   string
		log    bool
		values []float64
		want   int
	}{
		{"linear", false, []float64{1, 2}, 0},
		{"sizes", true, []float64{8192, 64}, 2},
		{"three decades", true, []float64{1, 1000}, 2},
		{"more decades", true, []float64{1, 1001}, 10},
		{"fractions", true, []float64{0.5, 8}, 10},
		{"a speed among them", true, []float64{2, 7.5}, 10},
	} {
		a := Axis{Log: test.log}
		if got := logBase(a, test.values); got != test.want {
			t.Errorf("%s: base %d, expected %d", test.name, got, test.want)
		}
	}
}

// formOf is the interactive form of a chart.
func formOf(c Chart) *Interactive {
	i := &Interactive{}
	c.interactive(i)
	return i
}

// A square plot has the same limits and ticks both ways, so that y = x is at 45
// degrees.
func TestSquareScales(t *testing.T) {
	p := []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
	c := &LineChart{X: Axis{Title: "p", Unit: "1", Log: true}, Y: Axis{Title: "S", Unit: "1", Log: true}, Square: true,
		Series: []Series{{X: p, Y: []float64{1, 1.9, 3.6, 6, 9, 12, 14, 15, 15.5, 15.8, 15.9}}}}
	x, y := c.axes().scales(room{400, 400, 12})
	if x.Min != y.Min || x.Max != y.Max || !slices.Equal(x.Ticks, y.Ticks) {
		t.Errorf("x is %+v, y is %+v; expected the same", x, y)
	}
}

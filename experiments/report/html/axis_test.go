package html

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
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
		a := report.Axis{Log: test.log}
		if got := logBase(a, test.values); got != test.want {
			t.Errorf("%s: base %d, expected %d", test.name, got, test.want)
		}
	}
}

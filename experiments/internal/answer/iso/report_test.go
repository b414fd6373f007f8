package iso

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// At the target each system computes for a s and then delays for a s, see late. With 4 W
// under load and 2 W otherwise, A draws 4*1000 + 2*1000 = 6000 J for 1000 flop, and B
// twice as much for 8000 flop: 1/6 and 2/3 flop for each joule.
func TestEnergyAtTheTarget(t *testing.T) {
	powered := func(types ...units.Watts) *Result {
		s := late(machine1{1, 1000}, machine1{4, 2000})
		for i, load := range types {
			s.Machine.Types[i].Power, s.Machine.Types[i].WaitPower, s.Machine.Types[i].IdlePower = load, 2, 1
		}
		return mustIso(t, s)
	}
	r := powered(4, 4)
	section := r.energySection()
	expect.Need(t, section != nil, "no section")
	for i, want := range [][]float64{{6, 12}, {1. / 6, 2. / 3}} { // kJ, flop/J
		bars := section.Blocks[i].(*report.BarChart)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b }
		expect.That(t, slices.EqualFunc(bars.Series[0].Values, want, near),
			"%s: %v %s; want %v", bars.Title, bars.Series[0].Values, bars.Y.Unit, want)
	}
	for i, want := range []string{"The least is 6 kJ, on A (p = 1).", "The most is 0.6667 flop/J, on B (p = 1)."} {
		expect.Equal(t, section.Blocks[i].(*report.BarChart).Caption, want, "caption")
	}
	// 12 kJ on both, but for rounding.
	c := energyBars("e", "energy", "J", "least", []string{"A", "B", "C"}, []float64{12000 * (1 + 1e-14), 12000, 13000}, 12000)
	expect.Equal(t, c.Caption, "The least is 12 kJ, on A, B.", "ties")
	s := powered(4).energySection()
	expect.That(t, s == nil, "an energy section, but the power of a node is not known")
}

// The parts of the time of each system add up to it, and so do the bars: a s of
// computation and a s of delay, 2000 and 4000 s.
func TestTimesAtTheTargetAddUp(t *testing.T) {
	r := mustIso(t, late(machine1{1, 1000}, machine1{4, 2000}))
	bars := r.timeCharts()[0].(*report.BarChart)
	for k, want := range []float64{2000, 4000} {
		high := 0.0
		for _, part := range bars.Series {
			high += part.Values[k]
		}
		expect.That(t, math.Abs(high-want) <= 1e-9*want && math.Abs(bars.Series[0].Values[k]-want/2) <= 1e-9*want,
			"%s: a bar of %v s, of which %v s compute; want %v and half of it", bars.Categories[k], high,
			bars.Series[0].Values[k], want)
	}
}

// With E_s = n/(n + a C) and W = n, work W(C) = a C E/(1 - E) holds E. Here a C is
// 1000 at C = 1, 2000 at C = 2 and 8000 at C = 4, given out of order. For 0.5:
// 1000, 2000, 8000. For 0.375: 0.6 times that. For 0.625: 5/3 of it, within the sizes
// that are simulated, up to 1.8 times the solution. The prediction is exact for this
// algorithm, and the ideal line goes from W = 1000 at C = 1 to 4000 at C = 4.
func TestIsoefficiencyChart(t *testing.T) {
	s := late(machine1{1, 1000}, machine1{4, 2000}, machine1{2, 1000})
	s.Compare = &scenario.Comparison{Label: "published", Source: "a paper", N: map[string]int{"A": 1100, "B": 7000}}
	c := mustIso(t, s).isoefficiencyChart()
	mega := func(xs ...float64) []float64 {
		for i := range xs {
			xs[i] *= 1e-6
		}
		return xs
	}
	for _, want := range []struct {
		name     string
		x, y     []float64
		relative float64 // of y: interpolation between sizes 9 % of the solution apart
	}{
		{"0.5 simulated", mega(1, 2, 4), []float64{1000, 2000, 8000}, 0},
		{"0.5 predicted", mega(1, 2, 4), []float64{1000, 2000, 8000}, 0},
		{"0.5 published", mega(1, 4), []float64{1100, 7000}, 0},
		{"W in proportion to C", mega(1, 4), []float64{1000, 4000}, 1e-12},
		{"0.375", mega(1, 2, 4), []float64{600, 1200, 4800}, 0.01},
		{"0.625", mega(1, 2, 4), []float64{1000. / 0.6, 2000. / 0.6, 8000. / 0.6}, 0.01},
	} {
		i := slices.IndexFunc(c.Series, func(s report.Series) bool { return s.Name == want.name })
		expect.Need(t, i >= 0, "no series %q", want.name)
		got := c.Series[i]
		expect.That(t, near(got.X, want.x, 1e-9) && near(got.Y, want.y, want.relative),
			"%s: got %v, %v; want %v, %v within %g", want.name, got.X, got.Y, want.x, want.y, want.relative)
	}
	colour := func(name string) string {
		return c.Series[slices.IndexFunc(c.Series, func(s report.Series) bool { return s.Name == name })].Colour
	}
	a, b := colour("0.5 simulated"), colour("0.5 published")
	expect.That(t, a != "" && a == b, "simulated and published have the colours %q and %q; want the same", a, b)
}

func near(got, want []float64, relative float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= relative*b })
}

func TestNoIsoefficiencyChartOfEqualMarkedSpeeds(t *testing.T) {
	c := mustIso(t, late(machine1{1, 1000})).isoefficiencyChart()
	expect.That(t, c == nil, "one system has an isoefficiency chart: %v", c)
}

package iso

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
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
	if section == nil {
		t.Fatal("no section")
	}
	for i, want := range [][]float64{{6, 12}, {1. / 6, 2. / 3}} { // kJ, flop/J
		bars := section.Blocks[i].(*report.BarChart)
		if !slices.EqualFunc(bars.Series[0].Values, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b }) {
			t.Errorf("%s: %v %s; want %v", bars.Title, bars.Series[0].Values, bars.Y.Unit, want)
		}
	}
	for i, want := range []string{"The least is 6 kJ, on A (p = 1).", "The most is 0.6667 flop/J, on B (p = 1)."} {
		if got := section.Blocks[i].(*report.BarChart).Caption; got != want {
			t.Errorf("caption %q; want %q", got, want)
		}
	}
	if s := powered(4).energySection(); s != nil {
		t.Error("an energy section, but the power of a node is not known")
	}
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
		if math.Abs(high-want) > 1e-9*want || math.Abs(bars.Series[0].Values[k]-want/2) > 1e-9*want {
			t.Errorf("%s: a bar of %v s, of which %v s compute; want %v and half of it", bars.Categories[k], high, bars.Series[0].Values[k], want)
		}
	}
}

package measured

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
)

// Each chart of weak scaling has eleven points with whiskers, and the law has a band.
func TestChartsOfWeakScaling(t *testing.T) {
	text := expect.Value(os.ReadFile("../../../../examples/weak-scaling.csv"))(t)
	sections := metricsOf(t, string(text)).charts()
	expect.Need(t, len(sections) == 1 && len(sections[0].Blocks) == 3,
		"%d sections, want weak scaling alone, with three charts", len(sections))
	for _, b := range sections[0].Blocks {
		s := b.(*report.LineChart).Series[0]
		expect.That(t, len(s.X) == 11 && len(s.Low) == 11 && s.X[10] == 1024,
			"%s: %d points with %d whiskers", b.(*report.LineChart).Title, len(s.X), len(s.Low))
		for k := range s.Y {
			expect.That(t, s.Low[k] < s.Y[k] && s.Y[k] < s.High[k],
				"whisker from %g to %g around %g", s.Low[k], s.High[k], s.Y[k])
		}
	}
	times := sections[0].Blocks[0].(*report.LineChart)
	expect.That(t, len(times.Bands) == 1 && len(times.Bands[0].X) == 11,
		"bands %+v, want that of Gustafson's law at eleven points", times.Bands)
}

// Sizes that were measured once give no curves of one point, and are counted.
func TestNoCurvesOfOnePoint(t *testing.T) {
	r := metricsOf(t, "processes,n,time [s]\n1,10,8\n2,10,5\n1,20,40\n4,30,25\n")
	s := r.charts()[0]
	for _, b := range s.Blocks {
		c := b.(*report.LineChart)
		for _, x := range c.Series {
			expect.That(t, len(x.X) >= 2, "%s: %s has %d points", c.Title, x.Name, len(x.X))
		}
	}
	expect.Says(t, strings.Join(s.Text, " "), "2 times of sizes")
}

// Speedups relative to 4 processes have an ideal of 1 on 4 and 4 on 16 processes.
func TestIdealOfRelativeSpeedups(t *testing.T) {
	r := metricsOf(t, "processes,time [s]\n4,40\n8,25\n16,20\n", func(o *Options) { o.Baseline = BaselineSmallest })
	expect.Success(t, r.Report().Check())
	chart := r.charts()[0].Blocks[0].(*report.LineChart)
	ideal := chart.Series[len(chart.Series)-1]
	expect.That(t, ideal.Name == "ideal" && fmt.Sprint(ideal.X, ideal.Y) == "[4 8 16] [1 2 4]", "ideal %+v", ideal)
}

// Two runs on one process draw 100 and 120 J in 10 s, one on two 130 J in 6 s: 110 and
// 130 J, and with the time 1100 and 780 J s. At 36 EUR an hour they cost 0.1 and 0.06 EUR.
func TestBillsOfMeasuredRuns(t *testing.T) {
	r := metricsOf(t, "processes,n,time [s],energy [J],cost [EUR/h]\n1,100,10,100,36\n1,100,10,120,36\n2,100,6,130,36\n")
	sections := r.bills()
	expect.Need(t, len(sections) == 1 && len(sections[0].Blocks) == 3,
		"%+v; want one section of three charts", sections)
	for i, want := range []struct {
		unit    string
		values  []float64
		caption string
	}{
		{"EUR", []float64{0.1, 0.06}, "The least is 0.06 EUR on 2 processes."},
		{"J", []float64{110, 130}, "The least is 110 J on 1 process."},
		{"kJ s", []float64{1.1, 0.78}, "The least is 0.78 kJ s on 2 processes."},
	} {
		c := sections[0].Blocks[i].(*report.LineChart)
		expect.That(t, c.Y.Unit == want.unit && c.Caption == want.caption && near(c.Series[0].Y, want.values, 1e-12) &&
			slices.Equal(c.Series[0].X, []float64{1, 2}),
			"%s: %v %s over %v, %q; want %v %s, %q", c.Title, c.Series[0].Y, c.Y.Unit, c.Series[0].X, c.Caption, want.values, want.unit, want.caption)
	}
	s := metricsOf(t, "processes,n,time [s]\n1,100,10\n2,100,6\n").bills()
	expect.That(t, s == nil, "times alone have sections %+v", s)
}

func near(got, want []float64, relative float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return a-b <= relative*b && b-a <= relative*b })
}

// Five runs of 9, 10, 10, 10 and 11 s have a mean of 10 s: a fifth takes at most 90 % of it, four fifths at most 100 %,
// all at most 110 %. Two runs give no distribution.
func TestRepeatedRunsHaveADistribution(t *testing.T) {
	r := metricsOf(t, "processes,n,time [s]\n1,100,10\n1,100,11\n1,100,10\n1,100,9\n1,100,10\n2,100,6\n2,100,7\n")
	sections := r.repetitions()
	expect.Need(t, len(sections) == 1, "no section")
	c := sections[0].Blocks[0].(*report.LineChart)
	expect.That(t, len(c.Series) == 1 && near(c.Series[0].X, []float64{90, 90, 100, 100, 110, 110}, 1e-12) &&
		near(c.Series[0].Y, []float64{0, 20, 20, 80, 80, 100}, 1e-12),
		"curves %+v; want one with steps at 90, 100 and 110 %%", c.Series)
	expect.Equal(t, c.Caption,
		"The widest is p=1, n = 100: its 5 runs take from 90 % to 110 % of their mean.", "caption")
	got := r.Systems[0].Points[0].Times
	expect.That(t, slices.Equal(got, []float64{9, 10, 10, 10, 11}), "times %v; want all, ascending", got)
	few := metricsOf(t, "processes,n,time [s]\n1,100,10\n1,100,11\n")
	s := few.repetitions()
	expect.That(t, s == nil, "two runs have a distribution")
}

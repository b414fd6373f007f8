package measuredreport

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/report"
)

// Each chart of weak scaling has eleven points with whiskers, and the law has a band.
func TestChartsOfWeakScaling(t *testing.T) {
	text, err := os.ReadFile("../../../../examples/weak-scaling.csv")
	if err != nil {
		t.Fatal(err)
	}
	sections := answerOf(t, string(text)).curves()
	if len(sections) != 1 || len(sections[0].Blocks) != 3 {
		t.Fatalf("%d sections, want weak scaling alone, with three charts", len(sections))
	}
	for _, b := range sections[0].Blocks {
		s := b.(*report.LineChart).Series[0]
		if len(s.X) != 11 || len(s.Low) != 11 || s.X[10] != 1024 {
			t.Errorf("%s: %d points with %d whiskers", b.(*report.LineChart).Title, len(s.X), len(s.Low))
		}
		for k := range s.Y {
			if !(s.Low[k] < s.Y[k] && s.Y[k] < s.High[k]) {
				t.Errorf("whisker from %g to %g around %g", s.Low[k], s.High[k], s.Y[k])
			}
		}
	}
	if times := sections[0].Blocks[0].(*report.LineChart); len(times.Bands) != 1 || len(times.Bands[0].X) != 11 {
		t.Errorf("bands %+v, want that of Gustafson's law at eleven points", times.Bands)
	}
}

// Sizes that were measured once make no curves of one point, and are counted.
func TestNoCurvesOfOnePoint(t *testing.T) {
	r := answerOf(t, "processes,n,time [s]\n1,10,8\n2,10,5\n1,20,40\n4,30,25\n")
	s := r.curves()[0]
	for _, b := range s.Blocks {
		c := b.(*report.LineChart)
		for _, x := range c.Series {
			if len(x.X) < 2 {
				t.Errorf("%s: %s has %d points", c.Title, x.Name, len(x.X))
			}
		}
	}
	if text := strings.Join(s.Text, " "); !strings.Contains(text, "2 times of sizes") {
		t.Errorf("%q does not say that 2 times are left out", text)
	}
}

// Speedups relative to 4 processes have an ideal of 1 on 4 and 4 on 16 processes.
func TestIdealOfRelativeSpeedups(t *testing.T) {
	r := answerOf(t, "processes,time [s]\n4,40\n8,25\n16,20\n", func(o *measured.Options) { o.Baseline = measured.BaselineSmallest })
	if err := r.Report().Check(); err != nil {
		t.Error(err)
	}
	chart := r.curves()[0].Blocks[1].(*report.LineChart)
	ideal := chart.Series[len(chart.Series)-1]
	if ideal.Name != "ideal" || fmt.Sprint(ideal.X, ideal.Y) != "[4 8 16] [1 2 4]" {
		t.Errorf("ideal %+v", ideal)
	}
}

// T = 3 n/p + 2 n is a model over processes and size without error, so each of the 25
// times lies on the line of equal values.
func TestModelledTimesOverMeasured(t *testing.T) {
	var b strings.Builder
	b.WriteString("processes,n,time [s]\n")
	for _, p := range []float64{1, 2, 4, 8, 16} {
		for _, n := range []float64{1, 2, 4, 8, 16} {
			fmt.Fprintf(&b, "%g,%g,%.17g\n", p, n, 3*n/p+2*n)
		}
	}
	r := answerOf(t, b.String())
	if err := r.Report().Check(); err != nil {
		t.Error(err)
	}
	pairs := 0
	for _, s := range r.Models[len(r.Models)-1].Blocks()[1].(*report.LineChart).Series {
		for k := range s.X {
			if math.Abs(s.Y[k]-s.X[k]) > 1e-6*s.X[k] {
				t.Errorf("%s: %v modelled over %v measured", s.Name, s.Y[k], s.X[k])
			}
			pairs++
		}
	}
	if pairs != 25+2 { // with the ends of the line
		t.Errorf("%d points; want 25 and the ends of the line", pairs)
	}
}

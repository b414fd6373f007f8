package measuredreport

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// weakScaling has the charts of problems that grow as the processes do: time, efficiency,
// scaled speedup, with Gustafson's law where it was fitted and holds. It is empty if
// there are none.
func (r Answer) weakScaling() []report.Section {
	curves := r.weak()
	if len(curves) == 0 {
		return nil
	}
	times, shown := timesOver("Time over processes, work proportional to them", curves)
	// With V the speed, W/T, and p0 the fewest processes of a curve.
	efficiencies := over("Weak scaling efficiency", "efficiency", report.Dimensionless, curves, func(at measurement) (reading, bool) {
		return ofTime(at, func(t float64) float64 { return *at.point.Work / t / float64(at.system.Processes) }), true
	})
	speedups := over("Scaled speedup", "scaled speedup", report.Dimensionless, curves, func(at measurement) (reading, bool) {
		return ofTime(at, func(t float64) float64 { return *at.point.Work / t }), true
	})
	p0 := float64(curves[0].points[0].system.Processes)
	same := true // all curves begin on p0 processes
	for i := range speedups.Series {
		first := curves[i].points[0]
		same = same && float64(first.system.Processes) == p0
		speed := *first.point.Work / first.point.Time
		divide(&speedups.Series[i], speed)
		divide(&efficiencies.Series[i], speed/float64(first.system.Processes))
	}
	efficiencies.Targets = []report.Target{{Label: "ideal", Y: 1}}
	speedups.Y.Log, speedups.Square = true, true
	if same {
		var processes []float64
		for _, s := range speedups.Series {
			processes = append(processes, s.X...)
		}
		speedups.Series = append(speedups.Series, idealSpeedup(distinctSorted(processes), p0))
	}
	for i := range r.Fits {
		if f := &r.Fits[i]; f.Chain != nil && f.Fitted.Sound {
			drawLaw(f, times, speedups, shown)
		}
	}
	return []report.Section{{
		Heading: "Weak scaling",
		Text: []string{fmt.Sprintf("The work for each process is the same within %g %%. Ideal: the time of the fewest processes, an efficiency of 1. "+
			"The efficiency is the speed of a process over that on the fewest processes, the scaled speedup the speed of all over it.", 100*measured.SameWorkEach)},
		Blocks: []report.Block{times, efficiencies, speedups},
	}}
}

// divide makes a series relative to a value.
func divide(s *report.Series, by float64) {
	for _, values := range [][]float64{s.Y, s.Low, s.High} {
		for k := range values {
			values[k] /= by
		}
	}
}

// drawLaw adds Gustafson's law V = V_1 (f + (1 - f) p) to the charts of its curve, as the time
// w p/V for the work w of each process, with the band that one more time is in, and as the
// scaled speedup V/V_1.
func drawLaw(f *measured.Fit, times, speedups *report.LineChart, shown page.Scale) {
	name := f.Chain.Name
	at := -1
	for i, s := range times.Series {
		if s.Name == name {
			at = i
		}
	}
	if at < 0 {
		return // beyond the curves that are shown
	}
	law := report.Series{Name: fmt.Sprintf("Gustafson, f = %.3g, for %s", f.SerialFraction, name), Plain: true, Colour: name}
	speedup := law
	band := report.Band{Name: fmt.Sprintf("95 %% interval of f = %.3g", f.SerialFraction), Colour: name}
	single := f.Fitted.At(1)
	for _, p := range times.Series[at].X {
		time := func(speed float64) float64 { return f.Chain.Work * p / speed * shown.Factor }
		law.X, law.Y = append(law.X, p), append(law.Y, time(f.Fitted.At(p)))
		speedup.X, speedup.Y = append(speedup.X, p), append(speedup.Y, f.Fitted.At(p)/single)
		if b, err := f.Fitted.Band(p, 0.95); err == nil && b.Prediction[0] > 0 {
			band.X = append(band.X, p)
			band.Low, band.High = append(band.Low, time(b.Prediction[1])), append(band.High, time(b.Prediction[0]))
		}
	}
	times.Series[at].Points, speedups.Series[at].Points = true, true // the line is that of the law
	times.Series, speedups.Series = append(times.Series, law), append(speedups.Series, speedup)
	if len(band.X) > 1 {
		times.Bands = append(times.Bands, band)
	}
}

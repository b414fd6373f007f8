package measuredreport

import (
	"cmp"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// strongScaling has the charts of sizes that were measured on several numbers of
// processes: time, speedup, efficiency, serial fraction. It is empty if there are none.
func (r Answer) strongScaling() []report.Section {
	curves, alone := r.strong()
	if len(curves) == 0 {
		return nil
	}
	times, shown := timesOver("Time over processes", curves)
	times.Y.Log = true
	first := curves[0].points[0]
	ideal := report.Series{Name: "ideal", Ideal: true, Plain: true}
	if len(curves) > 1 {
		ideal.Name += " for " + curves[0].name
	}
	for _, at := range curves[0].points {
		x := float64(at.system.Processes)
		if y := first.point.Time * shown.Factor * float64(first.system.Processes) / x; y >= leastShown {
			ideal.X, ideal.Y = append(ideal.X, x), append(ideal.Y, y)
		}
	}
	times.Series = append(times.Series, ideal)
	s := report.Section{
		Heading: "Speedup and efficiency",
		Text:    []string{cmp.Or(input.Capitalized(r.Relative()), "Speedup is the sequential time of the same problem over the time in parallel, efficiency the speedup for each process") + "."},
		Blocks:  []report.Block{times},
	}
	if alone > 0 {
		s.Text = append(s.Text, fmt.Sprintf("%s of sizes that were measured on one number of processes only are in the table of points.", input.Plural(alone, "time")))
	}
	for _, c := range []*report.LineChart{speedups(curves), efficiencies(curves), serialFractions(curves)} {
		if len(c.Series) > 0 {
			s.Blocks = append(s.Blocks, c)
		}
	}
	return []report.Section{s}
}

// relativeTo is what a speedup is relative to; false without a speedup.
func relativeTo(at measurement) (processes int, time float64, ok bool) {
	if !shown(at.point.Value("speedup")) {
		return 0, 0, false
	}
	return at.point.Base()
}

// speedups has the ideal line where all speedups are relative to one number of
// processes.
func speedups(curves []curve) *report.LineChart {
	var baselines, processes []float64
	c := over("Speedup over processes", "speedup", report.Dimensionless, curves, func(at measurement) (reading, bool) {
		base, time, ok := relativeTo(at)
		if !ok {
			return reading{}, false
		}
		baselines = append(baselines, float64(base))
		processes = append(processes, float64(at.system.Processes))
		return ofTime(at, func(t float64) float64 { return time / t }), true
	})
	if len(c.Series) == 0 {
		return c
	}
	c.Y.Log, c.Square = true, true
	if baselines = distinctSorted(baselines); len(baselines) == 1 {
		c.Series = append(c.Series, idealSpeedup(distinctSorted(processes), baselines[0]))
	}
	return c
}

// idealSpeedup is p/p0.
func idealSpeedup(processes []float64, p0 float64) report.Series {
	ideal := report.Series{Name: "ideal", Ideal: true, Plain: true}
	for _, p := range processes {
		ideal.X, ideal.Y = append(ideal.X, p), append(ideal.Y, p/p0)
	}
	return ideal
}

func efficiencies(curves []curve) *report.LineChart {
	c := over("Efficiency over processes", "efficiency", report.Dimensionless, curves, func(at measurement) (reading, bool) {
		base, time, ok := relativeTo(at)
		if !ok {
			return reading{}, false
		}
		more := float64(at.system.Processes) / float64(base)
		return ofTime(at, func(t float64) float64 { return time / t / more }), true
	})
	c.Targets = []report.Target{{Label: "ideal", Y: 1}}
	return c
}

// serialFractions has no whiskers: near one process they would be the whole chart.
func serialFractions(curves []curve) *report.LineChart {
	c := over("Serial fraction over processes", "Karp-Flatt serial fraction", report.Dimensionless, curves, func(at measurement) (reading, bool) {
		e := at.point.Value("karp_flatt")
		if e == nil {
			return reading{}, false
		}
		return reading{*e, *e, *e}, true
	})
	for i := range c.Series {
		c.Series[i].Low, c.Series[i].High = nil, nil
	}
	c.Caption = "Level: sequential work. Growing: overhead that grows with the processes."
	return c
}

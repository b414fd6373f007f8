package measuredreport

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// A curve is what one named system measured over processes: of one size (strong scaling)
// or of one work for each process (weak scaling). It has two points or more.
type curve struct {
	name   string
	points []measurement // in the order of processes
}

// A measurement is a point with its system.
type measurement struct {
	system *measured.System
	point  *measured.Point
}

// mostCurves is how many curves a chart shows; more cannot be told apart.
const mostCurves = 8

// strong returns the curves of one size, and how many points are of sizes that were
// measured on one number of processes.
func (r Answer) strong() (curves []curve, alone int) {
	type problem struct {
		system string
		size   float64
	}
	index := make(map[problem]int)
	for s, p := range r.Points() {
		id := problem{s.System, p.Size}
		n, known := index[id]
		if !known {
			n = len(curves)
			index[id] = n
			curves = append(curves, curve{name: cmp.Or(r.ModelName(s.System, p.Size), "measured")})
		}
		curves[n].points = append(curves[n].points, measurement{s, p})
	}
	return slices.DeleteFunc(curves, func(c curve) bool {
		if len(c.points) == 1 {
			alone++
		}
		return len(c.points) == 1
	}), alone
}

// fewestWeak is the least number of processes of a weak scaling curve: any two points
// of a study over size and processes may happen to have one work for each process.
const fewestWeak = 3

// weak returns the curves of one work for each process.
func (r Answer) weak() []curve {
	var curves []curve
	for _, chain := range r.Chains() {
		c := curve{name: chain.Name}
		for s, p := range chain.Points() {
			c.points = append(c.points, measurement{s, p})
		}
		if len(c.points) >= fewestWeak {
			curves = append(curves, c)
		}
	}
	return curves
}

// A reading is a quantity at a place, with what it is for the fastest and the slowest
// run. Both are the value itself after a single run.
type reading struct{ value, low, high float64 }

// ofTime reads a quantity that follows from the time at a place.
func ofTime(at measurement, of func(time float64) float64) reading {
	p := at.point
	a, b := of(p.Min), of(p.Max)
	v := of(p.Time)
	return reading{v, min(a, b, v), max(a, b, v)}
}

// over draws a quantity of curves over processes. Values that of does not have are left
// out, and so are curves that keep fewer than two. Whiskers are from the fastest to the
// slowest run, where some point has several.
func over(title, name, unit string, curves []curve, of func(at measurement) (reading, bool)) *report.LineChart {
	c := &report.LineChart{
		Title: title,
		X:     report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true},
		Y:     report.Axis{Title: name, Unit: unit},
	}
	for _, x := range curves {
		s := report.Series{Name: x.name, Colour: x.name}
		repeated := false
		for _, at := range x.points {
			y, ok := of(at)
			if !ok || math.IsNaN(y.low) || math.IsInf(y.high, 0) || math.Abs(y.high) > 1e30 {
				continue
			}
			s.X, s.Y = append(s.X, float64(at.system.Processes)), append(s.Y, y.value)
			s.Low, s.High = append(s.Low, y.low), append(s.High, y.high)
			repeated = repeated || at.point.Runs > 1
		}
		if !repeated {
			s.Low, s.High = nil, nil
		}
		if len(s.X) > 1 {
			c.Series = append(c.Series, s)
		}
	}
	if n := len(c.Series); n > mostCurves {
		least := make([]float64, n)
		for k, s := range c.Series {
			least[k] = slices.Min(s.Y)
		}
		few := chart.Few(n, mostCurves, chart.Ends(least)...)
		for k, i := range few {
			c.Series[k] = c.Series[i]
		}
		c.Series = c.Series[:len(few)]
		c.Caption = fmt.Sprintf("%d of %d curves are shown, those with the smallest and the largest value at their lowest among them; all are in the table of points.", len(few), n)
	}
	if slices.ContainsFunc(c.Series, func(s report.Series) bool { return s.Low != nil }) {
		c.Caption = strings.TrimSpace("Whiskers: the fastest and the slowest run. " + c.Caption)
	}
	return c
}

// timesOver draws the times of curves, in a unit that suits them.
func timesOver(title string, curves []curve) (c *report.LineChart, shown page.Scale) {
	var times []float64
	for _, x := range curves {
		for _, at := range x.points {
			times = append(times, at.point.Time)
		}
	}
	shown = page.Display("s", times...)
	return over(title, "time", shown.Unit, curves, func(at measurement) (reading, bool) {
		return ofTime(at, func(t float64) float64 { return t * shown.Factor }), at.point.Min*shown.Factor >= leastShown
	}), shown
}

package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// A curve is what one named system measured over processes: at one size (strong scaling) or at one work per process
// (weak scaling).
type curve struct {
	name   string
	size   float64 // strong scaling
	work   float64 // weak scaling: per process, at the point on the fewest processes
	places []place // in the order of processes
}

func (c curve) system() string { return c.places[0].system.System }

const (
	// mostCurves is how many curves a chart shows; more cannot be told apart.
	mostCurves = 8
	// sameWorkEach is the relative difference up to which the work per process counts as that on the fewest processes.
	sameWorkEach = 0.02
	// fewestWeak is the least number of processes of a weak scaling curve in a chart: any two points of a study over
	// size and processes may happen to have the same work per process.
	fewestWeak = 3
	// leastShown is the least value of a logarithmic axis.
	leastShown = 1e-9
)

// shown reports whether a chart can show a value.
func shown(v float64) bool { return v >= leastShown && v <= 1e30 }

// strong returns the curves of all systems and sizes, in the order of points, and the number of points whose sizes were
// measured on only one number of processes.
func (r *Result) strong() (curves []curve, alone int) {
	curves = slices.Concat(each.Of(r.byName(), r.strongOf)...)
	all := len(curves)
	curves = slices.DeleteFunc(curves, func(c curve) bool { return len(c.places) == 1 })
	return curves, all - len(curves)
}

// strongOf returns a curve for each size of a named system, possibly with one point.
func (r *Result) strongOf(systems []System) []curve {
	var curves []curve
	index := make(map[float64]int)
	for i := range systems {
		s := &systems[i]
		for k := range s.Points {
			p := &s.Points[k]
			n, known := index[p.Size]
			if !known {
				n = len(curves)
				index[p.Size] = n
				curves = append(curves, curve{name: cmp.Or(r.modelName(s.System, p.Size), "measured"), size: p.Size})
			}
			curves[n].places = append(curves[n].places, place{r, s, p})
		}
	}
	return curves
}

// weak returns the curves of equal work per process of all systems.
func (r *Result) weak() []curve {
	all := slices.Concat(each.Of(r.byName(), r.weakOf)...)
	return slices.DeleteFunc(all, func(c curve) bool { return len(c.places) < fewestWeak })
}

// weakOf returns a curve for each point on the fewest processes of a named system: the points with the same work per
// process, possibly only one.
func (r *Result) weakOf(systems []System) []curve {
	// The points of each system by their work per process.
	type share struct {
		work  float64
		point *Point
	}
	shares := make([][]share, len(systems))
	for i, s := range systems {
		for k := range s.Points {
			if p := &s.Points[k]; p.Work > 0 {
				shares[i] = append(shares[i], share{p.Work / float64(s.Processes), p})
			}
		}
		slices.SortStableFunc(shares[i], func(a, b share) int { return cmp.Compare(a.work, b.work) })
	}
	var curves []curve
	for _, base := range shares[0] {
		c := curve{
			name:   strings.TrimPrefix(systems[0].System+", "+units.Flops(base.work).String()+" a process", ", "),
			work:   base.work,
			places: []place{{r, &systems[0], base.point}},
		}
		for i := 1; i < len(systems); i++ {
			all := shares[i]
			byWork := func(s share, w float64) int { return cmp.Compare(s.work, w) }
			k, _ := slices.BinarySearchFunc(all, base.work, byWork)
			nearest, off := -1, sameWorkEach
			for j := max(k-1, 0); j <= k && j < len(all); j++ {
				if d := math.Abs(all[j].work/base.work - 1); d <= off {
					nearest, off = j, d
				}
			}
			if nearest >= 0 {
				c.places = append(c.places, place{r, &systems[i], all[nearest].point})
			}
		}
		curves = append(curves, c)
	}
	return curves
}

// over draws a quantity of curves over processes, computed at each place from a time.
func over(title, name, unit string, curves []curve, of func(at place, time float64) float64) *report.LineChart {
	c := &report.LineChart{
		Title: title,
		X:     report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true},
		Y:     report.Axis{Title: name, Unit: unit},
	}
	draw(c, curves, func(at place) float64 { return processes(at.system) }, of)
	return c
}

// draw adds a quantity of curves to a chart, computed at each place from a time. Values that are NaN are left out, and
// so are curves with fewer than two values left. Whiskers range from the fastest to the slowest run, where some differ.
func draw(c *report.LineChart, curves []curve, x func(place) float64, of func(at place, time float64) float64) {
	for _, curve := range curves {
		s := report.Series{Name: curve.name, Colour: curve.name}
		for _, at := range curve.places {
			v, a, b := of(at, at.point.Time), of(at, at.point.Min), of(at, at.point.Max)
			low, high := min(a, b, v), max(a, b, v)
			if math.IsNaN(low) || math.Abs(high) > 1e30 {
				continue
			}
			s.X, s.Y = append(s.X, x(at)), append(s.Y, v)
			s.Low, s.High = append(s.Low, low), append(s.High, high)
		}
		if slices.Equal(s.Low, s.High) {
			s.Low, s.High = nil, nil
		}
		if len(s.X) > 1 {
			c.Series = append(c.Series, s)
		}
	}
	if n := len(c.Series); n > mostCurves {
		least := each.Of(c.Series, func(s report.Series) float64 { return slices.Min(s.Y) })
		few := chart.Few(n, mostCurves, chart.Ends(least)...)
		for k, i := range few {
			c.Series[k] = c.Series[i]
		}
		c.Series = c.Series[:len(few)]
		c.Caption = fmt.Sprintf("%d of %d curves are shown, those with the smallest and the largest value at their lowest among them; "+
			"all are in the table of points.", len(few), n)
	}
	if slices.ContainsFunc(c.Series, func(s report.Series) bool { return s.Low != nil }) {
		c.Caption = strings.TrimSpace("Whiskers: the fastest and the slowest run. " + c.Caption)
	}
}

// timesOver draws the times of curves, in a unit that suits them.
func timesOver(title string, curves []curve) (c *report.LineChart, shown page.Scale) {
	var times []float64
	for _, c := range curves {
		times = each.Append(times, c.places, func(at place) float64 { return at.point.Time })
	}
	shown = page.Display("s", times...)
	return over(title, "time", shown.Unit, curves, func(at place, t float64) float64 {
		if at.point.Min*shown.Factor < leastShown {
			return math.NaN()
		}
		return t * shown.Factor
	}), shown
}

// idealSpeedup is p/p0 on numbers of processes, which may repeat.
func idealSpeedup(processes []float64, p0 float64) report.Series {
	ideal := report.Series{Name: "ideal", Ideal: true, Plain: true}
	slices.Sort(processes)
	ideal.X = slices.Compact(processes)
	ideal.Y = each.Append(ideal.Y, ideal.X, func(p float64) float64 { return p / p0 })
	return ideal
}

package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// charts returns the charts over processes, over size, and of repeated runs, as far as there is something to show.
func (r *Result) charts() []report.Section {
	sections := append(r.strongScaling(), r.weakScaling()...)
	if c := r.speedEfficiencyChart(); len(c.Series) > 0 {
		sections = append(sections, report.Section{
			Heading: "Speed-efficiency",
			Text:    []string{"The share of the marked speed that was achieved. Where it is the same on two systems, psi compares them."},
			Blocks:  []report.Block{c},
		})
	}
	return slices.Concat(sections, r.bills(), r.repetitions())
}

// strongScaling returns the charts of sizes measured on several numbers of processes: speedup, which comes first, time,
// efficiency, serial fraction. It is empty if there are none.
func (r *Result) strongScaling() []report.Section {
	curves, alone := r.strong()
	if len(curves) == 0 {
		return nil
	}
	times, shown := timesOver("Time over processes", curves)
	times.Y.Log = true
	first := curves[0].places[0]
	ideal := report.Series{Name: "ideal", Ideal: true, Plain: true}
	if len(curves) > 1 {
		ideal.Name += " for " + curves[0].name
	}
	for _, at := range curves[0].places {
		x := processes(at.system)
		if y := first.point.Time * shown.Factor * processes(first.system) / x; y >= leastShown {
			ideal.X, ideal.Y = append(ideal.X, x), append(ideal.Y, y)
		}
	}
	times.Series = append(times.Series, ideal)
	s := report.Section{
		Heading: "Speedup and efficiency",
		Text: []string{cmp.Or(input.Capitalized(r.relative()),
			"Speedup is the sequential time of the same problem over the parallel time, efficiency the speedup per process") + "."},
	}
	if alone > 0 {
		s.Text = append(s.Text, input.Plural(alone, "time")+
			" of sizes measured on only one number of processes are in the table of points.")
	}
	for _, c := range []*report.LineChart{speedups(curves), times, efficiencies(curves), serialFractions(curves)} {
		if len(c.Series) > 0 {
			s.Blocks = append(s.Blocks, c)
		}
	}
	return []report.Section{s}
}

// speedups adds the ideal line if all speedups are relative to the same number of processes.
func speedups(curves []curve) *report.LineChart {
	baselines := make(map[int]bool)
	var on []float64
	c := over("Speedup over processes", "speedup", report.Dimensionless, curves, func(at place, t float64) float64 {
		if !shown(at.point.Value("speedup")) {
			return math.NaN()
		}
		baselines[at.point.baseline.processes] = true
		on = append(on, processes(at.system))
		return float64(at.point.baseline.time) / t
	})
	if len(c.Series) == 0 {
		return c
	}
	c.Y.Log, c.Square = true, true
	if len(baselines) == 1 {
		for p0 := range baselines {
			c.Series = append(c.Series, idealSpeedup(on, float64(p0)))
		}
	}
	return c
}

func efficiencies(curves []curve) *report.LineChart {
	of := func(at place, t float64) float64 {
		if !shown(at.point.Value("speedup")) {
			return math.NaN()
		}
		return float64(at.point.baseline.time) / t / at.ratio()
	}
	c := over("Efficiency over processes", "efficiency", report.Dimensionless, curves, of)
	c.Targets = []report.Target{{Label: "ideal", Y: 1}}
	return c
}

// serialFractions draws no whiskers: near one process they would fill the whole chart.
func serialFractions(curves []curve) *report.LineChart {
	of := func(at place, _ float64) float64 { return at.point.Value("karp_flatt") }
	c := over("Serial fraction over processes", "Karp-Flatt serial fraction", report.Dimensionless, curves, of)
	c.Caption = "Level: sequential work. Growing: overhead that grows with the processes."
	return c
}

// weakScaling returns the charts of problems that grow with the processes: time, efficiency, scaled speedup, with
// Gustafson's law where it was fitted and holds. It is empty if there are none.
func (r *Result) weakScaling() []report.Section {
	curves := r.weak()
	if len(curves) == 0 {
		return nil
	}
	times, shown := timesOver("Time over processes, work proportional to them", curves)
	// With V the speed, W/T, and p0 the fewest processes of a curve.
	efficiencies := over("Weak scaling efficiency", "efficiency", report.Dimensionless, curves,
		func(at place, t float64) float64 { return at.point.Work / t / processes(at.system) })
	speedups := over("Scaled speedup", "scaled speedup", report.Dimensionless, curves,
		func(at place, t float64) float64 { return at.point.Work / t })
	p0 := processes(curves[0].places[0].system)
	same := true // all curves begin on p0 processes
	for i := range speedups.Series {
		first := curves[i].places[0]
		same = same && processes(first.system) == p0
		speed := first.point.Work / first.point.Time
		divide(&speedups.Series[i], speed)
		divide(&efficiencies.Series[i], speed/processes(first.system))
	}
	efficiencies.Targets = []report.Target{{Label: "ideal", Y: 1}}
	speedups.Y.Log, speedups.Square = true, true
	if same {
		on := slices.Concat(each.Of(speedups.Series, func(s report.Series) []float64 { return s.X })...)
		speedups.Series = append(speedups.Series, idealSpeedup(on, p0))
	}
	for i := range r.Fits {
		if f := &r.Fits[i]; f.weak != nil && f.fitted.Sound {
			drawLaw(f, times, speedups, shown)
		}
	}
	return []report.Section{{
		Heading: "Weak scaling",
		Text: []string{fmt.Sprintf("The work per process is the same within %g %%. Ideal: the time on the fewest "+
			"processes, an efficiency of 1. The efficiency is the speed per process over that on the fewest "+
			"processes, the scaled speedup the speed of all processes over it.", 100*sameWorkEach)},
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

// drawLaw adds Gustafson's law V = V_1 (f + (1 - f) p) to the charts of its curve: as the time w p/V for the work w of
// each process, with the band for one more point, and as the scaled speedup V/V_1.
func drawLaw(f *Fit, times, speedups *report.LineChart, shown page.Scale) {
	name := f.weak.name
	at := slices.IndexFunc(times.Series, func(s report.Series) bool { return s.Name == name })
	if at < 0 {
		return // not among the curves shown
	}
	title := fmt.Sprintf("Gustafson, f = %.3g, for %s", f.SerialFraction, name)
	law := report.Series{Name: title, Plain: true, Colour: name}
	speedup := law
	band := report.Band{Name: fmt.Sprintf("95 %% interval of f = %.3g", f.SerialFraction), Colour: name}
	single := f.fitted.At(1)
	for _, p := range times.Series[at].X {
		time := func(speed float64) float64 { return f.weak.work * p / speed * shown.Factor }
		law.X, law.Y = append(law.X, p), append(law.Y, time(f.fitted.At(p)))
		speedup.X, speedup.Y = append(speedup.X, p), append(speedup.Y, f.fitted.At(p)/single)
		if b, err := f.fitted.Band(p, 0.95); err == nil && b.Prediction[0] > 0 {
			band.X = append(band.X, p)
			band.Low, band.High = append(band.Low, time(b.Prediction[1])), append(band.High, time(b.Prediction[0]))
		}
	}
	times.Series[at].Points, speedups.Series[at].Points = true, true // only the law has a line
	times.Series, speedups.Series = append(times.Series, law), append(speedups.Series, speedup)
	if len(band.X) > 1 {
		times.Bands = append(times.Bands, band)
	}
}

// speedEfficiencyChart shows E_s over the size, with a curve for each system, or over the processes if no system has
// two sizes.
func (r *Result) speedEfficiencyChart() *report.LineChart {
	e := valueOf("speed_efficiency")
	var bySystem, byName []curve
	alone := 0
	for _, systems := range r.byName() {
		named := curve{name: cmp.Or(systems[0].System, "measured")}
		for i := range systems {
			s := &systems[i]
			c := curve{name: s.Label}
			for k := range s.Points {
				if at := (place{r, s, &s.Points[k]}); at.point.Size >= leastShown && shown(e(at)) {
					c.places = append(c.places, at)
				}
			}
			if bySystem = append(bySystem, c); len(c.places) == 1 {
				named.places = append(named.places, c.places...)
				alone++
			}
		}
		byName = append(byName, named)
	}
	c := &report.LineChart{
		Title: "Speed-efficiency over problem size",
		X:     report.Axis{Title: "problem size n", Unit: report.Dimensionless, Log: true},
		Y:     report.Axis{Title: "speed-efficiency", Unit: report.Dimensionless},
	}
	if !r.HasN {
		c.X.Title, c.X.Unit = "work", "flop"
	}
	size := func(at place) float64 { return at.point.Size }
	if draw(c, bySystem, size, func(at place, _ float64) float64 { return e(at) }); len(c.Series) == 0 {
		return over("Speed-efficiency over processes", "speed-efficiency", report.Dimensionless, byName,
			func(at place, t float64) float64 { return e(at) * at.point.Time / t })
	}
	if alone > 0 {
		c.Caption = strings.TrimSpace(c.Caption + " " + input.Plural(alone, "system") +
			" more are only in the table of points, because they have one size.")
	}
	return c
}

// bills returns charts over processes of what a run of one size costs: money, energy, and energy times time. It is
// empty if no size has two costs.
func (r *Result) bills() []report.Section {
	curves, _ := r.strong()
	s := report.Section{
		Heading: "Cost of a run over processes", Text: []string{"For one run of the same size, as measured."},
	}
	for _, x := range []struct {
		title, quantity, unit, explained string
		of                               func(p *Point) float64
	}{
		{"Money over processes", "cost of a run", page.Unit(r.Currency), "", func(p *Point) float64 { return p.Cost }},
		{"Energy over processes", "energy of a run", "J", "", func(p *Point) float64 { return p.Energy }},
		{"Energy-delay product over processes", "energy times time of a run", "J s",
			" The product of energy and time weighs both: it falls as long as more processes shorten the time by a larger factor " +
				"than that by which they raise the energy.",
			func(p *Point) float64 { return p.Energy * p.Time }},
	} {
		if c := billChart(x.title, x.quantity, x.unit, curves, x.of); c != nil {
			s.Blocks = append(s.Blocks, c)
			s.Text[0] += x.explained
		}
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return []report.Section{s}
}

// billChart leaves out curves with fewer than two costs, and is nil if none remains.
func billChart(title, quantity, unit string, curves []curve, of func(p *Point) float64) *report.LineChart {
	var bills []page.Bill
	for _, c := range curves {
		b := page.Bill{Name: c.name}
		for _, at := range c.places {
			if v := of(at.point); shown(v) {
				b.Add(processes(at.system), v)
			}
		}
		if len(b.Amounts) > 1 {
			bills = append(bills, b)
		}
	}
	if len(bills) == 0 {
		return nil
	}
	left := max(0, len(bills)-mostCurves)
	chart := page.BillChart(title, quantity, unit, bills[:len(bills)-left])
	if left > 0 {
		chart.Caption += fmt.Sprintf(" %s more in the table of points.", input.Plural(left, "curve"))
	}
	return chart
}

// fewestRepeated is how many runs of a point a distribution needs; whiskers show fewer.
const fewestRepeated = 5

// repetitions shows how the runs of points with many runs are distributed, relative to the time of their point so that
// points can be compared. It is empty if there are none.
func (r *Result) repetitions() []report.Section {
	var samples []page.Sample
	var widest *Point
	var where string
	left := 0
	for _, at := range r.places() {
		p, name := at.point, at.name(", ")
		if p.Runs < fewestRepeated {
			continue
		}
		if widest == nil || p.spread() > widest.spread() {
			widest, where = p, name
		}
		if len(samples) == mostCurves {
			left++
			continue
		}
		percent := each.Of(p.Times, func(t float64) float64 { return 100 * t / p.Time })
		samples = append(samples, page.Sample{Name: name, Values: percent})
	}
	if len(samples) == 0 {
		return nil
	}
	average := string(r.Options.Average)
	c := page.DistributionChart(
		"Distribution of repeated times", "time over the "+average+" of its point", "%", "runs", samples)
	c.Caption = fmt.Sprintf("The widest is %s: its %d runs take from %.4g %% to %.4g %% of their %s.",
		where, widest.Runs, 100*widest.Min/widest.Time, 100*widest.Max/widest.Time, average)
	if left > 0 {
		c.Caption += fmt.Sprintf(" %s more in the table of points.", input.Plural(left, "point"))
	}
	return []report.Section{{
		Heading: "Repeated runs",
		Text: []string{fmt.Sprintf("Points with at least %d runs: the share of the runs that take at most a time, "+
			"relative to that of their point. A steep curve is a reliable time, a tail to the right a disturbed one.",
			fewestRepeated)},
		Blocks: []report.Block{c},
	}}
}

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

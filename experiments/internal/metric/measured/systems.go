package measured

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// addPoints makes systems from groups of runs, and a point from each group.
func (r *Result) addPoints(groups []measurements.Runs, m *measurements.Table) {
	spreads := 0 // points with a large spread
	for _, g := range groups {
		p := r.average(g, m)
		if p.spread() > largeSpread {
			if spreads++; spreads <= mostSpreads {
				r.warnOfSpread(g.PointKey, &p)
			}
		}
		if g.Sequential {
			p.System = g.System
			r.Baselines = append(r.Baselines, p)
			continue
		}
		last := len(r.Systems) - 1
		if last < 0 || r.Systems[last].System != g.System || r.Systems[last].Processes != g.Processes {
			r.Systems = append(r.Systems, System{System: g.System, Processes: g.Processes})
			last++
		}
		s := &r.Systems[last]
		for _, row := range g.Rows {
			if c := row.Quantity[measurements.ColMarkedSpeed]; c > 0 {
				s.MarkedSpeed = c
			}
		}
		s.Points = append(s.Points, p)
	}
	if more := spreads - mostSpreads; more > 0 {
		r.warn("%s more with runs that are over %g %% apart", input.Plural(more, "point"), 100*largeSpread)
	}
}

// average makes a point from its runs.
func (r *Result) average(g measurements.Runs, m *measurements.Table) Point {
	var times, costs, energies []float64
	for _, row := range g.Rows {
		times = append(times, row.Quantity[measurements.ColTime])
		if c := row.Quantity[measurements.ColCost]; c > 0 {
			if m.CostRate {
				c *= row.Quantity[measurements.ColTime]
			}
			costs = append(costs, c)
		}
		if e := row.Quantity[measurements.ColEnergy]; e > 0 {
			energies = append(energies, e)
		}
	}
	first, average := &g.Rows[0].Quantity, r.Options.Average
	p := Point{
		N: first[measurements.ColN], Work: first[measurements.ColWork], Power: first[measurements.ColPower],
		Size: g.Size,
		Runs: len(times), Time: average.of(times), Min: slices.Min(times), Max: slices.Max(times),
		Cost: average.of(costs), Energy: average.of(energies),
	}
	if len(times) > 1 {
		p.Times = slices.Sorted(slices.Values(times))
	}
	return p
}

const (
	// largeSpread is the spread that is reported: differences between systems of that size would mean nothing.
	largeSpread = 0.1
	// mostSpreads is how many points with a large spread are named.
	mostSpreads = 10
)

// warnOfSpread names a point whose runs are far apart.
func (r *Result) warnOfSpread(key measurements.PointKey, p *Point) {
	name := input.Plural(key.Processes, "process")
	if key.Sequential {
		name = "sequential"
	}
	if key.System != "" {
		name = key.System + ", " + name
	}
	if key.Size > 0 {
		name += ", " + r.sizeName(key.Size)
	}
	r.warn("%s: the %d runs are from %v to %v, %.0f %% of their %s apart: smaller differences are noise",
		name, p.Runs, input.Rounded(p.Min), input.Rounded(p.Max), 100*p.spread(), r.Options.Average)
}

// nameSystems gives each number of processes of a system its own label.
func (r *Result) nameSystems() {
	counts := make(map[string]int) // numbers of processes of a system
	for _, s := range r.Systems {
		counts[s.System]++
	}
	for i := range r.Systems {
		s := &r.Systems[i]
		processes := fmt.Sprintf("p=%d", s.Processes)
		switch {
		case s.System == "":
			s.Label = processes
		case counts[s.System] > 1:
			s.Label = s.System + " " + processes
		default:
			s.Label = s.System
		}
	}
}

// findReferenceFactors relates the reference times of all rows of a system to those on one process, of the same system
// or else of the unnamed one.
func (r *Result) findReferenceFactors(groups []measurements.Runs) {
	times := make(map[measurements.PointKey][]float64)
	for _, g := range groups {
		for _, row := range g.Rows {
			if t := row.Quantity[measurements.ColReferenceTime]; t > 0 {
				times[g.Configuration()] = append(times[g.Configuration()], t)
			}
		}
	}
	for i := range r.Systems {
		s := &r.Systems[i]
		own := times[measurements.PointKey{System: s.System, Processes: s.Processes}]
		if len(own) == 0 {
			continue
		}
		s.ReferenceTime = AverageMean.of(own)
		alone := times[measurements.PointKey{System: s.System, Processes: 1}]
		if len(alone) == 0 {
			alone = times[measurements.PointKey{Processes: 1}]
		}
		if len(alone) > 0 {
			one := units.Seconds(AverageMean.of(alone))
			s.ReferenceFactor = known(scalability.ReferenceFactor(s.Processes, one, units.Seconds(s.ReferenceTime)))
		}
	}
}

// problem is a size on a named system.
type problem struct {
	system string
	size   float64
}

func (at place) problem() problem { return problem{at.system.System, at.point.Size} }

// baseline is what a point is compared with: the time on this many processes; 0 if there is none.
type baseline struct {
	processes int
	time      units.Seconds
	point     *Point // the point with that time
}

// findBaselines finds for each point the sequential time of its size, and the time that its speed-ups are relative to:
// the sequential one or, if the user asks for it, that on the system's smallest number of processes for the size. A
// system's own sequential program takes precedence over that of the unnamed system, and that over the parallel program
// on one process.
func (r *Result) findBaselines() {
	sequential := make(map[problem]baseline)
	for i := range r.Baselines {
		b := &r.Baselines[i]
		sequential[problem{b.System, b.Size}] = baseline{1, units.Seconds(b.Time), b}
	}
	smallest := make(map[problem]baseline) // systems are sorted by processes
	for _, at := range r.places() {
		p, own := at.point, at.problem()
		least := cmp.Or(smallest[own], baseline{at.system.Processes, at.time(), p})
		smallest[own] = least
		alone := cmp.Or(sequential[own], sequential[problem{"", p.Size}])
		if alone.time == 0 && least.processes == 1 {
			alone = least
		}
		switch {
		case alone.time > 0:
			p.SequentialTime, p.baseline = float64(alone.time), alone
		case r.Options.Baseline == BaselineSmallest:
			p.baseline, p.Relative = least, least.processes
		}
	}
	if note := r.relative(); note != "" {
		r.Notes = append(r.Notes, note)
	}
}

// relative says what is relative to more than one process; "" for nothing.
func (r *Result) relative() string {
	low, high := 0, 0
	for _, at := range r.places() {
		if b := at.point.Relative; b > 0 {
			low, high = min(cmp.Or(low, b), b), max(high, b)
		}
	}
	if low == 0 {
		return ""
	}
	to := input.Plural(low, "process")
	if high > low {
		to = fmt.Sprintf("%d to %d processes, the smallest number of each size", low, high)
	}
	return fmt.Sprintf("relative speed-up: without a time on one process, S, E, e and T_o are relative to %s. With "+
		"p0 of them, S = T(p0)/T(p), E = S p0/p, e is that of p/p0 processors, T_o = p T(p) - p0 T(p0). Losses on "+
		"p0 processes do not show", to)
}

package measured

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// addPoints makes systems of points, and points of their runs.
func (r *Result) addPoints(groups []measurements.Runs, m *measurements.Table) {
	spreads := 0 // points with a large one
	for _, g := range groups {
		p := r.average(g, m)
		if p.Spread() > largeSpread {
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
				s.MarkedSpeed = &c
			}
		}
		s.Points = append(s.Points, p)
	}
	if more := spreads - mostSpreads; more > 0 {
		r.warn("%s more with runs that are over %g %% apart", input.Plural(more, "point"), 100*largeSpread)
	}
}

// average makes a point of its runs.
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
	given := func(c measurements.Column) *float64 {
		if v := g.Rows[0].Quantity[c]; v > 0 {
			return &v
		}
		return nil
	}
	p := Point{
		N: given(measurements.ColN), Work: given(measurements.ColWork), Power: given(measurements.ColPower), Size: g.Size,
		Runs: len(times), Time: r.Options.Average.of(times), Min: slices.Min(times), Max: slices.Max(times),
	}
	if len(times) > 1 {
		p.Times = slices.Sorted(slices.Values(times))
	}
	if len(costs) > 0 {
		c := r.Options.Average.of(costs)
		p.Cost = &c
	}
	if len(energies) > 0 {
		e := r.Options.Average.of(energies)
		p.Energy = &e
	}
	return p
}

const (
	// largeSpread is what a reader should know of: differences between systems of
	// that order mean nothing then.
	largeSpread = 0.1
	// mostSpreads is how many points with a large spread are named.
	mostSpreads = 10
)

// warnOfSpread names a point whose runs are far apart.
func (r *Result) warnOfSpread(key measurements.PointKey, p *Point) {
	name := input.ProcessCount(key.Processes)
	if key.Sequential {
		name = "sequential"
	}
	if key.System != "" {
		name = key.System + ", " + name
	}
	if key.Size > 0 {
		name += ", " + r.SizeName(key.Size)
	}
	r.warn("%s: the %d runs are from %v to %v, %.0f %% of their %s apart: smaller differences are noise",
		name, p.Runs, input.Rounded(p.Min), input.Rounded(p.Max), 100*p.Spread(), r.Options.Average)
}

// nameSystems gives each number of processes of a system a label of its own.
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

// findReferenceFactors relates the reference times of all rows of a system to those
// of one process: of the same system, else of no named system.
func (r *Result) findReferenceFactors(groups []measurements.Runs) {
	times := make(map[measurements.Configuration][]float64)
	for _, g := range groups {
		for _, row := range g.Rows {
			if t := row.Quantity[measurements.ColReferenceTime]; t > 0 {
				times[g.Configuration] = append(times[g.Configuration], t)
			}
		}
	}
	for i := range r.Systems {
		s := &r.Systems[i]
		own := times[measurements.Configuration{System: s.System, Processes: s.Processes}]
		if len(own) == 0 {
			continue
		}
		set := AverageMean.of(own)
		s.ReferenceTime = &set
		alone := times[measurements.Configuration{System: s.System, Processes: 1}]
		if len(alone) == 0 {
			alone = times[measurements.Configuration{Processes: 1}]
		}
		if len(alone) > 0 {
			s.ReferenceFactor = defined(scalability.ReferenceFactor(s.Processes, units.Seconds(AverageMean.of(alone)), units.Seconds(set)))
		}
	}
}

// findSequentialTimes gives points the sequential time of their size. The sequential
// program of a system goes before one of no named system, and that before the
// parallel program on one process.
func (r *Result) findSequentialTimes() {
	type problem struct {
		system string
		size   float64
	}
	sequential := make(map[problem]float64)
	parallel := make(map[problem]float64) // on one process
	for _, b := range r.Baselines {
		sequential[problem{b.System, b.Size}] = b.Time
	}
	for s, p := range r.Points() {
		if s.Processes == 1 {
			parallel[problem{s.System, p.Size}] = p.Time
		}
	}
	for s, p := range r.Points() {
		t, ok := sequential[problem{s.System, p.Size}]
		if !ok {
			t, ok = sequential[problem{"", p.Size}]
		}
		if !ok {
			t, ok = parallel[problem{s.System, p.Size}]
		}
		if ok {
			p.SequentialTime = &t
		}
	}
}

package measured

import (
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured/steps"
)

// Scaling compares systems with the next larger ones, while something is held.
type Scaling struct {
	Metric string       `json:"metric"`
	Title  string       `json:"title"`
	Holds  string       `json:"holds"` // what is the same on both systems, in words
	Steps  []steps.Step `json:"steps"`

	hold *held // nil: the problem size
}

// held is what a metric holds while systems grow: a value of points, such as the
// speed-efficiency, that goes with a capacity of the system, such as the marked speed.
type held struct {
	symbol   string // of the value
	what     string // the value in words
	speed    bool   // the value is a speed, not an efficiency
	capacity func(*System) float64
	value    func(*System, *Point) *float64
	psi      func(from, to steps.Operation) (float64, error) // nil: the metric has none
	scales   bool                                            // time and latency scale belong to it
}

// format writes a value that is held.
func (h *held) format(v float64) string {
	if h.speed {
		return speedText(v)
	}
	return fourDigits(v)
}

// Format writes a value that is held.
func (s *Scaling) Format(v float64) string {
	if s.hold == nil {
		return fourDigits(v)
	}
	return s.hold.format(v)
}

// scale makes all comparisons between systems.
func (r *Result) scale() {
	ladders := r.ladders()
	for _, m := range Metrics() {
		if m.times != nil && m.times.hold != nil {
			s := Scaling{Metric: m.Name, Title: input.Capitalized(m.Title), Holds: m.times.hold.what, hold: m.times.hold}
			r.oneSize[m.Name] = len(ladders) > 0
			for _, ladder := range ladders {
				climbed, oneSize := r.climb(m.times.hold, ladder)
				s.Steps = append(s.Steps, climbed...)
				r.oneSize[m.Name] = r.oneSize[m.Name] && oneSize
			}
			if r.oneSize[m.Name] {
				continue // every step would lack the same, which the summary says once
			}
			r.addScaling(s)
		}
	}
	s := Scaling{Metric: "productivity", Title: "Productivity", Holds: "problem size"}
	for _, ladder := range ladders {
		for i := range len(ladder) - 1 {
			s.Steps = append(s.Steps, r.compareProductivity(ladder[i], ladder[i+1])...)
		}
	}
	r.addScaling(s)
}

func (r *Result) addScaling(s Scaling) {
	if len(s.Steps) > 0 {
		r.Scaling = append(r.Scaling, s)
	}
}

// ladders are the systems to compare with each other: the numbers of processes of
// one system; and systems that were measured with one number of processes each,
// such as the C2, C4, C8 of [Chen2008].
func (r *Result) ladders() [][]*System {
	var ladders [][]*System
	var single []*System
	for _, systems := range r.byName() {
		var ladder []*System
		for i := range systems {
			ladder = append(ladder, &systems[i])
		}
		if len(ladder) == 1 {
			single = append(single, ladder...)
		} else {
			ladders = append(ladders, ladder)
		}
	}
	if len(single) > 1 {
		ladders = append(ladders, single)
	}
	return ladders
}

// climb compares each system of a ladder with the next larger one.
func (r *Result) climb(h *held, ladder []*System) (all []steps.Step, oneSize bool) {
	var systems []steps.System
	for _, s := range ladder {
		x := steps.System{Label: s.Label, Processes: s.Processes, Capacity: h.capacity(s)}
		for k := range s.Points {
			p := &s.Points[k]
			if v := h.value(s, p); v != nil {
				x.Points = append(x.Points, steps.Point{Value: *v, Size: p.Size, Work: value(p.Work), Time: p.Time})
			}
		}
		systems = append(systems, x)
	}
	o := steps.Options{Tolerance: r.Options.Tolerance, Degree: r.Options.Degree}
	if !h.speed {
		o.Target = r.Options.Efficiency
	}
	return steps.Climb(steps.Held{Symbol: h.symbol, Format: h.format, Psi: h.psi, Scales: h.scales}, systems, o, r.warn)
}

// scaling returns the steps of a metric, or nil.
func (r *Result) scaling(metric string) *Scaling {
	for i := range r.Scaling {
		if r.Scaling[i].Metric == metric {
			return &r.Scaling[i]
		}
	}
	return nil
}

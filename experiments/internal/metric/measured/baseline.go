package measured

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// baseline is what a point is compared with: the time on so many processes.
type baseline struct {
	processes int
	time      float64
}

// ratio is how many times as many processes another system has.
func (b *baseline) ratio(s *System) float64 { return float64(s.Processes) / float64(b.processes) }

// Base returns the number of processes that the metrics of a point are relative to, and
// the time on them; false if there is none.
func (p *Point) Base() (processes int, time float64, ok bool) {
	if p.baseline == nil {
		return 0, 0, false
	}
	return p.baseline.processes, p.baseline.time, true
}

// findBaselines gives points what their speed-ups are relative to: the sequential time
// or, if the user asks for it, the time on the smallest number of processes that the
// system has of that size.
func (r *Result) findBaselines() {
	type problem struct {
		system string
		size   float64
	}
	smallest := make(map[problem]*baseline) // systems are in the order of processes
	for s, p := range r.Points() {
		key := problem{s.System, p.Size}
		if smallest[key] == nil {
			smallest[key] = &baseline{s.Processes, p.Time}
		}
		switch {
		case p.SequentialTime != nil:
			p.baseline = &baseline{1, *p.SequentialTime}
		case r.Options.Baseline == BaselineSmallest:
			p.baseline = smallest[key]
			p.Relative = &p.baseline.processes
		}
	}
	if note := r.Relative(); note != "" {
		r.Notes = append(r.Notes, note)
	}
}

// Relative says what is relative to more than one process; "" if nothing is.
func (r *Result) Relative() string {
	low, high := 0, 0
	for _, p := range r.Points() {
		if b := p.Relative; b != nil {
			if low == 0 {
				low, high = *b, *b
			}
			low, high = min(low, *b), max(high, *b)
		}
	}
	if low == 0 {
		return ""
	}
	to := input.ProcessCount(low)
	if high > low {
		to = fmt.Sprintf("%d to %d processes, the smallest number of each size", low, high)
	}
	return fmt.Sprintf("relative speed-up: without a time on one process, S, E, e and T_o are relative to %s. With p0 of them, S = T(p0)/T(p), E = S p0/p, e is that of p/p0 processors, T_o = p T(p) - p0 T(p0). What is lost on p0 processes already does not show", to)
}

// parallel reports whether a point is on more processes than its baseline.
func (p *Point) parallel(s *System) bool {
	if p.baseline == nil {
		return s.Processes > 1
	}
	return s.Processes > p.baseline.processes
}

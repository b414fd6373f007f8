package steps

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Step is a comparison of two systems. Where there is no result, Reason says why.
type Step struct {
	From         string   `json:"from"`
	To           string   `json:"to"`
	Held         *float64 `json:"held,omitempty"` // an efficiency, or a speed in flop/s
	How          string   `json:"how,omitempty"`  // where the sizes come from
	SizeFrom     *float64 `json:"size_from,omitempty"`
	SizeTo       *float64 `json:"size_to,omitempty"`
	WorkFrom     *float64 `json:"work_from_flop,omitempty"`
	WorkTo       *float64 `json:"work_to_flop,omitempty"`
	TimeFrom     *float64 `json:"time_from_s,omitempty"`
	TimeTo       *float64 `json:"time_to_s,omitempty"`
	Psi          *float64 `json:"psi,omitempty"`
	TimeScale    *float64 `json:"time_scale,omitempty"`
	LatencyScale *float64 `json:"latency_scale,omitempty"`
	Reason       string   `json:"reason,omitempty"`
}

// fill computes what the metric says of two points that hold the same value.
func (s *Step) fill(h *Held, target float64, a, b Operation) {
	s.Held = &target
	known := func(v float64) *float64 {
		if v == 0 {
			return nil
		}
		return &v
	}
	s.SizeFrom, s.SizeTo = known(a.Size), known(b.Size)
	s.WorkFrom, s.WorkTo = known(a.Work), known(b.Work)
	s.TimeFrom, s.TimeTo = known(a.Time), known(b.Time)
	if h.Psi != nil && a.Work > 0 && b.Work > 0 {
		s.Psi = defined(h.Psi(a, b))
	}
	if !h.Scales || a.Time == 0 || b.Time == 0 {
		return
	}
	from, to := units.Seconds(a.Time), units.Seconds(b.Time)
	s.TimeScale = defined(scalability.TimeScale(from, to))
	// T_1 = E times the capacity times T_p.
	la, errA := scalability.AverageLatency(a.System.Processes, from, units.Seconds(target*a.Capacity*a.Time))
	lb, errB := scalability.AverageLatency(b.System.Processes, to, units.Seconds(target*b.Capacity*b.Time))
	if errA == nil && errB == nil {
		s.LatencyScale = defined(scalability.LatencyScale(la, lb))
	}
}

// figure is what steps are ranked by, the larger the better; nil without a result.
func (s *Step) figure() *float64 {
	switch {
	case s.Psi != nil:
		return s.Psi
	case s.TimeScale != nil:
		return s.TimeScale
	case s.WorkFrom != nil && s.WorkTo != nil:
		v := *s.WorkFrom / *s.WorkTo
		return &v
	}
	return nil
}

// says tells the figure of a step that has one.
func (s *Step) says() string {
	between := fmt.Sprintf("from %s to %s", s.From, s.To)
	switch {
	case s.Psi != nil:
		return fmt.Sprintf("psi = %.3f %s", *s.Psi, between)
	case s.TimeScale != nil && s.WorkFrom != nil && s.WorkTo != nil:
		return fmt.Sprintf("%.3g times the work in %.3g times the time %s", *s.WorkTo / *s.WorkFrom, 1 / *s.TimeScale, between)
	case s.TimeScale != nil:
		return fmt.Sprintf("%.3g times the time %s", 1 / *s.TimeScale, between)
	}
	return fmt.Sprintf("%.3g times the work %s", *s.WorkTo / *s.WorkFrom, between)
}

// Say sums up steps in a sentence; "" if none has a result.
func Say(all []Step) string {
	var best, worst *Step
	missing := 0
	for i := range all {
		x := &all[i]
		v := x.figure()
		if v == nil {
			missing++
			continue
		}
		if best == nil || *v > *best.figure() {
			best = x
		}
		if worst == nil || *v < *worst.figure() {
			worst = x
		}
	}
	if best == nil {
		return ""
	}
	says := worst.says() + "."
	if best != worst {
		says = "The hardest step: " + worst.says() + "; the easiest: " + best.says() + "."
	}
	if missing > 0 {
		says += fmt.Sprintf(" No result for %d of %s.", missing, input.Plural(len(all), "step"))
	}
	return says
}

// defined drops a number that a formula does not have.
func defined(v float64, err error) *float64 {
	if err != nil {
		return nil
	}
	return &v
}

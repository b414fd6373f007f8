package sharing

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Rate returns the present rate of a flow, in its amount's unit per second.
func (s *System) Rate(f Flow) float64 {
	s.mustExist(f)
	s.solve()
	fl := &s.flows[f]
	if fl.source < 0 {
		return fl.bound
	}
	return min(s.resources[fl.source].level/fl.penalty, fl.bound)
}

// Left returns the amount of a flow that is left at now, which must not be
// before the last change and should not be after Next. The clock stays.
func (s *System) Left(now units.Seconds, f Flow) float64 {
	s.mustExist(f)
	s.solve()
	fl := &s.flows[f]
	if fl.source < 0 {
		return s.leftAtBound(fl, now) / fl.penalty
	}
	r := &s.resources[fl.source]
	left := r.members[fl.pos].key - r.clock
	if fl.since == r.at {
		left = fl.left // exact, whereas the clock may be coarse
	}
	return max(0, left-float64(r.level*float64(now-r.at))) / fl.penalty
}

// Load returns how much of a resource is in use: the sum of weight*rate over its flows,
// on a fat pipe the largest. Its cost is proportional to the number of sources:
// bottlenecks of the flows, and flows at their bounds.
func (s *System) Load(r Resource) float64 {
	s.solve()
	k := &s.resources[r]
	load := 0.0
	if k.state == firm {
		load = k.own.value * k.level
	}
	for _, e := range k.waiting {
		load = k.plus(load, s.edges[e].weight.value*s.levelOf(s.edges[e].source))
	}
	for _, in := range k.feeders {
		load = k.plus(load, s.edges[in.ref].weight.value*-in.key)
	}
	return load
}

func (r *resource) plus(load, more float64) float64 {
	if r.fat {
		return max(load, more)
	}
	return load + float64(more)
}

// Flows returns the number of flows that use a resource.
func (s *System) Flows(r Resource) int { return int(s.resources[r].users) }

// Saturated reports whether a resource is the bottleneck of at least one flow.
// If several resources of a flow become full at the same level, one of them is
// its bottleneck.
func (s *System) Saturated(r Resource) bool {
	s.solve()
	return s.resources[r].state == firm
}

// Level returns the level of a resource, that is rate*penalty of the flows
// whose bottleneck it is; +Inf if there is none.
func (s *System) Level(r Resource) float64 {
	if !s.Saturated(r) {
		return math.Inf(1)
	}
	return s.resources[r].level
}

// Lost returns the flow-time that was lost to a resource up to now: the
// integral over time of the sum, over the flows whose bottleneck it is, of
//
//	1 - rate / rate alone
//
// where "rate alone" is what the flow could have without others, by its bound and the
// capacities at the time of its start (or last SetBound). Where that is 0, all time
// counts as lost. Now must not be before the last change and should not be after Next.
// The clock stays.
func (s *System) Lost(now units.Seconds, r Resource) units.Seconds {
	s.solve()
	k := &s.resources[r]
	if k.state != firm {
		return units.Seconds(k.lost)
	}
	return units.Seconds(k.lost + k.losing(float64(now-k.at)))
}

// sum is a running sum, to which terms are added and from which they are subtracted. It
// knows when it has become so small that past rounding errors matter and it must be
// recomputed.
type sum struct {
	value float64
	peak  float64 // the largest value since it was exact
}

func exactly(value float64) sum { return sum{value, value} }

func (s sum) plus(term float64) sum {
	value := s.value + term
	return sum{value, max(s.peak, value)}
}

// doubtful reports whether the value may be wrong by more than some 1e-10.
func (s sum) doubtful() bool { return s.value < s.peak*cancelled }

// cancelled is the ratio below which a difference has lost too many digits.
const cancelled = 0x1p-20

package sharing_test

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/internal/sharing"
)

// reference is a second, naive implementation: it fills all resources from zero
// after each change and counts down what is left of every flow.
type reference struct {
	now       float64
	resources []refResource
	flows     []*refFlow // in order of start
	doubt     float64    // relative error that rounding can make in a rate
}

type refResource struct {
	capacity float64
	fat      bool
	lost     float64
}

type refFlow struct {
	id                                 sharing.Flow
	amount, left, penalty, bound, rate float64
	alone                              float64
	blur                               float64 // amount done in what the clock does not resolve, so far
	bottleneck                         int     // -1: its bound
	weights                            []float64
	order                              []int // resources it uses
}

func (m *reference) start(id sharing.Flow, d sharing.Demand) {
	f := &refFlow{id: id, amount: d.Amount, left: d.Amount, penalty: d.Penalty, weights: make([]float64, len(m.resources))}
	for _, u := range d.Uses {
		if m.resources[u.Resource].fat {
			f.weights[u.Resource] = max(f.weights[u.Resource], u.Weight)
		} else {
			f.weights[u.Resource] += u.Weight
		}
	}
	for k, w := range f.weights {
		if w > 0 {
			f.order = append(f.order, k)
		}
	}
	m.flows = append(m.flows, f)
	m.setBound(f, d.Bound)
}

func (m *reference) setBound(f *refFlow, bound float64) {
	f.bound, f.alone = bound, bound
	for _, k := range f.order {
		f.alone = min(f.alone, m.resources[k].capacity/f.weights[k])
	}
	m.fill()
}

func (m *reference) remove(id sharing.Flow) {
	m.flows = slices.DeleteFunc(m.flows, func(f *refFlow) bool { return f.id == id })
	m.fill()
}

// fill carries out the sharing rule of the package comment literally.
func (m *reference) fill() {
	m.doubt = 0
	frozen := map[*refFlow]bool{}
	for len(frozen) < len(m.flows) {
		// The lowest level at which a resource is full.
		lowest, at := math.Inf(1), -1
		left := 0.0 // of the capacity of that resource
		for k, r := range m.resources {
			remaining, slope := r.capacity, 0.0
			for _, f := range m.flows {
				switch w := f.weights[k]; {
				case w == 0:
				case r.fat && !frozen[f]:
					slope = max(slope, w/f.penalty)
				case r.fat:
				case frozen[f]:
					remaining -= w * f.rate
				default:
					slope += w / f.penalty
				}
			}
			if slope > 0 && max(0, remaining)/slope < lowest {
				lowest, at, left = max(0, remaining)/slope, k, remaining
			}
		}
		// The lowest bound below that.
		var bounded *refFlow
		for _, f := range m.flows {
			if !frozen[f] && f.bound*f.penalty < lowest {
				lowest, bounded = f.bound*f.penalty, f
			}
		}
		if bounded != nil {
			frozen[bounded], bounded.rate, bounded.bottleneck = true, bounded.bound, -1
			continue
		}
		// A capacity of which others leave next to nothing: what is left is the
		// difference of nearly equal numbers, and has few digits.
		if c := m.resources[at].capacity; left < c {
			m.doubt = max(m.doubt, 0x1p-48*c/max(0, left))
		}
		for _, f := range m.flows {
			if !frozen[f] && f.weights[at] > 0 {
				frozen[f], f.rate, f.bottleneck = true, lowest/f.penalty, at
			}
		}
	}
}

func (m *reference) end(f *refFlow) float64 {
	if f.left == 0 {
		return m.now
	}
	return m.now + f.left/f.rate
}

func (m *reference) next() float64 {
	next := math.Inf(1)
	for _, f := range m.flows {
		next = min(next, m.end(f))
	}
	return next
}

func (m *reference) advance(now float64) {
	for _, f := range m.flows {
		f.left = max(0, f.left-f.rate*(now-m.now))
		f.blur += f.rate * now * resolution
		if f.bottleneck >= 0 {
			share := 0.0
			if f.alone > 0 {
				share = f.rate / f.alone
			}
			m.resources[f.bottleneck].lost += (1 - share) * (now - m.now)
		}
	}
	m.now = now
}

// resolution is the relative resolution of the clock: some ulps.
const resolution = 0x1p-46

// resolution returns the amount that may be missing or left over because clocks
// tick in units in the last place.
func (m *reference) resolution(f *refFlow) float64 {
	return f.blur + f.rate*m.now*resolution
}

// load returns the load of a resource, and the largest level of its flows.
func (m *reference) load(k int) (load, level float64) {
	for _, f := range m.flows {
		if w := f.weights[k]; w > 0 {
			level = max(level, f.rate*f.penalty)
			if m.resources[k].fat {
				load = max(load, w*f.rate)
			} else {
				load += w * f.rate
			}
		}
	}
	return load, level
}

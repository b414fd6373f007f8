package system

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// What limits a run is measured by simulating it again with one part of its machine better, and all else, including
// random draws, unchanged. If the time is a sum of terms proportional to a latency or to the reciprocal of a speed or
// bandwidth, the gain divided by the step is the share of the part in the time. The shares of all parts add up to at
// most 1; times that belong to no part, such as overheads of messages, are missing.

// Step is the fraction by which a part is improved.
const Step = 0.1

// least is the gain from which on a part limits a run: that of a part with a tenth of the time. Rounding, and changes
// of the order of messages that follow from it, are orders of magnitude below.
const least = 0.1 * Step

// A Part is a part of a machine that can be improved.
type Part struct {
	Name    string
	improve func(m *topology.Machine, k float64) // m shares nothing with other machines
}

// Computing names what computes, given the numbers of cores and devices.
func Computing(cores, devices int) string {
	switch {
	case devices == 0:
		return "cores"
	case cores == 0:
		return "devices"
	}
	return "cores and devices"
}

// Parts are the parts of a machine. No parameter belongs to two of them: where the network model shares links, cables
// are those between switches, and the cables that lead to network cards belong to the cards.
var Parts = []Part{
	{"cores", func(m *topology.Machine, k float64) {
		for i := range m.Types {
			t := &m.Types[i]
			t.MarkedSpeed *= units.FlopsPerSecond(k)
			if t.Devices != nil {
				for j := range t.Devices.Speeds {
					t.Devices.Speeds[j].Speed *= units.FlopsPerSecond(k)
				}
			}
		}
	}},
	{"memory bandwidth", func(m *topology.Machine, k float64) {
		for i := range m.Types {
			t := &m.Types[i]
			t.MemoryBandwidth *= units.BytesPerSecond(k)
			if t.Devices != nil {
				t.Devices.MemoryBandwidth *= units.BytesPerSecond(k)
			}
		}
	}},
	{"latency", func(m *topology.Machine, k float64) {
		m.Network.Latency /= units.Seconds(k)
		if b := m.Network.BetweenGroups; b != nil {
			b.Latency /= units.Seconds(k)
		}
	}},
	{"link bandwidth", func(m *topology.Machine, k float64) {
		for i := range m.Types { // network cards stay as they are
			m.Types[i].NIC = cmp.Or(m.Types[i].NIC, m.Network.Bandwidth)
		}
		m.Network.Bandwidth *= units.BytesPerSecond(k)
		if b := m.Network.BetweenGroups; b != nil {
			b.Bandwidth *= units.BytesPerSecond(k)
		}
	}},
	{"network cards", func(m *topology.Machine, k float64) {
		for i := range m.Types {
			t := &m.Types[i]
			t.NIC = units.BytesPerSecond(k) * cmp.Or(t.NIC, m.Network.Bandwidth)
		}
	}},
	{"connections within nodes", func(m *topology.Machine, k float64) {
		better := func(c *topology.Connection) {
			if c != nil {
				c.Latency, c.Bandwidth = c.Latency/units.Seconds(k), c.Bandwidth*units.BytesPerSecond(k)
			}
		}
		better(m.Network.OnNode)
		for i := range m.Types {
			better(m.Types[i].OnNode)
			if d := m.Types[i].Devices; d != nil {
				better(d.Link)
				better(d.DomainLink)
				better(&d.Relay)
			}
		}
	}},
}

// Better returns a copy of the machine with the part improved by a step.
func (p *Part) Better(m *topology.Machine) *topology.Machine { return p.better(m, 1+Step) }

// better returns a copy of the machine in which the part is k times as good.
func (p *Part) better(m *topology.Machine, k float64) *topology.Machine {
	better := *m
	better.Types = slices.Clone(m.Types)
	own := func(c *topology.Connection) *topology.Connection {
		if c == nil {
			return nil
		}
		return new(*c)
	}
	better.Network.OnNode, better.Network.BetweenGroups = own(m.Network.OnNode), own(m.Network.BetweenGroups)
	for i := range better.Types {
		t := &better.Types[i]
		t.OnNode = own(t.OnNode)
		if t.Devices != nil {
			t.Devices = new(*t.Devices)
			t.Devices.Speeds, t.Devices.Link = slices.Clone(t.Devices.Speeds), own(t.Devices.Link)
			t.Devices.DomainLink = own(t.Devices.DomainLink)
		}
	}
	p.improve(&better, k)
	return &better
}

// A Gain is the fraction by which a run is faster if a part is improved by a step.
type Gain struct {
	Part string  `json:"part"`
	Gain float64 `json:"gain"`
}

// Causes that are not parts of a machine.
const (
	Imbalance = "imbalance"
	NoPart    = "no single part"
)

// Cause says what limits a run: the part with the largest gain, or NoPart if none has a tenth of the time, as with many
// parts of similar shares. uneven is the share of the time for which the process that computes longest computes longer
// than the mean. The cause is Imbalance if that exceeds what computations take otherwise, and any other part.
// REQUIRES: the gains are in the order of Parts.
func Cause(gains []Gain, uneven float64) string {
	lost := uneven * Step
	cause, most, others := NoPart, least, -lost // others: what computations take without the imbalance
	for i, x := range gains {
		if x.Gain >= most {
			cause, most = x.Part, x.Gain
		}
		if i < computing {
			others += x.Gain
		}
	}
	others = each.Max(others, gains[computing:], func(x Gain) float64 { return x.Gain })
	if lost >= least && lost > others {
		return Imbalance
	}
	return cause
}

// computing is the number of Parts, the first ones, that computations take their time from.
const computing = 2

package cluster

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/collective"
)

// A Change says how a network differs from what it is: by factors on the times that it takes from messages, 1 for no
// change and 0 for none. The zero Change makes messages free of cost.
type Change struct {
	Latency  float64 // of the time on the way, whatever the size
	Transfer float64 // of the times per byte and between messages: of 1/bandwidth
	Overhead float64 // of the times of cores
	// Shared: messages share links, if the model lets them.
	Shared bool
	// Waits: senders wait for their receivers, if the model lets them.
	Waits bool
}

// AsIs is no change.
var AsIs = Change{Latency: 1, Transfer: 1, Overhead: 1, Shared: true, Waits: true}

// With returns the changed network. A library user's own network becomes free of cost whatever the change, because
// nothing else is known about it.
func (n Network) With(c Change) Network {
	if law := c; c != (Change{}) {
		if n.law != nil {
			law.Latency, law.Transfer = n.law.Latency*c.Latency, n.law.Transfer*c.Transfer
		}
		n.law = &law
	}
	switch {
	case n.Flow != nil:
		f := *n.Flow
		f.change, f.Protocol = &c, c.protocol(f.Protocol)
		n.Flow = &f
	case n.Own != nil:
		n.Own = network.Ideal{}
	case n.changed != nil:
		was := n
		if c == (Change{}) {
			n.level = nil
		}
		of := func(m network.Model) network.Model {
			if c == (Change{}) {
				return network.Ideal{}
			}
			return was.changed(m, c)
		}
		n.each(of)
		if n.onNode != nil {
			n.onNode = of(n.onNode)
		}
		n.connected = func(x topology.Connection) network.Model { return of(was.connected(x)) }
		n.behind = func(m network.Model, by topology.Connection) network.Model {
			if c == (Change{}) {
				return m
			}
			return was.behind(m, topology.Connection{Latency: by.Latency * units.Seconds(c.Latency), Bandwidth: by.Bandwidth / units.BytesPerSecond(c.Transfer)})
		}
	}
	return n
}

// of returns what a connection of the machine costs.
func (c *Change) of(x topology.Connection) collective.Cost {
	cost := collective.Cost{Base: x.Latency, PerByte: perByte(x.Bandwidth)}
	if c != nil {
		cost.Base, cost.PerByte = cost.Base*units.Seconds(c.Latency), cost.PerByte*units.Seconds(c.Transfer)
	}
	return cost
}

// protocol returns the protocol of a changed network. The cost of tests stays, because a program that tests until a
// message arrives would otherwise never end.
func (c Change) protocol(p network.Protocol) network.Protocol {
	for _, o := range []*network.Overheads{&p.Send, &p.Isend, &p.Recv} {
		*o = slices.Clone(*o)
		for i := range *o {
			(*o)[i].Fixed *= units.Seconds(c.Overhead)
			(*o)[i].PerByte *= units.Seconds(c.Overhead)
		}
	}
	if !c.Waits {
		p.EagerBelow, p.DetachedBelow = units.Bytes(math.Inf(1)), units.Bytes(math.Inf(1))
	}
	return p
}

// on returns a changed machine and parameters. The memory of nodes stays for computations, which also use it.
func (c *Change) on(m flow.Machine, p flow.Parameters) (flow.Machine, flow.Parameters) {
	if c == nil {
		return m, p
	}
	memory := make([]bool, len(m.Links))
	for _, h := range m.Hosts {
		if h.Memory >= 0 {
			memory[h.Memory] = true
		}
	}
	for i := range m.Links {
		l := &m.Links[i]
		l.Latency *= units.Seconds(c.Latency)
		switch {
		case memory[i]:
		case c.Transfer == 0:
			l.Bandwidth, l.FatPipe = unlimited, true
		default:
			l.Bandwidth /= units.BytesPerSecond(c.Transfer)
			l.FatPipe = l.FatPipe || !c.Shared
		}
	}
	if c.Transfer == 0 {
		p.Window = 0
		router := withoutMemory{m.Router, memory, c.Latency == 0}
		m.Router = router
		if m.Ways != nil {
			m.Ways = router.ways(m.Ways)
		}
	}
	return m, p
}

// unlimited is the largest bandwidth that a fabric takes.
const unlimited units.BytesPerSecond = 1e25

// withoutMemory routes messages past the memory of nodes.
type withoutMemory struct {
	flow.Router
	memory []bool // by link
	all    bool
}

func (w withoutMemory) Route(buf []int32, from, to int32) ([]int32, error) {
	n := len(buf)
	buf, err := w.Router.Route(buf, from, to)
	if w.all {
		return buf[:n], err
	}
	return append(buf[:n], slices.DeleteFunc(buf[n:], func(l int32) bool { return w.memory[l] })...), err
}

// ways is Route for given ways.
func (w withoutMemory) ways(given ways) ways {
	return func(links []int32, parts []float64, from, to int32, message uint64) ([]int32, []float64) {
		first := len(links)
		links, parts = given(links, parts, from, to, message)
		kept := first
		for i := first; i < len(links); i++ {
			if !w.all && !w.memory[links[i]] {
				links[kept], parts[kept] = links[i], parts[i]
				kept++
			}
		}
		return links[:kept], parts[:kept]
	}
}

package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// onDevices reads a node whose processes run on devices: those at v, or of the
// catalogue if v is nil.
func (x *statedNode) onDevices(v *yamldoc.Node) {
	o, n := &x.overlay, &x.Node
	x.without(onCores, "a node whose processes run on cores")
	switch {
	case v != nil && o.inCatalogue:
		o.Fail(v, "the catalogue says what the devices are", "no devices here, or no catalogue")
	case v != nil:
		n.Devices = new(topology.Devices)
		machines.Devices.Read(&o.Decoder, v, n.Devices)
		n.Precision = n.Devices.DefaultPrecision()
	}
	if n.speedSource = o.source; v == nil {
		n.speedSource = "catalogue: estimate (peak of the product)"
	}
	d := n.Devices
	if p := x.given["precision"]; p != nil {
		n.Precision, n.PrecisionGiven = o.OneOf(p, d.Precisions(), "precision of these devices"), true
	} else if n.Precision == "" && len(d.Speeds) > 0 {
		o.Fail(o.at, "no precision", "one of "+input.List(d.Precisions()))
	}
	processes := schema.Integer{Min: 1, Max: d.Count}
	n.Cores, n.Threads = d.Count, 1
	n.Processes = processes.ReadOr(&o.Decoder, x.given["processes_per_node"], fmt.Sprintf("the number of processes of a node, 1 to its %d devices", d.Count), d.Count)
	if v == nil && n.Precision == d.DefaultPrecision() {
		return // as in the catalogue
	}
	n.Speed = units.FlopsPerSecond(d.Count) * d.Speed(n.Precision)
	source := o.source
	if v == nil {
		source = fmt.Sprintf("catalogue: estimate (peak at %s of the product)", n.Precision)
	}
	n.figure(QuantitySpeed, n.Speed.String(), source)
	if v != nil {
		x.deviceMemory()
	}
}

// deviceMemory takes the memories of the devices of a file for those of the node.
func (x *statedNode) deviceMemory() {
	o, n := &x.overlay, &x.Node
	d := n.Devices
	if n.Memory = units.Bytes(d.Count) * d.Memory; n.Memory > 0 {
		n.figure(quantityMemory, n.Memory.String(), o.source)
	}
	if n.MemoryBandwidth = units.BytesPerSecond(d.Count) * d.MemoryBandwidth; n.MemoryBandwidth > 0 {
		n.figure(QuantityMemoryBandwidth, n.MemoryBandwidth.String(), o.source)
	}
	if d.Link != nil {
		n.inside(*d.Link, o.source)
	}
}

// devicePower adds what devices draw that give their own power.
func (x *statedNode) devicePower() {
	o, n := &x.overlay, &x.Node
	d := n.Devices
	if d == nil || d.Power == 0 {
		return
	}
	n.Power += units.Watts(units.Watts(d.Count) * d.Power)
	n.figure(QuantityPower, n.Power.String(), o.source)
	idle, wait := d.IdlePower, d.WaitPower
	if idle == 0 {
		idle = idleShare * d.Power
	}
	if wait == 0 {
		wait = energy.Halfway(idle, d.Power)
	}
	n.IdlePower += units.Watts(units.Watts(d.Count) * idle)
	n.WaitPower += units.Watts(units.Watts(d.Count) * wait)
	n.Find(quantityIdlePower).Value, n.Find(quantityWaitPower).Value = n.IdlePower.String(), n.WaitPower.String()
}

// connections reads the network cards of a node and how its processes are connected.
func (x *statedNode) connections() {
	o, n := &x.overlay, &x.Node
	if v := x.given["nics"]; v != nil {
		const want = "the number of network cards, at least 1"
		n.Cards = max(1, machines.CardCount.ReadOr(&o.Decoder, v, want, 1))
		n.figure(quantityCards, fmt.Sprint(n.Cards), o.source)
	}
	v := x.given["on_node"]
	if v == nil {
		return
	}
	n.inside(o.connection(v, o.source))
}

// inside notes how the processes of the node are connected.
func (n *Node) inside(c topology.Connection, source string) {
	n.OnNode = &c
	n.figure(QuantityInsideLatency, c.Latency.String(), source)
	n.figure(QuantityInsideBandwidth, c.Bandwidth.String(), source)
}

// PrecisionOf returns the precision whose marked speed counts for a workload.
func (n *Node) PrecisionOf(w workload.Workload) string {
	if w.Application == nil || w.Application.Precision == "" || n.PrecisionGiven {
		return n.Precision
	}
	return w.Application.Precision
}

// speedsKnown reports at n a workload with computations whose speed on a node type is
// not known.
func (r *reader) speedsKnown(n *yamldoc.Node) {
	if r.Err() != nil {
		return
	}
	for i := range r.plan.Nodes {
		x := &r.plan.Nodes[i]
		t := x.nodeType()
		for _, w := range r.plan.Workloads {
			if !w.RunsOn(x) {
				continue
			}
			run := topology.Block{Type: &t, Processes: 1, Threads: 1}
			if x.Devices != nil {
				run.Precision = x.PrecisionOf(w.Run)
			}
			if err := w.Run.CheckSpeeds(&topology.Placement{Blocks: []topology.Block{run}}); err != nil {
				r.Fail(n, err.Error(), "")
				return
			}
			x.otherSpeeds(w.Run)
		}
	}
}

// otherSpeeds notes the speeds of devices that an application uses beside their marked
// speed.
func (n *Node) otherSpeeds(w workload.Workload) {
	if n.Devices == nil || w.Application == nil {
		return
	}
	precisions := []string{n.PrecisionOf(w)}
	for _, l := range w.Application.Loops {
		precisions = append(precisions, l.Precision)
	}
	for _, p := range precisions {
		if p != "" && p != n.Precision {
			n.figure("speed of a device at "+p, n.Devices.Speed(p).String(), n.speedSource)
		}
	}
}

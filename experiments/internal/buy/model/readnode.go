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

// A statedNode is read over one of the catalogue. What the keys of its processors and devices
// mean depends on each other, so they are read together.
type statedNode struct {
	overlay
	Node
	given map[string]*yamldoc.Node
}

var nodeKeys = schema.Declare("a node type, as in {catalogue: genoa, price: 14000 EUR} or {cores: 64, marked_speed: 30 Gflop/s, power: 700 W, price: 9000 EUR}", func(k *schema.Keys, x *statedNode) {
	o, n := &x.overlay, &x.Node
	x.given = map[string]*yamldoc.Node{}
	give := func(key string, of schema.Type, otherwise, meaning string) {
		k.Optional(key, schema.Func(of, func(v *yamldoc.Node) { x.given[key] = v }).Else(otherwise), meaning)
	}
	k.Optional("catalogue", schema.Func(schema.Later(func() schema.Type { return schema.OneOf(names(CatalogueNodes())) }), func(v *yamldoc.Node) {
		if i := o.index(v, names(CatalogueNodes()), "node type in the catalogue"); i >= 0 {
			*n, o.inCatalogue = CatalogueNodes()[i], true
		}
	}), "a built-in node type to start from")
	o.begin(k, &n.Entry, "the node in a few words")
	give("cores", countType, "1, or those of the catalogue", "cores of a node; the speed of the catalogue changes in proportion")
	give("processes_per_node", countType, "cores", "processes of a node")
	give("threads_per_process", countType, "cores over processes_per_node, rounded down", "threads of each process, each on a core of its own")
	give("marked_speed", ranged(schema.Speed), "", "benchmarked speed of a core")
	give("node_speed", ranged(schema.Speed), "", "benchmarked speed of a node, in place of marked_speed")
	give("memory", schema.PositiveSize, "not checked", "memory of a node")
	give("memory_bandwidth", ranged(schema.Bandwidth), "no limit", "memory bandwidth of a node")
	give("devices", machines.Devices.Object, "", "accelerators of a node, on which its processes run, in place of cores and their speed and memory")
	give("precision", schema.Name, "fp64, or the only one", "the precision of devices whose marked speed counts")
	give("partition", schema.Name, "gpu with devices, else cpu", "the name by which workloads choose where they run")
	give("nics", machines.CardCount, "1, or those of the catalogue", "network cards of a node, each with a port")
	give("on_node", onNodeKeys.Object, "that of the catalogue or of the plan", "the connection between the processes of a node of this type")
	give("kernels", machines.KernelsType, "", "fractions of the marked speed of a core that inner loops sustain, by name")
	if !k.Declaring() {
		x.processors(k)
	}
	o.need(k, "power", replaced(o, ranged(schema.Power), schema.Power, QuantityPower, &n.Power), "power of a node under load, without devices that give their own")
	give("idle_power", schema.Power, "half of power, an estimate", "power of a node that does not compute, without devices that give their own")
	give("wait_power", schema.Power, "halfway between the others, an estimate", "power of a node whose processes are in messages, without devices that give their own")
	if !k.Declaring() {
		x.powers()
	}
	k.Optional("rack_units", schema.Func(rackUnits, func(v *yamldoc.Node) {
		n.RackUnits = rackUnits.ReadOr(k.Decoder, v, rackUnits.Want, 0)
		n.figure(quantitySpace, input.Number(n.RackUnits), o.source)
	}).Else("1, or those of the catalogue"), "height of a node")
	if n.Find(quantitySpace) == nil {
		n.figure(quantitySpace, input.Number(n.RackUnits), "estimate: default")
	}
	give("price", ranged(schema.Money), "", "price of a node; not needed of one that is not for sale")
	give("for_sale", schema.Boolean, "true, or of the nodes of the existing machine whether their price is given", "false: the node type of the existing machine, which cannot be bought any more")
	if !k.Declaring() {
		x.sale(k)
	}
})

// rackUnits is a height.
var rackUnits = schema.Number{Max: 1000, Want: "a height in rack units, at least 0"}

// onCores are the keys of nodes whose processes run on cores, and onDevices those of
// nodes whose processes run on devices.
var (
	onCores   = []string{"cores", "threads_per_process", "memory", "memory_bandwidth", "kernels", "marked_speed", "node_speed"}
	onDevices = []string{"devices", "precision"}
)

// nodeType is a node type, whole or over one of the catalogue, with its speed given
// for a core, for the node, or by its devices.
func nodeType() schema.Type {
	known := nodeKeys.Requiring("catalogue").Without("devices")
	forms := schema.AnyOf{known.Without("node_speed"), known.Without("marked_speed")}
	for _, keys := range [][]string{{"power", "price"}, {"power", "for_sale"}} {
		whole := nodeKeys.Without("catalogue").Requiring(keys...)
		cores := whole.Without(onDevices...)
		forms = append(forms,
			cores.Without("node_speed").Requiring("marked_speed"), cores.Without("marked_speed").Requiring("node_speed"),
			whole.Without(onCores...).Requiring("devices"))
	}
	return forms
}

func (r *reader) nodes(n *yamldoc.Node) {
	r.plan.Nodes = entries(r, n, "node types", func(at *yamldoc.Node, name string) Node {
		x := statedNode{overlay: overlay{reader: r, at: at, name: name}, Node: Node{Cores: 1, RackUnits: 1}}
		nodeKeys.Read(&r.Decoder, at, &x)
		return x.Node
	})
}

// processors reads what the processes of a node run on, and how they are connected.
func (x *statedNode) processors(k *schema.Keys) {
	n := &x.Node
	if devices := x.given["devices"]; devices != nil || n.Devices != nil {
		x.onDevices(devices)
	} else {
		x.onCores(k)
	}
	x.partition()
	x.connections()
}

// powers reads what a node draws beside its power under load.
func (x *statedNode) powers() {
	x.idlePower()
	x.waitPower()
	x.devicePower()
}

// partition reads the partition of a node.
func (x *statedNode) partition() {
	o, n := &x.overlay, &x.Node
	n.Partition = partitionOfCores
	if n.Devices != nil {
		n.Partition = partitionOfDevices
	}
	if v := x.given["partition"]; v != nil {
		n.Partition = schema.Name.Check(&o.Decoder, v, o.String(v, "the name of a partition"))
	}
}

// The partitions of nodes of which the plan does not say it.
const (
	partitionOfCores   = "cpu"
	partitionOfDevices = "gpu"
)

// sale reads whether a node can be bought, and its price.
func (x *statedNode) sale(k *schema.Keys) {
	o, n := &x.overlay, &x.Node
	said, price := x.given["for_sale"], x.given["price"]
	n.ForSale = said == nil || o.Bool(said)
	if said == nil && price == nil {
		o.unpriced = append(o.unpriced, n.Name)
	}
	if price == nil && n.ForSale {
		o.need(k, "price", schema.Node(schema.Money, &price).Wanted(wantMoney), "")
	}
	if price != nil || n.ForSale {
		n.Price = o.replacePrice(price, QuantityPrice, n.Price)
	} else {
		n.Price = units.Money{Currency: o.plan.Budget.Money.Currency}
	}
}

// idleShare is the power of an idle node over that under load where the file does not
// say: servers without work draw about half of their full power [Barroso2007].
const idleShare = 0.5

// idlePower reads the power of an idle node.
func (x *statedNode) idlePower() {
	o, n := &x.overlay, &x.Node
	v := x.given["idle_power"]
	switch known := n.IdlePower > 0 && n.Find(quantityIdlePower) != nil; {
	case v == nil && known && n.IdlePower <= n.Power:
		return // that of the catalogue
	case v == nil:
		n.IdlePower = idleShare * n.Power
		n.figure(quantityIdlePower, n.IdlePower.String(), "estimate: half of the power under load [Barroso2007]")
		return
	}
	if replace(o, v, schema.Power, quantityIdlePower, &n.IdlePower); n.IdlePower > n.Power && o.Err() == nil {
		o.Fail(v, "more than the power under load", fmt.Sprintf("at most %v", n.Power))
	}
}

// waitPower reads the power of a node whose processes are in messages.
func (x *statedNode) waitPower() {
	o, n := &x.overlay, &x.Node
	v := x.given["wait_power"]
	if v == nil {
		n.WaitPower = energy.Halfway(n.IdlePower, n.Power)
		n.figure(quantityWaitPower, n.WaitPower.String(), "estimate: halfway between idle and load")
		return
	}
	if replace(o, v, schema.Power, quantityWaitPower, &n.WaitPower); (n.WaitPower < n.IdlePower || n.WaitPower > n.Power) && o.Err() == nil {
		o.Fail(v, "not between the powers without work and under load", fmt.Sprintf("%v to %v", n.IdlePower, n.Power))
	}
}

// onCores reads a node whose processes run on cores.
func (x *statedNode) onCores(k *schema.Keys) {
	o, n := &x.overlay, &x.Node
	x.cores()
	x.speed(k)
	replace(o, x.given["memory"], schema.PositiveSize, quantityMemory, &n.Memory)
	replace(o, x.given["memory_bandwidth"], schema.Bandwidth, QuantityMemoryBandwidth, &n.MemoryBandwidth)
	if v := x.given["kernels"]; v != nil {
		n.Kernels = machines.ReadKernels(&o.Decoder, v)
	}
	x.without(onDevices, "a node with devices")
}

// without refuses keys that have no meaning for the node.
func (x *statedNode) without(keys []string, belong string) {
	for _, key := range keys {
		if v := x.given[key]; v != nil {
			x.Fail(v, key+" is a key of "+belong, "no "+key+" here")
		}
	}
}

// cores reads the cores of a node and its processes. A node of the catalogue with
// other cores than there has its speed in proportion.
func (x *statedNode) cores() {
	o, n := &x.overlay, &x.Node
	if v := x.given["cores"]; v != nil {
		before := n.Cores
		n.Cores = o.Int(v, 1, MaxNodes, "the number of cores of a node, at least 1")
		n.Speed *= units.FlopsPerSecond(n.Cores) / units.FlopsPerSecond(before)
		if f := n.Find(QuantitySpeed); f != nil && n.Cores != before {
			f.Value = n.Speed.String()
			f.Source += fmt.Sprintf("; scaled from %d to %d cores", before, n.Cores)
		}
	}
	processes := schema.Integer{Min: 1, Max: n.Cores}
	n.Processes = processes.ReadOr(&o.Decoder, x.given["processes_per_node"], fmt.Sprintf("the number of processes of a node, 1 to its %d cores", n.Cores), n.Cores)
	fit := max(1, n.Cores/max(1, n.Processes))
	threads := schema.Integer{Min: 1, Max: fit}
	n.Threads = threads.ReadOr(&o.Decoder, x.given["threads_per_process"], fmt.Sprintf("the number of threads of a process, 1 to %d: each has a core to itself", fit), fit)
}

// speed reads the marked speed of a node, given for a core or for the node.
func (x *statedNode) speed(k *schema.Keys) {
	o, n := &x.overlay, &x.Node
	core, node := x.given["marked_speed"], x.given["node_speed"]
	switch {
	case core != nil && node != nil:
		o.Fail(node, "the speed is given twice", "marked_speed of a core or node_speed of the node")
		return
	case core != nil:
		n.Speed = units.FlopsPerSecond(n.Cores) * schema.Speed.Read(&o.Decoder, core)
	case node != nil:
		n.Speed = schema.Speed.Read(&o.Decoder, node)
	default:
		o.need(k, "marked_speed", schema.Node(schema.Speed, &core).Wanted("the speed that a core sustains in a benchmark, such as 30 Gflop/s; or node_speed, that of the node"), "")
		return
	}
	n.figure(QuantitySpeed, n.Speed.String(), o.source)
}

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

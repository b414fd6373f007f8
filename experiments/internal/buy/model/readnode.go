package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/model/units"
)

var nodeObject = &schema.Object{What: "a node type, as in {catalogue: genoa, price: 14000 EUR} or {cores: 64, marked_speed: 30 Gflop/s, power: 700 W, price: 9000 EUR}", Fields: []schema.Field{
	{Key: "catalogue", Type: schema.Later(func() schema.Type { return schema.OneOf(names(CatalogueNodes())) }), Meaning: "a built-in node type to start from"},
	{Key: "title", Type: schema.Text, Meaning: "the node in a few words"},
	{Key: "source", Type: schema.Text, Default: planSource, Meaning: "where the figures come from; estimates if it begins with estimate"},
	{Key: "cores", Type: countType, Default: "1, or those of the catalogue", Meaning: "cores of a node; the speed of the catalogue changes in proportion"},
	{Key: "processes_per_node", Type: countType, Default: "cores", Meaning: "processes of a node"},
	{Key: "threads_per_process", Type: countType, Default: "cores over processes_per_node, rounded down", Meaning: "threads of each process, each on a core of its own"},
	{Key: "marked_speed", Type: ranged(schema.Speed), Meaning: "benchmarked speed of a core"},
	{Key: "node_speed", Type: ranged(schema.Speed), Meaning: "benchmarked speed of a node, in place of marked_speed"},
	{Key: "memory", Type: schema.PositiveSize, Default: "not checked", Meaning: "memory of a node"},
	{Key: "memory_bandwidth", Type: ranged(schema.Bandwidth), Default: "no limit", Meaning: "memory bandwidth of a node"},
	{Key: "devices", Type: machines.Devices.Object, Meaning: "accelerators of a node, on which its processes run, in place of cores and their speed and memory"},
	{Key: "precision", Type: schema.Name, Default: "fp64, or the only one", Meaning: "the precision of devices whose marked speed counts"},
	{Key: "partition", Type: schema.Name, Default: "gpu with devices, else cpu", Meaning: "the name by which workloads choose where they run"},
	{Key: "nics", Type: machines.CardCount, Default: "1, or those of the catalogue", Meaning: "network cards of a node, each with a port"},
	{Key: "on_node", Type: onNodeKeys.Object, Default: "that of the catalogue or of the plan", Meaning: "the connection between the processes of a node of this type"},
	{Key: "kernels", Type: machines.KernelsType, Meaning: "fractions of the marked speed of a core that inner loops sustain, by name"},
	{Key: "power", Type: ranged(schema.Power), Meaning: "power of a node under load, without devices that give their own"},
	{Key: "idle_power", Type: schema.Power, Default: "half of power, an estimate", Meaning: "power of a node that does not compute, without devices that give their own"},
	{Key: "wait_power", Type: schema.Power, Default: "halfway between the others, an estimate", Meaning: "power of a node whose processes are in messages, without devices that give their own"},
	{Key: "rack_units", Type: rackUnits, Default: "1, or those of the catalogue", Meaning: "height of a node"},
	{Key: "price", Type: ranged(schema.Money), Meaning: "price of a node; not needed of one that is not for sale"},
	{Key: "for_sale", Type: schema.Boolean, Default: "true, or of the nodes of the existing machine whether their price is given", Meaning: "false: the node type of the existing machine, which cannot be bought any more"},
}}

// rackUnits is a height.
var rackUnits = schema.Number{Max: 1000}

// onCores are the keys of nodes whose processes run on cores, and onDevices those of
// nodes whose processes run on devices.
var (
	onCores   = []string{"cores", "threads_per_process", "memory", "memory_bandwidth", "kernels", "marked_speed", "node_speed"}
	onDevices = []string{"devices", "precision"}
)

// nodeType is a node type, whole or over one of the catalogue, with its speed given
// for a core, for the node, or by its devices.
func nodeType() schema.Type {
	known := nodeObject.Requiring("catalogue").Without("devices")
	forms := schema.AnyOf{known.Without("node_speed"), known.Without("marked_speed")}
	for _, keys := range [][]string{{"power", "price"}, {"power", "for_sale"}} {
		whole := nodeObject.Without("catalogue").Requiring(keys...)
		cores := whole.Without(onDevices...)
		forms = append(forms,
			cores.Without("node_speed").Requiring("marked_speed"), cores.Without("marked_speed").Requiring("node_speed"),
			whole.Without(onCores...).Requiring("devices"))
	}
	return forms
}

func (r *reader) nodes(n *yamldoc.Node) {
	catalogue := CatalogueNodes()
	r.plan.Nodes = entries(r, n, "node types", func(at *yamldoc.Node, name string) Node { return r.node(at, name, catalogue) })
}

func (r *reader) node(at *yamldoc.Node, name string, catalogue []Node) Node {
	o := r.overlay(at, nodeObject)
	n := Node{Cores: 1, RackUnits: 1}
	if i := o.base("node type", names(catalogue)); i >= 0 {
		n = catalogue[i]
	}
	o.begin(&n.Entry, name)
	if devices := o.keys.Take("devices"); devices != nil || n.Devices != nil {
		o.onDevices(&n, devices)
	} else {
		o.onCores(&n)
	}
	o.partition(&n)
	o.connections(&n)
	n.Power = replace(o, o.need(o.keys, "power", schema.Power.Want), schema.Power, QuantityPower, n.Power)
	o.idlePower(&n)
	o.waitPower(&n)
	o.devicePower(&n)
	space := o.keys.Take("rack_units")
	n.RackUnits = o.height(space, n.RackUnits, "node")
	switch {
	case space != nil:
		n.figure(quantitySpace, input.Number(n.RackUnits), o.source)
	case !o.inCatalogue:
		n.figure(quantitySpace, input.Number(n.RackUnits), "estimate: default")
	}
	o.sale(&n)
	o.keys.Done()
	return n
}

// partition reads the partition of a node.
func (o *overlay) partition(n *Node) {
	n.Partition = partitionOfCores
	if n.Devices != nil {
		n.Partition = partitionOfDevices
	}
	if v := o.keys.Take("partition"); v != nil {
		n.Partition = schema.Name.Check(&o.Decoder, v, o.String(v, "the name of a partition"))
	}
}

// The partitions of nodes of which the plan does not say it.
const (
	partitionOfCores   = "cpu"
	partitionOfDevices = "gpu"
)

// sale reads whether a node can be bought, and its price.
func (o *overlay) sale(n *Node) {
	said, price := o.keys.Take("for_sale"), o.keys.Take("price")
	n.ForSale = said == nil || o.Bool(said)
	if said == nil && price == nil {
		o.unpriced = append(o.unpriced, n.Name)
	}
	if price == nil && n.ForSale {
		price = o.need(o.keys, "price", wantMoney)
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
func (o *overlay) idlePower(n *Node) {
	v := o.keys.Take("idle_power")
	switch known := n.IdlePower > 0 && n.Find(quantityIdlePower) != nil; {
	case v == nil && known && n.IdlePower <= n.Power:
		return // that of the catalogue
	case v == nil:
		n.IdlePower = idleShare * n.Power
		n.figure(quantityIdlePower, n.IdlePower.String(), "estimate: half of the power under load [Barroso2007]")
		return
	}
	if n.IdlePower = replace(o, v, schema.Power, quantityIdlePower, n.IdlePower); n.IdlePower > n.Power && o.Err() == nil {
		o.Fail(v, "more than the power under load", fmt.Sprintf("at most %v", n.Power))
	}
}

// waitPower reads the power of a node whose processes are in messages.
func (o *overlay) waitPower(n *Node) {
	v := o.keys.Take("wait_power")
	if v == nil {
		n.WaitPower = energy.Halfway(n.IdlePower, n.Power)
		n.figure(quantityWaitPower, n.WaitPower.String(), "estimate: halfway between idle and load")
		return
	}
	if n.WaitPower = replace(o, v, schema.Power, quantityWaitPower, n.WaitPower); (n.WaitPower < n.IdlePower || n.WaitPower > n.Power) && o.Err() == nil {
		o.Fail(v, "not between the powers without work and under load", fmt.Sprintf("%v to %v", n.IdlePower, n.Power))
	}
}

// onCores reads a node whose processes run on cores.
func (o *overlay) onCores(n *Node) {
	o.cores(n)
	o.speed(n)
	n.Memory = replace(o, o.keys.Take("memory"), schema.PositiveSize, quantityMemory, n.Memory)
	n.MemoryBandwidth = replace(o, o.keys.Take("memory_bandwidth"), schema.Bandwidth, QuantityMemoryBandwidth, n.MemoryBandwidth)
	if v := o.keys.Take("kernels"); v != nil {
		n.Kernels = machines.ReadKernels(&o.Decoder, v)
	}
	o.without(onDevices, "a node with devices")
}

// without refuses keys that have no meaning for the node.
func (o *overlay) without(keys []string, belong string) {
	for _, key := range keys {
		if v := o.keys.Take(key); v != nil {
			o.Fail(v, key+" is a key of "+belong, "no "+key+" here")
		}
	}
}

// cores reads the cores of a node and its processes. A node of the catalogue with
// other cores than there has its speed in proportion.
func (o *overlay) cores(n *Node) {
	if v := o.keys.Take("cores"); v != nil {
		before := n.Cores
		n.Cores = o.Int(v, 1, MaxNodes, "the number of cores of a node, at least 1")
		n.Speed *= units.FlopsPerSecond(n.Cores) / units.FlopsPerSecond(before)
		if f := n.Find(QuantitySpeed); f != nil && n.Cores != before {
			f.Value = n.Speed.String()
			f.Source += fmt.Sprintf("; scaled from %d to %d cores", before, n.Cores)
		}
	}
	processes := schema.Integer{Min: 1, Max: n.Cores}
	n.Processes = processes.ReadOr(&o.Decoder, o.keys.Take("processes_per_node"), fmt.Sprintf("the number of processes of a node, 1 to its %d cores", n.Cores), n.Cores)
	fit := max(1, n.Cores/max(1, n.Processes))
	threads := schema.Integer{Min: 1, Max: fit}
	n.Threads = threads.ReadOr(&o.Decoder, o.keys.Take("threads_per_process"), fmt.Sprintf("the number of threads of a process, 1 to %d: each has a core to itself", fit), fit)
}

// speed reads the marked speed of a node, given for a core or for the node.
func (o *overlay) speed(n *Node) {
	core, node := o.keys.Take("marked_speed"), o.keys.Take("node_speed")
	switch {
	case core != nil && node != nil:
		o.Fail(node, "the speed is given twice", "marked_speed of a core or node_speed of the node")
		return
	case core != nil:
		n.Speed = units.FlopsPerSecond(n.Cores) * schema.Speed.Read(&o.Decoder, core)
	case node != nil:
		n.Speed = schema.Speed.Read(&o.Decoder, node)
	default:
		o.need(o.keys, "marked_speed", "the speed that a core sustains in a benchmark, such as 30 Gflop/s; or node_speed, that of the node")
		return
	}
	n.figure(QuantitySpeed, n.Speed.String(), o.source)
}

// height reads the rack units of a node or a switch, or returns other.
func (r *reader) height(n *yamldoc.Node, other float64, of string) float64 {
	return rackUnits.ReadOr(&r.Decoder, n, "the height of a "+of+" in rack units, at least 0", other)
}

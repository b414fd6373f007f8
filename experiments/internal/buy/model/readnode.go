package model

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// A statedNode is a node type of a plan, read over one of the catalogue. The keys of its processors and devices depend
// on each other, so they are read together.
type statedNode struct {
	overlay
	Node
}

var nodeKeys = schema.Declare("a node type, as in {catalogue: genoa, price: 14000 EUR} or {cores: 64, marked_speed: 30 Gflop/s, power: 700 W, price: 9000 EUR}", func(k *schema.Keys, x *statedNode) {
	later := func(of schema.Type) *schema.Function { return schema.Func(of, func(*yamldoc.Node) {}) }
	var cores int
	fromCatalogue(k, &x.overlay, &x.Node, CatalogueNodes, "node type")
	x.begin(k, &x.Entry, "the node in a few words")
	k.Optional("cores", countType.Wanted("the number of cores of a node, at least 1").To(&cores).Or(x.Cores).Else("1, or those of the catalogue"), "cores of a node; the speed of the catalogue changes in proportion")
	k.Optional("processes_per_node", later(countType).Else("cores"), "processes of a node")
	k.Optional("threads_per_process", later(countType).Else("cores over processes_per_node, rounded down"), "threads of each process, each on a core of its own")
	k.Optional("marked_speed", later(withRange(schema.Speed)), "benchmarked speed of a core")
	k.Optional("node_speed", later(withRange(schema.Speed)), "benchmarked speed of a node, in place of marked_speed")
	if !k.Declaring() {
		x.processors(k, cores)
	}
	figure(k, &x.overlay, "memory", schema.PositiveSize.To(&x.Memory).Else("not checked"), &x.Memory, quantityMemory, "memory of a node")
	figure(k, &x.overlay, "memory_bandwidth", ranged(schema.Bandwidth.To(&x.MemoryBandwidth)).Else("no limit"), &x.MemoryBandwidth, QuantityMemoryBandwidth, "memory bandwidth of a node")
	k.Optional("devices", later(machines.Devices.Object), "accelerators of a node, on which its processes run, in place of cores and their speed and memory")
	k.Optional("precision", later(schema.Name).Else("fp64, or the only one"), "the precision of devices whose marked speed counts")
	k.Optional("partition", schema.Name.To(&x.Partition).Else("gpu with devices, else cpu"), "the name by which workloads choose where they run")
	figure(k, &x.overlay, "nics", machines.CardCount.Wanted("the number of network cards, at least 1").To(&x.Cards).Else("1, or those of the catalogue"), &x.Cards, quantityCards, "network cards of a node, each with a port")
	k.Optional("on_node", schema.Func(onNodeKeys.Object, func(v *yamldoc.Node) { x.inside(x.connection(v, x.source)) }).Else("that of the catalogue or of the plan"), "the connection between the processes of a node of this type")
	k.Optional("kernels", schema.Func(machines.KernelsType, func(v *yamldoc.Node) { x.Kernels = machines.ReadKernels(k.Decoder, v) }), "fractions of the marked speed of a core that inner loops sustain, by name")
	x.need(k, "power", ranged(schema.Power.To(&x.Power)), "power of a node under load, without devices that state their own")
	x.stated(k, "power", QuantityPower, x.Power)
	k.Optional("idle_power", schema.Power.To(&x.IdlePower).Else("half of power, an estimate"), "power of an idle node, without devices that state their own")
	k.Optional("wait_power", schema.Power.To(&x.WaitPower).Else("halfway between the others, an estimate"), "power of a node whose processes communicate, without devices that state their own")
	if !k.Declaring() {
		x.powers(k)
	}
	k.Optional("rack_units", rackUnits.To(&x.RackUnits).Else("1, or those of the catalogue"), "height of a node")
	if x.stated(k, "rack_units", quantitySpace, input.Number(x.RackUnits)); x.Find(quantitySpace) == nil {
		x.figure(quantitySpace, input.Number(x.RackUnits), "estimate: default")
	}
	k.Optional("price", later(nodePrice), "price of a node, or prices by the least number of nodes bought; not needed for a node that is not for sale")
	k.Optional("for_sale", schema.Boolean.To(&x.ForSale).Or(true).Else("true; for a catalogue type of the existing machine, whether its price is given"), "false: the node type of the existing machine, which cannot be bought any more")
	if !k.Declaring() {
		x.sale(k)
	}
})

var rackUnits = schema.Number{Max: 1000, Want: "a height in rack units, at least 0"}

// onCores are the keys of nodes whose processes run on cores, and onDevices those of
// nodes whose processes run on devices.
var (
	onCores = []string{"cores", "threads_per_process", "memory", "memory_bandwidth", "kernels", "marked_speed",
		"node_speed"}
	onDevices = []string{"devices", "precision"}
)

// knownDevices is what a plan may say about devices of the catalogue.
var knownDevices = schema.Declare("efficiencies on the devices of the catalogue, as in {kernels: {gemm: 0.7}}", func(k *schema.Keys, d *topology.Devices) {
	k.Required("kernels", schema.Func(machines.KernelsType, func(v *yamldoc.Node) { d.Kernels = machines.ReadKernels(k.Decoder, v) }), "fractions of the marked speed that inner loops sustain on a device, by name")
})

// nodeType is a node type, whole or over one of the catalogue, with its speed given by core, by node, or by its
// devices.
func nodeType() schema.Type {
	known := nodeKeys.Requiring("catalogue")
	known.Field("devices").Type = knownDevices.Object
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

// without refuses keys that have no meaning for the node.
func (x *statedNode) without(k *schema.Keys, keys []string, belong string) {
	for _, key := range keys {
		if v := k.Node(key); v != nil {
			x.Fail(v, key+" is a key of "+belong, "no "+key+" here")
		}
	}
}

// upTo reads a number of processes or threads, from 1 to the most that fit.
func (x *statedNode) upTo(n *yamldoc.Node, most int, want string) int {
	return schema.Integer{Min: 1, Max: most}.ReadOr(&x.Decoder, n, fmt.Sprintf(want, most), most)
}

// processors reads what the processes of a node run on.
func (x *statedNode) processors(k *schema.Keys, cores int) {
	if k.Node("devices") != nil || x.Devices != nil {
		x.Partition = "gpu"
		x.onDevices(k)
		return
	}
	x.Partition = "cpu"
	x.without(k, onDevices, "a node with devices")
	x.scale(cores)
	x.Processes = x.upTo(k.Node("processes_per_node"), x.Cores, "the number of processes of a node, 1 to its %d cores")
	x.Threads = x.upTo(k.Node("threads_per_process"), max(1, x.Cores/max(1, x.Processes)), "the number of threads of a process, 1 to %d: each has a core to itself")
	core, node := k.Node("marked_speed"), k.Node("node_speed")
	switch {
	case core != nil && node != nil:
		x.Fail(node, "the speed is given twice", "marked_speed of a core or node_speed of the node")
		return
	case core != nil:
		x.Speed = units.FlopsPerSecond(x.Cores) * schema.Speed.Read(&x.Decoder, core)
	case node != nil:
		x.Speed = schema.Speed.Read(&x.Decoder, node)
	default:
		x.need(k, "marked_speed", schema.Node(schema.Speed, &core).Wanted("the speed that a core sustains in a benchmark, such as 30 Gflop/s; or node_speed, that of the node"), "")
		return
	}
	x.figure(QuantitySpeed, x.Speed.String(), x.source)
}

// scale gives a node of the catalogue another number of cores, with the speed in proportion.
func (x *statedNode) scale(cores int) {
	if cores == x.Cores {
		return
	}
	x.Speed *= units.FlopsPerSecond(cores) / units.FlopsPerSecond(x.Cores)
	if f := x.Find(QuantitySpeed); f != nil {
		f.Value = x.Speed.String()
		f.Source += fmt.Sprintf("; scaled from %d to %d cores", x.Cores, cores)
	}
	x.Cores = cores
}

// onDevices reads a node whose processes run on devices, its own or those of the catalogue.
func (x *statedNode) onDevices(k *schema.Keys) {
	x.without(k, onCores, "a node whose processes run on cores")
	v, known := k.Node("devices"), x.Devices != nil
	x.speedSource = x.source
	switch {
	case known:
		x.speedSource = "catalogue: estimate (peak of the product)"
		if v != nil {
			knownDevices.Read(&x.Decoder, v, x.Devices)
		}
	case x.inCatalogue:
		x.Fail(v, "the catalogue says that it has none", "no devices here, or no catalogue")
		fallthrough
	default:
		x.Devices = new(topology.Devices)
		machines.Devices.Read(&x.Decoder, v, x.Devices)
		x.Precision = x.Devices.DefaultPrecision()
	}
	d := x.Devices
	if p := k.Node("precision"); p != nil {
		x.Precision, x.PrecisionGiven = x.OneOf(p, d.Precisions(), "precision of these devices"), true
	} else if x.Precision == "" && len(d.Speeds) > 0 {
		x.Fail(x.at, "no precision", "one of "+input.List(d.Precisions()))
	}
	x.Cores, x.Threads = d.Count, 1
	x.Processes = x.upTo(k.Node("processes_per_node"), d.Count, "the number of processes of a node, 1 to its %d devices")
	if known && x.Precision == d.DefaultPrecision() {
		return // as in the catalogue
	}
	x.Speed = units.FlopsPerSecond(d.Count) * d.Speed(x.Precision)
	if known {
		x.figure(QuantitySpeed, x.Speed.String(), fmt.Sprintf("catalogue: estimate (peak at %s of the product)",
			x.Precision))
		return
	}
	x.figure(QuantitySpeed, x.Speed.String(), x.source)
	if x.Memory = units.Bytes(d.Count) * d.Memory; x.Memory > 0 {
		x.figure(quantityMemory, x.Memory.String(), x.source)
	}
	if x.MemoryBandwidth = units.BytesPerSecond(d.Count) * d.MemoryBandwidth; x.MemoryBandwidth > 0 {
		x.figure(QuantityMemoryBandwidth, x.MemoryBandwidth.String(), x.source)
	}
	if d.Link != nil {
		x.inside(*d.Link, x.source)
	}
}

func (n *Node) inside(c topology.Connection, source string) {
	n.OnNode = &c
	n.figure(QuantityInsideLatency, c.Latency.String(), source)
	n.figure(QuantityInsideBandwidth, c.Bandwidth.String(), source)
}

// idleShare is the power of an idle node relative to its power under load where the file does not say: idle servers
// draw about half of their full power [Barroso2007].
const idleShare = 0.5

// powers reads what a node draws other than under load, and adds the power of devices that state their own.
func (x *statedNode) powers(k *schema.Keys) {
	idle, wait := k.Node("idle_power"), k.Node("wait_power")
	switch {
	case idle != nil && x.IdlePower > x.Power && x.Err() == nil:
		x.Fail(idle, "more than the power under load", fmt.Sprintf("at most %v", x.Power))
	case idle != nil:
		x.figure(quantityIdlePower, x.IdlePower.String(), x.source)
	case x.IdlePower == 0 || x.IdlePower > x.Power || x.Find(quantityIdlePower) == nil: // else as in the catalogue
		x.IdlePower = idleShare * x.Power
		x.figure(quantityIdlePower, x.IdlePower.String(), "estimate: half of the power under load [Barroso2007]")
	}
	if wait == nil {
		x.WaitPower = energy.Halfway(x.IdlePower, x.Power)
		x.figure(quantityWaitPower, x.WaitPower.String(), "estimate: halfway between idle and load")
	} else if x.stated(k, "wait_power", quantityWaitPower, x.WaitPower); x.Err() == nil &&
		(x.WaitPower < x.IdlePower || x.WaitPower > x.Power) {
		x.Fail(wait, "not between the powers when idle and under load", fmt.Sprintf("%v to %v", x.IdlePower, x.Power))
	}
	d := x.Devices
	if d == nil || d.Power == 0 {
		return
	}
	idling := cmp.Or(d.IdlePower, idleShare*d.Power)
	waiting := cmp.Or(d.WaitPower, energy.Halfway(idling, d.Power))
	x.Power += units.Watts(units.Watts(d.Count) * d.Power)
	x.IdlePower += units.Watts(units.Watts(d.Count) * idling)
	x.WaitPower += units.Watts(units.Watts(d.Count) * waiting)
	x.figure(QuantityPower, x.Power.String(), x.source)
	x.Find(quantityIdlePower).Value, x.Find(quantityWaitPower).Value = x.IdlePower.String(), x.WaitPower.String()
}

func (x *statedNode) sale(k *schema.Keys) {
	said, price := k.Node("for_sale"), k.Node("price")
	if said == nil && price == nil {
		x.unpriced = append(x.unpriced, x.Name)
	}
	if price == nil && x.ForSale {
		x.need(k, "price", schema.Node(schema.Money, &price).Wanted(wantMoney+", or for_sale: false for what cannot be bought"), "")
	}
	if x.unsold = !x.ForSale; price.IsMapping() {
		x.prices(price, &x.Node, x.source)
	} else {
		x.Price = x.replacePrice(price, QuantityPrice, x.Price)
	}
}

// nodePrice is one price, or one for each least number of nodes.
var nodePrice = schema.AnyOf{withRange(schema.Money), schema.Map{Of: schema.Money, Keys: schema.Pattern("^[1-9][0-9]{0,6}$"), Min: 1}}

// prices reads the prices of a node by the least number of nodes at which each holds.
func (r *reader) prices(n *yamldoc.Node, x *Node, source string) {
	const want = "prices by the least number of nodes, from 1, as in {1: 14000 EUR, 32: 13000 EUR}"
	d := r.Mapping(n, want)
	x.Discounts = nil
	for i, key := range d.Keys() {
		v := d.Take(key)
		from, err := strconv.Atoi(key)
		price := r.price(v)
		last := Discount{0, price.Amount}
		if k := len(x.Discounts); k > 0 {
			last = x.Discounts[k-1]
		} else if i > 0 {
			last = Discount{1, x.Price.Amount}
		}
		switch {
		case err != nil || from < 1 || from > MaxNodes || i == 0 && from != 1 || from <= last.From:
			r.Fail(v, fmt.Sprintf("%q is not the next number of nodes", key), want)
		case price.Amount > last.Price && r.Err() == nil:
			r.Fail(v, "a price above that of fewer nodes", "prices that fall")
		case i == 0:
			x.Price = price
		default:
			x.Discounts = append(x.Discounts, Discount{from, price.Amount})
		}
	}
	if len(d.Keys()) == 0 {
		r.Fail(n, "no prices", want)
	}
	x.figure(QuantityPrice, r.plan.priceText(x), source)
}

// PrecisionOf returns the precision whose marked speed counts for a workload.
func (n *Node) PrecisionOf(w workload.Workload) string {
	if w.Application == nil || w.Application.Precision == "" || n.PrecisionGiven {
		return n.Precision
	}
	return w.Application.Precision
}

// place puts a process of a workload on the node.
func (n *Node) place(w workload.Workload) *topology.Placement {
	t := n.nodeType()
	run := topology.Block{Type: &t, Processes: 1, Threads: 1}
	if n.Devices != nil {
		run.Precision = n.PrecisionOf(w)
	}
	return &topology.Placement{Blocks: []topology.Block{run}}
}

// AssumedSpeeds warns of workloads that are assumed to reach the marked speed of the devices of node types.
func (p *Plan) AssumedSpeeds() (warnings []string) {
	for _, w := range p.Workloads {
		for i := range p.Nodes {
			if n := &p.Nodes[i]; w.RunsOn(n) {
				run := w.At(n).Run
				warnings = append(warnings, run.AssumedSpeeds(n.place(run))...)
			}
		}
	}
	slices.Sort(warnings)
	return slices.Compact(warnings)
}

// speedsKnown reports at n a workload with computations whose speed on a node type is not known, and notes the speeds
// other than the marked speed that applications use on devices.
func (r *reader) speedsKnown(n *yamldoc.Node) {
	if r.Err() != nil {
		return
	}
	for i := range r.plan.Nodes {
		x := &r.plan.Nodes[i]
		for _, w := range r.plan.Workloads {
			if !w.RunsOn(x) {
				continue
			}
			job := w.At(x).Run
			run := x.place(job)
			if err := job.CheckSpeeds(run); err != nil {
				r.Fail(n, err.Error(), "")
				return
			}
			if x.Devices == nil || job.Application == nil {
				continue
			}
			precisions := []string{run.Blocks[0].Precision}
			precisions = each.Append(precisions, job.Application.Loops, func(l application.Loop) string { return l.Precision })
			for _, p := range precisions {
				if p != "" && p != x.Precision && x.Find(speedOfDevice(p)) == nil {
					x.figure(speedOfDevice(p), x.Devices.Speed(p).String(), x.speedSource)
				}
			}
		}
	}
}

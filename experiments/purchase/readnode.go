package purchase

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

func (r *reader) nodes(n *yamldoc.Node) {
	d := r.Mapping(n, "node types by name")
	if !r.count(n, len(d.Keys()), "node types") {
		return
	}
	catalogue := CatalogueNodes()
	for _, key := range d.Keys() {
		v := d.Take(key)
		r.plan.Nodes = append(r.plan.Nodes, r.node(v, r.Name(v, key), catalogue))
	}
}

func (r *reader) node(at *yamldoc.Node, name string, catalogue []Node) Node {
	d := r.Mapping(at, "a node type, as in {catalogue: genoa, price: 14000 EUR} or {cores: 64, marked_speed: 30 Gflop/s, power: 700 W, price: 9000 EUR}")
	n := Node{Name: name, Cores: 1, RackUnits: 1}
	inCatalogue := false
	if v := d.Take("catalogue"); v != nil {
		i := slices.Index(names(catalogue, nodeName), r.OneOf(v, names(catalogue, nodeName), "node type in the catalogue"))
		if i >= 0 {
			n, inCatalogue = catalogue[i], true
			n.Name, n.Figures = name, slices.Clone(n.Figures)
			for j := range n.Figures {
				n.Figures[j].Of = name
			}
		}
	}
	source := sourceOr(r.String(d.Take("source"), "where the figures of this entry come from"))
	if v := d.Take("title"); v != nil {
		n.Title = r.String(v, "a title")
	}
	before := n.Cores
	if v := d.Take("cores"); v != nil {
		n.Cores = r.Int(v, 1, maxNodes, "the number of cores of a node, at least 1")
		n.Speed *= units.FlopsPerSecond(n.Cores) / units.FlopsPerSecond(before)
		if i := slices.IndexFunc(n.Figures, func(f Figure) bool { return f.Quantity == quantitySpeed }); i >= 0 && n.Cores != before {
			n.Figures[i].Value = n.Speed.String()
			n.Figures[i].Source += fmt.Sprintf("; scaled from %d to %d cores", before, n.Cores)
		}
	}
	n.Processes = n.Cores
	if v := d.Take("processes_per_node"); v != nil {
		n.Processes = r.Int(v, 1, n.Cores, fmt.Sprintf("the number of processes of a node, 1 to its %d cores", n.Cores))
	}
	core, node := d.Take("marked_speed"), d.Take("node_speed")
	switch {
	case core != nil && node != nil:
		r.Fail(node, "the speed is given twice", "marked_speed of a core or node_speed of the node")
	case core == nil && node == nil && !inCatalogue:
		d.Require("marked_speed", "the speed that a core sustains in a benchmark, such as 30 Gflop/s; or node_speed, that of the node")
	case core != nil:
		n.Speed = units.FlopsPerSecond(n.Cores) * input.Speed.Read(&r.Decoder, core)
	case node != nil:
		n.Speed = input.Speed.Read(&r.Decoder, node)
	}
	if core != nil || node != nil {
		n.figure(quantitySpeed, n.Speed.String(), source)
	}
	if v := d.Take("memory"); v != nil {
		n.Memory = input.Size.Read(&r.Decoder, v)
		n.figure(quantityMemory, n.Memory.String(), source)
	}
	if v := d.Take("memory_bandwidth"); v != nil {
		n.MemoryBandwidth = input.Bandwidth.Read(&r.Decoder, v)
		n.figure(quantityMemoryBandwidth, n.MemoryBandwidth.String(), source)
	}
	power := d.Take("power")
	if power == nil && !inCatalogue {
		d.Require("power", input.Power.Want)
	}
	if power != nil {
		n.Power = input.Power.Read(&r.Decoder, power)
		n.figure(quantityPower, n.Power.String(), source)
	}
	if v := d.Take("rack_units"); v != nil {
		n.RackUnits = r.Float(v, "the height of a node in rack units, at least 0", func(x float64) bool { return x >= 0 && x <= 1000 })
		n.figure(quantitySpace, number(n.RackUnits), source)
	} else if !inCatalogue {
		n.figure(quantitySpace, number(n.RackUnits), "estimate: default")
	}
	price := d.Take("price")
	switch {
	case price != nil:
		given := r.amount(price)
		n.Price = r.convert(price, given)
		n.figure(quantityPrice, r.priceText(given, n.Price), source)
	case inCatalogue:
		given := n.Price
		n.Price = r.convert(at, given)
		f := n.Figures[0] // the price
		n.figure(quantityPrice, r.priceText(given, n.Price), f.Source)
	default:
		d.Require("price", wantMoney)
	}
	d.Done()
	return n
}

package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

var networkObject = &schema.Object{What: "a network, as in {catalogue: infiniband-edr, price_per_port: 900 EUR} or {latency: 2 us, bandwidth: 3 GB/s, price_per_port: 400 EUR, switch: {price: 9000 EUR, ports: 48}}", Fields: []schema.Field{
	{Key: "catalogue", Type: schema.Later(func() schema.Type { return schema.OneOf(names(CatalogueNetworks())) }), Meaning: "a built-in network to start from"},
	{Key: "title", Type: schema.Text, Meaning: "the network in a few words"},
	{Key: "source", Type: schema.Text, Default: planSource, Meaning: "where the figures come from; estimates if it begins with estimate"},
	{Key: "latency", Type: ranged(schema.Time), Meaning: "time of an empty message through one switch"},
	{Key: "hop_latency", Type: schema.Time, Meaning: "time of each further switch"},
	{Key: "bandwidth", Type: ranged(schema.Bandwidth), Meaning: "of a port"},
	{Key: "price_per_port", Type: ranged(schema.Money), Meaning: "price of the adapter and the cable of a node"},
	{Key: "power_per_port", Type: ranged(schema.Power), Meaning: "power of a port"},
	{Key: "switch", Type: switchObject, Meaning: "the switches"},
	{Key: "price_per_cable", Type: ranged(schema.Money), Default: "0", Meaning: "price of a cable between switches"},
	{Key: "topology", Type: schema.OneOf{"star", "fat-tree"}, Default: "fat-tree", Meaning: "star: one switch only; fat-tree: two levels where one switch has too few ports"},
	{Key: "oversubscription", Type: oversubscription, Default: "1", Meaning: "nodes to uplinks of a leaf switch"},
}}

var switchObject = &schema.Object{What: "a switch, as in {price: 9000 EUR, ports: 48}", Fields: []schema.Field{
	{Key: "price", Type: ranged(schema.Money), Meaning: "price of the switch"},
	{Key: "ports", Type: portCount, Meaning: "ports of the switch"},
	{Key: "power", Type: ranged(schema.Power), Meaning: "power of the switch, without that of its ports"},
	{Key: "rack_units", Type: rackUnits, Default: "1", Meaning: "height of the switch"},
}}

var (
	portCount        = schema.Integer{Min: 2, Max: MaxNodes}
	oversubscription = schema.Number{Min: 1, Max: 100}
)

// networkType is a network, whole or over one of the catalogue.
func networkType() schema.Type {
	whole := networkObject.Without("catalogue").Requiring("latency", "bandwidth", "price_per_port", "switch")
	whole.Field("switch").Type = switchObject.Requiring("price", "ports")
	return schema.AnyOf{networkObject.Requiring("catalogue"), whole}
}

func (r *reader) networks(n *yamldoc.Node) {
	catalogue := CatalogueNetworks()
	r.plan.Networks = entries(r, n, "networks", func(at *yamldoc.Node, name string) Network { return r.network(at, name, catalogue) })
}

func (r *reader) network(at *yamldoc.Node, name string, catalogue []Network) Network {
	o := r.overlay(at, networkObject)
	n := Network{FatTree: true, Oversubscription: 1, Switch: Switch{RackUnits: 1}}
	if i := o.base("network", names(catalogue)); i >= 0 {
		n = catalogue[i]
	}
	o.begin(&n.Entry, name)
	n.Latency = replace(o, o.need(o.keys, "latency", schema.Time.Want), schema.Time, QuantityLatency, n.Latency)
	n.HopLatency = replace(o, o.keys.Take("hop_latency"), schema.Time, "", n.HopLatency)
	n.Bandwidth = replace(o, o.need(o.keys, "bandwidth", schema.Bandwidth.Want), schema.Bandwidth, QuantityBandwidth, n.Bandwidth)
	n.PortPrice = o.replacePrice(o.need(o.keys, "price_per_port", wantMoney+", for the adapter and cable of a node"), quantityPortPrice, n.PortPrice)
	n.CablePrice = r.price(o.keys.Take("price_per_cable"))
	o.switches(&n)
	if v := o.keys.Take("topology"); v != nil {
		n.FatTree = r.OneOf(v, []string{"star", "fat-tree"}, "topology") == "fat-tree"
	}
	n.Oversubscription = oversubscription.ReadOr(&r.Decoder, o.keys.Take("oversubscription"), "how much more bandwidth a leaf has to its nodes than to the spines, 1 to 100", n.Oversubscription)
	o.keys.Done()
	return n
}

// switches reads what a switch is, and the power of a port.
func (o *overlay) switches(n *Network) {
	s := switchObject.Open(&o.Decoder, o.need(o.keys, "switch", switchObject.What))
	const wantPorts = "the number of ports of a switch, at least 2"
	n.Switch.Ports = portCount.ReadOr(&o.Decoder, o.need(s, "ports", wantPorts), wantPorts, n.Switch.Ports)
	n.Switch.Price = o.replacePrice(o.need(s, "price", wantMoney), quantitySwitchPrice, n.Switch.Price)
	power, portPower := s.Take("power"), o.keys.Take("power_per_port")
	n.Switch.Power = replace(o, power, schema.Power, "", n.Switch.Power)
	n.PortPower = replace(o, portPower, schema.Power, "", n.PortPower)
	if power != nil || portPower != nil {
		n.figure(QuantityPower, n.powerText(), o.source)
	}
	n.Switch.RackUnits = o.height(s.Take("rack_units"), n.Switch.RackUnits, "switch")
	s.Done()
}

func (n *Network) powerText() string {
	return fmt.Sprintf("%v a port, %v a switch", n.PortPower, n.Switch.Power)
}

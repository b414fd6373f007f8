package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// A statedNetwork is read over one of the catalogue.
type statedNetwork struct {
	overlay
	Network
	portPower, switchPower bool // are given
}

var networkKeys = schema.Declare("a network, as in {catalogue: infiniband-edr, price_per_port: 900 EUR} or {latency: 2 us, bandwidth: 3 GB/s, price_per_port: 400 EUR, switch: {price: 9000 EUR, ports: 48}}", func(k *schema.Keys, x *statedNetwork) {
	o, n := &x.overlay, &x.Network
	k.Optional("catalogue", schema.Func(schema.Later(func() schema.Type { return schema.OneOf(names(CatalogueNetworks())) }), func(v *yamldoc.Node) {
		if i := o.index(v, names(CatalogueNetworks()), "network in the catalogue"); i >= 0 {
			*n, o.inCatalogue = CatalogueNetworks()[i], true
		}
	}), "a built-in network to start from")
	o.begin(k, &n.Entry, "the network in a few words")
	o.need(k, "latency", replaced(o, ranged(schema.Time), schema.Time, QuantityLatency, &n.Latency), "time of an empty message through one switch")
	k.Optional("hop_latency", schema.Time.To(&n.HopLatency), "time of each further switch")
	o.need(k, "bandwidth", replaced(o, ranged(schema.Bandwidth), schema.Bandwidth, QuantityBandwidth, &n.Bandwidth), "of a port")
	o.price(k, "price_per_port", wantMoney+", for the adapter and cable of a node", quantityPortPrice, &n.PortPrice, "price of the adapter and the cable of a node")
	k.Optional("power_per_port", schema.Func(ranged(schema.Power), func(v *yamldoc.Node) {
		n.PortPower, x.portPower = schema.Power.Read(k.Decoder, v), true
	}), "power of a port")
	var switches *yamldoc.Node
	o.need(k, "switch", schema.Node(switchKeys.Object, &switches).Wanted(switchKeys.What), "the switches")
	if !k.Declaring() {
		switchKeys.Read(k.Decoder, switches, x)
	}
	k.Optional("price_per_cable", schema.Func(ranged(schema.Money), func(v *yamldoc.Node) { n.CablePrice = o.reader.price(v) }).Else("0"), "price of a cable between switches")
	k.Optional("topology", schema.Func(schema.OneOf{"star", "fat-tree"}, func(v *yamldoc.Node) {
		n.FatTree = k.OneOf(v, []string{"star", "fat-tree"}, "topology") == "fat-tree"
	}).Else("fat-tree"), "star: one switch only; fat-tree: two levels where one switch has too few ports")
	k.Optional("oversubscription", oversubscription.To(&n.Oversubscription).Else("1"), "nodes to uplinks of a leaf switch")
})

var switchKeys = schema.Declare("a switch, as in {price: 9000 EUR, ports: 48}", func(k *schema.Keys, x *statedNetwork) {
	o, n := &x.overlay, &x.Network
	o.price(k, "price", wantMoney, quantitySwitchPrice, &n.Switch.Price, "price of the switch")
	o.need(k, "ports", schema.Func(portCount, func(v *yamldoc.Node) { n.Switch.Ports = portCount.ReadOr(k.Decoder, v, portCount.Want, 0) }).Wanted(portCount.Want), "ports of the switch")
	k.Optional("power", schema.Func(ranged(schema.Power), func(v *yamldoc.Node) {
		n.Switch.Power, x.switchPower = schema.Power.Read(k.Decoder, v), true
	}), "power of the switch, without that of its ports")
	if x.portPower || x.switchPower {
		n.figure(QuantityPower, n.powerText(), o.source)
	}
	k.Optional("rack_units", rackUnits.To(&n.Switch.RackUnits).Else("1"), "height of the switch")
})

var (
	portCount        = schema.Integer{Min: 2, Max: MaxNodes, Want: "the number of ports of a switch, at least 2"}
	oversubscription = schema.Number{Min: 1, Max: 100, Want: "how much more bandwidth a leaf has to its nodes than to the spines, 1 to 100"}
)

// networkType is a network, whole or over one of the catalogue.
func networkType() schema.Type {
	whole := networkKeys.Without("catalogue").Requiring("latency", "bandwidth", "price_per_port", "switch")
	whole.Field("switch").Type = switchKeys.Requiring("price", "ports")
	return schema.AnyOf{networkKeys.Requiring("catalogue"), whole}
}

func (r *reader) networks(n *yamldoc.Node) {
	r.plan.Networks = entries(r, n, "networks", func(at *yamldoc.Node, name string) Network {
		x := statedNetwork{overlay: overlay{reader: r, at: at, name: name}, Network: Network{FatTree: true, Oversubscription: 1, Switch: Switch{RackUnits: 1}}}
		networkKeys.Read(&r.Decoder, at, &x)
		return x.Network
	})
}

func (n *Network) powerText() string {
	return fmt.Sprintf("%v a port, %v a switch", n.PortPower, n.Switch.Power)
}

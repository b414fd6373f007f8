package purchase

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/schema"
	"github.com/isoscale/isoscale/experiments/yamldoc"
)

func (r *reader) networks(n *yamldoc.Node) {
	catalogue := CatalogueNetworks()
	r.plan.Networks = entries(r, n, "networks", func(at *yamldoc.Node, name string) Network { return r.network(at, name, catalogue) })
}

func (r *reader) network(at *yamldoc.Node, name string, catalogue []Network) Network {
	o := r.overlay(at, "a network, as in {catalogue: infiniband-edr, price_per_port: 900 EUR} or {latency: 2 us, bandwidth: 3 GB/s, price_per_port: 400 EUR, switch: {price: 9000 EUR, ports: 48}}")
	n := Network{FatTree: true, Oversubscription: 1, Switch: Switch{RackUnits: 1}}
	if i := o.base("network", names(catalogue)); i >= 0 {
		n = catalogue[i]
	}
	o.begin(&n.Entry, name)
	n.Latency = replace(o, o.need(o.keys, "latency", schema.Time.Want), schema.Time, quantityLatency, n.Latency)
	n.HopLatency = replace(o, o.keys.Take("hop_latency"), schema.Time, "", n.HopLatency)
	n.Bandwidth = replace(o, o.need(o.keys, "bandwidth", schema.Bandwidth.Want), schema.Bandwidth, quantityBandwidth, n.Bandwidth)
	n.PortPrice = o.replacePrice(o.need(o.keys, "price_per_port", wantMoney+", for the adapter and cable of a node"), quantityPortPrice, n.PortPrice)
	n.CablePrice = r.price(o.keys.Take("price_per_cable"))
	o.switches(&n)
	if v := o.keys.Take("topology"); v != nil {
		n.FatTree = r.OneOf(v, []string{"star", "fat-tree"}, "topology") == "fat-tree"
	}
	n.Oversubscription = r.floatOr(o.keys.Take("oversubscription"), n.Oversubscription, "how much more bandwidth a leaf has to its nodes than to the spines, 1 to 100", within(1, 100))
	o.keys.Done()
	return n
}

// switches reads what a switch is, and the power of a port.
func (o *overlay) switches(n *Network) {
	const want = "a switch, as in {price: 9000 EUR, ports: 48}"
	s := o.Mapping(o.need(o.keys, "switch", want), want)
	const wantPorts = "the number of ports of a switch, at least 2"
	if v := o.need(s, "ports", wantPorts); v != nil {
		n.Switch.Ports = o.Int(v, 2, maxNodes, wantPorts)
	}
	n.Switch.Price = o.replacePrice(o.need(s, "price", wantMoney), quantitySwitchPrice, n.Switch.Price)
	power, portPower := s.Take("power"), o.keys.Take("power_per_port")
	n.Switch.Power = replace(o, power, schema.Power, "", n.Switch.Power)
	n.PortPower = replace(o, portPower, schema.Power, "", n.PortPower)
	if power != nil || portPower != nil {
		n.figure(quantityPower, n.powerText(), o.source)
	}
	n.Switch.RackUnits = o.height(s.Take("rack_units"), n.Switch.RackUnits, "switch")
	s.Done()
}

func (n *Network) powerText() string {
	return fmt.Sprintf("%v a port, %v a switch", n.PortPower, n.Switch.Power)
}

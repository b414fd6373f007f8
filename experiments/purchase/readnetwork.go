package purchase

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

func (r *reader) networks(n *yamldoc.Node) {
	d := r.Mapping(n, "networks by name")
	if !r.count(n, len(d.Keys()), "networks") {
		return
	}
	catalogue := CatalogueNetworks()
	for _, key := range d.Keys() {
		v := d.Take(key)
		r.plan.Networks = append(r.plan.Networks, r.network(v, r.Name(v, key), catalogue))
	}
}

func (r *reader) network(at *yamldoc.Node, name string, catalogue []Network) Network {
	d := r.Mapping(at, "a network, as in {catalogue: infiniband-edr, price_per_port: 900 EUR} or {latency: 2 us, bandwidth: 3 GB/s, price_per_port: 400 EUR, switch: {price: 9000 EUR, ports: 48}}")
	n := Network{Name: name, FatTree: true, Oversubscription: 1, Switch: Switch{RackUnits: 1}}
	inCatalogue := false
	if v := d.Take("catalogue"); v != nil {
		i := slices.Index(names(catalogue, networkName), r.OneOf(v, names(catalogue, networkName), "network in the catalogue"))
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
	// need is Require for what the catalogue does not know.
	need := func(m *yamldoc.Mapping, key, want string) *yamldoc.Node {
		if inCatalogue {
			return m.Take(key)
		}
		return m.Require(key, want)
	}
	if v := need(d, "latency", input.Time.Want); v != nil {
		n.Latency = input.Time.Read(&r.Decoder, v)
		n.figure(quantityLatency, n.Latency.String(), source)
	}
	n.HopLatency = input.Time.Read(&r.Decoder, d.Take("hop_latency"))
	if v := need(d, "bandwidth", input.Bandwidth.Want); v != nil {
		n.Bandwidth = input.Bandwidth.Read(&r.Decoder, v)
		n.figure(quantityBandwidth, n.Bandwidth.String(), source)
	}
	n.PortPrice = r.networkPrice(&n, need(d, "price_per_port", wantMoney+", for the adapter and cable of a node"), at, quantityPortPrice, n.PortPrice, source)
	n.CablePrice = r.price(d.Take("price_per_cable"))
	s := r.Mapping(need(d, "switch", "a switch, as in {price: 9000 EUR, ports: 48}"), "a switch, as in {price: 9000 EUR, ports: 48}")
	if !inCatalogue || len(s.Keys()) > 0 {
		if v := need(s, "ports", "the number of ports of a switch, at least 2"); v != nil {
			n.Switch.Ports = r.Int(v, 2, maxNodes, "the number of ports of a switch, at least 2")
		}
	}
	n.Switch.Price = r.networkPrice(&n, need(s, "price", wantMoney), at, quantitySwitchPrice, n.Switch.Price, source)
	power, port := s.Take("power"), d.Take("power_per_port")
	n.Switch.Power = quantityOr(r, power, n.Switch.Power)
	n.PortPower = quantityOr(r, port, n.PortPower)
	if power != nil || port != nil {
		n.figure(quantityPower, fmt.Sprintf("%v a port, %v a switch", n.PortPower, n.Switch.Power), source)
	}
	if v := s.Take("rack_units"); v != nil {
		n.Switch.RackUnits = r.Float(v, "the height of a switch in rack units, at least 0", func(x float64) bool { return x >= 0 && x <= 1000 })
	}
	s.Done()
	if v := d.Take("topology"); v != nil {
		n.FatTree = r.OneOf(v, []string{"star", "fat-tree"}, "topology") == "fat-tree"
	}
	if v := d.Take("oversubscription"); v != nil {
		n.Oversubscription = r.Float(v, "how much more bandwidth a leaf has to its nodes than to the spines, 1 to 100", func(x float64) bool { return x >= 1 && x <= 100 })
	}
	d.Done()
	return n
}

func quantityOr(r *reader, n *yamldoc.Node, w units.Watts) units.Watts {
	if n == nil {
		return w
	}
	return input.Power.Read(&r.Decoder, n)
}

// networkPrice reads a price of a network, or converts that of the catalogue.
func (r *reader) networkPrice(n *Network, v, at *yamldoc.Node, quantity string, catalogue units.Money, source string) units.Money {
	given := catalogue
	if v != nil {
		given, at = r.amount(v), v
	} else if catalogue.Currency == "" {
		return catalogue
	}
	price := r.convert(at, given)
	if v == nil {
		for _, f := range n.Figures {
			if f.Quantity == quantity {
				source = f.Source
			}
		}
	}
	n.figure(quantity, r.priceText(given, price), source)
	return price
}

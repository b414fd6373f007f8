package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// An overlay reads an entry of a plan, a node type or a network, over an entry of
// the catalogue: a value in the file replaces that of the catalogue. An entry
// without the key catalogue must give every value that has no default.
type overlay struct {
	*reader
	at          *yamldoc.Node // the entry in the file
	name        string
	inCatalogue bool
	unsold      bool // it needs no prices
	entry       *Entry
	source      string // of the values in the file
}

// planSource is the source of figures for which the plan names none.
const planSource = "plan file"

// fromCatalogue declares the key catalogue, which fills an entry with the values of the catalogue.
func fromCatalogue[T interface{ name() string }](k *schema.Keys, o *overlay, x *T, catalogue func() []T, what string) {
	known := func() schema.Type { return schema.OneOf(names(catalogue())) }
	k.Optional("catalogue", schema.Func(schema.Later(known), func(v *yamldoc.Node) {
		all := catalogue()
		if i := slices.Index(names(all), o.OneOf(v, names(all), what+" in the catalogue")); i >= 0 {
			*x, o.inCatalogue = all[i], true
		}
	}), "a built-in "+what+" to start from")
}

// begin makes e, a copy of the catalogue entry or empty, the entry to read, and declares its title and source.
func (o *overlay) begin(k *schema.Keys, e *Entry, title string) {
	o.entry, o.source = e, planSource
	e.Name, e.Figures = o.name, slices.Clone(e.Figures)
	for i := range e.Figures {
		e.Figures[i].Of = o.name
	}
	k.Optional("title", schema.Text.To(&e.Title), title)
	k.Optional("source", schema.Text.To(&o.source).Else(planSource), "where the figures come from; estimates if it begins with estimate")
	o.source = cmp.Or(o.source, planSource)
}

// need declares a key that must be there unless the catalogue has the value.
func (o *overlay) need(k *schema.Keys, key string, b schema.Bound, meaning string) {
	if k.Declaring() || o.inCatalogue {
		k.Optional(key, b, meaning)
	} else {
		k.Required(key, b, meaning)
	}
}

// stated makes a value that the file gives a figure of the entry.
func (o *overlay) stated(k *schema.Keys, key, quantity string, value any) {
	if !k.Declaring() && k.Node(key) != nil {
		o.entry.figure(quantity, fmt.Sprint(value), o.source)
	}
}

// figure declares a key whose value becomes a figure of the entry.
func figure[T any](k *schema.Keys, o *overlay, key string, b schema.Bound, value *T, quantity, meaning string) {
	k.Optional(key, b, meaning)
	o.stated(k, key, quantity, *value)
}

// price declares a price, which must be there unless the catalogue has it or what it is of is not for sale.
func (o *overlay) price(k *schema.Keys, key, want, figure string, to *units.Money, meaning string) {
	var v *yamldoc.Node
	if price := schema.Node(withRange(schema.Money), &v).Wanted(want); o.unsold {
		k.Optional(key, price, meaning)
	} else {
		o.need(k, key, price, meaning)
	}
	if !k.Declaring() {
		*to = o.replacePrice(v, figure, *to)
	}
}

// replacePrice returns the price of an entry in the currency of the budget, from the file or else the catalogue.
func (o *overlay) replacePrice(v *yamldoc.Node, figure string, old units.Money) units.Money {
	switch {
	case v != nil:
		return o.pricedAt(v, o.entry, figure, o.amount(v), o.source)
	case o.unsold:
		return units.Money{Currency: o.plan.Budget.Money.Currency}
	case o.inCatalogue:
		f := *o.entry.Find(figure)
		price := o.pricedAt(o.at, o.entry, figure, old, f.Source)
		o.entry.Find(figure).Range, o.entry.Find(figure).Date = f.Range, f.Date
		return price
	}
	return old // a missing price has been reported
}

// pricedAt notes a price in any currency as a figure of an entry, and returns it in the currency of the budget.
func (r *reader) pricedAt(at *yamldoc.Node, e *Entry, figure string, given units.Money, source string) units.Money {
	price := r.convert(at, given)
	text := price.String()
	if given.Currency != price.Currency && given.Currency != "" {
		text = fmt.Sprintf("%v = %.6g %s", given, price.Amount, price.Currency)
	}
	e.figure(figure, text, source)
	return price
}

// entries reads node types or networks by name.
func entries[T any](r *reader, n *yamldoc.Node, what string, read func(at *yamldoc.Node, name string) T) (all []T) {
	for key, v := range r.Entries(n, what+" by name") {
		all = append(all, read(v, schema.Name.Check(&r.Decoder, v, key)))
	}
	if n.IsMapping() && (len(all) == 0 || len(all) > maxTypes) {
		r.Fail(n, fmt.Sprintf("%d %s", len(all), what), fmt.Sprintf("1 to %d", maxTypes))
	}
	return all
}

// one binds a key to the index of a node type, network or workload of the plan, -1 for none.
func (r *reader) one(of schema.Type, to *int, what string) *schema.Function {
	return schema.Func(of, func(n *yamldoc.Node) { *to = r.index(n, what) })
}

// index reads the name of a node type, network or workload and returns which it is, or -1.
func (r *reader) index(n *yamldoc.Node, what string) int {
	known := map[string][]string{"node type": names(r.plan.Nodes), "network": names(r.plan.Networks),
		"workload": names(r.plan.Workloads)}[what]
	return slices.Index(known, r.OneOf(n, known, what))
}

func (e Entry) name() string { return e.Name }

// names returns the names of node types, networks or workloads.
func names[T interface{ name() string }](all []T) []string {
	return each.Of(all, func(x T) string { return x.name() })
}

// A statedNetwork is a network of a plan, read over one of the catalogue.
type statedNetwork struct {
	overlay
	Network
}

var networkKeys = schema.Declare("a network, as in {catalogue: infiniband-edr, price_per_port: 900 EUR} or {latency: 2 us, bandwidth: 3 GB/s, price_per_port: 400 EUR, switch: {price: 9000 EUR, ports: 48}}", func(k *schema.Keys, x *statedNetwork) {
	fromCatalogue(k, &x.overlay, &x.Network, CatalogueNetworks, "network")
	x.begin(k, &x.Entry, "the network in a few words")
	x.need(k, "latency", ranged(schema.Time.To(&x.Latency)), "time of an empty message through one switch")
	x.stated(k, "latency", QuantityLatency, x.Latency)
	k.Optional("hop_latency", schema.Time.To(&x.HopLatency), "time of each further switch")
	x.need(k, "bandwidth", ranged(schema.Bandwidth.To(&x.Bandwidth)), "of a port")
	x.stated(k, "bandwidth", QuantityBandwidth, x.Bandwidth)
	sale := true
	k.Optional("for_sale", schema.Boolean.To(&sale).Or(true), "false: it is only part of bids, and needs no prices")
	x.BidsOnly, x.unsold = !sale, !sale
	x.price(k, "price_per_port", wantMoney+", for the adapter and cable of a node", quantityPortPrice, &x.PortPrice, "price of the adapter and the cable of a node")
	k.Optional("power_per_port", ranged(schema.Power.To(&x.PortPower)), "power of a port")
	var switches *yamldoc.Node
	x.need(k, "switch", schema.Node(switchKeys.Object, &switches).Wanted(switchKeys.What), "the switches")
	if !k.Declaring() {
		switchKeys.Read(k.Decoder, switches, x)
	}
	x.stated(k, "power_per_port", QuantityPower, x.powerText())
	var cable *yamldoc.Node
	k.Optional("price_per_cable", schema.Node(withRange(schema.Money), &cable).Else("0, or that of the catalogue"), "price of a cable between switches, with its optics")
	if !k.Declaring() {
		x.CablePrice = x.replacePrice(cable, quantityCablePrice, x.CablePrice)
	}
	k.Optional("topology", schema.Func(schema.OneOf{"star", "fat-tree"}, func(v *yamldoc.Node) {
		x.FatTree = k.OneOf(v, []string{"star", "fat-tree"}, "topology") == "fat-tree"
	}).Else("fat-tree"), "star: one switch only; fat-tree: two levels where one switch has too few ports")
	k.Optional("nodes", schema.Func(schema.List{Of: schema.Name, Min: 1}, func(v *yamldoc.Node) { x.Nodes = x.types(v) }).Else("any"), "the only node types that it connects")
	k.Optional("oversubscription", oversubscription.To(&x.Oversubscription).Else("1"), "nodes to uplinks of a leaf switch")
})

var switchKeys = schema.Declare("a switch, as in {price: 9000 EUR, ports: 48}", func(k *schema.Keys, x *statedNetwork) {
	s := &x.Switch
	x.price(k, "price", wantMoney, quantitySwitchPrice, &s.Price, "price of the switch")
	x.need(k, "ports", portCount.To(&s.Ports), "ports of the switch")
	k.Optional("power", ranged(schema.Power.To(&s.Power)), "power of the switch, without that of its ports")
	x.stated(k, "power", QuantityPower, x.powerText())
	k.Optional("rack_units", rackUnits.To(&s.RackUnits).Else("1"), "height of the switch")
})

var (
	portCount        = schema.Integer{Min: 2, Max: MaxNodes, Want: "the number of ports of a switch, at least 2"}
	oversubscription = schema.Number{Min: 1, Max: 100, Want: "how much more bandwidth a leaf has to its nodes than to the spines, 1 to 100"}
)

// networkType is a network, whole or over one of the catalogue.
func networkType() schema.Type {
	whole := networkKeys.Without("catalogue").Requiring("latency", "bandwidth", "price_per_port", "switch")
	whole.Field("switch").Type = switchKeys.Requiring("price", "ports")
	bidden := networkKeys.Without("catalogue").Requiring("latency", "bandwidth", "for_sale", "switch")
	bidden.Field("switch").Type = switchKeys.Requiring("ports")
	return schema.AnyOf{networkKeys.Requiring("catalogue"), whole, bidden}
}

func (r *reader) networks(n *yamldoc.Node) {
	r.plan.Networks = entries(r, n, "networks", func(at *yamldoc.Node, name string) Network {
		x := statedNetwork{overlay: overlay{reader: r, at: at, name: name},
			Network: Network{FatTree: true, Oversubscription: 1, Switch: Switch{RackUnits: 1}}}
		networkKeys.Read(&r.Decoder, at, &x)
		return x.Network
	})
}

// types reads the node types that a network connects.
func (r *reader) types(n *yamldoc.Node) []int {
	types := []int{}
	for _, v := range r.Sequence(n, "node types, as in [fat, thin]") {
		if t := r.index(v, "node type"); slices.Contains(types, t) {
			r.Fail(v, "the same node type twice", "each once")
		} else {
			types = append(types, t)
		}
	}
	if len(types) == 0 && n.IsSequence() {
		r.Fail(n, "no node types", "at least one")
	}
	return types
}

func (n *Network) powerText() string {
	return fmt.Sprintf("%v/port, %v/switch", n.PortPower, n.Switch.Power)
}

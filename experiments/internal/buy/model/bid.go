package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// A Bid is a whole machine that a vendor offers at one price. Each compatible set of its options is a bid of its own.
type Bid struct {
	Name    string // with its options: "bid of alpha with hdr"
	Base    string // without them
	Vendor  string
	Place   int   // in the file
	Counts  []int // of nodes, by index into Plan.Nodes
	Network int   // index into Plan.Networks
	Price   float64
	Yearly  float64 // paid each year, in place of maintenance; 0: none
}

// BidOf returns the bid behind a design, nil if the design's parts are bought one by one.
func (p *Plan) BidOf(d Design) *Bid {
	if d.Bid == 0 {
		return nil
	}
	return &p.Bids[d.Bid-1]
}

// BidChoices returns the machines of all bids.
func (p *Plan) BidChoices(retired bool) (all []Choice) {
	for i, b := range p.Bids {
		all = append(all, Design{Network: b.Network, Retired: retired, Bid: i + 1}.with(b.Counts))
	}
	return all
}

// Variants returns the designs that are the same bid with other options, or the design itself. With a scoring, each set
// of options counts as a design of its own.
func (p *Plan) Variants(d Design) (all []Design) {
	bid := p.BidOf(d)
	if bid == nil || p.Scoring != nil {
		return []Design{d}
	}
	for _, c := range p.BidChoices(d.Retired) {
		if p.BidOf(c.Design).Place == bid.Place {
			all = append(all, c.Design)
		}
	}
	return all
}

// bidder returns the vendor if it has bids, else "".
func (p *Plan) bidder(vendor string) string {
	if slices.ContainsFunc(p.Bids, func(b Bid) bool { return b.Vendor == vendor }) {
		return vendor
	}
	return ""
}

// Bidder returns the vendor whose bid a design is, "" for none.
func (p *Plan) Bidder(d Design) string {
	if b := p.BidOf(d); b != nil {
		return b.Vendor
	}
	return ""
}

// with returns the machine with these counts, given by index into Plan.Nodes.
func (d Design) with(counts []int) Choice {
	c := Choice{Design: d}
	for t, n := range counts {
		if n > 0 {
			c.Types, c.Counts = append(c.Types, t), append(c.Counts, n)
		}
	}
	return c
}

// Smallest returns the smallest machine of a design that the plan lists: the bid itself, or least nodes of each type.
func (p *Plan) Smallest(d Design, least int) Choice {
	c := d.Of(slices.Repeat([]int{least}, len(d.Types))...)
	if b := p.BidOf(d); b != nil {
		for i, t := range d.Types {
			c.Counts[i] = b.Counts[t]
		}
	}
	return c
}

// A statedBid is a bid as the file states it; the plan it is read into already has the bids before it.
type statedBid struct {
	Bid
	*reader
	name, source string
	options      []option
}

// An option changes a bid for a price.
type option struct {
	*reader
	name    string
	price   float64
	adds    []int // nodes, by type
	counts  []int // instead of those of the bid; nil: unchanged
	network int   // instead of that of the bid; -1: unchanged
}

var bidKeys = schema.Declare("a bid, as in {vendor: alpha, nodes: {fat: 16}, network: edr, price: 240000 EUR}", func(k *schema.Keys, b *statedBid) {
	b.Network = -1
	var price, yearly *yamldoc.Node
	k.Required("vendor", schema.Text.To(&b.Vendor), "who offers")
	k.Optional("name", schema.Name.To(&b.name).Else("none"), "distinguishes it from other bids of the vendor")
	k.Required("nodes", b.nodeCounts(&b.Counts), "its numbers of nodes by type")
	k.Required("network", b.one(schema.Name, &b.Network, "network"), "the network of all nodes")
	k.Required("price", schema.Node(withRange(schema.Money), &price).Wanted(wantMoney), "price of all nodes and the network")
	k.Optional("yearly", schema.Node(schema.Money, &yearly).Else("0"), "paid in each year of operation, such as for service, in place of costs.maintenance; needs a budget that covers life")
	k.Optional("source", schema.Text.To(&b.source).Else(planSource), "source of these figures")
	k.Optional("options", schema.Func(optionsType, b.readOptions).Else("none"), "what may be bought with it")
	if !k.Declaring() {
		b.add(k, price, yearly)
	}
})

var optionKeys = schema.Declare("an option of a bid, as in {name: hdr, price: 18000 EUR, network: hdr} or {name: more, price: 52000 EUR, adds: {fat: 4}}", func(k *schema.Keys, o *option) {
	o.network = -1
	k.Required("name", schema.Text.To(&o.name), "what it is")
	k.Required("price", o.money(schema.Money, &o.price), "price, in addition to that of the bid")
	k.Optional("adds", o.nodeCounts(&o.adds).Else("none"), "nodes in addition to those of the bid, by type")
	k.Optional("nodes", o.nodeCounts(&o.counts).Else("those of the bid"), "numbers of nodes in place of those of the bid")
	k.Optional("network", o.one(schema.Name, &o.network, "network").Else("that of the bid"), "network in place of that of the bid")
	if !k.Declaring() && o.adds == nil && o.counts == nil && o.network < 0 {
		o.Fail(k.Self(), "an option that changes nothing", "adds, nodes or network")
	}
})

// bidsType is a list of bids, each of which costs something.
var bidsType = func() schema.Type {
	paid := bidKeys.Without("yearly")
	paid.Field("price").Type = withRange(schema.PositiveMoney)
	return schema.List{Of: schema.AnyOf{paid, bidKeys.Requiring("yearly")}}
}()

// optionsType is a list of options, each of which changes something.
var optionsType = schema.List{Max: mostOptions, Of: schema.AnyOf{
	optionKeys.Requiring("adds"), optionKeys.Requiring("nodes"), optionKeys.Requiring("network"),
}}

// mostOptions bounds the options of a bid, because each set of them may be a machine.
const mostOptions = 6

// nodeCounts binds a key to numbers of nodes by type.
func (r *reader) nodeCounts(to *[]int) *schema.Function {
	return schema.Func(schema.Map{Of: countType, Keys: schema.Name, Min: 1}, func(n *yamldoc.Node) {
		d := r.Mapping(n, "numbers of nodes by type, as in {fat: 16}")
		if !n.IsMapping() {
			return
		}
		if *to = make([]int, len(r.plan.Nodes)); len(d.Keys()) == 0 {
			r.Fail(n, "no nodes", "numbers of nodes by type, as in {fat: 16}")
		}
		for _, key := range d.Keys() {
			v := d.Take(key)
			count := countType.ReadOr(&r.Decoder, v, countType.Want, 1)
			if t := slices.Index(names(r.plan.Nodes), key); t >= 0 {
				(*to)[t] = count
			} else {
				r.Fail(v, fmt.Sprintf("unknown node type %q", key), "one of "+input.Joined(names(r.plan.Nodes), "and"))
			}
		}
	})
}

func (b *statedBid) readOptions(n *yamldoc.Node) {
	items := b.Sequence(n, "a list of options, as in [{name: hdr, price: 18000 EUR, network: hdr}]")
	if len(items) > mostOptions {
		b.Fail(n, input.Plural(len(items), "option"), fmt.Sprintf("at most %d: every set of them is a machine", mostOptions))
		return
	}
	for _, item := range items {
		o := option{reader: b.reader}
		optionKeys.Read(&b.Decoder, item, &o)
		if slices.ContainsFunc(b.options, func(other option) bool { return other.name == o.name }) {
			b.Fail(item, fmt.Sprintf("duplicate option %q", o.name), "a different name for each option of a bid")
		}
		b.options = append(b.options, o)
	}
}

// add adds the bid to the plan, once for each set of its options in which no two replace the same thing.
func (b *statedBid) add(k *schema.Keys, price, yearly *yamldoc.Node) {
	b.Base = "bid of " + b.Vendor
	if b.name != "" {
		b.Base = "bid " + b.name + " of " + b.Vendor
	}
	b.Name = b.Base
	e := Entry{Name: b.Name}
	b.Price = b.pricedAt(price, &e, QuantityPrice, b.amount(price), input.OrDash(b.source != "", b.source)).Amount
	b.Yearly = b.reader.price(yearly).Amount
	switch {
	case b.Err() != nil:
		return
	case b.Yearly > 0 && !b.plan.Budget.Life:
		b.Fail(yearly, "amounts by year are not part of a budget that covers the purchase", "budget: {covers: life}, or no yearly")
	case b.Price == 0 && b.Yearly == 0:
		b.Fail(price, "the bid costs nothing", "a price above 0, or yearly")
	case slices.ContainsFunc(b.plan.Bids, func(y Bid) bool { return y.Name == b.Name }):
		b.Fail(k.Self(), "a second "+b.Name, "a name for each bid of a vendor with several")
	}
	place := b.plan.bidPlaces()
	for set := range 1 << len(b.options) {
		if x, ok := b.with(set); ok {
			x.Place = place
			b.plan.Bids = append(b.plan.Bids, x)
			c := b.plan.BidChoices(false)[len(b.plan.Bids)-1]
			text, want := b.plan.strangerText(c.Design), "a network for all of its nodes"
			if _, wired := b.plan.Wiring(c); !wired {
				text, want = b.plan.tooMany(c), "fewer nodes, larger switches or topology: fat-tree"
			}
			switch single := set&(set-1) == 0; { // no option, or one
			case text != "" && single:
				b.Fail(k.Self(), x.Name+": "+text, want)
			case text != "": // these options do not go together
				b.plan.Bids = b.plan.Bids[:len(b.plan.Bids)-1]
			}
		}
	}
	b.plan.bidFigures = append(b.plan.bidFigures, e.Figures...)
}

// with returns the bid with a set of its options, each a bit; false if two replace the same.
func (b *statedBid) with(set int) (Bid, bool) {
	x := b.Bid
	x.Counts = slices.Clone(x.Counts)
	var names []string
	counts, network := 0, 0 // how many options replace each
	for i, o := range b.options {
		if set>>i&1 == 0 {
			continue
		}
		x.Price += o.price
		names = append(names, o.name)
		if o.network >= 0 {
			x.Network, network = o.network, network+1
		}
		if o.counts != nil {
			counts++
		}
		for t, n := range o.counts {
			x.Counts[t] += n - b.Counts[t]
		}
		for t, n := range o.adds {
			x.Counts[t] += n
		}
	}
	if len(names) > 0 {
		x.Name += " with " + input.Joined(names, "and")
	}
	return x, counts < 2 && network < 2
}

func (r *reader) bids(n *yamldoc.Node) {
	for _, item := range r.Sequence(n, "a list of bids, as in [{vendor: alpha, nodes: {fat: 16}, network: edr, price: 240000 EUR}]") {
		bidKeys.Read(&r.Decoder, item, &statedBid{reader: r})
	}
}

// bidPlaces returns how many bids the file has.
func (p *Plan) bidPlaces() int {
	if len(p.Bids) == 0 {
		return 0
	}
	return p.Bids[len(p.Bids)-1].Place + 1
}

// describeBids lists the bids of a plan with their options.
func (p *Plan) describeBids() input.DataTable {
	t := input.DataTable{Title: "bids", Columns: []string{"bid", "nodes", "network", "price"}}
	yearly := slices.ContainsFunc(p.Bids, func(b Bid) bool { return b.Yearly > 0 })
	if yearly {
		t.Columns = append(t.Columns, "a year")
	}
	for _, b := range p.Bids {
		var nodes []string
		for i, n := range b.Counts {
			if n > 0 {
				nodes = append(nodes, fmt.Sprintf("%d %s", n, p.Nodes[i].Name))
			}
		}
		row := []string{strings.TrimPrefix(b.Name, "bid of "), strings.Join(nodes, " + "), p.Networks[b.Network].Name, p.Money(b.Price)}
		if yearly {
			row = append(row, input.OrDash(b.Yearly > 0, p.Money(b.Yearly)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// A Commitment is a run time that a vendor commits to. It replaces the simulation.
type Commitment struct {
	Vendor    string
	Workload  int // index into Plan.Workloads
	Node      int // index into Plan.Nodes
	Network   int // index into Plan.Networks; -1: any
	Nodes     int
	Time      units.Seconds
	Tolerance float64 // by which a run may take longer when the machine is accepted
	Source    string
}

// SourceText says where the time comes from.
func (k *Commitment) SourceText() string { return "committed by " + k.Vendor + ": " + k.Source }

// OtherTolerance is the tolerance of an acceptance for which no offer states one.
const OtherTolerance = 0.05

// A statedOffer is an offer as a file states it; ranges refer to it by its place.
type statedOffer struct {
	Commitment
	*reader
	place string
}

var offerKeys = schema.Declare("an offer, as in {vendor: alpha, node: fat, price: 9000 EUR} or {vendor: alpha, node: fat, workload: dense, nodes: 4, time: 31 s, source: report of 3 March}", func(k *schema.Keys, o *statedOffer) {
	var price *yamldoc.Node // its source is below
	o.Workload, o.Network = -1, -1
	k.Required("vendor", schema.Text.To(&o.Vendor), "who offers")
	k.Required("node", o.one(schema.Name, &o.Node, "node type"), "the node type")
	k.Optional("price", schema.Node(nodePrice, &price), "price of a node, in place of that of the node type")
	k.Optional("workload", o.one(schema.Name, &o.Workload, "workload"), "the workload whose time is committed")
	k.Optional("nodes", countType.Wanted("the nodes of the run, at least 1").To(&o.Nodes), "nodes of the run")
	k.Optional("network", o.one(schema.Name, &o.Network, "network").Else("any"), "the network of the run")
	k.Optional("time", ranged(schema.PositiveTime.To(&o.Time)), "committed time of the run")
	k.Optional("tolerance", schema.Number{Max: 1, Want: "a fraction, 0 to 1"}.To(&o.Tolerance).Or(OtherTolerance), "by how much longer a run may take when the machine is accepted")
	k.Optional("source", schema.Text.To(&o.Source), "source of these figures; required with time")
	if price != nil && o.Node >= 0 {
		o.price(price)
	}
	if !k.Declaring() {
		o.commit(k)
	}
})

var offersType = schema.AnyOf{
	schema.Text,
	schema.List{Of: schema.AnyOf{
		offerKeys.Without("workload", "nodes", "network", "time", "tolerance").Requiring("price"),
		offerKeys.Requiring("workload", "nodes", "time", "source"),
	}},
}

var offerFileKeys = schema.Declare("a file of offers, as in {offers: [...]}", func(k *schema.Keys, list **yamldoc.Node) {
	k.Required("offers", schema.Node(offersType, list).Wanted("a list of offers"), "the offers")
})

// offers reads offers, which may be in a file of their own: YAML with the key offers, or
// CSV with a column for each key. REQUIRES: nodes, networks and workloads have been read.
func (r *reader) offers(n *yamldoc.Node) {
	if n != nil && n.IsScalar() {
		path := input.Resolve(r.base, r.String(n, "the name of a file of offers"))
		list, err := r.offerFile(path)
		if err != nil {
			r.Unread(n, path, err)
		}
		n = list
	}
	r.plan.offered = map[string]Parameter{}
	for i, item := range r.Sequence(n, "a list of offers, or the name of a file of them") {
		offerKeys.Read(&r.Decoder, item, &statedOffer{reader: r, place: fmt.Sprintf("offers[%d]", i)})
	}
}

func (r *reader) offerFile(path string) (list *yamldoc.Node, err error) {
	if strings.HasSuffix(path, ".csv") {
		data, err := input.ReadFile(path)
		if err != nil {
			return nil, err
		}
		r.Record(path, data, path)
		if list, err = yamldoc.ParseCSV(path, data); err != nil {
			return nil, err
		}
		return r.withoutRanges(list, "offers"), nil
	}
	root, err := r.Open(path, nil)
	if err == nil {
		offerFileKeys.Read(&r.Decoder, r.withoutRanges(root, ""), &list)
	}
	return list, err
}

// commit adds the time that an offer commits to, if there is one.
func (o *statedOffer) commit(k *schema.Keys) {
	p, at := &o.plan, k.Node
	const together = "workload, nodes, time and source together"
	switch {
	case at("price") == nil && at("time") == nil:
		o.Fail(k.Self(), "neither a price nor a time is offered", "price, or workload, nodes, time and source")
		return
	case at("time") == nil:
		if v := cmp.Or(at("workload"), at("nodes"), at("network"), at("tolerance")); v != nil {
			o.Fail(v, "no time is committed", together)
		}
		return
	case at("workload") == nil || at("nodes") == nil || at("source") == nil:
		o.Fail(k.Self(), "a time that does not say of what", together)
		return
	case o.Err() != nil:
		return
	}
	w, node := &p.Workloads[o.Workload], &p.Nodes[o.Node]
	again := func(y Commitment) bool {
		return p.bidder(y.Vendor) == p.bidder(o.Vendor) && (y.isFor(o.Workload, o.Node, o.Network, o.Nodes) || o.isFor(y.Workload, y.Node, y.Network, y.Nodes))
	}
	switch {
	case o.Time < 1e-12 || o.Time > batchqueue.MaxTime:
		o.Fail(at("time"), o.Time.String()+" is not the time of a run", "1 ps to 1e12 s")
	case p.PerWork(o.Workload):
		o.Fail(at("workload"), "runs of "+w.Name+" are not the same work on all machines: a time of one says nothing of the others", "a workload that is one problem")
	case !w.RunsOn(node):
		o.Fail(at("workload"), fmt.Sprintf("%s does not run on nodes %s", w.Name, node.Name), "nodes "+w.Needs())
	case !w.takes(node, o.Nodes):
		o.Fail(at("nodes"), fmt.Sprintf("a time on %s, where no run of %s takes place", input.Plural(o.Nodes, "node"), w.Name), w.At(node).On.Text())
	case slices.ContainsFunc(p.Commitments, again):
		o.Fail(k.Self(), fmt.Sprintf("a second time of %s on %d %s", w.Name, o.Nodes, node.Name), "one time for a workload on a number of nodes")
	}
	p.offered[o.place+".time"] = Parameter{KindCommitment, len(p.Commitments), QuantityCommitted}
	p.Commitments = append(p.Commitments, o.Commitment)
}

// takes reports whether a run may take that many nodes of a type. REQUIRES: it runs there.
func (w *Workload) takes(n *Node, nodes int) bool {
	x := w.At(n)
	return x.On.All || (x.On.Best || slices.Contains(x.On.List, nodes)) && nodes*n.Processes >= x.Devices
}

// PriceAt returns where the file has the price of a node type: in an offer of the type if there is one.
func (p *Plan) PriceAt(node int) string {
	for place, x := range p.offered {
		if x == (Parameter{KindNode, node, QuantityPrice}) {
			return place // the only one
		}
	}
	return "nodes." + p.Nodes[node].Name + ".price"
}

// price makes the price of an offer that of its node type.
func (o *statedOffer) price(n *yamldoc.Node) {
	node := &o.plan.Nodes[o.Node]
	o.plan.offered[o.place+".price"] = Parameter{KindNode, o.Node, QuantityPrice}
	if f := node.Find(QuantityPrice); f != nil && strings.HasPrefix(f.Source, offerOf) {
		o.reader.price(n)
		o.Fail(n, "a second price of "+node.Name, "one offer of a node type; another vendor's is a node type of its own")
		return
	}
	source := offerOf + o.Vendor
	if o.Source != "" {
		source += ": " + o.Source
	}
	if node.ForSale, node.Discounts = true, nil; n.IsMapping() {
		o.prices(n, node, source)
		return
	}
	node.Price = o.pricedAt(n, &node.Entry, QuantityPrice, o.amount(n), source)
}

// offerOf is how the source of an offer's figures begins.
const offerOf = "offer of "

// isFor reports whether the commitment is for a workload on that many nodes of a type.
func (k *Commitment) isFor(w, node, network, nodes int) bool {
	return k.Workload == w && k.Node == node && k.Nodes == nodes && (k.Network < 0 || k.Network == network)
}

// Committed returns the indices of the commitments for a workload on nodes of a type that hold on machines of a
// design: those of the bid's vendor, or of vendors without bids for what is bought part by part.
func (p *Plan) Committed(w, node int, d Design) (all []int) {
	for i, k := range p.Commitments {
		if k.isFor(w, node, d.Network, k.Nodes) && p.bidder(k.Vendor) == p.Bidder(d) {
			all = append(all, i)
		}
	}
	return all
}

// Commitment returns the index of the commitment for such a run, -1 if there is none.
func (p *Plan) Commitment(w, node int, d Design, nodes int) int {
	for _, i := range p.Committed(w, node, d) {
		if p.Commitments[i].Nodes == nodes {
			return i
		}
	}
	return -1
}

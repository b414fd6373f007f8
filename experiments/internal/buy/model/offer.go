package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// A Commitment is the time of a run that a vendor commits to. It takes the place of its simulation.
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

// SourceText says where the time is from.
func (k *Commitment) SourceText() string { return "committed by " + k.Vendor + ": " + k.Source }

// OtherTolerance is that of an acceptance for which no offer says another.
const OtherTolerance = 0.05

// An offer is what a file says of one, with the nodes that messages point to.
type offer struct {
	Commitment
	node, price, workload, nodes, network, time, tolerance, source *yamldoc.Node
}

var offerKeys = schema.Declare("an offer, as in {vendor: alpha, node: fat, price: 9000 EUR} or {vendor: alpha, node: fat, workload: dense, nodes: 4, time: 31 s, source: report of 3 March}", func(k *schema.Keys, o *offer) {
	k.Required("vendor", schema.Text.To(&o.Vendor), "who offers")
	k.Required("node", schema.Node(schema.Name, &o.node), "the node type")
	k.Optional("price", schema.Node(ranged(schema.Money), &o.price), "price of a node, in place of that of the node type")
	k.Optional("workload", schema.Node(schema.Name, &o.workload), "the workload whose time is committed")
	k.Optional("nodes", schema.Node(countType, &o.nodes), "nodes of the run")
	k.Optional("network", schema.Node(schema.Name, &o.network).Else("any"), "the network of the run")
	k.Optional("time", schema.Node(ranged(schema.PositiveTime), &o.time), "committed time of the run")
	k.Optional("tolerance", schema.Node(offerTolerance, &o.tolerance).Else("0.05"), "by which a run may take longer when the machine is accepted")
	k.Optional("source", schema.Node(schema.Text, &o.source), "where that is said; required with time")
})

var offerTolerance = schema.Number{Max: 1}

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
			r.Fail(n, "file of offers: "+strings.TrimPrefix(err.Error(), path+": "), "")
		}
		n = list
	}
	r.plan.offered = map[string]Parameter{}
	for i, item := range r.Sequence(n, "a list of offers, or the name of a file of them") {
		r.offer(item, fmt.Sprintf("offers[%d]", i))
	}
}

func (r *reader) offerFile(path string) (list *yamldoc.Node, err error) {
	if strings.HasSuffix(path, ".csv") {
		data, err := input.ReadFile(path)
		if err != nil {
			return nil, err
		}
		r.Record(path, data)
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

// offer reads an offer at a place that ranges name it by.
func (r *reader) offer(n *yamldoc.Node, place string) {
	p := &r.plan
	x := offer{Commitment: Commitment{Network: -1, Workload: -1, Tolerance: OtherTolerance}}
	offerKeys.Read(&r.Decoder, n, &x)
	k := &x.Commitment
	k.Node = r.index(x.node, names(p.Nodes), "node type")
	k.Source = r.String(x.source, "where it is said")
	if x.price != nil && k.Node >= 0 {
		r.offeredPrice(x.price, &p.Nodes[k.Node], k)
		p.offered[place+".price"] = Parameter{KindNode, k.Node, QuantityPrice}
	}
	const together = "workload, nodes, time and source together"
	switch {
	case x.price == nil && x.time == nil:
		r.Fail(n, "neither a price nor a time is offered", "price, or workload, nodes, time and source")
		return
	case x.time == nil:
		if v := cmp.Or(x.workload, x.nodes, x.network, x.tolerance); v != nil {
			r.Fail(v, "no time is committed", together)
		}
		return
	case x.workload == nil || x.nodes == nil || x.source == nil:
		r.Fail(n, "a time without what it is the time of", together)
		return
	}
	k.Time = schema.PositiveTime.Read(&r.Decoder, x.time)
	k.Nodes = countType.ReadOr(&r.Decoder, x.nodes, "the nodes of the run, at least 1", 1)
	k.Tolerance = offerTolerance.ReadOr(&r.Decoder, x.tolerance, "a fraction, 0 to 1", OtherTolerance)
	if x.network != nil {
		k.Network = r.index(x.network, names(p.Networks), "network")
	}
	if k.Workload = r.index(x.workload, names(p.Workloads), "workload"); k.Workload < 0 || r.Err() != nil {
		return
	}
	w, node := &p.Workloads[k.Workload], &p.Nodes[k.Node]
	again := func(y Commitment) bool {
		return y.IsFor(k.Workload, k.Node, k.Network, k.Nodes) || k.IsFor(y.Workload, y.Node, y.Network, y.Nodes)
	}
	switch {
	case p.PerWork(k.Workload):
		r.Fail(x.workload, "runs of "+w.Name+" are not the same work on all machines: a time of one says nothing of the others", "a workload that is one problem")
	case !w.On.All && !w.On.Best && !slices.Contains(w.On.List, k.Nodes):
		r.Fail(x.nodes, fmt.Sprintf("a time on %s, on which no run of %s takes place", input.Plural(k.Nodes, "node"), w.Name),
			w.On.Text())
	case !w.RunsOn(node):
		r.Fail(x.workload, fmt.Sprintf("%s does not run on nodes %s", w.Name, node.Name),
			"nodes of partition "+w.Partition)
	case slices.ContainsFunc(p.Commitments, again):
		r.Fail(n, fmt.Sprintf("a second time of %s on %d %s", w.Name, k.Nodes, node.Name),
			"one time for a workload on a number of nodes")
	}
	p.offered[place+".time"] = Parameter{KindCommitment, len(p.Commitments), QuantityCommitted}
	p.Commitments = append(p.Commitments, *k)
}

// offeredPrice takes the price of an offer for that of a node type.
func (r *reader) offeredPrice(n *yamldoc.Node, node *Node, k *Commitment) {
	if f := node.Find(QuantityPrice); f != nil && strings.HasPrefix(f.Source, offerOf) {
		r.price(n)
		r.Fail(n, "a second price of "+node.Name,
			"one offer of a node type; another vendor's is a node type of its own")
		return
	}
	source := offerOf + k.Vendor
	if k.Source != "" {
		source += ": " + k.Source
	}
	node.Price, node.ForSale = r.pricedAt(n, &node.Entry, QuantityPrice, r.amount(n), source), true
}

// offerOf begins the source of figures of an offer.
const offerOf = "offer of "

// IsFor reports whether the commitment is to the time of a run of a workload on some nodes of a type.
func (k *Commitment) IsFor(w, node, network, nodes int) bool {
	return k.Workload == w && k.Node == node && k.Nodes == nodes && (k.Network < 0 || k.Network == network)
}

// Commitment returns the index of the commitment to the time of such a run, -1 if there is none.
func (p *Plan) Commitment(w, node, network, nodes int) int {
	return slices.IndexFunc(p.Commitments, func(k Commitment) bool { return k.IsFor(w, node, network, nodes) })
}

package model

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/topology"
)

// Bounds of what a plan may hold, so that a mistake gives an error and not a week of
// simulations.
const (
	MaxNodes    = 1 << 20 // nodes of a configuration, and cores of a node
	MaxChoices  = 20000   // configurations
	maxSamples  = 100000  // joint changes
	maxTypes    = 200     // node types or networks
	maxCounts   = 4096    // numbers of nodes to consider
	maxQuantity = 1e18    // any price
)

// Read reads a plan. Its errors are yamldoc's, with the place of every problem.
func Read(path string, overrides []input.Override) (*Plan, error) {
	var r document.Reader
	root, err := r.Open(path, overrides)
	if err != nil {
		return nil, err
	}
	p, err := ReadRoot(root, path)
	if err != nil {
		return nil, err
	}
	p.Inputs = append(r.Inputs(), p.Inputs...)
	return p, nil
}

// ReadRoot is [Read] for the root of the file at path, which is no input of the result;
// files that it names are.
func ReadRoot(root *yamldoc.Node, path string) (*Plan, error) {
	r := &reader{plan: &Plan{}, base: filepath.Dir(path), beside: map[string]besideRange{}}
	r.read(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	r.plan.Inputs = r.Inputs()
	for _, x := range r.plan.Inputs {
		r.plan.ReadFiles = append(r.plan.ReadFiles, x.SHA256)
	}
	return r.plan, nil
}

// textOf is what the file says at a node, with nothing of its layout; "" for nil.
func textOf(n *yamldoc.Node) string {
	if n == nil {
		return ""
	}
	return string(n.JSON())
}

var planObject = &schema.Object{What: "a purchase plan, with budget, nodes, networks and workloads", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the plan in a few words"},
	{Key: "description", Type: schema.Text, Meaning: "the plan in a few sentences"},
	{Key: "budget", Type: budgetType, Required: true, Meaning: "the limits"},
	{Key: "exchange", Type: exchangeType, Meaning: "value of one unit of another currency, as in {USD: 0.92 EUR}"},
	{Key: "energy", Type: energyType, Meaning: "the cost of energy"},
	{Key: "costs", Type: costsObject, Meaning: "what else is paid"},
	{Key: "nodes", Type: schema.Map{Of: schema.Later(nodeType), Keys: schema.Name, Min: 1, Max: maxTypes}, Required: true, Meaning: "the node types to choose from, by name"},
	{Key: "networks", Type: schema.Map{Of: schema.Later(networkType), Keys: schema.Name, Min: 1, Max: maxTypes}, Required: true, Meaning: "the networks to choose from, by name"},
	{Key: "counts", Type: countsType, Default: affordable, Meaning: "numbers of nodes of each type"},
	{Key: "mixes", Type: schema.List{Of: schema.List{Of: schema.Text, Min: 2, Max: 2}}, Meaning: "pairs of node types that a machine may have together"},
	{Key: "existing", Type: existingObject, Meaning: "a machine that is kept and extended"},
	{Key: "model", Type: schema.Later(networks.ModelType), Default: "hockney", Meaning: "the network model, without what each candidate has values of its own of"},
	{Key: "on_node", Type: onNodeObject, Default: "0.5 us, 8 GB/s", Meaning: "the connection between the processes of a node, where its node type has none of its own"},
	{Key: "workloads", Type: schema.Later(workloadsType), Required: true, Meaning: "the mix of workloads"},
	{Key: "offers", Type: offersType, Default: "none", Meaning: "prices and committed times of vendors: a list, or the name of a YAML or CSV file"},
	{Key: "tolerance", Type: tolerance, Default: "0.02", Meaning: "differences of times, relative to the shortest, that do not count: the cheapest machine within it is recommended"},
	{Key: "objective", Type: objectiveType, Default: "throughput with runs_per_year, mean with weight", Meaning: "what decides: most work, lowest price, shortest time of a run, or shortest mean time"},
	{Key: "queue", Type: queueObject, Meaning: "how waits are simulated"},
	{Key: "robustness", Type: robustnessObject, Meaning: "how the recommendation is tested"},
	{Key: "ranges", Type: rangesObject, Default: "none, unless a figure has a range", Meaning: "how far figures may be from their values"},
	{Key: "seed", Type: scenario.SeedType, Default: "1", Meaning: "seed of joint changes and of workloads"},
}}

var existingObject = &schema.Object{What: "an existing machine, as in {node: old, count: 16, network: gige}", Fields: []schema.Field{
	{Key: "node", Type: schema.Text, Required: true, Meaning: "the name of its node type"},
	{Key: "network", Type: schema.Text, Required: true, Meaning: "the name of its network"},
	{Key: "count", Type: countType, Required: true, Meaning: "its number of nodes"},
	{Key: "maintenance", Type: schema.Money, Default: "0", Meaning: "of its nodes and network, a year, without tax; it ends if the nodes are retired"},
	{Key: "retire", Type: schema.OneOf(retireNames), Default: string(RetireNever), Meaning: "whether its nodes may be retired, which saves their power and space; its switches and cables stay in use"},
}}

var retireNames = []string{string(RetireNever), string(retireAllowed), string(RetireRequired)}

var onNodeObject = &schema.Object{What: "the connection between processes of a node, as in {latency: 0.5 us, bandwidth: 8 GB/s}", Fields: []schema.Field{
	{Key: "latency", Type: ranged(schema.Time), Required: true, Meaning: "time of an empty message"},
	{Key: "bandwidth", Type: ranged(schema.Bandwidth), Required: true, Meaning: "of one message"},
	{Key: "source", Type: schema.Text, Default: planSource, Meaning: "where the figures come from"},
}}

var robustnessObject = &schema.Object{What: "a test of robustness, as in {change: 0.1, samples: 200}", Fields: []schema.Field{
	{Key: "change", Type: relativeChange, Default: "0.1", Meaning: "relative change of each figure"},
	{Key: "samples", Type: sampleCount, Default: "200", Meaning: "joint changes of all figures"},
}}

var (
	relativeChange = schema.Number{Max: 0.9, Above: true}
	tolerance      = schema.Number{Max: 0.5}
	sampleCount    = schema.Integer{Min: 0, Max: maxSamples}
)

// Type is what the file of a plan contains.
var Type schema.Type = planObject

type reader struct {
	document.Reader
	plan        *Plan
	base        string                 // the folder that names of files start from
	beside      map[string]besideRange // ranges beside values, by the place of the value
	besideOrder []string               // these places, as in the file
	unpriced    []string               // node types of which the file says neither a price nor whether they are for sale
}

func (r *reader) read(root *yamldoc.Node) {
	p := r.plan
	d := planObject.Open(&r.Decoder, r.withoutRanges(root, ""))
	p.Title = r.String(d.Take("title"), "a title")
	p.Description = r.String(d.Take("description"), "a description")
	p.Seed = scenario.ReadSeed(&r.Decoder, d.Take("seed"))
	r.budget(d.Require("budget", "what may be spent, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}"))
	r.exchange(d.Take("exchange"))
	r.energy(d.Take("energy"))
	r.costs(d.Take("costs"))
	nodes := d.Require("nodes", "the node types by name, as in {fast: {catalogue: genoa, price: 14000 EUR}}")
	r.nodes(nodes)
	r.networks(d.Require("networks", "the networks by name, as in {gige: {catalogue: gigabit-ethernet}}"))
	r.counts(d.Take("counts"))
	r.mixes(d.Take("mixes"))
	r.existing(d.Take("existing"))
	r.someForSale(nodes)
	model := d.Take("model")
	p.Model, p.ModelText = networks.ReadModel(&r.Decoder, model), textOf(model)
	r.onNode(d.Take("on_node"))
	workloads := d.Require("workloads", "a list of workloads, as in [{name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}]")
	r.workloads(workloads)
	r.partitionsKnown(workloads)
	r.speedsKnown(workloads)
	r.objective(d.Take("objective"))
	r.offers(d.Take("offers"))
	r.queue(d.Take("queue"))
	p.Tolerance = tolerance.ReadOr(&r.Decoder, d.Take("tolerance"), "a relative difference of times, 0 to 0.5", 0.02)
	r.robustness(d.Take("robustness"))
	r.ranges(d.Take("ranges"))
	d.Done()
}

func (r *reader) mixes(n *yamldoc.Node) {
	types := names(r.plan.Nodes)
	for _, item := range r.Sequence(n, "pairs of node types, as in [[fat, thin]]") {
		pair := r.Sequence(item, "two node types")
		if item.IsSequence() && len(pair) != 2 {
			r.Fail(item, fmt.Sprintf("%d node types", len(pair)), "two")
			continue
		}
		var mix [2]int
		for i, v := range pair {
			mix[i] = r.index(v, types, "node type")
		}
		switch {
		case len(pair) != 2 || mix[0] < 0 || mix[1] < 0:
		case mix[0] == mix[1]:
			r.Fail(item, "the same node type twice", "two different node types")
		default:
			if mix[0] > mix[1] {
				mix[0], mix[1] = mix[1], mix[0]
			}
			if slices.Contains(r.plan.Mixes, mix) {
				r.Fail(item, "duplicate mix", "each pair once")
			}
			r.plan.Mixes = append(r.plan.Mixes, mix)
		}
	}
}

func (r *reader) existing(n *yamldoc.Node) {
	if n == nil {
		return
	}
	d := existingObject.Open(&r.Decoder, n)
	e := &Existing{}
	e.Node = r.index(d.Require("node", "the node type of the machine"), names(r.plan.Nodes), "node type")
	e.Network = r.index(d.Require("network", "the network of the machine"), names(r.plan.Networks), "network")
	const wantCount = "the number of nodes, at least 1"
	e.Count = countType.ReadOr(&r.Decoder, d.Require("count", wantCount), wantCount, 0)
	e.Retire = RetireNever
	if v := d.Take("retire"); v != nil {
		e.Retire = Retire(r.OneOf(v, retireNames, "answer"))
	}
	e.Maintenance = r.price(d.Take("maintenance")).Amount
	d.Done()
	if e.Node < 0 || e.Network < 0 {
		return
	}
	r.plan.Existing = e
	if _, ok := r.plan.WiringBefore(); !ok && r.Err() == nil {
		r.Fail(n, fmt.Sprintf("%d nodes are more than network %s can connect with switches of %d ports", e.Count, r.plan.Networks[e.Network].Name, r.plan.Networks[e.Network].Switch.Ports), "fewer nodes or larger switches")
	}
	if old := &r.plan.Nodes[e.Node]; slices.Contains(r.unpriced, old.Name) {
		old.ForSale = false // the price of the catalogue is no offer of more old nodes
	}
}

// someForSale reports a plan in which no node can be bought.
func (r *reader) someForSale(n *yamldoc.Node) {
	networkOnly := r.plan.Existing != nil && len(r.plan.Networks) > 1
	if r.Err() == nil && !networkOnly && !slices.ContainsFunc(r.plan.Nodes, func(n Node) bool { return n.ForSale }) {
		r.Fail(n, "no node type is for sale", "at least one, or a second network for the existing machine")
	}
}

func (r *reader) onNode(n *yamldoc.Node) {
	p := r.plan
	p.OnNode, p.OnNodeFrom = topology.Connection{Latency: 0.5e-6, Bandwidth: 8e9}, "estimate: default of plans"
	if n == nil {
		return
	}
	d := onNodeObject.Open(&r.Decoder, n)
	p.OnNode = topology.Connection{
		Latency:   schema.Time.Require(&r.Decoder, d, "latency"),
		Bandwidth: schema.Bandwidth.Require(&r.Decoder, d, "bandwidth"),
	}
	p.OnNodeFrom = r.sourceOf(d, "where the figures come from")
	d.Done()
}

func (r *reader) robustness(n *yamldoc.Node) {
	d := robustnessObject.Open(&r.Decoder, n)
	r.plan.Robustness = Robustness{
		Change:  relativeChange.ReadOr(&r.Decoder, d.Take("change"), "a relative change, above 0 and at most 0.9", 0.1),
		Samples: sampleCount.ReadOr(&r.Decoder, d.Take("samples"), fmt.Sprintf("a number of joint changes, 0 to %d", maxSamples), 200),
	}
	d.Done()
}

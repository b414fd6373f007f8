package model

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// Bounds of what a plan may hold, so that a mistake gives an error and not a week of simulations:
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
	return ReadFrom(&document.Reader{}, path, overrides)
}

// ReadFrom is [Read] for files that a reader opens.
func ReadFrom(from *document.Reader, path string, overrides []input.Override) (*Plan, error) {
	root, err := from.Open(path, overrides)
	if err != nil {
		return nil, err
	}
	return readRoot(from, root, path)
}

// ReadRoot is [Read] for the root of the file at path. The file itself is no input of the result; files that it names
// are.
func ReadRoot(root *yamldoc.Node, path string) (*Plan, error) {
	return readRoot(&document.Reader{}, root, path)
}

func readRoot(from *document.Reader, root *yamldoc.Node, path string) (*Plan, error) {
	if err := input.CheckKind(root, input.KindPurchase); err != nil {
		return nil, err
	}
	r := &reader{Reader: *from, base: filepath.Dir(path), beside: map[string]besideRange{}}
	before := len(r.Inputs())
	planKeys.Read(&r.Decoder, r.withoutRanges(root, ""), r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	r.plan.Inputs = r.Inputs()
	r.plan.ReadFiles = each.Append(nil, r.plan.Inputs[before:], func(x input.Input) string { return x.SHA256 })
	return &r.plan, nil
}

// textOf returns what the file says at a node, regardless of its layout; "" for nil.
func textOf(n *yamldoc.Node) string {
	if n == nil {
		return ""
	}
	return string(n.JSON())
}

// planKeys are those of a plan. A part is read when those above it are known.
var planKeys = schema.Declare("a purchase plan, with budget, nodes, networks and workloads", func(k *schema.Keys, r *reader) {
	p := &r.plan
	part := func(key string, of schema.Type, read func(n *yamldoc.Node), otherwise, meaning string) { // even if absent
		var n *yamldoc.Node
		k.Optional(key, schema.Node(of, &n).Else(otherwise), meaning)
		if !k.Declaring() {
			read(n)
		}
	}
	k.Optional("title", schema.Text.To(&p.Title), "the plan in a few words")
	k.Optional("description", schema.Text.To(&p.Description), "the plan in a few sentences")
	k.Required("budget", schema.Func(budgetType, func(n *yamldoc.Node) {
		p.BudgetNode = n
		budgetKeys.Read(k.Decoder, n, r)
	}).Wanted("what may be spent, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}"), "the limits")
	k.Optional("exchange", schema.Func(exchangeType, r.exchange), "value of one unit of another currency, as in {USD: 0.92 EUR}")
	part("energy", energyType, func(n *yamldoc.Node) { energyKeys.Read(k.Decoder, n, r) }, "", "the cost of energy")
	k.Optional("costs", schema.Func(costsKeys.Object, func(n *yamldoc.Node) { costsKeys.Read(k.Decoder, n, r) }), "what else is paid")
	k.Required("nodes", schema.Func(schema.Map{Of: schema.Later(nodeType), Keys: schema.Name, Min: 1, Max: maxTypes}, r.nodes).
		Wanted("the node types by name, as in {fast: {catalogue: genoa, price: 14000 EUR}}"), "the node types to choose from, by name")
	k.Required("networks", schema.Func(schema.Map{Of: schema.Later(networkType), Keys: schema.Name, Min: 1, Max: maxTypes}, r.networks).
		Wanted("the networks by name, as in {gige: {catalogue: gigabit-ethernet}}"), "the networks to choose from, by name")
	part("counts", countsType, r.counts, affordable, "numbers of nodes of each type")
	k.Optional("mixes", schema.Func(schema.List{Of: schema.List{Of: schema.Text, Min: 2}}, r.mixes), "node types that a machine may have together")
	k.Optional("require", schema.Func(schema.List{Of: requirementKeys.Object}, r.require).Else("none"), "what the nodes of a machine must include")
	k.Optional("existing", schema.Func(existingKeys.Object, r.existing), "a machine that is kept and extended")
	k.Optional("reference", schema.Func(referenceKeys.Object, func(n *yamldoc.Node) { referenceKeys.Read(k.Decoder, n, r) }).Else("the existing machine"),
		"a machine that others are compared with; it needs no price")
	k.Optional("bids", schema.Func(bidsType, r.bids).Else("none"), "whole machines that vendors offer, each for one price")
	if !k.Declaring() {
		r.someForSale(k.Node("nodes"))
	}
	part("model", schema.Later(networks.ModelType), func(n *yamldoc.Node) {
		p.Model, p.ModelText = networks.ReadModel(k.Decoder, n), textOf(n)
	}, "hockney", "the network model, without the figures that each candidate sets for itself")
	p.OnNode, p.OnNodeFrom = topology.Connection{Latency: 0.5e-6, Bandwidth: 8e9}, "estimate: default of plans"
	k.Optional("on_node", schema.Func(onNodeKeys.Object, func(n *yamldoc.Node) { p.OnNode, p.OnNodeFrom = r.connection(n, planSource) }).
		Else("0.5 us, 8 GB/s"), "the connection between the processes of a node, where its node type has none of its own")
	var seed *yamldoc.Node // a workload may depend on it
	if !k.Declaring() {
		p.Seed = scenario.ReadSeed(k.Decoder, k.Node("seed"))
	}
	k.Required("workloads", schema.Func(schema.Later(workloadsType), r.workloads).
		Wanted("a list of workloads, as in [{name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}]"), "the mix of workloads")
	k.Optional("offers", schema.Func(offersType, r.offers).Else("none"), "prices and committed times of vendors: a list, or the name of a YAML or CSV file")
	k.Optional("tolerance", tolerance.To(&p.Tolerance).Or(0.02), "relative difference to the shortest time that does not count: the cheapest machine within it is recommended")
	part("objective", objectiveType, r.objective, "throughput with runs_per_year, mean with weight", "what decides: most work, lowest price, shortest time of a run, or shortest mean time")
	k.Optional("scoring", schema.Func(scoringType, r.scoring).Else("none"), "criteria for points of the best machines of the designs: the one with most points is recommended")
	p.Load = LoadRuns
	if p.Objective.Name == objectiveThroughput {
		p.Load = LoadFull
	}
	k.Optional("load", schema.Choice(&p.Load, "load", []string{LoadRuns, LoadFull}).Else("full with objective throughput, else runs"),
		"what is done in a year, for energy, waits and costs: the runs of the plan, or as many as fit into the hours available")
	part("queue", queueKeys.Object, func(n *yamldoc.Node) { queueKeys.Read(k.Decoder, n, &p.Queue) }, "", "how waits are simulated")
	part("robustness", robustnessKeys.Object, func(n *yamldoc.Node) { robustnessKeys.Read(k.Decoder, n, &p.Robustness) }, "", "how the recommendation is tested")
	part("ranges", rangesKeys.Object, r.ranges, "none, unless a figure has a range", "how uncertain the figures are")
	k.Optional("seed", schema.Node(scenario.SeedType, &seed).Else("1"), "seed of joint changes and of workloads")
})

var existingKeys = schema.Declare("an existing machine, as in {node: old, count: 16, network: gige}", func(k *schema.Keys, r *reader) {
	e := &Existing{Node: -1, Network: -1}
	r.plan.Existing = e
	k.Required("node", r.one(schema.Text, &e.Node, "node type"), "the name of its node type")
	k.Required("network", r.one(schema.Text, &e.Network, "network"), "the name of its network")
	k.Required("count", countType.To(&e.Count), "its number of nodes")
	k.Optional("maintenance", r.money(schema.Money, &e.Maintenance).Else("0"), "of its nodes and network per year, without tax; it ends if the nodes are retired")
	k.Optional("retire", schema.Choice(&e.Retire, "answer", retireNames).Or(RetireNever), "whether its nodes may be retired, which saves their power and space; its switches and cables stay in use")
})

var retireNames = []string{string(RetireNever), string(retireAllowed), string(RetireRequired)}

// A connection is a connection between the processes of a node, with its source.
type connection struct {
	topology.Connection
	source string
}

var onNodeKeys = schema.Declare("the connection between processes of a node, as in {latency: 0.5 us, bandwidth: 8 GB/s}", func(k *schema.Keys, c *connection) {
	k.Required("latency", ranged(schema.Time.To(&c.Latency)), "time of an empty message")
	k.Required("bandwidth", ranged(schema.Bandwidth.To(&c.Bandwidth)), "of one message")
	k.Optional("source", schema.Text.To(&c.source).Else(planSource), "where the figures come from")
})

// connection reads the connection between the processes of a node, and its source.
func (r *reader) connection(n *yamldoc.Node, source string) (topology.Connection, string) {
	c := connection{}
	onNodeKeys.Read(&r.Decoder, n, &c)
	return c.Connection, cmp.Or(c.source, source)
}

var robustnessKeys = schema.Declare("a test of robustness, as in {change: 0.1, samples: 200}", func(k *schema.Keys, x *Robustness) {
	k.Optional("change", schema.Number{Max: 0.9, Above: true}.To(&x.Change).Or(0.1), "relative change of each figure")
	k.Optional("samples", schema.Integer{Max: maxSamples}.To(&x.Samples).Or(200), "joint changes of all figures")
})

var tolerance = schema.Number{Max: 0.5, Want: "a relative difference of times, 0 to 0.5"}

// Type is what the file of a plan contains.
var Type schema.Type = planKeys.Object

type reader struct {
	document.Reader
	plan        Plan
	base        string                 // the folder that names of files start from
	beside      map[string]besideRange // ranges beside values, by the place of the value
	besideOrder []string               // these places, as in the file
	listed      map[string]bool        // places that the list of ranges contains
	unpriced    []string               // node types of which the file says neither a price nor whether they are for sale
}

func (r *reader) mixes(n *yamldoc.Node) {
	for _, item := range r.Sequence(n, "lists of node types, as in [[fat, thin]]") {
		nodes := r.Sequence(item, "two or more node types")
		mix := each.Of(nodes, func(x *yamldoc.Node) int { return r.index(x, "node type") })
		slices.Sort(mix)
		switch same := func(other []int) bool { return slices.Equal(mix, other) }; {
		case len(mix) > 0 && mix[0] < 0:
		case len(mix) < 2:
			if item.IsSequence() {
				r.Fail(item, input.Plural(len(mix), "node type"), "two or more")
			}
		case len(slices.Compact(slices.Clone(mix))) < len(mix):
			r.Fail(item, "the same node type twice", "different node types")
		case slices.ContainsFunc(r.plan.Mixes, same):
			r.Fail(item, "duplicate mix", "each mix once")
		case !slices.ContainsFunc(r.plan.Networks, func(n Network) bool { return n.Nodes == nil || subset(mix, n.Nodes) }):
			r.Fail(item, "no network is for all of these node types", "a network with all of them in nodes")
		default:
			r.plan.Mixes = append(r.plan.Mixes, mix)
		}
	}
}

// subset reports whether all of some indices are among the others.
func subset(some, others []int) bool {
	return !slices.ContainsFunc(some, func(i int) bool { return !slices.Contains(others, i) })
}

func (r *reader) existing(n *yamldoc.Node) {
	existingKeys.Read(&r.Decoder, n, r)
	e := r.plan.Existing
	if e.Node < 0 || e.Network < 0 {
		r.plan.Existing = nil
		return
	}
	if _, ok := r.plan.Wiring(r.plan.Before()); !ok && r.Err() == nil {
		r.Fail(n, r.plan.tooMany(r.plan.Before()), "fewer nodes or larger switches")
	}
	if text := r.plan.strangerText(r.plan.Before().Design); text != "" && r.Err() == nil {
		r.Fail(n, text, "a network that connects the existing nodes")
	}
	if old := &r.plan.Nodes[e.Node]; slices.Contains(r.unpriced, old.Name) {
		old.ForSale = false // the price of the catalogue is no offer of more old nodes
	}
}

func (r *reader) someForSale(n *yamldoc.Node) {
	networkOnly := r.plan.Existing != nil && len(r.plan.Networks) > 1
	retired := r.plan.Existing != nil && r.plan.Existing.Retire != RetireNever
	nodes := slices.ContainsFunc(r.plan.Nodes, func(n Node) bool { return n.ForSale })
	networks := slices.ContainsFunc(r.plan.Networks, func(n Network) bool { return !n.BidsOnly })
	together := networkOnly
	for t := range r.plan.Nodes {
		for i := range r.plan.Networks {
			d := Design{Types: []int{t}, Network: i}
			together = together || r.plan.Sold(d)
			d.Retired = retired
			together = together || r.plan.Sold(d)
		}
	}
	switch {
	case r.Err() != nil || len(r.plan.Bids) > 0:
	case !networks:
		r.Fail(n, "no network is for sale", "at least one, or bids")
	case nodes && !together:
		r.Fail(n, "no node type is for sale with a network for it", "the node type in nodes of a network, or bids")
	case !networkOnly && !nodes:
		r.Fail(n, "no node type is for sale", "at least one, bids, or a second network for the existing machine")
	}
}

var countType = schema.Integer{Min: 1, Max: MaxNodes, Want: "a number of nodes, at least 1"}

// affordable stands for as many nodes as the limits allow.
const affordable = "affordable"

const wantCounts = "numbers of nodes: [4, 8, 16], {from: 4, to: 64}, {powers_of_two: {from: 1, to: 64}} or affordable"

type span struct {
	from, to, step int
	powersOfTwo    *yamldoc.Node
}

func (s *span) bounds(k *schema.Keys) {
	k.Required("from", countType.To(&s.from), "smallest number of nodes")
	k.Required("to", countType.To(&s.to), "largest number of nodes")
}

var spanKeys = schema.Declare("a range, as in {from: 1, to: 64}", func(k *schema.Keys, s *span) { s.bounds(k) })

var countsKeys = schema.Declare(wantCounts, func(k *schema.Keys, s *span) {
	if s.powersOfTwo = k.Node("powers_of_two"); s.powersOfTwo == nil {
		s.bounds(k)
		k.Optional("step", countType.To(&s.step).Or(1), "distance between the numbers")
	}
	k.Optional("powers_of_two", schema.Node(spanKeys.Object, &s.powersOfTwo), "the powers of two in a range")
})

var countsType = schema.AnyOf{
	schema.OneOf{affordable}, schema.List{Of: countType, Min: 1},
	countsKeys.Without("powers_of_two"), countsKeys.Only([]string{"powers_of_two"}),
}

func (r *reader) counts(n *yamldoc.Node) {
	c := &r.plan.Counts
	var s span
	switch {
	case n == nil || n.IsScalar() && n.Text() == affordable:
		c.Affordable = true
		return
	case n.IsSequence():
		c.List = r.numbers(n, wantCounts)
	case !n.IsMapping():
		r.Fail(n, "not numbers of nodes", wantCounts)
	default:
		if countsKeys.Read(&r.Decoder, n, &s); s.powersOfTwo != nil {
			spanKeys.Read(&r.Decoder, s.powersOfTwo, &s)
		}
		if s.from < 1 || s.to < 1 { // reported already
			break
		}
		if s.powersOfTwo != nil && s.from <= s.to && s.from&(s.from-1) != 0 {
			r.Fail(s.powersOfTwo, fmt.Sprintf("%d is not a power of two", s.from), "a power of two as from")
		}
		if s.from > s.to {
			r.Fail(n, fmt.Sprintf("from %d to %d is empty", s.from, s.to), "from not above to")
		}
		for i := s.from; i <= s.to && (s.powersOfTwo != nil || s.step > 0); i += s.step {
			if c.List = append(c.List, i); s.powersOfTwo != nil {
				s.step = i
			}
		}
	}
	switch k := len(c.List); {
	case r.Err() != nil:
	case k == 0:
		r.Fail(n, "no numbers of nodes", wantCounts)
	case k > maxCounts:
		r.Fail(n, fmt.Sprintf("%d numbers of nodes", k), fmt.Sprintf("at most %d", maxCounts))
	}
}

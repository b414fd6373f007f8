package purchase

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/experiments/schema"
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/topology"
)

// Bounds of what a plan may hold, so that a mistake gives an error and not a week of
// simulations.
const (
	maxNodes    = 1 << 20 // nodes of a configuration, and cores of a node
	maxChoices  = 20000   // configurations
	maxSamples  = 100000  // joint changes
	maxTypes    = 200     // node types or networks
	maxCounts   = 4096    // numbers of nodes to consider
	maxQuantity = 1e18    // any price
)

// Read reads a plan. Its errors are yamldoc's, with the place of every problem.
func Read(path string, overrides []input.Override) (*Plan, error) {
	r := &reader{plan: &Plan{}}
	root, err := r.Open(path, overrides)
	if err != nil {
		return nil, err
	}
	r.read(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	r.plan.Inputs = r.Inputs()
	return r.plan, nil
}

type reader struct {
	scenario.Reader
	plan *Plan
}

func (r *reader) read(root *yamldoc.Node) {
	p := r.plan
	d := r.Mapping(root, "a purchase plan, with budget, nodes, networks and workloads")
	p.Title = r.String(d.Take("title"), "a title")
	p.Description = r.String(d.Take("description"), "a description")
	p.Seed = r.Seed(d.Take("seed"))
	r.budget(d.Require("budget", "what may be spent, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}"))
	r.exchange(d.Take("exchange"))
	r.energy(d.Take("energy"))
	r.nodes(d.Require("nodes", "the node types by name, as in {fast: {catalogue: genoa, price: 14000 EUR}}"))
	r.networks(d.Require("networks", "the networks by name, as in {gige: {catalogue: gigabit-ethernet}}"))
	r.counts(d.Take("counts"))
	r.mixes(d.Take("mixes"))
	r.existing(d.Take("existing"))
	p.Model = r.NetworkModel(d.Take("model"))
	r.onNode(d.Take("on_node"))
	r.workloads(d.Require("workloads", "a list of workloads, as in [{name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}]"))
	r.robustness(d.Take("robustness"))
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
	d := r.Mapping(n, "an existing machine, as in {node: old, count: 16, network: gige}")
	e := &Existing{}
	e.Node = r.index(d.Require("node", "the node type of the machine"), names(r.plan.Nodes), "node type")
	e.Network = r.index(d.Require("network", "the network of the machine"), names(r.plan.Networks), "network")
	if v := d.Require("count", "the number of nodes, at least 1"); v != nil {
		e.Count = r.Int(v, 1, maxNodes, "the number of nodes, at least 1")
	}
	d.Done()
	if e.Node < 0 || e.Network < 0 {
		return
	}
	if _, ok := r.plan.Networks[e.Network].Wire(e.Count); !ok && r.Err() == nil {
		r.Fail(n, fmt.Sprintf("%d nodes are more than network %s can connect with switches of %d ports", e.Count, r.plan.Networks[e.Network].Name, r.plan.Networks[e.Network].Switch.Ports), "fewer nodes or larger switches")
	}
	r.plan.Existing = e
}

func (r *reader) onNode(n *yamldoc.Node) {
	p := r.plan
	p.OnNode, p.OnNodeFrom = topology.Connection{Latency: 0.5e-6, Bandwidth: 8e9}, "estimate: default of plans"
	if n == nil {
		return
	}
	d := r.Mapping(n, "the connection between processes of a node, as in {latency: 0.5 us, bandwidth: 8 GB/s}")
	p.OnNode = topology.Connection{
		Latency:   schema.Time.Read(&r.Decoder, d.Require("latency", schema.Time.Want)),
		Bandwidth: schema.Bandwidth.Read(&r.Decoder, d.Require("bandwidth", schema.Bandwidth.Want)),
	}
	p.OnNodeFrom = r.sourceOf(d, "where the figures come from")
	d.Done()
}

func (r *reader) robustness(n *yamldoc.Node) {
	x := Robustness{Change: 0.1, Samples: 200}
	d := r.Mapping(n, "a test of robustness, as in {change: 0.1, samples: 200}")
	x.Change = r.floatOr(d.Take("change"), x.Change, "a relative change, above 0 and at most 0.9", above(0, 0.9))
	if v := d.Take("samples"); v != nil {
		x.Samples = r.Int(v, 0, maxSamples, fmt.Sprintf("a number of joint changes, 0 to %d", maxSamples))
	}
	d.Done()
	r.plan.Robustness = x
}

// floatOr reads a number, or returns other if there is none.
func (r *reader) floatOr(n *yamldoc.Node, other float64, want string, ok func(float64) bool) float64 {
	if n == nil {
		return other
	}
	return r.Float(n, want, ok)
}

// above accepts numbers above low and up to high.
func above(low, high float64) func(float64) bool {
	return func(x float64) bool { return x > low && x <= high }
}

// within accepts numbers from low to high.
func within(low, high float64) func(float64) bool {
	return func(x float64) bool { return x >= low && x <= high }
}

package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// A Requirement is a condition on the nodes of a machine.
type Requirement struct {
	Nodes string  // a node type or, if there is none of that name, a partition
	Types []int   // indices into Plan.Nodes of those that count
	Part  float64 // least fraction of all nodes; 0: see Count
	Count int     // nodes, at least
}

func (x *Requirement) counts(t int) bool { return slices.Contains(x.Types, t) }

// Needed returns how many nodes that count meet the requirement beside the given number of others.
func (x *Requirement) Needed(others int) int {
	if x.Part == 0 {
		return x.Count
	}
	if x.Part == 1 && others > 0 {
		return MaxNodes
	}
	n := 1
	if others > 0 {
		n = max(1, int(x.Part*float64(others)/(1-x.Part)))
	}
	for !x.met(n, others) {
		n++
	}
	return n
}

func (x *Requirement) met(nodes, others int) bool {
	if x.Part == 0 {
		return nodes >= x.Count
	}
	return float64(nodes) >= float64(x.Part*float64(nodes+others))*(1-1e-12)
}

// AtLeast says what the plan demands: "20 % of the nodes", "4 nodes".
func (x *Requirement) AtLeast() string {
	if x.Part == 0 {
		return input.Plural(x.Count, "node")
	}
	return input.Number(100*x.Part) + " % of the nodes"
}

// Unmet says which requirement no choice between two meets, or "". The test takes most of the nodes that count and the
// fewest others.
func (p *Plan) Unmet(small, large Choice) string {
	few, many := p.Parts(small), p.Parts(large)
	for i := range p.Require {
		x := &p.Require[i]
		nodes, others := 0, 0
		for t := range few {
			if x.counts(t) {
				nodes += many[t]
			} else {
				others += few[t]
			}
		}
		if x.met(nodes, others) {
			continue
		}
		has := fmt.Sprint(nodes)
		if x.Part > 0 {
			has = fmt.Sprintf("%.3g %% of the nodes", 100*float64(nodes)/float64(max(1, nodes+others)))
		}
		return fmt.Sprintf("%s are %s, %s required", has, x.Nodes, x.AtLeast())
	}
	return ""
}

// UnmetFrom says which requirement a choice and all with more nodes of its types do not meet, or "".
func (p *Plan) UnmetFrom(c Choice) string { return p.Unmet(c, p.largest(c)) }

var requirementKeys = schema.Declare("a requirement, as in {nodes: gpu, at_least: 20 %}", func(k *schema.Keys, x *statedRequirement) {
	k.Required("nodes", schema.Func(schema.Name, x.types).Wanted("a node type or a partition"), "the nodes that count: a node type or, if there is none of that name, a partition")
	k.Required("at_least", schema.Func(schema.AnyOf{countType, percentType}, x.atLeast).Wanted(wantAtLeast), "a number of nodes, or a part of all nodes")
})

const wantAtLeast = "a number of nodes, or a part of all nodes such as 20 %"

type statedRequirement struct {
	Requirement
	*reader
}

func (x *statedRequirement) types(n *yamldoc.Node) {
	x.Nodes = x.String(n, "a node type or a partition")
	known := names(x.plan.Nodes)
	if t := slices.Index(known, x.Nodes); t >= 0 {
		x.Types = []int{t}
		return
	}
	for t, y := range x.plan.Nodes {
		if y.Partition == x.Nodes {
			x.Types = append(x.Types, t)
		}
		if !slices.Contains(known, y.Partition) {
			known = append(known, y.Partition)
		}
	}
	if len(x.Types) == 0 && n.IsScalar() {
		x.Fail(n, fmt.Sprintf("unknown node type or partition %q", x.Nodes), "one of "+input.Joined(known, "and"))
	}
}

func (x *statedRequirement) atLeast(n *yamldoc.Node) {
	text := x.String(n, wantAtLeast)
	if !n.IsScalar() {
		return
	}
	if percentPattern().MatchString(text) {
		if x.Part = percentOf(text); !(x.Part > 0 && x.Part <= 1) {
			x.Fail(n, text+" of the nodes", "above 0 and at most 100 %")
		}
		return
	}
	count, err := strconv.Atoi(strings.TrimSpace(text))
	if x.Count = count; err != nil || count < 1 || count > MaxNodes {
		x.Fail(n, fmt.Sprintf("%q is not a number of nodes", text), wantAtLeast)
	}
}

func (r *reader) require(n *yamldoc.Node) {
	for _, item := range r.Sequence(n, "a list of requirements, as in [{nodes: gpu, at_least: 20 %}]") {
		x := statedRequirement{reader: r}
		requirementKeys.Read(&r.Decoder, item, &x)
		r.plan.Require = append(r.plan.Require, x.Requirement)
	}
}

package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// A Design is what machines of different sizes have in common: which node types are
// bought and which network connects them.
type Design struct {
	Types   []int // increasing; empty: only a network
	Network int
	Retired bool // the nodes of the existing machine
}

// NetworkOfOne is the network that a single node, which needs none, is listed with.
func (p *Plan) NetworkOfOne() int {
	if p.Existing != nil {
		return p.Existing.Network
	}
	return 0
}

// BuysNothing reports whether a choice is the existing machine as it is.
func (p *Plan) BuysNothing(c Choice) bool {
	return p.Existing != nil && len(c.Types) == 0 && c.Network == p.Existing.Network
}

func (c Choice) Design() Design { return Design{c.Types, c.Network, c.Retired} }

func (d Design) Equal(e Design) bool {
	return d.Network == e.Network && d.Retired == e.Retired && slices.Equal(d.Types, e.Types)
}

func (c Choice) Equal(d Choice) bool {
	return c.Design().Equal(d.Design()) && slices.Equal(c.Counts, d.Counts)
}

// DesignName returns the name of a design: "fat + thin, edr".
func (p *Plan) DesignName(d Design) string {
	parts := make([]string, len(d.Types))
	for i, t := range d.Types {
		parts[i] = p.Nodes[t].Name
	}
	if len(parts) == 0 {
		parts = []string{"no new nodes"}
	}
	return strings.Join(parts, " + ") + ", " + p.Networks[d.Network].Name + p.retiredText(d.Retired)
}

// Name returns the name of a choice: "16 fat, edr"; with an existing machine
// "8 old and 4 fat, edr". A single node has no network.
func (p *Plan) Name(c Choice) string {
	var parts []string
	for i, t := range c.Types {
		parts = append(parts, fmt.Sprintf("%d %s", c.Counts[i], p.Nodes[t].Name))
	}
	bought := strings.Join(parts, " + ")
	if e := p.Existing; e != nil && !c.Retired {
		has := fmt.Sprintf("%d %s", e.Count, p.Nodes[e.Node].Name)
		if bought == "" {
			bought = has
		} else {
			bought = has + " and " + bought
		}
	}
	if Total(p.Parts(c)) == 1 {
		return bought + p.retiredText(c.Retired)
	}
	return bought + ", " + p.Networks[c.Network].Name + p.retiredText(c.Retired)
}

// retiredText is the end of names of machines without the existing nodes.
func (p *Plan) retiredText(retired bool) string {
	if !retired {
		return ""
	}
	return ", " + p.Nodes[p.Existing.Node].Name + " retired"
}

// Speed returns the marked speed of a choice.
func (p *Plan) Speed(c Choice) float64 {
	var sum units.FlopsPerSecond
	for t, count := range p.Parts(c) {
		sum += units.FlopsPerSecond(units.FlopsPerSecond(count) * p.Nodes[t].Used())
	}
	return float64(sum)
}

// A Choice is a machine that may be bought: so many new nodes of each type, and
// the network of all nodes.
type Choice struct {
	Types   []int // indices into Plan.Nodes of what is bought, increasing; empty if only a network is
	Counts  []int // of each type, above 0
	Network int   // index into Plan.Networks
	Retired bool  // the nodes of the existing machine are no part of it
}

// Parts returns the nodes of the whole machine by index into Plan.Nodes, with
// those that exist.
func (p *Plan) Parts(c Choice) []int {
	counts := make([]int, len(p.Nodes))
	if p.Existing != nil && !c.Retired {
		counts[p.Existing.Node] = p.Existing.Count
	}
	for i, t := range c.Types {
		counts[t] += c.Counts[i]
	}
	return counts
}

func Total(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// Key identifies a choice within a plan.
func (c Choice) Key() string { return fmt.Sprint(c.Types, c.Counts, c.Network, c.Retired) }

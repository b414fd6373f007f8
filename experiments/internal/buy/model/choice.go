package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// A Design is what machines of different sizes have in common: which node types are
// bought and which network connects them.
type Design struct {
	Types   []int // indices into Plan.Nodes of what is bought, increasing; empty: only a network
	Network int   // index into Plan.Networks
	Retired bool  // the nodes of the existing machine are no part of it
	Bid     int   // 1 + index into Plan.Bids of what is bought as a whole; 0: its parts are bought one by one
}

// NetworkOfOne returns the network under which a single node, which needs none, is listed.
func (p *Plan) NetworkOfOne(d Design) int {
	listed := func(n int) bool {
		d.Network = n
		return p.Sold(d) || p.BuysNothing(d.Of())
	}
	if e := p.Existing; e != nil && listed(e.Network) {
		return e.Network
	}
	for n := range p.Networks {
		if listed(n) {
			return n
		}
	}
	return d.Network
}

// BuysNothing reports whether a choice is the existing machine as it is.
func (p *Plan) BuysNothing(c Choice) bool {
	return p.Existing != nil && len(c.Types) == 0 && c.Network == p.Existing.Network
}

// Of returns the choice of so many nodes of each type of the design.
func (d Design) Of(counts ...int) Choice { return Choice{d, counts} }

func (d Design) Equal(e Design) bool {
	return d.Network == e.Network && d.Retired == e.Retired && d.Bid == e.Bid && slices.Equal(d.Types, e.Types)
}

func (c Choice) Equal(d Choice) bool {
	return c.Design.Equal(d.Design) && slices.Equal(c.Counts, d.Counts)
}

// tooMany says that the network cannot connect the nodes of a choice.
func (p *Plan) tooMany(c Choice) string {
	n := &p.Networks[c.Network]
	return fmt.Sprintf("%d nodes are more than network %s can connect with switches of %d ports",
		each.Total(p.Parts(c)), n.Name, n.Switch.Ports)
}

// DesignName returns the name of a design: "fat + thin, edr", "bid of alpha".
func (p *Plan) DesignName(d Design) string {
	if b := p.BidOf(d); b != nil {
		name := b.Base
		if p.Scoring != nil {
			name = b.Name
		}
		return name + p.retiredText(d.Retired)
	}
	parts := each.Of(d.Types, func(t int) string { return p.Nodes[t].Name })
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
	name := strings.Join(parts, " + ")
	if e := p.Existing; e != nil && !c.Retired {
		name = strings.TrimSuffix(fmt.Sprintf("%d %s and %s", e.Count, p.Nodes[e.Node].Name, name), " and ")
	}
	if each.Total(p.Parts(c)) > 1 {
		name += ", " + p.Networks[c.Network].Name
	}
	if b := p.BidOf(c.Design); b != nil {
		name += ", " + b.Name
	}
	return name + p.retiredText(c.Retired)
}

// retiredText returns the suffix that names of machines without the existing nodes have.
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

// A Choice is a machine that may be bought: the number of new nodes of each type, and the network of all nodes.
type Choice struct {
	Design
	Counts []int // of each type, above 0
}

// Parts returns the nodes of the whole machine, the existing ones included, by index into Plan.Nodes.
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

func (c Choice) Key() string { return fmt.Sprint(c.Types, c.Counts, c.Network, c.Retired, c.Bid) }

// A Wiring is what connects a number of nodes.
type Wiring struct {
	Ports   int // used by nodes
	Leaves  int // switches that nodes are connected to
	Spines  int // switches above them
	Tops    int // switches above these, in a tree of three levels
	Uplinks int // cables between leaves and spines
	Upper   int // cables between spines and tops
	Down    int // ports of a full leaf used by nodes
}

func (w Wiring) Switches() int { return w.Leaves + w.Spines + w.Tops }

// Levels returns how many levels of switches there are.
func (w Wiring) Levels() int { return min(1, w.Leaves) + min(1, w.Spines) + min(1, w.Tops) }

// Cables returns the number of cables between switches.
func (w Wiring) Cables() int { return w.Uplinks + w.Upper }

// String describes the topology: "no network", "1 switch", "fat tree, 3+2 switches, 12 cables".
func (w Wiring) String() string {
	switch {
	case w.Leaves == 0:
		return "no network"
	case w.Spines == 0:
		return "1 switch"
	}
	if w.Tops == 0 {
		return fmt.Sprintf("fat tree, %d+%d switches, %d cables", w.Leaves, w.Spines, w.Uplinks)
	}
	return fmt.Sprintf("fat tree, %d+%d+%d switches, %d+%d cables", w.Leaves, w.Spines, w.Tops, w.Uplinks, w.Upper)
}

// Wire returns the switches and cables for the network cards of nodes: none for a single card, one switch where its
// ports suffice, else a fat tree of two levels,
//
//	up = floor(P/(1 + s)), down = P - up
//	leaves = ceil(n/down), uplinks = leaves up, spines = ceil(uplinks/P)
//
//	n  network cards of all nodes: ports used by nodes
//	P  ports of a switch
//	s  oversubscription, down/up
//
// Every leaf is connected to every spine, so there may be at most P leaves. More leaves take a third level of full
// bandwidth: each spine has h = floor(P/2) ports for the leaves of its pod, at most P of them, and one cable upwards
// for each of these ports,
//
//	spines = ceil(uplinks/h), tops = ceil(uplinks/P)
//
// ok is false for more than P h leaves, or where the network has no second level. Source: [AlFares2008], whose
// trees are those with s = 1 and all ports in use.
func (n *Network) Wire(cards int) (w Wiring, ok bool) {
	ports := n.Switch.Ports
	switch {
	case cards <= 1:
		return Wiring{}, true
	case cards <= ports:
		return Wiring{Ports: cards, Leaves: 1, Down: ports}, true
	case !n.FatTree:
		return Wiring{}, false
	}
	up := max(1, int(float64(ports)/(1+n.Oversubscription)))
	w = Wiring{Ports: cards, Down: ports - up}
	w.Leaves = ceilDiv(cards, w.Down)
	w.Uplinks = w.Leaves * up
	if w.Spines = ceilDiv(w.Uplinks, ports); w.Leaves > ports {
		w.Spines, w.Tops, w.Upper = ceilDiv(w.Uplinks, ports/2), w.Spines, w.Uplinks
	}
	return w, w.Leaves <= ports*(ports/2)
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// latency returns the latency between any two nodes: each level above the leaves adds two switches to the path.
func (n *Network) latency(w Wiring) units.Seconds {
	return n.Latency + units.Seconds(units.Seconds(2*max(0, w.Levels()-1))*n.HopLatency)
}

// Machine returns part of a choice's nodes as a machine, with the processes and threads on it. The network is wired as
// for the whole choice. REQUIRES: the network can connect it.
func (p *Plan) Machine(c Choice, parts []int) (*topology.Machine, topology.Selection) {
	w, _ := p.Wiring(c)
	n := &p.Networks[c.Network]
	onNode := p.OnNode
	m := &topology.Machine{
		Name: p.Name(c),
		Network: topology.Network{
			Title: n.Title, Latency: n.latency(w), Bandwidth: n.Bandwidth, OnNode: &onNode, Topology: build.Star{},
		},
	}
	use := topology.Selection{Processes: map[string]int{}, Threads: map[string]int{}, Precision: map[string]string{}}
	cards := 1 // the most that any node has
	for t, count := range parts {
		if count == 0 {
			continue
		}
		x := &p.Nodes[t]
		cards = max(cards, x.Cards)
		m.Types = append(m.Types, x.nodeType())
		if x.Devices != nil {
			use.Precision[x.Name] = x.Precision
		}
		m.Groups = append(m.Groups, topology.Group{Type: x.Name, Name: x.Name, Count: count, First: 1})
		use.Processes[x.Name], use.Threads[x.Name] = x.Processes, x.Threads
	}
	if w.Spines > 0 {
		// A leaf has as many nodes as it has ports for their cards. Its uplinks stay as they are, whatever the number
		// of its nodes.
		hosts, spines := max(1, w.Down/cards), w.Spines
		if w.Tops > 0 { // of full bandwidth: to a leaf, each of its uplinks looks like a spine
			spines = w.Uplinks / w.Leaves
		}
		m.Network.Topology = build.LeafSpine{Hosts: hosts, Spines: spines,
			Oversubscription: float64(hosts) * float64(w.Leaves) / float64(w.Uplinks)}
	}
	if p.Better != nil {
		m = p.Better.Better(m)
		if !p.Model.SharesLinks {
			for i := range m.Types {
				m.Types[i].NIC = 0 // cards are as the network
			}
		}
	}
	return m, use
}

func (n *Node) nodeType() topology.NodeType {
	t := topology.NodeType{
		Name: n.Name, Title: n.Title, Cores: n.Cores,
		MarkedSpeed: n.Speed / units.FlopsPerSecond(n.Cores),
		Memory:      n.Memory, MemoryBandwidth: n.MemoryBandwidth,
		NICs: n.Cards, OnNode: n.OnNode, Kernels: n.Kernels,
	}
	if n.Devices != nil {
		d := *n.Devices
		count := d.Count // n has the sums over these
		d.Count, d.Speeds, d.Link = n.Cores, n.speeds(t.MarkedSpeed), n.OnNode
		d.Memory, d.MemoryBandwidth = n.Memory/units.Bytes(count), n.MemoryBandwidth/units.BytesPerSecond(count)
		t.Devices = &d
	}
	return t
}

// speeds returns the speeds of a device for a marked speed that may differ from the description, as in the samples of
// robustness: the other speeds change in proportion.
func (n *Node) speeds(marked units.FlopsPerSecond) []topology.PrecisionSpeed {
	all := slices.Clone(n.Devices.Speeds)
	of := n.Devices.Speed(n.Precision)
	for i := range all {
		if all[i].Precision == n.Precision {
			all[i].Speed = marked
		} else {
			all[i].Speed *= marked / of
		}
	}
	return all
}

// Sold reports whether the parts of a design that is no bid are for sale, and its network connects its node types.
func (p *Plan) Sold(d Design) bool {
	unsold := func(t int) bool { return !p.Nodes[t].ForSale }
	return !p.Networks[d.Network].BidsOnly && !slices.ContainsFunc(d.Types, unsold) && p.stranger(d) < 0
}

// stranger returns a node type of a design that its network is not meant for, -1 if there is none.
func (p *Plan) stranger(d Design) int {
	bound := p.Networks[d.Network].Nodes
	types := d.Types
	if e := p.Existing; e != nil && !d.Retired {
		types = append([]int{e.Node}, types...)
	}
	i := slices.IndexFunc(types, func(t int) bool { return bound != nil && !slices.Contains(bound, t) })
	if i < 0 {
		return -1
	}
	return types[i]
}

// strangerText says that a network is not meant for a node type of a design; "" if it is for all.
func (p *Plan) strangerText(d Design) string {
	t := p.stranger(d)
	if t < 0 {
		return ""
	}
	types := each.Append(nil, p.Networks[d.Network].Nodes, func(x int) string { return p.Nodes[x].Name })
	return fmt.Sprintf("network %s is for %s, not for %s", p.Networks[d.Network].Name, input.Joined(types, "and"), p.Nodes[t].Name)
}

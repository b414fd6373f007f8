package build

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// maxTreeDepth bounds how deep subclusters nest.
const maxTreeDepth = 64

// Tree is a cluster of nested subclusters, of any sizes and depth. It is the outermost one; its Uplink is not used.
// Nodes are distributed in order, first to a subcluster's own hosts and then to its subclusters.
type Tree Subcluster

// Subcluster is hosts and smaller subclusters at one switch. Messages between
// them pass that switch and nothing above it.
type Subcluster struct {
	Name  string // for its links; if empty, its place is used: 0, 1, ...
	Nodes int    // hosts at the switch itself, at least 0
	// Local is the connection between hosts at this switch; each host's cable has half of its latency. nil: that of the
	// network.
	Local *topology.Connection
	// Uplink is the cable to the switch above.
	Uplink topology.Connection
	// Backbone is a link that every message through this switch passes once, in either direction; nil if the switch is
	// no limit.
	Backbone    *topology.Connection
	Subclusters []Subcluster
}

func (Tree) Kind() string { return "tree" }

func (t Tree) check(c *checker, nodes []Node) {
	have := Subcluster(t).check(c, "topology", 0)
	if have != int64(len(nodes)) {
		c.fail("topology", fmt.Sprintf("subclusters of %d nodes in all", have), fmt.Sprintf("as many as the cluster has, %d", len(nodes)))
	}
}

// check returns the number of hosts.
func (s Subcluster) check(c *checker, path string, depth int) int64 {
	if depth == maxTreeDepth {
		c.fail(path, "nested too deep", fmt.Sprintf("at most %d levels", maxTreeDepth))
		return 0
	}
	n := int64(s.Nodes)
	for i, sub := range s.Subclusters {
		n += sub.check(c, fmt.Sprintf("%s.subclusters[%d]", path, i), depth+1)
	}
	return n
}

// tree lists the switches, parents before children, and the hosts.
type tree struct {
	switches []treeSwitch
	at       []int32 // the switch of each host
	down     int32   // the link to a host or a switch is this far after the link from it
	hosts    []int32 // the link from each host
}

type treeSwitch struct {
	parent, depth int32
	uplink        int32 // link to the parent
	backbone      int32 // or NoLink
	first, nodes  int   // hosts at the switch itself
}

func (t Tree) wire(w *wires) wiring {
	r := &tree{down: w.ways - 1}
	w.grow(len(w.nodes))
	r.add(w, Subcluster(t), -1, "")
	return r
}

// add makes the subcluster, which gets the number of the next switch.
func (t *tree) add(w *wires, s Subcluster, parent int32, name string) {
	number := int32(len(t.switches))
	v := treeSwitch{parent: parent, uplink: topology.NoLink, backbone: topology.NoLink, first: len(t.at), nodes: s.Nodes}
	if parent >= 0 {
		v.depth = t.switches[parent].depth + 1
		v.uplink = w.cable(s.Uplink, name)
	}
	if b := s.Backbone; b != nil {
		prefix := "backbone"
		if name != "" {
			prefix = name + ".backbone"
		}
		v.backbone = w.link(topology.Link{Bandwidth: b.Bandwidth, Latency: b.Latency}, "", prefix)
	}
	t.switches = append(t.switches, v)
	local := w.half()
	if s.Local != nil {
		local = topology.Connection{Latency: s.Local.Latency / 2, Bandwidth: s.Local.Bandwidth}
	}
	for range s.Nodes {
		host := len(t.at)
		t.at = append(t.at, number)
		t.hosts = append(t.hosts, w.cable(w.toHost(host, 1, local), w.nodes[host].Name))
	}
	for i, sub := range s.Subclusters {
		own := cmp.Or(sub.Name, fmt.Sprint(i))
		if name != "" {
			own = name + "/" + own
		}
		t.add(w, sub, number, own)
	}
}

// route goes up to the lowest switch above both hosts and down again.
func (t *tree) route(buf []int32, from, to int32) ([]int32, bool) {
	top, y := t.at[from], t.at[to]
	for top != y {
		if t.switches[top].depth >= t.switches[y].depth {
			top = t.switches[top].parent
		} else {
			y = t.switches[y].parent
		}
	}
	buf = append(buf, t.hosts[from])
	for x := t.at[from]; x != top; x = t.switches[x].parent {
		buf = t.pass(buf, x)
		buf = append(buf, t.switches[x].uplink)
	}
	buf = t.pass(buf, top)
	descent := len(buf)
	for x := t.at[to]; x != top; x = t.switches[x].parent { // starting at the lower end
		buf = t.pass(buf, x)
		buf = append(buf, t.switches[x].uplink+t.down)
	}
	slices.Reverse(buf[descent:])
	return append(buf, t.hosts[to]+t.down), true
}

func (t *tree) pass(buf []int32, number int32) []int32 {
	if b := t.switches[number].backbone; b != topology.NoLink {
		buf = append(buf, b)
	}
	return buf
}

// diameter: through each switch, the longest route consists of the two longest arms, which are hosts' cables and the
// ways up from switches below.
func (t *tree) diameter() (int, bool) {
	longest := 0
	arms := make([][2]int, len(t.switches)) // the two longest, 0 if there is none
	for i := len(t.switches) - 1; i >= 0; i-- {
		s, a := &t.switches[i], &arms[i]
		for range min(s.nodes, 2) {
			longer(a, 1)
		}
		pass := 0
		if s.backbone != topology.NoLink {
			pass = 1
		}
		if a[1] > 0 {
			longest = max(longest, a[0]+pass+a[1])
		}
		if a[0] > 0 && s.parent >= 0 {
			longer(&arms[s.parent], a[0]+pass+1)
		}
	}
	return longest, true
}

func longer(two *[2]int, n int) {
	if n > two[0] {
		two[0], two[1] = n, two[0]
	} else {
		two[1] = max(two[1], n)
	}
}

// Star is a crossbar: a cable from each host to a switch that is no limit. A message between hosts takes the latency of
// the network. It is a [Tree] of one level.
type Star struct{}

func (Star) Kind() string { return "star" }

func (Star) check(c *checker, nodes []Node) {}

func (Star) wire(w *wires) wiring { return Tree{Nodes: len(w.nodes)}.wire(w) }

// Backbone is a star in which every message also passes one link shared by all, in both directions: a message between
// hosts takes the latency of the network plus that of the backbone.
type Backbone struct {
	Latency   units.Seconds        // at least 0
	Bandwidth units.BytesPerSecond // above 0
}

func (Backbone) Kind() string { return "backbone" }

func (Backbone) check(*checker, []Node) {}

func (b Backbone) wire(w *wires) wiring {
	c := topology.Connection(b)
	return Tree{Nodes: len(w.nodes), Backbone: &c}.wire(w)
}

// Bus is one medium that all messages of all hosts share, in both directions:
// a single link with the latency and the bandwidth of the network. The
// bandwidth of interfaces (Node.NIC) does not matter.
type Bus struct{}

func (Bus) Kind() string { return "bus" }

func (Bus) check(*checker, []Node) {}

func (Bus) wire(w *wires) wiring {
	for i := range w.nodes {
		if _, _, known := w.card(i); known {
			w.notes = append(w.notes, "bus: the bandwidths of the nodes' network interfaces are not used")
			break
		}
	}
	return bus(w.link(topology.Link{Bandwidth: w.network.Bandwidth, Latency: w.network.Latency}, "", "bus"))
}

// bus is the number of its link.
type bus int32

func (b bus) route(buf []int32, _, _ int32) ([]int32, bool) { return append(buf, int32(b)), true }

func (bus) diameter() (int, bool) { return 1, true }

// bisection: whatever the halves, everything between them uses the bus.
func (b bus) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	return links[b].Bandwidth, true
}

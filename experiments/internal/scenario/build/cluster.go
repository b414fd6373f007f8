package build

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// MaxNodes and maxCables bound what a description of a few words can make: a
// link takes 40 bytes and its name.
const (
	MaxNodes  = 1 << 22
	maxCables = 1 << 24
)

// maxCards bounds the network cards of a node.
const maxCards = 1 << 16

// Cluster is what a platform is made from.
type Cluster struct {
	Name     string
	Nodes    []Node // at least 1, at most MaxNodes; host i of the platform is Nodes[i]
	Network  Network
	Topology Topology
}

// Node is one node of the cluster. A bandwidth of 0 is not known.
type Node struct {
	Name            string
	Cores           int                  // at least 1
	Speed           units.FlopsPerSecond // of one core, above 0
	MemoryBandwidth units.BytesPerSecond
	// NIC is the bandwidth of a network card, each way, and of the cable to it; if it is not known, the network's
	// counts.
	NIC units.BytesPerSecond
	// NICs is the number of cards, 0 for one. Several form one cable with their total bandwidth, which all messages of
	// the node share; each message uses one card, and is no faster than that.
	NICs int
	// OnNode replaces Network.OnNode for this node, with a bandwidth; nil if it does not differ.
	OnNode *topology.Connection
}

// Network is what all topologies have in common.
type Network struct {
	// Latency is that of an empty message between two adjacent hosts (at one switch, or neighbours on a torus), at
	// least 0.
	Latency units.Seconds
	// Bandwidth of a cable, each way, above 0.
	Bandwidth units.BytesPerSecond
	// HalfDuplex: both directions of each cable share its bandwidth.
	HalfDuplex bool
	// OnNode is how a host reaches itself: Latency is that of an empty message,
	// Bandwidth what one message can get, or 0 if only the memory limits it.
	OnNode topology.Connection
}

// Loopback is the bandwidth of a host's message to itself if neither OnNode nor the memory bandwidth is known, as in
// SimGrid 3.32 (network/loopback-bw).
const Loopback units.BytesPerSecond = 10e9

// Topology is one of [Star], [Bus], [Backbone], [Tree], [Levels], [FatTree],
// [LeafSpine], [Rails], [Torus], [Dragonfly] and [Graph].
type Topology interface {
	topology.Topology
	// check reports what is wrong for these nodes, and with its numbers in combination.
	check(c *checker, nodes []Node)
	// wire makes the links. REQUIRES: check found nothing.
	wire(w *wires) wiring
}

// wiring is what a topology knows once it is built.
type wiring interface {
	// route appends the links between two different hosts; false if there is no way.
	route(buf []int32, from, to int32) ([]int32, bool)
	diameter() (links int, exact bool)
	bisection(links []topology.Link) (bandwidth units.BytesPerSecond, exact bool)
}

// Problems returns everything that is wrong, nil if nothing is. It is up to the reader to check that each number of the
// topology is in its range: counts of 1 to [MaxNodes], connections with a bandwidth.
func (c Cluster) Problems() Problems {
	var check checker
	check.count("nodes", len(c.Nodes), 1, MaxNodes)
	seen := make(map[string]bool, len(c.Nodes))
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for _, p := range nodeProblems(n, seen[n.Name]) {
			p.Path = fmt.Sprintf("nodes[%d].%s", i, p.Path)
			check.problems = append(check.problems, p)
		}
		seen[n.Name] = true
	}
	check.latency("network.latency", c.Network.Latency)
	check.bandwidth("network.bandwidth", c.Network.Bandwidth)
	check.latency("network.on_node.latency", c.Network.OnNode.Latency)
	check.optionalBandwidth("network.on_node.bandwidth", c.Network.OnNode.Bandwidth)
	if c.Topology == nil {
		check.fail("topology", "none", "one of the topologies")
	} else {
		c.Topology.check(&check, c.Nodes)
	}
	return check.problems
}

func nodeProblems(n *Node, again bool) Problems {
	var check checker
	if n.Name == "" {
		check.fail("name", "empty", "a name")
	} else if again {
		check.fail("name", fmt.Sprintf("%q a second time", n.Name), "a name of its own")
	}
	check.count("cores", n.Cores, 1, math.MaxInt32)
	if !(n.Speed > 0) || math.IsInf(float64(n.Speed), 0) {
		check.fail("speed", n.Speed, "above 0 flop/s and finite")
	}
	check.optionalBandwidth("memory_bandwidth", n.MemoryBandwidth)
	check.optionalBandwidth("nic", n.NIC)
	check.count("nics", n.NICs, 0, maxCards)
	if n.OnNode != nil {
		check.latency("on_node.latency", n.OnNode.Latency)
		check.bandwidth("on_node.bandwidth", n.OnNode.Bandwidth)
	}
	return check.problems
}

// Platform makes the platform, or returns its [Problems].
//
// The route of a host to itself has the latency Network.OnNode.Latency and is
//
//	[pipe, memory, memory]  if the bandwidths of OnNode and of the memory are known,
//	[memory, memory]        if only that of the memory is,
//	[pipe]                  if only that of OnNode is,
//	[loopback]              if neither is,
//
// where pipe and memory belong to the host, and all hosts share the loopback. A copy reads the memory and writes it, so
// the route has that link twice; without a pipe each of the two has half of the latency. Pipe and loopback are fat
// pipes.
//
// A route from or to a host with several network cards passes a fat pipe with the bandwidth of one card, shared by all
// hosts with such cards.
func (c Cluster) Platform() (*topology.Platform, error) {
	if problems := c.Problems(); problems != nil {
		return nil, problems
	}
	w := &wires{network: c.Network, nodes: c.Nodes, ways: 2}
	if c.Network.HalfDuplex {
		w.ways = 1
	}
	r := &router{wiring: c.Topology.wire(w), names: c.Nodes}
	r.behind = w.behind
	p := &topology.Platform{Name: c.Name, Hosts: make([]topology.Host, len(c.Nodes)), Router: r}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		p.Hosts[i] = topology.Host{Name: n.Name, Cores: n.Cores, Speed: n.Speed, Memory: topology.NoLink}
	}
	r.network = len(w.links)
	r.addOwnRoutes(w, p.Hosts)
	r.addCards(w)
	p.Links, p.Notes = w.finish(), w.notes
	r.links = p.Links
	return p, nil
}

// wires collects links while a platform is made.
type wires struct {
	network Network
	nodes   []Node
	ways    int32 // links of a cable: 2, or 1 if half-duplex
	links   []topology.Link
	names   strings.Builder // of all links, concatenated: a million strings would take too much memory
	ends    []int           // of each link's name in names
	notes   []string
	behind  []int32 // the node of each host that the wiring adds to the nodes
}

// cable adds a cable and returns the index of its link in that direction; the link back is w.ways-1 after it. Its name
// is the prefix and the numbers, separated by dots.
func (w *wires) cable(c topology.Connection, prefix string, numbers ...int) int32 {
	l := topology.Link{Bandwidth: c.Bandwidth, Latency: c.Latency}
	if w.ways == 1 {
		return w.link(l, "", prefix, numbers...)
	}
	there := w.link(l, ".up", prefix, numbers...)
	w.link(l, ".down", prefix, numbers...)
	return there
}

func (w *wires) link(l topology.Link, suffix, prefix string, numbers ...int) int32 {
	var digits [20]byte
	w.names.WriteString(prefix)
	for _, n := range numbers {
		w.names.WriteByte('.')
		w.names.Write(strconv.AppendInt(digits[:0], int64(n), 10))
	}
	w.names.WriteString(suffix)
	w.ends = append(w.ends, w.names.Len())
	w.links = append(w.links, l)
	return int32(len(w.links) - 1)
}

// grow makes room for that many more cables.
func (w *wires) grow(cables int) {
	w.links = slices.Grow(w.links, cables*int(w.ways)+2*len(w.nodes)+1)
	w.ends = slices.Grow(w.ends, cables*int(w.ways)+2*len(w.nodes)+1)
}

// finish names the links.
func (w *wires) finish() []topology.Link {
	names := w.names.String()
	start := 0
	for i, end := range w.ends {
		w.links[i].Name = names[start:end]
		start = end
	}
	return w.links
}

// half is the default cable where hosts meet at switches.
func (w *wires) half() topology.Connection {
	return topology.Connection{Latency: w.network.Latency / 2, Bandwidth: w.network.Bandwidth}
}

// card returns the bandwidth of a host's network card, and the number of its cards; known is false if neither is given.
func (w *wires) card(host int) (bandwidth units.BytesPerSecond, cards int, known bool) {
	n := &w.nodes[host]
	return cmp.Or(n.NIC, w.network.Bandwidth), max(1, n.NICs), n.NIC > 0 || n.NICs > 1
}

// toHost returns c with the bandwidth of the host's network cards, if that is known. A host with several ports divides
// its cards among them, if it has several.
func (w *wires) toHost(host, ports int, c topology.Connection) topology.Connection {
	switch bandwidth, cards, known := w.card(host); {
	case known && cards == 1:
		c.Bandwidth = bandwidth
	case known:
		c.Bandwidth = units.BytesPerSecond(cards) * bandwidth / units.BytesPerSecond(ports)
	}
	return c
}

// partlyFilled notes that some positions are empty.
func (w *wires) partlyFilled(positions int, empty string) {
	if n := len(w.nodes); n < positions {
		w.notes = append(w.notes, fmt.Sprintf("%d nodes on the first of %d positions; %s", n, positions, empty))
	}
}

// Problem is one thing that is wrong with a description.
type Problem struct {
	Path  string // of the field, as in topology.dimensions[1]
	Value string // what it is, with its unit
	Want  string // what it has to be
}

func (p Problem) Error() string {
	return fmt.Sprintf("%s: %s; expected %s", p.Path, p.Value, p.Want)
}

// Problems is everything that is wrong with a description; never empty as an
// error.
type Problems []Problem

func (p Problems) Error() string {
	return strings.Join(each.Of(p, Problem.Error), "\n")
}

// checker collects problems.
type checker struct{ problems Problems }

func (c *checker) fail(path string, value any, want string) {
	c.problems = append(c.problems, Problem{path, fmt.Sprint(value), want})
}

// count checks a number against its bounds.
func (c *checker) count(path string, n, smallest, largest int) {
	if n < smallest || n > largest {
		c.fail(path, n, fmt.Sprintf("%d to %d", smallest, largest))
	}
}

func (c *checker) latency(path string, t units.Seconds) {
	if !(t >= 0) || math.IsInf(float64(t), 0) {
		c.fail(path, t, "at least 0 s and finite")
	}
}

func (c *checker) bandwidth(path string, b units.BytesPerSecond) {
	if !(b > 0) || math.IsInf(float64(b), 0) {
		c.fail(path, b, "above 0 B/s and finite")
	}
}

// optionalBandwidth also accepts 0, for unknown.
func (c *checker) optionalBandwidth(path string, b units.BytesPerSecond) {
	if !(b >= 0) || math.IsInf(float64(b), 0) {
		c.fail(path, b, "finite and at least 0 B/s, where 0 means not known")
	}
}

// cables checks the number of cables of a topology against maxCables.
func (c *checker) cables(n int64) {
	if n > maxCables {
		c.fail("topology", fmt.Sprintf("%d cables", n), fmt.Sprintf("at most %d", maxCables))
	}
}

// room checks the number of nodes against the positions of a topology.
func (c *checker) room(nodes int, positions int64) {
	if int64(nodes) > positions {
		c.fail("nodes", fmt.Sprintf("%d nodes", nodes), fmt.Sprintf("at most %d, as many as the topology has positions", positions))
	}
}

// tooMany stands for all larger products; its product with an int32 does not overflow.
const tooMany = int64(1) << 31

// product multiplies counts of at least 0, each at most tooMany, and stops at
// tooMany.
func product[T int | int64](counts ...T) int64 {
	p := int64(1)
	for _, n := range counts {
		if n == 0 {
			return 0
		}
		p = min(p*min(int64(n), tooMany), tooMany)
	}
	return p
}

package cluster

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// This file puts devices on links. A device is a host of its own: it has a core of the device's speed, its memory, and
// a cable to a switch inside its node that is no limit, such as NVSwitch. Messages to other nodes take the network
// cards of the node, like all others there, and not the cable to that switch. A device with a card of its own, or one
// shared with some of the devices, uses that: a cable inside the cable of the node, which has the bandwidth of all
// cards. Where the network keeps cards apart, a device is at the host of its card. A message to a device on another
// rail first takes the links of its node to a device on that rail, or arrives at a device on its own rail and takes the
// links there, or uses the spines.

var _ topology.Router = (*deviceRouter)(nil)

// deviceRouter routes between hosts, some of which are devices.
type deviceRouter struct {
	nodes   topology.Router
	links   []topology.Link // of the nodes
	first   int32           // host of the first device; earlier hosts are nodes
	devices []device
}

// device lists the connections of a device. Links that it does not have are NoLink.
type device struct {
	node   int32 // its host
	link   cable // to the switch of its node, and from there
	domain int32 // its number
	across cable // to the switch of its domain, and from there
	card   cable // if the node has several cards that not all devices share
	memory int32 // its path to itself, where no connection inside its node is given
	at     int32 // the host of its card between nodes, or its node where the network does not keep cards apart
	rail   int   // the number of that card, -1 for all cards
	// onRail is, by rail, a device of the node, or NoLink; nil where messages do not change rails by links.
	onRail []int32
}

// withDevices returns a platform with a host for every device on which a process of the placement runs, and the host of
// each rank; nodes are the hosts of the ranks' nodes, and between is the network of the machine.
func withDevices(p *topology.Platform, placement *topology.Placement, nodes []int32,
	between *topology.Network,
) (*topology.Platform, []int32) {
	extended, place := *p, slices.Clone(nodes)
	extended.Links, extended.Hosts = slices.Clip(p.Links), slices.Clip(p.Hosts)
	router := &deviceRouter{nodes: p.Router, links: p.Links, first: int32(len(p.Hosts))}
	extended.Router = router
	wired, _ := between.Topology.(build.Rails)
	w := deviceWiring{Platform: &extended, router: router, between: between, cardHost: build.CardHosts(p),
		bySpines: wired.BySpines, cards: make(map[int]cable)}
	domains := int32(0) // upper bound of the number of domains in earlier blocks
	for _, r := range placement.Blocks {
		if !r.OnDevices() {
			continue
		}
		for i := range r.Nodes * r.Processes {
			rank, node := placement.Rank(r.FirstSlot+i), i/r.Processes
			domain := domains + int32(node/max(1, r.Type.Devices.DomainNodes))
			place[rank] = w.add(r, device{node: nodes[rank], domain: domain}, r.Group.NodeName(node), i%r.Processes)
		}
		domains += int32(r.Nodes)
	}
	return &extended, place
}

// deviceWiring adds devices to a platform, those of a node one after another.
type deviceWiring struct {
	*topology.Platform
	router   *deviceRouter
	between  *topology.Network                // of the machine
	cardHost func(node int32, card int) int32 // as build.CardHosts
	bySpines bool                             // how messages change rails there

	cards  map[int]cable // of the current node
	onRail []int32       // of the current node; see device
}

// add adds a device, whose node and domain x has, and returns its host. Number counts those of a node.
func (w *deviceWiring) add(r topology.Block, x device, node string, number int) int32 {
	devices := r.Type.Devices
	if number == 0 {
		clear(w.cards)
		w.onRail = nil
		if w.cardHost != nil && !w.bySpines && devices.Link != nil {
			w.onRail = slices.Repeat([]int32{topology.NoLink}, max(1, r.Type.NICs))
		}
	}
	name := fmt.Sprintf("%s.device.%d", node, number)
	x.link, x.across, x.memory = noCable, noCable, topology.NoLink
	if devices.Link != nil {
		x.link = w.cable(name, half(devices.Link))
	}
	switch across := devices.Across(); {
	case across == nil:
	case devices.DomainLink == nil:
		x.across = x.link
	default:
		x.across = w.cable(name+".domain", half(across))
	}
	w.connect(r, &x, node, cardOf(r, number))
	memory := topology.NoLink
	if b := devices.MemoryBandwidth; b > 0 {
		memory = w.link(name+".memory", topology.Link{Bandwidth: b})
	}
	if r.OnNode() == nil && w.between.OnNode == nil {
		x.memory = memory
	}
	w.Hosts = append(w.Hosts, topology.Host{Name: name, Cores: 1, Speed: r.Speed(), Memory: memory})
	w.router.devices = append(w.router.devices, x)
	return int32(len(w.Hosts) - 1)
}

// connect leads a device to the network between nodes, by a card or, if that is -1, by all cards of its node.
func (w *deviceWiring) connect(r topology.Block, x *device, node string, card int) {
	x.at, x.rail, x.card = x.node, -1, noCable
	switch {
	case card < 0:
	case w.cardHost != nil:
		x.at, x.rail, x.onRail = w.cardHost(x.node, card), card, w.onRail
		if w.onRail != nil && w.onRail[card] == topology.NoLink {
			w.onRail[card] = int32(len(w.router.devices))
		}
	default:
		if _, made := w.cards[card]; !made {
			name := fmt.Sprintf("%s.card.%d", node, card)
			l := topology.Link{Bandwidth: cmp.Or(r.Type.NIC, w.between.Bandwidth)}
			if w.between.HalfDuplex {
				both := w.link(name, l)
				w.cards[card] = cable{both, both}
			} else {
				w.cards[card] = w.cable(name, l)
			}
		}
		x.card = w.cards[card]
	}
}

func (w *deviceWiring) link(name string, l topology.Link) int32 {
	l.Name = name
	w.Links = append(w.Links, l)
	return int32(len(w.Links) - 1)
}

func (w *deviceWiring) cable(name string, l topology.Link) cable {
	return cable{w.link(name+".up", l), w.link(name+".down", l)}
}

// half is one of two links that make a connection.
func half(c *topology.Connection) topology.Link {
	return topology.Link{Bandwidth: c.Bandwidth, Latency: c.Latency / 2}
}

// Route implements topology.Router. Devices of a node without links communicate by the node's route to itself. A device
// reaches itself as it does the others or, if no connection is given, through its memory, which a copy reads and
// writes.
func (r *deviceRouter) Route(buf []int32, from, to int32) ([]int32, error) {
	return r.around(buf, from, to, r.nodes.Route)
}

// around is Route with a given route between nodes.
func (r *deviceRouter) around(buf []int32, from, to int32, nodes func([]int32, int32, int32) ([]int32, error)) ([]int32, error) {
	a, b := r.device(from), r.device(to)
	switch {
	case a != nil && a == b && a.memory != topology.NoLink:
		return append(buf, a.memory, a.memory), nil
	case a != nil && b != nil && a.node == b.node && a.link != noCable:
		return append(buf, a.link.out, b.link.in), nil
	case a != nil && b != nil && a.node != b.node && a.domain == b.domain:
		return append(buf, a.across.out, b.across.in), nil
	}
	if r.node(from) == r.node(to) {
		return r.nodes.Route(buf, r.node(from), r.node(to))
	}
	before, after, source, destination := r.between(from, to)
	buf = appendLinks(buf, before.out, before.in)
	n := len(buf)
	buf, err := nodes(buf, source, destination)
	if err != nil {
		return buf[:n], err
	}
	out, in := a.cable().out, b.cable().in
	// The pipes of cards, which messages do not share, come last.
	for out != topology.NoLink && in != topology.NoLink && len(buf) > n && r.links[buf[len(buf)-1]].FatPipe {
		buf = buf[:len(buf)-1]
	}
	return appendLinks(buf, out, in, after.out, after.in), nil
}

// between returns the ends of a message on the network between nodes, and the links before and after it by which the
// message changes rails.
func (r *deviceRouter) between(from, to int32) (before, after cable, source, destination int32) {
	a, b := r.device(from), r.device(to)
	before, after, source, destination = noCable, noCable, from, to
	if a != nil {
		source = a.at
	}
	if b != nil {
		destination = b.at
	}
	if a == nil || b == nil || a.rail < 0 || b.rail < 0 || a.rail == b.rail {
		return before, after, source, destination
	}
	if x := a.onRailOf(b); x != topology.NoLink {
		return cable{a.link.out, r.devices[x].link.in}, after, r.devices[x].at, destination
	}
	if x := b.onRailOf(a); x != topology.NoLink {
		return before, cable{r.devices[x].link.out, b.link.in}, source, r.devices[x].at
	}
	return before, after, source, destination
}

// onRailOf returns a device of the same node that is on the other device's rail, or NoLink.
func (d *device) onRailOf(other *device) int32 {
	if d.onRail == nil || other.rail >= len(d.onRail) {
		return topology.NoLink
	}
	return d.onRail[other.rail]
}

// ways is Route with given ways between nodes. The other links carry the whole message.
func (r *deviceRouter) ways(between ways) ways {
	return func(links []int32, parts []float64, from, to int32, message uint64) ([]int32, []float64) {
		whole := func(n int) { parts = append(parts, slices.Repeat([]float64{1}, max(0, n-len(parts)))...) }
		links, _ = r.around(links, from, to, func(buf []int32, source, destination int32) ([]int32, error) {
			whole(len(buf))
			buf, parts = between(buf, parts, source, destination, message)
			return buf, nil
		})
		whole(len(links))
		return links, parts[:len(links)]
	}
}

// appendLinks appends the links other than NoLink.
func appendLinks(buf []int32, links ...int32) []int32 {
	return each.Where(buf, links, func(l int32) bool { return l != topology.NoLink })
}

// cable is the cable of a network card. A card that all devices share has no links of its own.
type cable struct{ out, in int32 }

var noCable = cable{topology.NoLink, topology.NoLink}

// cable returns the cable of a device's card.
func (d *device) cable() cable {
	if d == nil {
		return noCable
	}
	return d.card
}

// ways is the form of [flow.Machine.Ways].
type ways = func(links []int32, parts []float64, from, to int32, message uint64) ([]int32, []float64)

// device returns the device of a host, nil for a node.
func (r *deviceRouter) device(host int32) *device {
	if host < r.first {
		return nil
	}
	return &r.devices[host-r.first]
}

func (r *deviceRouter) node(host int32) int32 {
	if x := r.device(host); x != nil {
		return x.node
	}
	return host
}

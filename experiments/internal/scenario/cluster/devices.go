package cluster

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/topology"
)

// Devices on links. A device is a host of its own: it has a core of the speed of the
// device, its memory, and a cable to a switch inside its node that is no limit, as
// NVSwitch and its like. What goes to other nodes takes the network cards of the node
// as everything else there, and not the cable to that switch.

var _ topology.Router = (*deviceRouter)(nil)

// deviceRouter knows the way between hosts of which some are devices.
type deviceRouter struct {
	nodes   topology.Router
	first   int32 // host of the first device; those before are nodes
	devices []device
}

// device is what a device is connected by. A link that it has not got is NoLink.
type device struct {
	node    int32 // its host
	out, in int32 // links to the switch of its node, and from there
	memory  int32 // by which it reaches itself, where nothing is said about connections inside its node
}

// withDevices returns a platform with a host for every device that a process of the
// placement runs on, and the host of each rank; nodes are the hosts of the nodes of
// the ranks. onNode is what the machine says of connections inside nodes.
func withDevices(p *topology.Platform, placement *topology.Placement, nodes []int32,
	onNode *topology.Connection,
) (*topology.Platform, []int32) {
	extended, place := *p, make([]int32, len(nodes))
	copy(place, nodes)
	extended.Links, extended.Hosts = slices.Clip(p.Links), slices.Clip(p.Hosts)
	router := &deviceRouter{nodes: p.Router, first: int32(len(p.Hosts))}
	for _, r := range placement.Blocks {
		if !r.OnDevices() {
			continue
		}
		for i := range r.Nodes * r.Processes {
			rank := placement.Rank(r.FirstSlot + i)
			name := fmt.Sprintf("%s.device.%d", r.Group.NodeName(i/r.Processes), i%r.Processes)
			x := device{node: nodes[rank], out: topology.NoLink, in: topology.NoLink, memory: topology.NoLink}
			add := func(suffix string, l topology.Link) int32 {
				l.Name = name + suffix
				extended.Links = append(extended.Links, l)
				return int32(len(extended.Links) - 1)
			}
			if c := r.Type.Devices.Link; c != nil {
				half := topology.Link{Bandwidth: c.Bandwidth, Latency: c.Latency / 2}
				x.out, x.in = add(".up", half), add(".down", half)
			}
			memory := topology.NoLink
			if b := r.Type.Devices.MemoryBandwidth; b > 0 {
				memory = add(".memory", topology.Link{Bandwidth: b})
			}
			if r.OnNode() == nil && onNode == nil {
				x.memory = memory
			}
			place[rank] = int32(len(extended.Hosts))
			extended.Hosts = append(extended.Hosts, topology.Host{Name: name, Cores: 1, Speed: r.Speed(), Memory: memory})
			router.devices = append(router.devices, x)
		}
	}
	extended.Router = router
	return &extended, place
}

// Route is that of topology.Router. The route between devices of a node without links
// is that of the node to itself. A device reaches itself as it does the others or, where
// nothing is said about that, through its memory, which a copy reads and writes.
func (r *deviceRouter) Route(buf []int32, from, to int32) ([]int32, error) {
	a, b := r.device(from), r.device(to)
	switch {
	case a != nil && a == b && a.memory != topology.NoLink:
		return append(buf, a.memory, a.memory), nil
	case a != nil && b != nil && a.node == b.node && a.out != topology.NoLink:
		return append(buf, a.out, b.in), nil
	}
	return r.nodes.Route(buf, r.node(from), r.node(to))
}

// ways is Route with the ways between nodes that are given.
func (r *deviceRouter) ways(between ways) ways {
	return func(links []int32, parts []float64, from, to int32, message uint64) ([]int32, []float64) {
		if r.node(from) != r.node(to) {
			return between(links, parts, r.node(from), r.node(to), message)
		}
		links, _ = r.Route(links, from, to) // a node reaches itself
		return links, append(parts, slices.Repeat([]float64{1}, len(links)-len(parts))...)
	}
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

// node returns the node that a host is, or is in.
func (r *deviceRouter) node(host int32) int32 {
	if x := r.device(host); x != nil {
		return x.node
	}
	return host
}

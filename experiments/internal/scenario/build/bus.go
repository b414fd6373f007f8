package build

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

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

// bisection: whatever the halves, all that goes between them uses the bus.
func (b bus) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	return links[b].Bandwidth, true
}

package purchase

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// A Wiring is what connects a number of nodes.
type Wiring struct {
	Nodes   int // ports used by nodes
	Leaves  int // switches that nodes are connected to
	Spines  int // switches above them
	Uplinks int // cables between leaves and spines
	Down    int // nodes of a full leaf
}

// Switches returns the number of switches.
func (w Wiring) Switches() int { return w.Leaves + w.Spines }

// String describes the topology: "no network", "1 switch", "fat tree, 3+2
// switches".
func (w Wiring) String() string {
	switch {
	case w.Leaves == 0:
		return "no network"
	case w.Spines == 0:
		return "1 switch"
	}
	return fmt.Sprintf("fat tree, %d+%d switches", w.Leaves, w.Spines)
}

// Wire returns what a number of nodes takes: nothing for a single node, one
// switch where its ports suffice, else a fat tree of two levels,
//
//	up = floor(P/(1 + s)), down = P - up
//	leaves = ceil(n/down), uplinks = leaves up, spines = ceil(uplinks/P)
//
//	n  nodes
//	P  ports of a switch
//	s  oversubscription, down/up
//
// Every leaf is connected to every spine, for which there may be no more than P
// leaves. ok is false beyond that, or where the network has no second level.
func (n *Network) Wire(nodes int) (w Wiring, ok bool) {
	ports := n.Switch.Ports
	switch {
	case nodes <= 1:
		return Wiring{}, true
	case nodes <= ports:
		return Wiring{Nodes: nodes, Leaves: 1, Down: ports}, true
	case !n.FatTree:
		return Wiring{}, false
	}
	up := max(1, int(float64(ports)/(1+n.Oversubscription)))
	w = Wiring{Nodes: nodes, Down: ports - up}
	w.Leaves = ceilDiv(nodes, w.Down)
	w.Uplinks = w.Leaves * up
	w.Spines = ceilDiv(w.Uplinks, ports)
	return w, w.Leaves <= ports
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// latency returns that between any two nodes: across a fat tree a message passes
// two more switches.
func (n *Network) latency(w Wiring) units.Seconds {
	if w.Spines > 0 {
		return n.Latency + units.Seconds(2*n.HopLatency)
	}
	return n.Latency
}

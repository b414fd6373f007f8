package model

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// A Wiring is what connects a number of nodes.
type Wiring struct {
	Ports   int // used by nodes
	Leaves  int // switches that nodes are connected to
	Spines  int // switches above them
	Uplinks int // cables between leaves and spines
	Down    int // ports of a full leaf used by nodes
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

// Wire returns what the network cards of nodes take: nothing for a single one, one
// switch where its ports suffice, else a fat tree of two levels,
//
//	up = floor(P/(1 + s)), down = P - up
//	leaves = ceil(n/down), uplinks = leaves up, spines = ceil(uplinks/P)
//
//	n  network cards of all nodes: ports used by nodes
//	P  ports of a switch
//	s  oversubscription, down/up
//
// Every leaf is connected to every spine, for which there may be no more than P
// leaves. ok is false beyond that, or where the network has no second level.
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

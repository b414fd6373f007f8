package cluster

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Network cards where messages are priced one by one: a message between nodes is not faster than the card of
// a device at either end, of which devices that share it have equal parts, whether the others send or not.

// cardShares returns what each process has of a network card, infinity where the cards are those of all.
func cardShares(m *topology.Machine, p *topology.Placement) []units.BytesPerSecond {
	shares := slices.Repeat([]units.BytesPerSecond{units.BytesPerSecond(math.Inf(1))}, p.Ranks())
	for _, b := range p.Blocks {
		if !b.OnDevices() {
			continue
		}
		for number := range b.Processes {
			_, sharing, own := b.Type.Card(number, b.Processes)
			if !own || b.Type.NIC == 0 && sharing == 1 { // it is as the network
				continue
			}
			share := cmp.Or(b.Type.NIC, m.Network.Bandwidth) / units.BytesPerSecond(sharing)
			for node := range b.Nodes {
				shares[p.Rank(b.FirstSlot+node*b.Processes+number)] = share
			}
		}
	}
	return shares
}

// behindCards is between, with messages that pass the cards of devices.
func (n Network) behindCards(m *topology.Machine, p *topology.Placement, onNode []network.Model) network.Model {
	used, _ := p.Devices()
	if n.behind == nil || used == 0 {
		return n.between(m, p, onNode)
	}
	shares := cardShares(m, p)
	for i, b := range shares {
		if n.carries(b) {
			shares[i] = units.BytesPerSecond(math.Inf(1))
		}
	}
	widths := slices.Compact(slices.Sorted(slices.Values(shares)))
	x := &carded{}
	for _, b := range widths {
		behind := n
		behind.each(func(m network.Model) network.Model { return n.behind(m, b) })
		x.of = append(x.of, behind.between(m, p, onNode))
	}
	if len(x.of) == 1 {
		return x.of[0]
	}
	x.Model = x.of[0]
	for _, b := range shares {
		class, _ := slices.BinarySearch(widths, b)
		x.class = append(x.class, int32(class))
	}
	return x
}

// carries reports whether a card of that bandwidth slows no message down.
func (n Network) carries(b units.BytesPerSecond) bool {
	slower := false
	n.each(func(m network.Model) network.Model {
		slower = slower || n.behind(m, b) != m
		return m
	})
	return !slower
}

// each replaces the connections between nodes.
func (n *Network) each(of func(network.Model) network.Model) {
	n.Base = of(n.Base)
	if n.betweenGroups != nil {
		n.betweenGroups = of(n.betweenGroups)
	}
	if n.Tree != nil {
		t := Tree{levels: n.Tree.levels}
		for _, m := range n.Tree.Below {
			t.Below = append(t.Below, of(m))
		}
		n.Tree = &t
	}
}

// carded is a network on which processes have unlike shares of cards.
type carded struct {
	network.Model
	class []int32         // by rank: the number of its share, from the smallest
	of    []network.Model // of messages whose smaller share it is
}

// Message returns the cost of a message by the smaller share of its ends.
func (c *carded) Message(from, to int32, size units.Bytes) network.Cost {
	return c.of[min(c.class[from], c.class[to])].Message(from, to, size)
}

// Validate is that of the network, if it has one.
func (c *carded) Validate() error { return validated(c.Model) }

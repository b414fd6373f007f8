package cluster

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// This file models network cards where messages are priced one by one: a message between nodes is no faster than the
// card of a device at either end. Devices that share a card get equal parts, whether the others send or not.

// cardShares returns each process's share of a network card and the number of the card; infinity and -1 where all
// processes share the cards.
func cardShares(m *topology.Machine, p *topology.Placement) (shares []units.BytesPerSecond, cards []int) {
	shares, cards = slices.Repeat([]units.BytesPerSecond{free.Bandwidth}, p.Ranks()), make([]int, p.Ranks())
	for _, b := range p.Blocks {
		for k := range b.Nodes * b.Processes {
			rank, number := p.Rank(b.FirstSlot+k), k%b.Processes
			if cards[rank] = cardOf(b, number); !b.OnDevices() {
				continue
			}
			// A card of one device alone is like the network.
			if _, sharing, own := b.Type.Card(number, b.Processes); own && (b.Type.NIC != 0 || sharing > 1) {
				shares[rank] = cmp.Or(b.Type.NIC, m.Network.Bandwidth) / units.BytesPerSecond(sharing)
			}
		}
	}
	return shares, cards
}

// free slows no message down.
var free = topology.Connection{Bandwidth: units.BytesPerSecond(math.Inf(1))}

// behindCards is between for messages that pass the cards of devices, and links where they change rails.
func (n Network) behindCards(m *topology.Machine, p *topology.Placement, onNode []network.Model) network.Model {
	used, _ := p.Devices()
	if n.behind == nil || used == 0 {
		return n.between(m, p, onNode)
	}
	shares, cards := cardShares(m, p)
	widths := slices.Compact(slices.Sorted(slices.Values(shares)))
	through := func(link topology.Connection) (of []network.Model) {
		for _, b := range widths {
			behind := n
			behind.each(func(m network.Model) network.Model {
				return n.behind(n.behind(m, topology.Connection{Bandwidth: b}), link)
			})
			of = append(of, behind.between(m, p, onNode))
		}
		return of
	}
	x := &carded{of: [][]network.Model{through(free)}, rails: railsOf(m, p)}
	x.Model = x.of[0][0]
	if len(widths) == 1 && x.rails == nil {
		return x.Model
	}
	for _, b := range shares {
		class, _ := slices.BinarySearch(widths, b)
		x.class = append(x.class, int32(class))
	}
	if x.rails == nil {
		return x
	}
	x.card = cards
	_, x.block = p.Locations()
	for i, b := range p.Blocks {
		x.of = append(x.of, nil)
		if x.rails.used[i] != nil {
			x.of[1+i] = through(*b.Type.Devices.Link)
		}
	}
	return x
}

// each replaces the connections between nodes.
func (n *Network) each(of func(network.Model) network.Model) {
	n.Base = of(n.Base)
	if n.betweenGroups != nil {
		n.betweenGroups = of(n.betweenGroups)
	}
	if n.Tree != nil {
		t := Tree{levels: n.Tree.levels}
		t.Below = each.Append(t.Below, n.Tree.Below, of)
		n.Tree = &t
	}
}

// carded is a network on which processes have different shares of cards, or cards on different rails.
type carded struct {
	network.Model
	class []int32           // by rank: the index of its share, the smallest first
	of    [][]network.Model // of messages whose smaller share it is; behind the first, by block, of those that change rails by its links
	rails *rails            // nil where messages do not change rails
	block []int32           // by rank
	card  []int             // by rank, -1 where all devices share all cards
}

// Message returns the cost of a message, by the smaller card share of its two ends.
func (c *carded) Message(from, to int32, size units.Bytes) network.Cost {
	of := c.of[0]
	if c.rails != nil {
		if a, b := c.card[from], c.card[to]; a != b && min(a, b) >= 0 {
			of = c.of[1+c.rails.by(int(c.block[from]), a, int(c.block[to]), b)]
		}
	}
	return of[min(c.class[from], c.class[to])].Message(from, to, size)
}

// Validate validates the network, if it can be.
func (c *carded) Validate() error { return validated(c.Model) }

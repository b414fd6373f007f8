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

// Network cards where messages are priced one by one: a message between nodes is not faster than the card of
// a device at either end, of which devices that share it have equal parts, whether the others send or not.

// cardShares returns what each process has of a network card, infinity where the cards are those of all, and the number
// of the card, -1 there.
func cardShares(m *topology.Machine, p *topology.Placement) (shares []units.BytesPerSecond, cards []int) {
	shares, cards = slices.Repeat([]units.BytesPerSecond{free.Bandwidth}, p.Ranks()), make([]int, p.Ranks())
	for _, b := range p.Blocks {
		for k := range b.Nodes * b.Processes {
			rank, number := p.Rank(b.FirstSlot+k), k%b.Processes
			if cards[rank] = cardOf(b, number); !b.OnDevices() {
				continue
			}
			// A card for itself is as the network.
			if _, sharing, own := b.Type.Card(number, b.Processes); own && (b.Type.NIC != 0 || sharing > 1) {
				shares[rank] = cmp.Or(b.Type.NIC, m.Network.Bandwidth) / units.BytesPerSecond(sharing)
			}
		}
	}
	return shares, cards
}

// free slows no message down.
var free = topology.Connection{Bandwidth: units.BytesPerSecond(math.Inf(1))}

// behindCards is between, with messages that pass the cards of devices, and links where they change rails.
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

// carded is a network on which processes have unlike shares of cards, or cards on different rails.
type carded struct {
	network.Model
	class []int32           // by rank: the number of its share, from the smallest
	of    [][]network.Model // of messages whose smaller share it is; behind the first, by block, of those that change rails by its links
	rails *rails            // nil where messages do not change them
	block []int32           // by rank
	card  []int             // by rank, -1 where all share all
}

// Message returns the cost of a message by the smaller share of its ends.
func (c *carded) Message(from, to int32, size units.Bytes) network.Cost {
	of := c.of[0]
	if c.rails != nil {
		if a, b := c.card[from], c.card[to]; a != b && min(a, b) >= 0 {
			of = c.of[1+c.rails.by(int(c.block[from]), a, int(c.block[to]), b)]
		}
	}
	return of[min(c.class[from], c.class[to])].Message(from, to, size)
}

// Validate is that of the network, if it has one.
func (c *carded) Validate() error { return validated(c.Model) }

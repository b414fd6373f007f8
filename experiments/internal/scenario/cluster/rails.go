package cluster

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/topology"
)

// rails says by which links messages change rails, where a network keeps the cards of a node apart and its spines do
// not connect them: first by a link of the sender's node to a device on the rail of the receiver, or finally by a link
// of the receiver's node from a device on the rail of the sender.
type rails struct {
	used [][]int // by block: rails of its devices; nil if they have no links
}

// railsOf returns the rails of a placement, nil where messages do not change rails by links.
func railsOf(m *topology.Machine, p *topology.Placement) *rails {
	if t, apart := m.Network.Topology.(build.Rails); !apart || t.BySpines {
		return nil
	}
	x := &rails{make([][]int, len(p.Blocks))}
	for i, b := range p.Blocks {
		if !unlinked(b) {
			x.used[i] = cardsOf(b)
		}
	}
	return x
}

// cardOf returns the card of the number-th device on each node of a block, -1 where all devices share all cards.
func cardOf(b topology.Block, number int) int {
	if b.OnDevices() && b.Type.NICs > 1 {
		if card, _, own := b.Type.Card(number, b.Processes); own {
			return card
		}
	}
	return -1
}

// cardsOf returns the cards of the devices of each node of a block.
func cardsOf(b topology.Block) (cards []int) {
	for number := range b.Processes {
		if card := cardOf(b, number); card >= 0 && !slices.Contains(cards, card) {
			cards = append(cards, card)
		}
	}
	return cards
}

// by returns the block whose links a message uses to change from one block's rail to another's, -1 for none.
func (x *rails) by(from, rail, to, other int) int {
	switch {
	case slices.Contains(x.used[from], other):
		return from
	case slices.Contains(x.used[to], rail):
		return to
	}
	return -1
}

// separated returns an error if a device in use cannot reach another because their cards are in different planes.
func separated(m *topology.Machine, p *topology.Placement) error {
	x := railsOf(m, p)
	if x == nil || !m.Network.Topology.(build.Rails).Planes {
		return nil
	}
	for i, b := range p.Blocks {
		for j, c := range p.Blocks[:i+1] {
			if i == j && b.Nodes == 1 {
				continue
			}
			for _, from := range cardsOf(b) {
				for _, to := range cardsOf(c) {
					if from != to && x.by(i, from, j, to) < 0 {
						return fault.Errorf("machine %s: a device at card %d does not reach one at card %d of another node, as each card is in a plane of its own; expected devices with a link, and one at each card in use",
							m.Name, from, to)
					}
				}
			}
		}
	}
	return nil
}

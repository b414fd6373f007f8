package build

import (
	"fmt"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Rails is a fat tree that keeps the cards of a node apart; all nodes have the same number of cards. The cards i of the
// nodes that would be at one leaf switch are at a leaf switch of their own, rail i. Either the leaves of all rails are
// below common spines (rail-optimised), or each rail is a tree of its own (planes).
//
// With R cards, card i of node n stands at position ((n/m R) + i) m + n mod m of a common tree with m nodes at a leaf,
// or else at position n of tree i. A message between cards takes the route of [FatTree] between their positions. A
// process without a card uses the rail of the other end, or card d mod R towards node d.
type Rails struct {
	Tree   Topology // a LeafSpine or a FatTree
	Planes bool
	// BySpines: messages between devices on different rails use the spines, not links of a domain. Not with Planes.
	BySpines bool
}

// Kind implements topology.Topology: it is a fat tree.
func (Rails) Kind() string { return "fat-tree" }

// tree returns the fat tree for nodes with this many cards, with cables of bandwidth b unless it states others.
func (r Rails) tree(nodes, cards int, b units.BytesPerSecond) FatTree {
	l, ok := r.Tree.(LeafSpine)
	switch {
	case !ok:
		return r.Tree.(FatTree)
	case r.Planes:
		return l.tree(nodes, b)
	}
	return l.tree(l.leaves(nodes)*cards*l.Hosts, b)
}

func (r Rails) check(c *checker, nodes []Node) {
	if len(nodes) == 0 {
		return
	}
	cards := max(1, nodes[0].NICs)
	for i := range nodes {
		if n := max(1, nodes[i].NICs); n != cards {
			c.fail("topology.cards", fmt.Sprintf("nodes of %d and of %d network cards", cards, n), "as many in all nodes")
			return
		}
	}
	t, before := r.tree(len(nodes), cards, 1), len(c.problems)
	if t.check(c, nil); len(c.problems) > before {
		return
	}
	if ports := t.Up[0] * t.Cables[0]; ports != 1 {
		c.fail("topology.up[0]", fmt.Sprintf("%d cables of a card", ports), "1, because cards are apart")
		return
	}
	trees, leaves := int64(cards), product(t.Down[1:]...)
	if !r.Planes {
		if trees = 1; len(t.Down) < 2 || t.Down[1]%cards != 0 {
			c.fail("topology.down", fmt.Sprintf("%v", t.Down), fmt.Sprintf("a second level of a multiple of %d leaf switches, one for each card", cards))
			return
		}
		leaves /= int64(cards)
	}
	c.room(len(nodes), product(int64(t.Down[0]), leaves))
	c.cables(min(tooMany, product(int64(len(nodes)), int64(cards))+product(trees, t.cablesAbove())))
}

func (r Rails) wire(w *wires) wiring {
	nodes := len(w.nodes)
	_, cards, _ := w.card(0)
	t := r.tree(nodes, cards, w.network.Bandwidth)
	x := &rails{cards: cards, atLeaf: t.Down[0], nodes: nodes, own: int32(len(w.links)), ways: w.ways, planes: r.Planes}
	w.grow(nodes * cards)
	cable := w.half()
	if t.Bandwidths != nil {
		cable.Bandwidth = t.Bandwidths[0]
	}
	for node := range nodes {
		own := cable
		if b, _, known := w.card(node); known {
			own.Bandwidth = b
		}
		for card := range cards {
			w.cable(own, w.nodes[node].Name+".card", card)
			w.behind = append(w.behind, int32(node))
		}
	}
	positions := t.positions() // with all cables above the cards
	if r.Planes {
		for card := range cards {
			x.trees = append(x.trees, t.wireAbove(w, fmt.Sprintf("plane.%d.level", card), 0, nil))
		}
	} else {
		x.trees = []*fatTree{t.wireAbove(w, "level", 0, nil)}
		positions /= cards
	}
	w.partlyFilled(positions, "the switches of the others exist")
	return x
}

// rails is a wiring whose hosts are the nodes, followed by the cards, node by node.
type rails struct {
	trees                []*fatTree // one, or one for each card
	cards, atLeaf, nodes int
	own                  int32 // link up of the first card
	ways                 int32
	planes               bool
}

// end returns the node of a host, and its card; -1 for a node.
func (x *rails) end(host int32) (node, card int) {
	if int(host) < x.nodes {
		return int(host), -1
	}
	i := int(host) - x.nodes
	return i / x.cards, i % x.cards
}

// at returns the tree of a card, and its position there.
func (x *rails) at(node, card int) (tree, position int) {
	if x.planes {
		return card, node
	}
	return 0, (node/x.atLeaf*x.cards+card)*x.atLeaf + node%x.atLeaf
}

// ends returns the tree of two hosts, their positions in it and the links up of their cards; false for different trees.
func (x *rails) ends(from, to int32) (t *fatTree, s, d int, up, down int32, ok bool) {
	a, i := x.end(from)
	b, j := x.end(to)
	switch {
	case i < 0 && j < 0:
		i, j = b%x.cards, b%x.cards
	case i < 0:
		i = j
	case j < 0:
		j = i
	}
	tree, s := x.at(a, i)
	other, d := x.at(b, j)
	up, down = x.own+int32(a*x.cards+i)*x.ways, x.own+int32(b*x.cards+j)*x.ways+x.ways-1
	return x.trees[tree], s, d, up, down, tree == other
}

func (x *rails) route(buf []int32, from, to int32) ([]int32, bool) {
	t, s, d, up, down, ok := x.ends(from, to)
	if !ok {
		return buf, false
	}
	first := len(buf)
	buf = t.climb(buf, s, d)
	buf[first], buf[len(buf)-1] = up, down
	return buf, true
}

// spread spreads as the tree does. REQUIRES: there is a route.
func (x *rails) spread(w *ways, from, to int32) {
	t, s, d, up, down, _ := x.ends(from, to)
	first := len(w.links)
	t.spread(w, int32(s), int32(d))
	w.links[first], w.links[first+1] = up, down
}

// diameter is that of the rail whose first and last node meet highest.
func (x *rails) diameter() (int, bool) {
	longest := 0
	for card := range x.cards {
		tree, s := x.at(0, card)
		_, d := x.at(x.nodes-1, card)
		longest = max(longest, 2*x.trees[tree].height(s, d))
	}
	return longest, true
}

// bisection is that of one rail whose links have the capacity of all rails together: the rails are alike, and so is the
// smallest cut through each.
func (x *rails) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	own := each.Of(each.Ascending(x.nodes), func(node int) float64 {
		return float64(x.cards) * float64(links[x.own+int32(node*x.cards)*x.ways].Bandwidth)
	})
	var above []subtree
	for i, l := range x.trees[0].levels[1:] {
		u := l.subtree(links)
		if x.planes || i == 0 { // each switch belongs to one rail
			u.capacity *= float64(x.cards)
		} else {
			u.hosts /= x.cards
		}
		above = append(above, u)
	}
	return halved(own, above)
}

// CardHosts returns a function from a node's card to its host, on a platform whose network keeps cards apart: for the
// router each card is a host of its own, after the nodes. It is nil for other networks.
func CardHosts(p *topology.Platform) func(node int32, card int) int32 {
	if r, ok := p.Router.(*router); ok {
		if x, ok := r.wiring.(*rails); ok {
			return func(node int32, card int) int32 { return int32(x.nodes + int(node)*x.cards + card) }
		}
	}
	return nil
}

package scenario

import (
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/topology"
)

// RankOrder says how ranks are dealt out to nodes; block order is the zero value. What is
// known before a run is the Order of the [topology.Selection].
type RankOrder struct {
	Name string // as in a file, or the name of the file of ranks; "" for block order
	// Greedy: the order follows from who sends how much to whom, which a run in block
	// order tells.
	Greedy bool
}

const rankOrderName = "rank order" // in messages

// Reorder returns the scenario with another order of ranks, one of [RankOrders]. Its machine must have room for them.
func (s Scenario) Reorder(name string) (*Scenario, error) {
	s.Selection.Order, s.RankOrder = nil, RankOrder{}
	if name == RankOrders[0] {
		return &s, nil
	}
	p, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, err
	}
	s.RankOrder, s.Selection.Order = RankOrder{name, rankorder.Near(name)}, rankorder.Dealt(name, rankorder.Of(s.Machine, p))
	return &s, nil
}

// RankOrders are the names of the orders, the default first.
var RankOrders = rankorder.Names

var ranksRecord = schema.Declare("a file with the node of each rank, as in {file: ranks.txt}", func(k *schema.Keys, name *string) {
	k.Required("file", schema.Text.To(name), "a line for each rank: the name of its node, or its number among those that take part, from 0")
})

// rankOrderKey declares which rank runs where, of which n is the value.
func rankOrderKey(k *schema.Keys, n **yamldoc.Node) {
	k.Optional("rank_order", schema.Node(schema.AnyOf{schema.OneOf(RankOrders), ranksRecord.Object}, n).Else(RankOrders[0]),
		"which rank runs where: nodes filled one after the other, in turn over nodes or groups, near those that it sends most, or as a file says")
}

// rankOrder reads which rank runs where on the nodes of a selection.
func (f *file[T]) rankOrder(n *yamldoc.Node, m *topology.Machine, sel *topology.Selection) RankOrder {
	sel.Order = nil
	if n == nil {
		return RankOrder{}
	}
	var order RankOrder
	var ranks *yamldoc.Node
	if n.IsMapping() {
		if ranksRecord.Read(&f.Decoder, n, &order.Name); order.Name != "" {
			ranks = f.ReadNamed(rankorder.File, n.Value("file"), input.Resolve(f.base, order.Name))
		}
	} else if order.Name = f.OneOf(n, RankOrders, rankOrderName); order.Name == RankOrders[0] {
		order.Name = ""
	}
	order.Greedy = rankorder.Near(order.Name) && !n.IsMapping()
	if m == nil || f.ProblemCount() > 0 {
		return order
	}
	p, err := m.Place(*sel)
	switch {
	case err != nil: // which is told elsewhere
	case ranks != nil:
		sel.Order = rankorder.Listed(&f.Decoder, ranks, p)
	case order.Name != "" && !n.IsMapping():
		sel.Order = rankorder.Dealt(order.Name, rankorder.Of(m, p))
	}
	return order
}

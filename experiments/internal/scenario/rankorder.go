package scenario

import (
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/topology"
)

// RankOrder says how ranks are dealt out to nodes; block order is the zero value. An order known before a run is the
// Order of the [topology.Selection].
type RankOrder struct {
	Name string // as in a file, or the name of the file of ranks; "" for block order
	// Greedy: the order depends on who sends how much to whom, which a run in block order finds out.
	Greedy bool
	Ranks  *yamldoc.Node // the file of ranks; nil if there is none
}

// OrderNamed returns the order with a name, one of [RankOrders].
func OrderNamed(name string) RankOrder {
	if name == RankOrders[0] {
		return RankOrder{}
	}
	return RankOrder{Name: name, Greedy: rankorder.Near(name)}
}

// Deal sets the slots of ranks in a selection of nodes of a machine. d gets the problems of a file of ranks.
func (o RankOrder) Deal(d *yamldoc.Decoder, m *topology.Machine, sel *topology.Selection) error {
	if sel.Order = nil; o.Name == "" {
		return nil
	}
	p, err := m.Place(*sel)
	switch {
	case err != nil:
		return err
	case o.Ranks != nil:
		sel.Order = rankorder.Listed(d, o.Ranks, p)
	default:
		sel.Order = rankorder.Dealt(o.Name, rankorder.Of(m, p))
	}
	return nil
}

// RankOrders are the names of the orders, the default first.
var RankOrders = rankorder.Names

var ranksRecord = schema.Declare("a file with the node of each rank, as in {file: ranks.txt}", func(k *schema.Keys, name *string) {
	k.Required("file", schema.Text.To(name), "a line for each rank: the name of its node, or its number among those that take part, from 0")
})

// RankOrderKey declares which rank runs where; n gets the value.
func RankOrderKey(k *schema.Keys, n **yamldoc.Node) {
	k.Optional("rank_order", schema.Node(schema.AnyOf{schema.OneOf(RankOrders), ranksRecord.Object}, n).Else(RankOrders[0]),
		"which rank runs where: one node after the other, in turn over nodes or groups, near the ranks that it sends most to, or as a file says")
}

// ReadRankOrder reads which rank runs where, and the file of ranks, if there is one. File names are relative to base.
func ReadRankOrder(r *document.Reader, n *yamldoc.Node, base string) (o RankOrder) {
	if n == nil {
		return o
	}
	if !n.IsMapping() {
		return OrderNamed(r.OneOf(n, RankOrders, "rank order"))
	}
	if ranksRecord.Read(&r.Decoder, n, &o.Name); o.Name != "" {
		o.Ranks = r.ReadNamed(rankorder.File, n.Value("file"), input.Resolve(base, o.Name))
	}
	return o
}

// rankOrder reads which rank runs where on the nodes of a selection.
func (f *file[T]) rankOrder(n *yamldoc.Node, m *topology.Machine, sel *topology.Selection) RankOrder {
	o := ReadRankOrder(f.Reader, n, f.base)
	if sel.Order = nil; m != nil && f.ProblemCount() == 0 {
		_ = o.Deal(&f.Decoder, m, sel) // other code reports what cannot be placed
	}
	return o
}

package application

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
)

const exchangeForm = "an exchange, as in {with: neighbours, size: 8 B}"

var exchangeRecord = declare(exchangeForm, "exchange", func(k *schema.Keys, x *placing) {
	axes := len(x.app.Grid)
	around := make([]bool, axes)              // by axis: its ends are neighbours
	sizes := map[int]*expression.Expression{} // by the set of axes along which messages move: bit i is axis i
	with := schema.OneOf{"neighbours"}
	k.Required("with", schema.Func(with, func(n *yamldoc.Node) { k.OneOf(n, with, "partner") }).Wanted("neighbours"),
		"with whom: the neighbours on the grid")
	if axes == 0 && x.main.IsMapping() {
		k.Fail(x.main, "an exchange with neighbours needs a grid", "a key grid, as in grid: {x: auto, y: auto}")
	}
	corners := k.Bool(k.Node("corners"))
	k.Required("size", schema.Func(schema.AnyOf{expressionType, schema.Map{Of: expressionType}}, func(n *yamldoc.Node) {
		x.sizes(n, corners, sizes)
	}).Wanted(aSize.want),
		"size of a message; by axis, as in {x: 8*ny, y: 8*nx}; with corners also for several axes, as in {xy: 8 B}")
	k.Optional("corners", schema.Func(schema.Boolean, func(*yamldoc.Node) {}).Else("false"),
		"true: also with neighbours along several axes at once")
	k.Optional("periodic", schema.Func(schema.AnyOf{schema.Boolean, schema.List{Of: schema.Text}}, func(n *yamldoc.Node) {
		x.periodic(n, around)
	}).Else("false"), "the ends of all axes, or of some, are neighbours")
	x.every(k)
	x.Statement = func(b *builder, p Place) {
		b.emit(p, instruction{op: openAll, exchange: b.exchange(around, sizes)})
		b.block(x.while)
		b.emit(p, instruction{op: closeAll})
	}
})

func meanwhileKey(k *schema.Keys, x *placing) {
	if x.exchanging {
		k.Fail(cmp.Or(k.Node("meanwhile"), x.main), "an exchange during an exchange", "one after the other")
	}
	k.Optional("meanwhile", schema.Func(schema.AnyOf{blockType, schema.Later(statementType)}, x.meanwhile),
		"what is done while the messages are on their way")
}

// meanwhile reads what is done during an exchange.
func (x *placing) meanwhile(n *yamldoc.Node) {
	x.exchanging = true
	if !n.IsMapping() {
		x.while = x.block(n, x.scope)
	} else if p, ok := x.statement(n, x.scope); ok {
		x.while = []Placed{p}
	}
	x.exchanging = false
}

// periodic reads which axes are joined at their ends.
func (r *reader) periodic(n *yamldoc.Node, around []bool) {
	if n.IsSequence() {
		for _, item := range r.Sequence(n, "axes") {
			if a := r.axisOf(item); a >= 0 {
				around[a] = true
			}
		}
		return
	}
	copy(around, slices.Repeat([]bool{r.Bool(n)}, len(around)))
}

// sizes reads the sizes of messages: one for all, or one for each set of axes along
// which they move.
func (x *placing) sizes(n *yamldoc.Node, corners bool, sizes map[int]*expression.Expression) {
	all := 1 << len(x.app.Grid)
	single := func(along int) bool { return along&(along-1) == 0 }
	if !n.IsMapping() {
		e := x.expression(n, x.scope, aSize)
		for along := 1; along < all; along++ {
			if single(along) || corners {
				sizes[along] = e
			}
		}
		return
	}
	m := x.Mapping(n, "sizes by axis, as in {x: 8*ny, y: 8*nx}")
	for along := 1; along < all; along++ {
		if !single(along) && !corners {
			continue
		}
		name := x.axesName(along)
		v := m.Require(name, fmt.Sprintf("the size of messages along %s", strings.Join(strings.Split(name, ""), " and ")))
		if e := x.expression(v, x.scope, aSize); e != nil {
			sizes[along] = e
		}
	}
	m.Done()
}

func (r *reader) axesName(along int) string {
	name := ""
	for i, a := range r.app.Grid {
		if along>>i&1 == 1 {
			name += a.Name
		}
	}
	return name
}

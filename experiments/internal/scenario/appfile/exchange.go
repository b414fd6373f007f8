package appfile

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
)

func (r *reader) exchange(n *yamldoc.Node, outer *schema.Mapping, s *expression.Scope) application.Placed {
	m := exchangeObject.Open(r.Decoder, n)
	axes := len(r.app.Grid)
	e := application.Exchange{Around: make([]bool, axes), Sizes: map[int]*expression.Expression{}}
	r.OneOf(m.Require("with", "neighbours"), []string{"neighbours"}, "partner")
	if axes == 0 && n.IsMapping() {
		r.Fail(n, "an exchange with neighbours needs a grid", "a key grid, as in grid: {x: auto, y: auto}")
	}
	corners := r.Bool(m.Take("corners"))
	r.periodic(m.Take("periodic"), e.Around)
	r.sizes(m.Require("size", size.want), s, corners, e.Sizes)
	if inner := outer.Take("meanwhile"); inner != nil {
		if r.exchanging {
			r.Fail(inner, "an exchange during an exchange", "one after the other")
		}
		r.exchanging = true
		if inner.IsMapping() {
			if p, ok := r.statement(inner, s); ok {
				e.Meanwhile = []application.Placed{p}
			}
		} else {
			e.Meanwhile = r.block(inner, s)
		}
		r.exchanging = false
	} else if r.exchanging {
		r.Fail(n, "an exchange during an exchange", "one after the other")
	}
	return r.placed(m, s, e)
}

// periodic reads which axes are joined at their ends.
func (r *reader) periodic(n *yamldoc.Node, around []bool) {
	if n.IsSequence() {
		for _, item := range r.Sequence(n, "axes") {
			if a := r.axis(item); a >= 0 {
				around[a] = true
			}
		}
		return
	}
	if r.Bool(n) {
		for i := range around {
			around[i] = true
		}
	}
}

// sizes reads the sizes of messages: one for all, or by the axes along which they
// move.
func (r *reader) sizes(n *yamldoc.Node, s *expression.Scope, corners bool, sizes map[int]*expression.Expression) {
	all := 1 << len(r.app.Grid)
	single := func(along int) bool { return along&(along-1) == 0 }
	if !n.IsMapping() {
		e := r.expression(n, s, size)
		for along := 1; along < all; along++ {
			if single(along) || corners {
				sizes[along] = e
			}
		}
		return
	}
	m := r.Mapping(n, "sizes by axis, as in {x: 8*ny, y: 8*nx}")
	for along := 1; along < all; along++ {
		if !single(along) && !corners {
			continue
		}
		name := r.axesName(along)
		v := m.Require(name, fmt.Sprintf("the size of messages along %s", strings.Join(strings.Split(name, ""), " and ")))
		if e := r.expression(v, s, size); e != nil {
			sizes[along] = e
		}
	}
	m.Done()
}

// axesName joins the names of some axes.
func (r *reader) axesName(along int) string {
	name := ""
	for i, a := range r.app.Grid {
		if along>>i&1 == 1 {
			name += a.Name
		}
	}
	return name
}

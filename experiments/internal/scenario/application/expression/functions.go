package expression

import (
	"fmt"
	"maps"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

// functions compile the calls of functions that only applications have.
var functions map[string]func(c *compiler, n *formula.Node)

func init() { // a literal would refer to itself
	functions = map[string]func(c *compiler, n *formula.Node){
		"share": (*compiler).share,
		"coord": (*compiler).coordinate,
		"owner": func(c *compiler, n *formula.Node) { c.item(n, owner, onProcesses) },
		"after": func(c *compiler, n *formula.Node) { c.item(n, after, onProcesses|onRank) },
		"of":    (*compiler).of,
		"at":    func(c *compiler, n *formula.Node) { c.neighbour(n, 0) },
		"around": func(c *compiler, n *formula.Node) {
			c.neighbour(n, 1)
		},
		"random":      func(c *compiler, n *formula.Node) { c.draw(n, uniform) },
		"normal":      func(c *compiler, n *formula.Node) { c.draw(n, gaussian) },
		"exponential": func(c *compiler, n *formula.Node) { c.draw(n, exponent) },
	}
}

func functionNames() []string {
	return slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(functions)), formula.Functions())))
}

// expect reports a call without the right number of arguments.
func (c *compiler) expect(n *formula.Node, least, most int, form string) bool {
	if len(n.Args) >= least && len(n.Args) <= most {
		return true
	}
	c.fail(n, fmt.Sprintf("%s has %d arguments", n.Text, len(n.Args)), form)
	return false
}

// axis returns the number of the axis that an argument names: allAxes for "all".
func (c *compiler) axis(n *formula.Node) (axis int32, ok bool) {
	if n.Kind == formula.Name {
		if n.Text == everybody {
			return AllAxes, true
		}
		if i := slices.IndexFunc(c.scope.names.Grid, func(a Axis) bool { return a.Name == n.Text }); i >= 0 {
			return int32(i), true
		}
	}
	c.unknown(n, "this is no axis of the grid", slices.Concat([]string{everybody}, c.scope.names.axisNames()))
	return 0, false
}

func (c *compiler) coordinate(n *formula.Node) {
	if !c.expect(n, 1, 1, "an axis, as in coord(x)") {
		return
	}
	a, ok := c.axis(n.Args[0])
	if !ok {
		return
	}
	c.on |= onRank | onProcesses
	if a == AllAxes {
		c.emit(n, step{op: rank}, 1)
		return
	}
	c.emit(n, step{op: coordinate, a: a}, 1)
}

// share compiles the three forms of share.
func (c *compiler) share(n *formula.Node) {
	const form = "share(n, x), share(n, x, speed) or share(d) of a distribution d"
	if !c.expect(n, 1, 3, form) {
		return
	}
	c.on |= onRank | onProcesses
	if len(n.Args) == 1 {
		if d, ok := c.distribution(n.Args[0]); ok {
			c.emit(n, step{op: portion, a: d}, 1)
		}
		return
	}
	a, ok := c.axis(n.Args[1])
	if !ok {
		return
	}
	if len(n.Args) == 2 {
		c.number(n.Args[0])
		c.emit(n, step{op: share, a: a}, 0)
		return
	}
	if last := n.Args[2]; last.Kind != formula.Name || last.Text != "speed" {
		c.fail(last, "this is no way to divide", form)
		return
	}
	what := &compiler{scope: c.scope}
	what.number(n.Args[0])
	if what.err != nil {
		c.err = what.err
		return
	}
	if !what.on.constant() {
		c.fail(n.Args[0], "what is divided by speed must be the same for all processes", "parameters and constants")
		return
	}
	c.on |= what.on
	c.emit(n, step{op: speedShare, a: c.scope.names.split(&Expression{code: what.code, on: what.on}, a)}, 1)
}

func (c *compiler) distribution(n *formula.Node) (int32, bool) {
	var known []string
	for i, d := range c.scope.names.Distributions {
		if n.Kind == formula.Name && d.Name == n.Text {
			return int32(i), true
		}
		known = append(known, d.Name)
	}
	if len(known) == 0 {
		c.fail(n, "this is no distribution", "a name under distributions")
	}
	c.unknown(n, "this is no distribution", known)
	return 0, false
}

// item compiles a function of a distribution and an item. With one distribution its
// name may be left out.
func (c *compiler) item(n *formula.Node, op opcode, on dependence) {
	if !c.expect(n, 1, 2, "a distribution and an item, as in "+n.Text+"(rows, i)") {
		return
	}
	d := int32(0)
	if len(n.Args) == 2 {
		var ok bool
		if d, ok = c.distribution(n.Args[0]); !ok {
			return
		}
	} else if len(c.scope.names.Distributions) != 1 {
		c.fail(n, fmt.Sprintf("%s of one argument with %d distributions", n.Text, len(c.scope.names.Distributions)), "the distribution and the item, as in "+n.Text+"(rows, i)")
		return
	}
	c.on |= on
	c.number(n.Args[len(n.Args)-1])
	c.emit(n, step{op: op, a: d}, 0)
}

// of compiles the value of a name on another process.
func (c *compiler) of(n *formula.Node) {
	if !c.expect(n, 2, 2, "a name under let and a process, as in of(rows, to)") {
		return
	}
	name := n.Args[0]
	s, on, ok := step{}, dependence(0), false
	if name.Kind == formula.Name {
		s, on, ok = c.scope.lookup(name.Text)
	}
	if !ok || s.op != table && s.op != global {
		c.fail(name, "this is no name under let", "a name under let and a process, as in of(rows, to)")
		return
	}
	if s.op == global { // the same on all processes
		c.on |= on
		c.emit(n, s, 1)
		return
	}
	c.on |= onProcesses | on&^onRank
	c.number(n.Args[1])
	c.emit(n, step{op: of, a: s.a}, 0)
}

// neighbour compiles at and around.
func (c *compiler) neighbour(n *formula.Node, around int32) {
	axes := len(c.scope.names.Grid)
	if axes == 0 {
		c.fail(n, n.Text+" needs a grid", "a key grid, as in grid: {x: auto, y: auto}")
		return
	}
	if !c.expect(n, axes, axes, fmt.Sprintf("a distance along each of the %d axes of the grid", axes)) {
		return
	}
	for _, a := range n.Args {
		c.number(a)
	}
	c.on |= onRank | onProcesses
	c.emit(n, step{op: neighbour, a: around}, 1-axes)
}

// draw compiles a random number. The places where numbers are drawn are counted, so
// that each has a stream of its own.
func (c *compiler) draw(n *formula.Node, op opcode) {
	if !c.expect(n, 0, 0, "no argument, as in "+n.Text+"()") {
		return
	}
	c.on |= onRank | onDraw
	if c.scope.loops > 0 {
		c.on |= onIndex
	}
	if c.scope.inTasks {
		c.on |= onTask
		c.on &^= onRank
	}
	c.scope.names.draws++
	c.emit(n, step{op: op, a: int32(c.scope.names.draws), v: float64(c.scope.loops)}, 1)
}

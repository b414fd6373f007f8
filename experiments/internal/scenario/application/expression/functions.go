package expression

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/internal/each"
)

// Function is a function that only applications have.
type Function struct {
	Form, Meaning string
	name          string
	compile       func(s *Scope, c *formula.Compiler, n *formula.Node)
}

// Functions returns all of them, sorted by name.
func Functions() []Function {
	const draw = "; it depends on the seed, the place in the file, the rank, and the indices of loops or of the task"
	return []Function{
		{"after(d, i)", "how many items of the process come after item i of distribution d; with one distribution, after(i)", "after",
			func(s *Scope, c *formula.Compiler, n *formula.Node) { s.item(c, n, after, onProcesses|onRank) }},
		{"around(dx, dy)", "as at, with the ends of every axis joined", "around",
			func(s *Scope, c *formula.Compiler, n *formula.Node) { s.neighbour(c, n, movedAround) }},
		{"at(dx, dy)", "the process at a distance along each axis of the grid, -1 outside of it", "at",
			func(s *Scope, c *formula.Compiler, n *formula.Node) { s.neighbour(c, n, moved) }},
		{"coord(x)", "place of the process along an axis, from 0", "coord", (*Scope).coordinate},
		{"exponential()", "a draw, exponential with mean 1", "exponential",
			func(s *Scope, c *formula.Compiler, n *formula.Node) { s.draw(c, n, exponential) }},
		{"normal()", "a draw, normal with mean 0 and standard deviation 1", "normal",
			func(s *Scope, c *formula.Compiler, n *formula.Node) { s.draw(c, n, normal) }},
		{"of(name, r)", "the value of a name under `let` on process r", "of", (*Scope).of},
		{"owner(d, i)", "owner of item i of distribution d, as a place along the axis; with one distribution, owner(i)", "owner",
			func(s *Scope, c *formula.Compiler, n *formula.Node) { s.item(c, n, owner, onProcesses) }},
		{"random()", "a draw, uniform in [0, 1)" + draw, "random",
			func(s *Scope, c *formula.Compiler, n *formula.Node) { s.draw(c, n, uniform) }},
		{"share(n, x)", "the process's part of n along an axis, or with `all` among all processes; the first n mod " +
			"p have one more. share(n, x, speed): in proportion to marked speed; share(d): of a distribution",
			"share", (*Scope).share},
	}
}

func functionNames() []string {
	names := formula.FunctionNames()
	names = each.Append(names, Functions(), func(f Function) string { return f.name })
	slices.Sort(names)
	return names
}

func (s *Scope) Call(c *formula.Compiler, n *formula.Node) bool {
	for _, f := range Functions() {
		if f.name == n.Text {
			f.compile(s, c, n)
			return true
		}
	}
	return false
}

// arguments reports a call without the right number of arguments.
func arguments(c *formula.Compiler, n *formula.Node, least, most int, form string) bool {
	if len(n.Args) >= least && len(n.Args) <= most {
		return true
	}
	c.Fail(n, fmt.Sprintf("%s has %d arguments", n.Text, len(n.Args)), form)
	return false
}

// axis returns the number of the axis that an argument names: [AllAxes] for "all".
func (s *Scope) axis(c *formula.Compiler, n *formula.Node) (axis int32, ok bool) {
	if n.Kind == formula.Name {
		if axis, ok = s.names.AxisNumber(n.Text); ok {
			return axis, true
		}
	}
	c.Unknown(n, "this is not an axis of the grid", slices.Concat([]string{everybody}, s.names.axisNames()))
	return 0, false
}

func (s *Scope) coordinate(c *formula.Compiler, n *formula.Node) {
	if !arguments(c, n, 1, 1, "an axis, as in coord(x)") {
		return
	}
	if a, ok := s.axis(c, n.Args[0]); ok {
		c.Needs |= onRank | onProcesses
		c.Emit(n, formula.Step{Op: formula.Extern0, Code: coordinate, A: a}, 1)
	}
}

// share compiles the three forms of share.
func (s *Scope) share(c *formula.Compiler, n *formula.Node) {
	const form = "share(n, x), share(n, x, speed) or share(d) of a distribution d"
	if !arguments(c, n, 1, 3, form) {
		return
	}
	c.Needs |= onRank | onProcesses
	if len(n.Args) == 1 {
		if d, ok := s.distribution(c, n.Args[0]); ok {
			c.Emit(n, formula.Step{Op: formula.Extern0, Code: portion, A: d}, 1)
		}
		return
	}
	a, ok := s.axis(c, n.Args[1])
	if !ok {
		return
	}
	if len(n.Args) == 2 {
		c.Number(n.Args[0])
		c.Emit(n, formula.Step{Op: formula.Extern1, Code: share, A: a}, 0)
		return
	}
	if last := n.Args[2]; last.Kind != formula.Name || last.Text != "speed" {
		c.Fail(last, "this is not a way to divide", form)
		return
	}
	what := c.Part(n.Args[0])
	switch {
	case what == nil:
	case !constant(what.Needs()):
		c.Fail(n.Args[0], "what is divided by speed must be the same for all processes", "parameters and constants")
	default:
		c.Needs |= what.Needs()
		c.Emit(n, formula.Step{Op: formula.Extern0, Code: speedShare, A: s.names.split(&Expression{*what}, a)}, 1)
	}
}

func (s *Scope) distribution(c *formula.Compiler, n *formula.Node) (int32, bool) {
	known := each.Of(s.names.Distributions, func(d *Distribution) string { return d.Name })
	if i := slices.Index(known, n.Text); i >= 0 && n.Kind == formula.Name {
		return int32(i), true
	}
	if len(known) == 0 {
		c.Fail(n, "this is not a distribution", "a name under distributions")
	}
	c.Unknown(n, "this is not a distribution", known)
	return 0, false
}

// item compiles a function of a distribution and an item. With one distribution its
// name may be left out.
func (s *Scope) item(c *formula.Compiler, n *formula.Node, code, needs uint8) {
	form := "a distribution and an item, as in " + n.Text + "(rows, i)"
	if !arguments(c, n, 1, 2, form) {
		return
	}
	d := int32(0)
	if len(n.Args) == 2 {
		var ok bool
		if d, ok = s.distribution(c, n.Args[0]); !ok {
			return
		}
	} else if len(s.names.Distributions) != 1 {
		c.Fail(n, fmt.Sprintf("%s of one argument with %d distributions", n.Text, len(s.names.Distributions)), form)
		return
	}
	c.Needs |= needs
	c.Number(n.Args[len(n.Args)-1])
	c.Emit(n, formula.Step{Op: formula.Extern1, Code: code, A: d}, 0)
}

// of compiles the value of a name on another process.
func (s *Scope) of(c *formula.Compiler, n *formula.Node) {
	const form = "a name under let and a process, as in of(rows, to)"
	if !arguments(c, n, 2, 2, form) {
		return
	}
	m, ok := formula.Meaning{}, false
	if n.Args[0].Kind == formula.Name {
		m, ok = s.Lookup(n.Args[0].Text)
	}
	switch {
	case ok && m.Load.Op == formula.Global: // the same on all processes
		c.Needs |= m.Needs
		c.Emit(n, m.Load, 1)
	case ok && m.Load.Op == formula.Column:
		c.Needs |= onProcesses | m.Needs&^onRank
		c.Number(n.Args[1])
		c.Emit(n, formula.Step{Op: formula.Extern1, Code: of, A: m.Load.A}, 0)
	default:
		c.Fail(n.Args[0], "this is not a name under let", form)
	}
}

// neighbour compiles at and around: steps along one axis after the other.
func (s *Scope) neighbour(c *formula.Compiler, n *formula.Node, code uint8) {
	axes := len(s.names.Grid)
	if axes == 0 {
		c.Fail(n, n.Text+" needs a grid", "a key grid, as in grid: {x: auto, y: auto}")
		return
	}
	if !arguments(c, n, axes, axes, fmt.Sprintf("a distance along each of the %d axes of the grid", axes)) {
		return
	}
	c.Needs |= onRank | onProcesses
	c.Emit(n, formula.Step{Op: formula.Row}, 1)
	for axis, distance := range n.Args {
		c.Number(distance)
		c.Emit(n, formula.Step{Op: formula.Extern2, Code: code, A: int32(axis)}, -1)
	}
}

// draw compiles a random number. The places where numbers are drawn are counted, so
// that each has a stream of its own.
func (s *Scope) draw(c *formula.Compiler, n *formula.Node, code uint8) {
	if !arguments(c, n, 0, 0, "no argument, as in "+n.Text+"()") {
		return
	}
	needs := onRank | onDraw
	if s.loops > 0 {
		needs |= onIndex
	}
	if s.inTasks {
		needs = needs&^onRank | onTask
	}
	c.Needs |= needs
	s.names.draws++
	c.Emit(n, formula.Step{Op: formula.Extern0, Code: code, A: int32(s.names.draws), V: float64(s.loops)}, 1)
}

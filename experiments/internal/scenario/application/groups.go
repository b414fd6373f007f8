package application

import (
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads/collective"
)

// axes is a set of axes of the grid, with a bit for each; the empty set stands for all processes.
type axes uint8

func (a axes) has(axis int) bool { return a>>axis&1 == 1 }

// groups are the groups of processes that call collective operations: all processes and,
// for each set of axes that calls use, those with the same place on the other axes. Groups
// are made once, since a call refers to its group.
type groups struct {
	x    *instance
	used []members
	next int32 // how many groups there are
}

// members are the groups along some axes.
type members struct {
	axes  axes
	side  int
	first int32              // number of the first
	of    []collective.Group // nil: all processes, or every process alone
}

func (g *groups) among(along axes) members {
	grid := &g.x.values.Grid
	if along == 0 || along == 1<<len(grid.Sides)-1 {
		return members{side: len(g.x.c.Speeds)}
	}
	for _, m := range g.used {
		if m.axes == along {
			return m
		}
	}
	m := members{axes: along, side: 1, first: g.next + 1}
	for axis, side := range grid.Sides {
		if along.has(axis) {
			m.side *= int(side)
		}
	}
	if m.side > 1 {
		p := int32(len(g.x.c.Speeds))
		for process := range p {
			if m.place(grid, process, true) == 0 {
				m.of = append(m.of, m.group(grid, process))
			}
		}
		g.next += int32(len(m.of))
		g.used = append(g.used, m)
	}
	return m
}

// group returns the group whose first member is a process.
func (m *members) group(g *expression.Grid, process int32) collective.Group {
	stride := m.world(g, process, 1) - process
	if m.world(g, process, m.side-1) == process+int32(m.side-1)*stride {
		return collective.Strided{First: process, Stride: stride, N: m.side}
	}
	list := make(collective.List, m.side)
	for i := range list {
		list[i] = m.world(g, process, i)
	}
	return list
}

// place returns the place of a process along the axes, or along the others.
func (m *members) place(g *expression.Grid, process int32, along bool) (place int32) {
	radix := int32(1)
	for axis, side := range g.Sides {
		if m.axes.has(axis) == along {
			place += process / g.Strides[axis] % side * radix
			radix *= side
		}
	}
	return place
}

// call returns the call of the group that a process belongs to, and its place in the
// group.
func (m *members) call(g *expression.Grid, process int32, root int) (c collective.Call, place int) {
	if m.of == nil {
		return collective.Call{Size: m.side, Root: root}, int(process)
	}
	i := m.place(g, process, false)
	return collective.Call{Size: m.side, Root: root, Group: m.of[i], Number: m.first + i}, int(m.place(g, process, true))
}

// world returns the process with a place in the group that a process belongs to.
func (m *members) world(g *expression.Grid, process int32, place int) int32 {
	if m.axes == 0 {
		return int32(place)
	}
	left := int32(place)
	for axis, side := range g.Sides {
		if m.axes.has(axis) {
			process += (left%side - process/g.Strides[axis]%side) * g.Strides[axis]
			left /= side
		}
	}
	return process
}

// among binds a key to an axis of the grid or several, by default all processes.
func (r *reader) among(to *axes) *schema.Function {
	add := func(n *yamldoc.Node, more ...string) {
		if axis := r.axisOf(n, more...); axis != expression.AllAxes {
			*to |= 1 << axis
		}
	}
	return schema.Func(schema.AnyOf{schema.Text, schema.List{Of: schema.Text}}, func(n *yamldoc.Node) {
		if !n.IsSequence() {
			add(n, "all")
			return
		}
		for _, item := range r.Sequence(n, "axes") {
			add(item)
		}
	})
}

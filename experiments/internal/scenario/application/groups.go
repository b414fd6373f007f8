package application

import (
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads/collective"
)

// groups are the groups of processes that call collective operations: all, and along
// each axis that is used those with the same place on the other axes. They are made
// once, since a call refers to its group.
type groups struct {
	x     *instance
	along [][]collective.Group // by axis; nil: not used so far
	first []int32              // by axis: the number of its first group
	next  int32
}

// members are the groups along an axis.
type members struct {
	axis  int32
	side  int
	first int32
	of    []collective.Group // nil: all processes
}

// among returns the groups along an axis.
func (g *groups) among(axis int32) members {
	if axis == expression.AllAxes {
		return members{axis: axis, side: len(g.x.c.Speeds)}
	}
	if g.along == nil {
		g.along, g.first = make([][]collective.Group, len(g.x.values.Grid.Sides)), make([]int32, len(g.x.values.Grid.Sides))
	}
	side, stride := g.x.values.Grid.Sides[axis], g.x.values.Grid.Strides[axis]
	if g.along[axis] == nil && side > 1 {
		n := len(g.x.c.Speeds) / int(side)
		all := make([]collective.Group, n)
		for i := range int32(n) {
			all[i] = collective.Strided{First: i/stride*stride*side + i%stride, Stride: stride, N: int(side)}
		}
		g.along[axis], g.first[axis] = all, g.next+1
		g.next += int32(n)
	}
	return members{axis, int(side), g.first[axis], g.along[axis]}
}

// call returns the call of the group that a process belongs to, and the number that it
// has in it.
func (m members) call(g *expression.Grid, process int32, root int) (c collective.Call, place int) {
	if m.of == nil {
		return collective.Call{Size: m.side, Root: root}, int(process)
	}
	side, stride := g.Sides[m.axis], g.Strides[m.axis]
	i := process/(stride*side)*stride + process%stride
	return collective.Call{Size: m.side, Root: root, Group: m.of[i], Number: m.first + i}, int(process / stride % side)
}

// world returns the process that has a number in the group of another.
func (m members) world(g *expression.Grid, process int32, place int) int32 {
	if m.of == nil {
		return int32(place)
	}
	at := process / g.Strides[m.axis] % g.Sides[m.axis]
	return process + (int32(place)-at)*g.Strides[m.axis]
}

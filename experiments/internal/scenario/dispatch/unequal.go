package dispatch

import "slices"

// A level whose groups differ has Counts and Speeds. Groups of a level are numbered
// as the nodes of the level above that they are: all nodes of its first group, then
// those of the second, and so on.

// nodes returns the number of nodes of a group.
func (l *Level) nodes(group int) int {
	if l.Counts == nil {
		return l.Nodes
	}
	return l.Counts[group%len(l.Counts)]
}

// before returns the number of nodes of all groups before one: the number of its
// first node among all of the level.
func (l *Level) before(group int) int {
	if l.Counts == nil {
		return group * l.Nodes
	}
	sum := 0
	for _, n := range l.Counts {
		sum += n
	}
	all := group / len(l.Counts) * sum
	for _, n := range l.Counts[:group%len(l.Counts)] {
		all += n
	}
	return all
}

// speed returns the speed of a node of any group.
func (l *Level) speed(node int) float64 {
	if l.Speeds == nil {
		return 1
	}
	return l.Speeds[node%len(l.Speeds)]
}

// unequal reports whether groups of a level may differ, so that each is simulated.
func (m Machine) unequal() bool {
	return slices.ContainsFunc(m, func(l Level) bool { return l.Counts != nil || l.Speeds != nil })
}

// Totals returns the number of nodes of the last level and the sum of their speeds.
// REQUIRES: the machine is valid.
func (m Machine) Totals() (nodes, speed float64) {
	if !m.unequal() {
		nodes = 1
		for _, l := range m {
			nodes *= float64(l.Nodes)
		}
		return nodes, nodes
	}
	return m.totals(0, 0)
}

// totals are those of a group of a level.
func (m Machine) totals(depth, group int) (nodes, speed float64) {
	l := &m[depth]
	for i := range l.nodes(group) {
		n, s := 1.0, 1.0
		if depth+1 < len(m) {
			n, s = m.totals(depth+1, l.before(group)+i)
		}
		nodes += n
		speed += float64(s * l.speed(i))
	}
	return nodes, speed
}

// nodesOf returns the number of nodes of a level, in all groups.
func (m Machine) nodesOf(depth int) exact {
	if !m.unequal() {
		all := exactInt(1)
		for _, l := range m[:depth+1] {
			all = all.times(exactInt(l.Nodes))
		}
		return all
	}
	groups := 1
	for i := range m[:depth+1] {
		groups = m[i].before(groups)
	}
	return exactInt(groups)
}

package dispatch

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// inf is the bandwidth of a connection that costs nothing.
var inf = math.Inf(1)

// Placement says where the IDU of a group is, as files say it.
type Placement string

const (
	// Separate: on a node of its own that executes nothing and is not counted
	// in Level.Nodes. All nodes get their operands over the network.
	Separate Placement = "separate"
	// FirstNode: on the first node, which executes SIs like the others and
	// finds operands and results at hand. Dispatching takes nothing from its
	// computing, as with a second processor.
	FirstNode Placement = "first-node"
)

// Level describes each group of one level, and the SIs that are dispatched in
// it. Bandwidths may be +Inf; times are finite.
type Level struct {
	Nodes       int       // of each group of this level, 1 to 2^26; if Counts is set, its largest
	Outstanding int       // b, SIs that a node has at a time, 1 to 2^20
	IDU         Placement // where the dispatch unit is

	// Counts are the numbers of nodes of the groups of this level, each at least 1, in order, repeated from the first if
	// there are more groups; nil: Nodes each. The outermost level has one group.
	Counts []int
	// Speeds are the speeds of the nodes of the groups, 1e-9 to 1e9, in order, repeated from the first if there are more
	// nodes; nil: all are 1. An SI of the last level takes its time over the speed of the node. A node above the last level is a
	// group whose nodes are all faster by this factor.
	Speeds []float64

	// Dispatch is the time that the IDU spends on an SI; meanwhile it dispatches
	// nothing else. At least 0.
	Dispatch units.Seconds
	// Operands and Results are what an SI moves to its node and back; at least 0.
	Operands, Results units.Bytes
	// Latency is paid for each way, also if there is nothing to move; at least 0.
	// Latencies of different SIs overlap.
	Latency units.Seconds
	// Bandwidth is that of a node's interface, in each direction; above 0.
	Bandwidth units.BytesPerSecond
	// Trunk is the bandwidth, in each direction, that all nodes of the group
	// share; above 0.
	Trunk units.BytesPerSecond
}

// Ideal returns a level whose network and IDU cost nothing, with the IDU on the first node.
func Ideal(nodes, outstanding int) Level {
	return Level{
		Nodes: nodes, Outstanding: outstanding, IDU: FirstNode,
		Bandwidth: units.BytesPerSecond(inf), Trunk: units.BytesPerSecond(inf),
	}
}

// Machine is a hierarchy of groups, outermost level first. A node of a level is
// a group of the next; those of the last level are atomic.
type Machine []Level

// validate returns every time, size and bandwidth that is out of range, joined, and says whether there are too many
// nodes. Counts, speeds and the place of the IDU are as their comments say: that is up to the reader.
func (m Machine) validate() error {
	var problems []error
	for i, l := range m {
		for _, c := range []struct {
			field string
			value any
			ok    bool
			want  string
		}{
			{"Dispatch", l.Dispatch, amount(float64(l.Dispatch)), "a time from 0 to 1e100 s"},
			{"Operands", l.Operands, amount(float64(l.Operands)), "a size from 0 to 1e100 B"},
			{"Results", l.Results, amount(float64(l.Results)), "a size from 0 to 1e100 B"},
			{"Latency", l.Latency, amount(float64(l.Latency)), "a time from 0 to 1e100 s"},
			{"Bandwidth", l.Bandwidth, rate(float64(l.Bandwidth)), "a bandwidth from 1e-100 to 1e100 B/s, or +Inf"},
			{"Trunk", l.Trunk, rate(float64(l.Trunk)), "a bandwidth from 1e-100 to 1e100 B/s, or +Inf"},
		} {
			if !c.ok {
				problems = append(problems, fmt.Errorf("machine[%d].%s is %v; expected %s", i, c.field, c.value, c.want))
			}
		}
	}
	nodes := 1.0
	for _, l := range m {
		nodes *= float64(l.Nodes)
	}
	if m.unequal() && nodes > maxUnequal {
		problems = append(problems, fmt.Errorf("machine: up to %g nodes that differ; expected at most %d", nodes, maxUnequal))
	}
	if nodes > 1<<62 {
		problems = append(problems, fmt.Errorf("machine: %g nodes; expected at most 2^62", nodes))
	}
	return errors.Join(problems...)
}

// maxUnequal bounds the nodes of a machine whose nodes differ.
const maxUnequal = 1 << 24

// amount and rate are the ranges of model/internal/sharing, NaN excluded.
func amount(x float64) bool { return x >= 0 && x <= 1e100 }
func rate(x float64) bool   { return x >= 1e-100 && (x <= 1e100 || x == inf) }

// A level whose groups differ has Counts and Speeds. A group has the number of the node of the level above that it is:
// first all nodes of that level's first group, then those of the second, and so on.

// nodes returns the number of nodes of a group.
func (l *Level) nodes(group int) int {
	if l.Counts == nil {
		return l.Nodes
	}
	return l.Counts[group%len(l.Counts)]
}

// before returns the number of nodes in all earlier groups: the number of the group's first node among all of the
// level.
func (l *Level) before(group int) int {
	if l.Counts == nil {
		return group * l.Nodes
	}
	return group/len(l.Counts)*each.Total(l.Counts) + each.Total(l.Counts[:group%len(l.Counts)])
}

// speed returns the speed of a node of any group.
func (l *Level) speed(node int) float64 {
	if l.Speeds == nil {
		return 1
	}
	return l.Speeds[node%len(l.Speeds)]
}

// unequal reports whether groups of a level may differ, so that each must be simulated.
func (m Machine) unequal() bool {
	return slices.ContainsFunc(m, func(l Level) bool { return l.Counts != nil || l.Speeds != nil })
}

// Totals returns the number of nodes of the last level and the sum of their speeds.
// REQUIRES: the machine is valid.
func (m Machine) Totals() (nodes, speed float64) {
	nodes = float64(m.nodesOf(0))
	if !m.unequal() {
		return nodes, nodes
	}
	return nodes, m.speedOf(0)
}

// speedOf returns the sum of the speeds of the last level's nodes in a group of the first.
func (m Machine) speedOf(group int) (speed float64) {
	if len(m) == 0 {
		return 1
	}
	l := &m[0]
	for i := range l.nodes(group) {
		speed += float64(m[1:].speedOf(l.before(group)+i) * l.speed(i))
	}
	return speed
}

// nodesOf returns the number of the last level's nodes in a group of the first; 1 if there is no level.
func (m Machine) nodesOf(group int) int {
	next := group + 1
	for i := range m {
		group, next = m[i].before(group), m[i].before(next)
	}
	return next - group
}

// Work is a super-program in which every SI of a level is made of the same
// number of SIs of the next.
type Work struct {
	// SIs is w_1, w_2, ...: the program has w_1 SIs of level 1, each of which
	// has w_2 of level 2, and so on. As many as the machine has levels, each 1 to 2^26.
	SIs []int
	// Time is the mean time of an SI of the last level on an atomic node.
	Time units.Seconds
	// Scatter is the half width of the uniform distribution of these times,
	// as a fraction of Time: 0 for equal times, at most 1.
	Scatter float64
	// Seed chooses the times. The i-th SI of the program takes the same time
	// on every machine.
	Seed uint64
}

// factor returns the time of the SI of the last level with this number, counted
// from 0 in program order, over Time:
//
//	1 + Scatter (2x - 1), x uniform in [0, 1)
//
// x is drawn by position, so that it depends only on the seed and the number.
func (w Work) factor(number uint64) float64 {
	x := float64(float64(algorithm.Mix(w.Seed, number)>>11) * 0x1p-53)
	return 1 + float64(w.Scatter*(float64(2*x)-1))
}

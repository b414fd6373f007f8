package dispatch

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// inf is the bandwidth of what costs nothing.
var inf = math.Inf(1)

// Placement says where the IDU of a group is.
type Placement int

const (
	// Separate: on a node of its own that executes nothing and is not counted
	// in Level.Nodes. All nodes get their operands over the network.
	Separate Placement = iota
	// FirstNode: on the first node, which executes SIs like the others and
	// finds operands and results at hand. Dispatching takes nothing from its
	// computing, as with a second processor.
	FirstNode
)

// Level describes each group of one level, and the SIs that are dispatched in
// it. Bandwidths may be +Inf; times are finite.
type Level struct {
	Nodes       int       // in each group of this level, at least 1; of Counts the largest
	Outstanding int       // b, SIs that a node has at a time, at least 1
	Processors  int       // SIs that a node executes at a time, at least 1; exactly 1 above the last level
	IDU         Placement // where the dispatch unit is

	// Counts are the nodes of the groups of this level, one after another, and from the
	// first again where there are more groups; nil: Nodes of each. At the outermost
	// level there is one group.
	Counts []int
	// Speeds are those of the nodes of each group, one after another, and from the
	// first again where there are more nodes; nil: all are 1. An SI of the last level
	// takes its time over the speed of the node. A node above the last level is a group
	// in which all nodes are that much faster.
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

// Ideal returns a level whose network and IDU cost nothing: nodes with one
// processor each and the IDU on the first.
func Ideal(nodes, outstanding int) Level {
	return Level{
		Nodes: nodes, Outstanding: outstanding, Processors: 1, IDU: FirstNode,
		Bandwidth: units.BytesPerSecond(inf), Trunk: units.BytesPerSecond(inf),
	}
}

// Machine is a hierarchy of groups, outermost level first. A node of a level is
// a group of the next; those of the last level are atomic.
type Machine []Level

// Validate returns every value that is out of its range, joined.
func (m Machine) Validate() error {
	if len(m) == 0 || len(m) > maxLevels {
		return fmt.Errorf("machine: %d levels; expected 1 to %d", len(m), maxLevels)
	}
	var problems []error
	for i, l := range m {
		for _, c := range []struct {
			field string
			value any
			ok    bool
			want  string
		}{
			{"Nodes", l.Nodes, 1 <= l.Nodes && l.Nodes <= maxCount, countWanted},
			{"Outstanding", l.Outstanding, 1 <= l.Outstanding && l.Outstanding <= maxCount, countWanted},
			{"Processors", l.Processors, 1 <= l.Processors && l.Processors <= maxCount, countWanted},
			{"Processors", l.Processors, l.Processors <= 1 || i == len(m)-1, "1 above the last level, where a node is a group that executes one SI at a time"},
			{"Counts", l.Counts, l.Counts == nil || len(l.Counts) > 0 && slices.Max(l.Counts) == l.Nodes && slices.Min(l.Counts) >= 1 && (i > 0 || len(l.Counts) == 1), "counts of at least 1, the largest of which is Nodes; one at the outermost level"},
			{"Speeds", l.Speeds, l.Speeds == nil || len(l.Speeds) > 0 && !slices.ContainsFunc(l.Speeds, func(x float64) bool { return !(x >= minSpeed && x <= maxSpeed) }), "speeds from 1e-9 to 1e9"},
			{"IDU", l.IDU, l.IDU == Separate || l.IDU == FirstNode, "Separate or FirstNode"},
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

const (
	maxLevels = 16
	maxCount  = 1 << 26 // nodes, places and SIs of a group

	maxUnequal         = 1 << 24 // nodes of a machine whose nodes differ
	minSpeed, maxSpeed = 1e-9, 1e9

	countWanted = "1 to 67108864"
)

// amount and rate are the ranges of model/internal/sharing, NaN excluded.
func amount(x float64) bool { return x >= 0 && x <= 1e100 }
func rate(x float64) bool   { return x >= 1e-100 && (x <= 1e100 || x == inf) }

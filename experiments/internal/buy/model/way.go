package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// A Way is where a run takes place: on some nodes of one type or, as its zero value, on
// all nodes of the machine.
type Way struct {
	Node  int // index into Plan.Nodes
	Nodes int // 0: the whole machine
}

func (w Way) Whole() bool { return w.Nodes == 0 }

// RunNodes are the numbers of nodes that a run may take, all of one type.
type RunNodes struct {
	All  bool  // the whole machine, whatever its node types
	Best bool  // any that suits, of those of the grid
	List []int // else these, increasing
}

// UpTo returns the numbers of nodes to try of a type of which a machine has so many.
func (r RunNodes) UpTo(count int) []int {
	if !r.Best {
		i, found := slices.BinarySearch(r.List, count)
		if found {
			i++
		}
		return r.List[:i]
	}
	var grid []int // 1, 2, 3, 4, 6, 8, 12, ...: powers of two and the numbers half way
	for n := 1; n <= count; n *= 2 {
		grid = append(grid, n)
		if half := n + n/2; n > 1 && half <= count {
			grid = append(grid, half)
		}
	}
	return grid
}

// RunsOn reports whether a workload may run on nodes of a type.
func (w *Workload) RunsOn(n *Node) bool { return w.Partition == "" || w.Partition == n.Partition }

// InTime reports whether a run that takes so long meets its deadline.
func (w *Workload) InTime(t units.Seconds) bool { return w.Deadline == 0 || t <= w.Deadline }

// A Work is how a workload may run on a machine.
type Work struct {
	Ways []TimedWay // at least one, unless there is a problem
	// problem says why it cannot run, "" if it can.
	Problem string
}

// A TimedWay is a way with the time of a run, and with what the score is made of: that time
// or, where runs are not the same work, the time of a Tflop; s.
type TimedWay struct {
	Way
	Time  float64
	Run   units.Seconds
	Extra float64 // energy of a run above that of idle nodes, J
}

// InTime returns the works with the ways that meet the deadlines, and a problem where none
// does.
func (p *Plan) InTime(c Choice, works []Work) []Work {
	all := slices.Clone(works)
	for w := range all {
		x, y := &p.Workloads[w], &all[w]
		if x.Deadline > 0 && y.Problem == "" {
			fastest := slices.MinFunc(y.Ways, func(a, b TimedWay) int { return cmp.Compare(a.Run, b.Run) })
			y.Ways = slices.DeleteFunc(slices.Clone(y.Ways), func(t TimedWay) bool { return !x.InTime(t.Run) })
			if len(y.Ways) == 0 {
				y.Problem = fmt.Sprintf("a run takes %v on %s; its deadline is %v", fastest.Run, p.WayName(c, fastest.Way), x.Deadline)
			}
		}
		if x.Batch > 0 && y.Problem == "" {
			if t := units.Seconds(float64(x.Batch) * p.Alone(c, *y)); t > x.Within {
				y.Problem = fmt.Sprintf("a batch of %s takes %v on the whole machine; its deadline is %v", input.Plural(x.Batch, "run"), t, x.Within)
			}
		}
	}
	return all
}

// NodesOf returns the node types of a machine.
func (p *Plan) NodesOf(c Choice) []*Node {
	var all []*Node
	for t, count := range p.Parts(c) {
		if count > 0 {
			all = append(all, &p.Nodes[t])
		}
	}
	return all
}

// WayName says where a run takes place: "4 fat", or the name of the machine.
func (p *Plan) WayName(c Choice, w Way) string {
	if w.Whole() {
		return p.Name(c)
	}
	return fmt.Sprintf("%d %s", w.Nodes, p.Nodes[w.Node].Name)
}

// Text is what the file says: "4", "2, 4 or 8", "best", "all".
func (r RunNodes) Text() string {
	switch {
	case r.All:
		return allNodes
	case r.Best:
		return bestNodes
	}
	list := make([]string, len(r.List))
	for i, n := range r.List {
		list[i] = fmt.Sprint(n)
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

package build

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// treeWork bounds the work of an exact bisection of a tree: the number of pairs
// of partial splits that are tried.
const treeWork = 20_000_000

// A cut assigns a side, near or far, to each host and switch, and costs the links that lead from near to far. A switch
// with a backbone has two ends, before the backbone and behind it, which may be on different sides.
const (
	near = iota
	far
	split // near before the backbone, far behind it: costs the backbone
	sides
)

// bisection is exact where the splits of hosts into halves can be searched: cost[k] of a subtree is the cost of its
// cheapest cut with k hosts near, for each side of its switch, and subtrees are combined as in a knapsack problem. A
// tree of one switch has a closed form: the slower half of all cables, with the switch on the far side; or the
// backbone. In trees for which the search is too much work, the halves are the hosts by number, so that each subtree
// has a single count and the result is an upper bound.
func (t *tree) bisection(links []topology.Link) (units.BytesPerSecond, bool) {
	n := len(t.at)
	size := make([]int64, len(t.switches))
	var work int64
	for i := len(t.switches) - 1; i >= 0; i-- {
		size[i] += int64(t.switches[i].nodes)
		if p := t.switches[i].parent; p >= 0 {
			work += size[i] * size[p]
			size[p] += size[i]
		}
	}
	exact := work <= treeWork
	near, halves := func(s *treeSwitch) []int { return []int{min(max(n/2-s.first, 0), s.nodes)} }, []int{0}
	if exact {
		near, halves = func(s *treeSwitch) []int { return each.Ascending(s.nodes + 1) }, []int{n / 2, n - n/2}
	}
	best := math.Inf(1)
	for _, costs := range t.cuts(links, near) {
		for _, k := range halves {
			best = min(best, costs[k])
		}
	}
	return units.BytesPerSecond(best), exact
}

// cuts returns the costs of the whole tree, by side of its top switch and by choice: nearCounts says how many of the
// hosts at a switch may be near, and choices of subtrees add up.
func (t *tree) cuts(links []topology.Link, nearCounts func(*treeSwitch) []int) [sides][]float64 {
	all := make([][sides][]float64, len(t.switches))
	for i := len(t.switches) - 1; i >= 0; i-- {
		s := &t.switches[i]
		own := t.hostCuts(links, s, nearCounts(s))
		for side := range sides {
			all[i][side] = together(all[i][side], own[side])
		}
		all[i][split] = add(all[i][split], splitCost(links, s))
		if s.parent < 0 {
			return all[i]
		}
		// The uplink is cut from near to far: upward if this switch is near behind its backbone and its parent far
		// before its own, downward in the opposite case.
		capacity := float64(links[s.uplink].Bandwidth)
		var above [sides][]float64
		for p := range sides {
			for side := range sides {
				cost := 0.0
				if side == near && p == far || p == near && side == far {
					cost = capacity
				}
				above[p] = cheaper(above[p], add(slices.Clone(all[i][side]), cost))
			}
		}
		all[i] = [sides][]float64{}
		up := &all[s.parent]
		for p := range sides {
			up[p] = together(up[p], above[p])
		}
	}
	return all[0]
}

// hostCuts returns the cost of the hosts at a switch alone. It is free which of them are on the other side than the
// switch, so it takes those with the slowest cables; with fixed halves, too, where the bound is then that of other
// halves.
func (t *tree) hostCuts(links []topology.Link, s *treeSwitch, nearCounts []int) (own [sides][]float64) {
	slowest := each.Of(t.hosts[s.first:s.first+s.nodes], func(link int32) float64 { return float64(links[link].Bandwidth) })
	slices.Sort(slowest)
	sum := make([]float64, s.nodes+1)
	for i, b := range slowest {
		sum[i+1] = sum[i] + b
	}
	for _, k := range nearCounts {
		own[near] = append(own[near], sum[s.nodes-k])
		own[far] = append(own[far], sum[k])
		own[split] = append(own[split], 0)
	}
	return own
}

func splitCost(links []topology.Link, s *treeSwitch) float64 {
	if s.backbone == topology.NoLink {
		return math.Inf(1)
	}
	return float64(links[s.backbone].Bandwidth)
}

// together returns the cost of two parts: for each k, of the cheapest way to divide k between them. A nil first one
// stands for no part yet.
func together(a, b []float64) []float64 {
	if a == nil {
		return b
	}
	sum := slices.Repeat([]float64{math.Inf(1)}, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			sum[i+j] = min(sum[i+j], x+y)
		}
	}
	return sum
}

// cheaper returns the smaller cost at each place; nil stands for no choice yet.
func cheaper(a, b []float64) []float64 {
	if a == nil {
		return b
	}
	for k := range a {
		a[k] = min(a[k], b[k])
	}
	return a
}

// add adds a cost to all of a, in place.
func add(a []float64, cost float64) []float64 {
	for k := range a {
		a[k] += cost
	}
	return a
}

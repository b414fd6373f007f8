package search

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/heap"
)

// A field is the machines of a design in a plan, of at least one node of each type of the design, whatever their price.
//
// The search is branch and bound over boxes of numbers of nodes. No machine of a box draws less power or takes less
// space than the smallest, costs less than the smallest with each type at its best price, or has a better score than
// the largest with all nodes always busy (model.Plan.LeastScore). Boxes are divided in the order of their bounds, so
// the first single machine that comes up is the best one [LandDoig1960].
type field struct {
	*model.Plan
	design model.Design
	axes   []axis
	// runs returns how a workload runs on nodes of a type in machines that are wired like one, for up to as many nodes
	// as that machine has.
	runs func(like model.Choice, node, workload int) []knownRun
	// whole returns a bound on how a workload that takes the whole machine runs on machines between two: no run takes
	// less time. For a single machine it is the run itself once that has been simulated.
	whole func(small, large model.Choice, workload int) knownRun
	// settle simulates one more workload on the whole of each listed machine, and returns false if that would take too
	// much; nil: there are no such workloads, or all runs are known.
	settle  func(list []model.Choice, sure bool) bool
	settled func(model.Choice) bool      // all its runs are known
	points  func(model.Measures) float64 // if set, machines are ranked by this instead of the objective
	// carries reports whether a machine with that load meets what the objective demands beside the price.
	carries func(c model.Choice, l *model.Load) bool
	tried   int     // boxes
	dropped float64 // least goal of the boxes that the last search dropped because they exceed its aim
}

// An axis is the numbers of nodes of a type that may be bought: a list, or any from 1 up.
type axis struct {
	list []int
	most int // numbers
}

func (x axis) at(place int) int {
	if x.list != nil {
		return x.list[place]
	}
	return place + 1
}

// place returns the index of a number of nodes on the axis, or that of the last one below it.
func (x axis) place(n int) int {
	if x.list == nil {
		return n - 1
	}
	i, found := slices.BinarySearch(x.list, n)
	if !found {
		i--
	}
	return i
}

// axesOf returns the numbers of nodes that the limits allow for each type with the fewest of the others; nil where they
// allow no machine.
func axesOf(p *model.Plan, d model.Design) []axis {
	axes := make([]axis, len(d.Types))
	fewest := make([]int, len(d.Types))
	whole := p.Smallest(d, 1)
	for i := range axes {
		switch axes[i].most = model.MaxNodes; {
		case d.Bid > 0:
			axes[i] = axis{whole.Counts[i : i+1], 1}
		case !p.Counts.Affordable:
			axes[i] = axis{p.Counts.List, len(p.Counts.List)}
		}
		fewest[i] = axes[i].at(0)
	}
	for i := range axes {
		counts := slices.Clone(fewest)
		exceeds := func(place int) bool {
			counts[i] = axes[i].at(place)
			return p.LimitFrom(d.Of(counts...)) != ""
		}
		high := 1
		for high < axes[i].most && !exceeds(high-1) {
			high *= 2
		}
		// The least cost of all larger machines grows with the number of nodes, and so do power and space.
		if axes[i].most = sort.Search(min(high, axes[i].most), exceeds); axes[i].most == 0 {
			return nil
		}
	}
	return axes
}

// size returns how many machines the axes span, those beyond the limits included.
func size(axes []axis) float64 {
	all := 1.0
	for _, x := range axes {
		all *= float64(x.most)
	}
	return all
}

// A worth is what machines are compared by.
type worth struct{ goal, cost float64 }

// A find is a machine within the limits that runs every workload.
type find struct {
	model.Choice
	worth
}

// An aim is what a search looks for: the least goal or, with cheapest, the least cost to the budget, among machines
// whose goal is at most most.
type aim struct {
	cheapest bool
	most     float64
}

// order compares two machines: the more wanted one is less.
func (a aim) order(x, y worth) int {
	if a.cheapest {
		return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.goal, y.goal))
	}
	return cmp.Or(cmp.Compare(x.goal, y.goal), cmp.Compare(x.cost, y.cost))
}

// prefers reports whether one machine is better than another.
func (a aim) prefers(x, y worth) bool { return a.order(x, y) < 0 }

// A box is the machines between two corners, which are places on the axes.
type box struct {
	low, high []int
	worth          // a lower bound over its machines
	exact     bool // it is a single machine, and the bound is its own worth
}

// before orders boxes. Equal machines are ordered by their numbers of nodes, so that the answer does not depend on how
// boxes are divided.
func (a aim) before(x, y *box) bool {
	order := a.order(x.worth, y.worth)
	if order == 0 && x.exact != y.exact {
		return y.exact
	}
	return cmp.Or(order, slices.Compare(x.low, y.low)) < 0
}

// together is how many machines, those with the least bounds, are simulated at a time.
const together = 4

// best returns the machine sought, and false if there is none. No machine has less than least, which is the value of
// the machine found unless the search ended before it was sure.
func (f *field) best(a aim, mostTried int) (found find, least float64, ok bool) {
	open := heap.By(a.before)
	f.dropped = math.Inf(1)
	push := func(b box, ok bool) {
		if ok && b.goal <= a.most {
			open.Push(b)
		} else if ok {
			f.dropped = min(f.dropped, b.goal)
		}
	}
	add := func(low, high []int) {
		f.tried++
		push(f.bound(low, high))
	}
	if len(f.axes) < len(f.design.Types) {
		return find{}, math.Inf(1), false
	}
	low, high := f.corners()
	add(low, high)
	for tried := f.tried; open.Len() > 0 && f.tried-tried < mostTried; {
		b := open.Pop()
		if b.exact {
			return find{f.choice(b.low), b.worth}, a.of(b), true
		}
		widest := 0
		for i := range b.low {
			if b.high[i]-b.low[i] > b.high[widest]-b.low[widest] {
				widest = i
			}
		}
		if b.single() {
			next := f.next(b, &open)
			if f.settle != nil && !f.settle(f.choices(next), true) {
				for _, b := range next {
					open.Push(b)
				}
				break
			}
			for _, b := range next {
				push(f.known(b))
			}
			continue
		}
		middle := (b.low[widest] + b.high[widest]) / 2
		left, right := slices.Clone(b.high), slices.Clone(b.low)
		left[widest], right[widest] = middle, middle+1
		add(b.low, left)
		add(right, b.high)
	}
	if f.settle != nil && open.Len() > 0 {
		for _, b := range f.climb(a) {
			open.Push(b)
		}
	}
	return f.unproven(a, &open)
}

// corners returns the smallest and the largest machine.
func (f *field) corners() (low, high []int) {
	low, high = make([]int, len(f.axes)), make([]int, len(f.axes))
	for i, x := range f.axes {
		high[i] = x.most - 1
	}
	return low, high
}

// of returns the value of a box that the aim minimizes.
func (a aim) of(b box) float64 {
	if a.cheapest {
		return b.cost
	}
	return b.goal
}

func (b box) single() bool { return slices.Equal(b.low, b.high) }

// next takes from the open boxes the single machines to simulate together with one.
func (f *field) next(b box, open *heap.Heap[box]) (all []box) {
	all = []box{b}
	if f.settle == nil || f.settled(f.choice(b.low)) {
		return all
	}
	for len(all) < together && open.Len() > 0 && !open.Top().exact && open.Top().single() {
		all = append(all, open.Pop())
	}
	return all
}

// known returns a single machine with its worth as far as its runs are known.
func (f *field) known(b box) (box, bool) {
	if f.settle != nil && !f.settled(f.choice(b.low)) {
		return f.bound(b.low, b.low)
	}
	return f.machine(b)
}

func (f *field) choices(boxes []box) []model.Choice {
	return each.Of(boxes, func(b box) model.Choice { return f.choice(b.low) })
}

// unproven returns the best single machine among the open boxes, and their least bound.
func (f *field) unproven(a aim, open *heap.Heap[box]) (found find, least float64, ok bool) {
	least = math.Inf(1)
	for open.Len() > 0 {
		b := open.Pop()
		least = min(least, a.of(b))
		if b.exact {
			return find{f.choice(b.low), b.worth}, least, true
		}
	}
	return find{}, least, false
}

func (f *field) choice(places []int) model.Choice {
	counts := make([]int, len(places))
	for i, place := range places {
		counts[i] = f.axes[i].at(place)
	}
	return f.design.Of(counts...)
}

// bound returns a box with its bounds; false if none of its machines can be bought and runs every workload.
func (f *field) bound(low, high []int) (b box, ok bool) {
	b = box{low: low, high: high}
	small, large := f.choice(low), f.choice(high)
	if f.LimitBetween(small, large) != "" || f.Unmet(small, large) != "" {
		return b, false
	}
	bill, _ := f.LeastPrice(small, large)
	b.cost = f.Cost(small, bill, nil)
	score := f.leastScore(small, large, always(large))
	for _, beyond := range f.wirings(small, large) {
		score = min(score, f.leastScore(small, large, func(node int) model.Choice { return f.wired(small, large, node, beyond) }))
	}
	if math.IsInf(score, 1) || f.Objective.ByPrice() && f.Use(score) > 1 {
		return b, false
	}
	if f.points != nil {
		b.goal = closeToLeast / f.points(f.MeasuresAtBest(small, large, bill, score))
		return b, true
	}
	b.goal = f.Goal(score, b.cost)
	return b, true
}

// always returns the same machine for each node type.
func always(c model.Choice) func(int) model.Choice { return func(int) model.Choice { return c } }

// wirings returns tests for wirings beyond that of the smaller machine, and beyond each number of levels between it and
// the larger one.
func (f *field) wirings(small, large model.Choice) (beyond []func(class) bool) {
	of, top := classOf(f.Plan, small), classOf(f.Plan, large)
	if of != top {
		beyond = append(beyond, func(c class) bool { return c != of })
	}
	for level := of.levels + 1; level < top.levels; level++ {
		beyond = append(beyond, func(c class) bool { return c.levels > level })
	}
	return beyond
}

// wired returns the smaller machine with as many more nodes of a type, up to those of the larger one, as keep its
// wiring from being beyond.
func (f *field) wired(small, large model.Choice, node int, beyond func(class) bool) model.Choice {
	i := slices.Index(f.design.Types, node)
	if i < 0 { // nodes that exist
		return small
	}
	fewest, c := small.Counts[i], small
	c.Counts = slices.Clone(small.Counts)
	c.Counts[i] = fewest + sort.Search(large.Counts[i]-fewest, func(more int) bool {
		c.Counts[i] = fewest + more + 1
		return beyond(classOf(f.Plan, c))
	})
	return c
}

// leastScore returns a lower bound on the scores of machines between two if runs on nodes of each type take as long as
// on the machine that like returns.
func (f *field) leastScore(small, c model.Choice, like func(node int) model.Choice) float64 {
	works := f.works(small, c, like)
	if slices.ContainsFunc(works, model.Work.Fails) {
		return math.Inf(1)
	}
	if least, _ := f.LeastScore(c, works); least > 0 {
		return closeToLeast * least
	}
	for w, x := range f.Workloads { // a machine in the box may not run it, and then count as less
		time := f.Alone(c, works[w])
		if f.Objective.Name == model.ObjectiveTime {
			time = works[w].Shortest()
		}
		if t := float64(x.Impossible); t > 0 && t < time {
			works[w] = model.Work{Ways: []model.TimedWay{{Time: t, Run: x.Impossible}}}
		}
	}
	score, _ := f.Score(c, works)
	return closeToLeast * score
}

// machine evaluates a box of one machine; false if it exceeds a limit or does not meet the objective's conditions.
func (f *field) machine(b box) (box, bool) {
	c := f.choice(b.low)
	score, load := f.Score(c, f.works(c, c, always(c)))
	if math.IsInf(score, 1) || f.LimitWith(c, load) != "" || f.Unmet(c, c) != "" || listedElsewhere(f.Plan, c) ||
		f.Objective.ByPrice() && (f.Use(load.Seconds) > 1 || !f.carries(c, load)) {
		return b, false
	}
	if f.points != nil {
		b.goal, b.exact = 1/f.points(f.MeasuresOf(c, score, load)), true
		return b, true
	}
	bill, _ := f.Price(c)
	b.cost = f.Cost(c, bill, load)
	b.goal, b.exact = f.Goal(score, b.cost), true
	return b, true
}

// works returns how each workload runs at best on machines between two and meets its deadlines, if runs on nodes of
// each type take as long as on the machine that like returns.
func (f *field) works(small, c model.Choice, like func(node int) model.Choice) []model.Work {
	all := make([]model.Work, len(f.Workloads))
	parts := f.Parts(c)
	for w := range all {
		if f.Workloads[w].On.All {
			if x := f.whole(small, c, w); x.problem == "" {
				all[w].Ways = []model.TimedWay{x.TimedWay}
			} else {
				all[w].Problem = x.problem
			}
			continue
		}
		for t, count := range parts {
			if count == 0 || !f.Workloads[w].RunsOn(&f.Nodes[t]) {
				continue
			}
			for _, x := range f.runs(like(t), t, w) {
				if x.Nodes <= count && x.problem == "" {
					all[w].Ways = append(all[w].Ways, x.TimedWay)
				}
			}
		}
		if len(all[w].Ways) == 0 {
			all[w].Problem = "no nodes for it"
		}
	}
	return f.InTime(c, all)
}

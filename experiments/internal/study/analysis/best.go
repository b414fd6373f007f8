package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Growth is the best configuration of every size, from the smallest size to the
// largest.
type Growth struct {
	Optima []Optimum
	// Jumps and Switches are the numbers of optima that are reached by such a move.
	// Their sum is the smallest that equally good configurations allow.
	Jumps, Switches int
}

// An Optimum is the best configuration of a size.
type Optimum struct {
	Size   float64 // in the unit of the size
	Levels []int   // for each factor, an index into its Levels
	Value  float64 // of the response there; the mean over repetitions
	StdErr float64 // of Value, from repetitions; NaN without
	Tied   int     // other configurations of this size that are as good
	// Rivals are the levels of other configurations of this size that are as good or
	// within two standard errors of the difference, in the order of the table: each
	// may be the best.
	Rivals [][]int
	Of     int  // configurations of this size in all
	Move   Move // how it is reached from the optimum before
}

// A Move is how far apart two configurations are.
type Move int

const (
	// First is the move of the smallest size: there is none before it.
	First Move = iota
	// Step changes one numeric factor to its next value. Optima that are one step
	// apart form a path along which a system can grow.
	Step
	// Switch is at most that, and another level of factors without order, such as
	// methods or names: a choice, and no growth.
	Switch
	// Jump changes more.
	Jump
	// Stay changes nothing, and Grow only raises numeric factors, by any number of
	// levels: a larger system contains the smaller one. Both are moves of [UpTo].
	Stay
	Grow
)

// Follows reports whether a system can grow along the move.
func (m Move) Follows() bool { return m == Step || m == Stay || m == Grow }

func (m Move) String() string {
	return [...]string{"first", "step", "switch", "jump", "stay", "grow"}[m]
}

// Best returns the best configuration of each size. The size is a numeric factor or
// another response, such as the number of nodes; sizes that differ by less than
// 1e-9 of their value are equal. Among equally good configurations, it chooses those
// with the fewest moves other than steps over all sizes, found by dynamic programming from the largest
// size down. If several choices have equally few, it takes the lowest levels at
// the smallest size, then at the next, and so on.
//
// Configurations whose size is not a finite number are left out.
//
// Source: [Jin] 5.3, which follows the optimal configuration over the sizes r1 + r2
// of a two-level cluster. Deviations: any number of factors, any size.
func Best(t *studytable.Table, response string, goal studytable.Goal, size string) (*Growth, error) {
	c, err := sized(t, response, size)
	if err != nil {
		return nil, err
	}
	g := &Growth{}
	steps := movesOf(t)
	sizes := bySize(c)
	ties := make([][]int, len(sizes))
	for s, same := range sizes {
		ties[s] = bestOf(c, same, goal)
	}
	var previous []int
	near := func(from, to int) bool { return steps.between(c.List[from].Levels, c.List[to].Levels) == Step }
	reached := func(from int, set []int, visit func(place int)) { reachedFrom(c, steps, from, set, visit) }
	for s, chosen := range pathOf(c, ties, near, reached) {
		one := &c.List[chosen]
		o := Optimum{
			Size: one.Other, Levels: slices.Clone(one.Levels), Value: one.Mean, StdErr: one.StdErr(), Tied: len(ties[s]) - 1, Of: len(sizes[s]),
		}
		for _, i := range sizes[s] {
			if i != chosen && goal.Alike(one, &c.List[i]) {
				o.Rivals = append(o.Rivals, slices.Clone(c.List[i].Levels))
			}
		}
		if previous != nil {
			switch o.Move = steps.between(previous, o.Levels); o.Move {
			case Switch:
				g.Switches++
			case Jump:
				g.Jumps++
			}
		}
		previous = o.Levels
		g.Optima = append(g.Optima, o)
	}
	return g, nil
}

// bestOf returns those of some configurations than which none is better.
func bestOf(c *studytable.Cells, some []int, goal studytable.Goal) []int {
	best := some[0]
	for _, i := range some {
		if goal.Better(c.List[i].Mean, c.List[best].Mean) {
			best = i
		}
	}
	var all []int
	for _, i := range some {
		if !goal.Better(c.List[best].Mean, c.List[i].Mean) {
			all = append(all, i)
		}
	}
	return all
}

// pathOf chooses one configuration from each of the sets, which are in ascending
// order, such that the number of moves between them that are not near is smallest;
// they are called jumps here. reached visits the places in a set that are near.
func pathOf(c *studytable.Cells, sets [][]int, near func(from, to int) bool, reached func(from int, set []int, visit func(place int))) []int {
	jumps := make([][]int, len(sets)) // from each configuration of a set to the end
	for s := len(sets) - 1; s >= 0; s-- {
		jumps[s] = make([]int, len(sets[s]))
		if s+1 == len(sets) {
			continue
		}
		most := slices.Min(jumps[s+1]) + 1 // a jump can reach any configuration
		for a, i := range sets[s] {
			jumps[s][a] = most
			reached(i, sets[s+1], func(b int) { jumps[s][a] = min(jumps[s][a], jumps[s+1][b]) })
		}
	}
	chosen := make([]int, len(sets))
	left := 0
	for s, set := range sets {
		for a, i := range set {
			switch {
			case s == 0 && jumps[s][a] > slices.Min(jumps[s]):
				continue
			case s > 0 && !near(chosen[s-1], i) && jumps[s][a]+1 > left:
				continue
			case s > 0 && jumps[s][a] > left:
				continue
			}
			chosen[s], left = i, jumps[s][a]
			break
		}
	}
	return chosen
}

// reachedFrom visits the places in a set of the configurations that are one step from
// another: one by one, or if the set is large by looking up all steps.
func reachedFrom(c *studytable.Cells, steps moves, from int, set []int, visit func(place int)) {
	levels := slices.Clone(c.List[from].Levels)
	others := 0
	for k := range levels {
		others += len(c.Table.Factors[k].Levels)
	}
	if len(set) <= others {
		for place, i := range set {
			if steps.between(levels, c.List[i].Levels) == Step {
				visit(place)
			}
		}
		return
	}
	for k, here := range levels {
		for l := range c.Table.Factors[k].Levels {
			if ranks := steps[k]; ranks == nil || ranks[l] != ranks[here]-1 && ranks[l] != ranks[here]+1 {
				continue
			}
			levels[k] = l
			if i := c.Find(levels); i >= 0 {
				if place, ok := slices.BinarySearch(set, i); ok {
					visit(place)
				}
			}
		}
		levels[k] = here
	}
}

// LeavesDiagonal returns the number of the first optimum at which two numeric factors
// are more than one level apart, or that of optima if none is. ok is false unless the
// factors have the same values: then there is no diagonal.
func (g *Growth) LeavesDiagonal(t *studytable.Table, x, y int) (at int, ok bool) {
	fx, fy := &t.Factors[x], &t.Factors[y]
	if !fx.Numeric() || !fy.Numeric() || len(fx.Levels) != len(fy.Levels) {
		return 0, false
	}
	for place, l := range fx.Order() {
		if fx.Levels[l].Value != fy.Levels[fy.Order()[place]].Value {
			return 0, false
		}
	}
	px, py := fx.Ranks(), fy.Ranks()
	for i, o := range g.Optima {
		if d := px[o.Levels[x]] - py[o.Levels[y]]; d < -1 || d > 1 {
			return i, true
		}
	}
	return len(g.Optima), true
}

// moves classifies the moves between the configurations of a table.
type moves [][]int // for each factor the places of its levels; nil if it is not numeric

func movesOf(t *studytable.Table) moves {
	m := make(moves, len(t.Factors))
	for k := range t.Factors {
		if f := &t.Factors[k]; f.Numeric() {
			m[k] = f.Ranks()
		}
	}
	return m
}

// between compares two different configurations.
func (m moves) between(from, to []int) Move {
	ordered, unordered := 0, false // factors that change
	for k := range from {
		if from[k] == to[k] {
			continue
		}
		ranks := m[k]
		if ranks == nil {
			unordered = true
			continue
		}
		if d := ranks[to[k]] - ranks[from[k]]; d != 1 && d != -1 {
			return Jump
		}
		ordered++
	}
	switch {
	case ordered > 1:
		return Jump
	case unordered:
		return Switch
	}
	return Step
}

// sized gathers the configurations with their size as the other value.
func sized(t *studytable.Table, response, size string) (*studytable.Cells, error) {
	if k, err := t.FactorIndex(size); err == nil {
		f := &t.Factors[k]
		if !f.Numeric() {
			return nil, fmt.Errorf("analysis: factor %s cannot be a size: not all its levels are numbers", size)
		}
		c, err := t.Gather(response, -1)
		if err != nil {
			return nil, err
		}
		for i := range c.List {
			c.List[i].Other = f.Levels[c.List[i].Levels[k]].Value
		}
		return c, nil
	}
	second, err := t.ResponseIndex(size)
	if err != nil {
		return nil, fmt.Errorf("analysis: no factor or response %q to take as a size", size)
	}
	c, err := t.Gather(response, second)
	if err != nil {
		return nil, err
	}
	c.List = slices.DeleteFunc(c.List, func(one studytable.Cell) bool { return !studytable.Finite(one.Other) })
	if len(c.List) == 0 {
		return nil, &studytable.AllFailedError{Response: size, Rows: len(t.Rows)}
	}
	return c, nil
}

// sameSize is how far apart sizes may be, relative to the larger.
const sameSize = 1e-9

// bySize returns the numbers of the configurations of each size, in ascending
// order of sizes and, within one, of levels.
func bySize(c *studytable.Cells) [][]int {
	sorted := make([]int, len(c.List))
	for i := range sorted {
		sorted[i] = i
	}
	size := func(i int) float64 { return c.List[i].Other }
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(size(a), size(b)) })
	var groups [][]int
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && size(sorted[j])-size(sorted[i]) <= sameSize*math.Abs(size(sorted[j])) {
			j++
		}
		slices.Sort(sorted[i:j])
		groups = append(groups, sorted[i:j])
		i = j
	}
	return groups
}

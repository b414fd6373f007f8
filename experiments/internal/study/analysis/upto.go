package analysis

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Envelope is the best configuration up to each of some sizes that increase: what
// the best of each size is where sizes have few configurations each, as products of
// whole numbers have. A bound is never worse than the one before.
type Envelope struct {
	Bounds []float64
	Optima []Optimum // for each bound, without rivals; Size is that of the configuration, at most the bound
	// Jumps and Switches are the numbers of optima that are reached by such a move.
	Jumps, Switches int
}

const (
	// maxBounds is how many bounds there are at most.
	maxBounds = 24
	// maxTies is of how many equally good configurations, those with the lowest
	// levels, the path of an envelope is chosen.
	maxTies = 500
)

// UpTo returns the best configuration up to the smallest size, up to twice that, and
// so on to the largest size. Where that would be more than 24 bounds, or the smallest
// size is not above 0, there are 24 at equal ratios or distances.
//
// Of equally good configurations it takes the smallest, and of those the ones with the
// fewest jumps over all bounds. A move is [Stay] if the configuration is the same,
// [Grow] if numeric factors are raised and none is lowered, [Switch] if factors without
// order change too, and [Jump] if something has to be taken down.
func UpTo(t *studytable.Table, response string, goal studytable.Goal, size string) (*Envelope, error) {
	c, err := sized(t, response, size)
	if err != nil {
		return nil, err
	}
	var inOrder []int // by size
	for _, same := range bySize(c) {
		inOrder = append(inOrder, same...)
	}
	sizeOf := func(i int) float64 { return c.List[i].Other }
	e := &Envelope{Bounds: bounds(sizeOf(inOrder[0]), sizeOf(inOrder[len(inOrder)-1]))}
	within := make([]int, len(e.Bounds)) // how many configurations are
	sets := make([][]int, len(e.Bounds))
	ties := make([]int, len(e.Bounds))
	for b, bound := range e.Bounds {
		for within[b] < len(inOrder) && sizeOf(inOrder[within[b]]) <= bound+sameSize*math.Abs(bound) {
			within[b]++
		}
		if b+1 < len(e.Bounds) {
			within[b+1] = within[b]
		}
		best := bestOf(c, inOrder[:within[b]], goal)
		ties[b] = len(best) - 1
		smallest := sizeOf(best[0])
		best = slices.DeleteFunc(best, func(i int) bool { return sizeOf(i) > smallest+sameSize*math.Abs(smallest) })
		slices.Sort(best)
		sets[b] = best[:min(len(best), maxTies)]
	}
	steps := movesOf(t)
	near := func(from, to int) bool {
		m := steps.upwards(c.List[from].Levels, c.List[to].Levels)
		return m == Stay || m == Grow
	}
	reached := func(from int, set []int, visit func(place int)) {
		for place, i := range set {
			if near(from, i) {
				visit(place)
			}
		}
	}
	previous := -1
	for b, chosen := range pathOf(c, sets, near, reached) {
		one := &c.List[chosen]
		o := Optimum{Size: one.Other, Levels: slices.Clone(one.Levels), Value: one.Mean, StdErr: one.StdErr(), Tied: ties[b], Of: within[b]}
		if previous >= 0 {
			switch o.Move = steps.upwards(c.List[previous].Levels, o.Levels); o.Move {
			case Switch:
				e.Switches++
			case Jump:
				e.Jumps++
			}
		}
		previous = chosen
		e.Optima = append(e.Optima, o)
	}
	return e, nil
}

// bounds are those between which sizes are gathered, the smallest and the largest
// size included.
func bounds(smallest, largest float64) []float64 {
	all := []float64{smallest}
	switch doublings := math.Log2(largest / smallest); {
	case smallest == largest:
	case smallest > 0 && doublings <= maxBounds-1:
		for b := 2 * smallest; b < largest*(1-sameSize); b *= 2 {
			all = append(all, b)
		}
		all = append(all, largest)
	default:
		for i := 1; i < maxBounds; i++ {
			share := float64(i) / (maxBounds - 1)
			if smallest > 0 {
				all = append(all, smallest*math.Exp2(doublings*share))
			} else {
				all = append(all, smallest+float64((largest-smallest)*share))
			}
		}
		all[maxBounds-1] = largest
	}
	return all
}

// upwards classifies the move to a configuration that may be several levels away.
func (m moves) upwards(from, to []int) Move {
	raised, unordered := false, false
	for k := range from {
		switch ranks := m[k]; {
		case from[k] == to[k]:
		case ranks == nil:
			unordered = true
		case ranks[to[k]] < ranks[from[k]]:
			return Jump
		default:
			raised = true
		}
	}
	switch {
	case unordered:
		return Switch
	case raised:
		return Grow
	}
	return Stay
}

package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
)

// Growth is the best configuration of every size, from the smallest to the largest, or up to each of some increasing
// sizes.
type Growth struct {
	Optima []Optimum
	// Jumps and Switches count the optima that are reached by such a move. Their sum is the smallest that equally good
	// configurations allow.
	Jumps, Switches int
}

// An Optimum is the best configuration of a size.
type Optimum struct {
	Configuration
	StdErr   Number   `json:"standard_error"`    // of the value; null without repetitions
	Interval Interval `json:"interval,omitzero"` // of 95 % of the value
	Size     float64  `json:"size"`
	Of       int      `json:"of"`   // configurations of this size
	Tied     int      `json:"tied"` // others that are as good
	// WithinNoise counts the others that are as good or cannot be told apart from it, including the tied ones.
	WithinNoise int  `json:"within_noise"`
	Move        Move `json:"move"` // how it is reached from the optimum before
	// Bound is the size up to which it is the best; 0 if it is the best of its own size.
	Bound float64 `json:"up_to,omitempty"`
	// Updates are the single steps from here, the best one first.
	Updates []Update `json:"updates,omitempty"`

	// Rivals are the levels of the configurations within noise, in the order of the table: each may be the best.
	Rivals [][]int `json:"-"`
}

// A Move is how far apart two configurations are.
type Move string

const (
	// First is the move of the smallest size: there is none before it.
	First Move = "first"
	// Step changes one numeric factor to its next value. Optima that are one step
	// apart form a path along which a system can grow.
	Step Move = "step"
	// Switch is at most a step, plus another level of factors without order, such as methods or names: a choice, not
	// growth.
	Switch Move = "switch"
	// Jump changes more.
	Jump Move = "jump"
	// Stay changes nothing, and Grow only raises numeric factors, by any number of levels, so that the larger system
	// contains the smaller one. Both are moves of [Cells.UpTo].
	Stay Move = "stay"
	Grow Move = "grow"
)

// Follows reports whether a system can grow along the move.
func (m Move) Follows() bool { return m == Step || m == Stay || m == Grow }

// Growth returns the best configuration of each size, as [Cells.By] has given it; sizes that
// differ by less than 1e-9 of their value are equal. Among equally good configurations, it
// chooses those with the fewest moves other than steps over all sizes, found by dynamic
// programming from the largest size down. If several choices have equally few, it takes the
// lowest levels at the smallest size, then at the next, and so on.
//
// Source: [Jin] 5.3, which follows the optimal configuration over the sizes r1 + r2
// of a two-level cluster. Deviations: any number of factors, any size.
func (c *Cells) Growth() *Growth {
	sizes := c.bySize()
	ties := each.Of(sizes, c.bestOf)
	near := func(from, to int) bool { return c.between(c.List[from].Levels, c.List[to].Levels) == Step }
	path := c.pathOf(ties, near, c.stepsTo)
	g := c.along(path, c.between)
	for s, chosen := range path {
		o := &g.Optima[s]
		o.Of, o.Tied = len(sizes[s]), len(ties[s])-1
		rivals := c.rivals(chosen, sizes[s])
		for _, i := range sizes[s] {
			if rivals[i] {
				o.Rivals = append(o.Rivals, c.List[i].Levels)
			}
		}
		o.WithinNoise = len(o.Rivals)
	}
	return g
}

const (
	// maxBounds is the largest number of bounds.
	maxBounds = 24
	// maxTies limits how many equally good configurations, those with the lowest levels, a path may choose from.
	maxTies = 500
)

// UpTo returns the best configuration up to the smallest size, up to twice that, and so on to the largest size. It
// serves where sizes have few configurations each, as products of whole numbers do. If that would be more than 24
// bounds, or the smallest size is not above 0, there are 24 bounds at equal ratios or distances. A bound is never worse
// than the one before. Optima have no rivals.
//
// Of equally good configurations it takes the smallest, and of those the ones with the
// fewest jumps over all bounds. A move is [Stay] if the configuration is the same,
// [Grow] if numeric factors are raised and none is lowered, [Switch] if factors without
// order change too, and [Jump] if something has to be taken down.
func (c *Cells) UpTo() *Growth {
	inOrder := slices.Concat(c.bySize()...)
	sizeOf := func(i int) float64 { return c.List[i].Size }
	bounds := boundsOf(sizeOf(inOrder[0]), sizeOf(inOrder[len(inOrder)-1]))
	within, ties := make([]int, len(bounds)), make([]int, len(bounds)) // indices of configurations
	sets := make([][]int, len(bounds))
	n := 0
	for b, bound := range bounds {
		for n < len(inOrder) && atMost(sizeOf(inOrder[n]), bound) {
			n++
		}
		best := c.bestOf(inOrder[:n])
		within[b], ties[b] = n, len(best)-1
		smallest := sizeOf(best[0])
		best = slices.DeleteFunc(best, func(i int) bool { return !atMost(sizeOf(i), smallest) })
		slices.Sort(best)
		sets[b] = best[:min(len(best), maxTies)]
	}
	near := func(from, to int) bool {
		m := c.upwards(c.List[from].Levels, c.List[to].Levels)
		return m == Stay || m == Grow
	}
	reached := func(from int, set []int, visit func(place int)) {
		for place, i := range set {
			if near(from, i) {
				visit(place)
			}
		}
	}
	g := c.along(c.pathOf(sets, near, reached), c.upwards)
	for b := range g.Optima {
		o := &g.Optima[b]
		o.Bound, o.Of, o.Tied = bounds[b], within[b], ties[b]
	}
	return g
}

// along returns the optima of a path, with the moves between them.
func (c *Cells) along(path []int, move func(from, to []int) Move) *Growth {
	g := &Growth{}
	for s, i := range path {
		one := &c.List[i]
		o := Optimum{Configuration: c.configuration(i), StdErr: Number(one.StdErr()), Interval: one.Interval(), Size: one.Size, Move: First}
		if s > 0 {
			o.Move = move(g.Optima[s-1].At, o.At)
		}
		switch o.Move {
		case Switch:
			g.Switches++
		case Jump:
			g.Jumps++
		}
		g.Optima = append(g.Optima, o)
	}
	return g
}

// bestOf returns the best among some configurations, all of them if they are equally good.
func (c *Cells) bestOf(some []int) []int {
	best := some[0]
	for _, i := range some {
		if c.Goal.Better(c.List[i].Mean, c.List[best].Mean) {
			best = i
		}
	}
	worse := func(i int) bool { return c.Goal.Better(c.List[best].Mean, c.List[i].Mean) }
	return slices.DeleteFunc(slices.Clone(some), worse)
}

// pathOf chooses one configuration from each of the sets, which are in ascending order, with as few moves as possible
// between configurations that are not near; here these moves are called jumps. reached visits the places in a set that
// are near.
func (c *Cells) pathOf(
	sets [][]int, near func(from, to int) bool, reached func(from int, set []int, visit func(place int)),
) []int {
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
	left := slices.Min(jumps[0])
	for s, set := range sets {
		for a, i := range set {
			jump := 0
			if s > 0 && !near(chosen[s-1], i) {
				jump = 1
			}
			if jumps[s][a]+jump <= left {
				chosen[s], left = i, jumps[s][a]
				break
			}
		}
	}
	return chosen
}

// stepsTo visits the places in a set of the configurations one step from another: one by one or, if the set is large,
// by looking up all steps.
func (c *Cells) stepsTo(from int, set []int, visit func(place int)) {
	levels := c.List[from].Levels
	others := 0
	for k := range levels {
		others += len(c.Table.Factors[k].Levels)
	}
	if len(set) <= others {
		for place, i := range set {
			if c.between(levels, c.List[i].Levels) == Step {
				visit(place)
			}
		}
		return
	}
	for _, up := range []int{-1, 1} {
		c.stepsFrom(from, up, func(_, i int) {
			if place, ok := slices.BinarySearch(set, i); ok {
				visit(place)
			}
		})
	}
}

// stepsFrom visits the configurations in which one numeric factor is up levels higher: the factor, and the index of the
// configuration.
func (c *Cells) stepsFrom(from, up int, visit func(factor, to int)) {
	levels := slices.Clone(c.List[from].Levels)
	for k, here := range levels {
		a := c.axis(k)
		if a == nil || a.ranks[here]+up < 0 || a.ranks[here]+up >= len(a.Levels) {
			continue
		}
		levels[k] = a.Levels[a.ranks[here]+up]
		if i := c.Find(levels); i >= 0 {
			visit(k, i)
		}
		levels[k] = here
	}
}

// LeavesDiagonal returns the index of the first optimum at which two numeric factors are more than one level apart,
// also in all others that may be the best, or the number of optima if there is none. ok is false where that says
// nothing: factors with different values have no diagonal, and optima may be off it although equally good ones are on
// it.
func (c *Cells) LeavesDiagonal(g *Growth, x, y int) (at int, ok bool) {
	ax, ay := c.axis(x), c.axis(y)
	if ax == nil || ay == nil || !slices.Equal(ax.At, ay.At) {
		return 0, false
	}
	on := func(levels []int) bool {
		d := ax.ranks[levels[x]] - ay.ranks[levels[y]]
		return -1 <= d && d <= 1
	}
	ok = true
	for i, o := range g.Optima {
		if on(o.At) {
			continue
		}
		if !slices.ContainsFunc(o.Rivals, on) {
			return i, true
		}
		ok = false
	}
	return len(g.Optima), ok
}

// apart counts the levels by which numeric factors are raised and lowered between two configurations, and says whether
// factors without order change.
func (c *Cells) apart(from, to []int) (raised, lowered int, unordered bool) {
	for k := range from {
		switch a := c.axis(k); {
		case from[k] == to[k]:
		case a == nil:
			unordered = true
		default:
			by := a.ranks[to[k]] - a.ranks[from[k]]
			raised, lowered = raised+max(by, 0), lowered+max(-by, 0)
		}
	}
	return raised, lowered, unordered
}

// between classifies the move between two different configurations.
func (c *Cells) between(from, to []int) Move {
	switch raised, lowered, unordered := c.apart(from, to); {
	case raised+lowered > 1:
		return Jump
	case unordered:
		return Switch
	}
	return Step
}

// upwards classifies the move to a configuration that may be several levels away.
func (c *Cells) upwards(from, to []int) Move {
	switch raised, lowered, unordered := c.apart(from, to); {
	case lowered > 0:
		return Jump
	case unordered:
		return Switch
	case raised > 0:
		return Grow
	}
	return Stay
}

// sameSize is the relative difference within which sizes are equal.
const sameSize = 1e-9

// atMost compares sizes.
func atMost(size, bound float64) bool { return size <= bound+sameSize*math.Abs(bound) }

// bySize returns the indices of the configurations of each size, in ascending order of sizes and, within one, of
// levels.
func (c *Cells) bySize() [][]int {
	sorted := each.Ascending(len(c.List))
	size := func(i int) float64 { return c.List[i].Size }
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(size(a), size(b)) })
	groups := slices.Collect(chunks(sorted, func(i, j int) bool { return size(j)-size(i) <= sameSize*math.Abs(size(j)) }))
	for _, same := range groups {
		slices.Sort(same)
	}
	return groups
}

// boundsOf returns the bounds between which sizes are grouped, including the smallest and the largest size.
func boundsOf(smallest, largest float64) []float64 {
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

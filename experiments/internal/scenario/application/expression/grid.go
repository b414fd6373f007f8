package expression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
)

// Axis is an axis of the grid of processes.
type Axis struct {
	Name   string
	Side   *Expression // how many processes are along it; nil: chosen
	global int32       // the number of its side among the values
}

// Grid is the arrangement of some processes: their numbers count along the first axis
// first.
type Grid struct {
	Sides, Strides []int32
}

// arrange completes the sides of a grid of p processes. A side of 0 is to be chosen:
// these sides are as equal as the number allows, the largest first. If the processes do
// not fill the grid, it returns an error, and sides of 1.
func arrange(p int, sides []int) (Grid, error) {
	left, open := p, 0
	single := Grid{slices.Repeat([]int32{1}, len(sides)), slices.Repeat([]int32{1}, len(sides))}
	for _, s := range sides {
		switch {
		case s == 0:
			open++
		case left%s != 0:
			return single, fmt.Errorf("%d processes do not fill a grid of %s", p, product(sides))
		default:
			left /= s
		}
	}
	if open == 0 && left != 1 && len(sides) > 0 {
		return single, fmt.Errorf("%d processes are more than a grid of %s has", p, product(sides))
	}
	var chosen []int
	for ; open > 0; open-- {
		s := largestRoot(left, open)
		chosen = append(chosen, s)
		left /= s
	}
	slices.Sort(chosen)
	g := Grid{make([]int32, len(sides)), make([]int32, len(sides))}
	for i, s := range sides {
		if s == 0 {
			last := len(chosen) - 1
			s, chosen = chosen[last], chosen[:last]
		}
		g.Sides[i] = int32(s)
	}
	stride := int32(1)
	for i, s := range g.Sides {
		g.Strides[i] = stride
		stride *= s
	}
	return g, nil
}

// product writes the sides of a grid, such as "4 x auto".
func product(sides []int) string {
	return strings.Join(each.Of(sides, func(s int) string {
		if s == 0 {
			return "auto"
		}
		return fmt.Sprint(s)
	}), " x ")
}

// largestRoot returns the largest divisor of n that is at most its d-th root, so that
// the d-1 sides that are left can only be larger.
func largestRoot(n, d int) int {
	if d == 1 {
		return n
	}
	root := 1
	for f := 1; power64(f, d) <= n; f++ {
		if n%f == 0 {
			root = f
		}
	}
	return root
}

func power64(x, n int) int {
	p := 1
	for range n {
		p *= x
	}
	return p
}

// at returns the place of a process along an axis, or its number for all axes.
func (g *Grid) at(process, axis int32) int32 {
	if axis == AllAxes {
		return process
	}
	return process / g.Strides[axis] % g.Sides[axis]
}

// Nobody is the process outside of a grid.
const Nobody int32 = -1

// Moved returns the process at a distance from another along an axis, or [Nobody]. If
// around, the ends of the axis are joined.
func (g *Grid) Moved(process, axis int32, distance int64, around bool) int32 {
	side, stride := int64(g.Sides[axis]), g.Strides[axis]
	was := int64(process / stride % int32(side))
	is := was + distance
	if around {
		is = (is%side + side) % side
	}
	if is < 0 || is >= side {
		return Nobody
	}
	return process + int32(is-was)*stride
}

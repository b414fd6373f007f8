package analysis

import (
	"math"
	"slices"
)

// Scale is how a factor is measured along an axis of a grid.
type Scale int

const (
	ScaleValue Scale = iota // the value itself
	ScaleLog2               // log2 of the value: for at least three levels that are all powers of two
	ScaleIndex              // the place among the levels, 0 for the lowest
)

// A Grid is a response over two factors.
type Grid struct {
	X, Y   Axis
	Values [][]float64 // mean over repetitions, [y][x]; NaN where nothing is known
	Half   [][]float64 // half the 95 % interval of that; NaN without two repetitions
	Cells  [][]int     // their indices; -1 where nothing is known
}

// An Axis is a numeric factor along a side of a grid.
type Axis struct {
	Factor int   // index in the table
	Levels []int // indices of its levels, from the lowest value to the highest
	Scale  Scale
	// At are the places of the levels along the axis, ascending: their values, log2 of these, or 0, 1, 2... by Scale.
	// Gradients and contours use these coordinates.
	At []float64

	ranks []int // of the levels, their places in Levels
}

// axis returns the axis of a factor, by value or log2; nil if the factor is not numeric.
func (c *Cells) axis(factor int) *Axis {
	c.Table.axes.Lock()
	defer c.Table.axes.Unlock()
	f, of := &c.Table.Factors[factor], &c.Table.axes.of
	if (*of)[factor] != nil || !f.Numeric {
		return (*of)[factor]
	}
	if *of == nil {
		*of = map[int]*Axis{}
	}
	a := &Axis{Factor: factor, Levels: f.Order(), ranks: make([]int, len(f.Levels))}
	powers := len(f.Levels) >= 3
	for i, l := range a.Levels {
		v := f.Levels[l].Value
		fraction, _ := math.Frexp(v)
		powers = powers && fraction == 0.5
		a.At, a.ranks[l] = append(a.At, v), i
	}
	if powers {
		a.Scale = ScaleLog2
		for i := range a.At {
			a.At[i] = math.Log2(a.At[i])
		}
	}
	(*of)[factor] = a
	return a
}

// even returns the axis with equidistant levels: by index if their places are not equidistant.
func (a Axis) even() Axis {
	step := (a.At[len(a.At)-1] - a.At[0]) / float64(len(a.At)-1)
	uneven := false
	for i, v := range a.At {
		uneven = uneven || math.Abs(v-a.At[0]-float64(step*float64(i))) > 1e-6*math.Abs(step)
	}
	if uneven {
		a.Scale, a.At = ScaleIndex, nil
		for i := range a.Levels {
			a.At = append(a.At, float64(i))
		}
	}
	return a
}

// Grid returns the response over two numeric factors, with the others fixed by at: for each factor of the table the
// index of a level, ignored for x and y, or -1 for a factor that follows from these two, see [Relation]. It is nil if
// there are no such configurations, or several at one place.
func (c *Cells) Grid(x, y int, at []int) *Grid {
	at = slices.Clone(at)
	at[x], at[y] = -1, -1
	ax, ay := c.axis(x), c.axis(y)
	g := &Grid{X: ax.even(), Y: ay.even()}
	for range ay.At {
		g.Values = append(g.Values, slices.Repeat([]float64{math.NaN()}, len(ax.At)))
		g.Half = append(g.Half, slices.Repeat([]float64{math.NaN()}, len(ax.At)))
		g.Cells = append(g.Cells, slices.Repeat([]int{-1}, len(ax.At)))
	}
	found := false
	for k := range c.List {
		one := &c.List[k]
		if !Matches(one.Levels, at) {
			continue
		}
		j, i := ay.ranks[one.Levels[y]], ax.ranks[one.Levels[x]]
		value := &g.Values[j][i]
		if !math.IsNaN(*value) {
			return nil
		}
		*value, g.Half[j][i], g.Cells[j][i], found = one.Mean, float64(one.Interval()[1])-one.Mean, k, true
	}
	if !found {
		return nil
	}
	return g
}

// Matches reports whether levels agree with the fixed ones; -1 fixes nothing.
func Matches(levels, at []int) bool {
	for k, l := range at {
		if l >= 0 && levels[k] != l {
			return false
		}
	}
	return true
}

// Extremes returns the smallest and the largest value, +Inf and -Inf if there is none.
func Extremes(values [][]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range values {
		for _, v := range row {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}

// Gradient returns the derivatives of the response along both axes, [y][x], in the
// unit of the response over that of [Axis.At]: central differences,
//
//	(h-/h+ (f+ - f) + h+/h- (f - f-))/(h- + h+),
//
// which for equal steps h- = h+ is (f+ - f-)/(2 h) and for any steps is exact for
// parabolas; one-sided differences at the sides and beside NaN; and NaN where the
// value itself or both neighbours are missing.
func (g *Grid) Gradient() (dx, dy [][]float64) {
	for j := range g.Y.At {
		rowX, rowY := make([]float64, len(g.X.At)), make([]float64, len(g.X.At))
		for i := range g.X.At {
			rowX[i] = difference(g.X.At, i, func(i int) float64 { return g.Values[j][i] })
			rowY[i] = difference(g.Y.At, j, func(j int) float64 { return g.Values[j][i] })
		}
		dx, dy = append(dx, rowX), append(dy, rowY)
	}
	return dx, dy
}

func difference(at []float64, i int, f func(int) float64) float64 {
	below, above := math.NaN(), math.NaN() // one-sided differences
	var left, right float64
	if i > 0 {
		left = at[i] - at[i-1]
		below = (f(i) - f(i-1)) / left
	}
	if i+1 < len(at) {
		right = at[i+1] - at[i]
		above = (f(i+1) - f(i)) / right
	}
	switch {
	case math.IsNaN(below):
		return above
	case math.IsNaN(above):
		return below
	}
	return (float64(left*above) + float64(right*below)) / (left + right)
}

// A Line is a polyline in the coordinates of [Axis.At] on which a response has one value.
type Line struct {
	Level float64 // in the unit of the response
	X, Y  []float64
}

// Contours returns the lines on which the response has each of the levels, found by
// marching squares: the response is interpolated linearly along the sides of the
// cells between four neighbouring values, and the points at the level are joined
// across cells. If the response is above the level at two opposite corners of a cell
// and below at the others, the mean of the four decides which are connected. A value equal to
// the level counts as above. Cells with a NaN corner are left out.
// Lines have higher values on their left. The lines of a level are in a fixed order, open ones first, then closed ones,
// whose last point is the first, each sorted by the cell in which they begin.
//
// Source: the algorithm is folklore; the rule for ambiguous cells is the mean-value
// rule of [Wyvill1986].
func (g *Grid) Contours(levels []float64) []Line {
	var lines []Line
	for _, level := range levels {
		lines = append(lines, g.trace(level)...)
	}
	return lines
}

// edge is a side of cells: from the value at (i, j) to the next in x, or if up in y.
type edge struct {
	i, j int
	up   bool
}

// trace joins the pieces of all cells into lines. Each piece goes from one edge to
// another with the higher values on its left, so at every edge at most one piece
// ends and one begins.
func (g *Grid) trace(level float64) []Line {
	next := make(map[edge]edge)
	entered := make(map[edge]bool)
	var begins []edge // in the order of cells
	for j := 0; j+1 < len(g.Y.At); j++ {
		for i := 0; i+1 < len(g.X.At); i++ {
			for _, piece := range g.pieces(i, j, level) {
				next[piece[0]] = piece[1]
				entered[piece[1]] = true
				begins = append(begins, piece[0])
			}
		}
	}
	var lines []Line
	for _, closed := range []bool{false, true} {
		for _, begin := range begins {
			if _, left := next[begin]; !left || !closed && entered[begin] {
				continue
			}
			line := Line{Level: level}
			for at := begin; ; {
				x, y := g.crossing(at, level)
				// Where a value equals the level, neighbouring edges cross at the same point.
				if n := len(line.X); n == 0 || x != line.X[n-1] || y != line.Y[n-1] {
					line.X, line.Y = append(line.X, x), append(line.Y, y)
				}
				to, ok := next[at]
				if !ok {
					break
				}
				delete(next, at)
				at = to
			}
			if len(line.X) > 1 {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// pieces returns the pieces of contour through a cell, as pairs of edges.
func (g *Grid) pieces(i, j int, level float64) [][2]edge {
	// Corners counterclockwise from the lower left, and the edge after each.
	v := [4]float64{g.Values[j][i], g.Values[j][i+1], g.Values[j+1][i+1], g.Values[j+1][i]}
	edges := [4]edge{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}}
	var above [4]bool
	for k := range v {
		if math.IsNaN(v[k]) {
			return nil
		}
		above[k] = v[k] >= level
	}
	saddle := above[0] == above[2] && above[1] == above[3] && above[0] != above[1]
	// Going round counterclockwise, a piece begins where the corners fall below the
	// level and ends where they rise above it: then the high corners, which lie
	// between its end and its beginning, are on its left.
	var pieces [][2]edge
	for k := range v {
		if !above[k] || above[(k+1)%4] {
			continue
		}
		// The end is the edge after the next low corners: those that follow if
		// they are cut off from the other low ones, else those that come before.
		end := (k + 1) % 4
		for above[end] || !above[(end+1)%4] {
			end = (end + 1) % 4
		}
		if saddle && (v[0]+v[1]+v[2]+v[3])/4 < level {
			end = (k + 3) % 4 // the low corners are connected: this piece goes round the high one
		}
		pieces = append(pieces, [2]edge{edges[k], edges[end]})
	}
	return pieces
}

// crossing returns where the response has the level on an edge.
func (g *Grid) crossing(e edge, level float64) (x, y float64) {
	a, b := g.Values[e.j][e.i], 0.0
	x, y = g.X.At[e.i], g.Y.At[e.j]
	if e.up {
		b = g.Values[e.j+1][e.i]
		return x, y + float64((g.Y.At[e.j+1]-y)*share(a, b, level))
	}
	b = g.Values[e.j][e.i+1]
	return x + float64((g.X.At[e.i+1]-x)*share(a, b, level)), y
}

func share(a, b, level float64) float64 { return (level - a) / (b - a) }

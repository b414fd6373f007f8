package analysis

import "math"

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

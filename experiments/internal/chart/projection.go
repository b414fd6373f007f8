package chart

import "math"

// A projection is a surface in space as it is drawn: in a box of sides 1, 1 and boxHeight, seen from
// far away, turned by b and tilted by a, as a page first shows it.
//
//	u = x cos b - y sin b            to the right
//	w = x sin b + y cos b            away from the reader
//	v = z cos a + w sin a            upwards
//
// x, y and z count from the middle of the box. All lines of sight are parallel.
type projection struct {
	*sheet
	of     *Surface3D
	scale  float64 // length of a side of the box
	middle point   // of the box
}

const (
	boxHeight = 0.65
	boxWide   = cosTurn + sinTurn                             // from u of its left to u of its right edge
	boxTall   = boxHeight*cosTilt + (cosTurn+sinTurn)*sinTilt // the same for v
)

const (
	cosTurn, sinTurn = 0.848048, 0.529919 // of 32 degrees
	cosTilt, sinTilt = 0.913545, 0.406737 // of 24 degrees
)

// corner returns the place on the sheet of a point of the box, which is given by shares of its sides.
func (p *projection) corner(x, y, z float64) point {
	x, y, z = x-0.5, y-0.5, boxHeight*(z-0.5)
	u, w := x*cosTurn-y*sinTurn, x*sinTurn+y*cosTurn
	return point{p.middle.x + p.scale*u, p.middle.y - p.scale*(z*cosTilt+w*sinTilt)}
}

// shares returns a point that [Surface3D.lift] returned as shares of the sides of the box.
func (c *Surface3D) shares(at *[3]float64) (x, y, z float64) {
	share := func(v, low, high float64) float64 { return (v - low) / (high - low) }
	return share(at[0], *c.X.Min, *c.X.Max), share(at[1], *c.Y.Min, *c.Y.Max),
		share(at[2], c.Value.height(*c.Value.Min), c.Value.height(*c.Value.Max))
}

func (p *projection) at(lifted *[3]float64) point { return p.corner(p.of.shares(lifted)) }

// visible reports whether no part of the surface hides a point of it. The line of sight rises
// by sin a / cos a for each unit that it comes nearer to the reader.
func (p *projection) visible(lifted *[3]float64) bool {
	const slack = 0.01 // of the height: only the drawn surface is flat between its points
	x, y, z := p.of.shares(lifted)
	step := 0.25 / float64(max(len(p.of.Values), len(p.of.Values[0]))-1)
	for near := step; ; near += step {
		sight := z + near*sinTilt/cosTilt/boxHeight
		atX, atY := x-near*sinTurn, y-near*cosTurn
		if atX < 0 || atY < 0 || sight > 1 {
			return true
		}
		before := p.of.lift(*p.of.X.Min+atX*(*p.of.X.Max-*p.of.X.Min), *p.of.Y.Min+atY*(*p.of.Y.Max-*p.of.Y.Min))
		if before == nil {
			continue
		}
		if _, _, high := p.of.shares(before); high > sight+slack {
			return false
		}
	}
}

func (c *Surface3D) size() (rows int, ratio float64) { return 0, 0.95 }

func (c *Surface3D) draw(s *sheet, top float64) {
	flat := c.flat()
	top = flat.head(s, top) + 0.6*s.em
	rows, columns := flat.rowNames(), flat.columns()
	for _, names := range [][]string{rows, columns} {
		for k, name := range names {
			names[k] = fit(name, 6*s.em, s.em)
		}
	}
	bottom, left, right := s.height-1.9*s.em, 0.8*s.em, s.width-s.widest(columns)-0.6*s.em
	p := &projection{sheet: s, of: c}
	heights := Scale{}
	for range 2 { // labels depend on the length of the axis, and that on their width
		left = math.Max(left, math.Max(s.labelWidth(heights), s.widest(rows))+0.8*s.em)
		p.scale = math.Max(0, math.Min((right-left)/boxWide, (bottom-top)/boxTall))
		p.middle = point{(left + right) / 2, (top + bottom) / 2}
		heights = c.Value.bounded(math.Max(s.em, p.scale*boxHeight*cosTilt), s.line)
	}
	p.box(heights)
	p.cells(flat.ramp(s))
	for i := range c.Layers {
		p.layer(i)
	}
	p.names(rows, func(share float64) point { return p.corner(0, share, 0) }, end)
	p.names(columns, func(share float64) point { return p.corner(share, 0, 0) }, start)
	// The titles are outside the labels, at the middles of the edges or lower.
	low := p.corner(0, 0, 0)
	title := func(a Axis, edge point, names []string, anchor string, side float64) {
		text := fit(a.label(), s.width/2-0.8*s.em, s.em)
		wide := measure(text, s.em)
		out := edge.x + side*(s.widest(names)+1.2*s.em)
		x := math.Max(before(anchor, wide)+0.2*s.em, math.Min(s.width-0.2*s.em-wide+before(anchor, wide), out))
		y := edge.y + 2.3*s.em
		if x != out { // moved towards the labels
			y = math.Max(y, low.y+2.4*s.em)
		}
		s.text(s.theme.ink, x, math.Min(y, s.height-0.55*s.em), anchor, text)
	}
	title(c.Y, p.corner(0, 0.5, 0), rows, end, -1)
	title(c.X, p.corner(0.5, 0, 0), columns, start, 1)
}

// box draws the edges of the box that are behind the surface, and the axis of values.
func (p *projection) box(heights Scale) {
	walls := func(z float64) []point { return []point{p.corner(0, 1, z), p.corner(1, 1, z), p.corner(1, 0, z)} }
	grid := [][]point{walls(1), {p.corner(1, 1, 0), p.corner(1, 1, 1)}, {p.corner(1, 0, 0), p.corner(1, 0, 1)}}
	for _, t := range heights.Ticks {
		z := heights.Position(t.At)
		grid = append(grid, walls(z))
		at := p.corner(0, 1, z)
		p.text(p.theme.muted, at.x-0.4*p.em, at.y+0.2*p.em, end, t.Label)
	}
	p.lines(p.thin(p.theme.grid), grid...)
	p.lines(p.thin(p.theme.muted), []point{p.corner(0, 1, 1), p.corner(0, 1, 0), p.corner(0, 0, 0), p.corner(1, 0, 0)},
		[]point{p.corner(0, 1, 0), p.corner(1, 1, 0), p.corner(1, 0, 0)})
}

// names writes the names of rows or columns along a front edge, as many as have room.
func (p *projection) names(names []string, edge func(share float64) point, anchor string) {
	last := float64(len(names) - 1)
	from, to := edge(0), edge(1)
	every := min(everyOf(p.widest(names)+0.4*p.em, math.Abs(to.x-from.x)/last), everyOf(1.15*p.em, math.Abs(to.y-from.y)/last))
	side := map[string]float64{start: 0.3 * p.em, end: -0.3 * p.em}[anchor]
	for k := 0; k < len(names); k += every {
		at := edge(float64(k) / last)
		p.text(p.theme.muted, at.x+side, at.y+1.15*p.em, anchor, names[k])
	}
}

// cells draws the surface from the back to the front, each cell over those behind it, in pieces
// that are small enough to follow the interpolation. Pieces with a corner without value are left out.
func (p *projection) cells(r ramp) {
	const fine, mostLines = 24, 30 // to a side
	c := p.of
	dx, dy := c.flat().Spacing()
	across, along := len(c.Values[0])-1, len(c.Values)-1
	steps := max(1, fine/max(across, along))
	every := steps * ((max(across, along) + mostLines - 1) / mostLines)
	lift := func(i, j int) *[3]float64 {
		return c.lift(*c.X.Min+dx*float64(i)/float64(steps), *c.Y.Min+dy*float64(j)/float64(steps))
	}
	line := stroke{ink: p.theme.ink.faded(0.25), width: 0.05}
	for j := along*steps - 1; j >= 0; j-- {
		for i := across*steps - 1; i >= 0; i-- {
			lifted := []*[3]float64{lift(i, j), lift(i+1, j), lift(i+1, j+1), lift(i, j+1)}
			corners, height := make([]point, 0, len(lifted)), 0.0
			for _, at := range lifted {
				if at == nil {
					break
				}
				_, _, z := c.shares(at)
				corners, height = append(corners, p.at(at)), height+z/float64(len(lifted))
			}
			if len(corners) < len(lifted) {
				continue
			}
			colour := r.at(height)
			p.areas(colour, corners)
			p.edges(stroke{ink: colour, width: 0.04}, corners) // no paper between neighbours
			var sides [][]point
			for k, onLine := range []bool{j%every == 0, (i+1)%every == 0, (j+1)%every == 0, i%every == 0} {
				if onLine {
					sides = append(sides, []point{corners[k], corners[(k+1)%len(corners)]})
				}
			}
			p.lines(line, sides...)
		}
	}
}

// layer draws the visible part of a layer. Labels of contours are only in the map.
func (p *projection) layer(index int) {
	l, flat := &p.of.Layers[index], p.of.flat()
	var lines [][]point
	var sizes []float64
	for k, t := range l.Traces {
		switch l.Mark {
		case MarkPoints:
			for i := range t.X {
				if at := p.of.lift(t.X[i], t.Y[i]); at != nil && p.visible(at) {
					p.ring(flat.outline(index), p.at(at))
				}
			}
		case MarkArrows:
			if parts := p.seen(p.of.drape(t)); len(parts) == 1 {
				lines, sizes = append(lines, parts[0]), append(sizes, flat.heads(l)[k])
			}
		default:
			lines = append(lines, p.seen(p.of.drape(t))...)
		}
	}
	switch {
	case l.Mark == MarkArrows:
		p.arrows(sizes, lines...)
	case len(lines) > 0:
		p.trace(l.Mark, lines...)
	}
}

// seen returns the visible parts of a line on the surface.
func (p *projection) seen(line []*[3]float64) (parts [][]point) {
	var part []point
	for _, at := range append(line, nil) {
		if at != nil && p.visible(at) {
			part = append(part, p.at(at))
			continue
		}
		if len(part) > 1 {
			parts = append(parts, simplified(part, aside*p.em))
		}
		part = nil
	}
	return parts
}

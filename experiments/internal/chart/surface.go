package chart

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
)

type surfaceData struct{ *report.Surface }

func (c surfaceData) words() (title, caption string) { return c.Title, c.Caption }

func (c surfaceData) drawable() bool { return true }

func (c surfaceData) finding() []string {
	high := math.Inf(-1)
	var where string
	for i, row := range c.Values {
		for k, v := range row {
			if v > high {
				high = v
				where = fmt.Sprintf("%s %s, %s %s", Clean(c.X.Title), GridNames(c.X, c.XNames, c.XLog2, len(row))[k],
					Clean(c.Y.Title), GridNames(c.Y, c.YNames, c.YLog2, len(c.Values))[i])
			}
		}
	}
	if where == "" {
		return []string{Titled(c.Value.Title, c.Value.Unit)}
	}
	return []string{fmt.Sprintf("%s is largest at %s: %s", Titled(c.Value.Title, c.Value.Unit), where, Short(high, 4))}
}

func (c surfaceData) table(t *table) {
	t.column("kind", false)
	t.column("label", false)
	// Where levels have names they are no numbers.
	t.column(unitName(c.X), len(c.XNames) == 0)
	t.column(unitName(c.Y), len(c.YNames) == 0)
	t.column(unitName(c.Value), true)
	at := func(a report.Axis, names []string, log2 bool, k, points int) string {
		if len(names) > 0 {
			return names[k]
		}
		return fullCoordinate(*a.Min+(*a.Max-*a.Min)*float64(k)/float64(points-1), log2)
	}
	for i, row := range c.Values {
		for k, v := range row {
			if !math.IsNaN(v) {
				t.rows = append(t.rows, []string{"grid", "", at(c.X, c.XNames, c.XLog2, k, len(row)), at(c.Y, c.YNames, c.YLog2, i, len(c.Values)), full(v)})
			}
		}
	}
	for i, name := range LayerNames(c.Surface) {
		for _, trace := range c.Layers[i].Traces {
			for k := range trace.X {
				t.rows = append(t.rows, []string{name, Clean(trace.Label), fullCoordinate(trace.X[k], c.XLog2), fullCoordinate(trace.Y[k], c.YLog2), ""})
			}
		}
	}
}

func (c surfaceData) vega() object {
	x, y := channel(2, "ordinal", Titled(c.X.Title, c.X.Unit)), channel(3, "ordinal", Titled(c.Y.Title, c.Y.Unit))
	if len(c.XNames) > 0 {
		x["sort"] = nil
	}
	y["sort"] = "descending"
	return object{"transform": only(0, "grid"), "mark": "rect", "encoding": object{"x": x, "y": y, "color": quantity(4, c.Value)}}
}

func fullCoordinate(v float64, log2 bool) string {
	if log2 {
		v = math.Exp2(v)
	}
	return full(v)
}

// LayerNames are the names of the layers.
func LayerNames(c *report.Surface) []string {
	return DistinctOf(c.Layers, "layer", func(x report.Layer) string { return x.Name })
}

// GridNames writes the coordinates of grid points, or what they are called.
func GridNames(a report.Axis, given []string, log2 bool, points int) []string {
	if len(given) > 0 {
		return Distinct(given, "level")
	}
	names := make([]string, points)
	for k := range names {
		names[k] = Coordinate(*a.Min+(*a.Max-*a.Min)*float64(k)/float64(points-1), log2)
	}
	return names
}

// Coordinate writes the quantity of a coordinate, which may be its logarithm.
func Coordinate(v float64, log2 bool) string {
	if log2 {
		v = math.Exp2(v)
	}
	return Number(v)
}

// smallestHead is that of the shortest arrows, as a part of that of the longest: it
// still shows the direction.
const smallestHead = 0.3

// ArrowHeads returns the sizes of the heads of a layer of arrows, 1 for that of the
// longest. Heads are as long as the arrows are, in cells, so that a head does not hide
// how short its arrow is.
func ArrowHeads(c *report.Surface, l *report.Layer) []float64 {
	dx, dy := c.Spacing()
	heads := make([]float64, len(l.Traces))
	longest := 0.0
	for i, t := range l.Traces {
		heads[i] = math.Hypot((t.X[1]-t.X[0])/dx, (t.Y[1]-t.Y[0])/dy)
		longest = max(longest, heads[i])
	}
	for i := range heads {
		if longest == 0 {
			heads[i] = 1
			continue
		}
		heads[i] = max(smallestHead, heads[i]/longest)
	}
	return heads
}

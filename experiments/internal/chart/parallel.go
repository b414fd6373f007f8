package chart

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

type parallelData struct{ *report.Parallel }

func (c parallelData) words() (title, caption string) { return c.Title, c.Caption }

func (c parallelData) drawable() bool { return len(c.Lines) > 0 }

func (c parallelData) finding() []string {
	if len(c.Lines) == 0 {
		return nil
	}
	value := Titled(c.Value.Title, c.Value.Unit)
	found := []string{plural(len(c.Lines), "line") + fmt.Sprintf(" over %s and %s", plural(len(c.Axes), "variable"), value)}
	best := c.Lines[0]
	for _, l := range c.Lines {
		if c.Least && l.Value < best.Value || !c.Least && l.Value > best.Value {
			best = l
		}
	}
	where := ""
	for k, name := range ParallelNames(c.Parallel) {
		where += fmt.Sprintf("%s %s, ", name, Clean(c.Axes[k].Levels[best.At[k]]))
	}
	return append(found, fmt.Sprintf("the best has %s%s %s", where, value, Short(best.Value, 4)))
}

// table has a row for each line: its levels, its value and whether it is marked.
func (c parallelData) table(t *table) {
	for _, name := range ParallelNames(c.Parallel) {
		t.column(name, false)
	}
	t.column(unitName(c.Value), true)
	t.column("label", false)
	t.column("marked", false)
	for _, l := range c.Lines {
		var row []string
		for k, level := range l.At {
			row = append(row, Clean(c.Axes[k].Levels[level]))
		}
		marked := ""
		if l.Marked {
			marked = Clean(c.Marked)
		}
		t.rows = append(t.rows, append(row, full(l.Value), Clean(l.Label), marked))
	}
}

// vega has other data than the table: a row for each crossing of a line and an axis, with
// its height from 0 to 1, because each axis has levels of its own.
func (c parallelData) vega() object {
	names := append(ParallelNames(c.Parallel), Titled(c.Value.Title, c.Value.Unit))
	scale := Scale{Log: c.Value.Log, Min: *c.Value.Min, Max: *c.Value.Max}
	var rows []object
	for i, l := range c.Lines {
		cross := func(axis int, level string, height float64) {
			rows = append(rows, object{"line": i, "axis": names[axis], "level": level, "height": height, "value": l.Value, "marked": l.Marked})
		}
		for k, level := range l.At {
			cross(k, Clean(c.Axes[k].Levels[level]), LevelAt(level, len(c.Axes[k].Levels)))
		}
		cross(len(c.Axes), full(l.Value), scale.Position(l.Value))
	}
	colour := object{"field": "value", "type": "quantitative", "title": names[len(c.Axes)]}
	if c.Value.Log {
		colour["scale"] = object{"type": "log"}
	}
	return object{"data": object{"values": rows}, "mark": object{"type": "line", "point": true}, "encoding": object{
		"x":       object{"field": "axis", "type": "nominal", "sort": nil, "title": nil},
		"y":       object{"field": "height", "type": "quantitative", "axis": nil},
		"color":   colour,
		"detail":  object{"field": "line", "type": "nominal"},
		"size":    object{"condition": object{"test": "datum.marked", "value": 3}, "value": 1},
		"tooltip": []any{object{"field": "axis"}, object{"field": "level"}},
	}}
}

// ParallelNames are those of the axes but the last, all different.
func ParallelNames(c *report.Parallel) []string {
	return DistinctOf(c.Axes, "axis", func(a report.ParallelAxis) string { return a.Name })
}

// LevelAt is where a level is on its axis, from 0 at the bottom to 1. A single level is
// in the middle.
func LevelAt(level, levels int) float64 {
	if levels == 1 {
		return 0.5
	}
	return float64(level) / float64(levels-1)
}

// ParallelScale is the axis of the value of a chart of parallel axes.
func ParallelScale(c *report.Parallel, length float64, extent func(string) float64) Scale {
	return NewScale(c.Value, Span{Values: []float64{*c.Value.Min, *c.Value.Max}, Length: length, Extent: extent})
}

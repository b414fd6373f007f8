package figure

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/isoscale/isoscale/experiments/report"
)

// vegaSchema is the version of Vega-Lite that the files are for.
const vegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

type object = map[string]any

// writeVega writes a chart for Vega-Lite, with all its data. What Vega-Lite has no mark
// for, such as the layers of a surface, is in the data alone.
func writeVega(w io.Writer, b report.Block, s Style) error {
	title, caption := Words(b)
	spec := object{
		"$schema": vegaSchema, "description": caption,
		"width": s.Width, "height": s.Width * 0.6, "data": object{"values": values(tableOf(b))},
	}
	spec["title"] = title
	for key, v := range vega(b) {
		spec[key] = v
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(spec)
}

// values are the rows of a table with short keys: c0, c1 and so on, as titles may have
// characters that Vega-Lite reads as paths.
func values(t *table) []object {
	rows := make([]object, len(t.rows))
	for i, row := range t.rows {
		rows[i] = object{}
		for k, cell := range row {
			switch {
			case cell == "":
			case t.numeric[k]:
				rows[i][field(k)] = json.Number(cell)
			default:
				rows[i][field(k)] = cell
			}
		}
	}
	return rows
}

func field(column int) string { return "c" + strconv.Itoa(column) }

func channel(column int, kind, title string) object {
	return object{"field": field(column), "type": kind, "title": title}
}

// quantity is a channel of numbers on an axis.
func quantity(column int, a report.Axis) object {
	c := channel(column, "quantitative", Titled(a.Title, a.Unit))
	if a.Log {
		c["scale"] = object{"type": "log"}
	}
	return c
}

func only(column int, value string) []any {
	return []any{object{"filter": object{"field": field(column), "equal": value}}}
}

func vega(b report.Block) object {
	switch b := b.(type) {
	case *report.LineChart:
		x, y, series := quantity(2, b.X), quantity(3, b.Y), channel(1, "nominal", "series")
		low, high := quantity(4, b.Y), object{"field": field(5)}
		return object{"layer": []any{
			object{"transform": only(0, "band"), "mark": object{"type": "area", "opacity": bandOpacity}, "encoding": object{"x": x, "y": low, "y2": high, "color": series}},
			object{"transform": only(0, "series"), "mark": object{"type": "line", "point": true}, "encoding": object{"x": x, "y": y, "color": series}},
			object{"transform": []any{object{"filter": "isValid(datum.c4) && datum.c0 == 'series'"}}, "mark": "rule", "encoding": object{"x": x, "y": low, "y2": high, "color": series}},
			object{"transform": only(0, "target"), "mark": object{"type": "rule", "strokeDash": []int{4, 3}}, "encoding": object{"y": y}},
		}}
	case *report.BarChart:
		place, length := channel(0, "nominal", Titled(b.X.Title, b.X.Unit)), quantity(2, b.Y)
		place["sort"] = nil
		e := object{"x": place, "y": length, "color": channel(1, "nominal", "series")}
		if b.Horizontal {
			e["x"], e["y"] = length, place
		}
		if !(barChart{b}).stacked() {
			if b.Horizontal {
				e["yOffset"] = object{"field": field(1)}
			} else {
				e["xOffset"] = object{"field": field(1)}
			}
		}
		return object{"mark": "bar", "encoding": e}
	case *report.ScatterChart:
		x, y := quantity(2, b.X), quantity(3, b.Y)
		for _, c := range []object{x, y} {
			if c["scale"] == nil {
				c["scale"] = object{"zero": false}
			}
		}
		return object{"mark": "point", "encoding": object{"x": x, "y": y, "color": channel(0, "nominal", "series"), "tooltip": channel(1, "nominal", "point")}}
	case *report.Tornado:
		place := channel(0, "nominal", "parameter")
		place["sort"] = nil
		x := quantity(3, b.Value)
		x["scale"] = object{"zero": false}
		return object{"mark": "tick", "encoding": object{"y": place, "x": x, "color": channel(1, "nominal", "change")}}
	case *report.HeatMap:
		row := channel(0, "nominal", Titled(b.Y.Title, b.Y.Unit))
		row["sort"] = nil
		return object{"mark": "rect", "encoding": object{"x": quantity(1, b.X), "x2": object{"field": field(2)}, "y": row, "color": quantity(3, b.Value)}}
	case *report.Timeline:
		if c, ok := asTimeline(b); ok {
			return vegaTimeline(c)
		}
	case *report.Surface3D:
		return vega((*report.Surface)(b))
	case *report.Surface:
		x, y := channel(2, "ordinal", Titled(b.X.Title, b.X.Unit)), channel(3, "ordinal", Titled(b.Y.Title, b.Y.Unit))
		if len(b.XNames) > 0 {
			x["sort"] = nil
		}
		y["sort"] = "descending"
		return object{"transform": only(0, "grid"), "mark": "rect", "encoding": object{"x": x, "y": y, "color": quantity(4, b.Value)}}
	case *report.Parallel:
		return parallelVega(b)
	}
	return nil
}

// parallelVega has other data than the table: a row for each crossing of a line and an
// axis, with its height from 0 to 1, because each axis has levels of its own.
func parallelVega(c *report.Parallel) object {
	names := append(ParallelNames(c), Titled(c.Value.Title, c.Value.Unit))
	scale := Scale{Log: c.Value.Log, Min: *c.Value.Min, Max: *c.Value.Max}
	var rows []object
	for i, l := range c.Lines {
		cross := func(axis int, level string, height float64) {
			rows = append(rows, object{"line": i, "axis": names[axis], "level": level, "height": height, "value": l.Value, "marked": l.Marked})
		}
		for k, level := range l.At {
			cross(k, Clean(c.Axes[k].Levels[level]), levelAt(level, len(c.Axes[k].Levels)))
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

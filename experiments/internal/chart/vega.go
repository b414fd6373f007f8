package chart

import (
	"encoding/json"
	"io"
	"strconv"
)

// vegaSchema is the version of Vega-Lite that the files are for.
const vegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

type object = map[string]any

// writeVega writes a chart for Vega-Lite, with all its data. What Vega-Lite has no mark
// for, such as the layers of a surface, is in the data alone.
func writeVega(w io.Writer, c Chart, width float64) error {
	title, caption := Words(c)
	spec := object{
		"$schema": vegaSchema, "description": caption,
		"width": width, "height": width * 0.6, "data": object{"values": values(dataOf(c))},
	}
	spec["title"] = title
	for key, v := range c.vega() {
		spec[key] = v
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(spec)
}

// values are the rows of a table with short keys: c0, c1 and so on, as titles may have
// characters that Vega-Lite reads as paths.
func values(t *data) []object {
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
func quantity(column int, a Axis) object {
	c := channel(column, "quantitative", Titled(a.Title, a.Unit))
	if a.Log {
		c["scale"] = object{"type": "log"}
	}
	return c
}

func only(column int, value string) []any {
	return []any{object{"filter": object{"field": field(column), "equal": value}}}
}

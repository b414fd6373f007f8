package chart

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/internal/each"
)

// data are the points of a chart, a row for each. CSV and Vega-Lite files and the tables of a
// page are made of them. Numbers are written so that reading them gives the same float64.
type data struct {
	columns []string // with units in brackets
	heads   []string // the same for readers
	numeric []bool
	rows    [][]string

	// divided makes a page have a table for each value of the first column.
	divided bool
	// across is the column whose values head columns on a page, filled from column value, if
	// each occurs at most once with the same other columns; none if both are 0.
	across, value int
	// kept are the rows that a table of a page has even if it is cut: the best, what is
	// recommended, the worst.
	kept map[int]bool
}

// text and numbers add columns.
func (d *data) text(names ...string)    { d.add(false, names...) }
func (d *data) numbers(names ...string) { d.add(true, names...) }

func (d *data) add(numeric bool, names ...string) {
	for _, name := range names {
		d.columns, d.heads, d.numeric = append(d.columns, name), append(d.heads, name), append(d.numeric, numeric)
	}
}

func (d *data) row(cells ...string) { d.rows = append(d.rows, cells) }

// axis adds a column for what an axis shows.
func (d *data) axis(numeric bool, a Axis, suffix string) {
	name := a.Title + suffix
	if a.Unit != "" && a.Unit != Dimensionless {
		name = a.Title + " [" + a.Unit + "]" + suffix
	}
	d.add(numeric, Clean(name))
	d.heads[len(d.heads)-1] = Titled(a.Title+suffix, a.Unit)
}

// keep marks the last row as kept.
func (d *data) keep() { d.kept[len(d.rows)-1] = true }

// keepEnds keeps, of the rows from one on, those with the smallest and the largest number in a column.
func (d *data) keepEnds(from, column int) {
	values := each.Of(d.rows[from:], func(row []string) float64 { return parsed(row[column]) })
	for _, i := range Ends(values) {
		d.kept[from+i] = true
	}
}

// parsed returns the value of a number that this package wrote.
func parsed(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("chart: " + err.Error())
	}
	return v
}

func dataOf(c Chart) *data {
	d := &data{kept: map[int]bool{}}
	c.data(d)
	return d
}

func writeCSV(w io.Writer, c Chart) error {
	d := dataOf(c)
	return csv.NewWriter(w).WriteAll(slices.Concat([][]string{d.columns}, d.rows))
}

// mostRows is how many rows a table of a page has besides later ones that are kept: more are not
// readable, and make a page without scripts larger than the 200 kB that it may have.
const mostRows = 150

// Tables returns the data of a chart as tables for a page, in numbers for readers. A table
// that is cut says so in its title.
func Tables(c Chart) []*Table {
	d := dataOf(c)
	var names []string // of the tables; "" if the data are not divided
	of := map[string][]int{}
	for i, row := range d.rows {
		name := ""
		if d.divided {
			name = row[0]
		}
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], i)
	}
	if !d.divided && names == nil {
		names = []string{""}
	}
	return each.Of(names, func(name string) *Table { return d.table(name, of[name]) })
}

// table returns a table of some rows, without empty columns.
func (d *data) table(title string, some []int) *Table {
	var columns []int
	for k := range d.columns {
		filled := slices.ContainsFunc(some, func(i int) bool { return d.rows[i][k] != "" })
		if filled && (k > 0 || !d.divided) {
			columns = append(columns, k)
		}
	}
	if t := d.wide(some, columns); t != nil {
		return t
	}
	t := &Table{Columns: each.Of(columns, d.column)}
	left := mostRows
	for _, i := range some {
		if left--; left < 0 && !d.kept[i] {
			continue
		}
		t.Rows = append(t.Rows, each.Of(columns, func(k int) string { return d.cell(i, k) }))
	}
	if t.Title = cmp.Or(title, "Data"); d.value > 0 && len(some) > 0 && some[0] == 0 {
		t.Title = d.heads[d.value]
	}
	if len(t.Rows) < len(some) {
		t.Title = fmt.Sprintf("%s: %d of %d rows", t.Title, len(t.Rows), len(some))
	}
	return t
}

func (d *data) column(k int) Column { return Column{Title: d.heads[k], Numeric: d.numeric[k]} }

func (d *data) cell(row, column int) string {
	text := d.rows[row][column]
	if v, err := strconv.ParseFloat(text, 64); err == nil && d.numeric[column] {
		return Number(v)
	}
	return text
}

// noValue stands for a value that a wide table lacks.
const noValue = "no value"

// wide returns a table with a row for each place and a column for each name in column across. It is
// nil for all parts of the data but the first, and if it would be too large or mostly empty.
func (d *data) wide(some, columns []int) *Table {
	if d.across == d.value || len(some) == 0 || some[0] > 0 || !slices.Contains(columns, d.across) ||
		!slices.Contains(columns, d.value) || len(columns) > 4 {
		return nil
	}
	keys := slices.DeleteFunc(slices.Clone(columns), func(k int) bool { return k == d.across || k == d.value })
	t := &Table{Title: d.heads[d.value], Columns: each.Of(keys, d.column)}
	var places, names []string
	first, cells := map[string]int{}, map[[2]string]string{} // the first row of a place, and its value for a name
	for _, i := range some {
		place, name := "", d.cell(i, d.across)
		for _, k := range keys {
			place += d.rows[i][k] + "\x00"
		}
		if _, known := first[place]; !known {
			first[place], places = i, append(places, place)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if cells[[2]string{place, name}] != "" {
			return nil
		}
		cells[[2]string{place, name}] = d.cell(i, d.value)
	}
	if len(places) > mostRows || 2*len(some) < len(places)*len(names) {
		return nil
	}
	if d.numeric[d.across] && !slices.Contains(names, "") { // the first place, whose order they have, may lack some
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(parsed(a), parsed(b)) })
	}
	for _, name := range names {
		t.Columns = append(t.Columns, Column{Title: name, Numeric: true})
	}
	for _, place := range places {
		row := each.Of(keys, func(k int) string { return d.cell(first[place], k) })
		for _, name := range names {
			row = append(row, cmp.Or(cells[[2]string{place, name}], noValue))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// vegaSchema is the version of Vega-Lite of the files.
const vegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

// labelLimit is the length, in pixels, from which on a label is cut.
const labelLimit = 320

type object = map[string]any

// writeVega writes a chart for Vega-Lite, with all its data. Parts for which Vega-Lite has no
// mark, such as the layers of a surface, are only in the data.
func writeVega(w io.Writer, c Chart, s Style) error {
	title, caption := Words(c)
	heat := each.Of(s.theme().heat, ink.Hex)
	spec := object{
		"$schema": vegaSchema, "title": title, "description": caption,
		"width": s.Width, "height": s.Width * 0.6, "data": object{"values": values(dataOf(c))},
		"config": object{
			"range":        object{"category": each.Of(s.theme().series, ink.Hex), "heatmap": heat, "ramp": heat},
			"axis":         object{"labelOverlap": true, "labelLimit": labelLimit},
			"legend":       object{"labelLimit": labelLimit, "symbolOpacity": 1},
			"numberFormat": ".6~g",
		},
	}
	if rows, _ := c.size(); rows > 12 { // names of as many would lie on each other
		spec["height"] = object{"step": 12}
	}
	maps.Copy(spec, c.vega())
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(spec)
}

// values returns the rows of a table with short keys, c0, c1 and so on, because titles may
// have characters that Vega-Lite reads as paths.
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

// series is a channel of colours, in the order of these names.
func series(column int, names []string) object {
	c := channel(column, "nominal", "series")
	c["scale"] = object{"domain": names}
	return c
}

// quantity is a channel of numbers on an axis.
func quantity(column int, a Axis) object {
	c, scale := channel(column, "quantitative", a.label()), object{}
	if a.Log {
		scale["type"], scale["nice"] = "log", false
	}
	if a.Min != nil && a.Max != nil {
		scale["domain"] = []float64{*a.Min, *a.Max}
	}
	if len(scale) > 0 {
		c["scale"] = scale
	}
	return c
}

// layers are those of a chart.
type layers []any

// add adds a layer with the rows that pass a filter, if any do: Vega-Lite warns of layers without data.
func (l *layers) add(drawn bool, filter []any, mark any, encoding object) {
	if drawn {
		*l = append(*l, object{"transform": filter, "mark": mark, "encoding": encoding})
	}
}

// where keeps the rows for which a predicate of Vega-Lite holds.
func where(predicate any) []any { return []any{object{"filter": predicate}} }

// whiskers returns rules over the marks of an encoding, on channel across from column low to the next.
func whiskers(marks object, across string, low int, a Axis) object {
	e := maps.Clone(marks)
	e[across], e[across+"2"], e["color"] = quantity(low, a), object{"field": field(low + 1)}, object{"value": "black"}
	return object{"transform": where("isValid(datum." + field(low) + ")"), "mark": "rule", "encoding": e}
}

// only keeps the rows whose first column is kind and, if there are names, whose second is one of them.
func only(kind string, names ...string) []any {
	filters := where(object{"field": field(0), "equal": kind})
	if names != nil {
		filters = append(filters, where(object{"field": field(1), "oneOf": names})...)
	}
	return filters
}

// Few returns the indices of items, in their order: all that must stay, such as the best, and
// up to n in all of the others, evenly from the first to the last.
func Few(items, n int, stay ...int) []int {
	slices.Sort(stay)
	few := slices.Compact(slices.DeleteFunc(stay, func(i int) bool { return i < 0 || i >= items }))
	var rest []int
	for i := range items {
		if !slices.Contains(few, i) {
			rest = append(rest, i)
		}
	}
	more := max(0, min(n-len(few), len(rest)))
	for k := range more {
		few = append(few, rest[k*(len(rest)-1)/max(1, more-1)])
	}
	slices.Sort(few)
	return few
}

// Ends returns the indices of the smallest and the largest value that is a number; -1 if there is none.
func Ends(values []float64) []int {
	low, high := -1, -1
	for i, v := range values {
		if v == v && (low < 0 || v < values[low]) {
			low = i
		}
		if v == v && (high < 0 || v > values[high]) {
			high = i
		}
	}
	return []int{low, high}
}

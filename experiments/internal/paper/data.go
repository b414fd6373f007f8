package paper

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

// files are the printed tables (CSV), the words about the papers (JSON, see [draft]) and the studies of Sunwulf, which
// equal those of the examples.
//
//go:embed data/*.csv words/*.json studies/*.yaml
var files embed.FS

// must returns a value that depends only on embedded data.
func must[T any](v T, err error) T {
	if err != nil {
		panic("paper: " + err.Error())
	}
	return v
}

// Printed is a printed number and the unit of its last printed place.
type Printed struct {
	Text  string
	Value float64
	Place float64
}

// whole is a number without rounding, such as a problem size; counted is a whole number with a last place of 1.
func whole(v float64) Printed { return Printed{Text: fmt.Sprint(v), Value: v} }
func counted(v int) Printed   { return Printed{Text: fmt.Sprint(v), Value: float64(v), Place: 1} }

// parsePrinted reads a number as printed: "0.30", "1e-3", "110".
func parsePrinted(text string) (Printed, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Printed{}, fmt.Errorf("%q is no number", text)
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	power := 0
	if exponent != "" {
		if power, err = strconv.Atoi(exponent); err != nil {
			return Printed{}, fmt.Errorf("%q is no number", text)
		}
	}
	return Printed{text, v, math.Pow(10, float64(power-len(fraction)))}, nil
}

// Sheet is a data file: a header and rows of text. Asking for something it lacks panics, because the files are part of
// the program.
type Sheet struct {
	ID      string
	Columns []string
	Rows    [][]string
}

// load returns the data file with the given name, without its extension.
func load(id string) *Sheet {
	in := csv.NewReader(bytes.NewReader(must(files.ReadFile("data/" + id + ".csv"))))
	in.Comment = '#' // the source, in the first line
	records := must(in.ReadAll())
	return &Sheet{ID: id, Columns: records[0], Rows: records[1:]}
}

// column returns the index of the column with a name, given without the unit in brackets.
func (s *Sheet) column(name string) int {
	i := slices.IndexFunc(s.Columns, func(c string) bool { return c == name || strings.HasPrefix(c, name+" [") })
	if i < 0 {
		panic(fmt.Sprintf("paper: data/%s.csv has no column %q", s.ID, name))
	}
	return i
}

// header returns the title of a column with its unit.
func (s *Sheet) header(name string) string { return s.Columns[s.column(name)] }

func (s *Sheet) text(row int, column string) string { return s.Rows[row][s.column(column)] }

func (s *Sheet) printed(row int, column string) Printed {
	p, err := parsePrinted(s.text(row, column))
	if err != nil {
		panic(fmt.Sprintf("paper: data/%s.csv, row %d, column %s: %v", s.ID, row, column, err))
	}
	return p
}

func (s *Sheet) value(row int, column string) float64 { return s.printed(row, column).Value }
func (s *Sheet) count(row int, column string) int     { return int(s.value(row, column)) }

// constant returns the value of a symbol in a sheet of parameters.
func (s *Sheet) constant(symbol string) Printed {
	for i := range s.Rows {
		if s.text(i, "symbol") == symbol {
			return s.printed(i, "value")
		}
	}
	panic(fmt.Sprintf("paper: data/%s.csv has no symbol %q", s.ID, symbol))
}

// A draft is a paper in words/NAME.json: in the form of its JSON, without what is computed. Texts of tables, claims and
// misprints have placeholders such as ${step} for computed values.
type draft struct {
	*Paper
	Tables  []*draftTable          `json:"tables"`
	Figures []Figure               `json:"figures"`
	Fits    map[string][]Parameter `json:"fits"` // shared by several tables
	// Charts has the JSON of each chart's words; it may have placeholders, if it serves for several charts.
	Charts map[string]json.RawMessage `json:"charts"`

	Values  map[string]string `json:"values"` // for placeholders
	claimed int               // number of claims checked so far
}

type draftTable struct {
	Table
	Rows  string `json:"rows"`  // name of a row, with placeholders for the texts of its columns
	Sheet string `json:"sheet"` // its data file, if it is not named after its ID
	Fit   string `json:"fit"`   // its parameters

	values map[string]string
}

// readDraft reads the words about a paper.
func readDraft(name string) *draft {
	d := &draft{Paper: &Paper{Name: name}, Values: make(map[string]string)}
	if err := json.Unmarshal(must(files.ReadFile("words/"+name+".json")), d); err != nil {
		panic(fmt.Sprintf("paper: words/%s.json: %v", name, err))
	}
	for _, t := range d.Tables {
		t.values = make(map[string]string)
		if t.Fit != "" {
			t.Parameters = d.Fits[t.Fit]
		}
	}
	return d
}

func (d *draft) table(id string) *draftTable {
	for _, t := range d.Tables {
		if t.ID == id {
			return t
		}
	}
	panic(fmt.Sprintf("paper: words/%s.json has no table %s", d.Name, id))
}

// draw sets the blocks of a figure.
func (d *draft) draw(id string, blocks ...report.Block) {
	i := slices.IndexFunc(d.Figures, func(f Figure) bool { return f.ID == id })
	if i < 0 {
		panic(fmt.Sprintf("paper: words/%s.json has no figure %s", d.Name, id))
	}
	d.Figures[i].Draw = blocks
}

// chartOf returns a chart without its data. values has placeholders, each followed by its value.
func chartOf[T any](d *draft, name string, values ...string) *T {
	var c T
	if err := json.Unmarshal([]byte(strings.NewReplacer(values...).Replace(string(d.Charts[name]))), &c); err != nil {
		panic(fmt.Sprintf("paper: words/%s.json, chart %s: %v", d.Name, name, err))
	}
	return &c
}

// mark adds a trace through points to a layer of a surface.
func mark(l *report.Layer, label string, points ...[2]float64) {
	t := report.Trace{Label: label}
	for _, p := range points {
		t.X, t.Y = append(t.X, p[0]), append(t.Y, p[1])
	}
	l.Traces = append(l.Traces, t)
}

// claim records the result of checking the next claim.
func (d *draft) claim(ours string, holds bool) {
	c := &d.Claims[d.claimed]
	if c.Ours, c.Holds = ours, holds; holds {
		c.Note = ""
	}
	d.claimed++
}

// done returns the paper with everything that was computed.
func (d *draft) done() *Paper {
	if d.claimed != len(d.Claims) {
		panic(fmt.Sprintf("paper: %s: %d of %d claims were checked", d.Name, d.claimed, len(d.Claims)))
	}
	p := d.Paper
	p.Figures = d.Figures
	for _, t := range d.Tables {
		for name, value := range t.values {
			d.Values[name] = value
		}
		t.Formula = d.expand(t.Formula)
		for i, note := range t.Notes {
			t.Notes[i] = d.expand(note)
		}
		p.Tables = append(p.Tables, t.Table)
	}
	for i := range p.Misprints {
		m := &p.Misprints[i]
		m.Where, m.What = d.expand(m.Where), d.expand(m.What)
	}
	return p
}

// expand replaces the placeholders in a text by values.
func (d *draft) expand(text string) string {
	return os.Expand(text, func(name string) string {
		value, ok := d.Values[name]
		if !ok {
			panic(fmt.Sprintf("paper: no value of %s in %q", name, text))
		}
		return value
	})
}

// set sets the value of a placeholder.
func (t *draftTable) set(name, format string, value any) { t.values[name] = fmt.Sprintf(format, value) }

// fitted sets the values of the parameters of a fit.
func (t *draftTable) fitted(values ...float64) {
	for i, v := range values {
		t.Parameters[i].Value = v
	}
}

// value adds one of our values.
func (t *draftTable) value(row, column string, ours float64, how How) {
	t.Values = append(t.Values, Value{row, column, ours, how})
}

// add adds a cell, whose reading and reason may be set later.
func (t *draftTable) add(c Cell) *Cell {
	t.Cells = append(t.Cells, c)
	return &t.Cells[len(t.Cells)-1]
}

// compare adds a cell whose inputs are exact.
func (t *draftTable) compare(row, column string, printed Printed, ours float64, how How) *Cell {
	return t.add(compare(row, column, printed, ours, ours, ours, how))
}

// A tableRow is a row of the data file of a table.
type tableRow struct {
	table *draftTable
	sheet *Sheet
	i     int
	name  string
}

// rows yields the rows of the data file.
func (t *draftTable) rows() iter.Seq[tableRow] {
	s := load(cmp.Or(t.Sheet, t.ID))
	return func(yield func(tableRow) bool) {
		for i := range s.Rows {
			name := os.Expand(t.Rows, func(column string) string { return s.text(i, column) })
			if !yield(tableRow{t, s, i, name}) {
				return
			}
		}
	}
}

func (r tableRow) text(column string) string     { return r.sheet.text(r.i, column) }
func (r tableRow) value(column string) float64   { return r.sheet.value(r.i, column) }
func (r tableRow) count(column string) int       { return r.sheet.count(r.i, column) }
func (r tableRow) printed(column string) Printed { return r.sheet.printed(r.i, column) }

// compare adds a cell for our value in a column.
func (r tableRow) compare(column string, ours float64, how How) *Cell {
	return r.table.compare(r.name, r.sheet.header(column), r.printed(column), ours, how)
}

// compute adds a cell for a formula of printed inputs, see [compute].
func (r tableRow) compute(column string, formula func(x []float64) float64, inputs ...Printed) *Cell {
	return r.table.add(compute(r.name, r.sheet.header(column), r.printed(column), formula, inputs...))
}

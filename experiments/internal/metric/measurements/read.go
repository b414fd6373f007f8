package measurements

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// Limits of a file of measurements, so that no file exhausts memory.
const (
	maxBytes  = 16 << 20
	maxRows   = 100_000
	maxFields = 256
)

// A Row is one measured time. A quantity of 0 means that it was not given.
type Row struct {
	line       int
	at         [columnCount]int32 // where its fields begin, for messages
	system     string
	processes  int
	sequential bool
	repetition string
	Quantity   [columnCount]float64 // in base units; a cost in currency, or currency for a second
}

// A Table is the content of a file of measured times.
type Table struct {
	Rows     []Row
	has      [columnCount]bool
	Currency string
	CostRate bool // costs are per second instead of per run
	Notes    []string
	Inputs   []input.Input
	File     string
}

// Has reports whether the file has a column.
func (t *Table) Has(c Column) bool { return t.has[c] }

// Read reads a file of measured times (docs/formats/measurements.md).
func Read(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, input.Unread(path, err, "a CSV file of measured times")
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, input.Unread(path, err, "a CSV file of measured times")
	}
	m, err := Parse(path, data)
	if err != nil {
		return nil, input.OrOtherForm(path, err, "a CSV file of measured times", input.FormCSV)
	}
	m.Inputs = []input.Input{input.Hashed(path, data, path)}
	return m, nil
}

// reader reads the rows of a file.
type reader struct {
	problems
	*Table
	csv    *csv.Reader
	header []headerField
	study  *study // nil: the table is not that of one
}

// Parse reads the content of a file; messages name it file.
func Parse(file string, data []byte) (*Table, error) {
	if len(data) > maxBytes {
		return nil, input.PlacedErrorf("%s: larger than %v; expected a CSV file of measured times", file, units.Bytes(maxBytes).Binary())
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := invalidText(data); i >= 0 {
		line := 1 + bytes.Count(data[:i], []byte("\n"))
		return nil, input.PlacedErrorf("%s:%d:%d: byte 0x%02x is not valid UTF-8 text; expected a text file in UTF-8", file, line, i-bytes.LastIndexByte(data[:i], '\n'), data[i])
	}
	in := csv.NewReader(bytes.NewReader(data))
	in.Comment, in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord = '#', -1, true, true
	r := &reader{problems: problems{file: file}, Table: &Table{File: file}, csv: in}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			if bad, ok := errors.AsType[*csv.ParseError](err); ok {
				r.fail(bad.Line, bad.Column, bad.Err.Error(), `fields separated by commas, those with a comma or a quote in them between quotes (")`)
			}
			return nil, r.err()
		}
		line, _ := in.FieldPos(0)
		switch {
		case r.header == nil:
			r.readHeader(fields)
			if r.err() != nil {
				return nil, r.err()
			}
		case len(r.Rows) == maxRows:
			return nil, input.PlacedErrorf("%s:%d:1: more than %d rows; expected fewer measurements", file, line, maxRows)
		default:
			r.readRow(fields)
		}
		if r.full() {
			return nil, r.err()
		}
	}
	if r.header == nil {
		return nil, input.PlacedErrorf("%s:1:1: the file has no header; expected a line with the names of columns, such as processes,n,time [s]", file)
	}
	if len(r.list) == 0 && len(r.Rows) == 0 {
		r.fail(r.header[0].line, 1, "no row follows the header", "one row for each measured time")
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	r.divide()
	return r.Table, nil
}

// invalidText returns the offset of the first byte that is a NUL or not UTF-8; -1 if there is none.
func invalidText(data []byte) int {
	for i := 0; i < len(data); {
		c, size := utf8.DecodeRune(data[i:])
		if c == 0 || c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func (r *reader) readRow(fields []string) {
	line, _ := r.csv.FieldPos(0)
	if len(fields) != len(r.header) {
		_, at := r.csv.FieldPos(min(len(fields), len(r.header)+1) - 1)
		r.fail(line, at, fmt.Sprintf("%d fields", len(fields)), fmt.Sprintf("%d, one for each column of the header", len(r.header)))
		return
	}
	if s := r.study; s != nil && fields[s.status] != statusOK {
		s.left++
		return
	}
	row := Row{line: line}
	good := true
	for i := range r.header {
		h := &r.header[i]
		if h.column == columnCount {
			continue
		}
		l, at := r.csv.FieldPos(i)
		row.at[h.column] = int32(at)
		if text := strings.TrimSpace(fields[i]); text != "" {
			if bad := columns[h.column].read(&row, h, text); bad != nil {
				r.fail(l, at, columns[h.column].name+bad.what, bad.want)
				good = false
			}
		}
	}
	if good && r.complete(&row) {
		r.Rows = append(r.Rows, row)
		if s := r.study; s != nil {
			levels := each.Of(s.factors, func(k int) string { return strings.Clone(fields[k]) })
			s.levels = append(s.levels, levels)
		}
	}
}

// complete checks that a row has what every row needs, and derives further columns from the others.
func (r *reader) complete(row *Row) bool {
	fail := func(c Column, what, want string) bool {
		r.fail(row.line, int(row.at[c]), what, want)
		return false
	}
	if row.processes == 0 && row.sequential {
		row.processes = 1
	}
	switch {
	case row.processes == 0:
		return fail(ColProcesses, "processes is empty", "a whole number from 1")
	case row.sequential && row.processes != 1:
		return fail(ColProcesses, fmt.Sprintf("a sequential program on %d processes", row.processes), "processes 1, or empty")
	case row.Quantity[ColTime] == 0:
		return fail(ColTime, "time is empty", "a measured time")
	case r.has[ColN] && row.Quantity[ColN] == 0:
		return fail(ColN, "n is empty", "a problem size in every row, or no column n")
	}
	if c := row.Quantity[ColMarkedSpeedEach]; c > 0 {
		row.Quantity[ColMarkedSpeed] = c * float64(row.processes)
		row.at[ColMarkedSpeed] = row.at[ColMarkedSpeedEach]
	}
	return true
}

// maxProblems is how many problems of a file are reported at once.
const maxProblems = 10

// problems collects what is wrong in a file.
type problems struct {
	file string
	list []string
}

func (p *problems) fail(line, at int, what, want string) {
	if len(p.list) == maxProblems {
		p.list = append(p.list, fmt.Sprintf("%s:%d:%d: more problems follow; expected these to be fixed first", p.file, line, at))
	}
	if len(p.list) < maxProblems {
		p.list = append(p.list, fmt.Sprintf("%s:%d:%d: %s; expected %s", p.file, line, at, what, want))
	}
}

// full reports whether the list is full.
func (p *problems) full() bool { return len(p.list) > maxProblems }

func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return input.PlacedErrorf("%s", strings.Join(p.list, "\n"))
}

// quoted quotes a text of the file for a message.
func quoted(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:39]) + "…"
	}
	return strconv.Quote(text)
}

// PointKey identifies a point. Rows of the same point are repetitions.
type PointKey struct {
	System     string
	Processes  int
	Size       float64 // n, or the work where there is no n, or 0
	Sequential bool
}

// Configuration returns the key of the system's number of processes alone.
func (k PointKey) Configuration() PointKey { return PointKey{System: k.System, Processes: k.Processes} }

// Runs are the rows of one point.
type Runs struct {
	PointKey
	Rows []Row
}

// Runs groups the rows of each point, in the order of systems in the file, then of processes and sizes, and checks that
// they agree.
func (t *Table) Runs() ([]Runs, error) {
	g := grouping{
		problems:    problems{file: t.File},
		index:       make(map[PointKey]int),
		repetitions: make(map[repetition]int),
		speeds:      make(map[PointKey]*Row),
	}
	order := make(map[string]int) // of systems
	for i := range t.Rows {
		row := &t.Rows[i]
		if _, ok := order[row.system]; !ok {
			order[row.system] = len(order)
		}
		size := row.Quantity[ColN]
		if !t.has[ColN] {
			size = row.Quantity[ColWork]
		}
		g.add(row, PointKey{row.system, row.processes, size, row.sequential})
		if g.full() {
			break
		}
	}
	slices.SortStableFunc(g.all, func(a, b Runs) int {
		return cmp.Or(
			cmp.Compare(order[a.System], order[b.System]),
			cmp.Compare(a.Processes, b.Processes), cmp.Compare(a.Size, b.Size))
	})
	return g.all, g.err()
}

// repetition is a label within a point.
type repetition struct {
	point PointKey
	label string
}

// grouping is the state of [Table.Runs].
type grouping struct {
	problems
	all         []Runs
	index       map[PointKey]int   // into all
	repetitions map[repetition]int // their lines
	speeds      map[PointKey]*Row  // of configurations: the first row with a marked speed
}

// add adds a row to its point and compares it with earlier rows.
func (g *grouping) add(row *Row, key PointKey) {
	i, ok := g.index[key]
	if !ok {
		i = len(g.all)
		g.index[key] = i
		g.all = append(g.all, Runs{PointKey: key})
	}
	if row.repetition != "" {
		r := repetition{key, row.repetition}
		if line := g.repetitions[r]; line > 0 {
			g.fail(row.line, int(row.at[ColRepetition]), fmt.Sprintf("repetition %s of this point is also in line %d", quoted(row.repetition), line), "another repetition, or another point")
		}
		g.repetitions[r] = row.line
	}
	if rows := g.all[i].Rows; len(rows) > 0 {
		g.agree(row, &rows[0], ColWork, "for the same point")
		g.agree(row, &rows[0], ColPower, "for the same point")
	}
	if !row.sequential && row.Quantity[ColMarkedSpeed] > 0 {
		if first, ok := g.speeds[key.Configuration()]; ok {
			g.agree(row, first, ColMarkedSpeed, "for the same system and number of processes")
		} else {
			g.speeds[key.Configuration()] = row
		}
	}
	g.all[i].Rows = append(g.all[i].Rows, *row)
}

// agree reports a quantity that should be the same in two rows but is not.
func (g *grouping) agree(row, first *Row, c Column, where string) {
	a, b := first.Quantity[c], row.Quantity[c]
	if math.Abs(a-b) > 1e-9*max(a, b) {
		g.fail(row.line, int(row.at[c]), fmt.Sprintf("%s differs from that in line %d %s", columns[c].name, first.line, where), "the same value in both")
	}
}

package sweep

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Kinds of columns.
const (
	KindCandidate  = "candidate" // of a search: the number of the point in the design
	KindFactor     = "factor"
	KindRepetition = "repetition"
	KindSeed       = "seed"
	KindStatus     = "status" // ok or error
	KindResponse   = "response"
	KindError      = "error" // why there are no responses
)

// The status of a point.
const (
	statusOK    = "ok"
	statusError = "error"
)

// candidateColumn is the name of the column of kind KindCandidate.
const candidateColumn = "candidate"

// columns are those of a row.
func (s *Study) columns() []store.Column {
	var all []store.Column
	add := func(name, unit, kind string) {
		all = append(all, store.Column{Name: name, Unit: unit, Kind: kind})
	}
	if s.Search != nil {
		add(candidateColumn, "", KindCandidate)
	}
	for _, f := range s.Design.Factors {
		add(f.Name, f.Unit, KindFactor)
	}
	if s.Design.Repetitions > 1 {
		add("repetition", "", KindRepetition)
	}
	add("seed", "", KindSeed)
	add("status", "", KindStatus)
	for _, o := range s.outcomes {
		add(o.Name, o.Unit, KindResponse)
	}
	add("error", "", KindError)
	return all
}

// PointOf returns the point of the design that a row is of.
func (s *Study) PointOf(row store.Row) (design.Point, error) {
	at := row.Point
	if s.Search != nil {
		var err error
		if at, err = strconv.Atoi(row.Cells[0]); err != nil || at < 0 || at >= s.Design.Points() {
			return design.Point{}, fmt.Errorf("%s: row %d is of candidate %q; expected a number from 0 to %d", s.Dir.Path(), row.Point, row.Cells[0], s.Design.Points()-1)
		}
	}
	return s.Design.Point(at), nil
}

// row appends the cells of a point. Values are nil if there is an error.
func row(cells []string, p design.Point, repetitions int, values []float64, outcomes int, failure error) []string {
	for i := range p.Levels {
		cells = append(cells, p.Level(i).Text)
	}
	if repetitions > 1 {
		cells = append(cells, strconv.Itoa(p.Repetition))
	}
	cells = append(cells, strconv.FormatInt(p.Seed, 10))
	if failure != nil {
		cells = append(cells, statusError)
		for range outcomes {
			cells = append(cells, "")
		}
		return append(cells, oneLine(failure.Error()))
	}
	cells = append(cells, statusOK)
	for _, v := range values {
		cell := ""
		if v == v { // an outcome that the point has
			cell = strconv.FormatFloat(v, 'g', -1, 64)
		}
		cells = append(cells, cell)
	}
	return append(cells, "")
}

// maxError is the longest error in a row, in bytes.
const maxError = 2000

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "") + "..."
	}
	return text
}

// Table reads the stored rows for an analysis.
func (s *Study) Table() (*analysis.Table, error) {
	plan := s.Dir.Plan()
	t := &analysis.Table{Factors: s.factors(), Rows: make([]analysis.Row, 0, plan.Points)}
	at := s.responses()
	for _, i := range at {
		t.Responses = append(t.Responses, analysis.Response{Name: plan.Columns[i].Name, Unit: plan.Columns[i].Unit})
	}
	for r, err := range s.Dir.Rows() {
		if err != nil {
			return nil, err
		}
		p, err := s.PointOf(r)
		if err != nil {
			return nil, err
		}
		values, err := s.values(r, at)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, analysis.Row{Point: r.Point, Levels: p.Levels, Values: values})
	}
	return t, nil
}

// responses are the columns of outcomes.
func (s *Study) responses() []int {
	var at []int
	for i, c := range s.Dir.Plan().Columns {
		if c.Kind == KindResponse {
			at = append(at, i)
		}
	}
	return at
}

// values reads numbers of a row: NaN where the point has none.
func (s *Study) values(row store.Row, columns []int) ([]float64, error) {
	values := make([]float64, len(columns))
	for i, c := range columns {
		if values[i] = math.NaN(); row.Cells[c] == "" {
			continue
		}
		v, err := strconv.ParseFloat(row.Cells[c], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: point %d: %s is %q; expected a number", s.Dir.Path(), row.Point, s.Dir.Plan().Columns[c].Name, row.Cells[c])
		}
		values[i] = v
	}
	return values, nil
}

// Subject is the table that is analysed: the points with the levels that were chosen,
// with the quantities of the objective among the responses.
func (s *Study) Subject() (*analysis.Table, error) {
	t, err := s.Table()
	if err != nil {
		return nil, err
	}
	s.express(t, s.About.Objective.Response, s.About.Objective.Size, s.About.Objective.Cost)
	t.Rows = slices.DeleteFunc(t.Rows, func(r analysis.Row) bool {
		return slices.ContainsFunc(s.only, func(x level) bool { return r.Levels[x.factor] != x.level })
	})
	return t, nil
}

// factors are those of the design, for an analysis.
func (s *Study) factors() []analysis.Factor {
	var factors []analysis.Factor
	for i := range s.Design.Factors {
		f := &s.Design.Factors[i]
		levels := make([]analysis.Level, f.Len())
		for k := range levels {
			l := f.Level(k)
			levels[k] = analysis.Level{Text: l.Text, Value: l.Value, Numeric: l.Numeric}
		}
		factors = append(factors, analysis.Factor{Name: f.Name, Unit: f.Unit, Levels: levels})
	}
	return factors
}

// ValueOf returns what reads a quantity from a row: NaN where the point has none.
func (s *Study) ValueOf(quantity string) func(store.Row) (float64, error) {
	of, at := s.evaluator(quantity), s.responses()
	if of == nil {
		at = []int{slices.IndexFunc(s.Dir.Plan().Columns, func(c store.Column) bool { return c.Name == quantity })}
	}
	return func(row store.Row) (float64, error) {
		values, err := s.values(row, at)
		switch {
		case err != nil:
			return 0, err
		case of == nil:
			return values[0], nil
		}
		p, err := s.PointOf(row)
		if err != nil {
			return 0, err
		}
		return of(p.Levels, values), nil
	}
}

// Column returns the column of an outcome or a factor.
func (s *Study) Column(name string) store.Column {
	for _, c := range s.Dir.Plan().Columns {
		if c.Name == name {
			return c
		}
	}
	return store.Column{Name: name}
}

// ExportFormats are the names that [Study.Export] takes.
var ExportFormats = []string{"csv", "jsonl"}

// Export writes all rows in the order of the points: as CSV with a header, or as
// one JSON object a line, in which numbers are numbers and empty cells are left
// out. What is written depends on the plan alone, unless provenance adds who
// computed a point, when it was begun, and how long it took.
func (s *Study) Export(w io.Writer, format string, provenance bool) error {
	columns := s.Dir.Plan().Columns
	var o *origins
	if provenance {
		columns = append(columns[:len(columns):len(columns)],
			store.Column{Name: "wall", Unit: "s"}, store.Column{Name: "host"}, store.Column{Name: "pid"}, store.Column{Name: "began"})
		var err error
		if o, err = s.origins(); err != nil {
			return err
		}
	}
	rows := func(yield func(store.Row, error) bool) {
		for r, err := range s.Dir.Rows() {
			if err == nil && provenance {
				r.Cells = append(r.Cells, o.cells(r.Point)...)
			}
			if !yield(r, err) {
				return
			}
		}
	}
	return WriteRows(w, format, columns, rows)
}

// WriteRows writes rows in one of the [ExportFormats].
func WriteRows(w io.Writer, format string, columns []store.Column, rows iter.Seq2[store.Row, error]) error {
	b := bufio.NewWriterSize(w, 1<<16)
	var err error
	switch format {
	case "csv":
		err = exportCSV(b, columns, rows)
	case "jsonl":
		err = exportJSON(b, columns, rows)
	default:
		return fmt.Errorf("unknown format %q; expected csv or jsonl", format)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// origins say who computed each point: 20 bytes for each, because there may be
// millions.
type origins struct {
	began, took []int64 // ns since 1970; ns
	by          []int32 // index into who; -1: not known
	who         []process
}

// process is a process that computed points.
type process struct {
	host string
	pid  int
}

func (s *Study) origins() (*origins, error) {
	n := s.Dir.Plan().Points
	o := &origins{began: make([]int64, n), took: make([]int64, n), by: make([]int32, n)}
	for i := range o.by {
		o.by[i] = -1
	}
	number := map[process]int32{}
	for e, err := range s.Dir.Log() {
		if err != nil {
			return nil, err
		}
		p := process{e.Host, e.PID}
		k, ok := number[p]
		if !ok {
			k = int32(len(o.who))
			number[p] = k
			o.who = append(o.who, p)
		}
		o.began[e.Point], o.took[e.Point], o.by[e.Point] = e.Start.UnixNano(), int64(e.Took), k
	}
	return o, nil
}

// cells returns the cells of provenance; empty if the log of the point is gone.
func (o *origins) cells(point int) []string {
	if o.by[point] < 0 {
		return []string{"", "", "", ""}
	}
	p := o.who[o.by[point]]
	return []string{
		strconv.FormatFloat(time.Duration(o.took[point]).Seconds(), 'g', 6, 64), p.host, strconv.Itoa(p.pid),
		time.Unix(0, o.began[point]).UTC().Format(time.RFC3339),
	}
}

func exportCSV(w io.Writer, columns []store.Column, rows iter.Seq2[store.Row, error]) error {
	c := csv.NewWriter(w)
	line := []string{"point"}
	for _, x := range columns {
		line = append(line, x.Header())
	}
	if err := c.Write(line); err != nil {
		return err
	}
	for r, err := range rows {
		if err != nil {
			return err
		}
		line = append(append(line[:0], strconv.Itoa(r.Point)), r.Cells...)
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func exportJSON(w *bufio.Writer, columns []store.Column, rows iter.Seq2[store.Row, error]) error {
	keys := make([][]byte, len(columns))
	for i, x := range columns {
		key, err := json.Marshal(x.Header())
		if err != nil {
			return err
		}
		keys[i] = append(key, ':')
	}
	var line []byte
	for r, err := range rows {
		if err != nil {
			return err
		}
		line = append(append(line[:0], `{"point":`...), strconv.Itoa(r.Point)...)
		for i, cell := range r.Cells {
			if cell == "" {
				continue
			}
			line = append(append(line, ','), keys[i]...)
			if isNumber(cell) {
				line = append(line, cell...)
				continue
			}
			text, err := json.Marshal(cell)
			if err != nil {
				return err
			}
			line = append(line, text...)
		}
		if _, err := w.Write(append(line, "}\n"...)); err != nil {
			return err
		}
	}
	return nil
}

// isNumber reports whether a cell is a number as JSON writes it.
func isNumber(cell string) bool {
	c := cell[0]
	return (c == '-' || '0' <= c && c <= '9') && json.Valid([]byte(cell))
}

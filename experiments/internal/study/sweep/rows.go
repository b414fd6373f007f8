package sweep

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/each"
)

// Kinds of columns.
const (
	KindCandidate  = "candidate" // of a search: the number of the point in the design
	KindFactor     = "factor"
	KindRepetition = "repetition"
	KindSeed       = "seed"
	KindStatus     = "status" // ok, infeasible or error
	KindResponse   = "response"
	KindError      = "error" // why there are no responses
)

// The status of a point.
const (
	statusOK    = "ok"
	statusError = "error"

	// StatusInfeasible is that of a point whose machine cannot run it.
	StatusInfeasible = "infeasible"
)

// candidateColumn is the name of the column of kind KindCandidate.
const candidateColumn = "candidate"

// column is a column of the rows, with the function that makes its cell.
type column struct {
	store.Column
	cell func(r *result) string
}

// result is a point that has been carried out, with the seed that it used.
type result struct {
	design.Point
	values  []float64 // of the outcomes
	failure error     // why there are none
}

func (s *Study) findColumns() []column {
	var all []column
	add := func(name, unit, kind string, cell func(r *result) string) {
		all = append(all, column{store.Column{Name: name, Unit: unit, Kind: kind}, cell})
	}
	if s.chosen() {
		add(candidateColumn, "", KindCandidate, func(r *result) string { return strconv.Itoa(r.Index) })
	}
	for i, f := range s.Design.Factors {
		add(f.Name, f.Unit, KindFactor, func(r *result) string { return r.Level(i).Text })
	}
	if s.Design.Repetitions > 1 {
		add("repetition", "", KindRepetition, func(r *result) string { return strconv.Itoa(r.Repetition) })
	}
	add("seed", "", KindSeed, func(r *result) string { return strconv.FormatInt(r.Seed, 10) })
	add("status", "", KindStatus, func(r *result) string {
		var infeasible *system.InfeasibleError
		switch {
		case errors.As(r.failure, &infeasible):
			return StatusInfeasible
		case r.failure != nil:
			return statusError
		}
		return statusOK
	})
	for i, o := range s.outcomes {
		add(o.Name, o.Unit, KindResponse, func(r *result) string {
			if r.failure != nil || math.IsNaN(r.values[i]) { // an outcome that the point lacks
				return ""
			}
			return strconv.FormatFloat(r.values[i], 'g', -1, 64)
		})
	}
	add("error", "", KindError, func(r *result) string {
		if r.failure == nil {
			return ""
		}
		return oneLine(r.failure.Error())
	})
	return all
}

// PointOf returns the point of the design to which a row belongs.
func (s *Study) PointOf(row store.Row) (design.Point, error) {
	at := row.Point
	if s.chosen() {
		var err error
		if at, err = strconv.Atoi(row.Cells[0]); err != nil || at < 0 || at >= s.Design.Points()+s.Design.More*s.Design.Configurations() {
			return design.Point{}, fmt.Errorf("%s: row %d is of candidate %q; expected a number from 0 to %d", s.Dir.Path(), row.Point, row.Cells[0], s.Design.Points()-1)
		}
	}
	return s.Design.Point(at), nil
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

// Table reads the stored rows for an analysis; its responses include some quantities that are expressions.
func (s *Study) Table(quantities ...string) (*analysis.Table, error) {
	plan := s.Dir.Plan()
	t := &analysis.Table{Factors: s.factors(), Rows: make([]analysis.Row, 0, plan.Points)}
	at := s.responses()
	for _, i := range at {
		t.Responses = append(t.Responses, analysis.Response{Name: plan.Columns[i].Name, Unit: plan.Columns[i].Unit})
	}
	var evaluate []func(levels []int, values []float64) float64
	for i, q := range quantities {
		if of := s.evaluator(q); of != nil && !slices.Contains(quantities[:i], q) {
			t.Responses, evaluate = append(t.Responses, analysis.Response{Name: q}), append(evaluate, of)
		}
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
		for _, of := range evaluate {
			values = append(values, of(p.Levels, values[:len(at)]))
		}
		t.Rows = append(t.Rows, analysis.Row{Point: r.Point, Repetition: p.Repetition, Levels: p.Levels, Values: values, Infeasible: s.Infeasible(r)})
	}
	return t, nil
}

// responses returns the columns of outcomes.
func (s *Study) responses() []int {
	var at []int
	for i, c := range s.Dir.Plan().Columns {
		if c.Kind == KindResponse {
			at = append(at, i)
		}
	}
	return at
}

// Infeasible reports whether a row belongs to a point that its machine cannot run.
func (s *Study) Infeasible(row store.Row) bool {
	at := slices.IndexFunc(s.columns, func(c column) bool { return c.Kind == KindStatus })
	return row.Cells[at] == StatusInfeasible
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

// Subject returns the table to analyse: the points with the chosen levels, with the quantities of the objective among
// the responses.
func (s *Study) Subject() (*analysis.Table, error) {
	t, err := s.Table(s.About.Objective.Response, s.About.Objective.Size, s.About.Objective.Cost)
	if err != nil {
		return nil, err
	}
	t.Rows = slices.DeleteFunc(t.Rows, func(r analysis.Row) bool { return !s.Admits(r.Levels) })
	return t, nil
}

// Admits reports whether a configuration belongs to the part that [Study.Only] chose.
func (s *Study) Admits(levels []int) bool {
	return !slices.ContainsFunc(s.only, func(x level) bool { return levels[x.factor] != x.level })
}

// factors returns the factors of the design for an analysis.
func (s *Study) factors() []analysis.Factor {
	return each.Of(s.Design.Factors, func(f design.Factor) analysis.Factor {
		levels := each.Of(each.Ascending(f.Len()), func(k int) analysis.Level {
			l := f.Level(k)
			return analysis.Level{Text: l.Text, Value: l.Value}
		})
		return analysis.Factor{Name: f.Name, Unit: f.Unit, Numeric: f.Numeric, Levels: levels}
	})
}

// ValueOf returns a function that reads a quantity from a row: NaN where the point has none.
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

// Column returns the column of an outcome or a factor. For an expression it has no kind; a quotient of two columns has
// the unit that follows.
func (s *Study) Column(name string) store.Column {
	for _, c := range s.Dir.Plan().Columns {
		if c.Name == name {
			return c
		}
	}
	c := store.Column{Name: name}
	if of, by, ok := strings.Cut(name, "/"); ok {
		if over, under := s.Column(strings.TrimSpace(of)), s.Column(strings.TrimSpace(by)); over.Unit != "" && under.Kind != "" {
			c.Unit = strings.TrimSuffix(over.Unit+"/"+under.Unit, "/")
		}
	}
	return c
}

// ExportFormats are the names that [Study.Export] takes.
var ExportFormats = []string{"csv", "jsonl"}

// Export writes all rows in the order of the points: as CSV with a header, or as one JSON object per line, in which
// numbers are numbers and empty cells are left out. The output depends on the plan alone, unless provenance adds who
// computed a point, when it was begun, and how long it took.
func (s *Study) Export(w io.Writer, format string, provenance bool) error {
	columns := s.Dir.Plan().Columns
	var entries []store.LogEntry // by point
	if provenance {
		columns = append(columns[:len(columns):len(columns)],
			store.Column{Name: "wall", Unit: "s"}, store.Column{Name: "host"}, store.Column{Name: "pid"}, store.Column{Name: "began"})
		entries = make([]store.LogEntry, s.Dir.Plan().Points)
		for e, err := range s.Dir.Log() {
			if err != nil {
				return err
			}
			entries[e.Point] = e
		}
	}
	rows := func(yield func(store.Row, error) bool) {
		for r, err := range s.Dir.Rows() {
			if err == nil && provenance {
				r.Cells = append(r.Cells, origin(entries[r.Point])...)
			}
			if !yield(r, err) {
				return
			}
		}
	}
	return WriteRows(w, format, columns, rows)
}

// origin returns the cells of provenance; empty if the log of the point is gone.
func origin(e store.LogEntry) []string {
	if e.Start.IsZero() {
		return []string{"", "", "", ""}
	}
	return []string{strconv.FormatFloat(e.Took.Seconds(), 'g', 6, 64), e.Host, strconv.Itoa(e.PID), e.Start.UTC().Format(time.RFC3339)}
}

// WriteRows writes rows in one of the [ExportFormats].
func WriteRows(w io.Writer, format string, columns []store.Column, rows iter.Seq2[store.Row, error]) error {
	b := bufio.NewWriterSize(w, 1<<16)
	header := store.Header(columns)
	var put func(cells []string) error
	switch format {
	case "csv":
		c := csv.NewWriter(b) // uses b as its buffer
		if err := c.Write(header); err != nil {
			return err
		}
		put = c.Write
	case "jsonl":
		put = objects(b, header)
	default:
		return fmt.Errorf("unknown format %q; expected csv or jsonl", format)
	}
	var cells []string
	for r, err := range rows {
		if err != nil {
			return err
		}
		cells = append(append(cells[:0], strconv.Itoa(r.Point)), r.Cells...)
		if err := put(cells); err != nil {
			return err
		}
	}
	return b.Flush()
}

// objects returns a function that writes a row as a JSON object on one line, without empty cells.
func objects(w io.Writer, header []string) func(cells []string) error {
	for i, name := range header {
		header[i] = quoted(name) + ":"
	}
	return func(cells []string) error {
		line := []byte{'{'}
		for i, cell := range cells {
			if cell == "" {
				continue
			}
			if i > 0 {
				line = append(line, ',')
			}
			line = append(line, header[i]...)
			if !isNumber(cell) {
				cell = quoted(cell)
			}
			line = append(line, cell...)
		}
		_, err := w.Write(append(line, "}\n"...))
		return err
	}
}

// quoted is a text in JSON.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic("sweep: " + err.Error()) // a text always has a JSON form
	}
	return string(b)
}

// isNumber reports whether a cell is a number as JSON writes it.
func isNumber(cell string) bool {
	c := cell[0]
	return (c == '-' || '0' <= c && c <= '9') && json.Valid([]byte(cell))
}

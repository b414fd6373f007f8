package sweep

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

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

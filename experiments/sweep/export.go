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

	"github.com/isoscale/isoscale/experiments/store"
)

// ExportFormats are the names that [Study.Export] takes.
var ExportFormats = []string{"csv", "jsonl"}

// Export writes all rows in the order of the points: as CSV with a header, or as
// one JSON object a line, in which numbers are numbers and empty cells are left
// out. What is written depends on the plan alone, unless provenance adds who
// computed a point, when it was begun, and how long it took.
func (s *Study) Export(w io.Writer, format string, provenance bool) error {
	columns := s.Dir.Plan().Columns
	var origins map[int]store.LogEntry
	if provenance {
		columns = append(columns[:len(columns):len(columns)],
			store.Column{Name: "wall", Unit: "s"}, store.Column{Name: "host"}, store.Column{Name: "pid"}, store.Column{Name: "began"})
		origins = map[int]store.LogEntry{}
		for e, err := range s.Dir.Log() {
			if err != nil {
				return err
			}
			origins[e.Point] = e
		}
	}
	rows := func(yield func(store.Row, error) bool) {
		for r, err := range s.Dir.Rows() {
			if err == nil && provenance {
				r.Cells = append(r.Cells, origin(origins, r.Point)...)
			}
			if !yield(r, err) {
				return
			}
		}
	}
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

// origin returns the cells of provenance; empty if the log of the point is gone.
func origin(origins map[int]store.LogEntry, point int) []string {
	e, ok := origins[point]
	if !ok {
		return []string{"", "", "", ""}
	}
	return []string{strconv.FormatFloat(e.Took.Seconds(), 'g', 6, 64), e.Host, strconv.Itoa(e.PID), e.Start.UTC().Format(time.RFC3339)}
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

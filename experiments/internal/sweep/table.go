package sweep

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/analysis"
	"github.com/isoscale/isoscale/experiments/internal/store"
)

// Table reads the stored rows for an analysis.
func (s *Study) Table() (*analysis.Table, error) {
	plan := s.Dir.Plan()
	t := &analysis.Table{Rows: make([]analysis.Row, 0, plan.Points)}
	for i := range s.Design.Factors {
		f := &s.Design.Factors[i]
		levels := make([]analysis.Level, f.Len())
		for k := range levels {
			l := f.Level(k)
			levels[k] = analysis.Level{Text: l.Text, Value: l.Value, Numeric: l.Numeric}
		}
		t.Factors = append(t.Factors, analysis.Factor{Name: f.Name, Unit: f.Unit, Levels: levels})
	}
	var at []int // columns of the responses
	for i, c := range plan.Columns {
		if c.Kind == KindResponse {
			at = append(at, i)
			t.Responses = append(t.Responses, analysis.Response{Name: c.Name, Unit: c.Unit})
		}
	}
	for r, err := range s.Dir.Rows() {
		if err != nil {
			return nil, err
		}
		p := s.Design.Point(r.Point)
		row := analysis.Row{Point: r.Point, Levels: p.Levels, Values: make([]float64, len(at))}
		for i, c := range at {
			row.Values[i] = math.NaN()
			if r.Cells[c] == "" {
				continue
			}
			var err error
			if row.Values[i], err = parse(r.Cells[c]); err != nil {
				return nil, fmt.Errorf("%s: point %d: %s is %w", s.Dir.Path(), r.Point, plan.Columns[c].Name, err)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// column returns the column of an outcome or a factor.
func (s *Study) column(name string) store.Column {
	for _, c := range s.Dir.Plan().Columns {
		if c.Name == name {
			return c
		}
	}
	return store.Column{Name: name}
}

package sweep

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Table reads the stored rows for an analysis.
func (s *Study) Table() (*analysis.Table, error) {
	plan := s.Dir.Plan()
	t := &analysis.Table{Factors: s.factors(), Rows: make([]analysis.Row, 0, plan.Points)}
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
		p, err := s.PointOf(r)
		if err != nil {
			return nil, err
		}
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
	read := func(row store.Row, column int) (float64, error) {
		if row.Cells[column] == "" {
			return math.NaN(), nil
		}
		v, err := parse(row.Cells[column])
		if err != nil {
			err = fmt.Errorf("%s: point %d: %s is %w", s.Dir.Path(), row.Point, s.Dir.Plan().Columns[column].Name, err)
		}
		return v, err
	}
	var responses []int
	for i, c := range s.Dir.Plan().Columns {
		if c.Kind == KindResponse {
			responses = append(responses, i)
		}
	}
	of := s.evaluator(quantity)
	if of == nil {
		at := slices.IndexFunc(s.Dir.Plan().Columns, func(c store.Column) bool { return c.Name == quantity })
		return func(row store.Row) (float64, error) { return read(row, at) }
	}
	return func(row store.Row) (float64, error) {
		p, err := s.PointOf(row)
		if err != nil {
			return 0, err
		}
		values := make([]float64, len(responses))
		for i, c := range responses {
			if values[i], err = read(row, c); err != nil {
				return 0, err
			}
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

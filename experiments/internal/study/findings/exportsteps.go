package findings

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// ExportSteps writes the single steps of growth from every configuration of a full
// factorial, in the formats of [sweep.Study.Export]: which factor is raised, what the
// objective gains, the scalability and, if the objective has a cost, what is added to
// it and the efficiency. Point is the first of the configuration.
func ExportSteps(s *sweep.Study, w io.Writer, format string) error {
	if s.Design.Kind != design.Factorial || s.Search != nil {
		return errors.New("the study is no full factorial, so neighbours of its points were not simulated; expected design: factorial, without a search")
	}
	t, err := s.Table()
	if err != nil {
		return err
	}
	o := s.About.Objective
	goal := studytable.Minimize
	if o.Maximize {
		goal = studytable.Maximize
	}
	var from [][]int
	var points []int             // the first of each
	for _, row := range t.Rows { // repetitions follow each other
		if n := len(from); n == 0 || !slices.Equal(row.Levels, from[n-1]) {
			from, points = append(from, row.Levels), append(points, row.Point)
		}
	}
	steps, err := analysis.Updates(t, o.Response, goal, o.Cost, from)
	if err != nil {
		return err
	}
	columns := stepColumns(s)
	rows := func(yield func(store.Row, error) bool) {
		for n, updates := range steps {
			var levels []string
			for k, l := range from[n] {
				levels = append(levels, t.Factors[k].Levels[l].Text)
			}
			for _, u := range updates {
				cells := append(levels[:len(levels):len(levels)], t.Factors[u.Factor].Name, number(u.Gain), number(u.Scalability()))
				if o.Cost != "" {
					cells = append(cells, number(u.Added), number(u.Efficiency))
				}
				if !yield(store.Row{Point: points[n], Cells: cells}, nil) {
					return
				}
			}
		}
	}
	return sweep.WriteRows(w, format, columns, rows)
}

// stepColumns are those of [ExportSteps].
func stepColumns(s *sweep.Study) []store.Column {
	columns := factorColumns(s)
	o := s.About.Objective
	columns = append(columns, store.Column{Name: "raised"}, store.Column{Name: "gain", Unit: s.Column(o.Response).Unit}, store.Column{Name: "scalability"})
	if o.Cost != "" {
		cost := s.Column(o.Cost)
		columns = append(columns, store.Column{Name: "added", Unit: cmp.Or(cost.Unit, cost.Name)}, store.Column{Name: "efficiency"})
	}
	return columns
}

// factorColumns are those of the factors.
func factorColumns(s *sweep.Study) []store.Column {
	var columns []store.Column
	for _, c := range s.Dir.Plan().Columns {
		if c.Kind == sweep.KindFactor {
			columns = append(columns, c)
		}
	}
	return columns
}

// number writes a number in full; "" if it is infinite.
func number(x float64) string {
	if math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

package findings

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// ExportPredictions writes a search's predictions for all configurations of its design, in their order and in the
// formats of [sweep.Study.Export]: the number of the first point, the factors, the place in the order of simulation
// (empty: not simulated), the prediction of the objective and its standard error. Where the logarithm is predicted, the
// standard error is relative to the prediction.
func ExportPredictions(s *sweep.Study, w io.Writer, format string) error {
	if s.Search == nil {
		return errors.New("the study has no search, so all its points were simulated and nothing is predicted; expected a plan with the key search")
	}
	h, err := s.History()
	if err != nil {
		return err
	}
	m := h.Model()
	if m == nil {
		return errors.New("the results do not determine a prediction; see the column error of the results")
	}
	objective := s.Column(s.About.Objective.Response)
	stdErr := store.Column{Name: "standard_error", Unit: objective.Unit}
	if m.Log {
		stdErr = store.Column{Name: "relative_standard_error"}
	}
	columns := []store.Column{{Name: "simulated"}, {Name: "predicted_" + objective.Name, Unit: objective.Unit}, stdErr}
	fitted := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) } // the digits that a fit determines
	return export(s, w, format, columns, func(yield func(int, []string) bool) {
		for c := range s.Design.Configurations() {
			simulated := ""
			if i := slices.Index(h.Configurations, c); i >= 0 {
				simulated = strconv.Itoa(i + 1)
			}
			predicted := m.At(c)
			if !yield(c*s.Design.Repetitions, []string{simulated, fitted(predicted.Mean), fitted(predicted.StdErr)}) {
				return
			}
		}
	})
}

// ExportSteps writes the single steps of growth from every configuration of a full factorial, in the formats of
// [sweep.Study.Export]: which factor of the machine is raised, the gain in the objective, the scalability and, if the
// objective has a cost, the added cost and the efficiency. Point is the first of the configuration.
func ExportSteps(s *sweep.Study, w io.Writer, format string) error {
	if s.Design.Kind != design.Factorial || s.Search != nil {
		return errors.New("the study is not a full factorial, so neighbours of its points were not simulated; expected design: factorial, without a search")
	}
	t, err := s.Subject()
	if err != nil {
		return err
	}
	o := s.About.Objective
	e := Evidence{Cost: store.Column{Name: o.Cost}}
	if e.One, err = t.Gather(o.Response, goalOf(o)); err != nil {
		return err
	}
	c, err := e.byCost()
	if err != nil {
		return err
	}
	columns := []store.Column{{Name: "raised"}, {Name: "gain", Unit: s.Column(o.Response).Unit}, {Name: "scalability"}}
	if e.Priced() {
		cost := s.Column(o.Cost)
		columns = append(columns, store.Column{Name: "added", Unit: cmp.Or(cost.Unit, cost.Name)}, store.Column{Name: "efficiency"})
	}
	machine := map[string]bool{} // factors
	for k, f := range t.Factors {
		machine[f.Name] = s.Role(k) == design.RoleMachine
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return export(s, w, format, columns, func(yield func(int, []string) bool) {
		for _, one := range c.List {
			first := one.Rows[0].Point
			first -= first % s.Design.Repetitions
			for _, u := range c.Updates(one.Levels) {
				if !machine[u.Raised] {
					continue
				}
				cells := []string{u.Raised, number(u.Gain), number(u.Scalability)}
				if e.Priced() {
					efficiency := ""
					if u.Efficiency.Exists() {
						efficiency = number(float64(u.Efficiency))
					}
					cells = append(cells, number(float64(u.Added)), efficiency)
				}
				if !yield(first, cells) {
					return
				}
			}
		}
	})
}

// export writes rows of points: the factors, then cells of some columns.
func export(s *sweep.Study, w io.Writer, format string, columns []store.Column, cells iter.Seq2[int, []string]) error {
	other := func(c store.Column) bool { return c.Kind != sweep.KindFactor }
	factors := slices.DeleteFunc(slices.Clone(s.Dir.Plan().Columns), other)
	rows := func(yield func(store.Row, error) bool) {
		for point, more := range cells {
			p := s.Design.Point(point)
			row := store.Row{Point: p.Index}
			for k := range p.Levels {
				row.Cells = append(row.Cells, p.Level(k).Text)
			}
			if row.Cells = append(row.Cells, more...); !yield(row, nil) {
				return
			}
		}
	}
	return sweep.WriteRows(w, format, append(factors, columns...), rows)
}

package findings

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// ExportPredictions writes what a search predicts for all configurations of its design,
// in their order and in the formats of [sweep.Study.Export]: the number of the first point,
// the factors, the place in the order of simulation (empty: not simulated), the
// prediction of the objective and its standard error. Where the logarithm is predicted,
// the standard error is a share of the prediction.
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
	columns := factorColumns(s)
	objective := s.Column(s.About.Objective.Response)
	stdErr := store.Column{Name: "standard_error", Unit: objective.Unit}
	if m.Log {
		stdErr = store.Column{Name: "relative_standard_error"}
	}
	columns = append(columns, store.Column{Name: "simulated"}, store.Column{Name: "predicted_" + objective.Name, Unit: objective.Unit}, stdErr)
	rows := func(yield func(store.Row, error) bool) {
		for c := range s.Design.Configurations() {
			p := s.Design.Point(c * s.Design.Repetitions)
			var cells []string
			for f := range p.Levels {
				cells = append(cells, p.Level(f).Text)
			}
			simulated := ""
			if i := slices.Index(h.Configurations, c); i >= 0 {
				simulated = strconv.Itoa(i + 1)
			}
			predicted := m.At(c)
			if !yield(store.Row{Point: p.Index, Cells: append(cells, simulated, fitted(predicted.Mean), fitted(predicted.StdErr))}, nil) {
				return
			}
		}
	}
	return sweep.WriteRows(w, format, columns, rows)
}

// fitted writes a number with the digits that a fit determines.
func fitted(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

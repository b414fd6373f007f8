package sweep

import (
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// points returns how many rows the study has.
func (s *Study) points() int {
	if s.Search != nil {
		return s.Search.Points * s.Design.Repetitions
	}
	return s.Design.Points()
}

// newHistory returns the history of a search without points, for an objective, and what
// adds a row to it.
func (s *Study) newHistory(response string, maximize bool) (h *search.History, add func(store.Row) error) {
	h = search.NewHistory(s.Search, s.Design, s.factors(), maximize)
	value := s.ValueOf(response)
	return h, func(row store.Row) error {
		p, err := s.PointOf(row)
		if err != nil {
			return err
		}
		v, err := value(row)
		if err == nil {
			h.Add(p.Index, v)
		}
		return err
	}
}

// History returns that of a complete search, for the objective of the analysis.
func (s *Study) History() (*search.History, error) {
	h, add := s.newHistory(s.About.Objective.Response, s.About.Objective.Maximize)
	for row, err := range s.Dir.Rows() {
		if err == nil {
			err = add(row)
		}
		if err != nil {
			return nil, err
		}
	}
	return h, nil
}

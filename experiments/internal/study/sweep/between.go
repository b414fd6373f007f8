package sweep

import (
	"context"
	"fmt"
	"slices"
)

// ObjectiveAt simulates a configuration with a numeric factor at a value that need not be one of its levels, and
// returns the value of the objective. It stores no row.
func (s *Study) ObjectiveAt(ctx context.Context, levels []int, factor int, value float64) (float64, error) {
	at := slices.Index(outcomeNames(s.outcomes), s.About.Objective.Response)
	if at < 0 {
		return 0, fmt.Errorf("the objective %s is no outcome", s.About.Objective.Response)
	}
	limited, cancel := context.WithTimeout(ctx, s.limits.duration())
	defer cancel()
	_, values, err := s.simulate(limited, s.Design.At(levels).Moved(factor, value))
	if err != nil {
		return 0, err
	}
	return values[at], nil
}

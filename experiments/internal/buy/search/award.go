package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
)

// comparedWith returns the machine that others are compared with: the reference machine or else the existing one; nil
// if neither can run every workload.
func (s *solver) comparedWith() *model.Choice {
	if s.Plan.Reference != nil {
		return s.Plan.Reference
	}
	if today := s.result.Today; today != nil {
		return &today.Choice
	}
	return nil
}

// reference simulates the reference machine.
func (s *solver) reference(ctx context.Context) error {
	c := s.Plan.Reference
	if c == nil {
		return nil
	}
	if err := s.needChoices(ctx, s.Plan, []model.Choice{*c}, "reference machine"); err != nil {
		return err
	}
	m := s.machine(*c)
	for w, x := range m.works {
		if x.Problem != "" {
			return fmt.Errorf("the reference machine cannot run %s: %s", s.Workloads[w].Name, x.Problem)
		}
	}
	return nil
}

// referenceMeasures returns the measures of the machine that criteria may be relative to, nil if there is none.
func (s *solver) referenceMeasures() *model.Measures {
	c := s.comparedWith()
	if c == nil {
		return nil
	}
	m := s.machine(*c)
	x := s.MeasuresOf(*c, m.score, m.load)
	return &x
}

// byPoints returns the machine with most points of each design, and the values that criteria compare with. These come
// from the best machine of each design by the objective.
func (s *solver) byPoints(ctx context.Context) (most []model.Candidate, compared []float64, err error) {
	if s.Scoring.NeedsReference() && s.comparedWith() == nil {
		return nil, nil, fmt.Errorf("criteria of the scoring are relative to the existing machine, which cannot run every workload: %s",
			s.result.TodayUnfit)
	}
	best := each.Of(s.best, s.measures)
	compared = s.Scoring.Compared(best, s.referenceMeasures())
	points := func(m model.Measures) float64 { return each.Total(s.Scoring.Points(m, compared)) }
	for i, c := range s.best {
		f := s.field(ctx, c.Choice.Design)
		f.points = points
		found, _, ok := f.best(aim{most: math.Inf(1)}, mostTried)
		if s.failed != nil {
			return nil, nil, s.failed
		}
		if !ok || 1/found.goal <= points(best[i])*(1+1e-12) {
			most = append(most, c)
			continue
		}
		if k := slices.IndexFunc(s.result.Ranking, func(x model.Candidate) bool { return x.Choice.Equal(found.Choice) }); k >= 0 {
			most = append(most, s.result.Ranking[k])
			continue
		}
		if err := s.needChoices(ctx, s.Plan, []model.Choice{found.Choice}, "ranking by points"); err != nil {
			return nil, nil, err
		}
		m := s.machine(found.Choice)
		waits, err := s.waits(ctx, []*machine{m})
		if err != nil {
			return nil, nil, err
		}
		x := s.candidate(m)
		x.Wait = waits[0]
		most = append(most, x)
	}
	return most, compared, nil
}

// award gives points to the best machine of each design by points, and recommends the one with most, of equal ones the
// cheaper.
func (s *solver) award(machines []model.Candidate, compared []float64) {
	r := s.result
	points := func(c model.Candidate) []float64 { return s.Scoring.Points(s.measures(c), compared) }
	slices.SortStableFunc(machines, func(a, b model.Candidate) int {
		return cmp.Or(cmp.Compare(each.Total(points(b)), each.Total(points(a))), cmp.Compare(a.Cost, b.Cost))
	})
	s.best = machines
	for n, c := range machines {
		x := model.PointsResult{Name: c.Name, Design: c.Design, Criteria: points(c), Value: s.Scoring.Values(s.measures(c)),
			BreakEven: make([]*float64, len(compared))}
		x.Points = each.Total(x.Criteria)
		for k := range x.BreakEven {
			if n > 0 {
				x.BreakEven[k] = s.Scoring.BreakEven(s.measures(c), compared, r.Points[0].Points, k)
			}
		}
		r.Points = append(r.Points, x)
	}
	r.Recommended = s.best[0].Name
	if len(s.best) > 1 {
		r.RunnerUp = s.best[1].Name
		r.Lead = new(r.Points[0].Points/r.Points[1].Points - 1)
	}
}

func (s *solver) measures(c model.Candidate) model.Measures {
	return s.MeasuresOf(c.Choice, c.Score, c.Load)
}

// points returns the points of machines under the changes f, which q includes; nil if there is no scoring, or no machine
// within the limits.
func (t *trials) points(q *model.Plan, f model.Factors) func(model.Measures) float64 {
	if t.Scoring == nil {
		return nil
	}
	var best []model.Measures
	for d := range t.contenders {
		x := t.field(q, &t.contenders[d], t.contenders[d].best.Design, f)
		if found, _, ok := x.best(aim{most: math.Inf(1)}, mostTriedAgain); ok {
			score, load := q.Score(found.Choice, x.works(found.Choice, found.Choice, always(found.Choice)))
			best = append(best, q.MeasuresOf(found.Choice, score, load))
		}
	}
	if len(best) == 0 {
		return nil
	}
	compared := t.Scoring.Compared(best, t.referenceMeasures())
	return func(m model.Measures) float64 { return each.Total(t.Scoring.Points(m, compared)) }
}

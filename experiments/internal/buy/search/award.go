package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// comparedWith returns the machine that others are compared with, the reference machine or the existing one; nil if
// there is none that can run every workload.
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

// referenceMeasures are those of the machine that criteria may be relative to, nil if there is none.
func (s *solver) referenceMeasures() *model.Measures {
	c := s.comparedWith()
	if c == nil {
		return nil
	}
	m := s.machine(*c)
	x := s.MeasuresOf(*c, m.score, m.load)
	return &x
}

// award gives points to the best machine of each design, and recommends the one with the most; of equal ones
// the cheaper.
func (s *solver) award() error {
	r := s.result
	if s.Scoring.NeedsReference() && s.comparedWith() == nil {
		return fmt.Errorf("criteria of the scoring are relative to the existing machine, which cannot run every workload: %s", r.TodayUnfit)
	}
	var machines []model.Measures
	for _, c := range s.best {
		machines = append(machines, s.MeasuresOf(c.Choice, c.Score, c.Load))
	}
	reference := s.referenceMeasures()
	points := s.Scoring.Points(machines, reference)
	for i, c := range s.best {
		x := model.PointsResult{Name: c.Name, Design: c.Design, Points: model.Sum(points[i]), Criteria: points[i],
			Value: s.Scoring.Values(machines[i])}
		r.Points = append(r.Points, x)
	}
	order := make([]int, len(s.best))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(r.Points[j].Points, r.Points[i].Points), cmp.Compare(s.best[i].Price, s.best[j].Price))
	})
	first := order[0]
	for i := range r.Points {
		r.Points[i].BreakEven = make([]*float64, len(points[i]))
		for k := range points[i] {
			if i != first {
				r.Points[i].BreakEven[k] = s.Scoring.BreakEven(machines, reference, i, k)
			}
		}
	}
	best, ordered := s.best, r.Points
	s.best, r.Points = nil, nil
	for _, i := range order {
		s.best, r.Points = append(s.best, best[i]), append(r.Points, ordered[i])
	}
	r.Recommended = s.best[0].Name
	if len(s.best) > 1 {
		r.RunnerUp = s.best[1].Name
		r.Lead = new(r.Points[0].Points/r.Points[1].Points - 1)
	}
	return nil
}

// verdictByPoints is a verdict by the points of the best machine of each contender with changed figures. Goals are
// the reciprocals of points.
func (t *trials) verdictByPoints(q *model.Plan, f model.Factors, groups [][]int) verdict {
	v := verdict{noContender, make([]float64, len(groups)), math.Inf(1)}
	var machines []model.Measures
	var of []int // contenders
	for d := range t.contenders {
		x := t.field(q, &t.contenders[d], t.contenders[d].best.Design, f)
		found, _, ok := x.best(aim{most: math.Inf(1)}, mostTriedAgain)
		if !ok {
			continue
		}
		score, load := q.Score(found.Choice, x.works(found.Choice, found.Choice, always(found.Choice)))
		machines, of = append(machines, q.MeasuresOf(found.Choice, score, load)), append(of, d)
	}
	points := t.Scoring.Points(machines, t.referenceMeasures())
	most := 0.0
	for g, group := range groups {
		v.goals[g] = math.Inf(1)
		for i, d := range of {
			if !slices.Contains(group, d) {
				continue
			}
			sum := model.Sum(points[i])
			if goal := 1 / sum; goal < v.goals[g] {
				v.goals[g] = goal
			}
			if sum > most {
				most, v.first = sum, d
			}
		}
	}
	v.own = v.goals[0]
	return v
}

package search

import (
	"context"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
)

const (
	// mostListed is the number of machines of a design up to which all are ranked.
	mostListed = 40
	// mostTried is the number of boxes after which the search of a design ends, stating by how much another machine may
	// be better.
	mostTried = 100_000
	// budgetParts is the number of parts of the budget for each of which the best machine of a design is ranked, too:
	// what less money, power and space buy.
	budgetParts = 8
)

// picks returns the machines of a design to rank: all if they are few, else the best, its neighbours, the cheapest that
// is as good within the tolerance of the plan, and the best for parts of the budget. beyond counts the machines listed
// in the plan that are beyond the limits, or is 1 if all are. For runs on the whole machine see wholePicks.
func (s *solver) picks(ctx context.Context, d model.Design) (all []model.Choice, beyond int, screened string) {
	f := s.field(ctx, d)
	add := func(c model.Choice) {
		if s.Limit(c) == "" && !listedElsewhere(s.Plan, c) && !slices.ContainsFunc(all, c.Equal) {
			all = append(all, c)
		}
	}
	if f.axes == nil {
		return nil, 1, ""
	}
	if !s.Counts.Affordable && d.Bid == 0 {
		listed := math.Pow(float64(len(s.Counts.List)), float64(len(d.Types)))
		beyond = int(min(listed-size(f.axes), model.MaxChoices))
	}
	if size(f.axes) <= mostListed {
		for _, c := range f.all() {
			if why := s.Unmet(c, c); why != "" && s.Limit(c) == "" {
				s.exclude(s.Name(c), d, 1, model.CauseRequired, unmeasured(why))
				continue
			}
			if add(c); s.Limit(c) != "" && !s.Counts.Affordable {
				beyond++
			}
		}
		if s.OnSome() {
			return all, beyond, ""
		}
	}
	if !s.OnSome() {
		few := all
		all = nil
		list, screened := s.wholePicks(ctx, f, few)
		for _, c := range list {
			add(c)
		}
		return all, beyond, screened
	}
	best, least, ok := f.best(aim{most: math.Inf(1)}, mostTried)
	s.least = min(s.least, least)
	if !ok {
		for _, c := range f.ends() {
			add(c)
		}
		return all, beyond, ""
	}
	add(best.Choice)
	s.leading(best)
	for i := range best.Counts {
		for _, step := range []int{-1, 1} {
			if next, ok := f.beside(best.Choice, i, step); ok {
				add(next)
			}
		}
	}
	if c, _, ok := f.best(aim{cheapest: true, most: best.goal * (1 + s.GoalTolerance())}, mostTried); ok {
		add(c.Choice)
	}
	for part := 1; part < budgetParts; part++ {
		q := *s.Plan
		fraction := float64(part) / budgetParts
		q.Budget.Money.Amount *= fraction
		q.Budget.Power *= units.Watts(fraction)
		q.Budget.RackUnits *= fraction
		less := *f
		less.Plan, less.axes = &q, axesOf(&q, d)
		if c, _, ok := less.best(aim{most: math.Inf(1)}, mostTried); ok {
			add(c.Choice)
		}
	}
	return all, beyond, ""
}

// ends returns the smallest machine and those with the most nodes of one type; their problems explain the others.
func (f *field) ends() (all []model.Choice) {
	smallest := make([]int, len(f.axes))
	all = append(all, f.choice(smallest))
	for i, x := range f.axes {
		largest := slices.Clone(smallest)
		largest[i] = x.most - 1
		all = append(all, f.choice(largest))
	}
	return all
}

// all returns every machine of a field, sorted by the numbers of nodes, first type first.
func (f *field) all() (all []model.Choice) {
	for i := range int(size(f.axes)) {
		places := make([]int, len(f.axes))
		for k := len(places) - 1; k >= 0; k-- {
			places[k] = i % f.axes[k].most
			i /= f.axes[k].most
		}
		all = append(all, f.choice(places))
	}
	return all
}

// beside returns the machine with the number of nodes of a type that is step places further.
func (f *field) beside(c model.Choice, i, step int) (model.Choice, bool) {
	place := f.axes[i].place(c.Counts[i]) + step
	if place < 0 || place >= f.axes[i].most {
		return c, false
	}
	c.Counts = slices.Clone(c.Counts)
	c.Counts[i] = f.axes[i].at(place)
	return c, true
}

package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Spending is growth by what it costs.
type Spending struct {
	// Frontier are the configurations than which no other is better at the same cost
	// or a lower one, by cost: each is better than the one before.
	Frontier []Priced
	// Walk raises one factor after another, each time the one that gains most for
	// what it adds to the cost. The first is the start.
	Walk []Purchase
	// Budgets compares both at costs that double.
	Budgets []Budget
}

// A Priced is a configuration with what it costs.
type Priced struct {
	Levels []int
	Value  float64 // of the response
	Cost   float64 // in the unit of the cost
}

// A Purchase is a configuration of the walk.
type Purchase struct {
	Priced
	Update // how it was reached; Factor is -1 at the start
}

// An Update raises one factor by one level.
type Update struct {
	Factor int
	To     []int
	Gain   float64 // by how much the response is better, in its unit; negative for a loss
	// Change is how far the factor moves along its [Axis]: 1 if it doubles and its
	// levels are powers of two.
	Change float64
	Added  float64 // to the cost; 0 or below is for nothing
	// Efficiency is Gain/Added, in units of the response for one unit of the cost;
	// infinite, with the sign of the gain, if nothing is added.
	Efficiency float64
}

// Scalability returns the finite difference of the response along the factor,
//
//	Sc = Gain/Change
//
// Source: [Jin] Eq. 13.
func (u *Update) Scalability() float64 { return u.Gain / u.Change }

// A Budget is what an amount buys.
type Budget struct {
	Amount   float64
	Best     Priced  // of the configurations that cost at most the amount
	Walk     Priced  // the best that the walk has come to for at most the amount
	Worse    float64 // by how much the walk is worse, in the unit of the response, >= 0
	FromBest Move    // from the best of the budget before to this one: as [UpTo] has it
}

// Spend follows growth by its cost, which is a numeric factor or another response.
//
// The walk starts at the configuration with all factors at their lowest levels, or if
// that is not in the table at the cheapest one. Each step raises the factor with the
// largest Gain/Added. A step that adds nothing to the cost comes before all others if it
// gains, and after them otherwise. The walk goes on when no step gains, until none can be
// raised: what it is worth for a budget is the best that it has come to. Factors that are
// not numeric are not raised.
//
// Source: [Jin] 3.3: the update with the largest Sc_i/Price_i is the most efficient
// small one. Deviations: the cost is a quantity of a configuration, so that prices may
// depend on what is there; a sum of prices times log2 of counts gives Eq. 10. Steps are
// whole levels.
func Spend(t *studytable.Table, response string, goal studytable.Goal, cost string) (*Spending, error) {
	c, err := sized(t, response, cost)
	if err != nil {
		return nil, err
	}
	s := &Spending{}
	for _, same := range bySize(c) {
		best := bestOf(c, same, goal)[0]
		if n := len(s.Frontier); n == 0 || goal.Better(c.List[best].Mean, s.Frontier[n-1].Value) {
			s.Frontier = append(s.Frontier, pricedBy(c, best))
		}
	}
	updates, err := updatesOf(c, goal)
	if err != nil {
		return nil, err
	}
	here := smallestOf(c)
	s.Walk = []Purchase{{pricedBy(c, here), Update{Factor: -1}}}
	for {
		best, ok := BestUpdate(updates(here), true)
		if !ok {
			break
		}
		here = c.Find(best.To)
		s.Walk = append(s.Walk, Purchase{pricedBy(c, here), best})
	}
	s.compare(movesOf(t), goal)
	return s, nil
}

func pricedBy(c *studytable.Cells, i int) Priced {
	one := &c.List[i]
	return Priced{slices.Clone(one.Levels), one.Mean, one.Other}
}

// compare fills in the budgets.
func (s *Spending) compare(steps moves, goal studytable.Goal) {
	cheapest := max(s.Frontier[0].Cost, s.Walk[0].Cost)
	dearest := cheapest
	for _, p := range s.Walk {
		dearest = max(dearest, p.Cost)
	}
	dearest = max(dearest, s.Frontier[len(s.Frontier)-1].Cost)
	for _, amount := range bounds(cheapest, dearest) {
		b := Budget{Amount: amount, Best: s.Frontier[0], Walk: s.Walk[0].Priced}
		for _, p := range s.Frontier {
			if affordable(p, amount) {
				b.Best = p
			}
		}
		for _, p := range s.Walk {
			if affordable(p.Priced, amount) && goal.Better(p.Value, b.Walk.Value) {
				b.Walk = p.Priced
			}
		}
		if goal.Better(b.Best.Value, b.Walk.Value) {
			b.Worse = goal.Gain(b.Walk.Value, b.Best.Value)
		}
		if n := len(s.Budgets); n > 0 {
			b.FromBest = steps.upwards(s.Budgets[n-1].Best.Levels, b.Best.Levels)
		}
		s.Budgets = append(s.Budgets, b)
	}
}

func affordable(p Priced, amount float64) bool {
	return p.Cost <= amount+sameSize*math.Abs(amount)
}

// updatesOf returns a function that lists the steps from a configuration, those of the
// first factor first.
func updatesOf(c *studytable.Cells, goal studytable.Goal) (func(from int) []Update, error) {
	axes := make([]Axis, len(c.Table.Factors))
	places := make([][]int, len(axes))
	for k := range axes {
		f := &c.Table.Factors[k]
		if !f.Numeric() {
			continue
		}
		var err error
		if axes[k], err = axisOf(c.Table, k, false); err != nil {
			return nil, err
		}
		places[k] = f.Ranks()
	}
	raised := raisesOf(c)
	return func(from int) []Update {
		var all []Update
		raised(from, func(k, to int) {
			one, next := &c.List[from], &c.List[to]
			u := Update{Factor: k, To: slices.Clone(next.Levels), Gain: goal.Gain(one.Mean, next.Mean), Added: next.Other - one.Other}
			at := places[k][one.Levels[k]]
			u.Change = axes[k].At[at+1] - axes[k].At[at]
			var err error
			if u.Efficiency, err = scalability.UpdateEfficiency(u.Gain, units.Money{Amount: u.Added}); err != nil {
				// Nothing is added, for which the paper has no efficiency.
				u.Efficiency = math.Inf(1)
				if !(u.Gain > 0) {
					u.Efficiency = math.Inf(-1)
				}
			}
			all = append(all, u)
		})
		return all
	}, nil
}

// Updates returns for each of some configurations the steps from there, those of the
// first factor first; none from a configuration that is missing or failed. cost may be
// empty: then Added and Efficiency mean nothing.
func Updates(t *studytable.Table, response string, goal studytable.Goal, cost string, from [][]int) ([][]Update, error) {
	var c *studytable.Cells
	var err error
	if cost == "" {
		c, err = t.Gather(response, -1)
	} else {
		c, err = sized(t, response, cost)
	}
	if err != nil {
		return nil, err
	}
	updates, err := updatesOf(c, goal)
	if err != nil {
		return nil, err
	}
	all := make([][]Update, len(from))
	for n, levels := range from {
		if i := c.Find(levels); i >= 0 {
			all[n] = updates(i)
		}
	}
	return all, nil
}

// BestUpdate returns the step that gains most for its cost, or if there is no cost that
// gains most; of equal ones the first. ok is false if there are no steps.
func BestUpdate(steps []Update, priced bool) (best Update, ok bool) {
	for i, u := range steps {
		better := u.Scalability() > best.Scalability()
		if priced {
			better = cmp.Or(cmp.Compare(u.Efficiency, best.Efficiency), cmp.Compare(u.Gain, best.Gain)) > 0
		}
		if i == 0 || better {
			best = u
		}
	}
	return best, len(steps) > 0
}

package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// An Update raises one factor by one level.
type Update struct {
	Raised string  `json:"raised"`
	Gain   float64 `json:"gain"` // of the response; negative for a loss
	// Scalability is the finite difference of the response along the factor, Sc = Gain/Change.
	// The change is in the unit of the factor, or in doublings if its levels are powers of two.
	//
	// Source: [Jin] Eq. 13.
	Scalability float64 `json:"scalability"`
	Added       Number  `json:"added_cost,omitzero"` // may be 0 or below; does not exist without a cost
	// Efficiency is Gain/Added, in units of the response for one unit of the cost;
	// infinite, with the sign of the gain, if nothing is added.
	Efficiency Number `json:"efficiency,omitzero"`

	Factor int `json:"-"`
	to     int
}

func byGain(a, b Update) int { return cmp.Compare(a.Gain, b.Gain) }

// ByScalability orders steps where there are no costs.
func ByScalability(a, b Update) int { return cmp.Compare(a.Scalability, b.Scalability) }

// ByEfficiency orders steps by gain per cost. A step that adds nothing to the cost comes before all others if it gains,
// and after them otherwise.
//
// Source: [Jin] 3.3: the update with the largest Sc_i/Price_i is the most efficient
// small one.
func ByEfficiency(a, b Update) int {
	return cmp.Or(cmp.Compare(a.Efficiency, b.Efficiency), byGain(a, b))
}

// BestUpdate returns the best step by an order, of equal ones the first. ok is false if there are no steps.
func BestUpdate(steps []Update, by func(a, b Update) int) (best Update, ok bool) {
	if len(steps) == 0 {
		return best, false
	}
	return slices.MaxFunc(steps, by), true
}

// Updates returns the steps from a configuration in the order of the factors; none if it is missing or failed. Costs
// are the sizes given by [Cells.By].
func (c *Cells) Updates(from []int) []Update {
	if i := c.Find(from); i >= 0 {
		return c.updates(i)
	}
	return nil
}

func (c *Cells) updates(from int) []Update {
	var all []Update
	c.stepsFrom(from, 1, func(k, to int) {
		one, next, a := &c.List[from], &c.List[to], c.axis(k)
		at := a.ranks[one.Levels[k]]
		u := Update{Raised: c.Table.Factors[k].Name, Gain: c.Goal.Gain(one.Mean, next.Mean), Factor: k, to: to}
		u.Scalability = u.Gain / (a.At[at+1] - a.At[at])
		u.Added = Number(next.Size - one.Size)
		efficiency, err := scalability.UpdateEfficiency(u.Gain, units.Money{Amount: float64(u.Added)})
		if err != nil {
			// Nothing is added; the paper defines no efficiency for that.
			efficiency = math.Inf(-1)
			if u.Gain > 0 {
				efficiency = math.Inf(1)
			}
		}
		u.Efficiency = Number(efficiency)
		all = append(all, u)
	})
	return all
}

// walk raises one factor after another by one level, each time by the best update, even if that is a loss, until none
// can be raised. The first update is empty.
//
// It starts at the configuration with all factors at their lowest level or, if that is not in the table, at the
// smallest size, among several at the lowest levels. A factor that is not numeric has no order, so no step raises it.
// No step leads to a configuration that is missing or failed.
func (c *Cells) walk(by func(a, b Update) int) (path []Priced, updates []Update) {
	lowest := make([]int, len(c.Table.Factors))
	for k := range lowest {
		if a := c.axis(k); a != nil {
			lowest[k] = a.Levels[0]
		}
	}
	here := c.Find(lowest)
	if here < 0 {
		here = c.bySize()[0][0]
	}
	for last, ok := (Update{}), true; ok; here = last.to {
		path, updates = append(path, c.priced(here)), append(updates, last)
		last, ok = BestUpdate(c.updates(here), by)
	}
	return path, updates
}

// priced returns a configuration with its size, such as its cost.
func (c *Cells) priced(i int) Priced { return Priced{c.configuration(i), c.List[i].Size} }

// bestWhere returns the best of some configurations whose cost is admitted, of equal ones the first; nil if none is.
func (c *Cells) bestWhere(some []Priced, admits func(cost float64) bool) (best *Priced) {
	for i := range some {
		if admits(some[i].Cost) && (best == nil || c.Goal.Better(some[i].Value, best.Value)) {
			best = &some[i]
		}
	}
	return best
}

// Ascent is the walk of steepest ascent, and where it is not optimal.
type Ascent struct {
	Steps []AscentStep `json:"steps"` // the first is the start
	// Misses are the sizes at which the walk is worse than the best configuration
	// of that size, in ascending order.
	Misses []Miss `json:"misses"`
}

// AscentStep is a configuration on the walk.
type AscentStep struct {
	Configuration
	Raised string  `json:"raised,omitempty"` // the factor
	Size   float64 `json:"size"`
	Gain   float64 `json:"gain"` // of the objective; negative for a loss
}

// Miss is a size at which the walk is worse than the best configuration.
type Miss struct {
	Size float64       `json:"size"`
	Walk Configuration `json:"walk"` // the best of this size on the walk
	Best Configuration `json:"best"`
	Shortfall
}

// Shortfall is by how much a walk is worse than the best.
type Shortfall struct {
	By      float64 `json:"shortfall"`
	Percent Number  `json:"shortfall_percent"` // of the best value; null where a ratio says nothing
}

// Shortfall returns how far a value is behind the best: nothing if it is as good.
func (c *Cells) Shortfall(value, best float64) (s Shortfall) {
	if c.Goal.Better(best, value) {
		s.By = c.Goal.Gain(value, best)
	}
	if c.Linear != nil {
		value, best = c.Linear(value), c.Linear(best)
	}
	if s.Percent = Number(math.NaN()); value > 0 && best > 0 {
		s.Percent = Number(100 * math.Abs(value-best) / best)
	}
	return s
}

// Ascend walks by the step with the largest gain each time, because the walk is compared at every size. Then it
// compares the walk with growth in the same configurations, or in a set that contains them.
//
// Source: [Jin] 5.3 for what steepest ascent misses. Deviations: any number of
// factors, any grid.
func (c *Cells) Ascend(growth *Growth) *Ascent {
	a := &Ascent{Misses: []Miss{}}
	path, updates := c.walk(byGain)
	for i, p := range path {
		a.Steps = append(a.Steps, AscentStep{p.Configuration, updates[i].Raised, p.Cost, updates[i].Gain})
	}
	for _, o := range growth.Optima {
		best := c.bestWhere(path, func(size float64) bool {
			return math.Abs(size-o.Size) <= sameSize*max(math.Abs(size), math.Abs(o.Size))
		})
		if best != nil && c.Goal.Better(o.Value, best.Value) {
			short := c.Shortfall(best.Value, o.Value)
			a.Misses = append(a.Misses, Miss{o.Size, best.Configuration, o.Configuration, short})
		}
	}
	return a
}

// Spending is growth by what it costs.
type Spending struct {
	// Frontier are the configurations for which no other is better at the same cost or less, sorted by cost: each is
	// better than the one before.
	Frontier []Priced `json:"frontier"`
	// Walk raises one factor after another, each time the one with the largest gain per added cost. The first is the
	// start.
	Walk []Purchase `json:"walk"`
	// Budgets compares both at costs that double.
	Budgets []Budget `json:"budgets"`
}

// Priced is a configuration with its cost.
type Priced struct {
	Configuration
	Cost float64 `json:"cost"`
}

// Purchase is a configuration of the walk by gain for cost, and how it was reached.
type Purchase struct {
	Priced
	Update *Update `json:"update,omitempty"` // none at the start
}

// Budget is what an amount buys: the best of all configurations, and the best that the walk has reached.
type Budget struct {
	Amount float64 `json:"amount"`
	Best   Priced  `json:"best"`
	Walk   Priced  `json:"walk"`
	Shortfall
	Move Move `json:"move"` // from the best of the previous budget, as in [Cells.UpTo]
}

// Spend follows growth by its cost, the size given by [Cells.By]. The walk continues when no step gains; for a budget
// it is worth the best configuration that it has reached.
//
// Source: [Jin] 3.3. Deviations: the cost is a quantity of a configuration, so that prices may depend on what exists
// already; a sum of prices times log2 of counts gives Eq. 10. Steps are whole levels.
func (c *Cells) Spend() *Spending {
	s := &Spending{}
	for _, same := range c.bySize() {
		best := c.priced(c.bestOf(same)[0])
		if n := len(s.Frontier); n == 0 || c.Goal.Better(best.Value, s.Frontier[n-1].Value) {
			s.Frontier = append(s.Frontier, best)
		}
	}
	dearest := s.Frontier[len(s.Frontier)-1].Cost
	path, updates := c.walk(ByEfficiency)
	for i, p := range path {
		s.Walk = append(s.Walk, Purchase{p, &updates[i]})
		dearest = max(dearest, p.Cost)
	}
	s.Walk[0].Update = nil
	for i, amount := range boundsOf(max(s.Frontier[0].Cost, path[0].Cost), dearest) {
		within := func(cost float64) bool { return atMost(cost, amount) }
		b := Budget{Amount: amount, Best: *c.bestWhere(s.Frontier, within), Walk: *c.bestWhere(path, within), Move: First}
		if i > 0 {
			b.Move = c.upwards(s.Budgets[i-1].Best.At, b.Best.At)
		}
		b.Shortfall = c.Shortfall(b.Walk.Value, b.Best.Value)
		s.Budgets = append(s.Budgets, b)
	}
	return s
}

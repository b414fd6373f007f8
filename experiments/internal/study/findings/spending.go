package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
)

// findUpdates finds the single steps from the best configurations.
func (r *Result) findUpdates() {
	told, list := r.Told(), r.Growth
	if r.Envelope != nil {
		list = r.UpTo
	}
	from := make([][]int, len(told))
	for i := range told {
		from[i] = told[i].Levels
	}
	all, err := analysis.Updates(r.Table, r.Response.Name, r.Goal, r.Cost.Name, from)
	if err != nil {
		r.warn("single steps of growth could not be computed: %v", err)
		return
	}
	for i, steps := range all {
		slices.SortStableFunc(steps, func(a, b analysis.Update) int {
			if r.Priced() {
				return cmp.Or(cmp.Compare(b.Efficiency, a.Efficiency), cmp.Compare(b.Gain, a.Gain))
			}
			return cmp.Compare(b.Scalability(), a.Scalability())
		})
		for _, u := range steps {
			list[i].Updates = append(list[i].Updates, *r.update(u))
		}
	}
}

// Priced reports whether the study says what a configuration costs.
func (r *Result) Priced() bool { return r.Cost.Name != "" }

func (r *Result) update(u analysis.Update) *Update {
	x := &Update{Raised: r.Table.Factors[u.Factor].Name, Gain: u.Gain, Scalability: u.Scalability()}
	if r.Priced() {
		x.Added = known(u.Added)
		if !math.IsInf(u.Efficiency, 0) {
			x.Efficiency = known(u.Efficiency)
		}
	}
	return x
}

// findSpending follows growth by its cost, if the study says what that is.
func (r *Result) findSpending() {
	if !r.Priced() {
		return
	}
	if r.Cost == r.Response {
		r.warn("%s is both the objective and the cost, so growth is not followed by its cost", r.Cost.Name)
		return
	}
	s, err := analysis.Spend(r.Table, r.Response.Name, r.Goal, r.Cost.Name)
	if err != nil {
		r.warn("growth by its cost could not be computed: %v", err)
		return
	}
	r.Spending = &Spending{}
	for _, p := range s.Frontier {
		r.Spending.Frontier = append(r.Spending.Frontier, r.pricedAt(p))
	}
	for _, p := range s.Walk {
		one := Purchase{Priced: r.pricedAt(p.Priced)}
		if p.Factor >= 0 {
			one.Update = r.update(p.Update)
		}
		r.Spending.Walk = append(r.Spending.Walk, one)
	}
	for _, b := range s.Budgets {
		r.Spending.Budgets = append(r.Spending.Budgets, Budget{
			b.Amount, r.pricedAt(b.Best), r.pricedAt(b.Walk), b.Worse, r.shortfall(b.Walk.Value, b.Best.Value), b.FromBest.String(),
		})
	}
}

func (r *Result) pricedAt(p analysis.Priced) Priced {
	return Priced{*r.configuration(p.Levels, p.Value), p.Cost}
}

// SpendingInWords says what growth by the largest gain for its cost is worth.
func (r *Result) SpendingInWords() []string {
	if r.Spending == nil || len(r.Spending.Walk) < 2 {
		return nil
	}
	budgets := r.Spending.Budgets
	worst, short := budgets[0], 0
	for _, b := range budgets {
		if b.told() {
			short++
		}
		if b.worse(worst) {
			worst = b
		}
	}
	text := fmt.Sprintf("Growth by the largest gain of %s for each unit of %s raises %s.", r.Response.Name, r.Cost.Name, r.order())
	of := fmt.Sprintf("%s from %s to %s", input.Plural(len(budgets), "budget"), quantity(budgets[0].Amount, r.Cost.Unit), quantity(budgets[len(budgets)-1].Amount, r.Cost.Unit))
	if short == 0 {
		return []string{text + fmt.Sprintf(" At %s it is within %d %% of the best that the budget buys.", of, WorthTelling)}
	}
	by := ""
	if worst.Percent != nil {
		by = fmt.Sprintf(" by %d %% or more", WorthTelling)
	}
	return []string{text + fmt.Sprintf(" At %d of %s it misses the best that the budget buys%s, most at %s%s: it has %s with %s; the best is %s with %s.",
		short, of, by, quantity(worst.Amount, r.Cost.Unit), percentText(worst.Percent, ", by %.3g %%"),
		r.InUnit(worst.Walk.Value), r.Describe(worst.Walk.At), r.InUnit(worst.Best.Value), r.Describe(worst.Best.At))}
}

// told reports whether the shortfall is worth telling.
func (b Budget) told() bool {
	return b.Shortfall > 0 && (b.Percent == nil || *b.Percent >= WorthTelling)
}

// worse reports whether the shortfall is larger than that of another budget.
func (b Budget) worse(than Budget) bool {
	if b.Percent != nil && than.Percent != nil {
		return *b.Percent > *than.Percent
	}
	return b.Shortfall > than.Shortfall
}

// order names the factors that the walk raises, one after another.
func (r *Result) order() string {
	const most = 6
	var runs []string
	walk := r.Spending.Walk[1:]
	for i := 0; i < len(walk); {
		if len(runs) == most {
			return strings.Join(runs, ", then ") + ", and so on"
		}
		raised, times := walk[i].Update.Raised, 0
		for ; i < len(walk) && walk[i].Update.Raised == raised; i++ {
			times++
		}
		switch times {
		case 1:
			runs = append(runs, raised)
		case 2:
			runs = append(runs, raised+" twice")
		default:
			runs = append(runs, fmt.Sprintf("%s %d times", raised, times))
		}
	}
	return strings.Join(runs, ", then ")
}

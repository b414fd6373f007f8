package findings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/report"
)

// byCost returns the configurations with their costs, if these are known.
func (e *Evidence) byCost() (*analysis.Cells, error) {
	if !e.Priced() {
		return e.One, nil
	}
	return e.One.By(e.Cost.Name)
}

// steepest returns the order of steps by gain per added cost, or else per unit of the factor.
func steepest(priced bool) func(a, b analysis.Update) int {
	if priced {
		return analysis.ByEfficiency
	}
	return analysis.ByScalability
}

// findUpdates finds the single steps from the best configurations.
func (r *Result) findUpdates() {
	c, err := r.byCost()
	if err != nil {
		r.warn("single steps of growth could not be computed: %v", err)
		return
	}
	order, list := steepest(r.Priced()), r.Told()
	for i := range list {
		list[i].Updates = c.Updates(list[i].At)
		slices.SortStableFunc(list[i].Updates, func(a, b analysis.Update) int { return order(b, a) })
	}
}

// findSpending follows growth by its cost if the study has a cost and budgets make a difference: not where all
// configurations cost the same, nor where they are not compared.
func (r *Result) findSpending() {
	if !r.Priced() || r.Unequal != "" {
		return
	}
	if r.Cost == r.Response {
		r.warn("%s is both the objective and the cost, so growth is not followed by its cost", r.Cost.Name)
		return
	}
	c, err := r.byCost()
	if err != nil {
		r.warn("growth by its cost could not be computed: %v", err)
		return
	}
	if s := c.Spend(); len(s.Budgets) > 1 {
		r.Spending = s
	}
}

// SpendingInWords says how well growth by the largest gain per cost does.
func (r *Result) SpendingInWords() []string {
	if r.Spending == nil || len(r.Spending.Walk) < 2 {
		return nil
	}
	budgets := r.Spending.Budgets
	short := count(budgets, func(b analysis.Budget) bool { return told(b.Shortfall) })
	worst := slices.MaxFunc(budgets, func(a, b analysis.Budget) int { return moreShort(a.Shortfall, b.Shortfall) })
	amount := func(b analysis.Budget) string { return quantity(b.Amount, r.Cost.Unit) }
	raises, none := "nothing", "no step"
	if walk := r.gaining(); len(walk) > 0 {
		raises, none = order(walk), "no further step"
	}
	if len(r.gaining()) < len(r.Spending.Walk)-1 {
		raises += fmt.Sprintf(": %s makes %s better", none, r.label(r.Response.Name))
	}
	text := fmt.Sprintf("Growth by the largest gain of %s per unit of %s raises %s. At ", r.label(r.Response.Name), r.label(r.Cost.Name), raises)
	of := fmt.Sprintf("%s from %s to %s", input.Plural(len(budgets), "budget"), amount(budgets[0]), amount(budgets[len(budgets)-1]))
	if short == 0 {
		text += fmt.Sprintf("%s it is within %d %% of the best that the budget buys.", of, worthTelling)
	} else {
		text += fmt.Sprintf("%d of %s it ", short, of) +
			r.missed("best that the budget buys", "", amount(worst), worst.Shortfall, worst.Walk.Configuration, worst.Best.Configuration)
	}
	return []string{text}
}

// gaining returns the steps of the walk up to its best configuration.
func (r *Result) gaining() []analysis.Purchase {
	walk, best := r.Spending.Walk, 0
	for i, p := range walk {
		if r.One.Goal.Better(p.Value, walk[best].Value) {
			best = i
		}
	}
	return walk[1 : best+1]
}

// order names the factors that a walk raises, in order.
func order(walk []analysis.Purchase) string {
	const most = 6
	var runs []string
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

// spendingSection shows what budgets buy.
func (r *sections) spendingSection() *report.Section {
	if r.Spending == nil {
		return nil
	}
	cost, value := r.axis(r.Cost.Name, r.Cost.Unit), r.label(r.Response.Name)
	frontier := report.Series{Name: "best for the cost"}
	for _, p := range r.Spending.Frontier {
		r.point(&frontier, p.Cost, p.Value)
	}
	// What is best at the last step of the frontier stays the best up to the largest budget.
	if largest := r.Spending.Budgets[len(r.Spending.Budgets)-1]; largest.Amount > largest.Best.Cost {
		r.point(&frontier, largest.Amount, largest.Best.Value)
	}
	walk := report.Series{Name: "growth by gain for cost", Dashed: true}
	for _, p := range r.Spending.Walk {
		r.point(&walk, p.Cost, p.Value)
	}
	curves := []report.Series{frontier, walk}
	if len(walk.X) == 1 {
		curves = curves[:1]
	}
	chart := lines(over(value, cost.Title), cost, r.objective(), curves...)
	chart.Caption = "Best for the cost: no other configuration is better at the same cost or a lower one."
	t := &report.Table{
		Title:   "What a budget buys",
		Caption: "Growth by steps: what growth by the largest gain for its cost reaches within the budget. Difference: in per cent of the best. Change: grow adds only; a jump takes something down.",
		Columns: []report.Column{
			number("budget", cost.Unit), text("best"), number(value), text("change from previous budget"),
			text("growth by steps"), number(value), number("difference"),
		},
	}
	for _, b := range r.Spending.Budgets {
		t.Rows = append(t.Rows, []string{
			input.Number(b.Amount), r.Describe(b.Best.At), r.InUnit(b.Best.Value), string(b.Move),
			r.Describe(b.Walk.At), r.InUnit(b.Walk.Value), r.shortfall(b.Shortfall),
		})
	}
	return &report.Section{Heading: "Growth for a budget", Text: r.SpendingInWords(), Blocks: []report.Block{chart, t}}
}

// updateSection shows what a single step of growth brings, from each configuration of the map and from the best ones;
// nothing where sizes are not compared.
func (r *sections) updateSection() *report.Section {
	if r.Path == nil || r.Unequal != "" {
		return nil
	}
	s := &report.Section{Heading: "Single steps of growth", Text: []string{
		fmt.Sprintf("The scalability along a factor is the gain of %s for one unit of it, or for its doubling where its levels are powers of two ([Jin] Eq. 13).", r.label(r.Response.Name)),
	}}
	if r.Priced() {
		s.Text = append(s.Text, fmt.Sprintf("The efficiency of a step is its gain per unit that it adds to %s ([Jin] Eq. 11). A step that adds nothing has none, and comes first if it gains.", r.label(r.Cost.Name)))
	}
	if v, ok := r.mapped(r.Cells, r.shown); ok {
		for _, priced := range []bool{false, true} {
			if m := r.updateMap(v, priced); m != nil {
				s.Blocks = append(s.Blocks, m)
			}
		}
	}
	if t := r.updateTable(); len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, t)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// updateMap shows which of two factors it is better to raise, by the scalability along each or by the efficiency of the
// step; nil where there is no map.
func (r *sections) updateMap(v view, priced bool) report.Block {
	c, err := r.byCost()
	if err != nil || priced && !r.Priced() {
		return nil
	}
	grid := *v.Grid
	v.Grid, grid.Values = &grid, make([][]float64, len(v.Y.At))
	best := make([][]analysis.Update, len(v.Y.At))
	for j, ly := range v.Y.Levels {
		v.Values[j] = make([]float64, len(v.X.At))
		for i, lx := range v.X.Levels {
			levels := slices.Clone(r.Reference.At)
			levels[v.x], levels[v.y] = lx, ly
			other := func(u analysis.Update) bool { return u.Factor != v.x && u.Factor != v.y }
			along := slices.DeleteFunc(c.Updates(levels), other)
			u, ok := analysis.BestUpdate(along, steepest(priced))
			value := &v.Values[j][i]
			switch *value = math.NaN(); {
			case !ok:
			case priced && u.Gain > 0 && u.Efficiency.Exists():
				*value = float64(u.Efficiency)
			case !priced:
				*value = u.Scalability
			}
			best[j] = append(best[j], u)
		}
	}
	low, high := analysis.Extremes(v.Values)
	if !(low < high) {
		return nil
	}
	scale := r.shown
	if priced {
		unit := math.Pow(10, max(0, -math.Floor(math.Log10(high)))) // of the cost, so that the numbers are readable
		scale = page.Scale{Factor: unit, Unit: r.Response.Unit}
	}
	for j := range v.Values {
		v.Values[j] = scale.All(v.Values[j])
	}
	low, high = low*scale.Factor, high*scale.Factor
	m := r.surface(v, "", report.Axis{Title: "scalability", Unit: page.Unit(scale.Unit)})
	m.Title = "Best single step, by scalability"
	m.Caption = "Colour: the larger of the scalabilities along both factors. Arrows: the factor to raise; their length is proportional to the gain. Blank: no step from there."
	if priced {
		more := strings.TrimSpace(fmt.Sprintf("%g %s", scale.Factor, r.Cost.Unit))
		m.Title = "Best single step, by gain for its cost"
		m.Caption = fmt.Sprintf("Colour: the larger of the gains for %s more of %s. Arrows: the factor to raise. Blank: no step that gains, or one that adds nothing to the cost.", more, r.label(r.Cost.Name))
		m.Value = colours(report.Axis{Title: "gain per " + more, Unit: m.Value.Unit}, low, high)
	}
	m.Value.Min, m.Value.Max = &low, &high
	m.Caption += r.fixed(v.at)
	add(m, report.MarkArrows, "best step", r.updateArrows(v, best, high, m.Value.Log), "")
	return m
}

// updateArrows point along the factor to raise. Their lengths show the values, unless these are on a logarithmic scale.
func (r *sections) updateArrows(v view, best [][]analysis.Update, largest float64, alike bool) (traces []report.Trace) {
	if v.crowded() {
		return nil
	}
	for j, row := range v.Values {
		for i, value := range row {
			length := longest * value / largest
			if alike {
				length = longest / 2
			}
			if !(value > 0) || length < 0.02*longest {
				continue // a loss, next to nothing, or no step
			}
			u := &best[j][i]
			dx, dy := 0.0, 0.0
			if u.Factor == v.x {
				dx = length * (v.X.At[i+1] - v.X.At[i])
			} else {
				dy = length * (v.Y.At[j+1] - v.Y.At[j])
			}
			traces = append(traces, v.arrow(i, j, dx, dy, fmt.Sprintf("%s: %.3g", u.Raised, value)))
		}
	}
	return traces
}

// updateTable lists the steps from the best configurations.
func (r *sections) updateTable() *report.Table {
	t := &report.Table{
		Title:   "Steps from the best configurations",
		Caption: "The best step first.",
		Columns: []report.Column{
			number(r.label(r.Size.Name), page.Unit(r.Size.Unit)), text("configuration"),
			text("raised"), number("gain", page.Unit(r.shown.Unit)), number("scalability", page.Unit(r.shown.Unit)),
		},
	}
	if r.Priced() {
		t.Columns = append(t.Columns, number("added "+r.label(r.Cost.Name), page.Unit(r.Cost.Unit)), number("efficiency"))
	}
	for _, o := range r.Told() {
		for n, u := range o.Updates {
			row := []string{"", ""}
			if n == 0 {
				row = []string{input.Number(o.Size), r.Describe(o.At)}
			}
			row = append(row, u.Raised, fmt.Sprintf("%.4g", u.Gain*r.shown.Factor), fmt.Sprintf("%.4g", u.Scalability*r.shown.Factor))
			if r.Priced() {
				row = append(row, u.Added.Text("%.6g", 1, ""), u.Efficiency.Text("%.4g", 1, "none"))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

package paper

import (
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// fewestPairs is from how many values on a chart says more than the table.
const fewestPairs = 5

// parityChart shows the values of the engine and of models over the printed ones: what
// is recomputed by formula differs by rounding alone. It is nil for few values, and for
// values of several units.
func (t *Table) parityChart() *report.LineChart {
	var pairs []page.Pair
	names, units, origins := make(map[string]bool), make(map[string]bool), make(map[How]bool)
	name, unit, origin := "", "", How("")
	for _, c := range t.Cells {
		if c.How == Recomputed || c.Paper < leastDrawn || c.Ours < leastDrawn {
			continue
		}
		name, unit = quantity(c.Column)
		origin = c.How
		names[name], units[unit], origins[origin] = true, true, true
		group := name
		if c.Reading != "" {
			group += ", " + c.Reading
		}
		pairs = append(pairs, page.Pair{Group: group, Reference: c.Paper, Computed: c.Ours})
	}
	if len(pairs) < fewestPairs || len(units) > 1 {
		return nil
	}
	if len(names) > 1 {
		name = "values"
	}
	if len(origins) > 1 {
		origin = "our"
	}
	c := page.ParityChart(name, unit, "published", string(origin), pairs)
	if table, _, _ := strings.Cut(t.Title, ":"); table != "" {
		c.Title += ", " + table // which tells it from those of other tables
	}
	return c
}

// leastDrawn is the least value of a logarithmic axis.
const leastDrawn = 1e-9

// quantity divides the head of a column, as in T [ms].
func quantity(column string) (name, unit string) {
	name, unit, ok := strings.Cut(column, " [")
	if !ok {
		return column, report.Dimensionless
	}
	return name, strings.TrimSuffix(unit, "]")
}

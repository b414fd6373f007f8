package chart

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/report"
)

type heatData struct{ *report.HeatMap }

func (c heatData) words() (title, caption string) { return c.Title, c.Caption }

func (c heatData) drawable() bool { return c.Columns > 0 && len(c.Rows) > 0 }

func (c heatData) finding() []string {
	largest, row := math.Inf(-1), ""
	for i := range c.Rows {
		for _, v := range c.Rows[i].Values {
			if v > largest {
				largest, row = v, c.Rows[i].Name
			}
		}
	}
	if row == "" {
		return []string{Titled(c.Value.Title, c.Value.Unit)}
	}
	return []string{fmt.Sprintf("%s: the largest is %s, of %s", Titled(c.Value.Title, c.Value.Unit), Short(largest, 4), Clean(row))}
}

func (c heatData) table(t *table) {
	t.column(unitName(c.Y), false)
	t.column(unitName(c.X)+" from", true)
	t.column(unitName(c.X)+" to", true)
	t.column(unitName(c.Value), true)
	edge := func(k int) float64 { return *c.X.Min + (*c.X.Max-*c.X.Min)*float64(k)/float64(c.Columns) }
	names := RowNames(c.HeatMap)
	for i := range c.Rows {
		for k, v := range c.Rows[i].Values {
			t.rows = append(t.rows, []string{names[i], full(edge(k)), full(edge(k + 1)), full(v)})
		}
	}
}

func (c heatData) vega() object {
	row := channel(0, "nominal", Titled(c.Y.Title, c.Y.Unit))
	row["sort"] = nil
	return object{"mark": "rect", "encoding": object{"x": quantity(1, c.X), "x2": object{"field": field(2)}, "y": row, "color": quantity(3, c.Value)}}
}

// RowNames are the names of the rows.
func RowNames(c *report.HeatMap) []string {
	return DistinctOf(c.Rows, "row", func(x report.HeatRow) string { return x.Name })
}

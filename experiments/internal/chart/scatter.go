package chart

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
)

type scatterData struct{ *report.ScatterChart }

func (c scatterData) words() (title, caption string) { return c.Title, c.Caption }

func (c scatterData) drawable() bool {
	return slices.ContainsFunc(c.Series, func(s report.ScatterSeries) bool { return len(s.Points) > 0 })
}

func (c scatterData) finding() []string {
	var found []string
	for i, name := range ScatterNames(c.ScatterChart) {
		found = append(found, fmt.Sprintf("%s: %s", name, plural(len(c.Series[i].Points), "point")))
	}
	return found
}

func (c scatterData) table(t *table) {
	t.column("series", false)
	t.column("point", false)
	t.column(unitName(c.X), true)
	t.column(unitName(c.Y), true)
	t.column("label", false)
	t.column("notes", false)
	for i, name := range ScatterNames(c.ScatterChart) {
		for _, p := range c.Series[i].Points {
			t.rows = append(t.rows, []string{name, Clean(p.Name), full(p.X), full(p.Y), Clean(p.Label), Clean(p.Notes)})
		}
	}
	for _, l := range c.Lines {
		row := []string{"reference line", "", "", full(l.At), Clean(l.Label), ""}
		if l.Vertical {
			row[2], row[3] = row[3], ""
		}
		t.rows = append(t.rows, row)
	}
}

func (c scatterData) vega() object {
	x, y := quantity(2, c.X), quantity(3, c.Y)
	for _, axis := range []object{x, y} {
		if axis["scale"] == nil {
			axis["scale"] = object{"zero": false}
		}
	}
	return object{"mark": "point", "encoding": object{"x": x, "y": y, "color": channel(0, "nominal", "series"), "tooltip": channel(1, "nominal", "point")}}
}

func (c scatterData) changed(to Change) (report.Block, error) {
	n := *c.ScatterChart
	n.X, n.Y = scaled(n.X, to.X), scaled(n.Y, to.Y)
	keep, err := kept(to.Series, ScatterNames(c.ScatterChart))
	if err != nil {
		return nil, err
	}
	n.Series = selected(c.Series, keep)
	return &n, nil
}

// ScatterNames are the names of the series.
func ScatterNames(c *report.ScatterChart) []string {
	return DistinctOf(c.Series, "series", func(x report.ScatterSeries) string { return x.Name })
}

package chart

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
)

type barData struct{ *report.BarChart }

func (b barData) words() (title, caption string) { return b.Title, b.Caption }

func (b barData) drawable() bool { return len(b.Categories) > 0 && len(b.Series) > 0 }

func (b barData) finding() []string {
	found := []string{Titled(b.Y.Title, b.Y.Unit)}
	names := BarNames(b.BarChart)
	for i := range b.Series {
		low, high := -1, -1
		for k := range b.Categories {
			if b.Series[i].IsMissing(k) {
				continue
			}
			if low < 0 || b.Series[i].Values[k] < b.Series[i].Values[low] {
				low = k
			}
			if high < 0 || b.Series[i].Values[k] > b.Series[i].Values[high] {
				high = k
			}
		}
		if low < 0 || b.Series[i].Offset {
			continue
		}
		found = append(found, fmt.Sprintf("%s is from %s (%s) to %s (%s)", names[i],
			Short(b.Series[i].Values[low], 4), Clean(b.Categories[low]), Short(b.Series[i].Values[high], 4), Clean(b.Categories[high])))
	}
	return found
}

func (b barData) table(t *table) {
	t.column(unitName(b.X), false)
	t.column("series", false)
	t.column(unitName(b.Y), true)
	names := BarNames(b.BarChart)
	for k, category := range b.Categories {
		for i := range b.Series {
			if !b.Series[i].IsMissing(k) {
				t.rows = append(t.rows, []string{Clean(category), names[i], full(b.Series[i].Values[k])})
			}
		}
	}
}

func (b barData) vega() object {
	place, length := channel(0, "nominal", Titled(b.X.Title, b.X.Unit)), quantity(2, b.Y)
	place["sort"] = nil
	e := object{"x": place, "y": length, "color": channel(1, "nominal", "series")}
	if b.Horizontal {
		e["x"], e["y"] = length, place
	}
	if !Stacked(b.BarChart) {
		if b.Horizontal {
			e["yOffset"] = object{"field": field(1)}
		} else {
			e["xOffset"] = object{"field": field(1)}
		}
	}
	return object{"mark": "bar", "encoding": e}
}

func (b barData) changed(to Change) (report.Block, error) {
	if to.X != "" || to.Y != "" {
		return nil, fmt.Errorf("the axes of bars are linear")
	}
	n := *b.BarChart
	keep, err := kept(to.Series, BarNames(b.BarChart))
	if err != nil {
		return nil, err
	}
	n.Series = selected(b.Series, keep)
	return &n, nil
}

// BarNames are the names of the series.
func BarNames(c *report.BarChart) []string {
	return DistinctOf(c.Series, "series", func(x report.BarSeries) string { return x.Name })
}

// BarColours are those of the series: a new one for each, or for the first with its
// colour group. Offsets have none, -1.
func BarColours(b *report.BarChart) []int {
	groups := make([]string, len(b.Series))
	for i := range b.Series {
		groups[i] = b.Series[i].Colour
	}
	return groupColours(groups, func(i int) bool { return b.Series[i].Offset })
}

// Stacked reports whether some bars lie on others.
func Stacked(c *report.BarChart) bool {
	return slices.ContainsFunc(c.Series, func(s report.BarSeries) bool { return s.Stack != "" })
}

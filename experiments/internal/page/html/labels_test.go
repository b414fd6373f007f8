package html

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

const phone = 390 // CSS pixels

// Names of parameters that begin alike, or begin and end alike, stay different where
// they must be cut.
func testNamesOnAPhone(t *testing.T, tab *tab) {
	tab.screen(phone, 844, "light")
	start, end := strings.Repeat("marked speed of a node ", 3), strings.Repeat(" with much memory", 3)
	names := []string{start + "genoa", start + "grace", start + "A" + end, start + "B" + end, "price"}
	c := &chart.Tornado{Title: "T", Value: chart.Axis{Title: "time", Unit: "s"}, Base: 10, Low: "-10 %", High: "+10 %"}
	bars := &chart.BarChart{Title: "B", X: chart.Axis{Title: "name", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "time", Unit: "s"},
		Categories: names, Series: []chart.BarSeries{{Name: "s", Values: []float64{1, 2, 3, 4, 5}}}, Horizontal: true}
	for i, name := range names {
		c.Swings = append(c.Swings, chart.Swing{Parameter: name, Low: 9 - float64(i), High: 11 + float64(i)})
	}
	tab.open(&chart.Document{Title: "D", Sections: []chart.Section{{Heading: "S", Blocks: []chart.Block{c, bars}}}})
	for _, d := range eval[[]drawing](tab, readDrawings) {
		seen := make(map[string]int)
		cut := 0
		for _, x := range d.Texts {
			if strings.Contains(x.Text, "…") {
				cut++
				seen[x.Text]++
			}
		}
		if cut != 4 || len(seen) != 4 || !d.shows("price") {
			t.Errorf("%s: %d names are cut, to %v; expected 4 different ones", d.ID, cut, seen)
		}
	}
}

// Labels of points that lie close together are beside, above and below them, or left
// out, and never on each other. Those of the last series are all shown.
func testPointLabels(t *testing.T, tab *tab) {
	for _, width := range []int64{phone, 1366} {
		tab.screen(width, 844, "light")
		c := &chart.ScatterChart{Title: "T", X: chart.Axis{Title: "price", Unit: "EUR"}, Y: chart.Axis{Title: "time", Unit: "s"},
			Series: []chart.ScatterSeries{{Name: "front"}, {Name: "best", Points: []chart.ScatterPoint{{Name: "p", X: 101, Y: 10.02, Label: "recommended"}}}}}
		for i := range 8 {
			c.Series[0].Points = append(c.Series[0].Points, chart.ScatterPoint{Name: "q", X: 100 + 0.3*float64(i), Y: 10 + 0.01*float64(i%3), Label: "machine " + string(rune('A'+i))})
		}
		c.Series[0].Points = append(c.Series[0].Points, chart.ScatterPoint{Name: "far", X: 140, Y: 12})
		tab.open(&chart.Document{Title: "D", Sections: []chart.Section{{Heading: "S", Blocks: []chart.Block{c}}}})
		d := eval[[]drawing](tab, readDrawings)[0]
		var labels []int
		for i, x := range d.Texts {
			if (strings.HasPrefix(x.Text, "machine ") || x.Text == "recommended") && x.Left > -1000 {
				labels = append(labels, i)
			}
		}
		if len(labels) < 2 || !d.shows("recommended") {
			t.Errorf("%d px: %d labels", width, len(labels))
		}
		for a, i := range labels {
			for _, k := range labels[:a] {
				x, y := d.Texts[i], d.Texts[k]
				if x.Left < y.Right && y.Left < x.Right && x.Top < y.Bottom && y.Top < x.Bottom {
					t.Errorf("%d px: %q and %q lie on each other", width, x.Text, y.Text)
				}
			}
		}
	}
}

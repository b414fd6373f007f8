package html

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/internal/expect"
)

// The answer is the headline below what was studied. The first chart leaves its section, which had nothing else, for
// the first screen. Of five facts the last is no tile. A long answer stays a paragraph, and bars are no tiles.
func TestFirstScreen(t *testing.T) {
	lines := &chart.LineChart{Title: "T over n", X: chart.Axis{Title: "n", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "T", Unit: "s"},
		Series: []chart.Series{{Name: "a", X: []float64{1, 2}, Y: []float64{3, 4}}}}
	table := &chart.Table{Title: "numbers", Columns: []chart.Column{{Title: "n"}}, Rows: [][]string{{"1"}}}
	doc := func(lead string, bars ...chart.Bar) *chart.Document {
		d := &chart.Document{Title: "Study", Lead: []string{lead, "More."}, Sections: []chart.Section{
			{Heading: "Numbers", Blocks: []chart.Block{table}}, {Heading: "Curves", Blocks: []chart.Block{lines}}}}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			d.Facts = append(d.Facts, chart.Fact{Label: name, Value: "1", Bars: bars})
		}
		return d
	}
	view := expect.Value(viewPage(doc("It takes 50 % of n = 48000."), true))(t)
	f := view.First
	expect.That(t, prose(f.Headline) == "It takes 50\u00a0% of n\u00a0=\u00a048\u00a0000" && f.Named == "Study" && strings.Join(f.Lead, "|") == "More.", "%q over %q, %q", f.Named, f.Headline, f.Lead)
	expect.That(t, f.Main != nil && f.Main.Chart != nil && len(view.Parts[0].Sections) == 1, "main chart %v, %d sections", f.Main, len(view.Parts[0].Sections))
	expect.That(t, len(f.Tiles) == 4 && len(f.More) == 1, "%d tiles and %d more", len(f.Tiles), len(f.More))
	expect.That(t, view.Parts[0].Sections[0].Blocks[0].Repeats, "the heading Numbers is repeated by the table")
	notes := blockView{Notes: &chart.Notes{Warning: true}}
	notes.under("Warnings")
	expect.That(t, notes.Repeats, "the heading Warnings is repeated by its list")

	long := expect.Value(viewPage(doc(strings.Repeat("word ", 40)), true))(t).First
	expect.That(t, long.Headline == "Study" && long.Named == "" && len(long.Lead) == 2, "%+v", long)
	rows := expect.Value(viewPage(doc("It takes 2 s.", chart.Bar{Label: "x", Length: 1}), true))(t)
	expect.That(t, len(rows.First.Rows) == 5 && rows.First.Main == nil && len(rows.Parts[0].Sections) == 2, "%+v", rows.First)
	expect.That(t, rows.First.Headline == "It takes 2 s" && rows.First.Named == "Study", "%+v", rows.First)
}

package chart

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Groups share the colour of their first member, and take up one only.
func TestColourGroups(t *testing.T) {
	c := &LineChart{Series: []Series{{}, {Colour: "law"}, {}, {Colour: "law"}, {Colour: "other"}},
		Bands: []Band{{}, {Colour: "law"}, {}, {}, {}, {}}}
	got, want := c.colours(), []int{0, 1, 2, 1, 3, 4, 1, 5, 6, 7, 8}
	expect.That(t, slices.Equal(got, want), "colours are %v; expected %v", got, want)
}

// The entries of the roles are those of the series: measurements are above the
// lines, and lines without markers have a line in the legend.
func TestStyles(t *testing.T) {
	c := &LineChart{X: Axis{Title: "N", Unit: "1"}, Y: Axis{Title: "t", Unit: "s"}, Bands: []Band{{X: []float64{1}, Low: []float64{1}, High: []float64{2}, Colour: "law"}},
		Series: []Series{{Points: true, Colour: "law"}, {Plain: true, Colour: "law"}, {Plain: true, Dashed: true}, {Dashed: true}}}
	form := formOf(c)
	want := []role{{Kind: roleData, Above: true}, {Kind: roleData, Key: "contours"}, {Kind: roleData, Colour: 1, Key: "dashes"}, {Kind: roleData, Colour: 2}, {Kind: roleBand}}
	expect.That(t, slices.Equal(form.Roles, want), "roles are %+v; expected %+v", form.Roles, want)
	n := len(form.Option.Series)
	expect.That(t, n == len(want), "%d series; expected %d", n, len(want))
}

// Beyond the four series that differ in lightness, lines are dotted: 0.18 and 0.26 of a
// size of text of 13 CSS pixels. Levels of one quantity are shares of a ramp instead.
func TestLinesBeyondThoseThatDifferInGrey(t *testing.T) {
	c := &LineChart{Series: make([]Series, 5)}
	expect.Equal(t, c.role(roleData, 3, 5), role{Kind: roleData, Colour: 3}, "the fourth")
	expect.Equal(t, c.role(roleData, 4, 5), role{Kind: roleData, Colour: 4, Dash: "2,3"}, "the fifth")
	expect.Equal(t, hatchOf(3), 0, "the fourth series of bars has hatch")
	expect.Equal(t, hatchOf(4), 1, "the fifth series of bars has hatch")
	c.Ordered = true
	for k, want := range []float64{0.4, 0.55, 0.7, 0.85, 1} {
		got := c.role(roleData, k, 5)
		expect.That(t, math.Abs(got.Share-want) <= 1e-12 && got.Dash == "",
			"level %d is %+v; expected %g of the ramp", k+1, got, want)
	}
}

func TestBandTable(t *testing.T) {
	c := &LineChart{X: Axis{Title: "N", Unit: "1"}, Y: Axis{Title: "Time", Unit: "s"}, Series: []Series{{Name: "a", X: []float64{1}, Y: []float64{2}}},
		Bands: []Band{{Name: "a", X: []float64{1, 2}, Low: []float64{0.5, 1}, High: []float64{3, 4}}}}
	table := Tables(c)[1]
	expect.That(t, table.Title == "band" && slices.Equal(table.Rows[1], []string{"a (2)", "2", "1", "4"}),
		"got %+v", table)
}

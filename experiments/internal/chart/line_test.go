package chart

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
	"github.com/isoscale/isoscale/internal/expect"
)

func (*LineChart) samples() []Sample {
	var p, t, low, high []float64
	for v := 1.0; v <= 1024; v *= 2 {
		p = append(p, v)
		t, low, high = append(t, 100/v+0.1/3), append(low, 99/v), append(high, 110/v+0.1/3)
	}
	return []Sample{
		{Chart: &LineChart{Title: "Time over processes", Caption: "Three runs each.", X: processes, Y: seconds,
			Series: []Series{{Name: "ideal", X: p, Y: low, Ideal: true, Plain: true}, {Name: "measured", X: p, Y: t, Low: low, High: high, Points: true, Colour: "m"},
				{Name: "law", Entry: "law and beyond", X: p, Y: t, Plain: true, Colour: "m"}, {Name: "beyond", Entry: "law and beyond", X: []float64{1024, 4096}, Y: []float64{0.13, 0.06}, Plain: true, Dashed: true}},
			Bands:   []Band{{Name: "95 %", X: p, Low: low, High: high, Colour: "m"}},
			Targets: []Target{{Label: "deadline", Y: 1}}, Points: []MarkedPoint{{Series: 1, X: 8, Y: 12.5, Label: "p = 8"}}}},
		{Chart: &LineChart{Title: "Time over processes", X: processes, Y: seconds, Square: true, Ordered: true, Height: 300,
			Series: []Series{{Name: "one", X: []float64{8}, Y: []float64{2}}}}},
		// A law in the middle of its band, on a logarithmic axis: 4 between 2 and 8.
		{&LineChart{Title: "Law", X: Axis{Title: "N", Unit: Dimensionless}, Y: seconds,
			Series: []Series{{Name: "law", Plain: true, Colour: "law", X: []float64{1, 2, 3}, Y: []float64{2, 4, 8}}},
			Bands:  []Band{{Name: "<b>90 %</b>", Colour: "law", X: []float64{1, 2, 3}, Low: []float64{1, 2, 4}, High: []float64{4, 8, 16}}}},
			[]float64{2, 4}, "N: 2 law 4 <b>90 %</b> 2 to 8"},
	}
}

// Groups share the colour of their first member, and take up one only.
func TestColourGroups(t *testing.T) {
	c := &LineChart{Series: []Series{{}, {Colour: "law"}, {}, {Colour: "law"}, {Colour: "other"}},
		Bands: []Band{{}, {Colour: "law"}, {}, {}, {}, {}}}
	expect.List(t, c.colours(), []int{0, 1, 2, 1, 3, 4, 1, 5, 6, 7, 8}, "colours")
}

// The entries of the roles are those of the series: measurements are above the
// lines, and lines without markers have a line in the legend.
func TestStyles(t *testing.T) {
	c := &LineChart{X: Axis{Title: "N", Unit: "1"}, Y: Axis{Title: "t", Unit: "s"}, Bands: []Band{{X: []float64{1}, Low: []float64{1}, High: []float64{2}, Colour: "law"}},
		Series: []Series{{Points: true, Colour: "law"}, {Plain: true, Colour: "law"}, {Plain: true, Dashed: true}, {Dashed: true}}}
	form := formOf(c)
	want := []role{{Kind: roleData, Above: true}, {Kind: roleData, Key: "contours"}, {Kind: roleData, Colour: 1, Key: "dashes"}, {Kind: roleData, Colour: 2}, {Kind: roleBand}}
	expect.That(t, slices.Equal(form.Roles, want), "roles are %+v; expected %+v", form.Roles, want)
	expect.Equal(t, len(form.Option.Series), len(want), "series")
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

// Five points on a line, a fifteenth of the width of a column apart, each with a label of half as
// much more: all have one, which is nearer to its point than to any other, and covers no other.
func TestLabelsOfPointsSideBySide(t *testing.T) {
	s := &sheet{canvas: canvas.NewSVG(240, 150, 8, colours.muted, true), width: 240, height: 150, em: 8, theme: &colours}
	f := &frame{sheet: s, box: box{20, 10, 230, 130}}
	var among rings
	var at []point
	for k := range 5 {
		at = append(at, point{100 + 16*float64(k), 70})
		among.add(f, at[k])
	}
	label := "N = 2"
	for k, p := range at {
		f.place(p, label, &among)
		n := len(among.taken)
		expect.Need(t, n == len(at)+k+1, "point %d has no label", k+1)
		own := among.taken[n-1]
		for j, other := range at {
			expect.That(t, own.from(p) <= own.from(other), "the label of point %d is nearer to %d", k+1, j+1)
		}
		expect.That(t, !slices.ContainsFunc(among.taken[:n-1], own.overlaps), "label %d covers another", k+1)
	}
	wide := measure(label, s.em)
	expect.That(t, wide > 16 && wide < 32, "the label is %g wide", wide)
}
